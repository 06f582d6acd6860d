import type { Kysely } from 'kysely'
import type { SiteBuild } from './site-types.ts'
import type { SiteBuildRow, Tables } from './tables.ts'

/** Builds with their sites and records, so that one can tell which is published, and how its update ended. */
export function selectBuilds(database: Kysely<Tables>) {
  return database
    .selectFrom('site_builds')
    .leftJoin('sites', 'sites.project_id', 'site_builds.project_id')
    .leftJoin('updates', 'updates.id', 'site_builds.update_id')
    .selectAll('site_builds')
    .select(['sites.build_id as published_id', 'updates.state as update_state'])
}

export function toSiteBuild(
  row: SiteBuildRow & { readonly published_id: string | null; readonly update_state: string | null },
): SiteBuild {
  return {
    id: row.id,
    projectId: row.project_id,
    statusId: row.update_id,
    sha: row.sha,
    ref: row.ref,
    pageCount: row.page_count,
    fileCount: row.file_count,
    sizeBytes: row.size_bytes,
    createdAt: row.created_at,
    status: row.update_state === 'failure' ? 'failure' : 'success',
    isPublished: row.published_id === row.id,
  }
}

/** Gives up builds that are no longer to be found; `collect` takes their files away. */
export async function dropBuilds(
  transaction: Kysely<Tables>,
  builds: readonly Pick<SiteBuildRow, 'id' | 'state'>[],
): Promise<void> {
  if (builds.length === 0) return
  await transaction
    .updateTable('site_builds')
    .set({ state: 'dropped' })
    .where(
      'id',
      'in',
      builds.map(({ id }) => id),
    )
    .execute()
  await addToTotals(transaction, { builds: -builds.filter(({ state }) => state === 'whole').length })
}

export async function addToTotals(
  transaction: Kysely<Tables>,
  change: Partial<Omit<Tables['site_totals'], 'id'>>,
): Promise<void> {
  const { builds = 0, contents = 0, size_bytes: size = 0, stored_bytes: stored = 0 } = change
  if (builds === 0 && contents === 0) return
  await transaction
    .updateTable('site_totals')
    .set((expression) => ({
      builds: expression('builds', '+', builds),
      contents: expression('contents', '+', contents),
      size_bytes: expression('size_bytes', '+', size),
      stored_bytes: expression('stored_bytes', '+', stored),
    }))
    .where('id', '=', 1)
    .execute()
}

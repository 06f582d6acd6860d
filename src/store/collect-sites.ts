import { type Kysely, sql } from 'kysely'
import { forgetPictures } from './site-pictures.ts'
import { addToTotals, dropBuilds } from './site-rows.ts'
import type { SiteCollection } from './site-types.ts'
import { type StoreContext, toTime } from './store-context.ts'
import type { SiteBuildRow, Tables } from './tables.ts'

/** Rows of one transaction: bounds how long it can hold up the process. */
const atOnce = 500

/** `SiteStore.collect`. */
export async function collectSites(context: StoreContext): Promise<SiteCollection> {
  const { write, now, limits } = context
  const before = (ageMs: number) => toTime(now() - ageMs)
  await repeat(() =>
    write(async (transaction) => {
      const old = await findOld(transaction, 'whole', before(limits.keepPreviewsMs))
      const left = await findOld(transaction, 'staged', before(limits.keepUnusedMs))
      await dropBuilds(transaction, [...old, ...left])
      return old.length + left.length
    }),
  )
  let builds = 0
  await repeat(async () => {
    const ids = await write((transaction) => takeFilesAway(transaction, toTime(now())))
    builds += ids.gone
    return ids.gone + ids.files
  })
  await write((transaction) => forgetPulls(transaction, now() - limits.keepPreviewsMs))
  const taken = { contents: 0, storedBytes: 0 }
  await repeat(async () => {
    const step = await write((transaction) => deleteUnused(transaction, before(limits.keepUnusedMs)))
    taken.contents += step.contents
    taken.storedBytes += step.storedBytes
    return step.seen
  })
  return { builds, ...taken }
}

/** Until a step finds nothing; each is a transaction of its own. */
async function repeat(step: () => Promise<number>): Promise<void> {
  while ((await step()) > 0);
}

async function findOld(
  transaction: Kysely<Tables>,
  state: 'whole' | 'staged',
  before: string,
): Promise<Pick<SiteBuildRow, 'id' | 'state'>[]> {
  return await transaction
    .selectFrom('site_builds')
    .leftJoin('sites', 'sites.project_id', 'site_builds.project_id')
    .select(['site_builds.id', 'site_builds.state'])
    .where('site_builds.state', '=', state)
    .where('site_builds.created_at', '<', before)
    .where((expression) =>
      expression.or([
        expression('sites.build_id', 'is', null),
        expression('sites.build_id', '!=', expression.ref('site_builds.id')),
      ]),
    )
    .limit(atOnce)
    .execute()
}

/** Some files of a dropped build, whose contents are to be looked into; then the build itself. */
async function takeFilesAway(transaction: Kysely<Tables>, at: string): Promise<{ files: number; gone: number }> {
  const build = await transaction
    .selectFrom('site_builds')
    .select(['id', 'update_id'])
    .where('state', '=', 'dropped')
    .limit(1)
    .executeTakeFirst()
  if (!build) return { files: 0, gone: 0 }
  const files = await transaction
    .selectFrom('site_files')
    .select(['path', 'hash'])
    .where('build_id', '=', build.id)
    .limit(atOnce)
    .execute()
  if (files.length > 0) {
    const hashes = [...new Set(files.map(({ hash }) => hash))]
    await transaction
      .updateTable('site_contents')
      .set({ unused_since: at })
      .where('hash', 'in', hashes)
      .where('unused_since', 'is', null)
      .execute()
    const paths = files.map(({ path }) => path)
    await transaction.deleteFrom('site_files').where('build_id', '=', build.id).where('path', 'in', paths).execute()
    return { files: files.length, gone: 0 }
  }
  await forgetPictures(transaction, build.update_id)
  await transaction.deleteFrom('site_memories').where('build_id', '=', build.id).execute()
  await transaction.deleteFrom('site_builds').where('id', '=', build.id).execute()
  return { files: 0, gone: 1 }
}

/** What a pull request was at so long ago has no build any more. */
async function forgetPulls(transaction: Kysely<Tables>, beforeMs: number): Promise<void> {
  // The first 48 bits of a UUIDv7 are its time.
  const time = Math.max(0, Math.floor(beforeMs)).toString(16).padStart(12, '0')
  await transaction
    .deleteFrom('site_pulls')
    .where('seen_id', '<', `${time.slice(0, 8)}-${time.slice(8)}`)
    .execute()
}

/** Looks into contents that may be unused: those that a build has stay, the others are deleted. */
async function deleteUnused(transaction: Kysely<Tables>, before: string) {
  const seen = await transaction
    .selectFrom('site_contents')
    .select(['hash', 'size_bytes', 'identity_bytes', 'br_bytes', 'gzip_bytes'])
    .where('unused_since', '<', before)
    .limit(atOnce)
    .execute()
  if (seen.length === 0) return { seen: 0, contents: 0, storedBytes: 0 }
  const hashes = seen.map(({ hash }) => hash)
  const used = await transaction
    .selectFrom('site_contents')
    .select('hash')
    .where('hash', 'in', hashes)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('site_files').select(sql`1`.as('one')).whereRef('site_files.hash', '=', 'site_contents.hash')),
    )
    .execute()
  const usedHashes = new Set(used.map(({ hash }) => hash))
  if (used.length > 0) {
    await transaction
      .updateTable('site_contents')
      .set({ unused_since: null })
      .where('hash', 'in', [...usedHashes])
      .execute()
  }
  const unused = seen.filter(({ hash }) => !usedHashes.has(hash))
  if (unused.length > 0) {
    const gone = unused.map(({ hash }) => hash)
    await transaction.deleteFrom('site_parts').where('hash', 'in', gone).execute()
    await transaction.deleteFrom('site_contents').where('hash', 'in', gone).execute()
  }
  const sum = (of: (row: (typeof unused)[number]) => number) => unused.reduce((total, row) => total + of(row), 0)
  const storedBytes = sum((row) => (row.identity_bytes ?? 0) + (row.br_bytes ?? 0) + (row.gzip_bytes ?? 0))
  const sizeBytes = sum((row) => row.size_bytes)
  await addToTotals(transaction, { contents: -unused.length, size_bytes: -sizeBytes, stored_bytes: -storedBytes })
  return { seen: seen.length, contents: unused.length, storedBytes }
}

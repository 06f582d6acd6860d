import { type Kysely, sql } from 'kysely'
import type { EndedUpdate } from '../../status/types.ts'
import type { StoreDatabase } from '../database/store-database.ts'
import type { ApiChangesRow, Tables } from '../database/tables.ts'
import { type ChangedCommit, fromCursor, type NewApiChanges, sumCounts, toCursor } from './stored-records.ts'
import { storedUpdateColumns, toStoredUpdate } from './update-rows.ts'

/** What updates changed in the API that they document. */
export interface ApiChangesStore {
  /** The JSON text that `UpdateQueue.finish` stored; `undefined` if nothing was compared. */
  find(statusId: string): Promise<string | undefined>
  /** Those of up to 100 updates that have breaking changes that are not accepted. */
  findBreaking(statusIds: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * The commits of a ref with changes, newest first, each with its newest update. `undefined` for an invalid cursor.
   *
   * @param options.limit At least 1.
   */
  list(
    projectId: string,
    options: { readonly ref: string; readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<{ readonly commits: readonly ChangedCommit[]; readonly nextCursor?: string } | undefined>
}

export function createApiChangesStore({ reader }: Pick<StoreDatabase, 'reader'>): ApiChangesStore {
  return {
    async find(statusId) {
      const row = await reader.selectFrom('api_changes').select('changes').where('update_id', '=', statusId).executeTakeFirst()
      return row?.changes
    },

    async findBreaking(statusIds) {
      if (statusIds.length === 0) return new Set()
      const rows = await reader
        .selectFrom('api_changes')
        .select('update_id')
        .where('update_id', 'in', statusIds)
        .where('breaking', '>', 0)
        .execute()
      return new Set(rows.map((row) => row.update_id))
    },

    async list(projectId, { ref, limit, cursor }) {
      const before = cursor === undefined ? undefined : fromCursor(cursor)
      if (cursor !== undefined && before === undefined) return undefined
      let query = reader
        .selectFrom('api_changes')
        .innerJoin('updates', 'updates.id', 'api_changes.update_id')
        .select(['update_id', 'breaking', 'risky', 'compatible', 'accepted', ...storedUpdateColumns])
        .where('api_changes.project_id', '=', projectId)
        .where('api_changes.ref', '=', ref)
        .where('total', '>', sql.lit(0))
        // A re-run of the commit replaces its earlier updates.
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('api_changes as later')
                .select('later.update_id')
                .whereRef('later.project_id', '=', 'api_changes.project_id')
                .whereRef('later.ref', '=', 'api_changes.ref')
                .whereRef('later.sha', '=', 'api_changes.sha')
                .whereRef('later.update_id', '>', 'api_changes.update_id')
                .where('later.total', 'is not', null),
            ),
          ),
        )
      if (before !== undefined) query = query.where('update_id', '<', before)
      const rows = await query
        .orderBy('update_id', 'desc')
        .limit(limit + 1)
        .execute()
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      return {
        commits: shown.map(({ breaking, risky, compatible, accepted, ...row }) => ({
          stored: toStoredUpdate(row),
          counts: { breaking, risky, compatible, accepted },
        })),
        ...(rows.length > limit && last ? { nextCursor: toCursor(last.update_id) } : {}),
      }
    },
  }
}

/** Stores the changes of an ended update, in the caller's transaction. */
export async function insertApiChanges(
  transaction: Kysely<Tables>,
  { _id, projectId, commit }: EndedUpdate,
  { counts, changes }: NewApiChanges,
): Promise<void> {
  const numbers = counts ?? { breaking: 0, risky: 0, compatible: 0, accepted: 0 }
  const total = counts ? sumCounts(counts) : null
  const row: ApiChangesRow = {
    update_id: _id,
    project_id: projectId,
    ref: commit.ref,
    sha: commit.sha,
    ...numbers,
    total,
    changes,
  }
  await transaction.insertInto('api_changes').values(row).execute()
}

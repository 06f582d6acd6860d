import { type Kysely, sql } from 'kysely'
import type { LimitStore } from '../database/store-database.ts'
import type { Tables } from '../database/tables.ts'

const dayMs = 24 * 3_600_000

/** Creates the budgets of a PostgreSQL database. */
export function createLimitStore(database: Kysely<Tables>): LimitStore {
  /** The time of the statement, in milliseconds since 1970. */
  const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
  const read = async (installationId: number) => {
    // A row even if there is no budget yet, for the time.
    const { rows } = await sql<{ now: number; version: number | null; state: string | null }>`
      select ${now} as now, version, state
      from (select 1) as one left join github_budgets on installation_id = ${installationId}`.execute(database)
    const row = rows[0]
    if (!row) throw new Error('Unexpected result without a row')
    return { now: row.now, version: row.version ?? undefined, state: row.state ?? undefined }
  }
  return {
    budgets: {
      read,
      async change(installationId, plan) {
        for (;;) {
          const known = await read(installationId)
          const state = plan(known.state, known.now)
          if (state === undefined) return known
          const row = { installation_id: installationId, version: (known.version ?? 0) + 1, state, used_at: known.now }
          const changed = await database
            .insertInto('github_budgets')
            .values(row)
            .onConflict((conflict) =>
              conflict
                .column('installation_id')
                .doUpdateSet(row)
                .where('github_budgets.version', '=', known.version ?? 0),
            )
            .returning('version')
            .executeTakeFirst()
          if (changed) return { state, now: known.now }
        }
      },
    },

    async prune() {
      await sql`delete from github_budgets where used_at < ${now} - ${dayMs}::bigint`.execute(database)
    },
  }
}

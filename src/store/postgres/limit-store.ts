import { type Kysely, sql } from 'kysely'
import type { Tables } from '../database/tables.ts'

/** The state of GitHub's limits, which all processes with one database share. Its times come from the clock of the database server. */
export interface LimitStore {
  /** The request budgets of installations. Their state is a text whose meaning only the caller knows. */
  readonly budgets: {
    read(installationId: number): Promise<BudgetRead>
    /**
     * Replaces a state in one step.
     *
     * @param plan Returns the new state, or `undefined` to change nothing. Called again if another process changed the state meanwhile.
     */
    change(installationId: number, plan: (state: string | undefined, now: number) => string | undefined): Promise<BudgetRead>
  }
  /** Deletes budgets that were not used for a day. */
  prune(): Promise<void>
}

interface BudgetRead {
  /** `undefined` before the first change. */
  readonly state: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

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
          const changed =
            known.version === undefined
              ? await database
                  .insertInto('github_budgets')
                  .values(row)
                  .onConflict((conflict) => conflict.doNothing())
                  .returning('version')
                  .executeTakeFirst()
              : await database
                  .updateTable('github_budgets')
                  .set(row)
                  .where('installation_id', '=', installationId)
                  .where('version', '=', known.version)
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

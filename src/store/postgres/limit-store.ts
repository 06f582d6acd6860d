import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

/** The state of limits that all processes with one database share. Its times come from the clock of the database server. */
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
  /** Adds the requests that this process counted, and returns the counts of all processes for the same callers. */
  addRequests(counts: readonly RequestCount[]): Promise<readonly RequestCount[]>
  /** Deletes counts whose window has ended, and budgets that were not used for a day. */
  prune(): Promise<void>
}

interface BudgetRead {
  /** `undefined` before the first change. */
  readonly state: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The requests of a caller in its current window. */
interface RequestCount {
  readonly key: string
  readonly requests: number
  /** Milliseconds until the window ends. */
  readonly leftMs: number
}

const dayMs = 24 * 3_600_000

/** Creates the limits of a PostgreSQL database. */
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

    async addRequests(counts) {
      const keys = counts.map(({ key }) => key)
      const requests = counts.map((count) => count.requests)
      const leftMs = counts.map((count) => Math.ceil(count.leftMs))
      // In the order of the keys, because two statements that lock the same rows in another order would block each other.
      const { rows } = await sql<{ key: string; requests: number; left_ms: number }>`
        insert into request_counts as known (key, requests, ends_at)
        select key, requests, ${now} + left_ms
        from unnest(${keys}::text[], ${requests}::integer[], ${leftMs}::integer[]) as own (key, requests, left_ms)
        order by key
        on conflict (key) do update set
          requests = excluded.requests + case when known.ends_at > ${now} then known.requests else 0 end,
          ends_at = case when known.ends_at > ${now} then known.ends_at else excluded.ends_at end
        returning key, requests, ends_at - ${now} as left_ms`.execute(database)
      return rows.map(({ key, requests: total, left_ms: left }) => ({ key, requests: total, leftMs: Math.max(0, left) }))
    },

    async prune() {
      // Skips rows that another process is changing, so that neither waits for the other.
      await sql`
        delete from request_counts where key in
          (select key from request_counts where ends_at < ${now} for update skip locked)`.execute(database)
      await sql`delete from github_budgets where used_at < ${now} - ${dayMs}::bigint`.execute(database)
    },
  }
}

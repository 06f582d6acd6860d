import { type Kysely, sql } from 'kysely'
import { type ClockReading, elapsedSince, readClocks } from '../database/holds.ts'
import type { Tables } from '../database/tables.ts'

/** The clock of this process must not run on its own for longer. */
const maxAgeMs = 1_000

/**
 * The clock of a PostgreSQL server, which is the same for all machines, in milliseconds since 1970.
 *
 * It is read at most once per second. In between, the time that has passed in this process is added.
 */
export function createServerClock(): (database: Kysely<Tables>) => Promise<number> {
  let known: { readonly at: ClockReading; readonly timeMs: number } | undefined
  return async (database) => {
    if (!known || elapsedSince(known.at) >= maxAgeMs) {
      const query = sql<{ readonly now: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as now`
      const { rows } = await query.execute(database)
      // Afterwards, so that the result is never ahead of the server.
      known = { at: readClocks(), timeMs: rows[0]?.now ?? Number.NaN }
    }
    return Math.floor(known.timeMs + performance.now() - known.at.monotonicMs)
  }
}

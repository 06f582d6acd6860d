import type { Logger } from 'pino'

/** What happened to work that is tried again and again. */
interface FailureLog {
  failed(error: unknown): void
  succeeded(): void
}

/** While work fails, it logs a line this often. */
const repeatMs = 60_000

/**
 * Logs the first failure of repeated work, then one per minute, and when the work succeeds again: a database that is down for an hour must not
 * fill the log.
 *
 * @param what As in “Cannot … ” and “Can … again”.
 * @param now Milliseconds of a monotonic clock.
 */
export function logFailures(
  log: Pick<Logger, 'error' | 'info'>,
  what: string,
  now: () => number = () => performance.now(),
): FailureLog {
  let failures = 0
  let nextLineAt = 0
  return {
    failed(error) {
      failures += 1
      if (failures > 1 && now() < nextLineAt) return
      nextLineAt = now() + repeatMs
      log.error({ err: error, failures }, `Cannot ${what}`)
    },
    succeeded() {
      if (failures === 0) return
      log.info({ failures }, `Can ${what} again`)
      failures = 0
    },
  }
}

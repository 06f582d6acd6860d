import { type DestinationStream, type Logger, pino } from 'pino'
import { toVisibleText } from '../../../status/update-record.ts'
import { escapeDirection, maskSecrets } from '../../../text/plain/escape-text.ts'
import { currentLogFields } from './work-scope.ts'

export interface LogOptions {
  readonly level: string
  readonly format: 'json' | 'text'
  /** Writes a line, including its line break. */
  readonly write: (line: string) => void
}

/** Log fields that may contain a secret. */
const secretFields = ['authorization', 'cookie', 'privateKey', 'webhookSecret', 'token', 'secret', 'password', 'signature']

/**
 * Creates the log of the app: one line per event, as JSON or text. Lines of one delivery, request or job have its IDs.
 *
 * Secrets are masked by field name, and again by pattern in the finished line. Line breaks and control characters in untrusted input cannot
 * forge a line in either format.
 */
export function createLog({ level, format, write }: LogOptions): Logger {
  const destination: DestinationStream = {
    // A JSON parser turns the escape back into the original character.
    write: (line) => write(maskSecrets(format === 'json' ? escapeDirection(line) : toTextLine(line))),
  }
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // pino adds the fields of the line.
      mixin: () => ({ ...currentLogFields() }),
      redact: { paths: [...secretFields, ...secretFields.map((field) => `*.${field}`)], censor: '***' },
    },
    destination,
  )
}

/** `07:15:03.120 warn  Refused a token (reason: revoked, address: 127.0.0.1)` */
function toTextLine(line: string): string {
  // The line comes directly from pino.
  const { time, level, msg, err, ...fields } = JSON.parse(line) as Record<string, unknown>
  const shown = Object.entries(fields).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const text = `${String(time).slice(11, 23)} ${String(level).padEnd(5)} ${msg ?? ''}${shown.length > 0 ? ` (${shown.join(', ')})` : ''}`
  const stack = typeof err === 'object' && err !== null && 'stack' in err ? String(err.stack).split('\n') : []
  return [toVisibleText(text), ...stack.map((row) => `  ${toVisibleText(row)}`)].join('\n').concat('\n')
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
export function logFailures(log: Pick<Logger, 'error' | 'info'>, what: string, now: () => number = () => performance.now()) {
  let failures = 0
  let nextLineAt = 0
  return {
    failed(error: unknown) {
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

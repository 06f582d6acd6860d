import { createHash } from 'node:crypto'
import type { AcceptedChange } from '../change.ts'

/** What identifies a change besides the values in its message, as JSON. */
export function toIdentity(parts: readonly (string | null)[]): string {
  return JSON.stringify(parts)
}

/** See `Change.fingerprint`. Without the values, a limit of 50 could count as accepted because one of 100 was. */
export function toFingerprint(identity: string, message: string): string {
  const values = message.match(/`[^`]*`|\d+(?:\.\d+)?/g)
  const text = `${identity.slice(0, -1)},${JSON.stringify(values)}]`
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** A change of one value to another. */
interface ValueChange {
  readonly code: string
  readonly message: string
  readonly identity: string
}

/**
 * Finds the last of several entries that together accept a change of a value: if 100 → 50 and 50 → 10 are accepted, so is 100 → 10.
 *
 * The fingerprint of each entry must be that of the same change with the values of its step, so the text of an entry alone accepts nothing.
 */
export function findAcceptedSteps(
  { code, message, identity }: ValueChange,
  entries: readonly AcceptedChange[],
): AcceptedChange | undefined {
  const wanted = parseValueChange(message)
  if (!wanted) return undefined
  const steps = entries.flatMap((entry) => {
    const step = entry.code === code ? parseValueChange(entry.message) : undefined
    const isSame = step?.subject === wanted.subject && entry.fingerprint === toFingerprint(identity, entry.message)
    return step && isSame ? [{ ...step, entry }] : []
  })
  const reached = new Set([wanted.from])
  for (const from of reached) {
    for (const step of steps) {
      if (step.from !== from) continue
      if (step.to === wanted.to) return step.entry
      reached.add(step.to)
    }
  }
  return undefined
}

/** Whether a message is about a change of one value to another, such as `maximum … changed from 100 to 50`. */
export function isValueChange(message: string): boolean {
  return parseValueChange(message) !== undefined
}

function parseValueChange(message: string) {
  const start = message.lastIndexOf(separator)
  const values = message.slice(start + separator.length)
  const [, from, to] = start === -1 ? [] : (/^(`[^`]*`|[^\s`]+) to (`[^`]*`|[^\s`]+)$/.exec(values) ?? [])
  return from === undefined || to === undefined ? undefined : { subject: message.slice(0, start), from, to }
}

const separator = ' changed from '

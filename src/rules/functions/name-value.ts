import { shorten } from '../../openapi/hints/suggestions.ts'
import type { Path } from '../ruleset.ts'

/** Names the value at a path at the start of a message: "`summary`", "Entry 2 of `tags`" or "The document". */
export function nameValue(path: Path): string {
  const last = path.at(-1)
  if (last === undefined) return 'The document'
  const list = path.at(-2)
  if (typeof last === 'number')
    return list === undefined ? `Entry ${last + 1}` : `Entry ${last + 1} of \`${shorten(String(list))}\``
  return `\`${shorten(last)}\``
}

/** Formats a value for a message: one line, limited length. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'no value'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'a mapping'
  return value === '' ? 'an empty string' : `\`${shorten(String(value))}\``
}

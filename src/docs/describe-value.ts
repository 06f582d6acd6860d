/** What a value is, in a word for a message: `text`, `list`, `object`, `null`, `number`, `boolean`. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  return typeof value === 'string' ? 'text' : typeof value
}

/** A value as a reader writes it: text as it is, all else as JSON on one line. */
export function toJsonText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

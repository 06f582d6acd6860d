/** A value as a text. `String` throws for an object with a field such as `toString`. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(undefined))
}

/** Whether a number is a multiple. Tolerates rounding: 0.3 is a multiple of 0.1. */
export function isMultiple(value: number, of: number): boolean {
  const times = value / of
  return !Number.isFinite(times) || Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times))
}

/** Counts Unicode characters, not UTF-16 code units. Source: JSON Schema 2020-12, validation, section 6.3. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** A normalized section ID for comparison across hosts, which treat punctuation, spaces and case differently. */
export function toLooseId(id: string): string {
  return id
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

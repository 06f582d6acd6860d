/** The address, on the page of all pages, of a part by its label. */
export function toPartId(label: string): string {
  return `part-${label
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')}`
}

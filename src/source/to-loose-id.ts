/** The address of a part of a page as far as hosts agree on it: they differ in what becomes of signs, blanks and capitals. */
export function toLooseId(id: string): string {
  return id
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

import { createHash } from 'node:crypto'

/** Tells whether a page is still as we wrote it. Line ends make no difference, since git may change them on the way to the disk. */
export function contentHash(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex').slice(0, 16)
}

import { hashContent } from '../files/output-folder.ts'

/** A hash of plain data, made as those of files are. */
export function hashOf(value: unknown): string {
  // JSON has no text for `undefined`.
  return hashContent(JSON.stringify(value) ?? '')
}

import { hash } from 'node:crypto'

/** A hash of plain data, as long as those of files. */
export function hashOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value) ?? '', 'hex').slice(0, 32)
}

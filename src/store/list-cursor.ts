import { isUpdateId } from '../status/next-update-id.ts'

/** Opaque to callers, so that the order of paging may change. */
export function toCursor(id: string): string {
  return Buffer.from(id).toString('base64url')
}

/** `undefined` for a text that is no cursor of ours. */
export function fromCursor(cursor: string): string | undefined {
  const id = Buffer.from(cursor, 'base64url').toString()
  return isUpdateId(id) ? id : undefined
}

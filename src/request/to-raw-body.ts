import type { RequestBody } from './http-request.ts'
import { isJsonType, toConcreteType } from './media-type.ts'

/** Text that somebody typed: sent as typed, and shown as a value of the language where it is JSON that says the same. */
export function toRawBody(text: string, mediaType: string): RequestBody {
  const known = toConcreteType(mediaType) ?? 'text/plain'
  if (!isJsonType(known)) return { kind: 'text', mediaType: known, text }
  try {
    const value: unknown = JSON.parse(text)
    // Numbers beyond what JavaScript holds, keys given twice and escapes would be lost.
    const packed = text.replace(/((?<!\\)"(?:[^"\\]|\\.)*")|\s+/g, '$1')
    if (JSON.stringify(value) === packed) return { kind: 'json', mediaType: known, value, text }
  } catch {
    // Not JSON: perhaps sent to see what the server says.
  }
  return { kind: 'text', mediaType: known, text }
}

import { readOwn } from './is-object.ts'

/** Escapes a segment of a JSON Pointer: `~` as `~0` and `/` as `~1`. Source: RFC 6901, section 3. */
export function escapePointerSegment(segment: string): string {
  return segment.includes('~') || segment.includes('/') ? segment.replaceAll('~', '~0').replaceAll('/', '~1') : segment
}

/** Unescapes a segment. Source: RFC 6901, section 4. */
export function unescapePointerSegment(segment: string): string {
  return segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment
}

/** Appends a segment to a pointer. */
export function pointerChild(pointer: string, segment: string | number): string {
  return typeof segment === 'number' ? `${pointer}/${segment}` : `${pointer}/${escapePointerSegment(segment)}`
}

/** The unescaped segments of a pointer, none for `''`. Source: RFC 6901, section 4. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return []
  const segments = pointer.slice(1).split('/')
  if (!pointer.includes('~')) return segments
  return segments.map(unescapePointerSegment)
}

/** Whether `pointer` equals `around` or is inside it. */
export function isWithin(pointer: string, around: string): boolean {
  return pointer === around || pointer.startsWith(`${around}/`)
}

/** The pointer of the parent value. The parent of `''` is `''`. */
export function parentPointer(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')))
}

/**
 * The value at a pointer, or `undefined` if a segment is missing.
 *
 * Only own keys are followed, so `/constructor` in an untrusted document finds nothing.
 */
export function valueAtPointer(value: unknown, pointer: string): unknown {
  let current = value
  for (const segment of parsePointer(pointer)) {
    if (Array.isArray(current)) {
      if (!/^(0|[1-9]\d*)$/.test(segment)) return undefined
      current = current[Number(segment)]
    } else {
      current = readOwn(current, segment)
    }
  }
  return current
}

/** One step of a JSON Pointer, escaped: `~` as `~0` and `/` as `~1`. Source: RFC 6901, section 3. */
export function escapePointerSegment(segment: string): string {
  return segment.includes('~') || segment.includes('/') ? segment.replaceAll('~', '~0').replaceAll('/', '~1') : segment
}

/** The step that an escaped one stands for. Source: RFC 6901, section 4. */
export function unescapePointerSegment(segment: string): string {
  return segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment
}

/** The pointer one step below `pointer`. */
export function pointerChild(pointer: string, segment: string | number): string {
  return typeof segment === 'number' ? `${pointer}/${segment}` : `${pointer}/${escapePointerSegment(segment)}`
}

/** The unescaped steps of a pointer; `''` gives none. Source: RFC 6901, section 4. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return []
  const segments = pointer.slice(1).split('/')
  if (!pointer.includes('~')) return segments
  return segments.map(unescapePointerSegment)
}

/** The pointer of the value that contains the one at `pointer`; the parent of `''` is `''`. */
export function parentPointer(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')))
}

/**
 * The value at a pointer, or `undefined` when a step is missing.
 *
 * Only own keys count, so that `/constructor` of a stranger's document finds nothing.
 */
export function valueAtPointer(value: unknown, pointer: string): unknown {
  let current = value
  for (const segment of parsePointer(pointer)) {
    if (Array.isArray(current)) {
      if (!/^(0|[1-9]\d*)$/.test(segment)) return undefined
      current = current[Number(segment)]
    } else if (typeof current === 'object' && current !== null && Object.hasOwn(current, segment)) {
      current = (current as Record<string, unknown>)[segment]
    } else {
      return undefined
    }
  }
  return current
}

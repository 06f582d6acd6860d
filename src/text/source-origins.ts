import type { SourceFile } from './source-file.ts'

/** Where a value is written. */
export interface Origin {
  readonly file: string
  readonly pointer: string
}

/** Returns where the value at a pointer of a changed document is written, such as in an overlay. */
export type FindOrigin = (pointer: string) => Origin

const known = new WeakMap<SourceFile, FindOrigin>()

/**
 * Records that the value of a file was changed after reading, so that pointers do not match its text. It can be changed several times: `find` returns
 * where a value was before the last change.
 */
export function recordOrigins(source: SourceFile, find: FindOrigin): void {
  const before = known.get(source)
  known.set(source, (pointer) => {
    const origin = find(pointer)
    return before && origin.file === source.path ? before(origin.pointer) : origin
  })
}

/** Whether the value of a file was changed after reading. */
export function hasOrigins(source: SourceFile | undefined): boolean {
  return source !== undefined && known.has(source)
}

/** Returns where a value is written: in its file, unless the value of the file was changed. */
export function toOrigin<Place extends Origin>(place: Place, sourceOf: (file: string) => SourceFile | undefined): Place {
  const source = sourceOf(place.file)
  const find = source && known.get(source)
  return find ? { ...place, ...find(place.pointer) } : place
}

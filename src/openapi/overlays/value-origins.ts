import { parsePointer, pointerChild, readStep } from '../../text/json/json-values.ts'
import type { Origin } from '../../text/plain/source-file.ts'

/** The origin of a value that an action of an overlay added. */
export interface AddedOrigin extends Origin {
  /** Whether everything inside the value has the same origin. */
  readonly isFixed: boolean
  /** The number of the action. Later actions take precedence. */
  readonly step: number
}

/** The origins of changed entries: those of a mapping by key, and those of all entries of a list, by position or as an origin. */
export type EntryOrigins = Map<string | number, AddedOrigin> | (AddedOrigin | number)[]

/** Finds the origin of a value by its pointer in the changed document. `path` is the path of the document. */
export function findOrigin(
  pointer: string,
  root: unknown,
  path: string,
  originsOf: (container: object) => EntryOrigins | undefined,
): Origin {
  let origin: Origin = { file: path, pointer: '' }
  let added: AddedOrigin | undefined
  let value = root
  for (const segment of parsePointer(pointer)) {
    const container = typeof value === 'object' && value !== null ? value : undefined
    const entries = container && originsOf(container)
    const entry = Array.isArray(entries) ? entries[Number(segment)] : entries?.get(segment)
    if (typeof entry === 'object' && !(added?.isFixed && entry.step <= added.step)) {
      added = entry
      origin = { file: entry.file, pointer: entry.pointer }
    } else if (!added?.isFixed) {
      const written = typeof entry === 'number' ? entry : segment
      origin = { file: origin.file, pointer: pointerChild(origin.pointer, written) }
    }
    value = readStep(value, segment)
  }
  return origin
}

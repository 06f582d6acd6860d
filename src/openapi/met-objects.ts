import type { JsonObject } from '../text/is-object.ts'
import type { ObjectTable } from './tables/shape.ts'
import { currentPointer, type Walk } from './walk.ts'

/** Objects that only a few documents have, or that need the whole description to be judged: noted by the walk in the order it met them. */
export interface MetObjects {
  /** Link Objects. */
  readonly links: MetObject[]
  /** Schema Objects with a `discriminator`. */
  readonly discriminators: MetObject[]
  /** Media Type Objects with an `encoding`. */
  readonly encodings: MetObject[]
  /** The values of fields that begin with `x-`, where they are lists or mappings. */
  readonly extensions: unknown[]
  /** Objects with values that a schema describes: `example`, `examples`, `default`, `enum`. */
  readonly described: DescribedValues[]
  /** Such objects are noted. */
  readonly wantsDescribed: boolean
}

/** An object and where it stands. */
export interface MetObject {
  readonly file: string
  readonly pointer: string
  readonly value: JsonObject
}

export interface DescribedValues extends MetObject {
  /** A schema describes its own values, the other objects have a field `schema`. */
  readonly kind: 'Schema' | 'Parameter' | 'Header' | 'Media Type'
}

/** The object the walk stands at. */
export function toMetObject(walk: Walk, value: JsonObject): MetObject {
  return { file: walk.file, pointer: currentPointer(walk), value }
}

/** Notes the object the walk stands at, which has values that a schema describes. */
export function noteDescribed(walk: Walk, value: JsonObject, table: ObjectTable): void {
  // Only these kinds have such fields in the tables.
  walk.met.described.push({ kind: table.key as DescribedValues['kind'], ...toMetObject(walk, value) })
}

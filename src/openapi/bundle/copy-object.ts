import {
  isContainer,
  isObject,
  type JsonObject,
  type Place,
  setOwn,
  toWritten,
  withWritten,
} from '../../text/json/json-values.ts'
import { isReference, toPlaceKey } from '../references/follow-reference.ts'
import { shapeOfField, variantOf } from '../tables/object-tables.ts'
import type { ObjectTable, Shape } from '../walk.ts'

/** A copy in the making. */
export type Copy = { [key: string]: unknown }

/** What a copy of a description has in place of parts of it. `At` is a place with what the rewrite needs to know there. */
export interface Rewrite<At extends Place> {
  /** Called for each object. Returns its place as its fields have it, or `undefined` to leave it out. */
  enter(at: At, object: JsonObject, table: ObjectTable): At | undefined
  /** The place of a value in an object or a list. */
  child(at: At, key: string | number, value: unknown): At
  /** What a reference becomes: another one, its target if that is copied instead, or none. */
  refer(at: At, table: ObjectTable): string | At | undefined
  /** Writes a field in its own way. Returns whether it did. The shape is absent for scalars, extensions and unknown fields. */
  field(copy: Copy, key: string, value: unknown, at: At, table: ObjectTable, shape: Shape | undefined): boolean
  /** The targets that are being copied in place of references, by `toPlaceKey`. */
  readonly open: Map<string, At>
}

/**
 * Copies an object of the specification with everything in it. What the tables do not know is copied unchanged.
 *
 * Fields beside a reference whose target is copied override those of the target. Source: OpenAPI 3.2.0, "Path Item Object".
 */
export function copyObject<At extends Place>(from: At, table: ObjectTable, rewrite: Rewrite<At>): unknown {
  const object = withWritten(from.value)
  if (!isObject(object)) return toWritten(from.value)
  const at = rewrite.enter(from, object, table)
  if (!at) return undefined
  if (!isReference(object)) return copyFields(object, table, at, rewrite)
  const { $ref: _, ...beside } = object
  const fields = copyFields(beside, table, at, rewrite)
  const to = rewrite.refer(at, table)
  if (typeof to !== 'object') return to === undefined ? fields : { $ref: to, ...fields }
  const key = toPlaceKey(to)
  rewrite.open.set(key, to)
  const copied = copyObject(to, table, rewrite)
  rewrite.open.delete(key)
  return isObject(copied) ? { ...copied, ...fields } : fields
}

function copyFields<At extends Place>(object: JsonObject, table: ObjectTable, at: At, rewrite: Rewrite<At>): Copy {
  const fields = variantOf(table, object)
  const copy: Copy = {}
  for (const key of Object.keys(object)) {
    const value = object[key]
    const shape = isContainer(value) ? shapeOfField(fields, key) : undefined
    if (rewrite.field(copy, key, value, at, table, shape)) continue
    setOwn(copy, key, shape ? copyValue(rewrite.child(at, key, value), shape, rewrite) : toWritten(value))
  }
  return copy
}

/** Copies a value of a field. */
export function copyValue<At extends Place>(at: At, { kind, table, inner }: Shape, rewrite: Rewrite<At>): unknown {
  const { value } = at
  const holdsObjects = kind === 'object' || (kind === 'map' && (inner?.table ?? inner?.inner) !== undefined)
  if (table && holdsObjects) return copyObject(at, table, rewrite)
  if (inner && kind === 'list' && Array.isArray(value))
    return withWritten(value).map((item: unknown, index) => copyValue(rewrite.child(at, index, item), inner, rewrite))
  if (inner && isObject(value) && (kind === 'schema-or-boolean' || kind === 'schema-or-names'))
    return copyValue(at, inner, rewrite)
  return toWritten(value)
}

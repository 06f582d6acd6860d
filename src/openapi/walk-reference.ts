import type { JsonObject } from '../text/is-object.ts'
import { readKey } from '../text/is-object.ts'
import { reportMisplacedReference, reportWrongType } from './report-fault.ts'
import { plainShape } from './tables/plain-shape.ts'
import type { ObjectTable } from './tables/shape.ts'
import type { Walk } from './walk.ts'

/** Returns whether the object is a reference that stands for the whole of it, so that its other fields mean nothing. */
export function walkReference(walk: Walk, object: JsonObject, table: ObjectTable): boolean {
  const reference = readKey(object, '$ref')
  if (reference === undefined) return false
  if (typeof reference !== 'string') {
    walk.path.push('$ref')
    reportWrongType(walk, table, plainShape, reference)
    walk.path.pop()
    return true
  }
  walk.onReference(reference, table)
  if (table.reference === 'beside') return false
  if (walk.release !== '3.0') walkReferenceTexts(walk, object, table)
  return true
}

/** Source: OpenAPI 3.1.1, "Reference Object": `summary` and `description` stand beside `$ref`. */
function walkReferenceTexts(walk: Walk, object: JsonObject, table: ObjectTable): void {
  for (const key of ['summary', 'description']) {
    const value = object[key]
    if (value === undefined || typeof value === 'string') continue
    walk.path.push(key)
    reportWrongType(walk, table, plainShape, value)
    walk.path.pop()
  }
}

/** Tools accept a `$ref` almost everywhere, and large descriptions are split that way; so what it leads to is checked all the same. */
export function walkMisplacedReference(walk: Walk, reference: string, table: ObjectTable): void {
  reportMisplacedReference(walk, table)
  walk.onReference(reference, table)
}

import { isObject } from '../text/is-object.ts'
import { valueAtPointer } from '../text/json-pointer.ts'
import { decodePercent } from '../text/relative-path.ts'
import type { JsonSchema, PlaygroundOperation } from './types.ts'

/** Longest chain of references that is followed; every circle ends here. */
const maxSteps = 20

/**
 * Follows references within a slice. The same object gives the same answer, so that what is made of a schema can be kept by it.
 *
 * Keys beside a `$ref` win over those behind it: 3.1 has them for schemas, and in 3.0 authors mean them all the same.
 */
export function toResolve(slice: unknown): PlaygroundOperation['resolve'] {
  const known = new WeakMap<object, JsonSchema>()
  const follow = (value: unknown, steps: number): JsonSchema => {
    if (value === false) return never
    if (!isObject(value)) return anything
    const reference = value['$ref']
    if (typeof reference !== 'string') return value
    const before = known.get(value)
    if (before) return before
    const target =
      steps < maxSteps && reference.startsWith('#') ? valueAtPointer(slice, decodePercent(reference.slice(1))) : undefined
    const { $ref: _, ...beside } = value
    const found = follow(target, steps + 1)
    // Of a reference alone the very object that it leads to, so that schemas that are used twice are known again.
    const merged = Object.keys(beside).length === 0 ? found : { ...found, ...beside }
    known.set(value, merged)
    return merged
  }
  return (schema) => follow(schema, 0)
}

const anything: JsonSchema = {}
const never: JsonSchema = { not: anything }

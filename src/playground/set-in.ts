import { isObject } from '../text/is-object.ts'
import type { FieldValue } from './types.ts'

/** The value with another one at a path, as new objects along it; `undefined` takes a key or an item away. */
export function setIn(
  value: FieldValue | undefined,
  [step, ...rest]: readonly (string | number)[],
  next: FieldValue | undefined,
): FieldValue | undefined {
  if (step === undefined) return next
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? [...value] : []
    const item = setIn(list[step], rest, next)
    if (item === undefined) list.splice(step, 1)
    else list[step] = item
    return list
  }
  const entries = new Map(isObject(value) ? Object.entries(value) : [])
  // What stands in a field is a FieldValue all the way down.
  const entry = setIn(entries.get(step) as FieldValue | undefined, rest, next)
  if (entry === undefined) entries.delete(step)
  else entries.set(step, entry)
  return Object.fromEntries(entries) as FieldValue
}

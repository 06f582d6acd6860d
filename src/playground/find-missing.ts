import { isObject } from '../text/is-object.ts'
import { mergeSchema } from './merge-schema.ts'
import { readOwn } from './read-own.ts'
import type { FieldValue, PlaygroundOperation } from './types.ts'

type Path = readonly (string | number)[]

/** The places of what a value needs by its schema and does not have, in the order of the form; what only comes back from the server is not needed. */
export function findMissing(
  value: FieldValue,
  schema: unknown,
  resolve: PlaygroundOperation['resolve'],
  path: Path = [],
): readonly Path[] {
  const { properties, required, keywords } = mergeSchema(schema, resolve)
  if (Array.isArray(value)) return value.flatMap((item, index) => findMissing(item, keywords['items'], resolve, [...path, index]))
  if (!isObject(value) || value instanceof File) return []
  return [...properties].flatMap(([key, property]): readonly Path[] => {
    const own = readOwn(value, key)
    const at = [...path, key]
    // What stands in a form is a FieldValue all the way down.
    if (own !== undefined) return findMissing(own as FieldValue, property, resolve, at)
    return required.has(key) && readOwn(resolve(property), 'readOnly') !== true ? [at] : []
  })
}

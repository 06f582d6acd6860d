import { isObject, pointerChild } from '../text/json/json-values.ts'

/** Fields with values of the API, which can contain anything. */
const values = new Set(['example', 'examples', 'default', 'enum', 'const', 'value'])
/** Fields whose keys are names. */
const maps = new Set(['properties', 'patternProperties', 'schemas', 'parameters', 'headers', 'responses', 'callbacks', '$defs'])

/** Visits the fields of all objects of a document, in document order, without the content of values and extensions. */
export function visitFields(value: unknown, visit: (name: string, value: unknown, pointer: string) => void): void {
  const visitObject = (inside: unknown, pointer: string, isMap: boolean): void => {
    if (Array.isArray(inside))
      for (const [index, item] of inside.entries()) visitObject(item, pointerChild(pointer, index), false)
    if (!isObject(inside)) return
    for (const [key, field] of Object.entries(inside)) {
      const at = pointerChild(pointer, key)
      if (!isMap) visit(key, field, at)
      if (isMap || (!values.has(key) && !key.startsWith('x-'))) visitObject(field, at, !isMap && maps.has(key))
    }
  }
  visitObject(value, '', false)
}

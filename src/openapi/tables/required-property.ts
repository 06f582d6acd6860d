import { isObject, type JsonObject } from '../../text/json/json-values.ts'
import { didYouMean, shorten } from '../../text/plain/suggest.ts'
import { reportField } from '../hints/report-problem.ts'
import type { ObjectRule } from '../walk.ts'

/** Keywords that can define a property elsewhere, so it may be missing from `properties`. */
const otherPlaces = [
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'patternProperties',
  'propertyNames',
  'dependentSchemas',
  'unevaluatedProperties',
]

/**
 * Reports names of `required` that are missing from `properties`, if no other keyword could define them.
 *
 * JSON Schema allows this, so it is an info. Source: JSON Schema 2020-12, validation, section 6.5.3.
 */
export const requiredProperty: ObjectRule = (value, walk, table) => {
  const required = value['required']
  const properties = value['properties']
  if (!Array.isArray(required) || !isObject(properties)) return
  const missing = required.findIndex((name) => typeof name === 'string' && !Object.hasOwn(properties, name))
  if (missing === -1 || isPartOfSchema(walk.path) || describesElsewhere(value)) return
  required.forEach((name: unknown, index) => {
    if (typeof name !== 'string' || Object.hasOwn(properties, name)) return
    const message = `Unexpected \`${shorten(name)}\` in \`required\`, expected a name defined in \`properties\``
    const hint = didYouMean(walk.suggest(name, () => Object.keys(properties))) ?? 'Define it in `properties`'
    reportField(walk, table, { code: 'required-property', key: 'required', index, on: 'value', message, hint })
  })
}

/** Subschemas of an `allOf` often require properties that other subschemas define. */
function isPartOfSchema(path: readonly (string | number)[]): boolean {
  const around = path.at(-2)
  return (
    around === 'allOf' || around === 'anyOf' || around === 'oneOf' || ['then', 'else', 'if', 'not'].includes(String(path.at(-1)))
  )
}

function describesElsewhere(value: JsonObject): boolean {
  return isObject(value['additionalProperties']) || otherPlaces.some((keyword) => Object.hasOwn(value, keyword))
}

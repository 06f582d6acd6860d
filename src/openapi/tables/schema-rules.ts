import { findOwn, isObject, type JsonObject, listOf, readOwn } from '../../text/json/json-values.ts'
import { listChoices } from '../../text/plain/lists.ts'
import { didYouMean, shorten } from '../../text/plain/suggest.ts'
import { hasMistyped, reportField } from '../hints/report-problem.ts'
import { keywordsFor } from '../schema/json-schema.ts'
import { type CheckedObject, type ObjectRule, toCollectedObject } from '../walk.ts'

/** Checks a Schema Object as a whole. Only for those with a field in `ruleFor`: most of the many schemas have none of them. */
export const checkSchema: ObjectRule = (object) => {
  const { value, walk } = object
  const { properties, items, allOf } = value
  if (value['required'] !== undefined) requiredProperty(object)
  if (value['readOnly'] === true) readWriteOnly(object)
  if (walk.collected.wantsDescribed) {
    checkRanges(object)
    if (properties !== undefined) checkOtherType(object, 'properties', 'object')
    if (items !== undefined) checkOtherType(object, 'items', 'array')
    const parts = Array.isArray(allOf) ? allOf.length + (value['type'] === undefined ? 0 : 1) : 0
    if (parts > 1) walk.collected.composed.push(toCollectedObject(walk, value))
  }
  if (walk.release === '3.0') {
    arrayItems(object)
    const isUntyped = value['nullable'] === true && value['type'] === undefined
    if (isUntyped && findOwn(value, nullableParts) !== undefined) walk.collected.nullables.push(toCollectedObject(walk, value))
  }
  if (value['discriminator'] !== undefined) walk.collected.discriminators.push(toCollectedObject(walk, value))
  // JavaScript lists them before all other names.
  for (const name in isObject(properties) ? properties : undefined) {
    if (/^\d+$/.test(name)) walk.collected.numbered.push(toCollectedObject(walk, value))
    break
  }
}

/** Keywords with schemas that `null` has to match, whatever `nullable` beside them says. */
const nullableParts = keywordsFor('same', 'case').filter((keyword) => /Of$/.test(keyword))

/** The upper limits for each lower one. */
const upperLimits = new Map<string, readonly string[]>([
  ...['Length', 'Items', 'Properties', 'Contains'].map((what): [string, string[]] => [`min${what}`, [`max${what}`]]),
  ...['minimum', 'exclusiveMinimum'].map((low): [string, string[]] => [low, ['maximum', 'exclusiveMaximum']]),
])

/** Reports limits that no value is between. */
const checkRanges: ObjectRule = (object) => {
  const { value } = object
  for (const low in value) {
    const limits = upperLimits.get(low)
    if (!limits) continue
    const from = readOwn(value, low)
    const isBelow = (to: unknown) => typeof from === 'number' && typeof to === 'number' && to < from
    const high = limits.find((one) => isBelow(readOwn(value, one)))
    if (high === undefined) continue
    const message = `Unexpected \`${low}: ${from}\` above \`${high}: ${readOwn(value, high)}\`: no value matches`
    reportField(object, { code: 'schema-contradiction', key: low, on: 'value', message, hint: 'Swap them, or correct one' })
    return
  }
}

/** Reports a keyword of one type in a schema of another. An unknown type is reported on its own. */
function checkOtherType(object: CheckedObject, key: string, owner: string): void {
  const { type } = object.value
  if (type === undefined || type === owner) return
  const types = [type].flat()
  const known = object.table.fields.get('type')?.shape.choices ?? []
  const names = types.filter((one) => typeof one === 'string')
  if (names.includes(owner) || names.length < types.length || !names.every((one) => known.includes(one))) return
  const message = `Unexpected \`${key}\` in a schema of type ${listChoices(names)}: only the type \`${owner}\` has them`
  const hint = `Write \`type: ${owner}\`, or remove \`${key}\``
  reportField(object, { code: 'schema-contradiction', key, on: 'key', message, hint })
}

/** Keywords that can define a property elsewhere, so it may be missing from `properties`. */
const otherPlaces = [
  ...['$ref', '$dynamicRef', 'patternProperties', 'propertyNames', 'unevaluatedProperties'],
  ...keywordsFor('same', 'case'),
]

/**
 * Reports names of `required` that are missing from `properties`, if no other keyword could define them.
 *
 * JSON Schema allows this, so it is an info. Source: JSON Schema 2020-12, validation, section 6.5.3.
 */
const requiredProperty: ObjectRule = (object) => {
  const { value, walk } = object
  const { properties } = value
  const required = listOf(value['required'])
  if (!isObject(properties)) return
  const missing = required.findIndex((name) => typeof name === 'string' && !Object.hasOwn(properties, name))
  if (missing === -1 || isPartOfSchema(walk.path) || describesElsewhere(value)) return
  required.forEach((name, index) => {
    if (typeof name !== 'string' || Object.hasOwn(properties, name)) return
    const message = `Unexpected \`${shorten(name)}\` in \`required\`, expected a name defined in \`properties\``
    const hint = didYouMean(walk.suggest(name, () => Object.keys(properties))) ?? 'Define it in `properties`'
    reportField(object, { code: 'required-property', key: 'required', index, on: 'value', message, hint })
  })
}

/** Subschemas of an `allOf` often require properties that other subschemas define. */
function isPartOfSchema(path: readonly (string | number)[]): boolean {
  return path.slice(-2).some((step) => appliedKeywords.includes(String(step)))
}

const appliedKeywords = keywordsFor('same', 'case', 'no')

function describesElsewhere(value: JsonObject): boolean {
  return isObject(value['additionalProperties']) || findOwn(value, otherPlaces) !== undefined
}

/**
 * Reports a schema of 3.0 with `type: array` but no `items`. Source: OpenAPI 3.0.4, "Schema Object", `items`: it MUST be present if the type is
 * `array`.
 *
 * This is a warning: the official schema of 3.0 accepts such schemas, and tools read them as arrays of any values.
 */
const arrayItems: ObjectRule = (object) => {
  const { value } = object
  if (value['type'] !== 'array' || value['items'] !== undefined) return
  if (hasMistyped(object, ['items'])) return
  reportField(object, {
    code: 'array-items',
    key: 'type',
    on: 'value',
    message: 'Missing `items` in a Schema Object with `type: array`',
    hint: 'Add `items` with the schema of the entries, or `items: {}` to allow any entry',
  })
}

/**
 * Reports a schema that is both `readOnly` and `writeOnly`. Source: OpenAPI 3.0.4, "Schema Object".
 *
 * From 3.1 on, JSON Schema defines both keywords and does not forbid the combination, so it is a warning.
 */
const readWriteOnly: ObjectRule = (object) => {
  const { value, walk } = object
  if (value['readOnly'] !== true || value['writeOnly'] !== true) return
  reportField(object, {
    code: 'read-write-only',
    key: 'writeOnly',
    on: 'key',
    message: 'Unexpected `writeOnly: true` together with `readOnly: true`, expected only one of them',
    hint: 'Remove one of them: the value would appear in neither requests nor responses',
    severity: walk.release === '3.0' ? 'error' : 'warning',
  })
}

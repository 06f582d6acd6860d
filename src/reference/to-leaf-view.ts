import type { Place } from '../openapi/follow-reference.ts'
import { isObject, type JsonObject } from '../text/is-object.ts'
import { findSchemaTarget, type ReferenceContext } from './context.ts'
import { mergeSchema } from './merge-schema.ts'
import { toOutline, toTypeOf } from './to-outline.ts'
import type { SchemaView } from './types.ts'

/** What leads to other schemas. */
const leading = new Set([
  ...['$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'oneOf', 'anyOf', 'not', 'if', 'then', 'else', 'discriminator'],
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'dependentSchemas'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'],
])

/** By their values: the properties of a schema are the same wherever it is shown, and most of them are leaves. */
const leaves = new WeakMap<JsonObject, SchemaView>()

/** A schema without a name that leads to no other, which looks the same at every depth and from both sides; absent for others. */
export function toLeafView(schema: Place, context: ReferenceContext): SchemaView | undefined {
  const { value } = schema
  if (!isObject(value) || findSchemaTarget(context, schema)) return undefined
  const known = leaves.get(value)
  if (known) return known
  if (Object.keys(value).some((key) => leading.has(key))) return undefined
  const merged = mergeSchema(schema, context)
  const outline = toOutline(schema, merged, undefined)
  const view = { ...outline, type: toTypeOf(merged, outline) }
  leaves.set(value, view)
  return view
}

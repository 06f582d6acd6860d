import type { Place } from '../openapi/follow-reference.ts'
import { isObject } from '../text/is-object.ts'
import type { MergedSchema } from './merge-schema.ts'
import { readField, readText } from './read-fields.ts'
import { toExternalDocs } from './to-external-docs.ts'
import { toEnum, toFacts } from './to-facts.ts'
import { toType } from './to-type.ts'
import type { SchemaTarget, SchemaView } from './types.ts'

/** What is said in the row of a schema itself. */
export function toOutline(schema: Place, { keywords }: MergedSchema, target: SchemaTarget | undefined): SchemaView {
  // Words beside a `$ref` are about this use of the schema.
  const own = isObject(schema.value) && '$ref' in schema.value ? schema.value : {}
  return {
    ...emptySchemaView,
    title: readText(own, 'title') ?? readText(keywords, 'title'),
    description: readText(own, 'description') ?? readText(keywords, 'description'),
    deprecated: keywords['deprecated'] === true,
    readOnly: keywords['readOnly'] === true,
    writeOnly: keywords['writeOnly'] === true,
    facts: toFacts(keywords),
    enum: toEnum(keywords),
    isClosed: keywords['additionalProperties'] === false || keywords['unevaluatedProperties'] === false,
    target,
    externalDocs: toExternalDocs(readField(keywords, 'externalDocs')),
  }
}

/** The type of a schema in words, of what is shown of it. */
export function toTypeOf({ keywords, properties }: MergedSchema, view: SchemaView, isNullableChoice = false): SchemaView['type'] {
  const types = keywords['type']
  const isNullable =
    keywords['nullable'] === true || types === 'null' || (Array.isArray(types) && types.includes('null')) || isNullableChoice
  const { target, items, prefixItems, choices, otherKeys } = view
  return toType({
    keywords,
    target,
    items,
    prefixItems,
    values: otherKeys.find(({ pattern }) => pattern === undefined)?.schema ?? otherKeys[0]?.schema,
    hasProperties: properties.size > 0,
    hasChoices: choices.length > 0,
    isNullable,
  })
}

/** A schema of which nothing is said. */
export const emptySchemaView: SchemaView = {
  type: [],
  title: undefined,
  description: undefined,
  deprecated: false,
  readOnly: false,
  writeOnly: false,
  facts: [],
  enum: [],
  properties: [],
  otherKeys: [],
  isClosed: false,
  prefixItems: [],
  items: undefined,
  choices: [],
  not: undefined,
  conditions: [],
  target: undefined,
  isCut: false,
  externalDocs: undefined,
}

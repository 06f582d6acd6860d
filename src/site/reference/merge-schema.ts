import { type MergedPart, type MergedSchema, mergeSchema } from '../../model/schema.ts'
import { childPlace, keysOf } from '../../openapi/references/follow-reference.ts'
import { schemaKeywords } from '../../openapi/schema/json-schema.ts'
import type { Place } from '../../text/json/json-values.ts'
import { findSchemaTarget, type ReferenceContext } from './context.ts'
import type { SchemaTarget } from './types.ts'

/** Whether a schema has or names other schemas. Most have none, such as `{ type: string }`. */
export function hasInnerSchemas(schema: Place): boolean {
  return keysOf(schema).some((key) => schemaKeywords.has(key) || naming.test(key))
}

const naming = /^(?:\$ref|\$dynamicRef|\$recursiveRef|discriminator)$/

/** A merged schema, with the names of the schemas that have their own pages. */
export interface MergedNames extends MergedSchema {
  /** Those of `parts` without a name: the schema itself and everything that only it has. The places of properties in them come first. */
  readonly own: readonly MergedPart[]
  /** The named schema of `allOf` that each inherited property comes from. */
  readonly origins: ReadonlyMap<string, SchemaTarget>
  /** The named schemas that it refers to, and those of its `allOf`. */
  readonly bases: readonly SchemaTarget[]
}

/**
 * Merges a schema with everything that applies to the same value.
 *
 * @param page the named schema that the merged one is shown as; it is not the content of another page. @param also schemas that apply to the same value.
 */
export function mergeNamed(
  schema: Place,
  context: ReferenceContext,
  { page, also = [] }: { readonly page?: string; readonly also?: readonly Place[] } = {},
): MergedNames {
  const bases = new Set<SchemaTarget>()
  /** By the values of the parts, and by the places of the properties. Own ones have none. */
  const originOf = new Map<unknown, SchemaTarget | undefined>()
  const merged = mergeSchema([schema, ...also], context.follow, {
    onSchema: (chain, around) => {
      const names = chain.map((part) => findSchemaTarget(context, part)).map((name) => (name?.name === page ? undefined : name))
      const name = names.findLast((one) => one !== undefined)
      let origin = around && originOf.get(around.value)
      if (name && !origin) bases.add(name)
      for (const [index, { value }] of chain.entries()) {
        if (names[index]) origin ??= name
        if (!originOf.has(value)) originOf.set(value, origin)
      }
    },
    onProperty: (property, part) => originOf.set(property, originOf.get(part.value)),
  })
  const origins = new Map<string, SchemaTarget>()
  if (bases.size === 0) return { ...merged, own: merged.parts, origins, bases: [] }
  const properties = new Map(merged.properties)
  for (const [name, places] of properties) {
    const first = places.find((place) => !originOf.get(place))
    const origin = originOf.get(places[0])
    if (first) properties.set(name, [first, ...places.filter((place) => place !== first)])
    else if (origin) origins.set(name, origin)
  }
  const own = merged.parts.filter(({ value }) => !originOf.get(value))
  return { ...merged, own, properties, origins, bases: [...bases] }
}

/** Whether a use of a schema allows only some of its values. */
export function isGiven({ own }: MergedNames): boolean {
  return own.some(({ keywords }) => 'enum' in keywords || 'const' in keywords)
}

/** The named schema that a schema refers to, if it adds nothing but words and limits: a reference, or `allOf` with one reference. */
export function findPlainTarget({ bases, own, parts, properties }: MergedNames): SchemaTarget | undefined {
  const [base] = bases
  const isPlain = ({ keywords }: MergedPart) =>
    Object.entries(keywords).every(([key, one]) => !isAdding(key) || typeof one === 'boolean')
  if (!base || bases.length > 1 || !own.every(isPlain)) return undefined
  // The page of the named schema does not mark the fields that only this use of it requires.
  const added = listRequired(own).filter((name) => properties.has(name))
  if (added.length === 0) return base
  const inherited = new Set(listRequired(parts.filter((part) => !own.includes(part))))
  return added.every((name) => inherited.has(name)) ? base : undefined
}

/** The names that the schemas themselves require. */
export function listRequired(schemas: readonly MergedPart[]): string[] {
  return schemas.flatMap(({ keywords: { required = [] } }) => required.filter((name) => typeof name === 'string'))
}

/** Whether a keyword says more than words and limits. */
function isAdding(key: string): boolean {
  return key === 'discriminator' || (key !== 'allOf' && schemaKeywords.has(key))
}

/** What a named schema is without a choice of `null`, if it is nothing but that choice. Its row has the words of the other option. */
export function unwrapNullable(merged: MergedNames, context: ReferenceContext): MergedNames {
  const { keywords, parts, own, bases } = merged
  const choices = parts.flatMap((part) => part.choices)
  const [only, ...more] = choices.flatMap(({ options }) => options)
  const isPlain = parts.every((part) =>
    Object.keys(part.keywords).every((key) => key === 'oneOf' || key === 'anyOf' || !isAdding(key)),
  )
  if (!only || more.length > 0 || !isPlain || keywords['type'] !== undefined) return merged
  const { oneOf: _, anyOf: __, ...words } = keywords
  const inner = mergeNamed(only, context)
  return { ...inner, own, bases, keywords: { ...inner.keywords, ...words, nullable: choices.some(({ hasNull }) => hasNull) } }
}

/** Whether a schema has content below its row. */
export function isNesting({ properties, parts }: MergedNames, context: ReferenceContext, depth = 0): boolean {
  if (properties.size > 0) return true
  return parts.some((part) =>
    Object.entries(part.keywords).some(([key, value]) => {
      if (typeof value !== 'object' || value === null) return false
      const use = schemaKeywords.get(key)?.use
      // The properties are merged, as the schemas in `allOf` are.
      if (use === undefined || use === 'same' || key === 'properties') return false
      if (use !== 'other') return true
      if (Object.keys(value).length === 0) return false
      if (Array.isArray(value) || depth > maxLists) return true
      const inner = mergeNamed(childPlace(part, key), context)
      return inner.bases.length > 0 || isNesting(inner, context, depth + 1)
    }),
  )
}

/** The most lists in lists that are searched for content. */
const maxLists = 5

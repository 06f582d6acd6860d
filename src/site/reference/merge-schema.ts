import { childPlace, toPlaceKey } from '../../openapi/references/follow-reference.ts'
import { mergeKeywords } from '../../openapi/schema/json-schema.ts'
import type { Place } from '../../openapi/types.ts'
import { isObject, type JsonObject, listOf } from '../../text/json/json-values.ts'
import { findSchemaTarget, type ReferenceContext } from './context.ts'
import { listPlaces, listProperties, readField } from './read-fields.ts'
import type { SchemaTarget } from './types.ts'

/** A Schema Object merged with its `$ref` and `allOf`. */
export interface MergedSchema {
  /** Own keywords override inherited ones, of which the first counts. For limits, the narrowest counts. */
  readonly keywords: JsonObject
  /** The merged schemas, nearest first, for the places of nested schemas. */
  readonly parts: readonly Place[]
  /** Those of `parts` that no other page shows: the schema itself and everything that only it has. */
  readonly own: readonly Place[]
  /** A property can be in several of the schemas. Those of `own` come first. */
  readonly properties: ReadonlyMap<string, readonly Place[]>
  /** The named schema of `allOf` that each inherited property comes from. */
  readonly origins: ReadonlyMap<string, SchemaTarget>
  /** The named schemas that it refers to, and those of its `allOf`. */
  readonly bases: readonly SchemaTarget[]
  readonly required: ReadonlySet<string>
}

/**
 * Merges everything that applies to a value: the schema itself, the target of its `$ref`, and the schemas in `allOf`, at any
 * depth.
 *
 * Keywords next to a `$ref` are defined since 3.1. In older documents, descriptions are used too because authors expect it.
 *
 * @param page the named schema that the merged one is shown as; it is not the content of another page. @param also schemas that apply to the same value.
 */
export function mergeSchema(
  schema: Place,
  context: ReferenceContext,
  { page, also = [] }: { readonly page?: string; readonly also?: readonly Place[] } = {},
): MergedSchema {
  const chain = context.follow.chain(schema)
  const keywords: { [key: string]: unknown } = {}
  const parts: Place[] = []
  const own: Place[] = []
  const properties = new Map<string, Place[]>()
  const origins = new Map<string, SchemaTarget>()
  const bases = new Map<string, SchemaTarget>()
  const required = new Set<string>()
  const seen = new Set<string>()
  const hasMembers = also.length > 0 || chain.some(({ value }) => isObject(value) && Object.hasOwn(value, 'allOf'))
  const add = (places: readonly Place[], origin: SchemaTarget | undefined) => {
    const fresh: { readonly part: Place; readonly origin: SchemaTarget | undefined }[] = []
    let from = origin
    const targets = places
      .map((part) => findSchemaTarget(context, part))
      .map((target) => (target?.name === page ? undefined : target))
    const target = targets.findLast((one) => one !== undefined)
    if (target && !origin) bases.set(target.name, target)
    for (const [index, part] of places.entries()) {
      if (targets[index]) from ??= target
      if (hasMembers) {
        const identity = toPlaceKey(part)
        if (seen.has(identity)) continue
        seen.add(identity)
      }
      if (!isObject(part.value)) continue
      fresh.push({ part, origin: from })
      parts.push(part)
      if (!from) own.push(part)
      addPart(part, { keywords, properties, origins, required, from }, context)
    }
    if (!hasMembers) return
    for (const one of fresh) {
      for (const member of listPlaces(one.part, 'allOf')) add(context.follow.chain(member), one.origin)
    }
  }
  add(chain, undefined)
  for (const other of also) add(context.follow.chain(other), undefined)
  return { keywords, parts, own, properties, origins, bases: [...bases.values()], required }
}

interface Merging {
  readonly keywords: { [key: string]: unknown }
  readonly properties: Map<string, Place[]>
  readonly origins: Map<string, SchemaTarget>
  readonly required: Set<string>
  /** The named schema that the part belongs to, if another page shows it. */
  readonly from: SchemaTarget | undefined
}

function addPart(part: Place, { keywords, properties, origins, required, from }: Merging, context: ReferenceContext): void {
  if (!isObject(part.value)) return
  mergeKeywords(keywords, part.value)
  for (const { name, place } of listProperties(part, context)) {
    const known = properties.get(name)
    if (!known) {
      properties.set(name, [place])
      if (from) origins.set(name, from)
    } else if (!from && origins.delete(name)) known.unshift(place)
    else known.push(place)
  }
  for (const name of listRequired([part])) required.add(name)
}

/** Whether a use of a schema allows only some of its values. */
export function isGiven({ own }: MergedSchema): boolean {
  return own.some(({ value }) => isObject(value) && ('enum' in value || 'const' in value))
}

/** The named schema that a schema refers to, if it adds nothing but words and limits: a reference, or `allOf` with one reference. */
export function findPlainTarget({ bases, own, parts, properties }: MergedSchema): SchemaTarget | undefined {
  const [base] = bases
  const isPlain = ({ value }: Place) =>
    !isObject(value) || Object.entries(value).every(([key, one]) => !addingKeywords.has(key) || typeof one === 'boolean')
  if (!base || bases.length > 1 || !own.every(isPlain)) return undefined
  // The page of the named schema does not mark the fields that only this use of it requires.
  const added = listRequired(own).filter((name) => properties.has(name))
  if (added.length === 0) return base
  const inherited = new Set(listRequired(parts.filter((part) => !own.includes(part))))
  return added.every((name) => inherited.has(name)) ? base : undefined
}

/** The names that the schemas themselves require. */
export function listRequired(schemas: readonly Place[]): string[] {
  return schemas.flatMap(({ value }) => listOf(readField(value, 'required')).filter((name) => typeof name === 'string'))
}

const addingKeywords = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'contains'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contentSchema', 'oneOf', 'anyOf', 'not'],
  ...['if', 'then', 'else', 'dependentSchemas', 'discriminator'],
])

/** What a named schema is without a choice of `null`, if it is nothing but that choice. Its row has the words of the other option. */
export function unwrapNullable(merged: MergedSchema, context: ReferenceContext): MergedSchema {
  const { keywords, parts, own, bases } = merged
  const options = parts.flatMap((part) => [...listPlaces(part, 'oneOf'), ...listPlaces(part, 'anyOf')])
  const [only, ...more] = options.filter((option) => !isNull(option))
  const isPlain = parts.every(({ value }) =>
    Object.keys(isObject(value) ? value : {}).every((key) => key === 'oneOf' || key === 'anyOf' || !addingKeywords.has(key)),
  )
  if (!only || more.length > 0 || !isPlain || keywords['type'] !== undefined) return merged
  const { oneOf: _, anyOf: __, ...words } = keywords
  const inner = mergeSchema(only, context)
  return { ...inner, own, bases, keywords: { ...inner.keywords, ...words, nullable: options.length > 1 } }
}

/** Whether a schema has content below its row. */
export function isNesting({ properties, parts }: MergedSchema, context: ReferenceContext, depth = 0): boolean {
  if (properties.size > 0) return true
  return parts.some((part) => {
    if (!isObject(part.value)) return false
    return Object.entries(part.value).some(([key, value]) => {
      if (typeof value !== 'object' || value === null) return false
      if (nestingKeywords.has(key)) return true
      if (!elementKeywords.has(key) || Object.keys(value).length === 0) return false
      if (Array.isArray(value) || depth > maxLists) return true
      const inner = mergeSchema(childPlace(part, key), context)
      return inner.bases.length > 0 || isNesting(inner, context, depth + 1)
    })
  })
}

/** The most lists in lists that are searched for content. */
const maxLists = 5

const nestingKeywords = new Set([
  ...['patternProperties', 'propertyNames', 'prefixItems', 'contains', 'contentSchema', 'oneOf', 'anyOf', 'not'],
  ...['if', 'then', 'else', 'dependentSchemas'],
])
const elementKeywords = new Set(['items', 'additionalItems', 'unevaluatedItems', 'additionalProperties', 'unevaluatedProperties'])

export function isNull({ value }: Place): boolean {
  return (
    isObject(value) &&
    Object.keys(value).every((key) => key === 'type' || key === 'const' || key === 'enum' || key === 'nullable') &&
    (value['type'] === 'null' ||
      value['const'] === null ||
      (Array.isArray(value['enum']) && value['enum'].every((one) => one === null)))
  )
}

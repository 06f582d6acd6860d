import { type Place, toPlaceKey } from '../../openapi/follow-reference.ts'
import { mergeKeywords } from '../../openapi/schema/merge-keywords.ts'
import { isObject, type JsonObject } from '../../source/is-object.ts'
import { findSchemaTarget, type ReferenceContext } from './context.ts'
import { listPlaces, mapPlaces, readField } from './read-fields.ts'
import type { SchemaTarget } from './types.ts'

/** A Schema Object merged with its `$ref` and `allOf`. */
export interface MergedSchema {
  /** Own keywords override inherited ones, of which the first counts. For limits, the narrowest counts. */
  readonly keywords: JsonObject
  /** The merged schemas, nearest first, for the places of nested schemas. */
  readonly parts: readonly Place[]
  readonly properties: ReadonlyMap<string, Place>
  /** The named schema of `allOf` that each inherited property comes from. */
  readonly origins: ReadonlyMap<string, SchemaTarget>
  readonly required: ReadonlySet<string>
  /** Whether a schema of `allOf` refers back to itself. */
  readonly isCircular: boolean
}

/**
 * Merges everything that applies to a value: the schema itself, the target of its `$ref`, and the schemas in `allOf`, at any
 * depth.
 *
 * Keywords next to a `$ref` are defined since 3.1. In older documents, descriptions are used too because authors expect it.
 */
export function mergeSchema(schema: Place, context: ReferenceContext): MergedSchema {
  const chain = context.follow.chain(schema)
  const hasParts = chain.some(({ value }) => isObject(value) && Object.hasOwn(value, 'allOf'))
  return hasParts ? mergeParts(schema, context) : mergeChain(chain)
}

/** For schemas without `allOf`, which cannot be circular. */
function mergeChain(chain: readonly Place[]): MergedSchema {
  const keywords: { [key: string]: unknown } = {}
  const parts = chain.filter(({ value }) => isObject(value))
  const properties = new Map<string, Place>()
  const required = new Set<string>()
  for (const part of parts) addPart(part, { keywords, properties, required })
  return { keywords, parts, properties, origins: new Map(), required, isCircular: false }
}

function mergeParts(schema: Place, context: ReferenceContext): MergedSchema {
  const keywords: { [key: string]: unknown } = {}
  const parts: Place[] = []
  const properties = new Map<string, Place>()
  const origins = new Map<string, SchemaTarget>()
  const required = new Set<string>()
  const seen = new Set<string>()
  let isCircular = false
  const add = (place: Place, around: ReadonlySet<string>, origin: SchemaTarget | undefined) => {
    const chain = context.follow.chain(place)
    const inside = new Set(around)
    const fresh: Place[] = []
    for (const part of chain) {
      const identity = toPlaceKey(part)
      if (around.has(identity)) isCircular = true
      if (seen.has(identity)) continue
      seen.add(identity)
      inside.add(identity)
      if (!isObject(part.value)) continue
      fresh.push(part)
      parts.push(part)
      for (const name of addPart(part, { keywords, properties, required })) if (origin) origins.set(name, origin)
    }
    for (const part of fresh) for (const member of listPlaces(part, 'allOf')) add(member, inside, origin ?? findOrigin(member))
  }
  const findOrigin = (member: Place): SchemaTarget | undefined =>
    context.follow.chain(member).flatMap((place) => findSchemaTarget(context, place) ?? [])[0]
  add(schema, new Set(), undefined)
  return { keywords, parts, properties, origins, required, isCircular }
}

interface Merging {
  readonly keywords: { [key: string]: unknown }
  readonly properties: Map<string, Place>
  readonly required: Set<string>
}

/** Adds a schema; returns the names of the properties that are new. */
function addPart(part: Place, { keywords, properties, required }: Merging): readonly string[] {
  if (!isObject(part.value)) return []
  mergeKeywords(keywords, part.value)
  const added: string[] = []
  for (const { name, place } of mapPlaces(part, 'properties')) {
    if (properties.has(name)) continue
    properties.set(name, place)
    added.push(name)
  }
  const names = readField(part.value, 'required')
  if (Array.isArray(names)) for (const name of names) if (typeof name === 'string') required.add(name)
  return added
}

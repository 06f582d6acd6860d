import { toPlaceKey } from '../../openapi/references/follow-reference.ts'
import { mergeKeywords } from '../../openapi/schema/json-schema.ts'
import type { Place } from '../../openapi/types.ts'
import { isObject, type JsonObject } from '../../text/json/json-values.ts'
import { findSchemaTarget, type ReferenceContext } from './context.ts'
import { listPlaces, mapPlaces, readField } from './read-fields.ts'
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
      addPart(part, { keywords, properties, origins, required, from })
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

function addPart(part: Place, { keywords, properties, origins, required, from }: Merging): void {
  if (!isObject(part.value)) return
  mergeKeywords(keywords, part.value)
  for (const { name, place } of mapPlaces(part, 'properties')) {
    const known = properties.get(name)
    if (!known) {
      properties.set(name, [place])
      if (from) origins.set(name, from)
    } else if (!from && origins.delete(name)) known.unshift(place)
    else known.push(place)
  }
  const names = readField(part.value, 'required')
  if (Array.isArray(names)) for (const name of names) if (typeof name === 'string') required.add(name)
}

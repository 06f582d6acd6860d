import { toPlace } from '../../model/api.ts'
import { type MergedSchema, mergeWhole } from '../../model/schema.ts'
import {
  type FollowReference,
  findKeywords,
  followOnly,
  isReference,
  listPlaces,
} from '../../openapi/references/follow-reference.ts'
import type { Place } from '../../text/json/json-values.ts'

/** A schema of a description, if there is one. */
export type Schema = Place | undefined

/** The last segment of a reference, which is the name of its target. */
export function referenceName(schema: Schema): string | undefined {
  return isReference(schema?.value) ? schema.value.$ref.split('/').at(-1) : undefined
}

/** A schema with its references, `allOf`, and the only option of `oneOf` or `anyOf` besides null. */
export interface ReadSchema extends Omit<MergedSchema, 'properties'> {
  /** Whether it is one of the options. */
  readonly hasNull: boolean
  /** Schemas by name. */
  readonly properties: ReadonlyMap<string, Place>
  /** `items`, and `additionalProperties`, which can be a boolean. */
  readonly items: Schema
  readonly additional: Schema
  /** Schemas to choose from: none, or at least two. */
  readonly choices: readonly Place[]
}

const known = new WeakMap<object, ReadSchema>()

/** A schema that says nothing. */
export const anything = toPlace({})

/** Merges a schema with everything that applies to the same value. Memoized per schema. */
export function readSchema(schema: Schema, follow: FollowReference): ReadSchema {
  const place = followOnly(schema ?? anything, follow)
  const key: object = Object(place.value)
  const before = known.get(key)
  if (before) return before
  const merged = mergeWhole([place], follow)
  const choices = merged.parts.flatMap((part) => part.choices)
  const join = ([first = anything, ...others]: readonly Place[]) =>
    others.length === 0 ? first : toPlace({ allOf: [first, ...others].map(({ value }) => value) })
  const read = {
    ...merged,
    hasNull: choices.some((choice) => choice.hasNull),
    properties: new Map([...merged.properties].map(([name, places]) => [name, join(places)] as const)),
    items: findKeywords(merged.parts, 'items')[0],
    additional: findKeywords(merged.parts, 'additionalProperties')[0],
    choices: choices.find(({ options }) => options.length > 1)?.options ?? [],
  }
  known.set(key, read)
  return read
}

/** The schema of an item or of a property, which may have none. */
export function memberSchema({ parts, items, properties, additional }: ReadSchema, step: string | number): Schema {
  if (typeof step === 'string') return properties.get(step) ?? additional
  return parts.flatMap((part) => listPlaces(part, 'prefixItems')[step] ?? [])[0] ?? items
}

/** Whether a value is only in responses. */
export function isReadOnly(schema: Place, follow: FollowReference): boolean {
  return readSchema(schema, follow).keywords.readOnly === true
}

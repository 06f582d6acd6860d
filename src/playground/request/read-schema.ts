import { type MergedSchema, mergeWhole } from '../../model/schema.ts'
import { type FollowReference, followOnly, toFollowReference } from '../../openapi/references/follow-reference.ts'
import { type Place, readOwn, readStep, readText, stringOf, valueAtPointer } from '../../text/json/json-values.ts'
import { decodePercent } from '../../text/plain/paths.ts'

/** Follows the references within a slice. */
export function followSlice(slice: unknown): FollowReference {
  return toFollowReference(
    (_file, reference) => {
      const isInside = reference.startsWith('#')
      const value = isInside ? valueAtPointer(slice, decodePercent(reference.slice(1))) : undefined
      return value === undefined ? undefined : toPlace(value)
    },
    readText(slice, 'openapi'),
  )
}

/** A value of a slice, whose pointer does not matter. */
export function toPlace(value: unknown): Place {
  return { file: '', pointer: '', value }
}

/** The last segment of a reference, which is the name of its target. */
export function referenceName(schema: unknown): string | undefined {
  return stringOf(readOwn(schema, '$ref'))?.split('/').at(-1)
}

/** A schema with its references, `allOf`, and the only option of `oneOf` or `anyOf` besides null. */
export interface ReadSchema extends Omit<MergedSchema, 'properties'> {
  /** Whether it is one of the options. */
  readonly hasNull: boolean
  /** Schemas by name. */
  readonly properties: ReadonlyMap<string, unknown>
  /** Schemas to choose from: none, or at least two. */
  readonly choices: readonly unknown[]
}

const known = new WeakMap<object, ReadSchema>()

/** Merges a schema with everything that applies to the same value. Memoized per schema. */
export function readSchema(schema: unknown, follow: FollowReference): ReadSchema {
  const place = followOnly(toPlace(schema), follow)
  const key: object = Object(place.value)
  const before = known.get(key)
  if (before) return before
  const merged = mergeWhole([place], follow)
  const choices = merged.parts.flatMap((part) => part.choices)
  const properties = [...merged.properties].map(([name, places]) => {
    const all = places.map(({ value }) => value)
    return [name, all.length > 1 ? { allOf: all } : all[0]] as const
  })
  const read = {
    ...merged,
    hasNull: choices.some((choice) => choice.hasNull),
    properties: new Map(properties),
    choices: choices.find(({ options }) => options.length > 1)?.options.map(({ value }) => value) ?? [],
  }
  known.set(key, read)
  return read
}

/** The schema of an item or of a property, which may have none. */
export function memberSchema({ keywords, properties }: ReadSchema, step: string | number): unknown {
  if (typeof step === 'number') return readStep(keywords['prefixItems'], step) ?? keywords['items']
  return properties.get(step) ?? keywords['additionalProperties']
}

/** Whether a value is only in responses. */
export function isReadOnly(schema: unknown, follow: FollowReference): boolean {
  return readSchema(schema, follow).keywords.readOnly === true
}

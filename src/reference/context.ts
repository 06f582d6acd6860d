import { childPlace } from '../openapi/collect-operations.ts'
import type { FollowReference, Place } from '../openapi/follow-reference.ts'
import type { OpenApiRelease } from '../openapi/types.ts'
import { splitReference } from '../openapi/uri.ts'
import type { ObjectTable } from '../openapi/walk.ts'
import { isObject } from '../text/is-object.ts'
import { valueAtPointer } from '../text/json-pointer.ts'
import type { SchemaTarget } from './types.ts'

/** What is needed to read any part of one description. */
export interface ReferenceContext {
  readonly release: OpenApiRelease
  /** The entry document. */
  readonly root: Place
  readonly follow: FollowReference
  /** The top value of a file of the description; absent where it could not be read. */
  readonly documentValue: (file: string) => unknown
  /** Whether a named schema has a page of its own; the site tells. */
  readonly hasPage: (name: string) => boolean
  /** `components.schemas` of the entry document. */
  readonly schemas: Place
  /** The schemas of the entry document by where they stand, see `toPlaceKey`; those in files of their own by where they are as well. */
  readonly namedSchemas: ReadonlyMap<string, SchemaTarget>
  /** Their values: what is not among them stands at none of these places. */
  readonly namedValues: ReadonlySet<unknown>
  /** What slices have in common, by group and place: filled by the slices that are made. */
  readonly slicedComponents: Map<string, SlicedComponent>
}

/** Makes the context of a description from its entry document. */
export function toReferenceContext({
  root,
  release,
  follow,
  documentValue,
  hasPage,
}: Pick<ReferenceContext, 'root' | 'release' | 'follow' | 'documentValue' | 'hasPage'>): ReferenceContext {
  const schemas = follow.end(childPlace(follow.end(childPlace(root, 'components')), 'schemas'))
  const namedSchemas = new Map<string, SchemaTarget>()
  const namedValues = new Set<unknown>()
  const names = isObject(schemas.value) ? Object.keys(schemas.value) : []
  const places = names.map((name) => ({ target: { name }, place: childPlace(schemas, name) }))
  const add = (place: Place, target: SchemaTarget) => {
    namedSchemas.set(toPlaceKey(place), target)
    namedValues.add(place.value)
  }
  for (const { target, place } of places) add(place, target)
  // A schema that only refers to another file is that file's schema, also for those who refer to the file.
  for (const { target, place } of places) {
    if (!isObject(place.value) || typeof place.value['$ref'] !== 'string' || Object.keys(place.value).length > 1) continue
    const end = follow.end(place)
    if (!namedSchemas.has(toPlaceKey(end))) add(end, target)
  }
  return { release, root, follow, documentValue, hasPage, schemas, namedSchemas, namedValues, slicedComponents: new Map() }
}

/** A place as the key of a map. */
export function toPlaceKey({ file, pointer }: Pick<Place, 'file' | 'pointer'>): string {
  return `${file}\n${pointer}`
}

/** The named schema of the entry document that stands at a place. */
export function findSchemaTarget({ namedSchemas, namedValues }: ReferenceContext, place: Place): SchemaTarget | undefined {
  // Most places are none of these, and to tell them by where they stand takes long.
  if (!namedValues.has(place.value)) return undefined
  return namedSchemas.get(toPlaceKey(place))
}

/** A component of slices. One that is called as in the description is the same in all of them, and is written once. */
export interface SlicedComponent {
  readonly group: string
  readonly name: string
  readonly place: Place
  readonly table: ObjectTable
  /** Absent until it was needed, and where it is not the same in each slice. */
  written?: WrittenComponent
}

interface WrittenComponent {
  readonly json: string
  /** Characters, as slices count them. */
  readonly length: number
  /** What it refers to, in order. */
  readonly uses: readonly SlicedComponent[]
}

/** Most of a kind that are kept for a description; when there are more, all are forgotten. */
const maxKept = 1_000

/**
 * Keeps what is made of places that are nothing but a reference: many lead to the same, which then is made once. `words` tell apart what else it
 * depends on. What is written in place is made each time.
 */
export function keepReferred<Made>(): (place: Place, words: string, context: ReferenceContext, make: () => Made) => Made {
  const byContext = new WeakMap<ReferenceContext, Map<string, { readonly made: Made }>>()
  return ({ file, value }, words, context, make) => {
    const reference = isObject(value) && Object.keys(value).length === 1 ? value['$ref'] : undefined
    if (typeof reference !== 'string') return make()
    const kept = byContext.get(context) ?? new Map<string, { readonly made: Made }>()
    byContext.set(context, kept)
    const key = `${words}\n${file}\n${reference}`
    const known = kept.get(key)
    if (known) return known.made
    const made = make()
    if (kept.size >= maxKept) kept.clear()
    kept.set(key, { made })
    return made
  }
}

/**
 * The schema that a value of `discriminator.mapping` leads to: the name of a schema, else a reference.
 *
 * Source: OpenAPI 3.2.0, "Discriminator Object": what could be both is a name.
 */
export function findMappedSchema(value: string, file: string, context: ReferenceContext): Place | undefined {
  const named = childPlace(context.schemas, value)
  if (named.value !== undefined) return named
  const target = splitReference(value, file)
  if (target.kind !== 'file') return undefined
  const found = valueAtPointer(context.documentValue(target.path), target.fragment)
  return found === undefined ? undefined : { file: target.path, pointer: target.fragment, value: found }
}

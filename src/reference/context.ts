import { childPlace } from '../openapi/collect-operations.ts'
import type { FollowReference, Place } from '../openapi/follow-reference.ts'
import type { OpenApiRelease } from '../openapi/types.ts'
import { isObject } from '../text/is-object.ts'
import type { SlicedComponent } from './sliced-component.ts'
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

import { childPlace, type FollowReference, isReference, mapPlaces } from '../openapi/references/follow-reference.ts'
import type { OpenApiRelease } from '../openapi/types.ts'
import { isObject, type Place } from '../text/json/json-values.ts'

/** A description, and what follows its references. Everything of the model is read from one. */
export interface Api {
  /** The entry document. */
  readonly root: Place
  readonly release: OpenApiRelease
  readonly follow: FollowReference
}

/** An object of a description. Its references are followed. */
export interface Node {
  /** Where it is used: the object, or a reference to it. */
  readonly entry: Place
  /** The object. */
  readonly place: Place
  /** A reference leads to nothing, or there is no object. All other fields then have the values of an empty object. */
  readonly isUnresolved: boolean
}

/** The objects of a map, in document order. */
export interface Members<Member> extends ReadonlyArray<Member> {
  /** The map. Its value is `undefined` if there is none. */
  readonly place: Place
  /** A reference in place of the map leads to nothing. There are no members then. */
  readonly isUnresolved: boolean
}

/** Reads the map in a field. Authors write references in place of whole maps, although OpenAPI allows none there. They are followed. */
export function readMembers<Member>(
  owner: Place,
  field: string,
  { follow }: Pick<Api, 'follow'>,
  read: (name: string, entry: Place) => Member | undefined,
  extensions?: 'kept' | 'left-out',
): Members<Member> {
  const place = follow.end(childPlace(owner, field))
  const isUnresolved = isReference(place.value)
  const entries = isUnresolved ? [] : mapPlaces(place, undefined, extensions)
  const members = entries.map((entry) => read(entry.name, entry.place)).filter((member) => member !== undefined)
  return Object.assign(members, { place, isUnresolved })
}

/** Reads the object at a place, or at the end of its reference. */
export function toNode(entry: Place, { follow }: Pick<Api, 'follow'>): Node {
  const place = follow.end(entry)
  return { entry, place, isUnresolved: !isObject(place.value) || isReference(place.value) }
}

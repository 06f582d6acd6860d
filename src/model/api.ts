import { type FollowReference, isReference } from '../openapi/references/follow-reference.ts'
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

/** Reads the object at a place, or at the end of its reference. */
export function toNode(entry: Place, { follow }: Pick<Api, 'follow'>): Node {
  const place = follow.end(entry)
  return { entry, place, isUnresolved: !isObject(place.value) || isReference(place.value) }
}

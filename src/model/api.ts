import {
  childPlace,
  type FollowReference,
  isReference,
  mapPlaces,
  toFollowReference,
} from '../openapi/references/follow-reference.ts'
import type { OpenApiRelease } from '../openapi/schema/json-schema.ts'
import { isObject, type Place, readOwn, readText, valueAtPointer } from '../text/json/json-values.ts'
import { decodePercent } from '../text/plain/paths.ts'

/** A description, and what follows its references. Everything of the model is read from one. */
export interface Api {
  /** The entry document. */
  readonly root: Place
  readonly release: OpenApiRelease
  readonly follow: FollowReference
  /** All its files, for comparisons: a dynamic reference can have its target in any of them. */
  readonly files?: readonly Place[]
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

/** The map in a field. Authors write references in place of whole maps, although OpenAPI allows none there: they are followed. */
export function toMap(owner: Place, field: string, { follow }: Pick<Api, 'follow'>): Place {
  return follow.end(childPlace(owner, field))
}

/** The entries of the map in a field, in document order. None if a reference in place of it leads to nothing. */
export function readMap(owner: Place, field: string, api: Pick<Api, 'follow'>, extensions?: 'kept' | 'left-out') {
  if (readOwn(owner.value, field) === undefined) return []
  const map = toMap(owner, field, api)
  return isReference(map.value) ? [] : mapPlaces(map, undefined, extensions)
}

/** Reads the object at a place, or at the end of its reference. */
export function toNode(entry: Place, { follow }: Pick<Api, 'follow'>): Node {
  const place = follow.end(entry)
  return { entry, place, isUnresolved: !isObject(place.value) || isReference(place.value) }
}

/** The words about an object. */
export function readWords({ value }: Place) {
  return { summary: readText(value, 'summary'), description: readText(value, 'description') }
}

/** The Info Object. */
export function readInfo({ root, follow }: Api) {
  const { value } = follow.end(childPlace(root, 'info'))
  const [contact, license] = [readOwn(value, 'contact'), readOwn(value, 'license')]
  const toLink = (one: unknown) => ({ name: readText(one, 'name'), url: readText(one, 'url') })
  return {
    version: readText(value, 'version'),
    description: readText(value, 'description'),
    termsOfService: readText(value, 'termsOfService'),
    contact: contact === undefined ? undefined : { ...toLink(contact), email: readText(contact, 'email') },
    license: license === undefined ? undefined : { ...toLink(license), identifier: readText(license, 'identifier') },
  }
}

/** A value that is in no file, such as a schema that is made from others. */
export function toPlace(value: unknown): Place {
  return { file: '', pointer: '', value }
}

/** The description of one operation, whose references lead into itself. The releases since 3.1 read the same there. */
export function readSlice(slice: unknown) {
  const release = readText(slice, 'openapi')?.startsWith('3.0') ? '3.0' : '3.1'
  const find = (_file: string, reference: string) => {
    const value = reference.startsWith('#') ? valueAtPointer(slice, decodePercent(reference.slice(1))) : undefined
    return value === undefined ? undefined : toPlace(value)
  }
  return { root: toPlace(slice), release, follow: toFollowReference(find, release) } as const satisfies Api
}

/** The operation of a slice: the last mapping of its path item, because other fields are before it. Absent if it has none. */
export function findOperation({ root, follow }: Api) {
  const [path] = mapPlaces(root, 'paths', 'left-out')
  const pathItem = follow.end(path?.place ?? root)
  const named = mapPlaces(pathItem, undefined).findLast(({ name, place }) => /^[a-z]+$/.test(name) && isObject(place.value))
  const found = named ? { ...named, name: named.name.toUpperCase() } : mapPlaces(pathItem, 'additionalOperations')[0]
  if (!path || !found) return undefined
  const operation = follow.end(found.place)
  return { method: found.name, path: path.name, summary: readText(operation.value, 'summary'), operation, pathItem }
}

import { isObject, type JsonObject } from '../../text/json/json-values.ts'
import type { FollowReference, Place } from '../types.ts'

/** The most references that are read one by one. Real descriptions have at most 4 in a row. */
export const maxChain = 50

/** Creates `FollowReference` from a function that finds the target of one reference. */
export function toFollowReference(find: (file: string, reference: string) => Place | undefined): FollowReference {
  /** The ends of references, so that long chains are followed once. */
  const ends = new WeakMap<object, Place>()
  const follow: FollowReference = {
    chain(place) {
      const places = [place]
      if (!isReference(place.value)) return places
      const seen = new Set<string>()
      for (let current = place; isReference(current.value); ) {
        seen.add(toPlaceKey(current))
        const next = find(current.file, current.value['$ref'])
        if (!next || seen.has(toPlaceKey(next))) break
        current = places.length < maxChain ? next : follow.end(next)
        places.push(current)
        if (places.length > maxChain) break
      }
      return places
    },
    end(place) {
      const passed = new Set<object>()
      let current = place
      // A cycle ends where it began.
      while (isReference(current.value) && !passed.has(current.value)) {
        const known = ends.get(current.value)
        passed.add(current.value)
        const next = known ?? find(current.file, current.value['$ref'])
        if (!next) break
        current = next
      }
      for (const reference of passed) ends.set(reference, current)
      return current
    },
    next: ({ file, value }) => (isReference(value) ? find(file, value['$ref']) : undefined),
    value: (file, value) => (isReference(value) ? follow.end({ file, pointer: '', value }).value : value),
  }
  return follow
}

/** After `end`, this is a reference that cannot be resolved, or a cycle. */
export function isReference(value: unknown): value is JsonObject & { readonly $ref: string } {
  return isObject(value) && typeof value['$ref'] === 'string'
}

/** Returns the map key of a location. */
export function toPlaceKey({ file, pointer }: Pick<Place, 'file' | 'pointer'>): string {
  return `${file}\n${pointer}`
}

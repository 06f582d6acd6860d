import { isObject, type JsonObject, pointerChild } from '../../text/json/json-values.ts'
import { limitBounds } from '../../text/plain/limits.ts'
import { decodePercent, isUrl, joinPath, parentPath } from '../../text/plain/paths.ts'
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

/** The target of a reference before it is looked up. */
type ReferenceTarget =
  /** A remote URL, which is not read. */
  | { readonly kind: 'remote' }
  /** A file (the referring file if `path` is equal) or its `file:` URL, and a decoded fragment, `''` for the whole file. */
  | { readonly kind: 'file'; readonly path: string; readonly fragment: string }

/** Splits a reference in the file `from`. Source: RFC 3986, section 4.1; RFC 6901, section 6. */
export function splitReference(reference: string, from: string): ReferenceTarget {
  const hash = reference.indexOf('#')
  const address = hash === -1 ? reference : reference.slice(0, hash)
  const fragment = hash === -1 ? '' : decodePercent(reference.slice(hash + 1))
  if (address === '') return { kind: 'file', path: from, fragment }
  if (isUrl(from)) return { kind: 'remote' }
  // Fast path: most references are paths.
  if (address.includes(':') || address.startsWith('//')) {
    if (/^file:/i.test(address)) return { kind: 'file', path: address, fragment }
    if (/^(?:[a-z][a-z0-9+.-]+:|\/\/)/i.test(address)) return { kind: 'remote' }
  }
  const path = decodePercent(address)
  return { kind: 'file', path: path.startsWith('/') ? joinPath('', path) : joinPath(parentPath(from), path), fragment }
}

/** Resolves an `$id` against the enclosing one. Returns it unchanged if neither is a URL. */
export function resolveId(base: string | undefined, id: string): string {
  return URL.parse(id, base)?.href ?? id
}

/**
 * The pointers of the schemas with an `$id` (by a URI without fragment), `$anchor` or `$dynamicAnchor` (by `<id>#<name>`, and `#<name>`).
 * Source: JSON Schema 2020-12, core, section 8.2.
 */
export function listIdentifiers(value: unknown): Map<string, string> {
  const index = new Map<string, string>()
  collectIdentifiers(value, '', '', index, 0)
  return index
}

/** Keys with data as their values. An `$id` inside them identifies nothing. */
const dataKeys = new Set(['example', 'examples', 'default', 'enum', 'const', 'value', 'dataValue'])

function collectIdentifiers(value: unknown, pointer: string, base: string, index: Map<string, string>, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > limitBounds.nesting.most) return
  if (Array.isArray(value)) {
    value.forEach((entry: unknown, position) => {
      collectIdentifiers(entry, pointerChild(pointer, position), base, index, depth + 1)
    })
    return
  }
  if (!isObject(value)) return
  const id = value['$id']
  const own = typeof id === 'string' ? resolveId(base === '' ? undefined : base, id) : base
  if (typeof id === 'string') setOnce(index, own.replace(/#$/, ''), pointer)
  for (const key of ['$anchor', '$dynamicAnchor']) {
    const anchor = value[key]
    if (typeof anchor !== 'string') continue
    setOnce(index, `${own}#${anchor}`, pointer)
    setOnce(index, `#${anchor}`, pointer)
  }
  for (const key of Object.keys(value)) {
    if (!dataKeys.has(key) && !key.startsWith('x-'))
      collectIdentifiers(value[key], pointerChild(pointer, key), own, index, depth + 1)
  }
}

function setOnce(index: Map<string, string>, identifier: string, pointer: string): void {
  if (!index.has(identifier)) index.set(identifier, pointer)
}

/** The location of a field. Its value is `undefined` if the object lacks the field. */
export function childPlace(parent: Place, key: string | number): Place {
  const pointer = pointerChild(parent.pointer, key)
  if (typeof key === 'number')
    return { file: parent.file, pointer, value: Array.isArray(parent.value) ? parent.value[key] : undefined }
  const value = isObject(parent.value) && Object.hasOwn(parent.value, key) ? parent.value[key] : undefined
  return { file: parent.file, pointer, value }
}

/** Lists every `$ref` in values, such as those of extensions, which the walk skips but tools may follow. */
export function listReferences(values: readonly unknown[]): Set<string> {
  const references = new Set<string>()
  const waiting = [...values]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) {
      for (const entry of value) if (typeof entry === 'object' && entry !== null) waiting.push(entry)
    } else if (isObject(value)) {
      for (const key in value) {
        const entry = value[key]
        if (typeof entry === 'object' && entry !== null) waiting.push(entry)
        else if (key === '$ref' && typeof entry === 'string') references.add(entry)
      }
    }
  }
  return references
}

/**
 * Returns a function that lists the names of the schemas that extend named schemas through `allOf`, at every depth, the nearest first.
 * A discriminator without a mapping selects between them. Source: OpenAPI 3.1.1, "Discriminator Object".
 *
 * @param schemas `components.schemas`.
 */
export function createSubtypeIndex(schemas: Place, follow: FollowReference): (...bases: readonly string[]) => readonly string[] {
  const names = isObject(schemas.value) ? Object.keys(schemas.value) : []
  const nameOf = new Map(names.map((name) => [toPlaceKey(childPlace(schemas, name)), name]))
  const extenders = new Map<string, Set<string>>()
  for (const name of names) {
    const parts = childPlace(follow.end(childPlace(schemas, name)), 'allOf')
    for (const index of Array.isArray(parts.value) ? parts.value.keys() : []) {
      for (const place of follow.chain(childPlace(parts, index))) {
        const base = nameOf.get(toPlaceKey(place))
        if (base !== undefined && base !== name) extenders.set(base, (extenders.get(base) ?? new Set()).add(name))
      }
    }
  }
  return (...bases) => {
    const found = new Set(bases)
    // Iterating a set includes values that are added meanwhile.
    for (const name of found) for (const subtype of extenders.get(name) ?? []) found.add(subtype)
    return [...found].filter((name) => !bases.includes(name))
  }
}

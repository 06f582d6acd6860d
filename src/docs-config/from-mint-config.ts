import type { Finding } from '../diagnostics/diagnostic.ts'
import { isObject, type JsonObject } from '../source/is-object.ts'
import { parentPointer, pointerChild } from '../source/json-pointer.ts'
import { normalizePath } from '../source/relative-path.ts'
import type { SourceFile } from '../source/source-file.ts'
import type { JsonEdit } from './edit-json.ts'
import { describeValue } from './read-divisions.ts'
import type { ConfigPlaces } from './types.ts'

/** The lists of a `mint.json` whose elements become divisions, with the key that gets their `name`. */
const divisionLists = { tabs: 'tab', anchors: 'anchor' } as const

/**
 * Reads a `mint.json` as the `docs.json` that means the same: `navigation` is a list of groups there, which belong to the tab or anchor whose
 * `url` their pages begin with, and `openapi` stands at the top. Every value keeps its place in the file.
 */
export function fromMintConfig(
  source: SourceFile,
  mint: JsonObject,
): { value: JsonObject; places: ConfigPlaces; findings: readonly Finding[] } {
  const reading: Reading = { file: source.path, places: new Map(), findings: [] }
  const { navigation: written, openapi, tabs, anchors, ...rest } = mint
  const groups = readList(reading, 'navigation', written)
  const holders = [
    ...readHolders(reading, 'tabs', readList(reading, 'tabs', tabs)),
    ...readHolders(reading, 'anchors', readList(reading, 'anchors', anchors)),
  ]
  const root: Holder = { pointer: '/navigation', url: '', groups: [] }
  groups.forEach((group, index) => {
    const path = firstPage(group)
    const isBelow = ({ url }: Holder) => url !== '' && path !== undefined && (path === url || path.startsWith(`${url}/`))
    const nearest = holders.filter(isBelow).toSorted((a, b) => b.url.length - a.url.length)[0] ?? root
    nearest.groups.push({ value: group, index })
  })
  for (const { pointer, groups: own } of [root, ...holders]) {
    reading.places.set(`${pointer}/groups`, '/navigation')
    own.forEach(({ index }, at) => {
      reading.places.set(`${pointer}/groups/${at}`, `/navigation/${index}`)
    })
  }
  const toLists = (key: keyof typeof divisionLists) => {
    const own = holders.filter(({ list }) => list === key)
    return own.length === 0 ? [] : [[key, own.map(toDivision)] as const]
  }
  const navigation = {
    ...Object.fromEntries([...toLists('tabs'), ...toLists('anchors')]),
    groups: root.groups.map(({ value }) => value),
  }
  if (openapi !== undefined) reading.places.set('/api/openapi', '/openapi')
  const api = openapi === undefined ? {} : { api: { ...(isObject(rest['api']) ? rest['api'] : {}), openapi } }
  return {
    value: { ...rest, ...api, navigation },
    places: toPlaces(source, reading.places, [root, ...holders], mint),
    findings: reading.findings,
  }
}

interface Reading {
  readonly file: string
  /** Pointers in `mint.json` by those in the result. */
  readonly places: Map<string, string>
  readonly findings: Finding[]
}

/** What groups belong to. */
interface Holder {
  readonly pointer: string
  /** What the paths of its pages begin with; `''` for the root. */
  readonly url: string
  readonly groups: { readonly value: unknown; readonly index: number }[]
  readonly list?: keyof typeof divisionLists
  readonly value?: JsonObject
}

function readList({ file, findings }: Reading, key: string, value: unknown): readonly unknown[] {
  if (value === undefined || Array.isArray(value)) return value ?? []
  const hint = key === 'navigation' && isObject(value) ? { hint: 'this is the shape of a `docs.json`: rename the file' } : {}
  findings.push({
    code: 'wrong-type',
    message: `Unexpected ${describeValue(value)} for \`${key}\`, expected a list`,
    file,
    pointer: `/${key}`,
    ...hint,
  })
  return []
}

function readHolders(reading: Reading, list: keyof typeof divisionLists, elements: readonly unknown[]): Holder[] {
  const label = divisionLists[list]
  const holders: Holder[] = []
  reading.places.set(`/navigation/${list}`, `/${list}`)
  elements.forEach((value, index) => {
    const place = `/${list}/${index}`
    if (!isObject(value)) {
      const message = `Unexpected value in \`${list}\`, expected objects`
      reading.findings.push({ code: 'wrong-type', message, file: reading.file, pointer: place })
      return
    }
    const pointer = `/navigation/${list}/${holders.length}`
    reading.places.set(pointer, place)
    reading.places.set(`${pointer}/${label}`, `${place}/name`)
    holders.push({ pointer, url: mintFolder(value) ?? '', groups: [], list, value })
  })
  return holders
}

/** The folder that holds the pages of a tab or anchor of a `mint.json`, by its `url`. Its generated pages go there, else it would not show them. */
export function mintFolder({ url }: JsonObject): string | undefined {
  return typeof url === 'string' && !/^[a-z][a-z0-9+.-]*:/i.test(url) ? normalizePath(url) || undefined : undefined
}

function toDivision({ list, value, groups }: Holder): JsonObject {
  const { name, ...rest } = value ?? {}
  const label = list === undefined ? {} : { [divisionLists[list]]: name }
  return { ...label, ...rest, groups: groups.map((group) => group.value) }
}

/** The path of the first page of a group, also of one inside it. */
function firstPage(group: unknown): string | undefined {
  let pages: unknown = group
  // Deeper than that no host shows groups.
  for (let depth = 0; depth < 100 && isObject(pages); depth++) {
    const list: unknown = pages['pages']
    const first: unknown = Array.isArray(list) ? list[0] : undefined
    if (typeof first === 'string') return normalizePath(first)
    pages = first
  }
  return undefined
}

function toPlaces(
  source: SourceFile,
  places: ReadonlyMap<string, string>,
  holders: readonly Holder[],
  mint: JsonObject,
): ConfigPlaces {
  const placeOf = (pointer: string): string => {
    for (let prefix = pointer; prefix !== ''; prefix = parentPointer(prefix)) {
      const place = places.get(prefix)
      if (place !== undefined) return place + pointer.slice(prefix.length)
    }
    return pointer
  }
  const hasNavigation = Array.isArray(mint['navigation'])
  const toOwnEdit = (edit: JsonEdit): JsonEdit => {
    switch (edit.kind) {
      case 'remove':
        return { ...edit, pointer: edit.pointer === '/api' ? placeOf('/api/openapi') : placeOf(edit.pointer) }
      case 'replace': {
        const index = holders.find(({ pointer }) => edit.array === `${pointer}/groups`)?.groups[edit.index]?.index
        return index === undefined ? { ...edit, array: placeOf(edit.array) } : { ...edit, array: '/navigation', index }
      }
      case 'reorder': {
        const holder = holders.find(({ pointer }) => edit.array === `${pointer}/groups`)
        return holder
          ? { ...edit, array: '/navigation', order: toOwnOrder(holder, edit.order, mint) }
          : { ...edit, array: placeOf(edit.array) }
      }
      case 'insert': {
        const holder = holders.find(({ pointer }) => edit.array === `${pointer}/groups`)
        if (!holder) return { ...edit, array: placeOf(edit.array) }
        if (!hasNavigation) return { kind: 'set', object: '', key: 'navigation', value: edit.values }
        const next = holder.groups[edit.index]?.index
        const last = holder.groups.at(-1)?.index
        const end = Array.isArray(mint['navigation']) ? mint['navigation'].length : 0
        const values = edit.values.map((group) => withVersion(group, holder.value?.['version']))
        return { ...edit, values, array: '/navigation', index: next ?? (last === undefined ? end : last + 1) }
      }
      case 'set': {
        // `api.openapi` of a `docs.json` is `openapi` here.
        if (edit.object === '' && edit.key === 'api' && isObject(edit.value)) {
          return { ...edit, key: 'openapi', value: edit.value['openapi'] }
        }
        if (edit.object === '/api' && edit.key === 'openapi') return { ...edit, object: '' }
        const place = placeOf(pointerChild(edit.object, edit.key))
        return { ...edit, object: parentPointer(place) }
      }
    }
  }
  return {
    sources: [source],
    placeOf: (pointer) => ({ file: source.path, pointer: placeOf(pointer) }),
    toFileEdits: (edit) => {
      const removed = edit.kind === 'remove' ? holders.find(({ pointer }) => edit.pointer === `${pointer}/groups`) : undefined
      const edits = removed?.groups.map(({ index }): JsonEdit => ({ kind: 'remove', pointer: `/navigation/${index}` }))
      return (edits ?? [toOwnEdit(edit)]).map((own) => ({ file: source.path, edit: own }))
    },
  }
}

/** The groups of a tab or anchor change places among them; those of others stay where they are. */
function toOwnOrder({ groups }: Holder, order: readonly number[], mint: JsonObject): number[] {
  const own = Array.isArray(mint['navigation']) ? mint['navigation'].map((_, index) => index) : []
  groups.forEach(({ index }, place) => {
    own[index] = groups[order[place] ?? place]?.index ?? index
  })
  return own
}

/** A group says itself which version it is shown for, as nothing stands around it. */
function withVersion(group: unknown, version: unknown): unknown {
  if (typeof version !== 'string' || !isObject(group)) return group
  const { group: label, ...rest } = group
  return { group: label, version, ...rest }
}

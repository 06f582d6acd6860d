import type { Finding } from '../diagnostics/diagnostic.ts'
import { isObject, type JsonObject } from '../source/is-object.ts'
import { parentPointer, pointerChild } from '../source/json-pointer.ts'
import { normalizePath } from '../source/relative-path.ts'
import type { SourceFile } from '../source/source-file.ts'
import type { JsonEdit } from './edit-json.ts'
import { describeValue } from './read-divisions.ts'
import type { ConfigSourceMap } from './types.ts'

/** The lists of a `mint.json` that become divisions, with the key for their label. */
const divisionLists = { tabs: 'tab', anchors: 'anchor' } as const

/**
 * Converts a `mint.json` to the equivalent `docs.json`. In a `mint.json`, `navigation` is a list of groups, each belonging to the
 * tab or anchor whose `url` is a prefix of its page paths, and `openapi` is a top-level key. Every value keeps its location in
 * the file.
 */
export function fromMintConfig(
  source: SourceFile,
  mint: JsonObject,
): { value: JsonObject; sourceMap: ConfigSourceMap; findings: readonly Finding[] } {
  const reading: Reading = { file: source.path, pointers: new Map(), findings: [] }
  const { navigation: written, openapi, tabs, anchors, ...rest } = mint
  const groups = readList(reading, 'navigation', written)
  const owners = [
    ...readGroupOwners(reading, 'tabs', readList(reading, 'tabs', tabs)),
    ...readGroupOwners(reading, 'anchors', readList(reading, 'anchors', anchors)),
  ]
  const root: GroupOwner = { pointer: '/navigation', url: '', groups: [] }
  groups.forEach((group, index) => {
    const path = firstPage(group)
    const isBelow = ({ url }: GroupOwner) => url !== '' && path !== undefined && (path === url || path.startsWith(`${url}/`))
    const nearest = owners.filter(isBelow).toSorted((a, b) => b.url.length - a.url.length)[0] ?? root
    nearest.groups.push({ value: group, index })
  })
  for (const { pointer, groups: own } of [root, ...owners]) {
    reading.pointers.set(`${pointer}/groups`, '/navigation')
    own.forEach(({ index }, at) => {
      reading.pointers.set(`${pointer}/groups/${at}`, `/navigation/${index}`)
    })
  }
  const toLists = (key: keyof typeof divisionLists) => {
    const own = owners.filter(({ list }) => list === key)
    return own.length === 0 ? [] : [[key, own.map(toDivision)] as const]
  }
  const navigation = {
    ...Object.fromEntries([...toLists('tabs'), ...toLists('anchors')]),
    groups: root.groups.map(({ value }) => value),
  }
  if (openapi !== undefined) reading.pointers.set('/api/openapi', '/openapi')
  const api = openapi === undefined ? {} : { api: { ...(isObject(rest['api']) ? rest['api'] : {}), openapi } }
  return {
    value: { ...rest, ...api, navigation },
    sourceMap: createSourceMap(source, reading.pointers, [root, ...owners], mint),
    findings: reading.findings,
  }
}

interface Reading {
  readonly file: string
  /** Maps pointers in the result to pointers in `mint.json`. */
  readonly pointers: Map<string, string>
  readonly findings: Finding[]
}

/** A tab or anchor that owns groups, or the root. */
interface GroupOwner {
  readonly pointer: string
  /** Prefix of the page paths. `''` for the root. */
  readonly url: string
  readonly groups: { readonly value: unknown; readonly index: number }[]
  readonly list?: keyof typeof divisionLists
  readonly value?: JsonObject
}

function readList({ file, findings }: Reading, key: string, value: unknown): readonly unknown[] {
  if (value === undefined || Array.isArray(value)) return value ?? []
  const hint =
    key === 'navigation' && isObject(value)
      ? { hint: 'Rename the file to `docs.json`: the navigation has the `docs.json` format' }
      : {}
  findings.push({
    code: 'wrong-type',
    message: `Unexpected ${describeValue(value)} for \`${key}\`, expected a list`,
    file,
    pointer: `/${key}`,
    ...hint,
  })
  return []
}

function readGroupOwners(reading: Reading, list: keyof typeof divisionLists, elements: readonly unknown[]): GroupOwner[] {
  const label = divisionLists[list]
  const owners: GroupOwner[] = []
  reading.pointers.set(`/navigation/${list}`, `/${list}`)
  elements.forEach((value, index) => {
    const place = `/${list}/${index}`
    if (!isObject(value)) {
      const message = `Unexpected value in \`${list}\`, expected objects`
      reading.findings.push({ code: 'wrong-type', message, file: reading.file, pointer: place })
      return
    }
    const pointer = `/navigation/${list}/${owners.length}`
    reading.pointers.set(pointer, place)
    reading.pointers.set(`${pointer}/${label}`, `${place}/name`)
    owners.push({ pointer, url: mintFolder(value) ?? '', groups: [], list, value })
  })
  return owners
}

/**
 * Returns the directory for generated pages of a tab or anchor in a `mint.json`. It follows from `url`, since the tab shows no
 * other pages.
 */
export function mintFolder({ url }: JsonObject): string | undefined {
  return typeof url === 'string' && !/^[a-z][a-z0-9+.-]*:/i.test(url) ? normalizePath(url) || undefined : undefined
}

function toDivision({ list, value, groups }: GroupOwner): JsonObject {
  const { name, ...rest } = value ?? {}
  const label = list === undefined ? {} : { [divisionLists[list]]: name }
  return { ...label, ...rest, groups: groups.map((group) => group.value) }
}

/** Returns the path of the first page of a group or of its nested groups. */
function firstPage(group: unknown): string | undefined {
  let pages: unknown = group
  // No host shows groups deeper than this.
  for (let depth = 0; depth < 100 && isObject(pages); depth++) {
    const list: unknown = pages['pages']
    const first: unknown = Array.isArray(list) ? list[0] : undefined
    if (typeof first === 'string') return normalizePath(first)
    pages = first
  }
  return undefined
}

function createSourceMap(
  source: SourceFile,
  pointers: ReadonlyMap<string, string>,
  owners: readonly GroupOwner[],
  mint: JsonObject,
): ConfigSourceMap {
  const placeOf = (pointer: string): string => {
    for (let prefix = pointer; prefix !== ''; prefix = parentPointer(prefix)) {
      const place = pointers.get(prefix)
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
        const index = owners.find(({ pointer }) => edit.array === `${pointer}/groups`)?.groups[edit.index]?.index
        return index === undefined ? { ...edit, array: placeOf(edit.array) } : { ...edit, array: '/navigation', index }
      }
      case 'reorder': {
        const owner = owners.find(({ pointer }) => edit.array === `${pointer}/groups`)
        return owner
          ? { ...edit, array: '/navigation', order: toOwnOrder(owner, edit.order, mint) }
          : { ...edit, array: placeOf(edit.array) }
      }
      case 'insert': {
        const owner = owners.find(({ pointer }) => edit.array === `${pointer}/groups`)
        if (!owner) return { ...edit, array: placeOf(edit.array) }
        if (!hasNavigation) return { kind: 'set', object: '', key: 'navigation', value: edit.values }
        const next = owner.groups[edit.index]?.index
        const last = owner.groups.at(-1)?.index
        const end = Array.isArray(mint['navigation']) ? mint['navigation'].length : 0
        const values = edit.values.map((group) => withVersion(group, owner.value?.['version']))
        return { ...edit, values, array: '/navigation', index: next ?? (last === undefined ? end : last + 1) }
      }
      case 'set': {
        // `api.openapi` in a `docs.json` is `openapi` in a `mint.json`.
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
    locate: (pointer) => ({ file: source.path, pointer: placeOf(pointer) }),
    toFileEdits: (edit) => {
      const removed = edit.kind === 'remove' ? owners.find(({ pointer }) => edit.pointer === `${pointer}/groups`) : undefined
      const edits = removed?.groups.map(({ index }): JsonEdit => ({ kind: 'remove', pointer: `/navigation/${index}` }))
      return (edits ?? [toOwnEdit(edit)]).map((own) => ({ file: source.path, edit: own }))
    },
  }
}

/** Translates a reordering to the groups of this tab or anchor. All other groups keep their positions. */
function toOwnOrder({ groups }: GroupOwner, order: readonly number[], mint: JsonObject): number[] {
  const own = Array.isArray(mint['navigation']) ? mint['navigation'].map((_, index) => index) : []
  groups.forEach(({ index }, place) => {
    own[index] = groups[order[place] ?? place]?.index ?? index
  })
  return own
}

/** Adds the version to the group itself, because a `mint.json` group has no enclosing division to inherit it from. */
function withVersion(group: unknown, version: unknown): unknown {
  if (typeof version !== 'string' || !isObject(group)) return group
  const { group: label, ...rest } = group
  return { group: label, version, ...rest }
}

import type { Finding } from '../diagnostic/diagnostic.ts'
import { isObject, type JsonObject } from '../text/is-object.ts'
import { escapePointerSegment, pointerChild } from '../text/json-pointer.ts'
import { normalizePath } from '../text/relative-path.ts'
import { describeValue } from './describe-value.ts'
import { parseBinding } from './parse-binding.ts'
import { defaultDirectory, parseOpenApiValue } from './parse-openapi-value.ts'
import type { Division, DivisionKind, InheritedSources, NavigationEntry } from './types.ts'

/** Deepest nesting of divisions that is followed. */
const maxDepth = 100

/** The keys that hold lists of divisions, with the key that labels each of them. */
export const divisionLists = {
  products: 'product',
  languages: 'language',
  versions: 'version',
  tabs: 'tab',
  dropdowns: 'dropdown',
  anchors: 'anchor',
  menu: 'item',
  groups: 'group',
} as const satisfies Record<string, DivisionKind>

/**
 * Reads `navigation` with all divisions in it, in document order, parents before children. `directoryOf` tells where the pages of a division
 * go when its `openapi` does not, where that is not the usual directory.
 */
export function readDivisions(
  navigation: JsonObject,
  file: string,
  directoryOf: (division: JsonObject) => string | undefined,
): { divisions: readonly Division[]; findings: readonly Finding[] } {
  const reader: Reader = { file, findings: [], divisions: [], ids: new Set(), directoryOf }
  const place = { kind: 'navigation', pointer: '/navigation', id: '/navigation', depth: 0 } as const
  readDivision(reader, navigation, place, { version: undefined, inherited: undefined })
  return { divisions: reader.divisions, findings: reader.findings }
}

interface Reader {
  readonly file: string
  readonly findings: Finding[]
  readonly divisions: Division[]
  readonly ids: Set<string>
  readonly directoryOf: (division: JsonObject) => string | undefined
}

interface DivisionPlace {
  readonly kind: DivisionKind
  readonly pointer: string
  readonly id: string
  readonly depth: number
}

interface Around {
  readonly version: string | undefined
  readonly inherited: InheritedSources | undefined
}

function readDivision(reader: Reader, value: JsonObject, place: DivisionPlace, around: Around): void {
  const { kind, pointer, id, depth } = place
  if (depth > maxDepth) {
    const message = `Unexpected navigation of more than ${maxDepth} levels`
    reader.findings.push({ code: 'too-complex', message, file: reader.file, pointer })
    return
  }
  const usualDirectory = reader.directoryOf(value) ?? defaultDirectory
  const { sources, findings } = parseOpenApiValue(value['openapi'], `${pointer}/openapi`, reader.file, usualDirectory)
  reader.findings.push(...findings)
  const label = value[kind]
  if (label !== undefined && typeof label !== 'string' && kind !== 'navigation')
    reportType(reader, pointerChild(pointer, kind), kind, label, 'text')
  const version = typeof value['version'] === 'string' ? value['version'] : around.version
  const inherited = sources.length > 0 ? { owner: pointer, sources } : around.inherited
  const entries: NavigationEntry[] = []
  reader.divisions.push({
    id,
    kind,
    label: typeof label === 'string' ? label : '',
    pointer,
    version,
    sources,
    inherited,
    entries,
    keys: Object.keys(value),
    usualDirectory,
  })
  const child = { reader, parent: place, around: { version, inherited } }
  const lists: { readonly [key: string]: DivisionKind } = divisionLists
  for (const key of Object.keys(value)) {
    const childKind = Object.hasOwn(lists, key) ? lists[key] : undefined
    if (key === 'pages') readPages(child, value[key], entries)
    else if (childKind !== undefined) readList(child, key, value[key], childKind)
  }
}

interface ChildContext {
  readonly reader: Reader
  readonly parent: DivisionPlace
  readonly around: Around
}

function readList(context: ChildContext, key: string, value: unknown, kind: DivisionKind): void {
  const pointer = `${context.parent.pointer}/${key}`
  if (!Array.isArray(value)) {
    reportType(context.reader, pointer, key, value, 'a list')
    return
  }
  value.forEach((element: unknown, index) => {
    if (isObject(element)) readChild(context, key, index, element, kind)
    else reportType(context.reader, pointerChild(pointer, index), key, element, 'objects')
  })
}

function readPages(context: ChildContext, value: unknown, entries: NavigationEntry[]): void {
  const pointer = `${context.parent.pointer}/pages`
  if (!Array.isArray(value)) {
    reportType(context.reader, pointer, 'pages', value, 'a list')
    return
  }
  value.forEach((element: unknown, index) => {
    if (typeof element === 'string') entries.push(toEntry(element, pointerChild(pointer, index)))
    else if (isObject(element)) readChild(context, 'pages', index, element, 'group')
    else reportType(context.reader, pointerChild(pointer, index), 'pages', element, 'page paths and groups')
  })
}

function readChild(context: ChildContext, key: string, index: number, value: JsonObject, kind: DivisionKind): void {
  const { reader, parent, around } = context
  const label = value[kind]
  const name = `${parent.id}/${key}/${typeof label === 'string' ? escapePointerSegment(label) : `#${index + 1}`}`
  let id = name
  for (let count = 2; reader.ids.has(id); count++) id = `${name}#${count}`
  reader.ids.add(id)
  const place = { kind, pointer: pointerChild(`${parent.pointer}/${key}`, index), id, depth: parent.depth + 1 }
  readDivision(reader, value, place, around)
}

function toEntry(text: string, pointer: string): NavigationEntry {
  const binding = parseBinding(text)
  if (binding) return { kind: 'explicit', pointer, binding }
  return { kind: 'page', pointer, path: normalizePath(text).replace(/\.mdx?$/i, '') }
}

function reportType(reader: Reader, pointer: string, key: string, value: unknown, expected: string): void {
  const message = `Unexpected ${describeValue(value)} for \`${key}\`, expected ${expected}`
  reader.findings.push({ code: 'wrong-type', message, file: reader.file, pointer })
}

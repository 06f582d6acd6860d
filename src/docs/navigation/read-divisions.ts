import type { Finding } from '../../diagnostics/diagnostic.ts'
import { escapePointerSegment, isObject, type JsonObject, pointerChild } from '../../text/json/json-values.ts'
import { isUrl, normalizePath } from '../../text/plain/paths.ts'
import { suggest } from '../../text/plain/suggest.ts'
import { defaultDirectory } from '../config/config-files.ts'
import {
  type Division,
  type DivisionKind,
  type DocumentSource,
  describeValue,
  type InheritedSources,
  type NavigationEntry,
  toPageEntry,
} from './docs-config.ts'
import { parseBinding } from './parse-binding.ts'

/** Maximum nesting of divisions. */
const maxDepth = 100

/** The keys of division lists, with the key for the label of each division. */
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

/** Reads `navigation` with all nested divisions, in document order, parents before children. */
export function readDivisions(
  navigation: JsonObject,
  file: string,
): { divisions: readonly Division[]; findings: readonly Finding[] } {
  const reader: Reader = { file, findings: [], divisions: [], ids: new Set() }
  const place = { kind: 'navigation', pointer: '/navigation', id: '/navigation', depth: 0 } as const
  readDivision(reader, navigation, place, { version: undefined, inherited: undefined })
  return { divisions: reader.divisions, findings: reader.findings }
}

interface Reader {
  readonly file: string
  readonly findings: Finding[]
  readonly divisions: Division[]
  readonly ids: Set<string>
}

interface DivisionPlace {
  readonly kind: DivisionKind
  readonly pointer: string
  readonly id: string
  readonly depth: number
}

interface ParentDivision {
  readonly version: string | undefined
  readonly inherited: InheritedSources | undefined
}

function readDivision(reader: Reader, value: JsonObject, place: DivisionPlace, enclosing: ParentDivision): void {
  const { kind, pointer, id, depth } = place
  if (depth > maxDepth) {
    const message = `Unexpected navigation nesting of more than ${maxDepth} levels`
    reader.findings.push({ code: 'too-complex', message, file: reader.file, pointer })
    return
  }
  const { sources, findings } = parseOpenApiValue(value['openapi'], `${pointer}/openapi`, reader.file)
  reader.findings.push(...findings)
  const label = value[kind]
  if (label !== undefined && typeof label !== 'string' && kind !== 'navigation')
    reportType(reader, pointerChild(pointer, kind), kind, label, 'a string')
  const version = typeof value['version'] === 'string' ? value['version'] : enclosing.version
  const inherited = sources.length > 0 ? { owner: pointer, sources } : enclosing.inherited
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
  })
  const child = { reader, parent: place, enclosing: { version, inherited } }
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
  readonly enclosing: ParentDivision
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
  const { reader, parent, enclosing } = context
  const label = value[kind]
  const name = `${parent.id}/${key}/${typeof label === 'string' ? escapePointerSegment(label) : `#${index + 1}`}`
  let id = name
  for (let count = 2; reader.ids.has(id); count++) id = `${name}#${count}`
  reader.ids.add(id)
  const place = { kind, pointer: pointerChild(`${parent.pointer}/${key}`, index), id, depth: parent.depth + 1 }
  readDivision(reader, value, place, enclosing)
}

function toEntry(text: string, pointer: string): NavigationEntry {
  const binding = parseBinding(text)
  if (binding) return { kind: 'explicit', pointer, binding }
  return { kind: 'page', pointer, path: toPageEntry(text) }
}

function reportType(reader: Reader, pointer: string, key: string, value: unknown, expected: string): void {
  const message = `Unexpected ${describeValue(value)} for \`${key}\`, expected ${expected}`
  reader.findings.push({ code: 'wrong-type', message, file: reader.file, pointer })
}

const knownKeys = ['source', 'directory', 'overlays']

/**
 * Reads the value of an `openapi` key: a path or URL, `{ source, directory, overlays }`, or a list of these.
 *
 * Invalid entries are reported and skipped. An absent value yields an empty list. `defaultDirectory` is used for entries without
 * a directory.
 */
export function parseOpenApiValue(
  value: unknown,
  pointer: string,
  file: string,
): { sources: readonly DocumentSource[]; findings: readonly Finding[] } {
  const findings: Finding[] = []
  const report = (finding: Omit<Finding, 'file'>) => findings.push({ ...finding, file })
  if (value === undefined) return { sources: [], findings }
  const entries: [unknown, string][] = Array.isArray(value)
    ? value.map((entry: unknown, index) => [entry, pointerChild(pointer, index)])
    : [[value, pointer]]
  const sources = entries.flatMap(([entry, place]) => parseEntry(entry, place, report) ?? [])
  return { sources, findings }
}

type Report = (finding: Omit<Finding, 'file'>) => void

function parseEntry(raw: unknown, pointer: string, report: Report): DocumentSource | undefined {
  if (typeof raw === 'string') {
    const source = parseLocation(raw, pointer, report)
    return source === undefined ? undefined : { source, directory: defaultDirectory, pointer, raw, overlays: undefined }
  }
  if (!isObject(raw)) {
    const message = `Unexpected ${describeValue(raw)} for \`openapi\`, expected a path, a URL, an object with \`source\`, or a list of these`
    report({ code: 'wrong-type', message, pointer })
    return undefined
  }
  reportUnknownKeys(raw, pointer, report)
  if (raw['source'] === undefined) {
    const hint = 'Add `source`, for example `"source": "openapi.yaml"`'
    report({ code: 'missing-field', message: 'Missing `source` in the `openapi` object', pointer, hint })
    return undefined
  }
  if (typeof raw['source'] !== 'string') {
    const message = `Unexpected ${describeValue(raw['source'])} for \`source\`, expected a path or a URL`
    report({ code: 'wrong-type', message, pointer: `${pointer}/source` })
    return undefined
  }
  const source = parseLocation(raw['source'], `${pointer}/source`, report)
  const directory =
    raw['directory'] === undefined ? defaultDirectory : parseDirectory(raw['directory'], `${pointer}/directory`, report)
  if (source === undefined || directory === undefined) return undefined
  return { source, directory, pointer: `${pointer}/source`, raw, overlays: parseOverlays(raw['overlays'], pointer, report) }
}

function parseOverlays(value: unknown, around: string, report: Report): DocumentSource['overlays'] {
  const pointer = `${around}/overlays`
  if (value === undefined) return undefined
  if (!Array.isArray(value)) {
    const message = `Unexpected ${describeValue(value)} for \`overlays\`, expected a list of paths`
    report({ code: 'wrong-type', message, pointer })
    return undefined
  }
  const paths = value.flatMap((entry: unknown, index) => {
    const place = pointerChild(pointer, index)
    if (typeof entry === 'string') return parseLocation(entry, place, report) ?? []
    report({ code: 'wrong-type', message: `Unexpected ${describeValue(entry)} in \`overlays\`, expected a path`, pointer: place })
    return []
  })
  return { paths, pointer }
}

function parseLocation(text: string, pointer: string, report: Report): string | undefined {
  const location = text.trim()
  if (isUrl(location)) return location
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(location)?.[1]
  if (scheme !== undefined) {
    report({ code: 'wrong-value', message: `Unexpected \`${scheme}:\` URL for \`openapi\`, expected \`https:\``, pointer })
    return undefined
  }
  const path = normalizePath(location.replaceAll('\\', '/'))
  if (path !== '') return path
  report({ code: 'wrong-value', message: 'Unexpected empty string for `openapi`, expected a path or a URL', pointer })
  return undefined
}

function parseDirectory(value: unknown, pointer: string, report: Report): string | undefined {
  if (typeof value !== 'string') {
    report({
      code: 'wrong-type',
      message: `Unexpected ${describeValue(value)} for \`directory\`, expected the path of a directory`,
      pointer,
    })
    return undefined
  }
  const directory = normalizePath(value.replaceAll('\\', '/'))
  const isOutside = directory === '..' || directory.startsWith('../')
  const isOfGit = /(^|\/)\.git(\/|$)/i.test(directory)
  if (!isOutside && !isOfGit) return directory
  const hint = 'Use a directory below the one that contains `docs.json`'
  report({
    code: 'wrong-value',
    message: `Unexpected \`directory\` \`${value}\` ${isOfGit ? 'in the `.git` directory' : 'outside the docs directory'}`,
    pointer,
    hint,
  })
  return undefined
}

function reportUnknownKeys(value: JsonObject, pointer: string, report: Report): void {
  for (const key of Object.keys(value).filter((name) => !knownKeys.includes(name))) {
    const near = suggest(key, knownKeys)
    const message = `Unexpected key \`${key}\` in the \`openapi\` object, expected \`source\`, \`directory\` or \`overlays\``
    const hint = near === undefined ? {} : { hint: `Did you mean \`${near}\`?` }
    report({ code: 'unknown-field', severity: 'warning', message, pointer: pointerChild(pointer, key), on: 'key', ...hint })
  }
}

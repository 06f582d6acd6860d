import type { Finding } from '../../diagnostics/diagnostic.ts'
import { escapePointerSegment, isObject, type JsonObject, pointerChild } from '../../text/json/json-values.ts'
import { isUrl, normalizePath } from '../../text/plain/paths.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import { defaultDirectory } from '../config/config-files.ts'
import {
  type Division,
  type DivisionKind,
  type DocumentSource,
  describeValue,
  formatTarget,
  type InheritedSources,
  type NavigationEntry,
  type OperationBinding,
  type PageBinding,
  type SchemaBinding,
  toPageEntry,
} from './docs-config.ts'

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
    const hint = didYouMean(suggest(key, knownKeys))
    const message = `Unexpected key \`${key}\` in the \`openapi\` object, expected \`source\`, \`directory\` or \`overlays\``
    report({ code: 'unknown-field', severity: 'warning', message, pointer: pointerChild(pointer, key), on: 'key', hint })
  }
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'])

/**
 * Parses `[file] METHOD /path` or `[file] webhook name`, the syntax of a page's `openapi` key and of entries in `pages`.
 *
 * Standard methods and the word `webhook` are case-insensitive. Other methods (OpenAPI 3.2, `additionalOperations`) must be
 * uppercase. File names may contain spaces. Returns `undefined` if the text is not a binding.
 */
export function parseBinding(text: string): OperationBinding | undefined {
  const trimmed = text.trim()
  // Everything before the first word that is followed by a path is the file.
  const operation = /(?<!\S)([A-Za-z][A-Za-z-]*)\s+(\/.*)$/s.exec(trimmed)
  if (operation) {
    const [, method = '', pathTemplate = ''] = operation
    const file = trimmed.slice(0, operation.index)
    const lower = method.toLowerCase()
    if (methods.has(lower)) return { kind: 'operation', file: toFile(file), method: lower, pathTemplate }
    if (method === method.toUpperCase() && lower !== 'webhook')
      return { kind: 'operation', file: toFile(file), method, pathTemplate }
  }
  const webhook = /(?<!\S)webhook\s+(.+)$/is.exec(trimmed)
  if (webhook) return { kind: 'webhook', file: toFile(trimmed.slice(0, webhook.index)), name: webhook[1] ?? '' }
  return undefined
}

/** Parses `[file] Name`, the syntax of a page's `openapi-schema` key. */
export function parseSchemaBinding(text: string): SchemaBinding | undefined {
  const trimmed = text.trim()
  const name = /(?<!\S)\S+$/.exec(trimmed)
  return name ? { kind: 'schema', file: toFile(trimmed.slice(0, name.index)), name: name[0] } : undefined
}

function toFile(before: string): string | undefined {
  const file = before.trimEnd()
  if (file === '') return undefined
  return isUrl(file) ? file : normalizePath(file)
}

/** Returns the frontmatter key for a binding. */
export function bindingKey({ kind }: PageBinding): 'openapi' | 'openapi-schema' {
  return kind === 'schema' ? 'openapi-schema' : 'openapi'
}

/**
 * Replaces the operation or webhook in a binding, keeping the spelling of the document (or its absence) and the case of the
 * method.
 *
 * `target` is a binding without a document: `GET /pets`, `webhook orderShipped`.
 */
export function rewriteBinding(written: string, target: string): string {
  const { document, isLower } = readSpelling(written)
  const binding = parseBinding(target)
  const formatted = binding === undefined ? target : formatTarget(binding)
  const spelled =
    isLower && binding?.kind === 'operation' ? formatted.replace(/^\S+/, (method) => method.toLowerCase()) : formatted
  return document === undefined ? spelled : `${document} ${spelled}`
}

/** Reads the parts of a binding that vary in spelling only: how the document is written, and whether the method is lowercase. */
export function readSpelling(written: string): { readonly document: string | undefined; readonly isLower: boolean } {
  const trimmed = written.trim()
  const binding = parseBinding(trimmed)
  if (!binding) return { document: undefined, isLower: false }
  const match = /(?<!\S)(\S+)\s+\//.exec(trimmed) ?? /(?<!\S)(webhook)\s/i.exec(trimmed)
  const method = match?.[1] ?? ''
  const document = trimmed.slice(0, match?.index ?? 0).trimEnd()
  return { document: document === '' ? undefined : document, isLower: method !== '' && method === method.toLowerCase() }
}

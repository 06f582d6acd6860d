import type { Finding } from '../../diagnostics/diagnostic.ts'
import {
  escapePointerSegment,
  isObject,
  type JsonObject,
  listOf,
  pointerChild,
  readOwn,
  readText,
  stringOf,
} from '../../text/json/json-values.ts'
import { isUrl, normalizePath } from '../../text/plain/paths.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import { defaultDirectory } from '../config/config-files.ts'
import {
  type Division,
  type DivisionKind,
  type DocumentSource,
  describeValue,
  formatTarget,
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
  const findings: Finding[] = []
  const reader: Reader = { report: (finding) => findings.push({ ...finding, file }), divisions: [], ids: new Set() }
  const top = { kind: 'navigation', pointer: '/navigation', id: '/navigation', version: undefined } as const
  readDivision(reader, navigation, { ...top, branch: '', inherited: undefined, depth: 0 })
  return { divisions: reader.divisions, findings }
}

type Report = (finding: Omit<Finding, 'file'>) => void

interface Reader {
  readonly report: Report
  readonly divisions: Division[]
  readonly ids: Set<string>
}

/** Where a division is, and what it has from the ones around it. */
interface DivisionPlace extends Pick<Division, 'kind' | 'pointer' | 'id' | 'version' | 'branch' | 'inherited'> {
  readonly depth: number
}

function readDivision(reader: Reader, value: JsonObject, place: DivisionPlace): void {
  const { report, divisions } = reader
  const { kind, pointer, id, depth } = place
  if (depth > maxDepth) {
    report({ code: 'too-complex', message: `Unexpected navigation nesting of more than ${maxDepth} levels`, pointer })
    return
  }
  const sources = readSources(value['openapi'], `${pointer}/openapi`, report)
  const label = readText(value, kind)
  if (label === undefined && value[kind] !== undefined && kind !== 'navigation')
    report(wrongType(value[kind], `for \`${kind}\``, 'a string', pointerChild(pointer, kind)))
  const version = readText(value, 'version') ?? place.version
  const branch = kind === 'language' || kind === 'version' || kind === 'product' ? pointer : place.branch
  const inherited = sources.length > 0 ? { owner: pointer, sources } : place.inherited
  const entries: NavigationEntry[] = []
  divisions.push({
    id,
    kind,
    label: label ?? '',
    pointer,
    version,
    branch,
    sources,
    inherited,
    entries,
    keys: Object.keys(value),
  })
  for (const [key, list] of Object.entries(value)) {
    const childKind = key === 'pages' ? 'group' : readOwn<DivisionKind>(divisionLists, key)
    const at = `${pointer}/${key}`
    if (childKind === undefined) continue
    if (!Array.isArray(list)) report(wrongType(list, `for \`${key}\``, 'a list', at))
    for (const [index, element] of listOf(list).entries()) {
      const child = pointerChild(at, index)
      if (isObject(element)) {
        const name = nameChild(reader, `${id}/${key}`, index, readText(element, childKind))
        readDivision(reader, element, { kind: childKind, pointer: child, id: name, depth: depth + 1, version, branch, inherited })
      } else if (key === 'pages' && typeof element === 'string') entries.push(toEntry(element, child))
      else report(wrongType(element, `for \`${key}\``, key === 'pages' ? 'page paths and groups' : 'objects', child))
    }
  }
}

/** The ID of a division in a list. */
function nameChild({ ids }: Reader, list: string, index: number, label: string | undefined): string {
  const name = `${list}/${label === undefined ? `#${index + 1}` : escapePointerSegment(label)}`
  let id = name
  for (let count = 2; ids.has(id); count++) id = `${name}#${count}`
  ids.add(id)
  return id
}

function toEntry(text: string, pointer: string): NavigationEntry {
  const binding = parseBinding(text)
  if (binding) return { kind: 'explicit', pointer, binding }
  return { kind: 'page', pointer, path: toPageEntry(text) }
}

function wrongType(value: unknown, where: string, expected: string, pointer: string): Omit<Finding, 'file'> {
  return { code: 'wrong-type', message: `Unexpected ${describeValue(value)} ${where}, expected ${expected}`, pointer }
}

const knownKeys = ['source', 'directory', 'overlays']

/**
 * Reads the value of an `openapi` key: a path or URL, `{ source, directory, overlays }`, or a list of these.
 *
 * Invalid entries are reported and skipped. An absent value yields an empty list. `defaultDirectory` is used for entries without
 * a directory.
 */
export function readSources(value: unknown, pointer: string, report: Report): readonly DocumentSource[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value.flatMap((entry, index) => parseEntry(entry, pointerChild(pointer, index), report) ?? [])
  return [parseEntry(value, pointer, report)].filter((source) => source !== undefined)
}

function parseEntry(raw: unknown, pointer: string, report: Report): DocumentSource | undefined {
  const text = stringOf(raw)
  if (text !== undefined) {
    const source = parseLocation(text, pointer, report)
    return source === undefined ? undefined : { source, directory: defaultDirectory, pointer, raw, overlays: undefined }
  }
  if (!isObject(raw)) {
    report(wrongType(raw, 'for `openapi`', 'a path, a URL, an object with `source`, or a list of these', pointer))
    return undefined
  }
  reportUnknownKeys(raw, pointer, report)
  const [written, at] = [readText(raw, 'source'), `${pointer}/source`]
  if (raw['source'] === undefined) {
    const hint = 'Add `source`, for example `"source": "openapi.yaml"`'
    report({ code: 'missing-field', message: 'Missing `source` in the `openapi` object', pointer, hint })
  } else if (written === undefined) report(wrongType(raw['source'], 'for `source`', 'a path or a URL', at))
  if (written === undefined) return undefined
  const source = parseLocation(written, at, report)
  const directory =
    raw['directory'] === undefined ? defaultDirectory : parseDirectory(raw['directory'], `${pointer}/directory`, report)
  if (source === undefined || directory === undefined) return undefined
  return { source, directory, pointer: at, raw, overlays: parseOverlays(raw['overlays'], `${pointer}/overlays`, report) }
}

function parseOverlays(value: unknown, pointer: string, report: Report): DocumentSource['overlays'] {
  if (value === undefined) return undefined
  if (!Array.isArray(value)) {
    report(wrongType(value, 'for `overlays`', 'a list of paths', pointer))
    return undefined
  }
  const paths = value.flatMap((entry: unknown, index) => {
    const place = pointerChild(pointer, index)
    if (typeof entry === 'string') return parseLocation(entry, place, report) ?? []
    report(wrongType(entry, 'in `overlays`', 'a path', place))
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
    report(wrongType(value, 'for `directory`', 'the path of a directory', pointer))
    return undefined
  }
  const directory = normalizePath(value.replaceAll('\\', '/'))
  const isOutside = directory === '..' || directory.startsWith('../')
  const isOfGit = /(^|\/)\.git(\/|$)/i.test(directory)
  if (!isOutside && !isOfGit) return directory
  const where = isOfGit ? 'in the `.git` directory' : 'outside the docs directory'
  const hint = 'Use a directory below the one that contains `docs.json`'
  report({ code: 'wrong-value', message: `Unexpected \`directory\` \`${value}\` ${where}`, pointer, hint })
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

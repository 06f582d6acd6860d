import type { Finding } from '../diagnostic/diagnostic.ts'
import { isDeeperThan } from '../text/is-deeper-than.ts'
import { isObject, type JsonObject } from '../text/is-object.ts'
import { escapePointerSegment, pointerChild } from '../text/json-pointer.ts'
import { parseSource, type SyntaxFault } from '../text/parse-source.ts'
import { normalizePath } from '../text/relative-path.ts'
import type { SourceFile } from '../text/source-file.ts'
import { type DuplicateKey, findDuplicateKeys } from './find-duplicate-keys.ts'
import { parseBinding } from './parse-binding.ts'
import { parseOpenApiValue } from './parse-openapi-value.ts'
import type { Division, DivisionKind, DocsConfig, InheritedSources, NavigationEntry } from './types.ts'

/** Deepest nesting of divisions that is followed. */
const maxDepth = 100
/** Deepest nesting of lists and objects that an edit of the text can go through. */
const maxNesting = 1_000

/** The keys that hold lists of divisions, with the key that labels each of them. */
const divisionLists = {
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
 * Reads a `docs.json`. Unknown keys are no fault; a key that is read and has the wrong shape is a finding and counts as absent.
 *
 * `docsConfig` is absent only where nothing could be read.
 */
export async function parseDocsConfig(
  source: SourceFile,
): Promise<{ docsConfig: DocsConfig | undefined; findings: readonly Finding[] }> {
  const file = source.path
  const parsed = await parseSource(source)
  if (parsed.value === undefined) {
    return { docsConfig: undefined, findings: parsed.faults.map((fault) => toSyntaxFinding(fault, file)) }
  }
  if (parsed.syntax === 'yaml' || !isObject(parsed.value)) {
    const message = `Unexpected ${parsed.syntax === 'yaml' ? 'text' : 'list'} in \`docs.json\`, expected a JSON object`
    return { docsConfig: undefined, findings: [{ code: 'wrong-type', message, file, pointer: '' }] }
  }
  if (isDeeperThan(parsed.value, maxNesting)) {
    const message = `Unexpected nesting of more than ${maxNesting} levels in \`docs.json\``
    return { docsConfig: undefined, findings: [{ code: 'too-complex', message, file, pointer: '' }] }
  }
  const duplicates = findDuplicateKeys(source.text, ['navigation', 'api'])
  if (duplicates.length > 0) {
    return { docsConfig: undefined, findings: duplicates.map((duplicate) => toDuplicateFinding(duplicate, file)) }
  }
  const reader: Reader = { file, findings: [], divisions: [], ids: new Set() }
  const navigation = parsed.value['navigation']
  if (navigation === undefined) {
    reader.findings.push({
      code: 'missing-field',
      message: 'Missing `navigation` in `docs.json`',
      file,
      pointer: '',
      hint: navigationHint,
    })
  } else if (isObject(navigation)) {
    const place = { kind: 'navigation', pointer: '/navigation', id: '/navigation', depth: 0 } as const
    readDivision(reader, navigation, place, { version: undefined, inherited: undefined })
  } else {
    reportType(reader, '/navigation', 'navigation', navigation, 'an object')
  }
  const api = parsed.value['api']
  if (api !== undefined && !isObject(api)) reportType(reader, '/api', 'api', api, 'an object')
  const openapi = isObject(api) ? parseOpenApiValue(api['openapi'], '/api/openapi', file) : { sources: [], findings: [] }
  reader.findings.push(...openapi.findings)
  return {
    docsConfig: { source, divisions: reader.divisions, apiSources: openapi.sources, value: parsed.value },
    findings: reader.findings,
  }
}

const navigationHint = 'add for example `"navigation": { "tabs": [{ "tab": "API Reference", "openapi": "openapi.yaml" }] }`'

function toSyntaxFinding({ related: _, ...fault }: SyntaxFault, file: string): Finding {
  if (fault.code !== 'empty-document') return { ...fault, file, pointer: '' }
  return { ...fault, message: 'Unexpected empty file, expected a JSON object', hint: navigationHint, file, pointer: '' }
}

function toDuplicateFinding({ key, pointer, offsets, firstOffsets }: DuplicateKey, file: string): Finding {
  const related = [{ pointer, offsets: firstOffsets, message: 'first used here' }]
  const hint = 'remove or rename one of the two'
  return { code: 'duplicate-key', message: `Unexpected duplicate key \`${key}\``, file, pointer, offsets, related, hint }
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
  const { sources, findings } = parseOpenApiValue(value['openapi'], `${pointer}/openapi`, reader.file)
  reader.findings.push(...findings)
  const label = value[kind]
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
  const found = value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value === 'string' ? 'text' : typeof value
  const message = `Unexpected ${found} for \`${key}\`, expected ${expected}`
  reader.findings.push({ code: 'wrong-type', message, file: reader.file, pointer })
}

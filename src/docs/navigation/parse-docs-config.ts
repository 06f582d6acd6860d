import type { Finding } from '../../diagnostics/diagnostic.ts'
import {
  isContainer,
  isDeeperThan,
  isObject,
  type JsonObject,
  parentPointer,
  parsePointer,
  pointerChild,
  readOwn,
} from '../../text/json/json-values.ts'
import { parseSource } from '../../text/parse-source.ts'
import { formatNumber } from '../../text/plain/lists.ts'
import { baseName, isUrl, joinPath, parentPath } from '../../text/plain/paths.ts'
import type { SourceFile, SyntaxProblem } from '../../text/plain/source-file.ts'
import { type ConfigLocation, type ConfigSourceMap, type DocsConfig, describeValue, type FileEdit } from './docs-config.ts'
import type { JsonEdit } from './edit-json.ts'
import { readDivisions, readSources } from './read-divisions.ts'

/** Deepest nesting of lists and objects that can be edited. */
const maxNesting = 1_000

/**
 * Parses a `docs.json`. Unknown keys are allowed. A known key with an invalid value is reported and ignored. `loadFile` reads the target of a `$ref` by its path relative to the boundary.
 *
 * `docsConfig` is `undefined` only if nothing could be read.
 */
export async function parseDocsConfig(
  source: SourceFile,
  loadFile: LoadConfigFile = loadNothing,
): Promise<{ docsConfig: DocsConfig | undefined; findings: readonly Finding[] }> {
  const file = source.path
  const name = baseName(file)
  const parsed = await parseConfigFile(source, docsKeys)
  if (!parsed.value || !isObject(parsed.value)) {
    const message = `Unexpected list in \`${name}\`, expected a JSON object`
    const findings = parsed.value ? [{ code: 'wrong-type', message, file, pointer: '' } as const] : parsed.findings
    return { docsConfig: undefined, findings }
  }
  const read = await resolveConfigReferences(source, parsed.value, loadFile)
  // Without this part, its hand-listed pages are unknown, and an update would generate them again.
  if (read.findings.length > 0) return { docsConfig: undefined, findings: read.findings }
  const { value, sourceMap } = read
  const found: Finding[] = []
  const navigation = readNavigation(value, name, file, found)
  const { divisions, findings } = navigation ? readDivisions(navigation, file) : { divisions: [], findings: [] }
  const api = value['api']
  if (api !== undefined && !isObject(api)) found.push(wrongType('api', api, file))
  found.push(...findings)
  const apiSources = readSources(readOwn(api, 'openapi'), '/api/openapi', (finding) => found.push({ ...finding, file }))
  return { docsConfig: { source, divisions, apiSources, value, sourceMap }, findings: found }
}

/** Reads a file by its path relative to the boundary, or returns the reason why it cannot be read. */
export type LoadConfigFile = (path: string) => Promise<SourceFile | { readonly reason: string }>

const loadNothing: LoadConfigFile = async () => ({ reason: 'no such file' })

/** The keys to check for duplicates. With duplicate keys, it would be unclear which one an edit refers to. */
const docsKeys = ['navigation', 'api', '$ref']

function readNavigation(value: JsonObject, name: string, file: string, found: Finding[]): JsonObject | undefined {
  const navigation = value['navigation']
  if (isObject(navigation)) return navigation
  if (navigation === undefined) {
    const message = `Missing \`navigation\` in \`${name}\``
    found.push({ code: 'missing-field', message, file, pointer: '', hint: navigationHint })
  } else {
    const hint = Array.isArray(navigation) ? { hint: 'Write `{ "groups": […] }`: only a `mint.json` has a list here' } : {}
    found.push({ ...wrongType('navigation', navigation, file), ...hint })
  }
  return undefined
}

function wrongType(key: string, value: unknown, file: string): Finding {
  const message = `Unexpected ${describeValue(value)} for \`${key}\`, expected an object`
  return { code: 'wrong-type', message, file, pointer: `/${key}` }
}

/** Parses a file, or returns the reason why it has no value. */
async function parseConfigFile(
  source: SourceFile,
  keys: readonly string[] | 'all',
): Promise<{ value: object | undefined; findings: readonly Finding[] }> {
  const file = source.path
  const name = baseName(file)
  const { value, syntax, faults } = await parseSource(source, undefined, Number.POSITIVE_INFINITY)
  const refuse = (finding: Pick<Finding, 'code' | 'message' | 'hint'>) => {
    return { value: undefined, findings: [{ ...finding, file, pointer: '' }] }
  }
  const isText = syntax === 'yaml' && !faults.some(({ code }) => code === 'empty-document' || code === 'encoding')
  if (isText || (value !== undefined && !isContainer(value))) {
    const start = /^\s*(<{7}|\/[/*])/.exec(source.text)?.[1]
    const hint = start?.startsWith('<') ? 'Resolve the merge conflict' : 'Remove the comment: JSON does not allow comments'
    return refuse({ code: 'wrong-type', message: `Unexpected content in \`${name}\`, expected JSON`, hint: start && hint })
  }
  if (value === undefined) return { value, findings: faults.map((fault) => toSyntaxFinding(fault, file)) }
  if (isDeeperThan(value, maxNesting)) {
    return refuse({ code: 'too-complex', message: `Unexpected nesting of more than ${maxNesting} levels in \`${name}\`` })
  }
  const isUsed = ({ pointer = '' }: SyntaxProblem) => keys === 'all' || keys.includes(parsePointer(pointer)[0] ?? '')
  const findings = faults.filter(isUsed).map((fault) => toDuplicateFinding(fault, file))
  return { value: findings.length > 0 ? undefined : value, findings }
}

const navigationHint =
  'Add `navigation`, for example `"navigation": { "tabs": [{ "tab": "API Reference", "openapi": "openapi.yaml" }] }`'

function toSyntaxFinding({ related: _, ...fault }: SyntaxProblem, file: string): Finding {
  if (fault.code !== 'empty-document') return { ...fault, file, pointer: '' }
  return { ...fault, message: 'Unexpected empty file, expected a JSON object', hint: navigationHint, file, pointer: '' }
}

function toDuplicateFinding({ related, pointer = '', ...fault }: SyntaxProblem, file: string): Finding {
  return { ...fault, file, pointer, hint: 'Remove or rename one of them', ...(related && { related: [{ pointer, ...related }] }) }
}

/** Adds the file and pointer to diagnostics for a `docs.json`; see `ConfigSourceMap`. */
export function locateFindings(findings: readonly Finding[], docsConfig: DocsConfig | undefined): Finding[] {
  if (!docsConfig) return [...findings]
  const { source, sourceMap } = docsConfig
  return findings.map((finding) => {
    if (finding.file !== source.path || finding.offsets) return finding
    const related = finding.related?.map((place) => {
      const isHere = (place.file ?? finding.file) === source.path && !place.offsets
      return isHere ? { ...place, ...sourceMap.locate(place.pointer, place.on ?? 'value') } : place
    })
    return { ...finding, ...sourceMap.locate(finding.pointer, finding.on ?? 'value'), ...(related ? { related } : {}) }
  })
}

/** Maximum number of `$ref`s, and of UTF-16 code units they include. A file counts each time it is included. */
const limits = { references: 1_000, text: 64 * 1024 * 1024 }

/**
 * Replaces each `$ref` with the content of its file, at any depth, as hosts do. Paths are relative to the file with the `$ref`
 * and must stay in the docs directory. Keys next to a `$ref` override those of the file if it contains an object.
 *
 * A `$ref` that cannot be followed is reported, and only the keys next to it are used.
 */
async function resolveConfigReferences(
  source: SourceFile,
  value: JsonObject,
  loadFile: LoadConfigFile,
): Promise<{ value: JsonObject; sourceMap: ConfigSourceMap; findings: readonly Finding[] }> {
  if (!source.text.includes('"$ref"')) return { value, sourceMap: createSourceMap([source], new Map()), findings: [] }
  const resolver: Resolver = {
    root: parentPath(source.path),
    loadFile,
    sources: new Map([[source.path, source]]),
    included: new Map(),
    findings: [],
    remaining: { ...limits },
  }
  const resolved = await resolve(resolver, value, { file: source.path, pointer: '', through: [source.path] }, '')
  const sourceMap = createSourceMap([...resolver.sources.values()], resolver.included)
  return { value: isObject(resolved) ? resolved : {}, sourceMap, findings: resolver.findings }
}

/** A file included by a `$ref`. */
interface IncludedFile {
  readonly file: string
  /** Keys next to the `$ref`, which belong to the including file. */
  readonly siblingKeys: ReadonlySet<string>
}

interface Resolver {
  /** The docs directory, relative to the boundary. */
  readonly root: string
  readonly loadFile: LoadConfigFile
  readonly sources: Map<string, SourceFile>
  /** By pointer in the result. If a file only contains another `$ref`, the outermost file comes first. */
  readonly included: Map<string, IncludedFile[]>
  readonly findings: Finding[]
  readonly remaining: { references: number; text: number }
}

/** Location of the value to resolve, and the files that include it. */
interface ResolveLocation extends ConfigLocation {
  readonly through: readonly string[]
}

async function resolve(resolver: Resolver, value: unknown, place: ResolveLocation, pointer: string): Promise<unknown> {
  const child = (key: string | number) => ({ ...place, pointer: pointerChild(place.pointer, key) })
  if (Array.isArray(value)) {
    const elements: unknown[] = []
    for (const [index, element] of value.entries()) {
      elements.push(isContainer(element) ? await resolve(resolver, element, child(index), pointerChild(pointer, index)) : element)
    }
    return elements
  }
  if (!isObject(value)) return value
  const reference = value['$ref']
  const entries = Object.entries(value).filter(([key]) => key !== '$ref' || reference === undefined)
  const included = reference === undefined ? undefined : await include(resolver, reference, entries, place, pointer)
  if (included !== undefined && !isObject(included.value)) return included.value
  const own: [string, unknown][] = []
  for (const [key, entry] of entries) {
    own.push([key, isContainer(entry) ? await resolve(resolver, entry, child(key), pointerChild(pointer, key)) : entry])
  }
  return Object.fromEntries([...Object.entries(included?.value ?? {}), ...own])
}

async function include(
  resolver: Resolver,
  reference: unknown,
  siblingKeys: readonly (readonly [string, unknown])[],
  place: ResolveLocation,
  pointer: string,
): Promise<{ readonly value: unknown } | undefined> {
  const report = (finding: Pick<Finding, 'code' | 'message' | 'hint'>) => {
    resolver.findings.push({ ...finding, file: place.file, pointer: pointerChild(place.pointer, '$ref') })
    return undefined
  }
  if (typeof reference !== 'string') {
    return report({ code: 'wrong-type', message: 'Unexpected value for `$ref`, expected the path of a JSON file' })
  }
  const path = joinPath(parentPath(place.file), reference)
  const isInside = resolver.root === '' ? path !== '..' && !path.startsWith('../') : path.startsWith(`${resolver.root}/`)
  const refuse = (reason: string, hint?: string) =>
    report({
      code: 'docs-reference',
      message: `Cannot follow \`$ref\` to \`${reference}\`: ${reason}`,
      ...(hint ? { hint } : {}),
    })
  if (isUrl(reference)) return refuse('it is a URL', 'Commit the file next to `docs.json` and use its path')
  if (!isInside || reference.startsWith('/')) {
    return refuse('it is outside the docs directory', 'Use a path relative to the file that contains the `$ref`')
  }
  if (place.through.includes(path)) return refuse('it is circular')
  if (--resolver.remaining.references < 0) {
    return resolver.remaining.references === -1
      ? refuse(`\`docs.json\` has more than ${formatNumber(limits.references)} references`)
      : undefined
  }
  const source = await resolver.loadFile(path)
  if ('reason' in source) return refuse(source.reason)
  const part = await parseConfigFile(source, 'all')
  resolver.findings.push(...part.findings)
  if (part.value === undefined) return undefined
  resolver.remaining.text -= source.text.length
  if (resolver.remaining.text < 0) return refuse('the total size of the referenced files is too large')
  resolver.sources.set(path, source)
  const included = resolver.included.get(pointer) ?? []
  included.push({ file: path, siblingKeys: new Set(siblingKeys.map(([key]) => key)) })
  resolver.included.set(pointer, included)
  return { value: await resolve(resolver, part.value, { file: path, pointer: '', through: [...place.through, path] }, pointer) }
}

function createSourceMap(
  sources: readonly SourceFile[],
  included: ReadonlyMap<string, readonly IncludedFile[]>,
): ConfigSourceMap {
  const entry = sources[0]?.path ?? ''
  const findKey = (pointer: string): ConfigLocation => {
    let place: ConfigLocation = { file: entry, pointer: '' }
    let walked = ''
    for (const step of parsePointer(pointer)) {
      for (const file of included.get(walked) ?? []) {
        if (file.siblingKeys.has(step)) break
        place = { file: file.file, pointer: '' }
      }
      walked = pointerChild(walked, step)
      place = { file: place.file, pointer: pointerChild(place.pointer, step) }
    }
    return place
  }
  const findValue = (pointer: string): ConfigLocation => {
    const last = included.get(pointer)?.at(-1)
    return last ? { file: last.file, pointer: '' } : findKey(pointer)
  }
  return {
    sources,
    locate: (pointer, part) => (part === 'key' ? findKey(pointer) : findValue(pointer)),
    toFileEdit: (edit) => translate(edit, findKey, findValue),
  }
}

type Find = (pointer: string) => ConfigLocation

function translate(edit: JsonEdit, findKey: Find, findValue: Find): FileEdit {
  switch (edit.kind) {
    case 'insert':
    case 'replace':
    case 'reorder': {
      const { file, pointer } = findValue(edit.array)
      return { file, edit: { ...edit, array: pointer } }
    }
    case 'remove': {
      const { file, pointer } = findKey(edit.pointer)
      return { file, edit: { ...edit, pointer } }
    }
    case 'set': {
      const { file, pointer } = findKey(pointerChild(edit.object, edit.key))
      return { file, edit: { ...edit, object: parentPointer(pointer) } }
    }
  }
}

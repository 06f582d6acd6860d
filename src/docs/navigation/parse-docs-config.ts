import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isDeeperThan, isObject, type JsonObject } from '../../text/json/json-values.ts'
import { parseSource } from '../../text/parse-source.ts'
import { baseName } from '../../text/plain/paths.ts'
import type { SourceFile, SyntaxProblem } from '../../text/plain/source-file.ts'
import { type DocsConfig, describeValue } from './docs-config.ts'
import { type DuplicateKey, findDuplicateKeys } from './edit-json.ts'
import { parseOpenApiValue, readDivisions } from './read-divisions.ts'
import { type LoadConfigPart, resolveConfigReferences } from './resolve-config-references.ts'

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
  const parsed = await parseConfigFile(source, name, docsKeys)
  if (!parsed.value || !isObject(parsed.value)) {
    const message = `Unexpected list in \`${name}\`, expected a JSON object`
    const findings = parsed.value ? [{ code: 'wrong-type', message, file, pointer: '' } as const] : parsed.findings
    return { docsConfig: undefined, findings }
  }
  const read = await resolveConfigReferences(source, parsed.value, toLoadPart(loadFile))
  // Without this part, its hand-listed pages are unknown, and an update would generate them again.
  if (read.findings.length > 0) return { docsConfig: undefined, findings: read.findings }
  const { value, sourceMap } = read
  const found: Finding[] = []
  const navigation = readNavigation(value, name, file, found)
  const { divisions, findings } = isObject(navigation) ? readDivisions(navigation, file) : { divisions: [], findings: [] }
  const api = value['api']
  if (api !== undefined && !isObject(api)) found.push(wrongType('api', api, file))
  const openapi = isObject(api) ? parseOpenApiValue(api['openapi'], '/api/openapi', file) : { sources: [], findings: [] }
  found.push(...findings, ...openapi.findings)
  return { docsConfig: { source, divisions, apiSources: openapi.sources, value, sourceMap }, findings: found }
}

/** Reads a file by its path relative to the boundary, or returns the reason why it cannot be read. */
export type LoadConfigFile = (path: string) => Promise<SourceFile | { readonly reason: string }>

const loadNothing: LoadConfigFile = async () => ({ reason: 'no such file' })

/** The keys to check for duplicates. With duplicate keys, it would be unclear which one an edit refers to. */
const docsKeys = ['navigation', 'api', '$ref']

function readNavigation(value: JsonObject, name: string, file: string, found: Finding[]): unknown {
  const navigation = value['navigation']
  if (navigation === undefined) {
    const message = `Missing \`navigation\` in \`${name}\``
    found.push({ code: 'missing-field', message, file, pointer: '', hint: navigationHint })
  } else if (!isObject(navigation)) {
    const hint = Array.isArray(navigation) ? { hint: 'Write `{ "groups": […] }`: only a `mint.json` has a list here' } : {}
    found.push({ ...wrongType('navigation', navigation, file), ...hint })
  }
  return navigation
}

function wrongType(key: string, value: unknown, file: string): Finding {
  const message = `Unexpected ${describeValue(value)} for \`${key}\`, expected an object`
  return { code: 'wrong-type', message, file, pointer: `/${key}` }
}

/** Parses a file, or returns the reason why it has no value. */
async function parseConfigFile(
  source: SourceFile,
  name: string,
  keys: readonly string[] | 'all',
): Promise<{ value: object | undefined; findings: readonly Finding[] }> {
  const file = source.path
  const parsed = await parseSource(source)
  const isText = parsed.syntax === 'yaml' && !parsed.faults.some(({ code }) => code === 'empty-document' || code === 'encoding')
  if (isText || (parsed.value !== undefined && (typeof parsed.value !== 'object' || parsed.value === null))) {
    const message = `Unexpected content in \`${name}\`, expected JSON`
    const start = /^\s*(<{7}|\/[/*])/.exec(source.text)?.[1]
    const hint =
      start === undefined
        ? undefined
        : start.startsWith('<')
          ? 'Resolve the merge conflict'
          : 'Remove the comment: JSON does not allow comments'
    return {
      value: undefined,
      findings: [{ code: 'wrong-type', message, file, pointer: '', ...(hint === undefined ? {} : { hint }) }],
    }
  }
  if (parsed.value === undefined) {
    return { value: undefined, findings: parsed.faults.map((fault) => toSyntaxFinding(fault, file)) }
  }
  if (isDeeperThan(parsed.value, maxNesting)) {
    const message = `Unexpected nesting of more than ${maxNesting} levels in \`${name}\``
    return { value: undefined, findings: [{ code: 'too-complex', message, file, pointer: '' }] }
  }
  const duplicates = findDuplicateKeys(source.text, keys)
  if (duplicates.length > 0)
    return { value: undefined, findings: duplicates.map((duplicate) => toDuplicateFinding(duplicate, file)) }
  return { value: parsed.value, findings: [] }
}

function toLoadPart(loadFile: LoadConfigFile): LoadConfigPart {
  return async (path) => {
    const source = await loadFile(path)
    if ('reason' in source) return { kind: 'failed', reason: source.reason, findings: [] }
    const { value, findings } = await parseConfigFile(source, baseName(path), 'all')
    return value === undefined ? { kind: 'failed', reason: 'it cannot be read', findings } : { kind: 'loaded', source, value }
  }
}

const navigationHint =
  'Add `navigation`, for example `"navigation": { "tabs": [{ "tab": "API Reference", "openapi": "openapi.yaml" }] }`'

function toSyntaxFinding({ related: _, ...fault }: SyntaxProblem, file: string): Finding {
  if (fault.code !== 'empty-document') return { ...fault, file, pointer: '' }
  return { ...fault, message: 'Unexpected empty file, expected a JSON object', hint: navigationHint, file, pointer: '' }
}

function toDuplicateFinding({ key, pointer, offsets, firstOffsets }: DuplicateKey, file: string): Finding {
  const related = [{ pointer, offsets: firstOffsets, message: 'first used here' }]
  const hint = 'Remove or rename one of them'
  return { code: 'duplicate-key', message: `Unexpected duplicate key \`${key}\``, file, pointer, offsets, related, hint }
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

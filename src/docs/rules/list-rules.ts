import type { Finding, Severity } from '../../diagnostics/diagnostic.ts'
import type { RuleSettings } from '../../diagnostics/finish-diagnostics.ts'
import { loadBuiltIn, readRulesets } from '../../rules/read/read-rulesets.ts'
import { formatsOf, hasFormat, type LoadedRuleset, listAllRules, type Rule, type RulesetPlace } from '../../rules/ruleset.ts'
import { readOwn, readText } from '../../text/json/json-values.ts'
import { locatePointers, parseSource } from '../../text/parse-source.ts'
import { toOneLine } from '../../text/plain/escape-text.ts'
import type { Limits } from '../../text/plain/limits.ts'
import { isUrl, joinPath, parentPath } from '../../text/plain/paths.ts'
import { type SourceFile, toRangeIn, toSourceFile } from '../../text/plain/source-file.ts'
import { readNearestConfig, reportUnread, toLoadDocument } from '../read/find-docs.ts'
import type { CheckTerms, DocsAccess } from '../types.ts'
import { sameAsOwnChecks } from './drop-repeated.ts'
import { namesOfChoice } from './load-rulesets.ts'
import { createRulesetReader } from './read-ruleset.ts'

/** A rule that applies to a document. */
export interface ListedRule {
  readonly rule: Rule
  /** After the settings in the configuration file. */
  readonly severity: Severity
  /** The versions of OpenAPI that it applies to, such as `3.1`. */
  readonly releases: readonly string[]
  /** The codes of openapi-pages that say the same. */
  readonly sameAs: readonly string[]
}

/** The rules for a document, or for the documents of a folder. */
export interface RuleList {
  readonly rules: readonly ListedRule[]
  /** The rulesets that were found: paths relative to the boundary, or URLs. */
  readonly rulesets: readonly string[]
  /** The version of the document, such as `3.1.0`. Undefined for a folder. */
  readonly version: string | undefined
  /** Problems of the rulesets and of the document. */
  readonly findings: readonly Finding[]
  readonly sources: ReadonlyMap<string, SourceFile>
}

/** The versions of the documents of a folder. */
const allReleases: ReadonlyMap<string, string> = new Map([
  ['3.1', '3.1.1'],
  ['3.0', '3.0.4'],
  ['3.2', '3.2.0'],
])

/**
 * Lists the rules that `check` applies to a document, or to documents in a folder, in the order of the ruleset.
 *
 * @param path relative to the boundary, or a URL.
 * @param named see `CheckTerms.rulesets`.
 */
export async function listRules(path: string, access: DocsAccess, named?: CheckTerms['rulesets']): Promise<RuleList> {
  const isFolder = !isUrl(path) && (await access.files.read(path)).kind === 'folder'
  const folder = isFolder ? path : isUrl(path) ? '' : parentPath(path)
  const { config, findings, source } = await readNearestConfig(folder, access)
  const reader = createRulesetReader(access, config, isFolder ? folder : '', named)
  const document = isFolder ? undefined : await readDocument(path, access, config.limits)
  const sources = new Map<string, SourceFile>(source ? [[source.path, source]] : [])
  if (document?.source) sources.set(path, document.source)
  if (document?.finding) return { rules: [], rulesets: [], version: undefined, findings: [document.finding], sources }
  const version = document?.version
  const versions = version === undefined ? allReleases : new Map([[version.split('.', 2).join('.'), version]])
  const rulesets = new Set<string>()
  // All versions share the problems of a ruleset.
  const problems = new Set<Finding>(findings)
  const read = async (value: unknown) => {
    const part = await reader.read(isFolder ? joinPath(folder, 'openapi.yaml') : path, value)
    for (const name of part.choice ? namesOfChoice(part.choice) : []) rulesets.add(name)
    for (const finding of part.findings) problems.add(finding)
    for (const [file, text] of part.sources) sources.set(file, text)
    return part.ruleset ? [...listAllRules(part.ruleset).values()] : []
  }
  const rules = await collectRules(versions, read, config.rules)
  return { rules, rulesets: [...rulesets], version, findings: [...problems], sources }
}

/** Lists all rules of `spectral:oas`, whether they apply to documents or not. */
export async function listBuiltInRules(): Promise<readonly ListedRule[]> {
  const data = { extends: [['spectral:oas', 'all']] }
  const all: LoadedRuleset = { kind: 'built-in', name: 'spectral:all', data, functions: new Map() }
  const load = async (name: string) => loadBuiltIn(name) ?? all
  const loadFunction = async () => ({ kind: 'failed', message: '' }) as const
  const { rulesetFor } = await readRulesets([{ load: () => load(''), place: { file: '', pointer: '' }, precedence: 0 }], {
    load,
    loadFunction,
    runWithin: (run) => run(),
  })
  const read = async (value: unknown) => [...rulesetFor('openapi.yaml', formatsOf(value)).rules.values()]
  return await collectRules(allReleases, read)
}

/** Combines the rules for several versions of OpenAPI. */
async function collectRules(
  versions: ReadonlyMap<string, string>,
  read: (document: unknown) => Promise<readonly Rule[]>,
  severities: RuleSettings['severities'] = new Map(),
): Promise<readonly ListedRule[]> {
  const listed = new Map<string, ListedRule>()
  for (const [release, full] of versions) {
    const document = { openapi: full }
    for (const rule of await read(document)) {
      const severity = severities.get(rule.name) ?? rule.severity
      if (severity === 'off' || !hasFormat(rule, formatsOf(document))) continue
      const isBuiltIn = rule.place.file === 'spectral:oas'
      const known = listed.get(rule.name) ?? {
        rule,
        severity,
        sameAs: (isBuiltIn && readOwn(sameAsOwnChecks, rule.name)?.codes) || [],
        releases: [],
      }
      listed.set(rule.name, { ...known, releases: [...known.releases, release].toSorted() })
    }
  }
  return [...listed.values()]
}

/**
 * What a rule says, on one line: the first paragraph of its description, or its message if that is the same for all problems. Otherwise the
 * names of its functions.
 */
export function describeBriefly({ rule: { description = '', message = '', then } }: ListedRule): string {
  const [paragraph = ''] = description.trim().split(/\r?\n[ \t]*\r?\n/)
  const functions = then.map(({ functionName }) => functionName).join(', ')
  return toOneLine(paragraph || (message.includes('{{') ? functions : message || functions))
}

/** The entries of `then` as YAML. */
export async function formatActions(rule: Rule): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify(toWrittenActions(rule), { lineWidth: 0 })
}

/** The entries of `then`, as rulesets have them. */
export function toWrittenActions({ then }: Rule) {
  return then.map(({ field, functionName, options }) => ({ field, function: functionName, functionOptions: options }))
}

/** Reads the version of a document. `finding`: why it has no rules. */
async function readDocument(path: string, access: DocsAccess, limits: Limits) {
  const loaded = await toLoadDocument(access, path, limits)(path)
  if (loaded.kind === 'failed') return { finding: reportUnread(path, loaded) }
  const source = toSourceFile(path, loaded.bytes)
  const { value } = await parseSource(source)
  const version = readText(value, 'openapi')
  if (version !== undefined && formatsOf(value).size > 1) return { version, source }
  const message = 'Not an OpenAPI document of version 3.0, 3.1 or 3.2, so no rules apply'
  return { source, finding: { code: 'unsupported-version', message, file: path, pointer: '' } as const }
}

/** The lines of places, by file and pointer. */
export async function findLines(
  places: Iterable<RulesetPlace>,
  sources: ReadonlyMap<string, SourceFile>,
): Promise<(place: RulesetPlace) => number | undefined> {
  const byFile = new Map<string, Set<string>>()
  for (const { file, pointer } of places) byFile.set(file, (byFile.get(file) ?? new Set()).add(pointer))
  const lines = new Map<string, number>()
  for (const [file, pointers] of byFile) {
    const source = sources.get(file)
    if (!source) continue
    const located = await locatePointers(source, pointers)
    const toRange = toRangeIn(source)
    for (const pointer of pointers) {
      const place = located.get(pointer)
      if (place) lines.set(`${file}\n${pointer}`, toRange(place.key ?? place.value).start.line)
    }
  }
  return ({ file, pointer }) => lines.get(`${file}\n${pointer}`)
}

import type { Finding, Severity } from '../../diagnostics/diagnostic.ts'
import type { RuleSettings } from '../../diagnostics/finish-diagnostics.ts'
import { formatsOf, hasFormat, type ReportProblem, type Rule, type Ruleset, type RulesetPlace } from '../../rules/ruleset.ts'
import {
  findExamples,
  placeExample,
  type RuleExample,
  readTests,
  runExample,
  type ShownExample,
} from '../../rules/run/rule-examples.ts'
import type { RunWithin } from '../../rules/run/run-ruleset.ts'
import { readText } from '../../text/json/json-values.ts'
import { locatePointers, parseSource } from '../../text/parse-source.ts'
import { toOneLine } from '../../text/plain/escape-text.ts'
import { defaultLimits, type Limits } from '../../text/plain/limits.ts'
import { isUrl, joinPath, parentPath } from '../../text/plain/paths.ts'
import { type SourceFile, toRangeIn, toSourceFile } from '../../text/plain/source-file.ts'
import { readNearestConfig, reportUnread, toLoadDocument } from '../read/find-docs.ts'
import { createTimeLimit } from '../read/time-limit.ts'
import type { CheckTerms, DocsAccess } from '../types.ts'
import { sameAsOwnChecks } from './drop-repeated.ts'
import { loadRulesets, namesOfChoice } from './load-rulesets.ts'
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

/** The versions of examples and of the documents of a folder. */
const exampleReleases: ReadonlyMap<string, string> = new Map([
  ['3.1', '3.1.1'],
  ['3.0', '3.0.4'],
  ['3.2', '3.2.0'],
])

/** The time for all examples of a command. */
const examplesMs = 60_000

/**
 * Lists the rules that `check` applies to a document, or to documents in a folder, in the order of the ruleset.
 *
 * @param path relative to the boundary, or a URL.
 * @param named see `CheckTerms.rulesets`.
 */
export async function listRules(path: string, access: DocsAccess, named?: CheckTerms['rulesets']): Promise<RuleList> {
  const { isFolder, folder, nearest, reader } = await openRulesets(path, access, named)
  const { config, findings, source } = nearest
  const document = isFolder ? undefined : await readDocument(path, access, config.limits)
  const sources = new Map<string, SourceFile>(source ? [[source.path, source]] : [])
  if (document?.source) sources.set(path, document.source)
  if (document?.finding) return { rules: [], rulesets: [], version: undefined, findings: [document.finding], sources }
  const version = document?.version
  const versions = version === undefined ? exampleReleases : new Map([[version.split('.', 2).join('.'), version]])
  const listed = await listRulesFor([isFolder ? joinPath(folder, 'openapi.yaml') : path], versions, reader, config.rules)
  return {
    ...listed,
    version,
    findings: [...new Set([...findings, ...listed.findings])],
    sources: new Map([...sources, ...listed.sources]),
  }
}

/** Opens the rulesets of a document or a folder. */
async function openRulesets(path: string, access: DocsAccess, named: CheckTerms['rulesets']) {
  const isFolder = !isUrl(path) && (await access.files.read(path)).kind === 'folder'
  const folder = isFolder ? path : isUrl(path) ? '' : parentPath(path)
  const nearest = await readNearestConfig(folder, access)
  return { isFolder, folder, nearest, reader: createRulesetReader(access, nearest.config, isFolder ? folder : '', named) }
}

/** Lists all rules of `spectral:oas`, whether they apply to documents or not. */
export async function listBuiltInRules(access: DocsAccess): Promise<readonly ListedRule[]> {
  const { rulesetFor } = await loadRulesets({ kind: 'tested', path: 'spectral:oas' }, access, defaultLimits)
  const read = async (value: unknown) => [...rulesetFor('openapi.yaml', formatsOf(value)).rules.values()]
  return await collectRules(exampleReleases, read)
}

async function listRulesFor(
  documents: readonly string[],
  versions: ReadonlyMap<string, string>,
  reader: ReturnType<typeof createRulesetReader>,
  severities: RuleSettings['severities'],
): Promise<Omit<RuleList, 'version'>> {
  const rulesets = new Set<string>()
  // All versions share the problems of a ruleset.
  const findings = new Set<Finding>()
  const sources = new Map<string, SourceFile>()
  const read = async (value: unknown) => {
    const rules = new Map<string, Rule>()
    for (const document of documents) {
      const part = await reader.read(document, value)
      for (const name of part.choice ? namesOfChoice(part.choice) : []) rulesets.add(name)
      for (const finding of part.findings) findings.add(finding)
      for (const [file, text] of part.sources) sources.set(file, text)
      for (const rule of part.ruleset ? rulesOf(part.ruleset, document) : [])
        if (!rules.has(rule.name)) rules.set(rule.name, rule)
    }
    return [...rules.values()]
  }
  const rules = await collectRules(versions, read, severities)
  return { rules, rulesets: [...rulesets], findings: [...findings], sources }
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
      const known = listed.get(rule.name)
      listed.set(rule.name, {
        ...(known ?? describeRule(rule, severity)),
        releases: [...(known?.releases ?? []), release].toSorted(),
      })
    }
  }
  return [...listed.values()]
}

function describeRule(rule: Rule, severity: Severity): Omit<ListedRule, 'releases'> {
  const { name, place } = rule
  return {
    rule,
    severity,
    sameAs: place.file === 'spectral:oas' && Object.hasOwn(sameAsOwnChecks, name) ? (sameAsOwnChecks[name]?.codes ?? []) : [],
  }
}

/** The rules of a ruleset with the overrides for a whole document. */
function rulesOf({ rules, overrides }: Ruleset, document: string): readonly Rule[] {
  const applied = new Map(rules)
  for (const { rules: changes, appliesTo: isFor } of overrides) {
    if (!isFor(document)) continue
    // A rule that is off elsewhere applies to a part of the document.
    for (const [name, change] of changes) if (typeof change === 'object' && !applied.has(name)) applied.set(name, change)
  }
  return [...applied.values()]
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

/** The entries of `then`, as rulesets have them. */
export function toWrittenActions({ then }: Rule) {
  return then.map(({ field, functionName, options }) => ({ field, function: functionName, functionOptions: options }))
}

interface ReadDocument {
  readonly version?: string
  readonly source?: SourceFile
  /** Why the document has no rules. */
  readonly finding?: Finding
}

async function readDocument(path: string, access: DocsAccess, limits: Limits): Promise<ReadDocument> {
  const loaded = await toLoadDocument(access, path, limits)(path)
  if (loaded.kind === 'failed') return { finding: reportUnread(path, loaded) }
  const source = toSourceFile(path, loaded.bytes)
  const { value } = await parseSource(source)
  const version = readText(value, 'openapi')
  if (version !== undefined && formatsOf(value).size > 1) return { version, source }
  const message = 'Not an OpenAPI document of version 3.0, 3.1 or 3.2, so no rules apply'
  return { source, finding: { code: 'unsupported-version', message, file: path, pointer: '' } }
}

/** Examples of a listed rule, each checked with the rule. @param runWithin shared by all rules of a command. */
export async function findRuleExamples(
  { rule, releases: own }: ListedRule,
  runWithin: RunWithin,
): Promise<readonly ShownExample[]> {
  const release = [...exampleReleases].find(([name]) => own.includes(name))?.[1] ?? own[0] ?? '3.1.1'
  return await findExamples(rule, release, runWithin)
}

/** A time limit for examples. */
export function limitExamples(): RunWithin {
  return createTimeLimit(examplesMs)
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

/** A rule with its examples as text. */
export interface RuleWithExamples extends ListedRule {
  /** The entries of `then`, as YAML. */
  readonly actions: string
  readonly examples: readonly (Omit<ShownExample, 'value'> & {
    /** YAML. */
    readonly text: string
  })[]
}

/** Adds examples to listed rules, which all share a time limit. */
export async function addExamples(rules: readonly ListedRule[]): Promise<readonly RuleWithExamples[]> {
  const { stringify } = await import('yaml')
  const runWithin = limitExamples()
  const shown: RuleWithExamples[] = []
  for (const listed of rules) {
    const found = await findRuleExamples(listed, runWithin)
    const examples = found.map(({ value, isValid, messages }) => ({
      isValid,
      messages,
      text: stringify(value, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false }),
    }))
    shown.push({ ...listed, actions: stringify(toWrittenActions(listed.rule), { lineWidth: 0 }), examples })
  }
  return shown
}

/** What the tests of a rule found. */
interface TestedRule {
  readonly name: string
  readonly place: RulesetPlace
  readonly count: number
  readonly failures: readonly TestFailure[]
}

interface TestFailure {
  readonly isValid: boolean
  readonly place: RulesetPlace
  readonly message: string
}

/** The time for all tests. Rules in a repository can have very many. */
const testsMs = 300_000

/**
 * Runs the examples in `x-tests` of rulesets and of those that they extend. Rules that are not recommended run too.
 *
 * @param path a ruleset or a folder, relative to the boundary, or a URL. The rulesets of a folder are those of a document in it.
 * @param maxMs examples that did not start by then fail.
 * @returns `untested`: the names of the rules without tests, except those of built-in rulesets.
 */
export async function testRulesets(path: string, access: DocsAccess, named?: CheckTerms['rulesets'], maxMs = testsMs) {
  const { isFolder, folder, nearest, reader } = await openRulesets(path, access, named)
  const { choice } = isFolder ? await reader.read(joinPath(folder, 'openapi.yaml'), undefined) : { choice: undefined }
  const rulesets = isFolder ? (choice ? namesOfChoice(choice) : []) : [path]
  const findings: Finding[] = []
  const report: ReportProblem = ({ place, hint, on, message }) =>
    findings.push({ code: 'ruleset-problem', message, ...place, ...(on && { on }), hint })
  const sources = new Map<string, SourceFile>()
  const tested = new Map<string, TestedRule>()
  const untested = new Set<string>()
  const runWithin = limitExamples()
  const startedAt = performance.now()
  for (const ruleset of rulesets) {
    const read = await loadRulesets({ kind: 'tested', path: ruleset }, access, nearest.config.limits)
    for (const [file, source] of read.sources) sources.set(file, source)
    // No file names the ruleset, so a problem of reading it is reported in the ruleset itself.
    findings.push(
      ...read.findings.map((each) => (each.file === 'spectral:tests' ? { ...each, file: ruleset, pointer: '' } : each)),
    )
    const byRelease = new Map(
      [...exampleReleases.values()].map((release) => [
        release,
        read.rulesetFor('openapi.yaml', formatsOf({ openapi: release })).rules,
      ]),
    )
    for (const name of new Set([...byRelease.values()].flatMap((rules) => [...rules.keys()]))) {
      const versions = [...byRelease].flatMap(([release, rules]) => {
        const rule = rules.get(name)
        return rule && hasFormat(rule, formatsOf({ openapi: release })) ? [{ release, rule }] : []
      })
      const rule = versions[0]?.rule ?? [...byRelease.values()].map((rules) => rules.get(name)).find((each) => each)
      if (!rule) continue
      const key = `${rule.place.file}\n${name}`
      if (tested.has(key)) continue
      if (!rule.tests) {
        if (!rule.place.file.startsWith('spectral:')) untested.add(name)
        continue
      }
      const examples = readTests(rule.tests, report)
      const failures: TestFailure[] = []
      for (const example of examples) {
        const isLate = performance.now() - startedAt >= maxMs
        const message = isLate ? 'did not run: the tests take too long' : await testExample(example, versions, runWithin)
        if (message !== undefined) failures.push({ isValid: example.isValid, place: example.place, message })
      }
      tested.set(key, { name, place: rule.tests.place, count: examples.length, failures })
    }
  }
  return { rulesets, tested: [...tested.values()], untested: [...untested], findings, sources }
}

/** A rule as it applies to a version of OpenAPI. */
interface RuleVersion {
  readonly release: string
  readonly rule: Rule
}

/** Says what is wrong with an example. */
async function testExample(
  { isValid, value }: RuleExample,
  versions: readonly RuleVersion[],
  runWithin: RunWithin,
): Promise<string | undefined> {
  const [first] = versions
  if (!first) return 'the rule applies to no version of OpenAPI 3, so the example cannot run'
  // The version of a document decides which expressions of an alias apply.
  const written = formatsOf(value)
  const chosen = written.size === 0 ? first : versions.find(({ release }) => isSame(formatsOf({ openapi: release }), written))
  if (!chosen) return 'the rule does not apply to the version in `openapi`'
  const placed = placeExample(value, chosen.rule.given, chosen.release)
  const result = placed.kind === 'placed' ? await runExample(chosen.rule, placed.document, runWithin) : placed
  if (result.kind === 'failed') return `cannot run: ${result.reason}`
  const [problem, ...others] = result.problems
  if (isValid && problem) {
    const more = others.length === 0 ? '' : `, and ${others.length} more`
    return `expected no problem, found “${problem.message}” at \`#${problem.pointer}\`${more}`
  }
  if (isValid || problem) return undefined
  return `expected a problem, found none${result.selectsValue ? '' : ': `given` selects nothing in this example'}`
}

function isSame(first: ReadonlySet<string>, second: ReadonlySet<string>): boolean {
  return first.size === second.size && [...first].every((each) => second.has(each))
}

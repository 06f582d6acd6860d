import type { Finding } from '../../diagnostics/diagnostic.ts'
import { type ParsedSource, parseSource } from '../../text/parse-source.ts'
import { type SourceFile, sizeOf } from '../../text/plain/source-file.ts'
import { coreFunctions } from '../functions/core-functions.ts'
import {
  type FunctionDefinition,
  type LoadedRuleset,
  type ReportProblem,
  type RulesetLoader,
  type RulesetPlace,
  rulesetLimits,
} from '../ruleset.ts'
import type { Layer } from './compose-rules.ts'
import { listFunctions, parseRuleset } from './parse-ruleset.ts'
import { RulesetNode } from './ruleset-nodes.ts'
import type { ExtendsEntry, OverrideEntry, RulesetFile } from './types.ts'

/** A ruleset that applies by itself, with everything that it extends. */
export interface Root {
  readonly file: string
  readonly layer: Layer
  readonly overrides: readonly Override[]
}

export interface Override {
  readonly entry: OverrideEntry
  readonly extended: Extended
}

/** The rulesets of `extends`. */
export type Extended = Pick<Layer, 'extends' | 'unread'>

/** Collects problems, each once. */
export function collectProblems() {
  const findings: Finding[] = []
  const reported = new Set<string>()
  const add = (finding: Finding) => {
    if (findings.length > rulesetLimits.findings) return
    const key = JSON.stringify([finding.file, finding.pointer, finding.offsets, finding.message])
    if (reported.has(key)) return
    reported.add(key)
    if (findings.length < rulesetLimits.findings) findings.push(finding)
    else {
      const message = `More than ${rulesetLimits.findings} problems in rulesets, the others are not reported`
      findings.push({ code: 'ruleset-problem', message, file: finding.file, pointer: '' })
    }
  }
  const report: ReportProblem = ({ message, place, on, hint, severity }) =>
    add({
      code: 'ruleset-problem',
      message,
      ...place,
      ...(on && { on }),
      hint,
      ...(severity && { severity }),
    })
  return { findings, report, add }
}

/** Reading of files, each with its functions and limits. */
interface Reading {
  readonly loader: RulesetLoader
  readonly problems: Omit<ReturnType<typeof collectProblems>, 'findings'>
  readonly counters: ReturnType<typeof createCounters>
  readonly sources: Map<string, SourceFile>
}

/** Loads files, each once. */
export function createFileLoader(loader: RulesetLoader, problems: Reading['problems']) {
  const { report } = problems
  const counters = createCounters(report)
  const sources = new Map<string, SourceFile>()
  const reading: Reading = { loader, problems, counters, sources }
  const layers = new Map<string, { readonly layer: Layer; readonly parsed: RulesetFile } | 'loading'>()

  const followExtends = async (entries: readonly ExtendsEntry[]): Promise<Extended> => {
    const found: { layer: Layer; level: ExtendsEntry['level']; isExplicit: boolean }[] = []
    const unread = new Set<string>()
    for (const { name, level, isExplicit, place } of entries) {
      const other = otherRulesets.get(name)
      const layer = !other && counters.file(place) ? await loadLayer(await loader.load(name, place.file), place) : undefined
      if (layer) found.push({ layer: layer.layer, level, isExplicit })
      for (const start of layer?.layer.unread ?? [other?.rules ?? '']) unread.add(start)
      if (!other) continue
      const message = `\`${name}\` is not applied: its rules are for ${other.documents} documents`
      report({ message, place, severity: 'info', hint: 'Lint these documents with Spectral' })
    }
    return { extends: found, unread: [...unread] }
  }

  const loadLayer = async (loaded: LoadedRuleset, place: RulesetPlace) => {
    if (loaded.kind === 'failed') {
      const { message, hint, severity } = loaded
      report({ message, place, hint, ...(severity && { severity }) })
      return undefined
    }
    const file = loaded.kind === 'file' ? loaded.source.path : loaded.name
    const known = layers.get(file)
    if (known === 'loading') {
      report({ message: `Ruleset \`${file}\` extends itself`, place, hint: 'Remove this entry' })
      return undefined
    }
    if (known) return known
    layers.set(file, 'loading')
    const parsed = loaded.kind === 'file' ? await parseFile(loaded.source, reading) : parseBuiltIn(loaded, reading)
    if (!parsed) {
      layers.delete(file)
      return undefined
    }
    const layer: Layer = { ...parsed, ...(await followExtends(parsed.extends)) }
    const done = { layer, parsed }
    layers.set(file, done)
    return done
  }

  const loadRoot = async (loaded: LoadedRuleset, place: RulesetPlace): Promise<Root | undefined> => {
    const root = await loadLayer(loaded, place)
    if (!root) return undefined
    const { file, overrides } = root.parsed
    if (overrides.length > rulesetLimits.overrides) {
      const at = { file, pointer: `/overrides/${rulesetLimits.overrides}` }
      report({ message: `A ruleset can have at most ${rulesetLimits.overrides} entries of \`overrides\``, place: at })
    }
    const kept: Override[] = []
    for (const entry of overrides.slice(0, rulesetLimits.overrides)) {
      kept.push({ entry, extended: await followExtends(entry.extends) })
    }
    return { file, layer: root.layer, overrides: kept }
  }

  return { loadRoot, sources }
}

/** Counts what all files may have together, and reports the first that is too many. */
function createCounters(report: ReportProblem) {
  const toCounter = (most: number, message: string, hint?: string) => {
    let left = most
    return (place: RulesetPlace, size = 1): boolean => {
      if (left < 0) return false
      left -= size
      if (left < 0) report({ message, place, hint })
      return left >= 0
    }
  }
  const { files, rules, patterns, allBytes } = rulesetLimits
  const fewerRules = 'The rules from here on are not applied. Remove rules that no document needs'
  return {
    file: toCounter(files, `A ruleset can have at most ${files} files`, 'Merge some of the files'),
    rule: toCounter(rules, `A ruleset can have at most ${rules} rules`, fewerRules),
    pattern: toCounter(patterns, `The patterns in \`files\` can have at most ${patterns} characters together`),
    bytes: toCounter(allBytes, `The files of a ruleset can have at most ${allBytes / 1024 / 1024} MiB together`),
  }
}

async function loadFunctions(
  root: RulesetNode,
  { loader, problems, counters, sources }: Reading,
): Promise<ReadonlyMap<string, FunctionDefinition | undefined>> {
  const functions = new Map<string, FunctionDefinition | undefined>(coreFunctions)
  for (const entry of listFunctions(root, problems.report)) {
    const { name, place } = entry
    // As in Spectral, the core functions have precedence.
    if (coreFunctions.has(name) || !counters.file(place)) continue
    const loaded = await loader.loadFunction(entry)
    functions.set(name, undefined)
    if (loaded.kind === 'failed') {
      problems.report({ ...loaded, place })
      continue
    }
    const { source, load } = loaded
    const { readCustomFunction } = await import('../custom/read-custom-function.ts')
    const read = loader.runWithin(() => readCustomFunction({ name, source, load, coreFunctions }))
    for (const each of read ? loaded.sources : [source]) sources.set(each.path, each)
    if (read?.kind === 'read') functions.set(name, read.definition)
    else if (read) problems.add(read.finding)
    else {
      const message = `Cannot read the function \`${name}\` in \`${entry.file}\`: it takes too long`
      problems.report({ message, hint: 'Simplify the code and the patterns outside of its functions', place })
    }
  }
  return functions
}

async function parseFile(source: SourceFile, reading: Reading): Promise<RulesetFile | undefined> {
  const { loader, problems, counters, sources } = reading
  const { path } = source
  sources.set(path, source)
  const place = { file: path, pointer: '' }
  if (!counters.bytes(place, sizeOf(source))) return undefined
  const { value, faults } = await parseLenient(source)
  for (const { code, message, hint, offsets, related } of faults) {
    // `parseRuleset` reports a ruleset without rules.
    if (code === 'empty-document') continue
    problems.add({
      code: 'ruleset-problem',
      message,
      ...place,
      offsets,
      hint,
      ...(related && { related: [{ ...related, pointer: '' }] }),
      // Spectral reads rulesets with duplicate keys.
      ...(code === 'duplicate-key' && { severity: 'warning' }),
    })
  }
  if (value === undefined && faults.some(({ code }) => code !== 'empty-document')) return undefined
  const root = new RulesetNode(value, place)
  const functions = await loadFunctions(root, reading)
  const { rule: countRule, pattern: countPattern } = counters
  const parsed = loader.runWithin(() => parseRuleset(root, { functions, report: problems.report, countRule, countPattern }))
  if (parsed) return parsed
  const hint = 'Simplify the regular expressions in `functionOptions`'
  problems.report({ message: 'Reading the ruleset takes too long, so it is not applied', place, hint })
  return undefined
}

function parseBuiltIn(
  { name, data, functions: own }: Extract<LoadedRuleset, { kind: 'built-in' }>,
  { problems: { report }, counters }: Reading,
): RulesetFile {
  const functions = new Map([...coreFunctions, ...own])
  const root = new RulesetNode(data, { file: name, pointer: '' })
  return parseRuleset(root, { functions, report, countRule: () => true, countPattern: counters.pattern })
}

/** Spectral reads JSON with commas before `}` and `]`, which YAML allows. */
async function parseLenient(source: SourceFile): Promise<Pick<ParsedSource, 'value' | 'faults'>> {
  const parsed = await parseSource(source)
  if (parsed.syntax !== 'json' || parsed.value !== undefined) return parsed
  const { parseYaml } = await import('../../text/yaml/parse-yaml.ts')
  const asYaml = parseYaml(source.text)
  return asYaml.faults.length === 0 ? asYaml : parsed
}

/** The rulesets of Spectral for other documents, and how the names of their rules start. */
const otherRulesets: ReadonlyMap<string, { readonly documents: string; readonly rules: string }> = new Map([
  ['spectral:asyncapi', { documents: 'AsyncAPI', rules: 'asyncapi-' }],
  ['spectral:arazzo', { documents: 'Arazzo', rules: 'arazzo-' }],
])

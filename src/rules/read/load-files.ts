import type { Finding } from '../../diagnostics/diagnostic.ts'
import { type ParsedSource, parseSource } from '../../text/parse-source.ts'
import { type SourceFile, sizeOf } from '../../text/plain/source-file.ts'
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
import type { ExtendsEntry, OverrideEntry, RulesetFile } from './types.ts'
/** What reads rules besides the files: the functions that every ruleset can use, and the test of path expressions. */
export interface RuleEngine {
  readonly functions: ReadonlyMap<string, FunctionDefinition>
  /** Says what is wrong with a path expression. */
  readonly checkPath: (expression: string) => string | undefined
}

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
  readonly engine: RuleEngine
  readonly problems: Omit<ReturnType<typeof collectProblems>, 'findings'>
  readonly counters: ReturnType<typeof createCounters>
  readonly sources: Map<string, SourceFile>
}

/** Loads files, each once. */
export function createFileLoader(loader: RulesetLoader, engine: RuleEngine, problems: Reading['problems']) {
  const { report } = problems
  const counters = createCounters(report)
  const sources = new Map<string, SourceFile>()
  const reading: Reading = { loader, engine, problems, counters, sources }
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
  let leftFiles = rulesetLimits.files
  let leftBytes = rulesetLimits.allBytes
  let leftRules = rulesetLimits.rules
  let leftPatterns = rulesetLimits.patterns
  const file = (place: RulesetPlace): boolean => {
    if (leftFiles-- > 0) return true
    const hint = 'Merge some of the files'
    if (leftFiles === -1) report({ message: `A ruleset can have at most ${rulesetLimits.files} files`, place, hint })
    return false
  }
  const rule = (place: RulesetPlace): boolean => {
    if (leftRules-- > 0) return true
    const hint = 'The rules from here on are not applied. Remove rules that no document needs'
    if (leftRules === -1) report({ message: `A ruleset can have at most ${rulesetLimits.rules} rules`, place, hint })
    return false
  }

  const pattern = (size: number, place: RulesetPlace): boolean => {
    if (leftPatterns < 0) return false
    leftPatterns -= size
    if (leftPatterns >= 0) return true
    report({ message: `The patterns in \`files\` can have at most ${rulesetLimits.patterns} characters together`, place })
    return false
  }
  const bytes = (size: number, place: RulesetPlace): boolean => {
    leftBytes -= size
    if (leftBytes >= 0) return true
    report({ message: `The files of a ruleset can have at most ${rulesetLimits.allBytes / 1024 / 1024} MiB together`, place })
    return false
  }
  return { file, rule, pattern, bytes }
}

async function loadFunctions(
  value: unknown,
  file: string,
  { loader, engine, problems, counters, sources }: Reading,
): Promise<ReadonlyMap<string, FunctionDefinition | undefined>> {
  const functions = new Map<string, FunctionDefinition | undefined>(engine.functions)
  for (const entry of listFunctions(value, file, problems.report)) {
    const { name, place } = entry
    // As in Spectral, the core functions have precedence.
    if (engine.functions.has(name) || !counters.file(place)) continue
    const loaded = await loader.loadFunction(entry)
    functions.set(name, undefined)
    if (loaded.kind === 'failed') {
      problems.report({ ...loaded, place })
      continue
    }
    const { source, load } = loaded
    const { readCustomFunction } = await import('../custom/read-custom-function.ts')
    const read = loader.runWithin(() => readCustomFunction({ name, source, load, coreFunctions: engine.functions }))
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
  const { loader, engine, problems, counters, sources } = reading
  const { path } = source
  sources.set(path, source)
  const place = { file: path, pointer: '' }
  if (!counters.bytes(sizeOf(source), place)) return undefined
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
  const functions = await loadFunctions(value, path, reading)
  const parsed = loader.runWithin(() =>
    parseRuleset(value, {
      file: path,
      functions,
      report: problems.report,
      countRule: counters.rule,
      countPattern: counters.pattern,
      checkPath: engine.checkPath,
    }),
  )
  if (parsed) return parsed
  const hint = 'Simplify the regular expressions in `functionOptions`'
  problems.report({ message: 'Reading the ruleset takes too long, so it is not applied', place, hint })
  return undefined
}

function parseBuiltIn(
  { name, data, functions: own }: Extract<LoadedRuleset, { kind: 'built-in' }>,
  { engine, problems, counters }: Reading,
): RulesetFile {
  return parseRuleset(data, {
    file: name,
    functions: new Map([...engine.functions, ...own]),
    report: problems.report,
    countRule: () => true,
    countPattern: counters.pattern,
    checkPath: engine.checkPath,
  })
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

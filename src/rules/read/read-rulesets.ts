import type { Finding, Severity } from '../../diagnostics/diagnostic.ts'
import { type ParsedSource, parseSource } from '../../text/parse-source.ts'
import { parentPath, relativePath } from '../../text/plain/paths.ts'
import { type SourceFile, sizeOf } from '../../text/plain/source-file.ts'
import { isUrl } from '../../text/plain/urls.ts'
import type { FunctionDefinition, Rule, Ruleset, RulesetOverride, RulesetPlace } from '../ruleset.ts'
import { type ComposedRules, createComposer, type Layer, toRule } from './compose-rules.ts'
import { listFunctions, parseRuleset } from './parse-ruleset.ts'
import type { Alias, ExtendsEntry, FunctionEntry, OverrideEntry, ReportProblem, RuleEntry, RulesetFile } from './types.ts'

/** What a name in `extends` means. */
export type LoadedRuleset =
  | { readonly kind: 'file'; readonly source: SourceFile }
  | {
      readonly kind: 'built-in'
      readonly name: string
      /** In the shape of a ruleset file. */
      readonly data: unknown
      /** The functions that only this ruleset can use. */
      readonly functions: ReadonlyMap<string, FunctionDefinition>
    }
  | { readonly kind: 'failed'; readonly message: string; readonly hint?: string; readonly severity?: Severity }

/** A function in a JavaScript file, with the files that were read for it. */
export type LoadedFunction = { readonly sources: readonly SourceFile[] } & (
  | { readonly kind: 'read'; readonly definition: FunctionDefinition }
  /** With a location in one of the files. */
  | { readonly kind: 'refused'; readonly finding: Finding }
  | { readonly kind: 'failed'; readonly message: string; readonly hint?: string }
)

/** What reading rulesets needs from outside. */
export interface RulesetLoader {
  /** Loads a ruleset by its name in the `extends` of a file. Never rejects. */
  readonly load: (name: string, from: string) => Promise<LoadedRuleset>
  /** The functions of rules in files. */
  readonly functions: ReadonlyMap<string, FunctionDefinition>
  readonly loadFunction: (entry: FunctionEntry) => Promise<LoadedFunction>
  /** Says what is wrong with a path expression. */
  readonly checkPath: (expression: string) => string | undefined
  /** Runs work that untrusted patterns can make slow. Returns undefined if the time limit of all such work interrupts or precedes it. */
  readonly runWithin: <Result>(run: () => Result) => Result | undefined
}

/** A ruleset that applies by itself. */
export interface RulesetEntry {
  /** Called in the order of the entries. Undefined: the ruleset does not apply by itself after all. */
  readonly load: () => Promise<LoadedRuleset | undefined>
  /** Where problems with loading it are reported. */
  readonly place: RulesetPlace
  /** The rules of the entry with the highest precedence count. */
  readonly precedence: number
}

/** Rulesets, read once for any number of documents. */
export interface ReadRulesets {
  /** Problems of the rulesets. */
  readonly findings: readonly Finding[]
  /** The files of the rulesets, by path or URL. */
  readonly sources: ReadonlyMap<string, SourceFile>
  /**
   * The rules for a document and the files that it references.
   *
   * Entries of `overrides` for whole files are applied already. Those in `Ruleset.overrides` have pointers, and the last one that
   * applies to a location counts.
   *
   * @param document its path relative to the boundary, or its URL.
   * @param formats see `formatsOf`.
   */
  readonly rulesetFor: (document: string, formats: ReadonlySet<string>) => Ruleset
}

/** Protect the machine from rulesets in untrusted repositories. */
export const rulesetLimits = {
  /** The largest file of a ruleset. */
  fileBytes: 4 * 1024 * 1024,
  allBytes: 16 * 1024 * 1024,
  /** The entries of `extends` and `functions` that are followed. */
  files: 100,
  /** Entries of `rules` in all files, without built-in rulesets. */
  rules: 2_000,
  overrides: 200,
  /** The characters of all patterns in `files`. Each is compared with each document. */
  patterns: 20_000,
  /** The expressions of all rules after their aliases are replaced. */
  expressions: 10_000,
  findings: 1_000,
}

/** A ruleset that applies by itself, with everything that it extends. */
interface Root {
  readonly file: string
  readonly layer: Layer
  readonly overrides: readonly Override[]
}

interface Override {
  readonly entry: OverrideEntry
  readonly extended: Extended
}

/** The rulesets of `extends`. */
type Extended = Pick<Layer, 'extends' | 'unread'>

/**
 * Reads rulesets with all rulesets that they extend. A mistake is reported with its location, and the other rules still apply.
 *
 * Several rulesets apply independently. If they have a rule of the same name, that of the highest precedence counts.
 */
export async function readRulesets(entries: readonly RulesetEntry[], loader: RulesetLoader): Promise<ReadRulesets> {
  const problems = collectProblems()
  const files = createFileLoader(loader, problems.report, problems.add)
  const loadedRoots: { readonly root: Root; readonly precedence: number }[] = []
  const tooMany = entries[rulesetLimits.files]
  if (tooMany) problems.report({ message: `At most ${rulesetLimits.files} rulesets can apply`, place: tooMany.place })
  for (const { load, place, precedence } of entries.slice(0, rulesetLimits.files)) {
    const loaded = await load()
    const root = loaded && (await files.loadRoot(loaded, place))
    if (root) loadedRoots.push({ root, precedence })
  }
  const roots = loadedRoots.toSorted((a, b) => a.precedence - b.precedence).map(({ root }) => root)
  for (const root of roots) checkRoot(root, problems.report)
  const combine = createComposer(ignoreProblem)
  const known = new Map<string, Ruleset>()
  const overlays = new Map<string, Layer>()
  return {
    findings: problems.findings,
    sources: files.sources,
    rulesetFor(document, formats) {
      const matches = roots.map((root) => findMatching(root, document))
      const key = JSON.stringify([matches, [...formats]])
      const found = known.get(key)
      if (found) return found
      if (known.size > maxKept) {
        known.clear()
        overlays.clear()
      }
      const rules = new Map<string, Rule>()
      const turnedOff = new Set<string>()
      const overrides: RulesetOverride[] = []
      let left = rulesetLimits.expressions
      for (const [index, root] of roots.entries()) {
        const { whole = [], parts = [] } = matches[index] ?? {}
        const overlayKey = JSON.stringify([index, whole])
        const layer = overlays.get(overlayKey) ?? overlay(root.layer, pick(root.overrides, whole), combine)
        overlays.set(overlayKey, layer)
        const composed = combine(layer)
        for (const [name, rule] of composed) {
          const severity = rule.isOn ? rule.severity : 'off'
          const made = severity === 'off' ? undefined : toRule(rule, severity, formats, ignoreProblem)
          left -= made?.given.length ?? 0
          if (made && made.given.length > 0 && left >= 0) rules.set(name, made)
          if (severity === 'off' && rule.isTurnedOff === true) turnedOff.add(name)
        }
        for (const part of pick(root.overrides, parts))
          overrides.push(...toOverrides(part, root, { composed, rules, formats, document }))
      }
      // The nearest location counts, and of equal ones the last.
      overrides.sort((a, b) => a.pointer.length - b.pointer.length)
      for (const name of rules.keys()) turnedOff.delete(name)
      const ruleset: Ruleset = { rules, turnedOff, overrides }
      known.set(key, ruleset)
      return ruleset
    },
  }
}

/** The most combinations of overrides that stay in memory. */
const maxKept = 50

const ignoreProblem: ReportProblem = () => {}

function pick<Value>(values: readonly Value[], indexes: readonly number[]): readonly Value[] {
  return indexes.flatMap((index) => values[index] ?? [])
}

/** The entries of `overrides` that apply to a document, by their indexes. */
function findMatching(root: Root, document: string): { readonly whole: readonly number[]; readonly parts: readonly number[] } {
  const path = fromRuleset(root.file, document)
  const whole: number[] = []
  const parts: number[] = []
  for (const [index, { entry }] of root.overrides.entries()) {
    const targets = entry.targets.filter(({ test }) => test(path))
    if (targets.some(({ pointer }) => pointer === undefined)) whole.push(index)
    if (targets.some(({ pointer }) => pointer !== undefined)) parts.push(index)
  }
  return { whole, parts }
}

/** The path of a document relative to the folder of a ruleset, as patterns have it. */
function fromRuleset(ruleset: string, document: string): string {
  return isUrl(document) || isUrl(ruleset) ? document : relativePath(parentPath(ruleset), document)
}

/**
 * The layer with entries of `overrides` on top.
 *
 * As in Spectral, `extends` of an override adds rules if both it and the ruleset have `rules`, and otherwise replaces `extends` of the
 * ruleset. Source: `packages/core/src/ruleset/mergers/rulesets.ts`.
 */
function overlay(base: Layer, overrides: readonly Override[], combine: (layer: Layer) => ComposedRules): Layer {
  if (overrides.length === 0) return base
  const rules = new Map<string, RuleEntry>()
  const aliases = new Map<string, Alias>(base.aliases)
  let formats = base.formats
  let added: Extended | undefined
  const known = combine(base)
  for (const { entry, extended } of overrides) {
    for (const [name, rule] of entry.rules) {
      const before = rules.get(name)
      rules.set(name, before?.kind === 'definition' && !known.has(name) ? changeEntry(before, rule) : rule)
    }
    for (const [name, alias] of entry.aliases) aliases.set(name, alias)
    formats = entry.formats ?? formats
    if (entry.extends.length > 0) added = extended
  }
  const top = { documentationUrl: base.documentationUrl, formats, aliases, hasRules: true }
  const hasRules = overrides.some(({ entry }) => entry.hasRules)
  if (added && !(base.hasRules && hasRules)) return { ...top, ...added, rules: hasRules ? rules : base.rules }
  const own = { layer: base, level: 'recommended', isExplicit: false } as const
  return { ...top, extends: [...(added?.extends ?? []), own], unread: [...base.unread, ...(added?.unread ?? [])], rules }
}

/** A rule that an override defines, changed by a later override. */
function changeEntry(before: Extract<RuleEntry, { kind: 'definition' }>, next: RuleEntry): RuleEntry {
  if (next.kind === 'definition') return { ...before, definition: { ...before.definition, ...next.definition } }
  if (next.kind === 'severity') return { ...before, definition: { ...before.definition, severity: next.severity } }
  return next.isOn ? before : { ...before, definition: { ...before.definition, severity: 'off' } }
}

/** The changes of an override for parts of files. */
function toOverrides(
  { entry }: Override,
  root: Root,
  applied: {
    readonly composed: ComposedRules
    readonly rules: ReadonlyMap<string, Rule>
    readonly formats: ReadonlySet<string>
    readonly document: string
  },
): readonly RulesetOverride[] {
  const { composed, rules, formats, document } = applied
  const changes = new Map<string, Severity | 'off' | Rule>()
  for (const [name, change] of entry.rules) {
    const rule = composed.get(name)
    if (!rule || change.kind !== 'severity') continue
    const { severity } = change
    // A rule that is off elsewhere is missing in `rules`.
    const made = severity === 'off' || rules.has(name) ? undefined : toRule(rule, severity, formats, ignoreProblem)
    if (made) changes.set(name, made)
    else if (rules.has(name)) changes.set(name, severity)
  }
  const path = fromRuleset(root.file, document)
  return entry.targets.flatMap(({ test, pointer }) =>
    pointer === undefined || !test(path)
      ? []
      : [{ appliesTo: (file) => test(fromRuleset(root.file, file)), pointer, rules: changes }],
  )
}

/** Reports what is wrong with the rules of a ruleset after `extends`. */
function checkRoot(root: Root, report: ReportProblem): void {
  let left = rulesetLimits.expressions
  const check = (layer: Layer, combine: (layer: Layer) => ComposedRules) => {
    for (const rule of combine(layer).values()) {
      if (left < 0 || (layer !== root.layer && rule.writer !== layer)) continue
      left -= toRule(rule, 'error', undefined, report)?.given.length ?? 0
      if (left >= 0) continue
      const message = `The rules can have at most ${rulesetLimits.expressions} expressions together, after aliases are replaced`
      report({
        message,
        place: rule.place,
        hint: 'The rules from here on are not applied. Select more values with fewer expressions',
      })
    }
  }
  const combine = createComposer(report)
  check(root.layer, combine)
  const known = combine(root.layer)
  const defined = new Set(
    root.overrides.flatMap(({ entry }) => [...entry.rules].flatMap(([name, { kind }]) => (kind === 'definition' ? name : []))),
  )
  for (const override of root.overrides) {
    const layer = overlay(root.layer, [override], combine)
    // A rule of another override can apply to the same file.
    const rules = new Map(
      [...layer.rules].filter(([name, { kind }]) => kind === 'definition' || known.has(name) || !defined.has(name)),
    )
    const checked = { ...layer, rules }
    check(checked, combine)
  }
}

/** Collects problems, each once. */
function collectProblems() {
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
      ...(hint !== undefined && { hint }),
      ...(severity && { severity }),
    })
  return { findings, report, add }
}

/** Loads files, each once. */
function createFileLoader(loader: RulesetLoader, report: ReportProblem, add: (finding: Finding) => void) {
  const sources = new Map<string, SourceFile>()
  const layers = new Map<string, { readonly layer: Layer; readonly parsed: RulesetFile } | 'loading'>()
  let leftFiles = rulesetLimits.files
  let leftBytes = rulesetLimits.allBytes
  let leftRules = rulesetLimits.rules
  let leftPatterns = rulesetLimits.patterns
  const countFile = (place: RulesetPlace): boolean => {
    if (leftFiles-- > 0) return true
    const hint = 'Merge some of the files'
    if (leftFiles === -1) report({ message: `A ruleset can have at most ${rulesetLimits.files} files`, place, hint })
    return false
  }
  const countRule = (place: RulesetPlace): boolean => {
    if (leftRules-- > 0) return true
    const hint = 'The rules from here on are not applied. Remove rules that no document needs'
    if (leftRules === -1) report({ message: `A ruleset can have at most ${rulesetLimits.rules} rules`, place, hint })
    return false
  }

  const countPattern = (size: number, place: RulesetPlace): boolean => {
    if (leftPatterns < 0) return false
    leftPatterns -= size
    if (leftPatterns >= 0) return true
    report({ message: `The patterns in \`files\` can have at most ${rulesetLimits.patterns} characters together`, place })
    return false
  }

  const loadFunctions = async (value: unknown, file: string): Promise<ReadonlyMap<string, FunctionDefinition | undefined>> => {
    const entries = listFunctions(value, file, report)
    const functions = new Map<string, FunctionDefinition | undefined>(loader.functions)
    for (const entry of entries) {
      // As in Spectral, the core functions have precedence.
      if (loader.functions.has(entry.name) || !countFile(entry.place)) continue
      const loaded = await loader.loadFunction(entry)
      functions.set(entry.name, loaded.kind === 'read' ? loaded.definition : undefined)
      for (const source of loaded.sources) sources.set(source.path, source)
      if (loaded.kind === 'refused') add(loaded.finding)
      else if (loaded.kind === 'failed') report({ ...loaded, place: entry.place })
    }
    return functions
  }

  const followExtends = async (entries: readonly ExtendsEntry[]): Promise<Extended> => {
    const found: { layer: Layer; level: ExtendsEntry['level']; isExplicit: boolean }[] = []
    const unread = new Set<string>()
    for (const { name, level, isExplicit, place } of entries) {
      const other = otherRulesets.get(name)
      const layer = !other && countFile(place) ? await loadLayer(await loader.load(name, place.file), place) : undefined
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
    const parsed = loaded.kind === 'file' ? await parseFile(loaded.source) : parseBuiltIn(loaded)
    if (!parsed) {
      layers.delete(file)
      return undefined
    }
    const layer: Layer = { ...parsed, ...(await followExtends(parsed.extends)) }
    const done = { layer, parsed }
    layers.set(file, done)
    return done
  }

  const parseFile = async (source: SourceFile): Promise<RulesetFile | undefined> => {
    const { path } = source
    sources.set(path, source)
    leftBytes -= sizeOf(source)
    const place = { file: path, pointer: '' }
    if (leftBytes < 0) {
      const message = `The files of a ruleset can have at most ${rulesetLimits.allBytes / 1024 / 1024} MiB together`
      report({ message, place })
      return undefined
    }
    const { value, faults } = await parseLenient(source)
    for (const { code, message, hint, offsets, related } of faults) {
      // `parseRuleset` reports a ruleset without rules.
      if (code === 'empty-document') continue
      add({
        code: 'ruleset-problem',
        message,
        ...place,
        offsets,
        ...(hint !== undefined && { hint }),
        ...(related && { related: [{ ...related, pointer: '' }] }),
        // Spectral reads rulesets with duplicate keys.
        ...(code === 'duplicate-key' && { severity: 'warning' }),
      })
    }
    if (value === undefined && faults.some(({ code }) => code !== 'empty-document')) return undefined
    const functions = await loadFunctions(value, path)
    const parsed = loader.runWithin(() =>
      parseRuleset(value, { file: path, functions, report, countRule, countPattern, checkPath: loader.checkPath }),
    )
    if (parsed) return parsed
    const hint = 'Simplify the regular expressions in `functionOptions`'
    report({ message: 'Reading the ruleset takes too long, so it is not applied', place, hint })
    return undefined
  }

  const parseBuiltIn = ({ name, data, functions: own }: Extract<LoadedRuleset, { kind: 'built-in' }>): RulesetFile => {
    const functions = new Map([...loader.functions, ...own])
    return parseRuleset(data, { file: name, functions, report, countRule: () => true, countPattern, checkPath: loader.checkPath })
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

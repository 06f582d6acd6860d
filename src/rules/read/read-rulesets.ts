import spectralOas from '../../../texts/spectral-oas.json' with { type: 'json' }
import type { Finding, Severity } from '../../diagnostics/diagnostic.ts'
import { isUrl, parentPath, relativePath } from '../../text/plain/paths.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import { openapiFunctions } from '../functions/openapi/openapi-functions.ts'
import {
  type LoadedRuleset,
  type ReportProblem,
  type Rule,
  type Ruleset,
  type RulesetLoader,
  type RulesetOverride,
  type RulesetPlace,
  rulesetLimits,
} from '../ruleset.ts'
import { type ComposedRules, createComposer, type Layer, toRule } from './compose-rules.ts'
import { collectProblems, createFileLoader, type Extended, type Override, type Root } from './load-files.ts'
import type { Alias, RuleEntry } from './types.ts'

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

/**
 * Reads rulesets with all rulesets that they extend. A mistake is reported with its location, and the other rules still apply.
 *
 * Several rulesets apply independently. If they have a rule of the same name, that of the highest precedence counts.
 */
export async function readRulesets(entries: readonly RulesetEntry[], loader: RulesetLoader): Promise<ReadRulesets> {
  const problems = collectProblems()
  const files = createFileLoader(loader, problems)
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
  return {
    findings: problems.findings,
    sources: files.sources,
    rulesetFor(document, formats) {
      const matches = roots.map((root) => findMatching(root, document))
      const key = JSON.stringify([matches, [...formats]])
      const found = known.get(key)
      if (found) return found
      if (known.size > maxKept) known.clear()
      const rules = new Map<string, Rule>()
      const turnedOff = new Set<string>()
      const overrides: RulesetOverride[] = []
      let left = rulesetLimits.expressions
      for (const [index, root] of roots.entries()) {
        const { whole = [], parts = [] } = matches[index] ?? {}
        const layer = overlay(root.layer, pick(root.overrides, whole), combine)
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

/** Loads a ruleset that is part of the package: `spectral:oas`. */
export function loadBuiltIn(name: string): LoadedRuleset | undefined {
  if (name !== 'spectral:oas') return undefined
  return { kind: 'built-in', name, data: spectralOas, functions: openapiFunctions }
}

import type { Severity } from '../../diagnostics/diagnostic.ts'
import { getOrMake } from '../../text/plain/lists.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import type { ReportProblem, Rule, RulesetPlace } from '../ruleset.ts'
import type { Alias, ExtendsLevel, GivenText, RuleDefinition, RuleEntry, RulesetPart } from './types.ts'

/** A ruleset with the rulesets that it extends. The layers form a graph without cycles. */
export interface Layer extends Omit<RulesetPart, 'extends'> {
  readonly documentationUrl: string | undefined
  readonly extends: readonly { readonly layer: Layer; readonly level: ExtendsLevel; readonly isExplicit: boolean }[]
  /** The starts of the names of rules that may exist in an extended ruleset that was not read. `''`: all names. */
  readonly unread: readonly string[]
}

/** A rule while rulesets are combined. */
export interface ComposedRule extends Omit<RuleDefinition, 'given'> {
  readonly name: string
  /** The ruleset that defines it first. Its formats apply. */
  readonly owner: Layer
  /** The ruleset that wrote `given`. Its aliases apply. */
  readonly writer: Layer
  readonly isOn: boolean
  /** Whether an entry of `rules` turns it off, and not a level of `extends`. */
  readonly isTurnedOff?: boolean
  readonly severity: Severity | 'off'
  readonly given: readonly GivenText[]
  readonly place: RulesetPlace
}

/** The rules of a layer by name, also those that are off. */
export type ComposedRules = ReadonlyMap<string, ComposedRule>

/** Each unknown name is compared with all known ones. */
const maxHints = 50

/**
 * Combines layers. Each combination is made once.
 *
 * Follows Spectral, in which a rule that is extended is changed in place: first the levels of `extends`, then `rules` in their order.
 * Source: `packages/core/src/ruleset/ruleset.ts` and `mergers/rules.ts`.
 */
export function createComposer(report: ReportProblem): (layer: Layer) => ComposedRules {
  const done = new WeakMap<Layer, Map<string, ComposedRules>>()
  let hints = maxHints
  const compose = (layer: Layer, level: ExtendsLevel, isExplicit: boolean): ComposedRules => {
    const known = getOrMake(done, layer, () => new Map<string, ComposedRules>())
    return getOrMake(known, isExplicit ? level : 'implicit', () => combine(layer, level, isExplicit))
  }
  const combine = (layer: Layer, level: ExtendsLevel, isExplicit: boolean): ComposedRules => {
    const rules = new Map<string, ComposedRule>()
    for (const extension of layer.extends) {
      for (const rule of compose(extension.layer, extension.level, extension.isExplicit).values()) {
        rules.set(rule.name, isExplicit ? { ...rule, isOn: isOnAt(level, rule) } : rule)
      }
    }
    for (const [name, entry] of layer.rules) {
      const before = rules.get(name)
      const merged = before ? change(before, entry, layer) : define(name, entry, layer)
      if (!merged) {
        if (layer.unread.some((start) => name.startsWith(start))) continue
        const hint = hints-- > 0 ? didYouMean(suggest(name, rules.keys())) : undefined
        reportUnknown(name, entry, hint)
        continue
      }
      const formats = merged.formats ?? merged.owner.formats
      const documentationUrl = merged.documentationUrl ?? (layer.documentationUrl && `${layer.documentationUrl}#${name}`)
      rules.set(name, {
        ...merged,
        isOn: merged.owner === layer || isExplicit ? isOnAt(level, merged) : merged.isOn,
        ...(formats && { formats }),
        ...(documentationUrl && { documentationUrl }),
      })
    }
    return rules
  }
  const reportUnknown = (name: string, entry: RuleEntry, hint: string | undefined) => {
    const message =
      entry.kind === 'definition'
        ? `Rule \`${name}\` without \`given\` or \`then\`, expected both in a rule that no extended ruleset has`
        : `Unknown rule \`${name}\`, expected a rule of an extended ruleset`
    report({ message, place: entry.place, on: 'key', hint })
  }
  return (layer) => compose(layer, 'recommended', false)
}

function isOnAt(level: ExtendsLevel, { isRecommended = true }: Pick<ComposedRule, 'isRecommended'>): boolean {
  return level === 'all' || (level === 'recommended' && isRecommended)
}

function change(rule: ComposedRule, entry: RuleEntry, layer: Layer): ComposedRule {
  if (entry.kind === 'switch') return { ...rule, isOn: entry.isOn, isTurnedOff: !entry.isOn }
  if (entry.kind === 'severity') {
    const isOn = entry.severity !== 'off'
    return { ...rule, severity: entry.severity, isOn, isTurnedOff: !isOn }
  }
  const { definition, place } = entry
  return { ...rule, ...definition, isOn: true, ...(definition.given && { writer: layer, place }) } as ComposedRule // Only defined fields.
}

function define(name: string, entry: RuleEntry, layer: Layer): ComposedRule | undefined {
  if (entry.kind !== 'definition') return undefined
  const { given, actions, severity = 'warning' } = entry.definition
  if (!given || !actions) return undefined
  return { ...entry.definition, name, owner: layer, writer: layer, isOn: true, severity, given, place: entry.place }
}

/**
 * The rule as it runs on documents with some formats. Undefined if its aliases cannot be replaced, which is reported.
 *
 * @param formats of the document. Undefined to check all targets of aliases.
 */
export function toRule(
  composed: ComposedRule,
  severity: Severity,
  formats: ReadonlySet<string> | undefined,
  report: ReportProblem,
): Rule | undefined {
  const { name, owner, writer, message, description, documentationUrl, formats: own, resolved = true, place } = composed
  const find = (alias: string) => writer.aliases.get(alias) ?? owner.aliases.get(alias)
  const names = () => [...writer.aliases.keys(), ...owner.aliases.keys()]
  const given: string[] = []
  for (const { text, place: at } of composed.given) {
    const fail: ExpandOptions['fail'] = (problem, hint) => {
      report({ message: problem, place: at, hint })
      return false
    }
    const expanded = expandAlias(text, { find, names, formats, fail })
    if (!expanded) return undefined
    given.push(...expanded)
    if (given.length > maxExpressions) {
      report({ message: `Rule \`${name}\` has more than ${maxExpressions} expressions in \`given\``, place })
      return undefined
    }
  }
  const then = composed.actions ?? []
  return { name, severity, message, description, documentationUrl, given, formats: own, resolved, then, place }
}

interface ExpandOptions {
  /** Finds an alias, with all names for hints. */
  readonly find: (name: string) => Alias | undefined
  readonly names: () => Iterable<string>
  /** The formats of the document. Undefined: expand all targets, to check them. */
  readonly formats: ReadonlySet<string> | undefined
  readonly fail: (message: string, hint?: string) => false
}

/** The most expressions of a rule. Aliases can refer to each other, so that a short ruleset could stand for any number of them. */
const maxExpressions = 1_000
const maxLength = 10_000

/**
 * Replaces the alias at the start of an expression: `#Operation.parameters` becomes as many expressions as `Operation` has.
 *
 * Source: Spectral, "Aliases" (docs/guides/4c-aliases.md).
 */
function expandAlias(expression: string, { find, names, formats, fail }: ExpandOptions): readonly string[] | undefined {
  const given: string[] = []
  let left = maxExpressions
  const expand = (text: string, path: readonly string[]): boolean => {
    if (!text.startsWith('#')) return given.push(text) > 0
    const [, name] = /^#([A-Za-z0-9_-]+)/.exec(text) ?? []
    if (name === undefined) return fail(`Unexpected \`${text.slice(0, 20)}\`, expected the name of an alias after \`#\``)
    if (path.includes(name))
      return fail(`Alias \`${name}\` refers to itself: ${[...path.slice(path.indexOf(name)), name].join(' → ')}`)
    const alias = find(name)
    if (!alias) return fail(`Unknown alias \`${name}\``, didYouMean(suggest(name, names())))
    const rest = text.slice(name.length + 1)
    return givenOf(alias, formats).every((part) => {
      if (--left >= 0 && part.length + rest.length <= maxLength) return expand(part + rest, [...path, name])
      return fail(`Aliases stand for more than ${maxExpressions} expressions, or for one that is too long`)
    })
  }
  return expand(expression, []) ? given : undefined
}

function givenOf(alias: Alias, formats: ReadonlySet<string> | undefined): readonly string[] {
  if (!formats) return alias.flatMap(({ given }) => given)
  return alias.findLast((target) => target.formats?.some((format) => formats.has(format)) ?? true)?.given ?? []
}

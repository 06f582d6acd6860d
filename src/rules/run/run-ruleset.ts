import { type Finding, formatCount, type Severity } from '../../diagnostics/diagnostic.ts'
import { isContainer, isWithin } from '../../text/json/json-values.ts'
import { addTo, formatNumber, getOrMake, lazy } from '../../text/plain/lists.ts'
import { parsePath } from '../path/parse-path.ts'
import type { ParsedPath } from '../path/syntax.ts'
import { type Match, visitMatches } from '../path/visit-matches.ts'
import {
  formatsOf,
  hasFormat,
  listAllRules,
  type Path,
  type Rule,
  type RuleAction,
  type RuleContext,
  RuleFailure,
  type RuleProblem,
  type Ruleset,
} from '../ruleset.ts'
import { type LintTarget, listLintTargets } from './lint-targets.ts'
import { type DescriptionFiles, locate, type RuleDocument, resolveDocument, toUnresolved } from './resolve-document.ts'
import { cutMessage, fillMessage, formatSteps } from './rule-message.ts'

/** Runs a function, and interrupts it at a time limit, also inside a regular expression. */
export type RunWithin = (run: () => void, maxMs: number) => RunEnd

/** `no-time`: the function did not start, because those before it used all of the time. */
type RunEnd = 'finished' | 'too-long' | 'too-much-memory' | 'no-time'

/** The limits of one run. */
export interface RunLimits {
  /** The time for all rules in one walk of the description. */
  readonly togetherMs: number
  /** The time for each rule alone, if they take too long together. */
  readonly aloneMs: number
  /** The most visited values and other work of a walk. */
  readonly steps: number
  /** The most of these for a rule that checks each path to each value: a document can have many more paths than values. */
  readonly pathSteps: number
  readonly problemsPerRule: number
  readonly problems: number
}

const defaultRunLimits: RunLimits = {
  togetherMs: 15_000,
  aloneMs: 3_000,
  steps: 1_000_000_000,
  pathSteps: 2_000_000,
  problemsPerRule: 10_000,
  problems: 100_000,
}

/** The rules after the last one of these do not run, so that a hostile ruleset ends soon. */
const maxSlowRules = 10

interface RunOptions {
  readonly limits?: RunLimits
  /** The rules that took too long in other documents. They are not run again, and this run adds those that it finds. */
  readonly slowRules?: Set<string>
}

/**
 * Applies the rules of a ruleset to a description.
 *
 * All rules share one walk of the description. If that exceeds a limit, each rule runs alone, so that one slow rule loses only its own
 * problems. Each limit that is exceeded is a problem of the ruleset. Each problem is reported once per rule, location and message.
 */
export function runRuleset(
  ruleset: Ruleset,
  files: DescriptionFiles,
  runWithin: RunWithin,
  { limits = defaultRunLimits, slowRules = new Set() }: RunOptions = {},
): readonly Finding[] {
  const { entryPath } = files
  const formats = formatsOf(files.documents.get(entryPath)?.parsed.value)
  const selected = selectRules(ruleset)
  const rules = selected.rules.filter((rule) => !slowRules.has(toRuleKey(rule)) && hasFormat(rule, formats))
  if (rules.length === 0) return []
  const unresolved = toUnresolved(files)
  const resolve = lazy(() => resolveDocument(files))
  const report = createReport(entryPath, selected.severityAt, limits)
  const walk = (some: readonly Rule[]): RunEnd | 'too-many-steps' => {
    let steps = 0
    const spend = (count: number) => {
      steps += count
      if (steps > limits.steps) throw new StepLimit()
    }
    let isOver = false
    const end = runWithin(
      () => {
        try {
          for (const isResolved of [true, false]) {
            const group = some.filter((rule) => rule.resolved === isResolved)
            if (group.length === 0) continue
            const document = isResolved ? resolve() : unresolved
            walkDocument(group, { document, unresolved, resolve, report, spend, pathSteps: limits.pathSteps })
          }
        } catch (error) {
          if (!(error instanceof StepLimit)) throw error
          isOver = true
        }
      },
      some.length > 1 ? limits.togetherMs : limits.aloneMs,
    )
    return isOver ? 'too-many-steps' : end
  }
  if (rules.length === 1 || walk(rules) !== 'finished') {
    const notRun: Rule[] = []
    let slow = 0
    for (const rule of rules) {
      const end = slow < maxSlowRules ? walk([rule]) : 'no-time'
      if (end === 'no-time') notRun.push(rule)
      else if (end !== 'finished') {
        slow++
        slowRules.add(toRuleKey(rule))
        const what = end === 'too-much-memory' ? 'needs too much memory' : 'takes too long'
        report.rules(
          [rule],
          (name) => `${name} ${what} in \`${entryPath}\`, so some of its problems are not reported, also in other documents`,
          { hint: 'Simplify the expressions in `given` and the patterns of the rule' },
        )
      }
    }
    report.rules(notRun, (names) => `${names} did not run in \`${entryPath}\`: the ruleset takes too long`)
  }
  return report.findings()
}

/** Rules can have the same name in different rulesets. */
function toRuleKey({ place }: Rule): string {
  return `${place.file}#${place.pointer}`
}

/** Thrown by `RuleContext.spend`. */
class StepLimit extends Error {
  override readonly name: string = 'StepLimit'
}

/** Thrown by `RuleContext.spend` in a walk of all paths. */
class PathLimit extends StepLimit {
  override readonly name = 'PathLimit'
}

interface SelectedRules {
  readonly rules: readonly Rule[]
  readonly severityAt: (rule: Rule, file: string, pointer: string) => Severity | 'off'
}

/** Applies the overrides, which change the severity of problems in a part of a file. */
function selectRules(ruleset: Ruleset): SelectedRules {
  const { rules: everywhere, overrides } = ruleset
  const severityAt: SelectedRules['severityAt'] = (rule, file, pointer) => {
    let severity: Severity | 'off' = everywhere.has(rule.name) ? rule.severity : 'off'
    for (const { rules: changes, pointer: around, appliesTo } of overrides) {
      const change = changes.get(rule.name)
      // The nearest location is last.
      if (change !== undefined && isWithin(pointer, around) && appliesTo(file))
        severity = typeof change === 'object' ? change.severity : change
    }
    return severity
  }
  return { rules: [...listAllRules(ruleset).values()], severityAt }
}

interface RuleWalk {
  readonly document: RuleDocument
  readonly unresolved: RuleDocument
  readonly resolve: () => RuleDocument
  readonly report: Report
  readonly spend: (steps: number) => void
  readonly pathSteps: number
}

/** Runs the rules in a document: those with functions that read paths for each path, if there are not too many. */
function walkDocument(rules: readonly Rule[], walk: RuleWalk): void {
  const pathRules = rules.filter(readsPath)
  const others = rules.filter((rule) => !readsPath(rule))
  if (others.length > 0) visitValues(others, walk, false)
  if (pathRules.length === 0) return
  // Together, rules have five times the time of one.
  let stepsLeft = walk.pathSteps * Math.min(pathRules.length, 5)
  const spend = (count: number) => {
    walk.spend(count)
    stepsLeft -= count
    if (stepsLeft < 0) throw new PathLimit()
  }
  try {
    visitValues(pathRules, { ...walk, spend }, true)
  } catch (error) {
    if (!(error instanceof PathLimit)) throw error
    walk.report.rules(
      pathRules,
      (names) =>
        `${names} did not check each path in \`${walk.document.file}\`, because there are too many: each value was checked with one of its paths`,
      { severity: 'info' },
    )
    visitValues(pathRules, walk, false)
  }
}

function readsPath({ then }: Rule): boolean {
  return then.some((action) => action.readsPath)
}

/** Runs the rules in one walk of a document. */
function visitValues(
  rules: readonly Rule[],
  { document, unresolved, resolve, report, spend }: RuleWalk,
  matchesEachPath: boolean,
): void {
  const byExpression = new Map<string, Rule[]>()
  for (const rule of rules) for (const expression of new Set(rule.given)) addTo(byExpression, expression, rule)
  const findValues = createFindValues(document, spend)
  /** One object for all calls, because most calls find nothing. */
  const call: { rule: Rule | undefined; match: Match | undefined; target: LintTarget } = {
    rule: undefined,
    match: undefined,
    target: { path: [], value: undefined },
  }
  const context: RuleContext = {
    get path() {
      return [...(call.match?.path ?? []), ...call.target.path]
    },
    document: document.value,
    unresolved: unresolved.value,
    get resolved() {
      return resolve().value
    },
    get namedTargets() {
      return resolve().namedTargets
    },
    get rule() {
      return call.rule ?? { name: '' }
    },
    spend,
  }
  const check = (rule: Rule, { run, field, options }: RuleAction, match: Match) => {
    for (const target of field === undefined
      ? [{ path: [], value: match.value }]
      : listLintTargets(match.value, field, findValues)) {
      call.rule = rule
      call.match = match
      call.target = target
      let problems: readonly RuleProblem[]
      try {
        problems = run(target.value, options, context)
      } catch (error) {
        if (error instanceof StepLimit) throw error
        report.failure(rule, error)
        return
      }
      for (const problem of problems) {
        if (report.hasEnded(rule)) return
        report.problem(rule, problem, { document, path: context.path, target })
      }
    }
  }
  const queries: { path: ParsedPath; onMatch: (match: Match) => void }[] = []
  for (const [expression, group] of byExpression) {
    const parsed = parsePath(expression)
    // The reader of rulesets reports it.
    if (parsed.kind === 'failed') continue
    queries.push({
      path: parsed.path,
      onMatch(match) {
        for (const rule of group) {
          if (report.hasEnded(rule)) continue
          for (const action of rule.then) check(rule, action, match)
        }
      },
    })
  }
  visitMatches(document.value, queries, { originOf: document.originOf, spend, matchesEachPath })
}

/** Evaluates `field` expressions, each parsed once. */
function createFindValues({ originOf }: RuleDocument, spend: (steps: number) => void) {
  const paths = new Map<string, ReturnType<typeof parsePath>>()
  return (expression: string, value: unknown): readonly LintTarget[] => {
    const parsed = getOrMake(paths, expression, () => parsePath(expression))
    if (parsed.kind === 'failed') return []
    const targets: LintTarget[] = []
    const onMatch = (match: Match) => {
      targets.push({ path: match.path, value: match.value })
    }
    visitMatches(value, [{ path: parsed.path, onMatch }], { originOf, spend })
    return targets
  }
}

/** Where a function found a problem. */
interface ProblemPlace {
  readonly document: RuleDocument
  /** The path of the value that the function checked. */
  readonly path: Path
  readonly target: LintTarget
}

/** Collects the problems of a run. */
interface Report {
  problem(rule: Rule, problem: RuleProblem, place: ProblemPlace): void
  /** Reports that a function threw an error, which ends the rule. */
  failure(rule: Rule, error: unknown): void
  /** Reports a problem of the ruleset at the first of the rules, unless it has one. The message begins with their names. */
  rules(rules: readonly Rule[], toMessage: (names: string) => string, more?: Pick<Finding, 'hint' | 'severity'>): void
  /** Whether a rule has failed, or has found as many problems as are reported. */
  hasEnded(rule: Rule): boolean
  findings(): readonly Finding[]
}

function createReport(entryPath: string, severityAt: SelectedRules['severityAt'], limits: RunLimits): Report {
  const found = new Map<string, Finding>()
  const counts = new Map<string, number>()
  /** One problem of the ruleset for each rule. */
  const problems = new Map<string, Finding>()
  /** The rules that end early. */
  const ended = new Set<string>()
  const addProblem = (rule: Rule, problem: Pick<Finding, 'message' | 'hint' | 'severity'>) => {
    if (!problems.has(rule.name)) problems.set(rule.name, { code: 'ruleset-problem', ...problem, ...rule.place })
  }
  /** The paths of checked values with problems, by the locations of both. */
  const firstPaths = new Map<string, string>()
  /** Whether a rule has reported the problem for another path to the same value. */
  const isRepeated = (rule: Rule, { document, path }: ProblemPlace, { file, pointer }: Finding) => {
    const value = locate(document, path)
    const key = `${rule.name}\n${value.file}\n${value.pointer}\n${file}\n${pointer}`
    const text = path.join('\n')
    return getOrMake(firstPaths, key, () => text) !== text
  }
  const isFull = ({ name }: Rule) => (counts.get(name) ?? 0) >= limits.problemsPerRule || found.size >= limits.problems
  return {
    problem(rule, problem, place) {
      const finding = toFinding(rule, problem, place)
      const severity = severityAt(rule, finding.file, finding.pointer)
      if (severity === 'off') return
      const key = `${rule.name}\n${finding.file}\n${finding.pointer}\n${finding.message}`
      if (found.has(key) || (readsPath(rule) && isRepeated(rule, place, finding))) return
      if (isFull(rule)) {
        const most = formatNumber(found.size >= limits.problems ? limits.problems : limits.problemsPerRule)
        const message = `Rule \`${rule.name}\` finds more than ${most} problems in \`${entryPath}\`. The rest are not reported`
        addProblem(rule, { message, severity: 'warning' })
        ended.add(rule.name)
        return
      }
      counts.set(rule.name, (counts.get(rule.name) ?? 0) + 1)
      found.set(key, { ...finding, severity })
    },
    failure(rule, error) {
      if (!(error instanceof RuleFailure) || error.endsRule) ended.add(rule.name)
      if (error instanceof RuleFailure) problems.set(rule.name, error.finding)
      else addProblem(rule, { message: `Rule \`${rule.name}\` failed in \`${entryPath}\`: ${toReason(error)}` })
    },
    rules([first, ...others], toMessage, more) {
      if (!first) return
      const names = `Rule \`${first.name}\`${others.length === 0 ? '' : ` and ${formatCount(others.length, 'other')}`}`
      addProblem(first, { message: toMessage(names), ...more })
    },
    hasEnded: (rule) => ended.has(rule.name),
    findings() {
      // Rules can share a function that fails.
      const distinct = new Map(
        [...problems.values()].map((finding) => [`${finding.file}\n${finding.pointer}\n${finding.message}`, finding]),
      )
      return [...found.values(), ...distinct.values()]
    },
  }
}

function toReason(error: unknown): string {
  if (error instanceof RangeError) return 'it needs too much memory'
  return error instanceof Error ? error.message : String(error)
}

/** Locates a problem in the file where the value is written, or the closest value around it. */
function toFinding(rule: Rule, problem: RuleProblem, { document, path, target }: ProblemPlace): Finding {
  const place = locate(document, problem.path ?? path)
  const last = path.at(-1)
  // A rule can check keys, by `@key` or `~`.
  const isKey =
    problem.path === undefined && last !== undefined && (target.isKey || place.value !== target.value) && target.value === last
  const { file, pointer, steps, missing, value } = isKey ? place.asKey() : place
  const message = toMessage(rule, problem, {
    property: missing.length > 0 ? formatSteps([...steps.slice(-1), ...missing]) : (steps.at(-1) ?? ''),
    path: `#${pointer}`,
    value: isKey ? last : value,
    description: rule.description ?? '',
    error: '',
  })
  return {
    code: 'ruleset',
    rule: {
      name: rule.name,
      ...(rule.description !== undefined && { description: rule.description }),
      ...(rule.documentationUrl !== undefined && { documentationUrl: rule.documentationUrl }),
    },
    message,
    file,
    pointer,
    on: isKey || isContainer(value) ? 'key' : 'value',
  }
}

function toMessage(rule: Rule, problem: RuleProblem, values: Parameters<typeof fillMessage>[1]): string {
  const error = fillMessage(problem.message, values)
  const message =
    rule.message === undefined ? cutMessage(rule.description ?? error) : fillMessage(rule.message, { ...values, error })
  return message.trim() || error || `Problem found by rule \`${rule.name}\``
}

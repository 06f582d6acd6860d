import { compareText } from '../../source/compare-text.ts'
import type { Project } from '../../status/types.ts'
import { type ProjectRuleCounts, type RuleCount, sumRuleCount } from '../../store/rule-count-store.ts'
import { toProjectName } from '../run/run-context.ts'

/** How far repositories follow the rules of their organization. */
export interface Scorecard {
  /** The docs directories with the most errors first, then those with the most problems. */
  readonly rows: readonly ScoreRow[]
  /** The rules that find problems, those with the most errors first. */
  readonly rules: readonly ScoredRule[]
  /** The ruleset of the newest check. Absent without rows. */
  readonly ruleset: ProjectRuleCounts['ruleset'] | undefined
}

export interface ScoreRow {
  readonly project: Project
  readonly counted: ProjectRuleCounts
  readonly sum: Counts
  readonly byRule: ReadonlyMap<string, Counts>
  /** The change of the number of problems since `counted.earlier`. */
  readonly change: number | undefined
}

interface ScoredRule {
  readonly name: string
  readonly sum: Counts
  /** The number of docs directories with problems. */
  readonly projectCount: number
}

type Counts = Omit<RuleCount, 'rule'>

const none: Counts = { errors: 0, warnings: 0, infos: 0 }

/** Sorts the counts of projects, worst first. */
export function toScorecard(projects: readonly Project[], found: readonly ProjectRuleCounts[]): Scorecard {
  const byId = new Map(projects.map((project) => [project.id, project]))
  const rows: ScoreRow[] = []
  const rules = new Map<string, ScoredRule>()
  for (const counted of found) {
    const project = byId.get(counted.projectId)
    if (!project) continue
    let sum = none
    const byRule = new Map<string, Counts>()
    for (const { rule: name, ...counts } of counted.counts) {
      sum = add(sum, counts)
      byRule.set(name, counts)
      const before = rules.get(name) ?? { name, sum: none, projectCount: 0 }
      rules.set(name, { name, sum: add(before.sum, counts), projectCount: before.projectCount + 1 })
    }
    const change = counted.earlier && counted.total - counted.earlier.total
    rows.push({ project, counted, sum, byRule, change })
  }
  const newest = rows.toSorted((a, b) => compareText(b.counted.checkedAt, a.counted.checkedAt))[0]
  return {
    rows: rows.sort((a, b) => byCounts(a.sum, b.sum) || compareText(toProjectName(a.project), toProjectName(b.project))),
    rules: [...rules.values()].sort((a, b) => byCounts(a.sum, b.sum) || compareText(a.name, b.name)),
    ruleset: newest?.counted.ruleset,
  }
}

function add(a: Counts, b: Counts): Counts {
  return { errors: a.errors + b.errors, warnings: a.warnings + b.warnings, infos: a.infos + b.infos }
}

function byCounts(a: Counts, b: Counts): number {
  return b.errors - a.errors || sumRuleCount(b) - sumRuleCount(a)
}

/** Formats a scorecard as CSV (RFC 4180) with a column for each rule. */
export function toCsv({ rows, rules }: Scorecard): string {
  const fixed = ['repository', 'directory', 'commit', 'checked', 'errors', 'warnings', 'infos', 'change', 'compared with']
  const lines = [
    [...fixed, ...rules.map(({ name }) => name)],
    ...rows.map(({ project, counted, sum, change, byRule }) => [
      `${project.owner}/${project.repo}`,
      project.root,
      counted.sha,
      counted.day,
      sum.errors,
      sum.warnings,
      sum.infos,
      change ?? '',
      counted.earlier?.day ?? '',
      ...rules.map(({ name }) => sumRuleCount(byRule.get(name) ?? none)),
    ]),
  ]
  return lines.map((line) => `${line.map(toCell).join(',')}\r\n`).join('')
}

/** Text that starts like a formula gets an apostrophe, because spreadsheets would run it. Source: OWASP, "CSV Injection". */
function toCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/.test(value) ? `'${value}` : value
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

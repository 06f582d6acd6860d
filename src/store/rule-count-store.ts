import type { Kysely } from 'kysely'
import type { EndedUpdate } from '../status/types.ts'
import { chunk, type StoreContext } from './store-context.ts'
import type { Tables } from './tables.ts'

/** The problems that a rule finds in a repository. */
export interface RuleCount {
  /** The name of the rule. Untrusted text. */
  readonly rule: string
  readonly errors: number
  readonly warnings: number
  readonly infos: number
}

/** The ruleset of an organization when it was applied. */
interface AppliedOrganizationRuleset {
  /** The repository with the ruleset: `acme/.github`. */
  readonly name: string
  readonly repositoryId: number
  readonly isPrivate: boolean
  readonly path: string
  /** The commit of that repository. */
  readonly sha: string
  readonly ruleCount: number
  /** Whether checks reported only new problems. */
  readonly isNewOnly: boolean
  /** The day on which all problems are reported, if there is one. */
  readonly newOnlyUntil?: string | undefined
  /** The first problems of the ruleset itself. Untrusted text. */
  readonly problems: readonly string[]
  readonly problemCount: number
}

/** What the rules of an organization find in a docs directory. */
export interface RuleCounts {
  readonly ruleset: AppliedOrganizationRuleset
  /** The rules that find problems. */
  readonly counts: readonly RuleCount[]
}

/** `none`: no rules of an organization apply any more. */
export type NewRuleCounts = RuleCounts | 'none'

/** The newest counts of a project. */
export interface ProjectRuleCounts extends RuleCounts {
  readonly projectId: string
  /** The day of the check, `2026-11-26` in UTC. */
  readonly day: string
  /** The time of the check. */
  readonly checkedAt: string
  /** The checked commit. */
  readonly sha: string
  /** The number of problems. */
  readonly total: number
  /** The counts to compare with: the newest ones before a given day, else the first ones. Absent if there are no older ones. */
  readonly earlier?: { readonly day: string; readonly total: number }
}

/**
 * The problems with the rules of organizations on the default branches of projects: the last result of each day, which `UpdateQueue.finish`
 * stores. Those of the last 400 days are kept.
 */
export interface RuleCountStore {
  /**
   * The newest counts of projects. Projects without counts are left out.
   *
   * @param before The day that `earlier` is before or on.
   */
  list(projectIds: readonly string[], before: string): Promise<readonly ProjectRuleCounts[]>
}

/** Protect the store from rulesets with many rules. Those with the most problems are kept. */
const maxRules = 300
const maxNameLength = 200

const idsPerQuery = 500

export function createRuleCountStore({ reader }: Pick<StoreContext, 'reader'>): RuleCountStore {
  /** The rows of projects on their first or last day, on or before another one. */
  const selectDay = (which: 'first' | 'last', ids: readonly string[], until: string) =>
    reader
      .selectFrom('rule_counts')
      .where('project_id', 'in', ids)
      .where('day', '=', ({ selectFrom }) =>
        selectFrom('rule_counts as other')
          .select(({ fn }) => (which === 'first' ? fn.min('other.day') : fn.max('other.day')).as('day'))
          .whereRef('other.project_id', '=', 'rule_counts.project_id')
          .where('other.day', '<=', until),
      )
  return {
    async list(projectIds, before) {
      const found: ProjectRuleCounts[] = []
      for (const ids of chunk(projectIds, idsPerQuery)) {
        const earlier = new Map<string, { readonly day: string; readonly total: number }>()
        for (const query of [selectDay('first', ids, lastDay), selectDay('last', ids, before)]) {
          const rows = await query.select(['project_id', 'day', 'total']).execute()
          for (const { project_id: id, day, total } of rows) earlier.set(id, { day, total })
        }
        const newest = await selectDay('last', ids, lastDay).selectAll().execute()
        for (const { project_id: projectId, day, sha, total, counts } of newest) {
          const compared = earlier.get(projectId)
          const isOlder = compared !== undefined && compared.day < day
          // `storeRuleCounts` wrote exactly this type.
          const stored = JSON.parse(counts) as StoredCounts
          found.push({ projectId, day, sha, total, ...stored, ...(isOlder && { earlier: compared }) })
        }
      }
      return found
    },
  }
}

type StoredCounts = Omit<ProjectRuleCounts, 'projectId' | 'day' | 'sha' | 'total' | 'earlier'>

/** After all days. */
const lastDay = '9999-12-31'

/** Stores the counts of an ended update, in the caller's transaction. They replace earlier ones of the day. */
export async function storeRuleCounts(
  transaction: Kysely<Tables>,
  { projectId, commit, endedAt }: EndedUpdate,
  counted: NewRuleCounts,
): Promise<void> {
  if (counted === 'none') {
    await transaction.deleteFrom('rule_counts').where('project_id', '=', projectId).execute()
    return
  }
  const { ruleset, counts } = counted
  const kept = counts
    .toSorted((a, b) => sumRuleCount(b) - sumRuleCount(a))
    .slice(0, maxRules)
    .map((count) => ({ ...count, rule: count.rule.slice(0, maxNameLength) }))
  const content: StoredCounts = { checkedAt: endedAt, ruleset, counts: kept }
  const row = {
    project_id: projectId,
    day: endedAt.slice(0, 10),
    sha: commit.sha,
    total: counts.reduce((sum, count) => sum + sumRuleCount(count), 0),
    counts: JSON.stringify(content),
  }
  await transaction
    .insertInto('rule_counts')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project_id', 'day']).doUpdateSet(row))
    .execute()
}

export function sumRuleCount({ errors, warnings, infos }: Omit<RuleCount, 'rule'>): number {
  return errors + warnings + infos
}

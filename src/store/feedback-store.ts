import type { Kysely } from 'kysely'
import { compareText } from '../source/compare-text.ts'
import type { Project } from '../status/types.ts'
import { type StoreContext, toTime } from './store-context.ts'
import type { Tables } from './tables.ts'

/** Something that a reader sent. Pages are paths in the site, `/` for the start page. */
export type Feedback =
  | { readonly kind: 'answer'; readonly page: string; readonly answer: 'yes' | 'no' }
  /** The comment of an answer, which is counted on its own. */
  | { readonly kind: 'comment'; readonly page: string; readonly answer: 'yes' | 'no'; readonly comment: string }
  /** A search without results. */
  | { readonly kind: 'search'; readonly query: string }

export interface FeedbackOfWeek {
  /** Pages with the most “no” first. */
  readonly pages: readonly FeedbackOfPage[]
  /** Frequent ones first. */
  readonly searches: readonly { readonly query: string; readonly count: number }[]
}

interface FeedbackOfPage {
  readonly page: string
  readonly yes: number
  readonly no: number
  /** Newest first. */
  readonly comments: readonly { readonly answer: 'yes' | 'no'; readonly comment: string }[]
}

/**
 * Answers of readers by page, and searches without results, counted by week. A week begins on Monday in UTC and is named by it: `2026-11-23`.
 *
 * Stores nothing about readers.
 */
export interface FeedbackStore {
  /**
   * Counts an answer or a search, or stores a comment, of which a project keeps the newest 100 of a week. False if the project does not exist, or has
   * too many different pages or searches in this week.
   */
  add(project: Pick<Project, 'id' | 'installationId'>, feedback: Feedback): Promise<boolean>
  /** The weeks of a project with feedback, newest first. */
  listWeeks(projectId: string): Promise<readonly string[]>
  read(projectId: string, week: string): Promise<FeedbackOfWeek>
}

/** Different pages with an answer, and different searches, of a project and week. */
const maxSubjects = 500

const maxComments = 100

export function createFeedbackStore({ writeFor, reader, now, newId }: StoreContext): FeedbackStore {
  return {
    async add({ id, installationId = 0 }, feedback) {
      const place = { project_id: id, week: toWeek(now()) }
      return await writeFor(installationId, async (transaction) => {
        const project = await transaction.selectFrom('projects').select('id').where('id', '=', id).executeTakeFirst()
        if (!project) return false
        if (feedback.kind === 'comment') {
          const { page, answer, comment } = feedback
          await addComment(transaction, { ...place, id: newId(), page, answer, comment })
          return true
        }
        const [kind, subject] =
          feedback.kind === 'search' ? (['search', feedback.query] as const) : ([feedback.answer, feedback.page] as const)
        return await addCount(transaction, { ...place, kind, subject, count: 1 })
      })
    },

    async listWeeks(projectId) {
      const rows = await reader
        .selectFrom('feedback_counts')
        .select('week')
        .distinct()
        .where('project_id', '=', projectId)
        .orderBy('week', 'desc')
        .execute()
      return rows.map(({ week }) => week)
    },

    async read(projectId, week) {
      const counts = await reader
        .selectFrom('feedback_counts')
        .select(['kind', 'subject', 'count'])
        .where('project_id', '=', projectId)
        .where('week', '=', week)
        .execute()
      const comments = await reader
        .selectFrom('feedback_comments')
        .select(['page', 'answer', 'comment'])
        .where('project_id', '=', projectId)
        .where('week', '=', week)
        .orderBy('id', 'desc')
        .execute()
      const countOf = (kind: string, subject: string) =>
        counts.find((row) => row.kind === kind && row.subject === subject)?.count ?? 0
      const answers = counts.filter(({ kind }) => kind !== 'search')
      const pages = [...new Set([...answers.map(({ subject }) => subject), ...comments.map(({ page }) => page)])].map((page) => ({
        page,
        yes: countOf('yes', page),
        no: countOf('no', page),
        comments: comments.filter((row) => row.page === page).map(({ answer, comment }) => ({ answer, comment })),
      }))
      const searches = counts.flatMap(({ kind, subject: query, count }) => (kind === 'search' ? [{ query, count }] : []))
      return {
        pages: pages.sort((one, other) => other.no - one.no || other.yes - one.yes || compareText(one.page, other.page)),
        searches: searches.sort((one, other) => other.count - one.count || compareText(one.query, other.query)),
      }
    },
  }
}

/** Counts a subject. False if the week has too many. */
async function addCount(transaction: Kysely<Tables>, row: Tables['feedback_counts']): Promise<boolean> {
  const { count: _count, subject, ...place } = row
  const rows = transaction.selectFrom('feedback_counts').where((expression) => expression.and(place))
  const known = await rows.select('subject').where('subject', '=', subject).executeTakeFirst()
  if (!known) {
    const { number } = await rows.select(({ fn }) => fn.countAll<number>().as('number')).executeTakeFirstOrThrow()
    if (Number(number) >= maxSubjects) return false
  }
  await transaction
    .insertInto('feedback_counts')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'week', 'kind', 'subject'])
        .doUpdateSet((expression) => ({ count: expression('feedback_counts.count', '+', 1) })),
    )
    .execute()
  return true
}

/** Adds a comment, and deletes the oldest ones of its week over the limit. */
async function addComment(transaction: Kysely<Tables>, row: Tables['feedback_comments']): Promise<void> {
  await transaction.insertInto('feedback_comments').values(row).execute()
  const old = await transaction
    .selectFrom('feedback_comments')
    .select('id')
    .where('project_id', '=', row.project_id)
    .where('week', '=', row.week)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(maxComments)
    .executeTakeFirst()
  if (old) await transaction.deleteFrom('feedback_comments').where('id', '=', old.id).execute()
}

/** The Monday of a time, in UTC. */
function toWeek(timeMs: number): string {
  const days = Math.floor(timeMs / 86_400_000)
  // 1970 began on a Thursday.
  return toTime((days - ((days + 3) % 7)) * 86_400_000).slice(0, 10)
}

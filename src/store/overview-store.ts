import type { Kysely } from 'kysely'
import { fromCursor, toCursor } from './list-cursor.ts'
import type { StoreContext } from './store-context.ts'
import type { Tables } from './tables.ts'
import type { OverviewStore } from './types.ts'
import { storedUpdateColumns, toStoredUpdate } from './update-rows.ts'

/** Ended records that a summary looks at. */
const mostSummarized = 1000

/** Records whose changes `readStamp` sees. */
const stamped = 50

export function createOverviewStore({ reader }: Pick<StoreContext, 'reader'>): OverviewStore {
  /** Project by project, along the index of each; one question over all would sort all that they ever had. */
  const newestOf = async (projectIds: readonly string[], before: string | undefined, limit: number) => {
    const lists = await Promise.all(
      projectIds.map((projectId) => {
        const query = reader.selectFrom('updates').select('id').where('project_id', '=', projectId)
        return (before === undefined ? query : query.where('id', '<', before)).orderBy('id', 'desc').limit(limit).execute()
      }),
    )
    const ids = lists.flat().map(({ id }) => id)
    return ids.sort().reverse().slice(0, limit)
  }
  return {
    async list(projectIds, { limit, cursor }) {
      const before = cursor === undefined ? undefined : fromCursor(cursor)
      if (cursor !== undefined && before === undefined) return undefined
      const ids = await newestOf(projectIds, before, limit + 1)
      const shown = ids.slice(0, limit)
      const last = shown.at(-1)
      const updates = await findAll(reader, shown)
      return { updates, ...(ids.length > limit && last !== undefined ? { nextCursor: toCursor(last) } : {}) }
    },

    async listRefs(projectId, { limit, offset = 0, first }) {
      const rows = await reader
        .selectFrom('updates')
        .select((expression) => ['ref', expression.fn.max('id').as('id')])
        .where('project_id', '=', projectId)
        .groupBy('ref')
        .execute()
      const sorted = rows.toSorted((a, b) => (a.id < b.id ? 1 : -1))
      const ids = [...sorted.filter(({ ref }) => ref === first), ...sorted.filter(({ ref }) => ref !== first)].map(({ id }) => id)
      const updates = await findAll(reader, ids.slice(offset, offset + limit))
      return { updates, count: rows.length }
    },

    async summarize(projectId, since) {
      const rows = await reader
        .selectFrom('updates')
        .select(['state', 'created_at', 'ended_at'])
        .where('project_id', '=', projectId)
        .orderBy('id', 'desc')
        .limit(mostSummarized)
        .execute()
      const ended = rows.filter((row) => row.created_at >= since && row.ended_at !== null)
      const times = ended
        .filter(({ state }) => state === 'success')
        .map((row) => Date.parse(row.ended_at ?? '') - Date.parse(row.created_at))
        .sort((a, b) => a - b)
      const medianMs = times[Math.floor(times.length / 2)]
      return {
        ended: ended.length,
        succeeded: times.length,
        isCut: rows.length === mostSummarized && ended.length === mostSummarized,
        ...(medianMs === undefined ? {} : { medianMs }),
      }
    },

    async readStamp(projectIds) {
      const ids = await newestOf(projectIds, undefined, stamped)
      if (ids.length === 0) return ''
      const rows = await reader.selectFrom('updates').select(['id', 'revision']).where('id', 'in', ids).execute()
      return rows
        .map(({ id, revision }) => `${id}:${revision}`)
        .sort()
        .join(' ')
    },
  }
}

/** In the order of the ids. */
async function findAll(reader: Kysely<Tables>, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await reader
    .selectFrom('updates')
    .select(['id', ...storedUpdateColumns])
    .where('id', 'in', ids)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, toStoredUpdate(row)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

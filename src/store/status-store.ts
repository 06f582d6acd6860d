import { findKey, insertKey } from './accept-work.ts'
import { fromCursor, toCursor } from './list-cursor.ts'
import { createReadCache } from './read-cache.ts'
import { type StoreContext, toTime } from './store-context.ts'
import type { StatusStore, StoredUpdate, UpdateDetails } from './types.ts'
import { insertUpdate, type StoredRow, storedUpdateColumns, toStoredUpdate } from './update-rows.ts'

/** Most records of one page. */
const maxListLimit = 100

/** Records kept in memory. */
const cachedRecords = 10_000

export function createStatusStore(context: StoreContext): StatusStore {
  const { write, reader } = context
  // Compiled once: it is asked for on every request.
  const byId = reader
    .selectFrom('updates')
    .innerJoin('projects', 'projects.id', 'updates.project_id')
    .select(storedUpdateColumns)
    .where('updates.id', '=', '')
    .where('projects.deleted_at', 'is', null)
    .compile()
  const find = createReadCache(context, cachedRecords, async (id: string): Promise<StoredUpdate | undefined> => {
    const { rows } = await reader.executeQuery<StoredRow>({ ...byId, parameters: [id] })
    return rows[0] && toStoredUpdate(rows[0])
  })

  return {
    find,

    async list(projectId, { ref, sha, status, limit = 20, cursor } = {}) {
      const after = cursor === undefined ? undefined : fromCursor(cursor)
      if (cursor !== undefined && after === undefined) return undefined
      const count = Math.min(Math.max(1, Math.trunc(limit)), maxListLimit)
      let query = reader
        .selectFrom('updates')
        .select(['id', ...storedUpdateColumns])
        .where('project_id', '=', projectId)
      if (ref !== undefined) query = query.where('ref', '=', ref)
      if (sha !== undefined) query = query.where('sha', '=', sha)
      if (status !== undefined) query = query.where('state', '=', status)
      if (after !== undefined) query = query.where('id', '<', after)
      const rows = await query
        .orderBy('id', 'desc')
        .limit(count + 1)
        .execute()
      const page = rows.slice(0, count)
      const last = page.at(-1)
      return {
        updates: page.map(toStoredUpdate),
        ...(rows.length > count && last ? { nextCursor: toCursor(last.id) } : {}),
      }
    },

    async findLastSuccess(projectId, ref) {
      const row = await reader
        .selectFrom('updates')
        .select(storedUpdateColumns)
        .where('project_id', '=', projectId)
        .where('ref', '=', ref)
        .where('state', '=', 'success')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && toStoredUpdate(row)
    },

    async listOpen(limit = 100) {
      const rows = await reader
        .selectFrom('updates')
        .select(storedUpdateColumns)
        .where('ended_at', 'is', null)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(toStoredUpdate)
    },

    async addDetails(statusId, details) {
      return await write(async (transaction) => {
        const row = await transaction.selectFrom('updates').select('details').where('id', '=', statusId).executeTakeFirst()
        if (!row) return false
        const given = Object.entries(details).filter(([, value]) => value !== undefined)
        // We wrote it ourselves, from this type.
        const merged = { ...(JSON.parse(row.details) as UpdateDetails), ...Object.fromEntries(given) }
        await transaction
          .updateTable('updates')
          .set({ details: JSON.stringify(merged) })
          .where('id', '=', statusId)
          .execute()
        return true
      })
    },

    async findReport(statusId) {
      const row = await reader.selectFrom('reports').select('report').where('update_id', '=', statusId).executeTakeFirst()
      return row?.report
    },

    async addEnded({ update, details, report, idempotency }) {
      return await write(async (transaction) => {
        const earlier = idempotency && (await findKey(transaction, context, idempotency))
        if (earlier) return earlier
        const { projectId } = update
        const project = await transaction
          .selectFrom('projects')
          .select('id')
          .where('id', '=', projectId)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
        if (!project)
          return { kind: 'accepted', updates: [{ projectId, outcome: 'no-project', statusId: undefined }], superseded: [] }
        await insertUpdate(transaction, update, details)
        if (report !== undefined) await transaction.insertInto('reports').values({ update_id: update._id, report }).execute()
        if (idempotency) await insertKey(transaction, idempotency, [update._id], toTime(context.now()))
        return { kind: 'accepted', updates: [{ projectId, outcome: 'created', statusId: update._id }], superseded: [] }
      })
    },
  }
}

import { type Kysely, sql } from 'kysely'
import type { EndedUpdate, UpdateState } from '../../status/update-record.ts'
import { createReadCache } from '../database/read-caches.ts'
import { chunk, type StoreDatabase } from '../database/store-database.ts'
import type { ApiChangesRow, Tables } from '../database/tables.ts'
import {
  fromCursor,
  type StoredApiChanges,
  type StoredUpdate,
  toPage,
  type UpdateDetails,
  type UpdateSummary,
} from './stored-records.ts'
import { findForTip, mergeDetails, type StoredRow, storedUpdateColumns, toStoredUpdate, type WantedTip } from './update-rows.ts'

export interface ListOptions {
  /** Full ref. */
  readonly ref?: string
  /** 40 hexadecimal digits. */
  readonly sha?: string
  readonly status?: UpdateState | undefined
  /** 1 to 100. Default: 20. */
  readonly limit?: number
  /** `nextCursor` of the previous page; opaque. */
  readonly cursor?: string | undefined
}

/** Maximum number of records per page. */
const maxListLimit = 100

/** Databases limit the number of parameters, and a long query of SQLite blocks the process. */
const maxIdsPerQuery = 500

/** Size of the cached records as JSON text, in UTF-16 units. In memory, they take up to four times as many bytes. */
const maxCachedSize = 32 * 1024 * 1024

export type StatusStore = ReturnType<typeof createStatusStore>

export function createStatusStore(database: StoreDatabase) {
  const { write, reader } = database
  return {
    ...createStatusReads(database),
    ...createStatusLists(reader),

    /** Merges details; `undefined` fields are ignored. False if there is no such record. */
    async addDetails(statusId: string, details: Partial<UpdateDetails>) {
      return await write((transaction) => mergeDetails(transaction, statusId, details))
    },

    /** JSON text that `Store.queue.finish` or `Store.acceptEnded` stored beside the record. */
    async findReport(statusId: string) {
      const row = await reader.selectFrom('reports').select('report').where('update_id', '=', statusId).executeTakeFirst()
      return row?.report
    },

    /** What `Store.queue.finish` stored for the check and the comment. */
    async findResults(statusId: string) {
      const row = await reader.selectFrom('reports').select('results').where('update_id', '=', statusId).executeTakeFirst()
      return row?.results ?? undefined
    },
  }
}

/** The methods that read single records. */
function createStatusReads({ reader, readVersion }: StoreDatabase) {
  const live = reader
    .selectFrom('updates')
    .innerJoin('projects', 'projects.id', 'updates.project_id')
    .where('projects.deleted_at', 'is', null)
  // Compiled once, because every request uses it.
  const byId = live.select(storedUpdateColumns).where('updates.id', '=', '').compile()
  const read = async (id: string): Promise<StoredUpdate | undefined> => {
    const { rows } = await reader.executeQuery<StoredRow>({ ...byId, parameters: [id] })
    return rows[0] && toStoredUpdate(rows[0])
  }
  const cacheOptions = {
    readVersion,
    maxSize: maxCachedSize,
    sizeOf: ({ json }: StoredUpdate) => json.length,
  }
  const isEnded = ({ update }: StoredUpdate) => update.endedAt !== undefined
  const findOpen = createReadCache(
    { ...cacheOptions, tables: ['updates', 'projects'], isKept: (stored) => !isEnded(stored) },
    read,
  )
  const findRecent = createReadCache<StoredUpdate>(
    // Other records change all the time. Ended records change only with their screenshots, and when their project is deleted.
    { ...cacheOptions, tables: ['projects', 'site_files'], isKept: isEnded },
    findOpen,
  )

  return {
    /** The record with this ID; `undefined` if there is none. Never stale. */
    find: read,

    /**
     * Like `find`, but from memory if possible. Changes of other processes appear later (`ReadVersion`). The revision and details of an ended
     * record may be older.
     */
    findRecent,

    /** A number that changes when a record may have changed (`ReadVersion`). */
    readVersion: () => readVersion(['updates', 'projects']),

    /** The revisions and states of those of these records that exist. Never stale. */
    async readRevisions(statusIds: readonly string[]) {
      const revisions = new Map<string, Pick<StoredUpdate, 'revision'> & { readonly status: UpdateState }>()
      for (const ids of chunk(statusIds, maxIdsPerQuery)) {
        const rows = await live
          .select(['updates.id', 'updates.revision', 'updates.state'])
          .where('updates.id', 'in', ids)
          .execute()
        // The store wrote the state from this type.
        for (const { id, revision, state } of rows) revisions.set(id, { revision, status: state as UpdateState })
      }
      return revisions
    },
  }
}

/** The methods that search the records of projects. */
function createStatusLists(reader: Kysely<Tables>) {
  return {
    /** The records of one or several projects, newest first; `undefined` for an invalid cursor. */
    async list(projectIds: string | readonly string[], { limit = 20, cursor, ...filter }: ListOptions = {}) {
      const before = fromCursor(cursor)
      if (before === undefined) return undefined
      const count = Math.min(Math.max(1, Math.trunc(limit)), maxListLimit)
      const ids = await listIds(reader, projectIds, { ...filter, before, limit: count + 1 })
      const { page, next } = toPage(ids, count, (id) => id)
      return { updates: await findAll(reader, page), ...next }
    },

    /** The newest record of a project. */
    async findNewest(projectId: string, filter?: Omit<ListOptions, 'limit' | 'cursor'>) {
      const [newest] = await findAll(reader, await listIds(reader, projectId, { ...filter, limit: 1 }))
      return newest
    },

    /** `findForTip` of `update-rows.ts`. */
    findForTip: (tip: WantedTip) => findForTip(reader, tip),
  }
}

/** The IDs of records, newest first. One query per project uses the index. A single query would sort all their records. */
async function listIds(
  reader: Kysely<Tables>,
  projectIds: string | readonly string[],
  {
    ref,
    sha,
    status,
    before,
    limit,
  }: Omit<ListOptions, 'limit' | 'cursor'> & { readonly before?: string; readonly limit: number },
): Promise<readonly string[]> {
  const lists = await Promise.all(
    [projectIds].flat().map((projectId) => {
      let query = reader.selectFrom('updates').select('id').where('project_id', '=', projectId)
      if (before !== undefined) query = query.where('id', '<', before)
      if (ref !== undefined) query = query.where('ref', '=', ref)
      if (sha !== undefined) query = query.where('sha', '=', sha)
      if (status !== undefined) query = query.where('state', '=', status)
      return query.orderBy('id', 'desc').limit(limit).execute()
    }),
  )
  const ids = lists.flat().map(({ id }) => id)
  return ids.sort().reverse().slice(0, limit)
}

/** Maximum number of ended records in a summary. */
const maxSummarized = 1000

/** Number of records that `readStamp` covers. */
const stampedRecords = 50

/** Queries over many records for the dashboard. */
export function createOverviewStore({ reader }: Pick<StoreDatabase, 'reader'>) {
  return {
    /** The newest record of each ref, `first` in front, then newest first. `count` is the number of refs. */
    async listRefs(
      projectId: string,
      { limit, offset = 0, first }: { readonly limit: number; readonly offset?: number; readonly first?: string },
    ) {
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

    /** The newest record of each project, and the state of the newest one of its default branch: one statement for all projects. */
    async listNewest() {
      const { rows } = await sql<{ readonly id: string; readonly newest: string | null; readonly state: UpdateState | null }>`
        select id, (select max(id) from updates where project_id = projects.id) as newest, (
          select state from updates where project_id = projects.id and ref = 'refs/heads/' || default_branch order by updates.id desc limit 1
        ) as state from projects`.execute(reader)
      return new Map(rows.map(({ id, newest, state }) => [id, { updateId: newest ?? '', status: state ?? undefined }]))
    },

    /** The results of updates since a time, limited to the newest 1,000. */
    async summarize(projectId: string, since: string): Promise<UpdateSummary> {
      const rows = await reader
        .selectFrom('updates')
        .select(['state', 'created_at', 'ended_at'])
        .where('project_id', '=', projectId)
        .orderBy('id', 'desc')
        .limit(maxSummarized)
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
        isCut: rows.length === maxSummarized && ended.length === maxSummarized,
        ...(medianMs === undefined ? {} : { medianMs }),
      }
    },

    /** A string that changes when one of the newest 50 records of these projects changes or a new one appears. */
    async readStamp(projectIds: readonly string[]) {
      const ids = await listIds(reader, projectIds, { limit: stampedRecords })
      if (ids.length === 0) return ''
      const rows = await reader.selectFrom('updates').select(['id', 'revision']).where('id', 'in', ids).execute()
      return rows
        .map(({ id, revision }) => `${id}:${revision}`)
        .sort()
        .join(' ')
    },
  }
}

/** Reads records in the order of the ids. */
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

/** What updates changed in the API that they document. */
export function createApiChangesStore({ reader }: Pick<StoreDatabase, 'reader'>) {
  return {
    /** `undefined` if nothing was compared. */
    async find(statusId: string): Promise<StoredApiChanges | undefined> {
      const row = await reader
        .selectFrom('api_changes')
        .select(['reason', 'breaking', 'risky', 'compatible', 'accepted'])
        .where('update_id', '=', statusId)
        .executeTakeFirst()
      if (!row) return undefined
      const { reason, ...counts } = row
      return reason === null ? { kind: 'compared', counts } : { kind: 'unavailable', reason }
    },

    /** Those of up to 100 updates that have breaking changes that are not accepted. */
    async findBreaking(statusIds: readonly string[]): Promise<ReadonlySet<string>> {
      if (statusIds.length === 0) return new Set()
      const rows = await reader
        .selectFrom('api_changes')
        .select('update_id')
        .where('update_id', 'in', statusIds)
        .where('breaking', '>', 0)
        .execute()
      return new Set(rows.map((row) => row.update_id))
    },

    /**
     * The commits of a ref with changes, newest first, each with its newest update. `undefined` for an invalid cursor.
     *
     * @param options.limit At least 1.
     */
    async list(projectId: string, { ref, limit, cursor }: ListOptions & Required<Pick<ListOptions, 'ref' | 'limit'>>) {
      const before = fromCursor(cursor)
      if (before === undefined) return undefined
      const rows = await reader
        .selectFrom('api_changes')
        .innerJoin('updates', 'updates.id', 'api_changes.update_id')
        .select(['update_id', 'breaking', 'risky', 'compatible', 'accepted', ...storedUpdateColumns])
        .where('api_changes.project_id', '=', projectId)
        .where('api_changes.ref', '=', ref)
        .where('total', '>', sql.lit(0))
        .where('update_id', '<', before)
        // A re-run of the commit replaces its earlier updates.
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('api_changes as later')
                .select('later.update_id')
                .whereRef('later.project_id', '=', 'api_changes.project_id')
                .whereRef('later.ref', '=', 'api_changes.ref')
                .whereRef('later.sha', '=', 'api_changes.sha')
                .whereRef('later.update_id', '>', 'api_changes.update_id')
                .where('later.total', 'is not', null),
            ),
          ),
        )
        .orderBy('update_id', 'desc')
        .limit(limit + 1)
        .execute()
      const { page, next } = toPage(rows, limit, (row) => row.update_id)
      return {
        commits: page.map(({ breaking, risky, compatible, accepted, ...row }) => ({
          stored: toStoredUpdate(row),
          counts: { breaking, risky, compatible, accepted },
        })),
        ...next,
      }
    },
  }
}

/** Stores the changes of an ended update, in the caller's transaction. */
export async function insertApiChanges(
  transaction: Kysely<Tables>,
  { _id, projectId, commit }: EndedUpdate,
  changes: StoredApiChanges,
): Promise<void> {
  const isCompared = changes.kind === 'compared'
  const counts = isCompared ? changes.counts : { breaking: 0, risky: 0, compatible: 0, accepted: 0 }
  const { breaking, risky, compatible, accepted } = counts
  const row: ApiChangesRow = {
    update_id: _id,
    project_id: projectId,
    ref: commit.ref,
    sha: commit.sha,
    ...counts,
    total: isCompared ? breaking + risky + compatible + accepted : null,
    reason: isCompared ? null : changes.reason,
  }
  await transaction.insertInto('api_changes').values(row).execute()
}

/** Stores the report of an ended update, if it has one, in the caller's transaction. */
export async function insertReport(
  transaction: Kysely<Tables>,
  statusId: string,
  { report, results }: { readonly report?: string | undefined; readonly results?: Uint8Array | undefined },
): Promise<void> {
  if (report === undefined) return
  await transaction
    .insertInto('reports')
    .values({ update_id: statusId, report, results: results ?? null })
    .execute()
}

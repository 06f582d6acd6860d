import type { Kysely } from 'kysely'
import type { OpenUpdate, UpdateStatus } from '../../status/types.ts'
import type { Tables, UpdateRow } from '../database/tables.ts'
import type { StoredUpdate, UpdateDetails } from './stored-records.ts'

export type StoredRow = Pick<UpdateRow, (typeof storedUpdateColumns)[number]>

/** The columns of a record. The rest of `UpdateRow` is for indexes. */
export const storedUpdateColumns = ['record', 'revision', 'details'] as const

export function toStoredUpdate(row: StoredRow): StoredUpdate {
  return {
    // The store wrote it from this type.
    update: JSON.parse(row.record) as UpdateStatus,
    json: row.record,
    revision: row.revision,
    details: toDetails(row),
  }
}

/** Reads the column `details`. */
export function toDetails({ details }: Pick<UpdateRow, 'details'>): UpdateDetails {
  return JSON.parse(details) as UpdateDetails // The store wrote it from this type.
}

export async function findUpdate(database: Kysely<Tables>, id: string): Promise<StoredUpdate | undefined> {
  const row = await database.selectFrom('updates').select(storedUpdateColumns).where('id', '=', id).executeTakeFirst()
  return row && toStoredUpdate(row)
}

/** A record to insert. */
interface InsertedUpdate {
  readonly update: UpdateStatus
  readonly details: UpdateDetails
}

export async function insertUpdates(database: Kysely<Tables>, updates: readonly InsertedUpdate[]): Promise<void> {
  const rows = updates.map(
    ({ update, details }): UpdateRow => ({
      id: update._id,
      project_id: update.projectId,
      state: update.status,
      ref: update.commit.ref,
      sha: update.commit.sha,
      created_at: update.createdAt,
      ended_at: update.endedAt ?? null,
      revision: 1,
      record: JSON.stringify(update),
      details: JSON.stringify(details),
    }),
  )
  await database.insertInto('updates').values(rows).execute()
}

/** Writes a new version of an open record. Returns false and changes nothing if the record has ended or no longer exists. */
export async function replaceOpenUpdate(database: Kysely<Tables>, update: UpdateStatus): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('updates')
    .set((expression) => ({
      state: update.status,
      ended_at: update.endedAt ?? null,
      revision: expression('revision', '+', 1),
      record: JSON.stringify(update),
    }))
    .where('id', '=', update._id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Merges details; `undefined` fields are ignored. False if there is no such record. */
export async function mergeDetails(
  transaction: Kysely<Tables>,
  statusId: string,
  details: Partial<UpdateDetails>,
): Promise<boolean> {
  const row = await transaction.selectFrom('updates').select('details').where('id', '=', statusId).executeTakeFirst()
  if (!row) return false
  const given = Object.entries(details).filter(([, value]) => value !== undefined)
  const merged: UpdateDetails = { ...toDetails(row), ...Object.fromEntries(given) }
  await transaction
    .updateTable('updates')
    .set({ details: JSON.stringify(merged) })
    .where('id', '=', statusId)
    .execute()
  return true
}

/** The record with this id if it has not ended. */
export async function findOpenUpdate(database: Kysely<Tables>, id: string): Promise<OpenUpdate | undefined> {
  const stored = await findUpdate(database, id)
  return stored && isOpen(stored.update) ? stored.update : undefined
}

function isOpen(update: UpdateStatus): update is OpenUpdate {
  return update.endedAt === undefined
}

import type { Kysely } from 'kysely'
import type { OpenUpdate, UpdateStatus } from '../status/types.ts'
import type { Tables, UpdateRow } from './tables.ts'
import type { StoredUpdate, UpdateDetails } from './types.ts'

/** The columns of a record; the rest of `UpdateRow` is for indexes. */
export const storedUpdateColumns = ['record', 'revision', 'details'] as const

export type StoredRow = Pick<UpdateRow, (typeof storedUpdateColumns)[number]>

export function toStoredUpdate(row: StoredRow): StoredUpdate {
  return {
    // We wrote both ourselves, from these types.
    update: JSON.parse(row.record) as UpdateStatus,
    json: row.record,
    revision: row.revision,
    details: JSON.parse(row.details) as UpdateDetails,
  }
}

export async function findUpdate(database: Kysely<Tables>, id: string): Promise<StoredUpdate | undefined> {
  const row = await database.selectFrom('updates').select(storedUpdateColumns).where('id', '=', id).executeTakeFirst()
  return row && toStoredUpdate(row)
}

export async function insertUpdate(database: Kysely<Tables>, update: UpdateStatus, details: UpdateDetails): Promise<void> {
  const row: UpdateRow = {
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
  }
  await database.insertInto('updates').values(row).execute()
}

/** Writes a new version of an open record. False, and nothing is changed, when the record has ended or is gone. */
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

/** The record with this id where it has not ended. */
export async function findOpenUpdate(database: Kysely<Tables>, id: string): Promise<OpenUpdate | undefined> {
  const stored = await findUpdate(database, id)
  return stored && isOpen(stored.update) ? stored.update : undefined
}

function isOpen(update: UpdateStatus): update is OpenUpdate {
  return update.endedAt === undefined
}

import type { Kysely } from 'kysely'
import type { OpenUpdate, UpdateStatus } from '../status/types.ts'
import type { Tables, UpdateRow } from './tables.ts'

/** What we know of an update beside the record that the API shows. Plain JSON. */
export interface UpdateDetails {
  readonly trigger: 'push' | 'pull_request' | 'merge_group' | 'rerun' | 'api' | 'report' | 'catch-up'
  /** The sha the ref had before the push; 40 zeros for a new branch. */
  readonly before?: string
  readonly pullNumber?: number
  /** The record this one runs again. */
  readonly rerunOf?: string
  /** The check run on GitHub, once it was made. */
  readonly checkRunId?: number
  /** When the check run got its conclusion. */
  readonly checkConcludedAt?: string
  /** How the check is to end where the state of the record does not say it: a finding that blocks nothing, or nothing to check. */
  readonly checkConclusion?: 'neutral' | 'skipped'
  /** The repository wants no comment. */
  readonly commentOff?: boolean
  /** A commit status tells of it too: the repository wants it, or it was begun before that was known. */
  readonly commitStatus?: 'wanted' | 'begun'
  /** The repository wants a deployment. */
  readonly deployment?: boolean
  /** How many files `update` would change. */
  readonly changeCount?: number
  /** What the site that was built shows; absent where none was. */
  readonly site?: SiteNews
  /** Why the commit of a fork has no preview: nobody with write access has approved it yet, or the repository wants none. */
  readonly forkPreview?: 'waiting' | 'off'
  /** How it stands with the pictures of the site; absent where none are taken. One that was begun is not begun again. */
  readonly pictures?: 'awaited' | 'begun' | 'taken' | 'failed'
  /** True where GitHub's limits cut the lists of `filesChanged`. */
  readonly filesTruncated?: boolean
  /** The commit was not the tip of the default branch any more when it ran: it is not published. */
  readonly overtaken?: true
  /** The commit may have a check of a record that this store does not have, as after a restored backup. */
  readonly mayHaveCheck?: true
}

/** The pages that a commit changed, next to what the default branch had. */
export interface SiteNews {
  /** Route of the page that matters most: the one to take pictures of. */
  readonly mainRoute: string
  /** The first ones, those that matter most first. */
  readonly changedPages: readonly ChangedPage[]
  readonly changedCount: number
  /** The project's own address stays with an earlier commit, as this one has errors. */
  readonly stays?: true
}

export interface ChangedPage {
  readonly kind: 'added' | 'modified' | 'removed'
  /** `''` is the start page. */
  readonly route: string
  /** Absent for a page that was removed. */
  readonly title?: string
}

export interface StoredUpdate {
  readonly update: UpdateStatus
  /** `update` as JSON text, ready to be sent. */
  readonly json: string
  /** 1 for a new record, one more with each write of it: makes the ETag. */
  readonly revision: number
  readonly details: UpdateDetails
}

export type StoredRow = Pick<UpdateRow, (typeof storedUpdateColumns)[number]>

/** The columns of a record; the rest of `UpdateRow` is for indexes. */
export const storedUpdateColumns = ['record', 'revision', 'details'] as const

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

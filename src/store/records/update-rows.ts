import type { Kysely } from 'kysely'
import type { OpenUpdate, UpdateStatus } from '../../status/types.ts'
import type { Tables, UpdateRow } from '../database/tables.ts'

/** Facts about an update that are not part of the public record. Plain JSON. */
export interface UpdateDetails {
  readonly trigger: 'push' | 'pull_request' | 'merge_group' | 'rerun' | 'api' | 'report' | 'catch-up'
  /** The SHA that the ref had before the push; 40 zeros for a new branch. */
  readonly before?: string
  readonly pullNumber?: number
  /** An attempt may have created the check run on GitHub. */
  readonly checkBegun?: true
  /** The check run on GitHub, once it exists. */
  readonly checkRunId?: number
  /** When the check run was completed. */
  readonly checkConcludedAt?: string
  /** The conclusion of the check if it differs from the record's state: problems that do not block, nothing to check, or API changes. */
  readonly checkConclusion?: 'neutral' | 'skipped' | 'failure'
  /** Comments are disabled for the repository. */
  readonly commentOff?: boolean
  /** Whether to set a commit status too: the repository requests it, or it was set before this was known. */
  readonly commitStatus?: 'wanted' | 'begun'
  /** The repository requests a deployment. */
  readonly deployment?: boolean
  /** Number of files that `update` would change. */
  readonly changeCount?: number
  /** The commit that the API was compared with, so that a later attempt compares with the same one. */
  readonly apiBase?: string
  /** The number of a pull request that was opened or changed while this update was running: its base may be another one. */
  readonly changedPull?: number
  /** Changes in the built site; absent if there is no site. */
  readonly site?: SiteChanges
  /** The site has a changelog made from tags, so a new tag changes it. */
  readonly usesTags?: true
  /** Why the commit of a fork has no preview: it awaits approval, or the repository has disabled previews of forks. */
  readonly forkPreview?: 'waiting' | 'off'
  /** The state of the site's screenshots; absent if none are taken. They are started only once. */
  readonly pictures?: 'awaited' | 'begun' | 'taken' | 'failed'
  /** GitHub's limits truncated the lists of `filesChanged`. */
  readonly filesTruncated?: boolean
  /** GitHub's branch pointed at another commit when the update ran or was superseded, so nothing shows its site. */
  readonly overtaken?: true
  /** The commit that the branch pointed at when the API was called. Absent for other triggers. */
  readonly requestedAtTip?: string
  /** The commit that the branch pointed at instead; absent if there was none. */
  readonly overtakenBy?: string
  /** GitHub refused to let the app read the commit, for example while the account had suspended the app. */
  readonly unread?: true
  /**
   * The commit may have a check of a record that is not in this store, for example after restoring a backup. Absent only if GitHub got the commit
   * just now: for the first delivery of a push with new commits, and for merge groups.
   */
  readonly mayHaveCheck?: true
}

/**
 * Whether the update was not caused by a push or a person, so that all other work of the installation comes first. Hundreds of them can be
 * queued at once: one for each repository of a new installation, and one for each branch that moved while the app was offline.
 */
export function isBulk({ trigger }: UpdateDetails): boolean {
  return trigger === 'catch-up'
}

/** Whether the check of an ended update was created but not concluded. Its report still runs, or GitHub has refused it. */
export function isUnreported({ update, details }: StoredUpdate): boolean {
  return update.endedAt !== undefined && details.checkRunId !== undefined && details.checkConcludedAt === undefined
}

/** Whether the check of an ended update could not be created. An update whose commit could not be read gets another record instead. */
export function lacksCheck({ update, details }: StoredUpdate): boolean {
  return update.endedAt !== undefined && details.checkBegun === true && details.checkRunId === undefined && !details.unread
}

/** The pages that differ from the default branch. */
export interface SiteChanges {
  /** Route of the most relevant page, for the screenshots. */
  readonly mainRoute: string
  /** The first of them, most relevant first. */
  readonly changedPages: readonly ChangedPage[]
  readonly changedCount: number
  /** The commit of the default branch whose site was compared; absent for the first site. */
  readonly beforeSha?: string
  /** The production site stays at an earlier commit because this one has errors. */
  readonly stays?: true
  /** The changelog pages of the site, up to a limit; absent without any. */
  readonly changelogs?: readonly SiteChangelog[]
}

/** A changelog page of a site. */
export interface SiteChangelog {
  readonly route: string
  readonly title: string
}

export interface ChangedPage {
  readonly kind: 'added' | 'modified' | 'removed'
  /** `''` is the start page. */
  readonly route: string
  /** Absent for a removed page. */
  readonly title?: string
}

export interface StoredUpdate {
  readonly update: UpdateStatus
  /** `update` as JSON text, ready to be sent. */
  readonly json: string
  /** 1 for a new record, incremented by each write. Used for the ETag. */
  readonly revision: number
  readonly details: UpdateDetails
}

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

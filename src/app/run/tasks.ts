import type { UpdateCommit, UpdateSource } from '../../status/types.ts'
import type { NewUpdate } from '../../store/accept-work.ts'
import type { NewTask } from '../../store/job-rows.ts'
import type { UpdateDetails } from '../../store/update-rows.ts'

/** An update of every project of a repository, before it is known which these are. Plain JSON. */
export interface WantedUpdate {
  readonly commit: UpdateCommit
  readonly author: string
  readonly details: UpdateDetails
  readonly once: NewUpdate['once']
  readonly source?: UpdateSource
  readonly logs?: readonly string[]
  readonly validationOnly?: boolean
  /** The pull request whose head the commit is. */
  readonly pullNumber?: number
}

/** Background work, by name, with what it is given. */
export interface Tasks {
  /** Makes the check of a record that waits for its turn. */
  readonly 'create-check': { readonly statusId: string }
  /** A pull request was opened on a commit whose record may have ended already: it may need a comment. */
  readonly comment: { readonly statusId: string; readonly pullNumber: number }
  /** Repositories joined an installation: their projects are made, or restored. */
  readonly discover: { readonly installationId: number; readonly repositoryIds: readonly number[] }
  /** Something changed about an installation: it is compared with GitHub. */
  readonly reconcile: { readonly installationId: number }
  /**
   * A webhook says something of a repository that GitHub's API has to confirm. `updates` are those that it asks for where there is no
   * project yet, or none any more.
   */
  readonly confirm: {
    readonly repositoryId: number
    /** As the webhook names it. */
    readonly owner: string
    readonly repo: string
    readonly installationId?: number
    readonly updates?: readonly WantedUpdate[]
  }
  /** A person pressed "Regenerate". */
  readonly regenerate: { readonly statusId: string; readonly login: string }
  /** A person pressed "Approve preview" on a check. `userId` is GitHub's id. */
  readonly 'approve-preview': { readonly statusId: string; readonly login: string; readonly userId: number }
}

export type TaskName = keyof Tasks

/** What a task knows of its attempt. */
export interface TaskRun {
  readonly isRetry: boolean
  readonly signal: AbortSignal
}

/** @param id From `store.newId`. */
export function toTask<Name extends TaskName>(
  id: string,
  name: Name,
  installationId: number | undefined,
  payload: Tasks[Name],
): NewTask {
  return { id, name, installationId: installationId ?? 0, payload: JSON.stringify(payload) }
}

/** The task that makes the check of a new record at once, however long the record waits. */
export function toCheckTask(id: string, statusId: string, installationId: number | undefined): NewTask {
  return toTask(id, 'create-check', installationId, { statusId })
}

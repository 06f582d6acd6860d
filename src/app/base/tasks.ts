import type { UpdateAuthor, UpdateCommit, UpdateSource } from '../../status/update-record.ts'
import type { NewTask, NewUpdate } from '../../store/queue/jobs.ts'
import type { UpdateDetails } from '../../store/records/stored-records.ts'

/** An update for all projects of a repository, before the projects are known. Plain JSON. */
export interface WantedUpdate extends UpdateAuthor {
  readonly commit: UpdateCommit
  readonly details: UpdateDetails
  readonly once: NewUpdate['once']
  readonly overcome?: NewUpdate['overcome']
  readonly source?: UpdateSource
  readonly logs?: readonly string[]
  readonly validationOnly?: boolean
  /** The pull request with this commit as its head. */
  readonly pullNumber?: number
  /** When the pull request was changed, by GitHub's clock (ISO 8601). */
  readonly pullUpdatedAt?: string
}

/** Background tasks by name, with their payloads. */
export interface Tasks {
  /** An installation changed: compare it with GitHub. */
  readonly reconcile: {
    readonly installationId: number
    /** Only these repositories, which were added: create or restore their projects. */
    readonly repositoryIds?: readonly number[]
  }
  /**
   * Confirm a change of a repository with GitHub's API. `updates` are queued if the repository had no project when the webhook arrived.
   */
  readonly confirm: {
    readonly repositoryId: number
    /** As the webhook names it. */
    readonly owner: string
    readonly repo: string
    readonly installationId?: number
    readonly updates?: readonly WantedUpdate[]
    /** Also queue missing updates of its branches, because its default branch has changed. */
    readonly compareBranches?: true
  }
  /** A user pressed "Regenerate". `userId` is GitHub's user ID. */
  readonly regenerate: { readonly statusId: string; readonly login: string; readonly userId: number }
  /** A user pressed "Accept changes". `userId` is GitHub's user ID. */
  readonly 'accept-changes': { readonly statusId: string; readonly login: string; readonly userId: number }
  /** A user pressed "Approve preview". `userId` is GitHub's user ID. */
  readonly 'approve-preview': { readonly statusId: string; readonly login: string; readonly userId: number }
}

export type TaskName = keyof Tasks

/** Whether a person pressed a button. What nobody waits for any more must not be done hours later; no failure ends the other tasks. */
export function isButton(name: string): boolean {
  return ['regenerate', 'accept-changes', 'approve-preview'].includes(name)
}

/** The attempt of a task. */
export interface TaskRun {
  readonly taskId: string
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

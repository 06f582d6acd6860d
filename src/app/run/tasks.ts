import type { NewTask } from '../../store/types.ts'

/** Background work, by name, with what it is given. */
export interface Tasks {
  /** Makes the check of a record that waits for its turn. */
  readonly 'create-check': { readonly statusId: string }
  /** A pull request was opened on a commit whose record may have ended already: it may need a comment. */
  readonly comment: { readonly statusId: string; readonly pullNumber: number }
  /** Finds the docs roots of repositories that joined an installation. */
  readonly discover: { readonly installationId: number; readonly repositoryIds: readonly number[] }
  /** A person pressed "Regenerate". */
  readonly regenerate: { readonly statusId: string; readonly login: string }
  /** A person pressed "Approve preview" on a check. `userId` is GitHub's id. */
  readonly 'approve-preview': { readonly statusId: string; readonly login: string; readonly userId: number }
}

export type TaskName = keyof Tasks

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

import { editDocsConfig } from '../docs/edit-docs-config.ts'
import type { JsonEdit } from '../docs/edit-json.ts'
import { formatLockFile, lockFileName } from '../docs/format-lock-file.ts'
import type { LockFile } from '../docs/types.ts'
import type { PageOutcome, PlannedFileChanges } from '../pages/plan-file-changes.ts'
import type { FileChange } from '../text/file-change.ts'
import { joinPath } from '../text/relative-path.ts'
import type { Survey } from './survey-docs-root.ts'

/** All changes of an update, sorted by path: pages, `docs.json`, lock file. */
export function gatherChanges(
  survey: Survey,
  { outcomes, lockedPages }: PlannedFileChanges,
  edits: readonly JsonEdit[],
  { divisions, unwritten }: Pick<LockFile, 'divisions' | 'unwritten'>,
): FileChange[] {
  const { root, docsConfig } = survey
  const changes = outcomes.flatMap((outcome) => toFileChanges(root, outcome))
  if (docsConfig) changes.push(...editDocsConfig(docsConfig, edits))
  const lockChange =
    survey.lock && toLockFileChange(survey, formatLockFile({ divisions, pages: lockedPages, unwritten }), divisions.length > 0)
  if (lockChange) changes.push(lockChange)
  return changes.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

function toFileChanges(root: string, { path, edit, movedFrom }: PageOutcome): FileChange[] {
  if (!edit) return []
  const at = joinPath(root, path)
  if (edit.kind !== 'move') return [{ ...edit, path: at }]
  const { before, content } = edit
  return [
    { kind: 'delete', path: joinPath(root, movedFrom ?? ''), before },
    { kind: 'add', path: at, content },
  ]
}

/** A lock file that records nothing is none. Line ends are git's business and make no change. */
function toLockFileChange({ root, lockText: before }: Survey, content: string, isNeeded: boolean): FileChange | undefined {
  const path = joinPath(root, lockFileName)
  if (before === undefined) return isNeeded ? { kind: 'add', path, content } : undefined
  if (!isNeeded) return { kind: 'delete', path, before }
  return before.replaceAll('\r\n', '\n') === content ? undefined : { kind: 'modify', path, before, content }
}

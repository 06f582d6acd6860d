import { compareText, groupBy } from '../../text/plain/lists.ts'
import { joinPath } from '../../text/plain/paths.ts'
import { type FileChange, findLineEnding, type LineEnding, withLineEndings } from '../../text/plain/source-file.ts'
import type { Survey } from '../check/survey-docs-directory.ts'
import { lockFileName } from '../config/config-files.ts'
import type { DocsConfig } from '../navigation/docs-config.ts'
import { editJson, type JsonEdit } from '../navigation/edit-json.ts'
import { formatLockFile, type LockFile } from '../pages/lock-file.ts'
import type { PageOutcome, PlannedFileChanges } from '../plan/plan-file-changes.ts'
import type { GitFacts } from '../types.ts'

/**
 * Chooses the line endings of new files: by `.gitattributes`, else like most lines of the docs directory.
 *
 * @param paths relative to the boundary.
 */
export async function readLineEndings(
  { docsFiles, docsConfig, lockText }: Pick<Survey, 'docsFiles' | 'docsConfig' | 'lockText'>,
  paths: readonly string[],
  git: GitFacts | undefined,
): Promise<(path: string) => LineEnding> {
  const rules = (await git?.findLineEndings?.(paths)) ?? new Map<string, LineEnding>()
  let common: LineEnding | undefined
  return (path) => {
    common ??= findLineEnding([...docsFiles.pages.values(), docsConfig?.source.text ?? '', lockText ?? '']) ?? 'lf'
    return rules.get(path) ?? common
  }
}

/** Lists the files that an update may add, relative to the boundary. */
export function listNewPaths({ root, lockText }: Pick<Survey, 'root' | 'lockText'>, outcomes: readonly PageOutcome[]): string[] {
  const pages = outcomes.flatMap(({ path, edit }) => (edit?.kind === 'add' ? [joinPath(root, path)] : []))
  return lockText === undefined ? [...pages, joinPath(root, lockFileName)] : pages
}

/** Collects the changes of pages, `docs.json` and lock file, sorted by path. */
export function gatherChanges(
  survey: Survey,
  { outcomes, lockedPages }: PlannedFileChanges,
  edits: readonly JsonEdit[],
  { divisions, unwritten }: Pick<LockFile, 'divisions' | 'unwritten'>,
  endingOf: (path: string) => LineEnding,
): FileChange[] {
  const { root, docsConfig } = survey
  const changes = outcomes.flatMap((outcome) => toFileChanges(root, outcome, endingOf))
  if (docsConfig) changes.push(...editDocsConfig(docsConfig, edits))
  const lock = formatLockFile({ divisions, pages: lockedPages, unwritten })
  const lockChange = survey.lock && toLockFileChange(survey, lock, divisions.length > 0, endingOf)
  if (lockChange) changes.push(lockChange)
  return changes.toSorted((a, b) => compareText(a.path, b.path))
}

/** Modified and moved pages keep their line endings. */
function toFileChanges(
  root: string,
  { path, edit, movedFrom }: PageOutcome,
  endingOf: (path: string) => LineEnding,
): FileChange[] {
  if (!edit) return []
  const at = joinPath(root, path)
  if (edit.kind === 'delete') return [{ ...edit, path: at }]
  if (edit.kind === 'add') return [{ ...edit, path: at, content: withLineEndings(edit.content, endingOf(at)) }]
  const { before } = edit
  const content = withLineEndings(edit.content, findLineEnding([before]))
  if (edit.kind === 'modify') return [{ kind: 'modify', path: at, before, content }]
  return [
    { kind: 'delete', path: joinPath(root, movedFrom ?? ''), before },
    { kind: 'add', path: at, content },
  ]
}

/** An empty lock file is deleted. Differences only in line endings are ignored. */
function toLockFileChange(
  { root, lockText: before }: Survey,
  text: string,
  isNeeded: boolean,
  endingOf: (path: string) => LineEnding,
): FileChange | undefined {
  const path = joinPath(root, lockFileName)
  if (before === undefined) return isNeeded ? { kind: 'add', path, content: withLineEndings(text, endingOf(path)) } : undefined
  if (!isNeeded) return { kind: 'delete', path, before }
  if (before.replaceAll('\r\n', '\n') === text) return undefined
  return { kind: 'modify', path, before, content: withLineEndings(text, findLineEnding([before])) }
}

/** Applies edits to all files of a `docs.json`, including `$ref` targets. */
export function editDocsConfig({ sourceMap }: DocsConfig, edits: readonly JsonEdit[]): FileChange[] {
  const byFile = groupBy(
    edits.map((edit) => sourceMap.toFileEdit(edit)),
    ({ file }) => file,
  )
  return sourceMap.sources.flatMap(({ path, text }): FileChange[] => {
    const content = editJson(
      text,
      (byFile.get(path) ?? []).map(({ edit }) => edit),
    )
    return content === text ? [] : [{ kind: 'modify', path, before: text, content }]
  })
}

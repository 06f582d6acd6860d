import { type Finding, formatCount } from '../../diagnostics/diagnostic.ts'
import { compareText } from '../../text/plain/lists.ts'
import { isPageFile, isUrl, joinPath } from '../../text/plain/paths.ts'
import { type FileChange, findLineEnding, type LineEnding, withLineEndings } from '../../text/plain/source-file.ts'
import type { Survey } from '../check/survey-docs-directory.ts'
import { configFileNames, docsConfigNames, lockFileName } from '../config/config-files.ts'
import { editDocsConfig } from '../navigation/edit-docs-config.ts'
import type { JsonEdit } from '../navigation/edit-json.ts'
import { formatLockFile, type LockedPage, type LockFile, toLockFileChange } from '../pages/lock-file.ts'
import type { DeclaredDivision } from '../pages/subjects.ts'
import type { PageOutcome, PlannedFileChanges } from '../plan/plan-file-changes.ts'
import type { CheckedDocument, GitFacts } from '../types.ts'

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
  const rules = await git?.findLineEndings?.(paths)
  let common: LineEnding | undefined
  return (path) => {
    common ??= findLineEnding([...docsFiles.pages.values(), docsConfig?.source.text ?? '', lockText ?? '']) ?? 'lf'
    return (rules?.kind === 'known' ? rules.value.get(path) : undefined) ?? common
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

/** A larger part of the pages of a division needs a confirmation. */
const removedPart = 1 / 3
const fewestRemoved = 5

/**
 * Reports each division that would lose many pages because a document at a URL or in another repository lacks their operations: it can be
 * incomplete, and nobody reviewed it.
 *
 * @param isStored whether a file is a copy from another repository.
 */
export function findMassRemovals(
  { documents, docsConfig }: Pick<Survey, 'documents' | 'docsConfig'>,
  divisions: readonly DeclaredDivision[],
  { outcomes, lockedPages }: { readonly outcomes: readonly PageOutcome[]; readonly lockedPages: readonly LockedPage[] },
  isStored: (path: string) => boolean,
): Finding[] {
  const isRemote = ({ check }: CheckedDocument) => [...check.sources.keys()].some((path) => isUrl(path) || isStored(path))
  const remote = new Set(documents.filter(isRemote).map(({ source }) => source))
  const isRemoved = new Set(
    outcomes.flatMap(({ kind, path, document, edit }) =>
      kind === 'removed' && edit?.kind === 'delete' && remote.has(document) ? [path] : [],
    ),
  )
  return divisions.flatMap(({ lockedId, label, pointer, sources }): Finding | [] => {
    const pages = lockedPages.filter(({ division, hash }) => division === lockedId && hash !== undefined)
    // A document that `docs.json` no longer names was removed by a person.
    const named = new Set(sources.map(({ source }) => source))
    const removed = pages.filter(({ path, document }) => isRemoved.has(path) && named.has(document))
    if (removed.length < fewestRemoved || removed.length <= pages.length * removedPart) return []
    const from = [...new Set(removed.map(({ document }) => `\`${document}\``))].join(', ')
    return {
      code: 'mass-removal',
      message: `Nothing was updated: ${removed.length} of ${formatCount(pages.length, 'page')}${label === '' ? '' : ` of \`${label}\``} would be removed, because ${from} no longer has their operations`,
      file: docsConfig?.source.path ?? '',
      pointer: pointer ?? '',
      hint: 'Check the document. To remove the pages, run `openapi-pages update --remove`, or set `update.remove: true` in the configuration file or `remove: true` in the Action',
    }
  })
}

/**
 * Reports files that an update reads and that are absent although nothing shows that a person deleted them. They would count as deleted. If Git
 * does not answer, these are all pages that lose their entry because they are absent.
 */
export async function findLeftOutPages(
  { root, docsConfig }: Pick<Survey, 'root' | 'docsConfig'>,
  outcomes: readonly PageOutcome[],
  git: GitFacts | undefined,
): Promise<Finding[]> {
  const answer = await git?.findLeftOut?.(root)
  if (!answer) return []
  const isRead = (path: string) => isPageFile(path) || readFiles.some((name) => path === joinPath(root, name))
  const absent = outcomes.filter(({ kind, edit }) => kind === 'removed' && !edit)
  const paths = answer.kind === 'known' ? answer.value.filter(isRead) : absent.map(({ path }) => joinPath(root, path))
  const [first] = paths
  if (first === undefined) return []
  const named = `\`${first}\`${paths.length === 1 ? '' : ` and ${formatCount(paths.length - 1, 'other file')}`}`
  const at = { code: 'pages-left-out', file: docsConfig?.source.path ?? '', pointer: '' } as const
  if (answer.kind === 'unknown') {
    const message = `Nothing was updated: Git does not tell whether a person deleted ${named}. ${answer.reason}`
    return [{ ...at, message, ...(answer.hint !== undefined && { hint: answer.hint }) }]
  }
  const hint = `Add the docs directory with \`git sparse-checkout add ${root || '.'}\`, or check out all files with \`git sparse-checkout disable\``
  return [{ ...at, message: `Nothing was updated: the checkout leaves out ${named}`, hint }]
}

/** The files at the top of a docs directory that an update reads. */
const readFiles = [lockFileName, ...configFileNames, ...docsConfigNames]

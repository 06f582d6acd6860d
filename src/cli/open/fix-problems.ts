import { type Diagnostic, formatCount } from '../../diagnostics/diagnostic.ts'
import type { Palette } from '../../diagnostics/format-text.ts'
import type { CheckReport } from '../../docs/types.ts'
import { changedFiles, type Files } from '../../files/files.ts'
import { literalPaths } from '../../git/commit.ts'
import { findGit, isInWorkTree, openGit, readGit } from '../../git/git.ts'
import { ask } from '../../text/errors.ts'
import { groupBy } from '../../text/plain/lists.ts'
import { isUrl } from '../../text/plain/paths.ts'
import { applyEdits, type FileChange, type TextEdit, toLineStarts, toSourceFile } from '../../text/plain/source-file.ts'
import type { Output } from '../base/cli-context.ts'
import { formatPlan } from '../print/format-plan.ts'
import type { Progress } from '../print/terminal.ts'
import { fixPlaces } from './fix-places.ts'
import { planQuickFix } from './quick-fixes.ts'
import type { Workspace } from './workspace.ts'
import { writeChanges } from './write-output.ts'

type CheckFiles = (files: Files) => Promise<Pick<CheckReport, 'diagnostics' | 'fixable'>>

interface FixOptions {
  readonly all: boolean
  readonly quiet: boolean
  /** Only show the changes. */
  readonly dryRun: boolean
  /** Write although Git cannot undo the changes. */
  readonly allowDirty: boolean
  readonly output: Output
  readonly palette: Palette
}

/**
 * Writes the fixes that the hints of problems describe, or shows them if Git could not undo them.
 *
 * @throws {FilesError}
 */
export async function fixProblems(
  check: CheckFiles,
  { boundary, access, terms, toShown }: Workspace,
  { all, quiet, dryRun, allowDirty, output, palette }: FixOptions,
  progress: Progress,
): Promise<void> {
  const { changes, fixCount } = await planFixes(check, access.files, terms.overlays !== undefined)
  progress.clear()
  if (changes.length === 0) {
    if (!quiet) output.write('No problem has a fix that can be applied\n\n')
    return
  }
  const reason = allowDirty || dryRun ? undefined : await findUncommitted(boundary, changes)
  const what = `${formatCount(fixCount, 'fix', 'fixes')} in ${formatCount(changes.length, 'file')}`
  if (dryRun || reason !== undefined) {
    output.write(formatPlan(changes, { palette, toShown, all }))
    const why = reason === undefined ? '' : `, because ${reason}. To write them anyway, add --allow-dirty`
    output.write(`Dry run: ${what} not written${why}\n\n`)
    return
  }
  await writeChanges(boundary, changes, toShown)
  if (!quiet) output.write(palette.success(`✔ ${what}\n\n`))
}

/** Fixes of problems. Nothing is written yet. */
interface PlannedFixes {
  readonly changes: readonly FileChange[]
  readonly fixCount: number
}

/** A fix can reveal the next problem, such as one in a field whose name was wrong. */
const maxPasses = 10

/**
 * Plans the edits that the hints of problems describe, which editors offer as quick fixes.
 *
 * @param check Checks the files as they are after the edits of the last pass.
 */
async function planFixes(check: CheckFiles, before: Files, hasOverlays: boolean): Promise<PlannedFixes> {
  const changes = new Map<string, FileChange & { readonly kind: 'modify' }>()
  let fixCount = 0
  for (let pass = 0; pass < maxPasses; pass++) {
    const files = changedFiles(before, [...changes.values()])
    const { diagnostics, fixable } = await check(files)
    const placesOf = groupBy(fixable, ({ file }) => file)
    let isChanged = false
    for (const [path, found] of groupBy(diagnostics, ({ file }) => file)) {
      const result = isUrl(path) ? undefined : await files.read(path)
      if (result?.kind !== 'file') continue
      const { text, encodingFault } = toSourceFile(path, result.bytes)
      // Overlays can move the places to other files.
      const problems = encodingFault || hasOverlays ? [] : (placesOf.get(path) ?? [])
      if (problems.length > 0) {
        const content = fixPlaces(
          text,
          problems.map(({ code, places = [] }) => ({ code, pointers: places })),
        )
        if (content.fixed > 0) {
          changes.set(path, { kind: 'modify', path, before: changes.get(path)?.before ?? text, content: content.text })
          fixCount += content.fixed
          isChanged = true
          // The other edits follow in the next pass, with new places.
          continue
        }
      }
      const edits = encodingFault ? [] : await planEdits(path, text, found)
      if (edits.length === 0) continue
      const before = changes.get(path)?.before ?? text
      changes.set(path, { kind: 'modify', path, before, content: applyEdits(text, edits) })
      fixCount += edits.length
      isChanged = true
    }
    if (!isChanged) break
  }
  return { changes: [...changes.values()], fixCount }
}

/** The edits of one pass. Of edits at the same place, only the first is made. */
async function planEdits(path: string, text: string, diagnostics: readonly Diagnostic[]): Promise<readonly TextEdit[]> {
  const lineStarts = toLineStarts(text)
  const toOffset = ({ line, column }: Diagnostic['range']['start']) => (lineStarts[line - 1] ?? 0) + column - 1
  const edits: TextEdit[] = []
  for (const diagnostic of diagnostics) {
    const { start, end } = diagnostic.range
    const fix = await planQuickFix(diagnostic, { start: toOffset(start), end: toOffset(end) }, { path, text })
    const isFree = ({ offsets }: TextEdit) =>
      edits.every((edit) => offsets.start > edit.offsets.end || offsets.end < edit.offsets.start)
    if (fix && isFree(fix)) edits.push(fix)
  }
  return edits
}

/** Why fixes of files cannot be undone with Git. Absent if they can: everything is committed. The reason is a clause. */
async function findUncommitted(boundary: string, changes: readonly FileChange[]): Promise<string | undefined> {
  const git = openGit(boundary)
  const found = await ask(async () => {
    if (!(await isInWorkTree(git))) return 'this is not a Git repository'
    const status = await readGit(git, 'read the changes', ['status', '--porcelain', '--untracked-files=no'])
    if (status !== '') return 'the repository has changes that are not committed'
    const args = ['ls-files', '--error-unmatch', '--', ...changes.map(({ path }) => path)]
    const tracked = await findGit(git, 'find the files', args, { environment: literalPaths })
    return tracked === undefined ? 'a file to fix is not committed' : undefined
  })
  return found.kind === 'known' ? found.value : `Git does not answer: ${found.reason}`
}

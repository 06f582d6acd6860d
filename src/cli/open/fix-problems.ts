import { meetsThreshold } from '../../changes/change.ts'
import { compareDescriptions, toComparable } from '../../changes/compare/compare.ts'
import { type Diagnostic, formatCount } from '../../diagnostics/diagnostic.ts'
import type { Palette } from '../../diagnostics/format-text.ts'
import type { CheckReport } from '../../docs/types.ts'
import { changedFiles, type Files } from '../../files/files.ts'
import { literalPaths } from '../../git/commit.ts'
import { findGit, isInWorkTree, openGit, readGit } from '../../git/git.ts'
import type { DescriptionCheck } from '../../openapi/checks/check-description.ts'
import { ask } from '../../text/errors.ts'
import { locatePointers } from '../../text/parse-source.ts'
import { compareText, groupBy } from '../../text/plain/lists.ts'
import { isUrl } from '../../text/plain/paths.ts'
import { applyEdits, type FileChange, sizeOf, type TextEdit, toLineStarts } from '../../text/plain/source-file.ts'
import type { Output } from '../base/cli-context.ts'
import { formatPlan } from '../print/format-plan.ts'
import type { Progress } from '../print/terminal.ts'
import { planQuickFix } from './quick-fixes.ts'
import type { Workspace } from './workspace.ts'
import { writeChanges } from './write-output.ts'

type CheckedFiles = Pick<CheckReport, 'diagnostics' | 'repeated' | 'checks' | 'sourceOf'>

type CheckFiles = (files: Files) => Promise<CheckedFiles>

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
 * Writes the fixes of hints that can be proved, or shows them if Git could not undo them.
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

/** How much text may be checked again, in bytes or characters. Each fix that has to be left out takes several checks. */
const maxChecked = 20_000_000

interface Fix extends TextEdit {
  readonly file: string
  /** The same in the next pass, where its offsets can differ. */
  readonly key: string
}

/**
 * Plans the provable edits that the hints of problems describe, in files of descriptions that can be read.
 *
 * Edits that clients would notice are left out: a comparison of the files before and after all edits finds nothing breaking and nothing risky.
 *
 * Nothing is written yet. @param check Checks the files as they are after some edits.
 */
export async function planFixes(
  check: CheckFiles,
  files: Files,
  hasOverlays: boolean,
): Promise<{ readonly changes: readonly FileChange[]; readonly fixCount: number }> {
  const before = await check(files)
  let report = before
  let changes: readonly FileChange[] = []
  let fixCount = 0
  const sources = new Set(before.checks.flatMap((check) => [...check.sources.values()]))
  const size = [...sources].reduce((sum, source) => sum + sizeOf(source), 0)
  let checksLeft = Math.max(3, Math.min(40, maxChecked / size))
  const refused = new Set<string>()
  const readable = listReadable(before.checks)
  // A fix can reveal the next problem, such as one in a field whose name was wrong.
  while (checksLeft > 0) {
    const { sourceOf } = report
    const apply = async (fixes: readonly Fix[]): Promise<boolean> => {
      if (fixes.length === 0 || checksLeft-- <= 0) return false
      const next = new Map(changes.map((change) => [change.path, change]))
      for (const [path, edits] of groupBy(fixes, ({ file }) => file)) {
        const content = applyEdits(sourceOf(path)?.text ?? '', edits)
        next.set(path, { kind: 'modify', path, before: before.sourceOf(path)?.text ?? '', content })
      }
      const after = await check(changedFiles(files, [...next.values()]))
      if (!isUnnoticed(before.checks, after.checks)) return false
      report = after
      changes = [...next.values()]
      return true
    }
    const found = await listFixes(report, hasOverlays, readable)
    const fixes = found.filter(({ key }) => !refused.has(key))
    const accepted = await selectFixes(fixes, apply)
    if (accepted.size === 0) break
    for (const fix of fixes) if (!accepted.has(fix)) refused.add(fix.key)
    fixCount += accepted.size
  }
  return { changes, fixCount }
}

/**
 * Selects fixes that can all be applied. Halves those that cannot until it is known which ones prevent it. Fixes of one kind are mostly the same
 * in this respect, so they are kept together.
 */
async function selectFixes(fixes: readonly Fix[], apply: (fixes: readonly Fix[]) => Promise<boolean>): Promise<ReadonlySet<Fix>> {
  let accepted: readonly Fix[] = []
  const queue = [fixes.toSorted((a, b) => compareText(a.newText, b.newText))]
  for (const part of queue) {
    const together = [...accepted, ...part]
    if (await apply(together)) accepted = together
    else if (part.length > 1) queue.push(part.slice(0, part.length >> 1), part.slice(part.length >> 1))
  }
  return new Set(accepted)
}

/** The files of descriptions that can be compared. */
function listReadable(checks: readonly DescriptionCheck[]): ReadonlySet<string> {
  const unreadable = new Set(checks.flatMap((check) => (toComparable(check) ? [] : [...check.sources.keys()])))
  return new Set(checks.flatMap(({ sources }) => [...sources.keys()].filter((file) => !unreadable.has(file) && !isUrl(file))))
}

/** Whether clients of all descriptions that could be read notice nothing. */
function isUnnoticed(before: readonly DescriptionCheck[], after: readonly DescriptionCheck[]): boolean {
  const versions = groupBy(
    after.flatMap((check) => toComparable(check) ?? []),
    ({ root }) => root.file,
  )
  const today = new Date().toISOString().slice(0, 10)
  return before.every((check) => {
    const base = toComparable(check)
    const [revision] = (base && versions.get(base.root.file)) ?? []
    if (!base || !revision) return !base
    return !compareDescriptions(base, revision, { today }).changes.some((change) => meetsThreshold(change, 'risky'))
  })
}

/** Lists the provable edits for the problems of some files. Of edits at the same place, only the first is made. */
async function listFixes(
  { diagnostics, repeated, sourceOf }: CheckedFiles,
  hasOverlays: boolean,
  files: ReadonlySet<string>,
): Promise<readonly Fix[]> {
  const fixes: Fix[] = []
  const repeatedIn = groupBy(repeated, ({ file }) => file)
  for (const [file, found] of groupBy(diagnostics, ({ file }) => file)) {
    const source = sourceOf(file)
    if (!source || source.encodingFault || !files.has(file)) continue
    // Overlays can move the places to other files.
    const pointers = (hasOverlays ? [] : (repeatedIn.get(file) ?? [])).flatMap(({ code, places = [] }) =>
      places.map((pointer) => ({ code, pointer })),
    )
    const places = await locatePointers(
      source,
      [...found, ...pointers].map(({ pointer }) => pointer),
    )
    const lineStarts = toLineStarts(source.text)
    const toOffset = ({ line, column }: Diagnostic['range']['start']) => (lineStarts[line - 1] ?? 0) + column - 1
    const problems = [
      ...found.map((problem) => ({ problem, at: { start: toOffset(problem.range.start), end: toOffset(problem.range.end) } })),
      ...pointers.map((problem) => ({ problem, at: places.get(problem.pointer)?.key })),
    ]
    const ofFile: Fix[] = []
    for (const { problem, at } of problems) {
      const fix = at && (await planQuickFix(problem, at, source, places))
      if (fix?.isProvable) ofFile.push({ ...fix, file, key: `${file} ${problem.pointer} ${fix.newText}` })
    }
    let end = -1
    for (const fix of ofFile.toSorted((a, b) => a.offsets.start - b.offsets.start)) {
      if (fix.offsets.start <= end) continue
      fixes.push(fix)
      end = fix.offsets.end
    }
  }
  return fixes
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

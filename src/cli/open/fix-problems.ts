import { meetsThreshold } from '../../changes/change.ts'
import { compareDescriptions, toComparable } from '../../changes/compare/compare.ts'
import type { DescriptionCheck } from '../../checks/check-description.ts'
import { type Diagnostic, formatCount } from '../../diagnostics/diagnostic.ts'
import type { Palette } from '../../diagnostics/format-text.ts'
import { listDataFiles } from '../../docs/read/find-docs.ts'
import type { CheckReport } from '../../docs/types.ts'
import { changedFiles, type Files, readEach } from '../../files/files.ts'
import { literalPaths } from '../../git/commit.ts'
import { findGit, isInWorkTree, openGit, readGit } from '../../git/git.ts'
import { ask } from '../../text/errors.ts'
import { locatePointers } from '../../text/parse-source.ts'
import { compareText, groupBy } from '../../text/plain/lists.ts'
import { isUrl, parentPath, relativePath } from '../../text/plain/paths.ts'
import { applyEdits, type FileChange, sizeOf, type TextEdit, toLineStarts, toSourceFile } from '../../text/plain/source-file.ts'
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
  const { changes, fixCount, leftCount } = await planFixes(check, access.files, terms.overlays !== undefined)
  progress.clear()
  if (changes.length === 0) {
    if (!quiet) output.write(`No problem has a fix that can be ${leftCount > 0 ? 'proved in time' : 'applied'}\n\n`)
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
  const more = leftCount > 0 ? `${formatCount(leftCount, 'more problem')} may have a fix: run again\n` : ''
  if (!quiet) output.write(`${palette.success(`✔ ${what}\n`)}${more}\n`)
}

/** How much text may be checked again, in bytes or characters. Each fix that has to be left out takes several checks. */
const maxChecked = 20_000_000

interface Fix extends TextEdit {
  readonly file: string
  /** The same in the next pass, where its offsets can differ. */
  readonly key: string
}

/**
 * Plans the provable edits that the hints of problems describe, in files of descriptions that can be read and that no other description uses.
 *
 * Edits that clients would notice are left out: a comparison of the files before and after all edits finds nothing breaking and nothing risky.
 *
 * Nothing is written yet. @param check Checks the files as they are after some edits.
 * @returns `leftCount`: the fixes that were not tried, because the checks would take too long.
 */
export async function planFixes(
  check: CheckFiles,
  files: Files,
  hasOverlays: boolean,
): Promise<{ readonly changes: readonly FileChange[]; readonly fixCount: number; readonly leftCount: number }> {
  const before = await check(files)
  let state: { readonly report: CheckedFiles; readonly changes: readonly FileChange[] } = { report: before, changes: [] }
  let fixCount = 0
  const sizes = before.checks.map(({ sources }) => [...sources.values()].reduce((sum, source) => sum + sizeOf(source), 0))
  let checksLeft = Math.max(3, Math.min(40, maxChecked / Math.max(1, ...sizes)))
  const refused = new Set<string>()
  const fixable = listReadable(before.checks)
  for (const file of await listUsedElsewhere(before, files)) fixable.delete(file)
  const groups = groupChecks(before.checks)
  for (;;) {
    const { report, changes } = state
    const fixes = (await listFixes(report, hasOverlays, fixable)).filter(({ key }) => !refused.has(key))
    if (fixes.length === 0 || checksLeft <= 0) return { changes, fixCount, leftCount: fixes.length }
    const apply = async (edits: readonly Fix[]) => {
      const next = new Map(changes.map((change) => [change.path, change]))
      for (const [path, ofFile] of groupBy(edits, ({ file }) => file)) {
        const content = applyEdits(report.sourceOf(path)?.text ?? '', ofFile)
        next.set(path, { kind: 'modify', path, before: before.sourceOf(path)?.text ?? '', content })
      }
      return { report: await check(changedFiles(files, [...next.values()])), changes: [...next.values()] }
    }
    // Clients mostly notice all fixes of one kind or none, so they are kept together.
    const sorted = fixes.toSorted((a, b) => compareText(a.newText, b.newText))
    const searches = groups.map((checks) => {
      const own = sorted.filter(({ file }) => checks.some(({ sources }) => sources.has(file)))
      return { checks, accepted: [] as Fix[], queue: [own] }
    })
    // One check tries a part of the fixes of each group. Parts that cannot be applied are halved until it is known which fixes prevent it.
    while (searches.some(({ queue }) => queue.length > 0) && checksLeft-- > 0) {
      const tried = searches.map((search) => ({ ...search, part: search.queue.shift() ?? [] }))
      const { report: after } = await apply(tried.flatMap(({ accepted, part }) => [...accepted, ...part]))
      for (const { checks, accepted, queue, part } of tried) {
        if (part.length === 0 || isUnnoticed(checks, after.checks)) accepted.push(...part)
        else if (part.length > 1) queue.push(part.slice(0, part.length >> 1), part.slice(part.length >> 1))
      }
    }
    const accepted = searches.flatMap((search) => search.accepted)
    const open = new Set([...accepted, ...searches.flatMap(({ queue }) => queue.flat())])
    for (const fix of fixes) if (!open.has(fix)) refused.add(fix.key)
    if (accepted.length > 0) state = await apply(accepted)
    fixCount += accepted.length
  }
}

/** Groups the checks of descriptions that share files. */
function groupChecks(checks: readonly DescriptionCheck[]): readonly (readonly DescriptionCheck[])[] {
  let groups: (readonly DescriptionCheck[])[] = []
  for (const check of checks) {
    const sharing = new Set(
      groups.filter((group) => group.some(({ sources }) => [...sources.keys()].some((file) => check.sources.has(file)))),
    )
    groups = [...groups.filter((group) => !sharing.has(group)), [check, ...[...sharing].flat()]]
  }
  return groups
}

/** The checked files that others in the boundary use, also through checked ones: their relative path is in a text with references. */
async function listUsedElsewhere({ checks }: CheckedFiles, files: Files): Promise<ReadonlySet<string>> {
  const checked = new Map(checks.flatMap(({ sources }) => [...sources]))
  const used = new Set<string>()
  const mark = (path: string, text: string) => {
    const written = text.includes('$ref') ? text.replaceAll('%20', ' ') : ''
    for (const [file, source] of checked) {
      if (used.has(file) || isUrl(file) || !written.includes(relativePath(parentPath(path), file))) continue
      used.add(file)
      mark(file, source.text)
    }
  }
  const others = (await listDataFiles(files)).filter((path) => !checked.has(path))
  for await (const [path, result] of readEach(others, (path) => files.read(path))) {
    if (result.kind === 'file') mark(path, toSourceFile(path, result.bytes).text)
  }
  return used
}

/** The files of descriptions that can be compared. */
function listReadable(checks: readonly DescriptionCheck[]): Set<string> {
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

import { chmodSync, readdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { FilesError } from '../text/errors.ts'
import type { FileChange } from '../text/plain/source-file.ts'
import {
  createLocator,
  findInside,
  type InsidePath,
  isFolder,
  type OwnedPath,
  type OwnPath,
  resolveThroughLinks,
} from './boundary.ts'
import { lookAt } from './disk-files.ts'
import { clearStaging, deferSignals, makeStagingFolder, toFilesError } from './disk-writes.ts'
import { beforeChanges, moveFiles } from './move-files.ts'

/**
 * Applies changes to files below an absolute folder: all of them or none.
 *
 * Writes new content beside the tree first, then moves each file into place with one rename. Touches no other
 * files. Creates folders as needed and removes them with their last file.
 *
 * @param root The folder that the paths of the changes are relative to.
 * @throws {FilesError} when the disk refuses a step, a file has changed since planning, or a path leaves the folders. The tree is
 * then unchanged.
 */
export async function applyFileChanges(
  root: OwnedPath,
  changes: readonly FileChange[],
  { writableFolders = [], ...order }: ApplyOptions = {},
): Promise<void> {
  if (changes.length === 0) return
  const located = beforeChanges(() => locateChanges(root, writableFolders.length === 0 ? [''] : writableFolders, changes))
  await deferSignals(() => applyAll(root, located, order))
}

interface ApplyOptions {
  /** Relative to `root`, with `/`. Nothing is written outside them and `root`, whatever the paths and links. Default: `root`. */
  readonly writableFolders?: readonly string[]
  /** The name of the file that is written last, because it says which others exist: the lock file. */
  readonly lastName?: string
  /** Whether files are written in the order of the changes. Default: pages come before the files that say which pages exist. */
  readonly inGivenOrder?: boolean
}

/** A change with the temporary path of its new content. */
interface Step extends LocatedChange {
  readonly staged: string
}

function applyAll(root: OwnedPath, located: readonly LocatedChange[], order: ApplyOptions): void {
  const commonFolder = findCommonFolder(located.map(({ target }) => target))
  const staging = beforeChanges(() => makeStaging(root, commonFolder))
  const steps = located.map((change, index): Step => ({ ...change, staged: join(staging, `${index}.new`) }))
  let path = ''
  const explain = (error: unknown) => toFilesError(error, 'write', path.replaceAll(sep, '/'))
  moveFiles(resolveThroughLinks(root), staging, explain, (moves) => {
    for (const step of steps) {
      path = step.change.path
      stage(step)
    }
    const put = (step: Step) => {
      path = step.change.path
      if (isDeletion(step)) moves.remove(step.target)
      else moves.put(step.staged, step.target)
    }
    const { pages, listings, last } = inOrder(steps, order)
    for (const step of pages) put(step)
    const ready = last && join(staging, basename(last.target))
    if (last && ready !== undefined) renameSync(last.staged, ready)
    for (const step of listings) put(step)
    if (last && ready !== undefined) put({ ...last, staged: ready })
  })
}

/**
 * The process can be killed between two steps. The next update then ends with the same files: new pages come first, then old ones go, then
 * the files that say which pages exist. Once the pages are in place, the last file has its name in the staging folder.
 */
function inOrder(steps: readonly Step[], { lastName, inGivenOrder }: ApplyOptions) {
  if (inGivenOrder) return { pages: steps, listings: [], last: undefined }
  // In the place of such a deleted file comes a folder, or on a disk that ignores case a page whose name changes only the case.
  const taken = new Set<string>()
  for (const { change, target } of steps) {
    if (change.kind !== 'add') continue
    for (let place = target.toLowerCase(); !taken.has(place) && place !== dirname(place); place = dirname(place)) taken.add(place)
  }
  const isListing = ({ target }: Step) => target.endsWith('.json')
  const pages = steps.filter((step) => !isListing(step))
  const isTaken = ({ target }: Step) => taken.has(target.toLowerCase())
  const last = steps.find(
    (step) => basename(step.target) === lastName && !isDeletion(step) && dirname(step.target) === dirname(dirname(step.staged)),
  )
  return {
    pages: [
      ...pages.filter((step) => isDeletion(step) && isTaken(step)),
      ...pages.filter((step) => !isDeletion(step)),
      ...pages.filter((step) => isDeletion(step) && !isTaken(step)),
    ],
    listings: steps.filter((step) => isListing(step) && step !== last),
    last,
  }
}

const stagingPrefix = '.openapi-pages-update-'

/**
 * Removes the staging folders of killed runs, before an update reads the files. They have generated pages and earlier versions of files, and
 * the last file if only that was not in place.
 */
export function removeAbandonedStaging(folder: OwnedPath, lastName: string): void {
  if (!isFolder(folder)) return
  clearStaging(folder, stagingPrefix, (staging) => {
    const names = readdirSync(staging)
    const isOnlyLast = names.includes(lastName) && !names.some((name) => name.endsWith('.new'))
    if (isOnlyLast) renameSync(join(staging, lastName), join(folder, lastName))
  })
}

function makeStaging(root: OwnedPath, commonFolder: string): OwnPath {
  const path = relative(resolveThroughLinks(root), commonFolder).replaceAll(sep, '/')
  try {
    const folder = findInside(root, path)
    if (folder === undefined) throw new FilesError(`Cannot write \`${path}\`: it has moved`, { path })
    clearStaging(folder, stagingPrefix)
    return makeStagingFolder(folder, stagingPrefix)
  } catch (error) {
    throw toFilesError(error, 'write', path || '.')
  }
}

function isDeletion(step: Step): boolean {
  return step.change.kind === 'delete'
}

/** Writes the new content without touching the tree. */
function stage({ change, target, hasByteOrderMark, staged }: Step): void {
  if (change.kind === 'delete') return
  writeFileSync(staged, hasByteOrderMark ? `\uFEFF${change.content}` : change.content, { flag: 'wx' })
  if (change.kind === 'add') return
  chmodSync(staged, statSync(target).mode)
}

/** The deepest existing folder that contains all targets, so that renames stay on one disk. */
function findCommonFolder(targets: readonly string[]): string {
  const folders = new Set(targets.map((target) => dirname(target) + sep))
  let folder = dirname(targets[0] ?? '')
  while (![...folders].every((other) => other.startsWith(folder + sep)) || !isFolder(folder)) {
    if (dirname(folder) === folder) break
    folder = dirname(folder)
  }
  return folder
}

/** A change and its target on the disk. */
interface LocatedChange {
  readonly change: FileChange
  readonly target: InsidePath
  /** The file begins with a byte order mark, which is not part of the text (see `SourceFile`) and must be kept. */
  readonly hasByteOrderMark: boolean
}

/**
 * Finds the target of every change below a root and checks that it may be written.
 *
 * @throws {FilesError} when a path leaves the writable folders or enters `.git`, two changes have the same target, or the target
 * has changed since planning.
 */
function locateChanges(root: OwnedPath, writableFolders: readonly string[], changes: readonly FileChange[]): LocatedChange[] {
  const places = findTargets(root, writableFolders, changes)
  const taken = new Set<string>()
  for (const { change, target } of places) {
    if (taken.has(target))
      throw refusal(change, 'two changes have the same target file', 'This is a bug in openapi-pages. Please report it')
    taken.add(target)
  }
  const deleted = new Set<string>(places.filter(({ change }) => change.kind === 'delete').map(({ target }) => target))
  return places.map(({ change, target }) => {
    if (change.kind !== 'add') return { change, target, hasByteOrderMark: checkUnchanged(change, target) }
    // On a disk that ignores case, an existing file may be one that this update removes.
    if (exists(change, target) && !deleted.has(realpathSync.native(target))) {
      // The plan avoids existing files, but not existing folders.
      if (statSync(target, { throwIfNoEntry: false })?.isDirectory())
        throw refusal(change, 'a directory with this name already exists', 'Move that directory, or write to another one')
      throw refusal(change, 'a file with this name already exists', 'Move that file, or run again to choose another name')
    }
    return { change, target, hasByteOrderMark: false }
  })
}

function findTargets(root: OwnedPath, writableFolders: readonly string[], changes: readonly FileChange[]) {
  const locate = createLocator(root, writableFolders)
  return changes.map((change) => {
    // A deletion removes the link itself. Every other change goes to the file behind the link.
    const located = locate(change.path, change.kind === 'delete' ? 'link' : 'target')
    if (located.kind === 'outside')
      throw refusal(change, 'it is outside the writable directory', 'Remove the symbolic link on this path')
    if (located.kind === 'git') throw refusal(change, 'it is inside `.git`', 'Choose another directory')
    return { change, target: located.path }
  })
}

/** Checks that a file is unchanged since planning. True if it begins with a byte order mark. */
function checkUnchanged(change: Exclude<FileChange, { kind: 'add' }>, target: string): boolean {
  let text: string
  try {
    text = readFileSync(target, 'utf8')
  } catch (error) {
    throw toFilesError(error, verbs[change.kind], change.path)
  }
  const hasByteOrderMark = text.startsWith('\uFEFF')
  const found = hasByteOrderMark ? text.slice(1) : text
  if (found !== change.before) throw refusal(change, 'it has changed since it was read', 'Run again')
  return hasByteOrderMark
}

function exists(change: FileChange, target: string): boolean {
  try {
    // Nothing exists below a file. Creating the folder will show whether this update removes that file.
    return lookAt(target) !== undefined
  } catch (error) {
    throw toFilesError(error, verbs[change.kind], change.path)
  }
}

const verbs = { add: 'add', modify: 'change', delete: 'delete' } as const

function refusal(change: FileChange, reason: string, hint: string): FilesError {
  return new FilesError(`Cannot ${verbs[change.kind]} \`${change.path}\`: ${reason}`, {
    path: change.path,
    hint,
  })
}

import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { FilesError } from '../errors.ts'
import type { FileChange } from '../text/file-change.ts'
import { deferSignals } from './defer-signals.ts'
import { type LocatedChange, locateChanges } from './locate-changes.ts'
import { resolveThroughLinks } from './resolve-through-links.ts'
import { toFilesError } from './to-files-error.ts'

/**
 * Makes changes to files below an absolute folder: all of them, or none.
 *
 * Every new content is first written beside the tree; then each file, and each new folder with all that is in it, is put in
 * place by one rename. Files that are not named are not touched. Folders are made as needed, and removed when the last file in them is deleted.
 *
 * @param root what the paths of the changes are relative to.
 * @param writableFolders relative to `root` with `/`: nothing outside them is written, whatever the paths and the links on them.
 * @throws {FilesError} when the disk refuses a step, when a file is no longer what the change was planned on, or when a path
 * leads out of the folders. The tree is then as it was.
 */
export async function applyFileChanges(
  root: string,
  changes: readonly FileChange[],
  ...writableFolders: readonly string[]
): Promise<void> {
  if (changes.length === 0) return
  const realRoot = resolveThroughLinks(root)
  await deferSignals(() =>
    applyAll(realRoot, locateChanges(realRoot, writableFolders.length === 0 ? [''] : writableFolders, changes)),
  )
}

/** A change with the names that its new and its old content have while it is made. */
interface Step extends LocatedChange {
  readonly staged: string
  readonly backup: string
}

function applyAll(realRoot: string, located: readonly LocatedChange[]): void {
  const commonFolder = findCommonFolder(located.map(({ target }) => target))
  const staging = makeStaging(realRoot, commonFolder)
  const newFolders = new Map<string, NewFolder>()
  const steps = located.map((change, index): Step => {
    const place = { staged: `${staging}${sep}${index}.new`, backup: `${staging}${sep}${index}.old` }
    const { newFolder, target } = change
    if (newFolder === undefined) return { ...change, ...place }
    const staged = newFolders.get(newFolder)?.staged ?? `${staging}${sep}${index}.folder`
    newFolders.set(newFolder, { target: newFolder, staged, path: change.change.path })
    return { ...change, ...place, staged: staged + target.slice(newFolder.length) }
  })
  // Deletions go first: on a disk that ignores case, a page may change only the case of its name.
  const single = steps.filter(({ newFolder }) => newFolder === undefined)
  const inOrder = [...single.filter(isDeletion), ...single.filter((step) => !isDeletion(step))]
  const undo: (() => void)[] = []
  let path = ''
  try {
    const made = new Set<string>()
    for (const step of steps) {
      path = step.change.path
      stage(step, made)
    }
    for (const step of inOrder) {
      path = step.change.path
      putInPlace(step, undo)
    }
    for (const folder of newFolders.values()) {
      path = folder.path
      putFolderInPlace(folder, undo)
    }
  } catch (error) {
    rollBack(undo, staging, toFilesError(error, 'write', path.replaceAll(sep, '/')))
  }
  rmSync(staging, { recursive: true, force: true })
  for (const step of steps.filter(isDeletion)) removeEmptyFolders(realRoot, dirname(step.target))
}

function makeStaging(realRoot: string, folder: string): string {
  try {
    return mkdtempSync(join(folder, '.openapi-pages-'))
  } catch (error) {
    throw toFilesError(error, 'write', relative(realRoot, folder).replaceAll(sep, '/') || '.')
  }
}

/** A folder that is not there yet: it is filled beside the tree, and put in place by one rename with all that is in it. */
interface NewFolder {
  readonly target: string
  readonly staged: string
  /** Of a file in it, to name the folder by. */
  readonly path: string
}

function putFolderInPlace({ target, staged }: NewFolder, undo: (() => void)[]): void {
  renameSync(staged, target)
  undo.push(() => renameSync(target, staged))
}

function isDeletion(step: Step): boolean {
  return step.change.kind === 'delete'
}

/** Writes the new content, and makes sure that the old one can be put back, without touching the tree. */
function stage({ change, target, hasByteOrderMark, newFolder, staged, backup }: Step, made: Set<string>): void {
  if (change.kind === 'delete') return
  if (newFolder !== undefined) {
    const folder = staged.slice(0, staged.lastIndexOf(sep))
    if (!made.has(folder)) mkdirSync(folder, { recursive: true })
    made.add(folder)
  }
  writeFileSync(staged, hasByteOrderMark ? `\uFEFF${change.content}` : change.content, { flag: 'wx' })
  if (change.kind === 'add') return
  chmodSync(staged, statSync(target).mode)
  try {
    linkSync(target, backup)
  } catch {
    copyFileSync(target, backup)
  }
}

function putInPlace({ change, target, staged, backup }: Step, undo: (() => void)[]): void {
  if (change.kind === 'delete') {
    renameSync(target, backup)
    undo.push(() => renameSync(backup, target))
    return
  }
  if (change.kind === 'add') makeFolder(dirname(target), undo)
  renameSync(staged, target)
  undo.push(() => (change.kind === 'add' ? unlinkSync(target) : renameSync(backup, target)))
}

function makeFolder(folder: string, undo: (() => void)[]): void {
  const firstMade = mkdirSync(folder, { recursive: true })
  if (firstMade === undefined) return
  undo.push(() => {
    for (let current = folder; ; current = dirname(current)) {
      rmdirSync(current)
      if (current === firstMade) return
    }
  })
}

function rollBack(undo: readonly (() => void)[], staging: string, failure: FilesError): never {
  try {
    for (const step of undo.toReversed()) step()
  } catch (error) {
    throw new FilesError(`${failure.message}; and the files that were already written could not be put back`, {
      path: failure.path,
      code: failure.code,
      hint: `the old contents are in \`${staging}\``,
      cause: error,
    })
  }
  rmSync(staging, { recursive: true, force: true })
  throw failure
}

/** The deepest folder that is there and holds all the places: on their disk, and not above the docs root. */
function findCommonFolder(targets: readonly string[]): string {
  const folders = new Set(targets.map((target) => dirname(target) + sep))
  let folder = dirname(targets[0] ?? '')
  while (![...folders].every((other) => other.startsWith(folder + sep)) || !isFolder(folder)) {
    if (dirname(folder) === folder) break
    folder = dirname(folder)
  }
  return folder
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Removes a folder and those above it as long as nothing is left in them; never the root. */
function removeEmptyFolders(realRoot: string, folder: string): void {
  for (let current = folder; current.startsWith(realRoot + sep); current = dirname(current)) {
    try {
      rmdirSync(current)
    } catch {
      return
    }
  }
}

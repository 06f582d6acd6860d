import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { FilesError } from '../errors.ts'
import type { FileChange } from '../text/file-change.ts'
import { normalizePath } from '../text/relative-path.ts'
import { createFolderFinder, type FoundFolder } from './find-folders.ts'
import { isInside, resolveThroughLinks } from './resolve-through-links.ts'
import { toFilesError } from './to-files-error.ts'

/** A change and the place on the disk that it is for. */
export interface LocatedChange {
  readonly change: FileChange
  /** Absolute, links resolved. */
  readonly target: string
  /** The file begins with a byte order mark, which is not part of a text (see `SourceFile`) and has to be kept. */
  readonly hasByteOrderMark: boolean
  /** The highest folder on the way to a new file that is not there yet, absolute; absent where the folder of the file is there. */
  readonly newFolder: string | undefined
}

/**
 * Finds the place of every change below a root (absolute, links resolved) and makes sure that it may be made there.
 *
 * @throws {FilesError} when a path leads out of the writable folders or into `.git`, when two changes are for the same file, or when
 * what stands there is not what the change was planned on.
 */
export function locateChanges(
  realRoot: string,
  writableFolders: readonly string[],
  changes: readonly FileChange[],
): LocatedChange[] {
  const writable = writableFolders.map((folder) => resolveThroughLinks(join(realRoot, folder)))
  const places = findPlaces(realRoot, writable, changes)
  const taken = new Set<string>()
  for (const { change, target } of places) {
    if (taken.has(target))
      throw refusal(change, 'two changes are for this file', 'this is a fault of openapi-pages, please report it')
    taken.add(target)
  }
  const deleted = new Set(places.filter(({ change }) => change.kind === 'delete').map(({ target }) => target))
  return places.map(({ change, target, newFolder }) => {
    if (change.kind !== 'add') return { change, target, newFolder, hasByteOrderMark: checkStillStands(change, target) }
    // On a disk that ignores case, the file that is in the way may be one that this update removes.
    if (newFolder === undefined && stands(change, target) && !deleted.has(realpathSync.native(target))) {
      // Only a file is planned around.
      if (statSync(target, { throwIfNoEntry: false })?.isDirectory())
        throw refusal(change, 'a folder stands where the file should go', 'move that folder, or write to another one')
      throw refusal(change, 'a file with this name is there already', 'move that file, or run again to plan around it')
    }
    return { change, target, newFolder, hasByteOrderMark: false }
  })
}

type Place = Pick<LocatedChange, 'change' | 'target' | 'newFolder'>

/** Each folder is followed and judged once, however many files are in it. */
function findPlaces(realRoot: string, writable: readonly string[], changes: readonly FileChange[]): Place[] {
  const findFolder = createFolderFinder(realRoot)
  const folders = new Map<string, JudgedFolder>()
  return changes.map((change) => {
    const path = sep === '/' ? change.path : change.path.replaceAll('/', sep)
    const end = path.lastIndexOf(sep)
    const [steps, name] = [path.slice(0, Math.max(0, end)), path.slice(end + 1)]
    const folder = folders.get(steps) ?? judgeFolder(normalizePath(steps.replaceAll(sep, '/')), findFolder)
    folders.set(steps, folder)
    if (folder.isOutside || name === '' || name === '.' || name === '..' || path.includes('\0')) throw outside(change)
    // A deletion takes away the link itself; every other change is made to the file that the link leads to.
    const inFolder = folder.path + (folder.path.endsWith(sep) ? '' : sep) + name
    const isLinkFollowed = change.kind !== 'delete' && folder.firstMissing === undefined
    const target = isLinkFollowed ? resolveThroughLinks(inFolder) : inFolder
    if (target === inFolder ? !folder.isWritable : !isWritable(target)) throw outside(change)
    if (target === inFolder ? folder.isInGit || isGitFolder(name) : isInGit(target)) {
      throw refusal(change, 'it leads into `.git`', 'choose another folder')
    }
    return { change, target, newFolder: change.kind === 'add' ? folder.firstMissing : undefined }
  })

  function judgeFolder(folder: string, find: (folder: string) => FoundFolder): JudgedFolder {
    const isOutside = folder === '..' || folder.startsWith('../') || folder.includes('\0')
    const found = isOutside ? { path: realRoot, firstMissing: undefined } : find(join(realRoot, folder))
    return { ...found, isOutside, isWritable: isWritable(found.path), isInGit: isInGit(found.path) }
  }

  function isWritable(path: string): boolean {
    return writable.some((folder) => isInside(folder, path))
  }

  function isInGit(path: string): boolean {
    return relative(realRoot, path).split(sep).some(isGitFolder)
  }
}

interface JudgedFolder extends FoundFolder {
  /** Its path leads out of the root by its steps alone. */
  readonly isOutside: boolean
  readonly isWritable: boolean
  readonly isInGit: boolean
}

function isGitFolder(step: string): boolean {
  return step.toLowerCase() === '.git'
}

function outside(change: FileChange): FilesError {
  return refusal(change, 'it leads out of the folder that may be written', 'replace the link on this path by a folder')
}

/** Tells whether the file begins with a byte order mark. */
function checkStillStands(change: Exclude<FileChange, { kind: 'add' }>, target: string): boolean {
  let text: string
  try {
    text = readFileSync(target, 'utf8')
  } catch (error) {
    throw toFilesError(error, verbs[change.kind], change.path)
  }
  const hasByteOrderMark = text.startsWith('\uFEFF')
  const found = hasByteOrderMark ? text.slice(1) : text
  if (found !== change.before) throw refusal(change, 'it has changed since it was read', 'run again')
  return hasByteOrderMark
}

function stands(change: FileChange, target: string): boolean {
  try {
    return lstatSync(target, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    // Below a file there is nothing; whether that file goes away with this update shows when the folder is made.
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return false
    throw toFilesError(error, verbs[change.kind], change.path)
  }
}

const verbs = { add: 'add', modify: 'change', delete: 'delete' } as const

function refusal(change: FileChange, reason: string, way: string): FilesError {
  return new FilesError(`Cannot ${verbs[change.kind]} \`${change.path}\`: ${reason}`, {
    path: change.path,
    hint: `${way}; nothing was changed`,
  })
}

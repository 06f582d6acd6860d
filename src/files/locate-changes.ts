import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { FilesError } from '../errors.ts'
import type { FileChange } from '../text/file-change.ts'
import { normalizePath } from '../text/relative-path.ts'
import { createLinkResolver, isInside, resolveThroughLinks } from './resolve-through-links.ts'
import { toFilesError } from './to-files-error.ts'

/** A change and the place on the disk that it is for. */
export interface LocatedChange {
  readonly change: FileChange
  /** Absolute, links resolved. */
  readonly target: string
  /** The file begins with a byte order mark, which is not part of a text (see `SourceFile`) and has to be kept. */
  readonly hasByteOrderMark: boolean
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
  const resolveLinks = createLinkResolver()
  const places = changes.map((change) => ({ change, target: toTarget(realRoot, writable, change, resolveLinks) }))
  const taken = new Set<string>()
  for (const { change, target } of places) {
    if (taken.has(target))
      throw refusal(change, 'two changes are for this file', 'this is a fault of openapi-pages, please report it')
    taken.add(target)
  }
  const deleted = new Set(places.filter(({ change }) => change.kind === 'delete').map(({ target }) => target))
  return places.map(({ change, target }) => {
    if (change.kind !== 'add') return { change, target, hasByteOrderMark: checkStillStands(change, target) }
    // On a disk that ignores case, the file that is in the way may be one that this update removes.
    if (stands(change, target) && !deleted.has(realpathSync.native(target))) {
      throw refusal(change, 'a file with this name is there already', 'move that file, or run again to plan around it')
    }
    return { change, target, hasByteOrderMark: false }
  })
}

function toTarget(
  realRoot: string,
  writable: readonly string[],
  change: FileChange,
  resolveLinks: (path: string) => string,
): string {
  const path = normalizePath(change.path)
  const isOutside = path === '' || path === '..' || path.startsWith('../') || path.includes('\0')
  const place = join(realRoot, path)
  // A deletion takes away the link itself; every other change is made to the file that the link leads to.
  const target =
    change.kind === 'delete'
      ? join(resolveThroughLinks(join(place, '..')), place.slice(place.lastIndexOf(sep)))
      : resolveLinks(place)
  if (isOutside || !writable.some((folder) => isInside(folder, target))) {
    throw refusal(change, 'it leads out of the folder that may be written', 'replace the link on this path by a folder')
  }
  const steps = relative(realRoot, target).split(sep)
  if (steps.some((step) => step.toLowerCase() === '.git')) throw refusal(change, 'it leads into `.git`', 'choose another folder')
  return target
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

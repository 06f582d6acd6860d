import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'

export interface FoundFolder {
  /** Absolute, links resolved. */
  readonly path: string
  /** The highest folder of the path that is not there; absent where all of them are, or where something else stands in their place. */
  readonly firstMissing: string | undefined
}

/**
 * The folder that nothing may be read outside of, absolute and with links resolved.
 *
 * That is the git work tree that holds the entry (a document or a docs root); without git the working directory when it
 * holds the entry, else the folder of the entry. Finds the work tree by its `.git`, as git does, without starting git.
 *
 * A file of a work tree that is a link out of it stays outside: whoever can add a link to a repository must not choose what is read.
 */
export function findBoundary(entry: string, workingDirectory: string): string {
  const writtenEntry = resolve(workingDirectory, entry)
  const realEntry = resolveThroughLinks(writtenEntry)
  const isEntryFolder = isFolder(realEntry)
  const entryFolder = isEntryFolder ? realEntry : dirname(realEntry)
  const written = realEntry === writtenEntry || isEntryFolder ? undefined : findWorkTree(dirname(writtenEntry))
  const around = written === undefined ? undefined : resolveThroughLinks(written)
  if (around !== undefined && !isInside(around, realEntry)) return around
  const realWorkingDirectory = resolveThroughLinks(resolve(workingDirectory))
  return findWorkTree(entryFolder) ?? (isInside(realWorkingDirectory, realEntry) ? realWorkingDirectory : entryFolder)
}

/** The top of the git work tree that holds an absolute folder with links resolved. */
function findWorkTree(folder: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    // In a linked work tree and in a submodule `.git` is a file. A stray empty folder of that name counts for git as nothing.
    const place = join(current, '.git')
    if (isFile(place) || isFile(join(place, 'HEAD'))) return current
    if (dirname(current) === current) return undefined
  }
}

function isFolder(path: string): boolean {
  return readStats(path)?.isDirectory() ?? false
}

function isFile(path: string): boolean {
  return readStats(path)?.isFile() ?? false
}

/** What stands at a path; undefined where it leads nowhere or may not be looked at. */
function readStats(path: string): Stats | undefined {
  try {
    // An exception for each step up would take longer than all the rest.
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/**
 * Where an absolute path really leads, links resolved, even when nothing is there yet.
 *
 * Never throws: what cannot be followed further is taken as it is written.
 */
export function resolveThroughLinks(path: string): string {
  let current = path
  const rest: string[] = []
  // 40 links is where Linux gives up too.
  for (let links = 0; links <= 40; ) {
    try {
      return join(realpathSync.native(current), ...rest)
    } catch {
      const target = readLink(current)
      if (target !== undefined) {
        current = resolve(dirname(current), target)
        links++
      } else {
        if (dirname(current) === current) break
        rest.unshift(basename(current))
        current = dirname(current)
      }
    }
  }
  return path
}

/**
 * As `resolveThroughLinks`, for many paths of which most are not there yet: the folder of such a path is followed once.
 *
 * To be used for a moment only, in which nobody moves folders.
 */
export function createLinkResolver(): (path: string) => string {
  const folders = new Map<string, string>()
  return (path) => {
    if (isThere(path)) return resolveThroughLinks(path)
    const folder = dirname(path)
    const known = folders.get(folder) ?? resolveThroughLinks(folder)
    folders.set(folder, known)
    return join(known, basename(path))
  }
}

/** Also true for a link that leads nowhere, and where it cannot be told. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** Whether an absolute path is the folder itself or below it; both with links resolved. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/**
 * Makes a function that says where folders below a root (absolute, links resolved) really are, and which of them are not there yet.
 *
 * The system is asked once for each folder, and not at all for what would be in a folder that is not there. To be used for a moment only,
 * in which nobody moves folders.
 */
export function createFolderFinder(realRoot: string): (folder: string) => FoundFolder {
  const found = new Map<string, FoundFolder>()
  const find = (folder: string): FoundFolder => {
    const known = found.get(folder) ?? look(folder)
    found.set(folder, known)
    return known
  }
  const look = (folder: string): FoundFolder => {
    if (folder === realRoot || !isInside(realRoot, folder)) return { path: resolveThroughLinks(folder), firstMissing: undefined }
    const parent = find(dirname(folder))
    const path = join(parent.path, basename(folder))
    if (parent.firstMissing !== undefined) return { path, firstMissing: parent.firstMissing }
    return isMissing(path) ? { path, firstMissing: path } : { path: resolveThroughLinks(path), firstMissing: undefined }
  }
  return find
}

/** Below a file, and where it cannot be told, nothing counts as missing: making the folder will show what is wrong. */
function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}

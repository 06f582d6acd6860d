import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path'
import { normalizePath } from '../text/plain/paths.ts'

declare const owner: unique symbol

/** A path that the user named: an argument, an input of the Action, the environment or the settings of the operator. */
export type UserPath = string & { readonly [owner]: 'user' }

/** A folder that the program made or owns (temporary, cache, data), or a path in it. */
export type OwnPath = string & { readonly [owner]: 'own' }

/** A boundary, or a path that was checked below it, links included. The only one that a repository can name. */
export type InsidePath = string & { readonly [owner]: 'inside' }

/** A path that has an owner. What reads, writes or deletes files takes no other. */
export type OwnedPath = UserPath | OwnPath | InsidePath

/** A path without an owner. An `InsidePath` is none, so that it becomes no path of the user. */
export type PlainPath = string & { readonly [owner]?: never }

/** Only the files that read arguments, inputs and the environment may call this. See `test/architecture.test.ts`. */
export function toUserPath(path: PlainPath): UserPath {
  return path as string as UserPath
}

/** Only the files that make or find folders of the program may call this. See `test/architecture.test.ts`. */
export function toOwnPath(path: PlainPath): OwnPath {
  return path as string as OwnPath
}

/** A path in a folder. Links are not resolved. @throws {Error} if the steps leave the folder. */
export function joinOwned<Path extends UserPath | OwnPath>(folder: Path, ...steps: readonly string[]): Path {
  const path = join(folder, ...steps)
  if (!isInside(join(folder), path)) throw new Error(`Unexpected path ${path}, expected one in ${folder}`)
  return path as Path
}

export function folderOf<Path extends UserPath | OwnPath>(path: Path): Path {
  return dirname(path) as Path
}

/**
 * Finds the folder that bounds all reads, absolute and with links resolved.
 *
 * This is the Git work tree of the entry (a document or a docs directory). Without Git it is the working directory if that
 * contains the entry, otherwise the folder of the entry. Looks for `.git` as git does, without starting git.
 *
 * A link that leaves the work tree is outside: a link in a repository must not decide which files are read.
 */
export function findBoundary(entry: OwnedPath, workingDirectory: string): InsidePath {
  const writtenEntry = resolve(workingDirectory, entry)
  const leaving = findRepositoryLinks(writtenEntry).find(({ isLeaving }) => isLeaving)
  if (leaving) return leaving.repository as InsidePath
  const realEntry = resolveThroughLinks(writtenEntry)
  let entryFolder = realEntry
  // The folder of a missing file may be missing too. Reading the file reports the problem.
  while (!isFolder(entryFolder) && dirname(entryFolder) !== entryFolder) entryFolder = dirname(entryFolder)
  const realWorkingDirectory = resolveThroughLinks(resolve(workingDirectory))
  const fallback = isInside(realWorkingDirectory, realEntry) ? realWorkingDirectory : entryFolder
  return (findWorkTree(entryFolder) ?? fallback) as InsidePath
}

/** A symbolic link that a repository contains, so that its authors chose the target. */
interface RepositoryLink {
  /** Absolute, with the links on the way to it resolved. */
  readonly path: string
  /** The repository, absolute, links resolved. */
  readonly repository: string
  /** Whether the target is outside the repository or in its `.git`. */
  readonly isLeaving: boolean
}

/** Linux has the same limit. */
const maxLinks = 40

/**
 * Finds all links of repositories on the way to an absolute path, in the order in which the system follows them. The path need not exist.
 *
 * @param folder Counts as a repository too: absolute, links resolved.
 */
export function findRepositoryLinks(path: string, folder?: string): readonly RepositoryLink[] {
  const found: RepositoryLink[] = []
  const toSteps = (text: string) => text.slice(parse(text).root.length).split(sep)
  let current = parse(path).root
  const steps = toSteps(path)
  for (let links = 0; links <= maxLinks; ) {
    const step = steps.shift()
    if (step === undefined) break
    const next = join(current, step)
    const target = readLink(next)
    if (target === undefined) {
      current = next
      continue
    }
    links++
    const repository = findWorkTree(current) ?? (folder !== undefined && isInside(folder, current) ? folder : undefined)
    if (repository !== undefined) {
      const real = resolveThroughLinks(next)
      const isLeaving = !isInside(repository, real) || relative(repository, real).split(sep).some(isGitFolder)
      found.push({ path: next, repository, isLeaving })
    }
    steps.unshift(...toSteps(target))
    if (isAbsolute(target)) current = parse(target).root
  }
  return found
}

/** Whether a name is that of Git's own folder, also on disks that ignore case. */
export function isGitFolder(name: string): boolean {
  return name.toLowerCase() === '.git'
}

/** The top of the git work tree around an absolute folder with links resolved. */
function findWorkTree(folder: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    // In a linked work tree and in a submodule, `.git` is a file. Git ignores an empty folder of that name.
    const place = join(current, '.git')
    if (isFile(place) || isFile(join(place, 'HEAD'))) return current
    if (dirname(current) === current) return undefined
  }
}

export function isFolder(path: string): boolean {
  return statPath(path)?.isDirectory() ?? false
}

function isFile(path: string): boolean {
  return statPath(path)?.isFile() ?? false
}

/** The stats of a path; undefined if nothing exists there or access is denied. Reading it reports the reason. */
export function statPath(path: string): Stats | undefined {
  try {
    // Exceptions would dominate the time of this search.
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/**
 * Resolves the links of an absolute path, even if nothing exists there yet.
 *
 * Never throws: a part that cannot be resolved is kept as written.
 */
export function resolveThroughLinks<Path extends OwnedPath>(path: Path): Path
export function resolveThroughLinks(path: string): string
export function resolveThroughLinks(path: string): string {
  let current = path
  const rest: string[] = []
  for (let links = 0; links <= maxLinks; ) {
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
 * Like `resolveThroughLinks`, for many paths that mostly do not exist yet: resolves each folder once.
 *
 * Use it briefly: it does not notice folders that move.
 */
export function createLinkResolver(): (path: string, end?: 'link' | 'target') => string {
  const folders = new Map<string, string>()
  return (path, end = 'target') => {
    if (end === 'target' && pathExists(path)) return resolveThroughLinks(path)
    const folder = dirname(path)
    const known = folders.get(folder) ?? resolveThroughLinks(folder)
    folders.set(folder, known)
    return join(known, basename(path))
  }
}

/** Also true for a broken link, and when access is denied. */
function pathExists(path: string): boolean {
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

/** Whether an absolute path is the folder itself or below it. Both must have links resolved. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/**
 * Converts an absolute path to a path relative to a boundary (links resolved), with `/`. Returns `undefined` if it is outside.
 *
 * Resolves links only if the path is outside otherwise: `/tmp` of macOS is a link, and Windows accepts `c:` for `C:`.
 */
export function toPathInside(boundary: string, path: string): string | undefined {
  const inside = isInside(boundary, path) ? path : resolveThroughLinks(path)
  return isInside(boundary, inside) ? relative(boundary, inside).replaceAll(sep, '/') : undefined
}

/** Where a path leads: inside, out of the boundary or of the folders that may be used, or into `.git`. */
type Located = { readonly kind: 'inside'; readonly path: InsidePath } | { readonly kind: 'outside' } | { readonly kind: 'git' }

/**
 * Makes a function that follows paths relative to a boundary, with `/`, and finds where they lead. Nothing has to exist. Resolves each folder
 * once: use it briefly.
 *
 * @param usable The folders that may be used, relative to the boundary. They can be links that leave it.
 */
export function createLocator(boundary: OwnedPath, usable: readonly string[]): (path: string, end: 'link' | 'target') => Located {
  const root = resolveThroughLinks(boundary)
  const folders = usable.map((folder) => resolveThroughLinks(join(root, folder))).filter((folder) => isInside(root, folder))
  const resolveLinks = createLinkResolver()
  return (path, end) => {
    const steps = normalizePath(sep === '/' ? path : path.replaceAll(sep, '/'))
    if (steps === '' || steps === '..' || steps.startsWith('../') || steps.includes('\0')) return { kind: 'outside' }
    const target = resolveLinks(join(root, steps), end)
    if (!folders.some((folder) => isInside(folder, target))) return { kind: 'outside' }
    if (relative(root, target).split(sep).some(isGitFolder)) return { kind: 'git' }
    return { kind: 'inside', path: target as InsidePath }
  }
}

/** Follows a path relative to a boundary. Returns `undefined` if it leads out of it or into `.git`. It need not exist. */
export function findInside(boundary: OwnedPath, path: string): InsidePath | undefined {
  const steps = normalizePath(path)
  if (steps === '') return resolveThroughLinks(boundary) as InsidePath
  const located = createLocator(boundary, [''])(steps, 'target')
  return located.kind === 'inside' ? located.path : undefined
}

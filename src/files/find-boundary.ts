import { type Stats, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isInside, resolveThroughLinks } from './resolve-through-links.ts'

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

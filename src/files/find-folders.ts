import { lstatSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isInside, resolveThroughLinks } from './resolve-through-links.ts'

export interface FoundFolder {
  /** Absolute, links resolved. */
  readonly path: string
  /** The highest folder of the path that is not there; absent where all of them are, or where something else stands in their place. */
  readonly firstMissing: string | undefined
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

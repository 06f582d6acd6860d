import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'

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

import type { LockedPage } from '../docs/types.ts'
import type { WantedPage } from './match-locked-pages.ts'
import { toHrefPath, toPageFolder, toPathKey } from './page-path.ts'

/**
 * The path without extension that a page in the lock file has to move to; `undefined` where it stays, which is nearly always: readers have
 * its address.
 *
 * It moves where the document gives it another `x-mint.href`, and where the directory of its document in the division has changed. A page
 * that stands elsewhere than in that directory was put there on purpose and stays.
 */
export function findNewPath(wanted: WantedPage, locked: LockedPage): string | undefined {
  const path = locked.path.replace(/\.mdx?$/, '')
  const href = wanted.subject.mint?.href
  const newPath = href === undefined ? findInDirectory(wanted, locked, path) : href === locked.href ? undefined : toHrefPath(href)
  if (newPath === undefined) return undefined
  // With a number, because another page has the path, it is where it belongs too.
  const isThere = [path, path.replace(/-\d+$/, '')].some((candidate) => toPathKey(candidate) === toPathKey(newPath))
  return isThere ? undefined : newPath
}

function findInDirectory({ division, source }: WantedPage, locked: LockedPage, path: string): string | undefined {
  const former = division.lockedSources.find((entry) => entry.source === locked.document)?.directory
  if (former === undefined || locked.href !== undefined) return undefined
  const formerFolder = toPageFolder(former)
  const folder = toPageFolder(source.directory)
  const prefix = formerFolder === '' ? '' : `${formerFolder}/`
  if (formerFolder === folder || !path.startsWith(prefix)) return undefined
  const rest = path.slice(prefix.length)
  return folder === '' ? rest : `${folder}/${rest}`
}

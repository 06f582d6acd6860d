import type { FilesChanged } from './types.ts'

/**
 * Folds what each commit of a push did into what the push did as a whole.
 *
 * Added and removed again is nothing, removed and added again is modified, added and then modified is added. Paths that a
 * commit names in several lists are taken as removed, then added, then modified.
 *
 * @param commits Oldest first, as the webhook `push` lists them.
 */
export function foldFilesChanged(commits: readonly FilesChanged[]): FilesChanged {
  const files = new Map<string, { readonly existedBefore: boolean; readonly existsNow: boolean }>()
  const touch = (path: string, existed: boolean, existsNow: boolean) => {
    files.set(path, { existedBefore: files.get(path)?.existedBefore ?? existed, existsNow })
  }
  for (const commit of commits) {
    for (const path of commit.removed) touch(path, true, false)
    for (const path of commit.added) touch(path, false, true)
    for (const path of commit.modified) touch(path, true, true)
  }
  const changed = { added: [] as string[], modified: [] as string[], removed: [] as string[] }
  for (const [path, { existedBefore, existsNow }] of files) {
    if (existsNow) changed[existedBefore ? 'modified' : 'added'].push(path)
    else if (existedBefore) changed.removed.push(path)
  }
  // The default order of `sort` is by UTF-16 units.
  for (const paths of [changed.added, changed.modified, changed.removed]) paths.sort()
  return changed
}

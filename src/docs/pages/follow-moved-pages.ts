import { groupBy } from '../../text/plain/lists.ts'
import { baseName } from '../../text/plain/paths.ts'
import { formatTarget } from '../navigation/docs-config.ts'
import { contentHash, type LockedPage, type LockFile } from './lock-file.ts'
import { readPageBinding } from './page-bindings.ts'
import { toSchemaTarget } from './subjects.ts'

/**
 * Follows the pages of a lock file that a person moved: a page is missing, and another file, which the lock file does not list, has its binding.
 * The operation may have another name by now, since the binding is that of the last update.
 *
 * @param pages Texts by path relative to the docs directory.
 */
export function followMovedPages(
  lock: LockFile,
  pages: ReadonlyMap<string, string>,
  isPage: (path: string) => boolean,
): LockFile {
  const missing = lock.pages.filter(({ path, hash }) => hash !== undefined && !pages.has(path))
  if (missing.length === 0) return lock
  const recorded = new Set(lock.pages.map(({ path }) => path))
  const others = [...pages].filter(([path]) => !recorded.has(path) && isPage(path))
  const found = groupBy(
    others.flatMap(([path, text]) => {
      const reading = readPageBinding(text)
      return reading.kind === 'bound' ? { path, text, binding: reading.binding } : []
    }),
    ({ binding }) => (binding.kind === 'schema' ? toSchemaTarget(binding.name) : formatTarget(binding)),
  )
  const taken = new Set<string>()
  const isSamePage = ({ document }: LockedPage, file: string | undefined) =>
    file === undefined || document === file || document.endsWith(`/${file}`)
  const places = new Map<string, string>()
  for (const page of missing) {
    const free = (found.get(page.operation) ?? []).filter(
      ({ path, binding }) => !taken.has(path) && isSamePage(page, binding.file),
    )
    const same = free.find(({ text }) => contentHash(text) === page.hash)
    const [first] = same ? [same] : free.toSorted((a, b) => rateName(b.path, page) - rateName(a.path, page))
    if (!first) continue
    taken.add(first.path)
    places.set(page.path, first.path)
  }
  const follow = (page: LockedPage): LockedPage => {
    const path = places.get(page.path)
    return path === undefined ? page : { ...page, path, movedFrom: page.path }
  }
  return { ...lock, pages: lock.pages.map(follow) }
}

function rateName(path: string, page: LockedPage): number {
  return Number(baseName(path) === baseName(page.path))
}

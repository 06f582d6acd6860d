import { isWithin } from '../../text/json/json-values.ts'
import { groupBy } from '../../text/plain/lists.ts'
import { baseName } from '../../text/plain/paths.ts'
import { type DocsConfig, formatTarget, listEntries } from '../navigation/docs-config.ts'
import { canMean } from './binding-files.ts'
import { renderPage, withoutPageExtension } from './generated-page.ts'
import { contentHash, type LockedPage, type LockFile } from './lock-file.ts'
import { toTraits } from './match-locked-pages.ts'
import { type BindableDocument, readPageBinding } from './page-bindings.ts'
import { type BoundOperation, type DeclaredDivision, findSubject, toSchemaTarget } from './subjects.ts'

/**
 * Follows the pages of a lock file that a person moved: a page is missing, and another file, which the lock file does not list, has its binding.
 * The operation may have another name by now, since the binding is that of the last update. A page that `docs.json` lists beside the missing
 * one is another page of the operation, unless it has the generated content.
 *
 * @param pages Texts by path relative to the docs directory.
 */
export function followMovedPages(
  lock: LockFile,
  docsConfig: DocsConfig | undefined,
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
  const listed = new Set(docsConfig && listEntries(docsConfig).map(({ path }) => path))
  const isListed = (path: string) => listed.has(withoutPageExtension(path))
  const places = new Map<string, string>()
  const listFree = ({ operation, document }: LockedPage) =>
    (found.get(operation) ?? []).filter(
      ({ path, binding: { file } }) => !taken.has(path) && (file === undefined || canMean(file, document)),
    )
  const follow = (page: LockedPage, moved: { readonly path: string } | undefined) => {
    if (!moved) return
    taken.add(moved.path)
    places.set(page.path, moved.path)
  }
  // First those with the generated content: such a page is no edited page of another one.
  for (const page of missing)
    follow(
      page,
      listFree(page).find(({ text }) => contentHash(text) === page.hash),
    )
  for (const page of missing.filter(({ path }) => !places.has(path))) {
    const edited = listFree(page).filter(({ path }) => !isListed(page.path) || !isListed(path))
    follow(page, edited.toSorted((a, b) => rateName(b.path, page) - rateName(a.path, page))[0])
  }
  const toFollowed = (page: LockedPage): LockedPage => {
    const path = places.get(page.path)
    return path === undefined ? page : { ...page, path, movedFrom: page.path }
  }
  return { ...lock, pages: lock.pages.map(toFollowed) }
}

/** What `recoverPages` reads. */
interface PagesOnDisk {
  readonly docsConfig: DocsConfig | undefined
  readonly divisions: readonly DeclaredDivision[]
  readonly documents: readonly BindableDocument[]
  /** The operations of pages, by path with extension. Without unchanged generated pages. */
  readonly shown: ReadonlyMap<string, BoundOperation>
  readonly pages: ReadonlyMap<string, string>
}

/**
 * Records listed pages with generated content whose record is missing or is that of another operation, as after a merge that kept the lock
 * file of one side.
 */
export function recoverPages(lock: LockFile, { docsConfig, divisions, documents, shown, pages }: PagesOnDisk): LockFile {
  const records = new Map(lock.pages.map((page) => [page.path, page]))
  const byKey = groupBy(lock.pages, toRecordKey)
  const places = new Map(docsConfig && listEntries(docsConfig).map(({ path, pointer }) => [path, pointer] as const))
  for (const [path, { source, target }] of shown) {
    const record = records.get(path)
    const place = docsConfig ? places.get(withoutPageExtension(path)) : ''
    const division = divisions.findLast(({ lockedId, pointer = '', mode, sources }) => {
      const isIn = record ? record.division === lockedId : place !== undefined && isWithin(place, pointer)
      return isIn && mode === 'automatic' && sources.some((one) => one.source === source && !one.adopted)
    })
    const index = documents.find((document) => document.source === source)?.index
    const subject = index && findSubject(index, target)
    if (!division || !subject) continue
    const found = { path, division: division.lockedId, document: source, operation: target }
    const others = byKey.get(toRecordKey(found)) ?? []
    const hash = contentHash(renderPage(subject, { document: source, version: division.version }))
    if (others.some((other) => pages.has(other.path)) || contentHash(pages.get(path) ?? '') !== hash) continue
    for (const other of others) records.delete(other.path)
    records.set(path, { ...toTraits(subject, ''), group: undefined, ...found, hash })
  }
  return { ...lock, pages: [...records.values()] }
}

function toRecordKey({ division, document, operation }: Pick<LockedPage, 'division' | 'document' | 'operation'>): string {
  return [division, document, operation].join('\n')
}

function rateName(path: string, page: LockedPage): number {
  return Number(baseName(path) === baseName(page.path))
}

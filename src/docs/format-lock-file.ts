import { groupBy } from '../text/group-by.ts'
import type { LockedPage, LockFile } from './types.ts'

/** The newest layout of the lock file that is read. Version 2 has adopted pages, which a program that knows 1 only would rewrite; without such it is 1. */
export const lockFileVersion = 2

/** Stands in the docs root and belongs to us; it is committed with the pages. */
export const lockFileName = 'openapi-pages.lock.json'

/**
 * Writes the lock file: one division and one page a line, sorted by UTF-16 units, so that git merges the changes of two branches.
 *
 * It has no top-level `openapi` key, since hosts take a JSON file that has one for a description.
 */
export function formatLockFile(lock: LockFile): string {
  const divisions = lock.divisions.map(({ id, sources }) => {
    const values = sources.map(({ source, directory, order, pending, adopted, named }) => ({
      source,
      directory,
      ...(order === 'tags' ? {} : { order }),
      ...(pending ? { pending } : {}),
      ...(adopted ? { adopted } : {}),
      ...(named ? { named } : {}),
    }))
    return [id, values] as const
  })
  const pages = lock.pages.map((page) => [page.path, toPageValue(page)] as const)
  const isAdopted = lock.divisions.some(({ sources }) => sources.some(({ adopted }) => adopted !== undefined))
  const unwritten = groupBy(lock.unwritten, ({ document, operation }) => `${document} ${operation}`)
  const without = [...unwritten].map(
    ([key, places]) => [key, [...new Set(places.map(({ division }) => division))].toSorted()] as const,
  )
  return [
    '{',
    `  "version": ${isAdopted ? lockFileVersion : 1},`,
    ...formatMapping('divisions', divisions, '},'),
    ...formatMapping('pages', pages, without.length > 0 ? '},' : '}'),
    ...(without.length > 0 ? formatMapping('unwritten', without, '}') : []),
    '}',
    '',
  ].join('\n')
}

/** In an order of its own, whatever made the record. */
function toPageValue(page: LockedPage) {
  const { division, document, operation, operationId, group, summary, parameters, href, hash, adopted, keep } = page
  return { division, document, operation, operationId, group, summary, parameters, href, hash, adopted, keep }
}

function formatMapping(key: string, entries: readonly (readonly [string, unknown])[], end: string): string[] {
  if (entries.length === 0) return [`  "${key}": {${end}`]
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const lines = sorted.map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  return [`  "${key}": {`, ...lines.slice(0, -1).map((line) => `${line},`), ...lines.slice(-1), `  ${end}`]
}

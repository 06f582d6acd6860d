import type { LockedPage, LockFile } from './types.ts'

/** The layout of the lock file that is written, and the newest that is read. */
export const lockFileVersion = 1

/** Stands in the docs root and belongs to us; it is committed with the pages. */
export const lockFileName = 'openapi-pages.lock.json'

/**
 * Writes the lock file: one division and one page a line, sorted by UTF-16 units, so that git merges the changes of two branches.
 *
 * It has no top-level `openapi` key, since hosts take a JSON file that has one for a description.
 */
export function formatLockFile(lock: LockFile): string {
  const divisions = lock.divisions.map(({ id, sources }) => {
    const values = sources.map(({ source, directory, order, pending }) => ({
      source,
      directory,
      ...(order === 'tags' ? {} : { order }),
      ...(pending ? { pending } : {}),
    }))
    return [id, values] as const
  })
  const pages = lock.pages.map((page) => [page.path, toPageValue(page)] as const)
  return [
    '{',
    `  "version": ${lockFileVersion},`,
    ...formatMapping('divisions', divisions, '},'),
    ...formatMapping('pages', pages, '}'),
    '}',
    '',
  ].join('\n')
}

/** In an order of its own, whatever made the record. */
function toPageValue(page: LockedPage) {
  const { division, document, operation, operationId, group, summary, parameters, href, hash } = page
  return { division, document, operation, operationId, group, summary, parameters, href, hash }
}

function formatMapping(key: string, entries: readonly (readonly [string, unknown])[], end: string): string[] {
  if (entries.length === 0) return [`  "${key}": {${end}`]
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const lines = sorted.map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  return [`  "${key}": {`, ...lines.slice(0, -1).map((line) => `${line},`), ...lines.slice(-1), `  ${end}`]
}

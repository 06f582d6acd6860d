import { isObject } from '../source/is-object.ts'
import { valueAtPointer } from '../source/json-pointer.ts'
import { normalizePath } from '../source/relative-path.ts'
import type { DocsConfig } from './types.ts'

/** A place in the navigation that names a page. */
export interface PageEntry {
  /** Without leading `/` and without extension. */
  readonly path: string
  readonly pointer: string
  /** The division that lists it. */
  readonly division: string
}

/** Lists every page that the navigation names, in document order of their divisions: by `pages` and by `root` of a group. */
export function listEntries({ divisions, value }: DocsConfig): PageEntry[] {
  return divisions.flatMap(({ pointer, id, keys, entries }) => {
    const root = keys.includes('root') ? valueAtPointer(value, `${pointer}/root`) : undefined
    const own = entries.flatMap((entry) =>
      entry.kind === 'page' ? { path: entry.path, pointer: entry.pointer, division: id } : [],
    )
    return typeof root === 'string' ? [{ path: toPagePath(root), pointer: `${pointer}/root`, division: id }, ...own] : own
  })
}

/** The pages that something in a `docs.json` leads to by an address of the site: links of the bar and the footer, anchors, redirects. */
export function listLinked({ value }: DocsConfig): Set<string> {
  const linked = new Set<string>()
  const waiting: unknown[] = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') {
      if (next.startsWith('/')) linked.add(toPagePath(next.replace(/[?#].*$/s, '')))
    } else if (Array.isArray(next)) for (const element of next) waiting.push(element)
    else if (isObject(next)) for (const element of Object.values(next)) waiting.push(element)
  }
  return linked
}

function toPagePath(text: string): string {
  return normalizePath(text).replace(/\.mdx?$/i, '')
}

/** An entry of `redirects` in `docs.json`. */
export interface Redirect {
  /** Position in the list. */
  readonly index: number
  /** As they are written: an address of the site, with leading `/`, or a pattern. */
  readonly source: string
  readonly destination: string
}

/** Lists `redirects`; entries that are none are left out. */
export function readRedirects(docsConfig: DocsConfig | undefined): Redirect[] {
  const written = docsConfig?.value['redirects']
  if (!Array.isArray(written)) return []
  return written.flatMap((entry: unknown, index) => {
    if (!isObject(entry)) return []
    const { source, destination } = entry
    return typeof source === 'string' && typeof destination === 'string' ? [{ index, source, destination }] : []
  })
}

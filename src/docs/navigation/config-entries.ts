import { isObject, valueAtPointer } from '../../text/json/json-values.ts'
import { normalizePath } from '../../text/plain/paths.ts'
import type { DocsConfig } from './types.ts'

/** A navigation entry that refers to a page file. */
export interface PageEntry {
  /** Without a leading `/` or an extension. */
  readonly path: string
  readonly pointer: string
  /** ID of the division that lists the page. */
  readonly division: string
}

/** Lists every page in the navigation, from `pages` and from the `root` of groups, in document order of the divisions. */
export function listEntries({ divisions, value }: DocsConfig): PageEntry[] {
  return divisions.flatMap(({ pointer, id, keys, entries }) => {
    const root = keys.includes('root') ? valueAtPointer(value, `${pointer}/root`) : undefined
    const own = entries.flatMap((entry) =>
      entry.kind === 'page' ? { path: entry.path, pointer: entry.pointer, division: id } : [],
    )
    return typeof root === 'string' ? [{ path: toPageEntry(root), pointer: `${pointer}/root`, division: id }, ...own] : own
  })
}

/** Collects the pages that any URL path in `docs.json` links to, for example from the navbar, the footer, anchors, or redirects. */
export function listLinkedPages({ value }: DocsConfig): Set<string> {
  const linked = new Set<string>()
  const waiting: unknown[] = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') {
      if (next.startsWith('/')) linked.add(toPageEntry(next.replace(/[?#].*$/s, '')))
    } else if (Array.isArray(next)) for (const element of next) waiting.push(element)
    else if (isObject(next)) for (const element of Object.values(next)) waiting.push(element)
  }
  return linked
}

/** The path of a page as the navigation names it: relative to the docs directory, without a slash at the start and an extension. */
export function toPageEntry(text: string): string {
  return normalizePath(text).replace(/\.mdx?$/i, '')
}

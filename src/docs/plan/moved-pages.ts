import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isObject, pointerChild } from '../../text/json/json-values.ts'
import { baseName, joinPath, normalizePath, parentPath } from '../../text/plain/paths.ts'
import { type DocsConfig, type Redirect, readRedirects } from '../navigation/docs-config.ts'
import type { JsonEdit } from '../navigation/edit-json.ts'
import { withoutPageExtension } from '../pages/generated-page.ts'
import { findLinks } from '../pages/page-links.ts'
import type { PageOutcome } from './plan-file-changes.ts'

/** A page with a new URL path. Both paths have a leading `/`. */
export interface PageMove {
  readonly from: string
  readonly to: string
}

/**
 * Plans the `redirects` in `docs.json` from old to new page URLs.
 *
 * Redirects to the old URL are updated to the new one to avoid chains. A redirect from the new URL, or to itself, is removed. The
 * old URL gets a redirect unless it already has one.
 */
export function planRedirects(docsConfig: DocsConfig | undefined, moves: readonly PageMove[]): JsonEdit[] {
  if (!docsConfig || moves.length === 0) return []
  const written = docsConfig.value['redirects']
  // An invalid value is reported elsewhere and must not be replaced.
  if (written !== undefined && !Array.isArray(written)) return []
  const redirects = readRedirects(docsConfig)
  const newAddresses = new Map(moves.map(({ from, to }) => [from, to]))
  const arrivals = new Set(moves.map(({ to }) => to))
  const edits: JsonEdit[] = []
  const leaving = new Set<string>()
  for (const redirect of redirects) {
    const destination = newAddresses.get(withSlash(redirect.destination)) ?? redirect.destination
    const source = withSlash(redirect.source)
    if (arrivals.has(source)) {
      edits.push({ kind: 'remove', pointer: `/redirects/${redirect.index}` })
      continue
    }
    leaving.add(source)
    if (destination !== redirect.destination) edits.push(toDestination(redirect, destination))
  }
  const added = moves.filter(({ from }) => !leaving.has(from)).map(({ from, to }) => ({ source: from, destination: to }))
  if (added.length === 0) return edits
  if (written === undefined) return [...edits, { kind: 'set', object: '', key: 'redirects', value: added }]
  return [...edits, { kind: 'insert', array: '/redirects', index: written.length, values: added }]
}

/** Reports redirects to pages that an update removes, since they would lead to a missing page. */
export function findBrokenRedirects(
  docsConfig: DocsConfig | undefined,
  outcomes: readonly Pick<PageOutcome, 'kind' | 'path' | 'target'>[],
): Finding[] {
  const removed = new Map(outcomes.flatMap(({ kind, path, target }) => (kind === 'removed' ? [[toUrlPath(path), target]] : [])))
  return readRedirects(docsConfig).flatMap(({ index, source, destination }): Finding[] => {
    const target = removed.get(
      withSlash(destination)
        .replace(/[?#].*$/s, '')
        .replace(/\/$/, ''),
    )
    if (!docsConfig || target === undefined) return []
    const message = `Redirect from \`${source}\` points to \`${destination}\`, the removed page of \`${target}\``
    const place = { file: docsConfig.source.path, pointer: `/redirects/${index}/destination` }
    return [
      { code: 'redirect-unresolved', message, ...place, hint: 'Change `destination` to another page, or remove the redirect' },
    ]
  })
}

/**
 * Reports links to pages that an update removes, except those that a redirect covers. Pages that the update writes are left out.
 *
 * @param pages Texts by path relative to the docs directory, before the update. `toFile` returns the file name of a page for diagnostics.
 */
export function findRemovedLinks(
  outcomes: readonly Pick<PageOutcome, 'kind' | 'path' | 'target' | 'edit'>[],
  pages: ReadonlyMap<string, string>,
  docsConfig: DocsConfig | undefined,
  toFile: (path: string) => string,
): Finding[] {
  const removed = new Map(outcomes.flatMap(({ kind, path, target }) => (kind === 'removed' ? [[toUrlPath(path), target]] : [])))
  for (const { source } of readRedirects(docsConfig)) removed.delete(withSlash(source))
  if (removed.size === 0) return []
  const urls = new Map([...removed.keys()].map((url) => [url, url]))
  // Skip pages that contain none of the names, which is most of them.
  const names = new Set([...urls.keys()].map(baseName))
  const written = new Set(outcomes.flatMap(({ path, edit }) => (edit ? [path] : [])))
  const findings: Finding[] = []
  for (const [path, text] of pages) {
    if (written.has(path) || ![...names].some((name) => text.includes(name))) continue
    for (const { target, offsets } of findLinks(text)) {
      const [, url] = follow(target, parentPath(path), urls)
      if (url === undefined) continue
      findings.push({
        code: 'link-to-removed-page',
        message: `Unexpected link to \`${url}\`: the update removes the page of \`${removed.get(url) ?? ''}\``,
        file: toFile(path),
        pointer: '',
        offsets,
        hint: docsConfig ? 'Remove the link, or add a redirect to `docs.json`' : 'Remove the link',
      })
    }
  }
  return findings
}

function toDestination({ index }: Redirect, destination: string): JsonEdit {
  return { kind: 'set', object: `/redirects/${index}`, key: 'destination', value: destination }
}

/** The URL path of a page, given its file path with extension. */
export function toUrlPath(path: string): string {
  return `/${withoutPageExtension(path)}`
}

/** The leading slash of a redirect is optional. */
function withSlash(written: string): string {
  return written.startsWith('/') ? written : `/${written}`
}

/**
 * Reports links to moved pages, in pages (by path relative to the docs directory) and in `docs.json`, and relative links that
 * break because their own page moves.
 *
 * Links are not rewritten automatically. With a `docs.json`, redirects keep them working. `toFile` returns the file name of a
 * page for diagnostics.
 */
export function findMovedLinks(
  moves: readonly PageMove[],
  pages: ReadonlyMap<string, string>,
  docsConfig: DocsConfig | undefined,
  toFile: (path: string) => string,
): Finding[] {
  if (moves.length === 0) return []
  const newAddresses = new Map(moves.map(({ from, to }) => [from, to]))
  const findings: Finding[] = []
  // Skip pages that contain none of the names, which is most of them.
  const names = new Set(moves.map(({ from }) => baseName(from)))
  for (const [path, text] of pages) {
    if (!newAddresses.has(toUrlPath(path)) && ![...names].some((name) => text.includes(name))) continue
    const moved = newAddresses.get(toUrlPath(path))
    for (const { target, offsets } of findLinks(text)) {
      const [from, to] = follow(target, parentPath(path), newAddresses)
      if (moved !== undefined && isRelative(target)) {
        const after = follow(target, parentPath(moved.slice(1)), newAddresses)[0]
        const isPage = pages.has(`${from.slice(1)}.mdx`) || pages.has(`${from.slice(1)}.md`)
        if (isPage && after !== (to ?? from)) {
          const fault = { ...describeRelative(target, moved, after, to ?? from), file: toFile(path), pointer: '', offsets }
          findings.push(fault)
        }
      } else if (to !== undefined) findings.push({ ...describe(from, to, docsConfig), file: toFile(path), pointer: '', offsets })
    }
  }
  if (docsConfig) {
    for (const { pointer, text } of listTexts(docsConfig.value)) {
      const [from, to] = follow(text, '', newAddresses)
      if (to !== undefined) findings.push({ ...describe(from, to, docsConfig), file: docsConfig.source.path, pointer })
    }
  }
  return findings
}

function follow(target: string, folder: string, newAddresses: ReadonlyMap<string, string>): [string, string | undefined] {
  const path = withoutPageExtension(target.replace(/[?#].*$/s, ''))
  const from = path.startsWith('/') ? `/${normalizePath(path)}` : `/${joinPath(folder, path)}`
  return [from, path === '' ? undefined : newAddresses.get(from)]
}

function isRelative(target: string): boolean {
  return !/^(\/|#|\?|[a-z][a-z0-9+.-]*:)/i.test(target)
}

/** A relative link is resolved from its page, which has moved. */
function describeRelative(
  target: string,
  moved: string,
  after: string,
  meant: string,
): Pick<Finding, 'code' | 'message' | 'hint' | 'severity'> {
  const link = target.replace(/[?#].*$/s, '')
  return {
    code: 'link-to-moved-page',
    message: `Unexpected relative link \`${link}\`: it points to \`${after}\` after its page moves to \`${moved}\``,
    hint: `Change it to \`${meant}\``,
    severity: 'warning',
  }
}

function describe(
  from: string,
  to: string,
  docsConfig: DocsConfig | undefined,
): Pick<Finding, 'code' | 'message' | 'hint' | 'severity'> {
  return {
    code: 'link-to-moved-page',
    message: `Unexpected link to \`${from}\`: the page is now at \`${to}\``,
    hint: docsConfig ? `Change it to \`${to}\` (a redirect covers the old URL)` : `Change it to \`${to}\``,
    ...(docsConfig ? {} : { severity: 'warning' }),
  }
}

/** Lists the values of `href` and `url` keys. Other strings are not URLs, or are page entries that an update changes itself. */
function listTexts(root: unknown): { readonly pointer: string; readonly text: string }[] {
  const found: { readonly pointer: string; readonly text: string }[] = []
  const open: { readonly value: unknown; readonly pointer: string }[] = [{ value: root, pointer: '' }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, pointer } = next
    if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) open.push({ value: element, pointer: pointerChild(pointer, index) })
    }
    if (!isObject(value)) continue
    for (const [key, child] of Object.entries(value)) {
      const place = pointerChild(pointer, key)
      if (typeof child !== 'string') open.push({ value: child, pointer: place })
      else if (key === 'href' || key === 'url') found.push({ pointer: place, text: child })
    }
  }
  return found
}

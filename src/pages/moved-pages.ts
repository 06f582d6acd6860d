import type { Finding } from '../diagnostics/diagnostic.ts'
import { type Redirect, readRedirects } from '../docs-config/config-entries.ts'
import type { JsonEdit } from '../docs-config/edit-json.ts'
import { findLinks } from '../docs-config/page-links.ts'
import type { DocsConfig } from '../docs-config/types.ts'
import { isObject } from '../source/is-object.ts'
import { pointerChild } from '../source/json-pointer.ts'
import { joinPath, normalizePath, parentPath } from '../source/relative-path.ts'
import type { PageOutcome } from './plan-file-changes.ts'

/** A page that has another address now; both with leading `/`. */
export interface AddressMove {
  readonly from: string
  readonly to: string
}

/**
 * Plans the `redirects` of `docs.json` that lead readers from where a page was to where it is.
 *
 * Redirects that led to the old address lead to the new one, so that there are no chains. One that would lead away from the new address, or
 * to itself, goes. The old address gets one redirect, and none where it has one already.
 */
export function planRedirects(docsConfig: DocsConfig | undefined, moves: readonly AddressMove[]): JsonEdit[] {
  if (!docsConfig || moves.length === 0) return []
  const written = docsConfig.value['redirects']
  // What is no list is a fault of its own, and not ours to replace.
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

/** Reports the redirects whose destination is a page that an update removes; its readers would get a page that does not exist. */
export function findBrokenRedirects(
  docsConfig: DocsConfig | undefined,
  outcomes: readonly Pick<PageOutcome, 'kind' | 'path' | 'target'>[],
): Finding[] {
  const removed = new Map(outcomes.flatMap(({ kind, path, target }) => (kind === 'removed' ? [[toAddress(path), target]] : [])))
  return readRedirects(docsConfig).flatMap(({ index, source, destination }): Finding[] => {
    const target = removed.get(
      withSlash(destination)
        .replace(/[?#].*$/s, '')
        .replace(/\/$/, ''),
    )
    if (!docsConfig || target === undefined) return []
    const message = `The redirect from \`${source}\` leads to \`${destination}\`, the page of \`${target}\`, which is removed`
    const place = { file: docsConfig.source.path, pointer: `/redirects/${index}/destination` }
    return [
      { code: 'redirect-unresolved', message, ...place, hint: 'name another page as `destination`, or remove the redirect' },
    ]
  })
}

function toDestination({ index }: Redirect, destination: string): JsonEdit {
  return { kind: 'set', object: `/redirects/${index}`, key: 'destination', value: destination }
}

/** The address of a page by its path with extension. */
export function toAddress(path: string): string {
  return `/${path.replace(/\.mdx?$/i, '')}`
}

/** Written without the leading slash it is the same address. */
function withSlash(written: string): string {
  return written.startsWith('/') ? written : `/${written}`
}

/**
 * Reports the links to pages that have moved, in the texts of pages (by path relative to the docs root) and in `docs.json`, and the relative
 * links of these pages that lead elsewhere from where they are now.
 *
 * They are for people to change; where `docs.json` has a redirect they lead to the page all the same. `toFile` gives the name of a page in findings.
 */
export function findMovedLinks(
  moves: readonly AddressMove[],
  pages: ReadonlyMap<string, string>,
  docsConfig: DocsConfig | undefined,
  toFile: (path: string) => string,
): Finding[] {
  if (moves.length === 0) return []
  const newAddresses = new Map(moves.map(({ from, to }) => [from, to]))
  const findings: Finding[] = []
  // Most pages have none of the names in them, and need not be searched.
  const names = new Set(moves.map(({ from }) => from.slice(from.lastIndexOf('/') + 1)))
  for (const [path, text] of pages) {
    if (!newAddresses.has(toAddress(path)) && ![...names].some((name) => text.includes(name))) continue
    const moved = newAddresses.get(toAddress(path))
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
  const path = target.replace(/[?#].*$/s, '').replace(/\.mdx?$/i, '')
  const from = path.startsWith('/') ? `/${normalizePath(path)}` : `/${joinPath(folder, path)}`
  return [from, path === '' ? undefined : newAddresses.get(from)]
}

function isRelative(target: string): boolean {
  return !/^(\/|#|\?|[a-z][a-z0-9+.-]*:)/i.test(target)
}

/** A relative link counts from the page that has it, which stands elsewhere now. */
function describeRelative(
  target: string,
  moved: string,
  after: string,
  meant: string,
): Pick<Finding, 'code' | 'message' | 'hint' | 'severity'> {
  const link = target.replace(/[?#].*$/s, '')
  return {
    code: 'link-to-moved-page',
    message: `Unexpected relative link \`${link}\`: the page moves to \`${moved}\`, from where it leads to \`${after}\``,
    hint: `write \`${meant}\``,
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
    message: `Unexpected link to \`${from}\`: the page is at \`${to}\` now`,
    hint: docsConfig ? `write \`${to}\`; until then a redirect leads there` : `write \`${to}\``,
    ...(docsConfig ? {} : { severity: 'warning' }),
  }
}

/** The values of `href` and `url` keys: other texts name pages, which an update changes itself, or are not addresses. */
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

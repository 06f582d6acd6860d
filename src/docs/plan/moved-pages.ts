import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isObject, listStrings } from '../../text/json/json-values.ts'
import { baseName, joinPath, normalizePath, parentPath } from '../../text/plain/paths.ts'
import { listWrittenUrls } from '../../text/plain/scan-markdown.ts'
import { type DocsConfig, type Redirect, readRedirects, withoutBase } from '../navigation/docs-config.ts'
import type { JsonEdit } from '../navigation/edit-json.ts'
import { withoutPageExtension } from '../pages/generated-page.ts'
import type { LockedDivision, LockedPage, LockedSource, LockFile } from '../pages/lock-file.ts'
import type { DeclaredDivision, PagePlan } from '../pages/subjects.ts'
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
  const toWritten = (path: string) => `${docsConfig.base ?? '/'}${path.slice(1)}`
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
    if (destination !== redirect.destination)
      edits.push({ kind: 'set', object: `/redirects/${redirect.index}`, key: 'destination', value: toWritten(destination) })
  }
  const added = moves
    .filter(({ from }) => !leaving.has(from))
    .map(({ from, to }) => ({ source: toWritten(from), destination: toWritten(to) }))
  if (added.length === 0) return edits
  if (written === undefined) return [...edits, { kind: 'set', object: '', key: 'redirects', value: added }]
  return [...edits, { kind: 'insert', array: '/redirects', index: written.length, values: added }]
}

/** Lists the links of a page in order, without the base path of the site. */
function listLinks(text: string, base: string | undefined) {
  return listWrittenUrls(text).map(({ href, start }) => {
    return { target: withoutBase(href, base), offsets: { start, end: start + href.length } }
  })
}

/** The URL path of a page, given its file path with extension. */
export function toUrlPath(path: string): string {
  return `/${withoutPageExtension(path)}`
}

/** The leading slash of a redirect is optional. */
function withSlash(written: string): string {
  return written.startsWith('/') ? written : `/${written}`
}

/** The pages with a new URL path. */
export function listPageMoves(outcomes: readonly Pick<PageOutcome, 'path' | 'movedFrom'>[]): PageMove[] {
  return outcomes.flatMap(({ path, movedFrom }) =>
    movedFrom === undefined ? [] : { from: toUrlPath(movedFrom), to: toUrlPath(path) },
  )
}

/**
 * Reports redirects and links to pages that an update removes, links to moved pages, in pages (by path relative to the docs directory) and in
 * `docs.json`, and relative links that break because their own page moves.
 *
 * Links are not rewritten automatically. With a `docs.json`, redirects keep them working. `toFile` returns the file name of a
 * page for diagnostics.
 */
export function findStaleLinks(
  outcomes: readonly PageOutcome[],
  pages: ReadonlyMap<string, string>,
  docsConfig: DocsConfig | undefined,
  toFile: (path: string) => string,
): Finding[] {
  const removed = new Map(
    outcomes.flatMap(({ kind, path, operation }) => (kind === 'removed' ? [[toUrlPath(path), operation]] : [])),
  )
  const moved = new Map(listPageMoves(outcomes).map(({ from, to }) => [from, to]))
  if (removed.size + moved.size === 0) return []
  const redirects = readRedirects(docsConfig)
  const findings = redirects.flatMap((redirect) => describeRedirect(redirect, removed, docsConfig) ?? [])
  for (const { source } of redirects) removed.delete(withSlash(source))
  const written = new Set(outcomes.flatMap(({ path, edit }) => (edit ? [path] : [])))
  const names = [...removed.keys(), ...moved.keys()].map(baseName)
  for (const [path, text] of pages) {
    const own = moved.get(toUrlPath(path))
    // Most pages contain none of the names, and need not be searched.
    if (own === undefined && !names.some((name) => text.includes(name))) continue
    for (const { target, offsets } of listLinks(text, docsConfig?.base)) {
      const from = resolveLink(target, parentPath(path))
      const to = moved.get(from)
      const gone = written.has(path) ? undefined : removed.get(from)
      const at = { file: toFile(path), pointer: '', offsets }
      if (gone !== undefined) findings.push({ ...describeRemoved(from, gone, docsConfig), ...at })
      else if (own !== undefined && !/^(\/|#|\?|[a-z][a-z0-9+.-]*:)/i.test(target)) {
        const after = resolveLink(target, parentPath(own.slice(1)))
        const isPage = ['.mdx', '.md'].some((extension) => pages.has(from.slice(1) + extension))
        if (isPage && after !== (to ?? from)) findings.push({ ...describeRelative(target, own, after, to ?? from), ...at })
      } else if (to !== undefined) findings.push({ ...describe(from, to, docsConfig), ...at })
    }
  }
  if (docsConfig) {
    // Other strings are not URLs, or are page entries that an update changes itself.
    for (const { key, pointer, text } of listStrings(docsConfig.value)) {
      const from = key === 'href' || key === 'url' ? resolveLink(withoutBase(text, docsConfig.base), '') : ''
      const to = moved.get(from)
      if (to !== undefined) findings.push({ ...describe(from, to, docsConfig), file: docsConfig.source.path, pointer })
    }
  }
  return findings
}

/** The URL path that a link leads to; `''` for a part of its own page. */
function resolveLink(target: string, folder: string): string {
  const path = withoutPageExtension(target.replace(/[?#].*$/s, ''))
  if (path === '') return ''
  return path.startsWith('/') ? `/${normalizePath(path)}` : `/${joinPath(folder, path)}`
}

/** A redirect to a removed page leads to a missing page. */
function describeRedirect(
  { index, source, destination }: Redirect,
  removed: ReadonlyMap<string, string>,
  docsConfig: DocsConfig | undefined,
): Finding | undefined {
  const target = removed.get(
    withSlash(destination)
      .replace(/[?#].*$/s, '')
      .replace(/\/$/, ''),
  )
  if (!docsConfig || target === undefined) return undefined
  const message = `Redirect from \`${source}\` points to \`${destination}\`, the removed page of \`${target}\``
  const place = { file: docsConfig.source.path, pointer: `/redirects/${index}/destination` }
  return { code: 'redirect-unresolved', message, ...place, hint: 'Change `destination` to another page, or remove the redirect' }
}

function describeRemoved(url: string, target: string, docsConfig: DocsConfig | undefined): LinkFault {
  const message = `Unexpected link to \`${url}\`: the update removes the page of \`${target}\``
  const hint = docsConfig ? 'Remove the link, or add a redirect to `docs.json`' : 'Remove the link'
  return { code: 'link-to-removed-page', message, hint }
}

type LinkFault = Pick<Finding, 'code' | 'message' | 'hint' | 'severity'>

/** A relative link is resolved from its page, which has moved. */
function describeRelative(target: string, moved: string, after: string, meant: string): LinkFault {
  const link = target.replace(/[?#].*$/s, '')
  return {
    code: 'link-to-moved-page',
    message: `Unexpected relative link \`${link}\`: it points to \`${after}\` after its page moves to \`${moved}\``,
    hint: `Change it to \`${meant}\``,
    severity: 'warning',
  }
}

function describe(from: string, to: string, docsConfig: DocsConfig | undefined): LinkFault {
  return {
    code: 'link-to-moved-page',
    message: `Unexpected link to \`${from}\`: the page is now at \`${to}\``,
    hint: docsConfig ? `Change it to \`${to}\` (a redirect covers the old URL)` : `Change it to \`${to}\``,
    ...(docsConfig ? {} : { severity: 'warning' }),
  }
}

export interface KeyMoves {
  readonly edits: readonly JsonEdit[]
  /** Divisions to record in the lock file. */
  readonly divisions: readonly LockedDivision[]
  /** IDs of divisions with generated pages for the first time. */
  readonly materialized: readonly string[]
}

/**
 * Plans the move of `openapi` keys: from a division with written pages to the lock file, and its documents to `api.openapi`.
 *
 * If the key stayed, the host would list every page twice. Without `api.openapi`, the host would not find the documents. The key
 * stays if explicit entries inherit it, and for documents with errors or without operations.
 */
export function planKeyMoves(
  docsConfig: DocsConfig | undefined,
  declared: readonly DeclaredDivision[],
  plan: PagePlan,
  locked: { readonly before: LockFile; readonly pages: readonly LockedPage[] },
): KeyMoves {
  const edits: JsonEdit[] = []
  const divisions: LockedDivision[] = []
  const materialized: string[] = []
  const forApi = new Map<string, unknown>()
  const inUse = new Set(locked.pages.map(({ division }) => division))
  for (const division of declared) {
    const served = plan.divisions.find(({ id }) => id === division.id)?.served ?? []
    const previous = locked.before.divisions.find(({ id }) => id === division.lockedId)
    const stays = ({ source, isInKey, adopted }: DeclaredDivision['sources'][number]) =>
      isInKey && (adopted !== undefined || division.keepsKey || division.mode !== 'automatic' || !served.includes(source))
    const sources = division.sources.map((entry): LockedSource => {
      const { source, directory, adopted } = entry
      return {
        source,
        directory,
        order: division.order,
        methodOrder: division.methodOrder,
        pending: stays(entry),
        ...(adopted ? { adopted } : {}),
      }
    })
    const isAdopted = division.sources.some(({ adopted, isInKey }) => adopted !== undefined && isInKey)
    if (division.mode === 'automatic' && (served.length > 0 || sources.some(({ pending }) => !pending))) {
      divisions.push({ id: division.id, sources })
      if (!previous) materialized.push(division.id)
    } else if (division.mode === 'virtual' && inUse.has(division.id)) {
      const hasPages = ({ source, adopted }: LockedSource) => adopted || locked.pages.some((page) => page.document === source)
      divisions.push({ id: division.id, sources: sources.filter(hasPages) })
    } else if (previous && (isAdopted || inUse.has(division.id))) {
      divisions.push({ ...previous, id: division.id })
    }
    const own = docsConfig?.divisions.find(({ id }) => id === division.id)
    if (!own || own.sources.length === 0) continue
    const staying = new Set(division.sources.filter(stays).map(({ source }) => source))
    const moving = own.sources.filter(({ source }) => !staying.has(source))
    if (moving.length === 0) continue
    const left = own.sources.filter(({ source }) => staying.has(source)).map(({ raw }) => raw)
    if (left.length === 0) edits.push({ kind: 'remove', pointer: `${own.pointer}/openapi` })
    else edits.push({ kind: 'set', object: own.pointer, key: 'openapi', value: left.length === 1 ? left[0] : left })
    for (const { source, raw } of moving) forApi.set(source, toApiSource(raw))
  }
  for (const previous of locked.before.divisions) {
    const isDeclared = declared.some(({ lockedId }) => previous.id === lockedId)
    if (!isDeclared && inUse.has(previous.id)) divisions.push(previous)
  }
  if (docsConfig) edits.push(...nameInApi(docsConfig, forApi))
  return { edits, divisions, materialized }
}

/** The path or URL of a source with its overlays, without the directory of its pages. */
function toApiSource(raw: unknown): unknown {
  if (!isObject(raw)) return raw
  const { source, overlays } = raw
  return overlays === undefined ? source : { source, overlays }
}

function nameInApi({ value, apiSources }: DocsConfig, moved: ReadonlyMap<string, unknown>): JsonEdit[] {
  const named = new Set(apiSources.map(({ source }) => source))
  const missing = [...moved].filter(([source]) => !named.has(source)).map(([, location]) => location)
  if (missing.length === 0) return []
  const one = missing.length === 1 ? missing[0] : missing
  const api = value['api']
  if (api === undefined) return [{ kind: 'set', object: '', key: 'api', value: { openapi: one } }]
  // An invalid value is reported elsewhere and must not be replaced.
  if (!isObject(api)) return []
  const openapi = api['openapi']
  if (openapi === undefined) return [{ kind: 'set', object: '/api', key: 'openapi', value: one }]
  if (Array.isArray(openapi)) return [{ kind: 'insert', array: '/api/openapi', index: openapi.length, values: missing }]
  return [{ kind: 'set', object: '/api', key: 'openapi', value: [openapi, ...missing] }]
}

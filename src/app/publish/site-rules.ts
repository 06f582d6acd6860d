import type { OutgoingHttpHeaders } from 'node:http'
import { parseRedirectTarget } from '../../docs/navigation/docs-config.ts'
import { reviewPolicy, reviewRoute, toOwnContentType, toShownContentType } from '../../site/plan/file-types.ts'
import { setOwn } from '../../text/json/json-values.ts'
import { decodePercent, encodeFilePath, encodeUrlPart } from '../../text/plain/paths.ts'
import { readSiteLanguages, type SiteLanguage } from './site-languages.ts'

/** The target of a path of a site. */
type ResolvedPath<File> =
  | { readonly kind: 'file'; readonly path: string; readonly file: File }
  | { readonly kind: 'redirect'; readonly to: string; readonly status: number }
  /** A redirect to something that is neither a path nor an `https` URL. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'missing' }

/** Configuration for hosting services, never sent to readers. */
const hostingFiles = new Set(['_headers', '_redirects', '_languages', '.nojekyll'])

/**
 * Resolves a path, in this order: exact redirect, file, index page of a folder, redirect pattern. Paths are case-sensitive.
 */
export async function resolvePath<File>(
  { path, query }: SiteRequestPath,
  rules: Pick<SiteRules, 'redirects' | 'patterns'>,
  find: (path: string) => Promise<File | undefined>,
): Promise<ResolvedPath<File>> {
  const bare = path.replace(/\/$/, '')
  const redirect = (to: string | undefined, status: number) => {
    const added = to?.includes('?') || to?.includes('#') ? '' : query
    const location = to === undefined ? undefined : toLocation(to + added)
    return location === undefined ? ({ kind: 'refused' } as const) : ({ kind: 'redirect', to: location, status } as const)
  }
  const moved = rules.redirects.get(bare)
  if (moved) return redirect(moved.to, moved.status)
  if (!hostingFiles.has(bare)) {
    const isFolder = path === '' || path.endsWith('/')
    const name = isFolder ? `${path}index.html` : path
    const file = await find(name)
    if (file && !isFolder && /(?:^|\/)index\.html$/.test(path))
      return redirect(toUrlPath(path.slice(0, -'index.html'.length)), 301)
    if (file) return { kind: 'file', path: name, file }
    if (!isFolder && (await find(`${path}/index.html`))) return redirect(toUrlPath(`${path}/`), 301)
    if (path !== bare && (await find(bare))) return redirect(toUrlPath(bare), 301)
  }
  for (const pattern of rules.patterns) {
    const found = pattern.match(path)
    if (found) return redirect(found.to, found.status)
  }
  return { kind: 'missing' }
}

/** A decoded path of a site, and the raw query with its `?`. */
interface SiteRequestPath {
  /** Without the leading `/`; `''` is the start page. */
  readonly path: string
  readonly query: string
}

/**
 * Parses the target of a request. Returns `undefined` for targets that cannot be a file: `.` and `..` segments, encoded separators, empty
 * segments (a redirect from `//host/` would leave the site), control characters, and targets that are not paths.
 */
export function readPath(target: string): SiteRequestPath | undefined {
  if (!target.startsWith('/') || target.startsWith('//')) return undefined
  const end = target.search(/[?#]/)
  const raw = end === -1 ? target : target.slice(0, end)
  const query = end === -1 || target[end] === '#' ? '' : target.slice(end).replace(/#.*$/s, '')
  if (/%(?:2f|5c|00)/i.test(raw)) return undefined
  let path: string
  try {
    path = decodeURIComponent(raw.slice(1))
  } catch {
    return undefined
  }
  if (/[\p{Cc}\\]/u.test(path)) return undefined
  const steps = path.split('/')
  const isInvalid = (step: string, index: number) =>
    step === '.' || step === '..' || (step === '' && index < steps.length - 1 && steps.length > 1)
  return steps.some(isInvalid) ? undefined : { path, query }
}

/** Encodes a path for use in a URL of the site. */
export function toUrlPath(path: string): string {
  return `/${encodeFilePath(path)}`
}

/** The headers, redirects and languages of a site, from its files `_headers`, `_redirects` and `_languages`. */
export interface SiteRules {
  /** Headers of a path. The last matching rule wins for each header. */
  headersOf(path: string): Readonly<Record<string, string>>
  /** Exact redirects, by path without leading and trailing slashes. */
  readonly redirects: ReadonlyMap<string, Redirect>
  /** Redirect patterns, in file order. */
  readonly patterns: readonly RedirectPattern[]
  /** The languages between which `/` chooses, the default first; empty if it does not. */
  readonly languages: readonly SiteLanguage[]
}

interface Redirect {
  /** `undefined` if the target is not allowed. */
  readonly to: string | undefined
  readonly status: number
}

interface RedirectPattern {
  match(path: string): Redirect | undefined
}

/** Headers that a site may set. */
const allowedHeaders = [
  'Content-Security-Policy',
  'Referrer-Policy',
  'Permissions-Policy',
  'Cross-Origin-Opener-Policy',
  'Content-Type',
  'Cache-Control',
]

/** Parses the files in the format that `src/site/page/output` writes. Other lines are ignored. */
export function readSiteRules(headers: string, redirects: string, languages = ''): SiteRules {
  const blocks = readHeaders(headers)
  const exact = new Map<string, Redirect>()
  const patterns: RedirectPattern[] = []
  for (const line of redirects.split('\n')) {
    const [from, to, status] = line.split(' ')
    if (from === undefined || to === undefined || !/^30[12]$/.test(status ?? '')) continue
    const redirect = { to: toLocation(to), status: Number(status) }
    const source = decodePercent(from).replace(/^\/+|(?<!\/)\/+$/g, '')
    if (/\*$|(?:^|\/):\w/.test(source)) patterns.push(toPattern(source, redirect))
    else if (!exact.has(source)) exact.set(source, redirect)
  }
  return {
    headersOf: (path) => Object.assign({}, ...blocks.filter(({ matches }) => matches(path)).map(({ values }) => values)),
    redirects: exact,
    patterns,
    languages: readSiteLanguages(languages),
  }
}

/**
 * The value of the header `Location`, which allows only some characters; `undefined` if the target is not allowed. Parsed again when everything is inserted,
 * because an inserted value can change the meaning of a target.
 */
function toLocation(to: string): string | undefined {
  const target = parseRedirectTarget(to)
  if (!target || (target.kind === 'path' && !target.path.startsWith('/'))) return undefined
  return (target.kind === 'url' ? target.url : target.path).replace(/[^\x21-\x7e]+/g, encodeUrlPart)
}

function readHeaders(text: string) {
  const blocks: { matches: (path: string) => boolean; values: Record<string, string> }[] = []
  for (const line of text.split('\n')) {
    if (line.startsWith('/')) blocks.push({ matches: toMatcher(line.slice(1)), values: {} })
    const [, name = '', value = ''] = /^ {2}([\w-]+): (.*)$/.exec(line) ?? []
    const block = blocks.at(-1)
    if (block && allowedHeaders.includes(name)) setOwn(block.values, name, value)
  }
  return blocks
}

/** A pattern has at most one `*`, which matches anything. */
function toMatcher(pattern: string): (path: string) => boolean {
  const star = pattern.indexOf('*')
  if (star === -1) return (path) => path === pattern
  const [start, end] = [pattern.slice(0, star), pattern.slice(star + 1)]
  return (path) => path.length >= start.length + end.length && path.startsWith(start) && path.endsWith(end)
}

/**
 * `:name` matches one segment and a final `*` matches the rest, which may be empty. Inserted values are encoded. An empty one inside the target takes its
 * slash along, because `//` starts a host.
 */
function toPattern(source: string, { to, status }: Redirect): RedirectPattern {
  const steps = source.split('/')
  const hasRest = steps.at(-1) === '*'
  const fixed = hasRest ? steps.slice(0, -1) : steps
  return {
    match(path) {
      const given = path.replace(/(?<!\/)\/+$/, '').split('/')
      if (hasRest ? given.length < fixed.length : given.length !== fixed.length) return undefined
      const values = new Map<string, string>()
      for (const [index, step] of fixed.entries()) {
        const value = given[index] ?? ''
        if (/^:\w/.test(step) && value !== '') values.set(step.slice(1), encodeUrlPart(value))
        else if (step !== value) return undefined
      }
      values.set('splat', given.slice(fixed.length).map(encodeUrlPart).join('/'))
      const insert = (found: string, name: string, next: string) => {
        const value = values.get(name)
        if (value === undefined) return found
        return value === '' && next === '/' ? '' : `/${value}`
      }
      return { to: to?.replace(/(?<!\/)\/:(\w+)(?=(\/?))/g, insert), status }
    },
  }
}

/** For SVG images and unknown types: they cannot run scripts or load anything when opened directly. */
const inertPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

/**
 * Headers of a file of a site.
 *
 * @param isPublic Whether everyone may read it.
 * @param chosenType The type of the Markdown version of a page, if the client prefers it at the URL of the page.
 */
export function toFileHeaders(path: string, rules: SiteRules, isPublic: boolean, chosenType?: string): OutgoingHttpHeaders {
  const isChosen = chosenType !== undefined
  const { 'Cache-Control': caching, ...own } = rules.headersOf(path)
  // Only the site builder's own scripts are served as scripts; they are all in `_assets/`.
  const isForeign = /\.m?js$/i.test(path) && !path.startsWith('_assets/')
  const type = isForeign ? undefined : (toShownContentType(path) ?? toKnown(toOwnContentType(path)))
  const isInert = type === undefined || path.toLowerCase().endsWith('.svg')
  return {
    ...own,
    ...(type === undefined ? { 'Content-Type': 'application/octet-stream', 'Content-Disposition': 'attachment' } : {}),
    ...(type !== undefined && !own['Content-Type'] ? { 'Content-Type': type } : {}),
    ...(isChosen ? { 'Content-Type': `${chosenType}; charset=utf-8` } : {}),
    ...(isInert ? { 'Content-Security-Policy': inertPolicy } : {}),
    ...(path.startsWith(`${reviewRoute}/`) ? { 'Content-Security-Policy': reviewPolicy } : {}),
    'Cache-Control': toCaching(caching, isPublic),
    // The URL of a page also serves its Markdown.
    ...(isChosen || /(?:^|\/)index\.html$/.test(path) ? { Vary: 'Accept' } : {}),
    ...(isChosen ? { 'Content-Location': toUrlPath(path) } : {}),
  }
}

function toKnown(type: string): string | undefined {
  return type === 'application/octet-stream' ? undefined : type
}

/** Pages are revalidated on each request. Private files stay out of shared caches. */
export function toCaching(own: string | undefined, isPublic: boolean): string {
  if (own === undefined) return isPublic ? 'public, no-cache' : 'private, no-cache'
  return isPublic ? own : own.replace(/\bpublic\b/, 'private')
}

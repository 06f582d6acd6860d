import { type JsonObject, listOf, listStrings, readOwn, readText, valueAtPointer } from '../../text/json/json-values.ts'
import { type AllowedUrl, normalizePath } from '../../text/plain/paths.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import type { JsonEdit } from './edit-json.ts'

/**
 * The parts of a `docs.json` that pages depend on: divisions with their documents and entries. Unknown keys are kept in the text.
 *
 * All pointers refer to a single `docs.json`, even if parts are in other files. `sourceMap` translates them.
 */
export interface DocsConfig {
  /** The file in the docs directory. */
  readonly source: SourceFile
  /** All divisions in document order, parents before children. The first one is `navigation`. */
  readonly divisions: readonly Division[]
  /** `api.openapi`: documents that pages may bind to, without generating pages. */
  readonly apiSources: readonly DocumentSource[]
  /** The parsed content. */
  readonly value: JsonObject
  /** The path of the site on its host, which links and redirects can start with: `/docs/`. Absent if it is not known. */
  readonly base?: string | undefined
  readonly sourceMap: ConfigSourceMap
}

/** The kinds of navigation divisions. `navigation` is their root. */
export type DivisionKind = 'navigation' | 'tab' | 'anchor' | 'dropdown' | 'product' | 'version' | 'language' | 'item' | 'group'

/** A navigation division. */
export interface Division {
  /**
   * Identifies the division by labels instead of indexes, so that adding a sibling does not change it: `/navigation/tabs/API
   * Reference`. Unique within the `docs.json`.
   */
  readonly id: string
  readonly kind: DivisionKind
  /** `''` if the division has no label. */
  readonly label: string
  /** JSON Pointer in `docs.json`. */
  readonly pointer: string
  /** The `version` of this division or its nearest ancestor with one. */
  readonly version: string | undefined
  /** The pointer of the innermost language, version or product that contains the division or is it; `''` without one. */
  readonly branch: string
  /** The division's own `openapi`. Empty if absent. */
  readonly sources: readonly DocumentSource[]
  /** The division's own `openapi`, or that of the nearest ancestor. `owner`: the pointer of the division with the key. */
  readonly inherited: { readonly owner: string; readonly sources: readonly DocumentSource[] } | undefined
  /** Entries of the division's own `pages`, in order. Nested groups are separate divisions. */
  readonly entries: readonly NavigationEntry[]
  /** Keys of the object, in order. */
  readonly keys: readonly string[]
}

/** An OpenAPI document named by a division or by `api`. */
export interface DocumentSource {
  /** A URL, or a normalized path relative to the docs directory without a leading `/`. */
  readonly source: string
  /** Directory for its pages: normalized, relative to the docs directory. `''` is the docs directory itself. */
  readonly directory: string
  /** Pointer of the path or URL in `docs.json`. */
  readonly pointer: string
  /** The entry as written: a string or an object. */
  readonly raw: unknown
  /** The overlays of the document: normalized paths relative to the docs directory, or URLs. Absent if the entry does not name any list. */
  readonly overlays: { readonly paths: readonly string[]; readonly pointer: string } | undefined
}

/** A string in `pages`. */
export type NavigationEntry =
  /** A page file. `path` has no leading `/` and no extension. */
  | { readonly kind: 'page'; readonly pointer: string; readonly path: string }
  /** A page that the host generates. */
  | { readonly kind: 'explicit'; readonly pointer: string; readonly binding: OperationBinding }

/** The subject of a page or of an explicit entry. */
export type PageBinding = OperationBinding | SchemaBinding

/** `file`: without leading `/` or `./`. Absent if the binding names no document. `method`: lowercase if OpenAPI has it, otherwise as written. */
export type OperationBinding =
  | { readonly kind: 'operation'; readonly file: string | undefined; readonly method: string; readonly pathTemplate: string }
  | { readonly kind: 'webhook'; readonly file: string | undefined; readonly name: string }

export interface SchemaBinding {
  readonly kind: 'schema'
  readonly file: string | undefined
  readonly name: string
}

/**
 * Maps values of a `DocsConfig` to files on disk. The values are read as one `docs.json`, but `$ref`s can move parts to other
 * files.
 */
export interface ConfigSourceMap {
  /** Every file that contributes to the value. The file in the docs directory comes first. */
  readonly sources: readonly SourceFile[]
  /** Returns the file and pointer of a value or of its key. With a `$ref`, the two are in different files. */
  locate(pointer: string, part: 'key' | 'value'): ConfigLocation
  /** Translates an edit to the file it affects. */
  toFileEdit(edit: JsonEdit): FileEdit
}

export interface FileEdit {
  /** Relative to the boundary. */
  readonly file: string
  readonly edit: JsonEdit
}

export interface ConfigLocation {
  /** Relative to the boundary. */
  readonly file: string
  readonly pointer: string
}

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
  return divisions.flatMap(({ pointer, id, entries }) => {
    const root = readText(valueAtPointer(value, pointer), 'root')
    const own = entries.flatMap((entry) =>
      entry.kind === 'page' ? { path: entry.path, pointer: entry.pointer, division: id } : [],
    )
    return root === undefined ? own : [{ path: toPageEntry(root), pointer: `${pointer}/root`, division: id }, ...own]
  })
}

/** The documents that divisions and `api` name, in this order. */
export function listSources(docsConfig: DocsConfig | undefined): readonly DocumentSource[] {
  return docsConfig ? [...docsConfig.divisions.flatMap(({ sources }) => sources), ...docsConfig.apiSources] : []
}

/** A path without that of the site on its host, if it starts with it. */
export function withoutBase(path: string, base: string | undefined): string {
  return base !== undefined && `${path}/`.startsWith(base) ? `/${path.slice(base.length)}` : path
}

/** Collects the pages that any URL path in `docs.json` links to, for example from the navbar, the footer, anchors, or redirects. */
export function listLinkedPages({ value, base }: DocsConfig): Set<string> {
  const linked = listStrings(value).filter(({ text }) => text.startsWith('/'))
  return new Set(linked.map(({ text }) => toPageEntry(withoutBase(text.replace(/[?#].*$/s, ''), base))))
}

/** The path of a page as the navigation names it: relative to the docs directory, without a slash at the start and an extension. */
export function toPageEntry(text: string): string {
  return normalizePath(text).replace(/\.mdx?$/i, '')
}

/** An entry of `redirects` in `docs.json`. */
export interface Redirect {
  /** Position in the list. */
  readonly index: number
  /** Source and destination as written, but without the base path of the site: a URL path with a leading `/`, or a pattern. */
  readonly source: string
  readonly destination: string
  readonly permanent: boolean
}

/** A redirect that no site can serve. */
interface UnusableRedirect extends Redirect {
  /**
   * `fragment`, `query`: its source has one. Redirects match only paths, and browsers do not send fragments. `target`: its destination is neither a
   * path nor an `https` URL.
   */
  readonly problem: 'fragment' | 'query' | 'target'
}

/** Reads the redirects that a site can serve. Skips invalid entries. */
export function readRedirects(docsConfig: Pick<DocsConfig, 'value' | 'base'> | undefined): Redirect[] {
  return listRedirects(docsConfig).filter((redirect) => findProblem(redirect) === undefined)
}

/** Reads the redirects that no site can serve. */
export function readUnusableRedirects(docsConfig: DocsConfig | undefined): UnusableRedirect[] {
  return listRedirects(docsConfig).flatMap((redirect) => {
    const problem = findProblem(redirect)
    return problem === undefined ? [] : [{ ...redirect, problem }]
  })
}

function listRedirects(docsConfig: Pick<DocsConfig, 'value' | 'base'> | undefined): Redirect[] {
  return listOf(docsConfig?.value['redirects']).flatMap((entry, index) => {
    const [source, destination] = [readText(entry, 'source'), readText(entry, 'destination')]
    if (source === undefined || destination === undefined) return []
    const toOwn = (path: string) => withoutBase(path, docsConfig?.base)
    const permanent = readOwn(entry, 'permanent') !== false
    return [{ index, source: toOwn(source), destination: toOwn(destination), permanent }]
  })
}

/** Why a site cannot serve a redirect; `undefined` if it can. */
function findProblem({ source, destination }: Pick<Redirect, 'source' | 'destination'>): UnusableRedirect['problem'] | undefined {
  // It would apply to the path without the fragment or query, for which another redirect may exist.
  if (source.includes('#')) return 'fragment'
  if (source.includes('?')) return 'query'
  return parseRedirectTarget(destination) === undefined ? 'target' : undefined
}

/** The target of a redirect: a path of the site, as written, or the normalized `https` URL of another site. */
export type RedirectTarget =
  | { readonly kind: 'path'; readonly path: AllowedUrl }
  | { readonly kind: 'url'; readonly url: AllowedUrl }

/** Some hosts serve a site over http. */
const anySite = ['https://site.invalid/', 'http://site.invalid/'] as const

/**
 * Parses the target of a redirect as browsers do: `\` is `/`, tabs and line breaks are ignored, and `https:/a` can be a path or a host.
 *
 * @returns `undefined` for a target that is neither a path of the site nor an `https` URL on every site.
 * @see https://url.spec.whatwg.org/#concept-basic-url-parser
 */
export function parseRedirectTarget(written: string): RedirectTarget | undefined {
  const [overHttps, overHttp] = anySite.map((site) => (URL.canParse(written, site) ? new URL(written, site) : undefined))
  if (!overHttps || !overHttp) return undefined
  if (overHttps.origin === new URL(anySite[0]).origin && overHttp.origin === new URL(anySite[1]).origin) {
    // The URL standard removes these characters. The rest stays on the site.
    return { kind: 'path', path: written.replace(/^[\0- ]+|[\0- ]+$|[\t\n\r]/g, '') as AllowedUrl }
  }
  const isUrl = overHttps.protocol === 'https:' && overHttps.href === overHttp.href
  const hasCredentials = overHttps.username !== '' || overHttps.password !== ''
  return isUrl && !hasCredentials ? { kind: 'url', url: overHttps.href as AllowedUrl } : undefined
}

/** Describes the type of a value for a message: `string`, `list`, `object`, `null`, `number`, `boolean`. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

/** Formats a binding for frontmatter: `openapi.yaml GET /pets`, `openapi.yaml webhook orderShipped`, `openapi.yaml Pet`. */
export function formatBinding(binding: PageBinding): string {
  return binding.file === undefined ? formatTarget(binding) : `${binding.file} ${formatTarget(binding)}`
}

/** Formats a binding without its file: `GET /pets`, `webhook orderShipped`, `Pet`. Identifies an operation within one document. */
export function formatTarget(binding: PageBinding): string {
  switch (binding.kind) {
    case 'operation':
      return `${binding.method.toUpperCase()} ${binding.pathTemplate}`
    case 'webhook':
      return `webhook ${binding.name}`
    case 'schema':
      return binding.name
  }
}

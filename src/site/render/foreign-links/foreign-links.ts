import { unescapePointerSegment } from '../../../source/json-pointer.ts'
import { decodePercent } from '../../../source/relative-path.ts'
import { suggest } from '../../../source/suggest.ts'
import { toLooseId } from '../../../source/to-loose-id.ts'
import { listIds } from '../element-ids.ts'
import { escapeHtml, unescapeHtml } from '../html.ts'
import { type SiteContext, toHref } from '../site-context.ts'

/** The targets of links that were written for other OpenAPI tools, by the original link (`#operation/getPet`). */
export type ResolvedLinks = ReadonlyMap<string, LinkedPart>

/**
 * Finds fragment links that match no element of the page but refer to an operation, tag or schema, as other OpenAPI tools write them. Skips links that
 * are ambiguous between several API descriptions.
 *
 * @param namedParts called only if there is a candidate link.
 */
export function resolveForeignLinks(
  links: Iterable<string>,
  html: string,
  route: string,
  namedParts: () => readonly NamedParts[],
): ResolvedLinks {
  const inside = [...links].filter((link) => /^#[^:]/.test(link))
  if (inside.length === 0) return new Map()
  const ids = listIds(html)
  const exact = new Set(ids)
  const resolved = new Map<string, LinkedPart>()
  for (const link of inside) {
    const fragment = link.slice(1)
    if (exact.has(fragment) || exact.has(decodePercent(fragment))) continue
    const named = parseForeignLink(fragment)
    // `openTarget` handles IDs that differ only in punctuation.
    if (!named && ids.some((id) => toLooseId(id) === toLooseId(decodePercent(fragment)))) continue
    const found = namedParts().flatMap((parts) => findNamedPart(fragment, parts) ?? [])
    const [first] = found
    if (first && found.every((one) => one.route === first.route && one.id === first.id)) resolved.set(link, first)
    else if (!first && named?.kind === 'section') {
      const id = ids.find((one) => toLooseId(one) === toLooseId(named.heading))
      if (id !== undefined) resolved.set(link, { route, id })
    }
  }
  return resolved
}

/** The URL of a link target within the site. */
export function toTargetHref(context: Pick<SiteContext, 'base'>, { route, id }: LinkedPart): string {
  return toHref(context, route) + (id === undefined ? '' : `#${id}`)
}

/** Replaces the links in the HTML of a page. */
export function replaceHtmlLinks(html: string, resolved: ResolvedLinks, toUrl: (found: LinkedPart) => string): string {
  if (resolved.size === 0) return html
  return html.replace(/ href="(#[^"]+)"/g, (whole, written: string) => {
    const found = resolved.get(unescapeHtml(written))
    return found ? ` href="${escapeHtml(toUrl(found))}"` : whole
  })
}

/** Replaces the links in the Markdown of a page. */
export function replaceMarkdownLinks(text: string, resolved: ResolvedLinks, toUrl: (found: LinkedPart) => string): string {
  if (resolved.size === 0) return text
  // URLs in Markdown can be percent-encoded in different ways.
  const decoded = new Map(Array.from(resolved, ([link, found]) => [decodePercent(link), found]))
  return text.replace(
    /(\]\(<?|\]:[ \t]*<?|href=["'])(#[^\s"'<>\]]+?)(?=\)?[>"'\s]|\)|$)/gm,
    (whole, before: string, written: string) => {
      const found = decoded.get(decodePercent(written))
      return found ? before + toUrl(found) : whole
    },
  )
}

/** The operations, tags, schemas and headings of an API description that have a page, with their routes. */
export interface NamedParts {
  readonly operations: readonly NamedOperation[]
  /** The overview page of each tag, else its first operation. */
  readonly tags: readonly NamedPage[]
  readonly schemas: readonly NamedPage[]
  /** The page that shows `info.description`, with its element IDs; absent if there is none. */
  readonly introduction: { readonly route: string; readonly ids: readonly string[] } | undefined
}

interface NamedPage {
  readonly name: string
  readonly route: string
}

interface NamedOperation {
  /** `GET /pets`. */
  readonly target: string
  readonly operationId: string | undefined
  readonly route: string
}

/** A page, and the element on it if the link has one. */
interface LinkedPart {
  readonly route: string
  readonly id: string | undefined
}

/** Finds the target of a fragment that was written for another OpenAPI tool; `undefined` if there is none. */
export function findNamedPart(fragment: string, { operations, tags, schemas, introduction }: NamedParts): LinkedPart | undefined {
  const named = parseForeignLink(fragment)
  switch (named?.kind) {
    case 'operation':
      return (
        toFound(findByName(operations, ({ operationId }) => operationId, named.id)) ??
        toFound(findByName(operations, ({ target }) => target, named.id))
      )
    case 'request':
      return toFound(findByName(operations, ({ target }) => target, `${named.method.toUpperCase()} ${named.path}`))
    case 'tag':
      // A heading of the tag's description can follow the tag.
      return toFound(
        findByName(tags, ({ name }) => name, named.name) ??
          findByName(tags, ({ name }) => name, named.name.replace(/\/.*$/s, '')),
      )
    case 'schema':
      return toFound(findByName(schemas, ({ name }) => name, named.name))
    default: {
      const id = introduction && findByName(introduction.ids, (one) => one, named?.heading ?? fragment)
      return introduction && id !== undefined ? { route: introduction.route, id } : undefined
    }
  }
}

/** Suggests a correction for a fragment without a target, in the same syntax. */
export function suggestNamedPart(fragment: string, { operations, tags, schemas, introduction }: NamedParts): string | undefined {
  const named = parseForeignLink(fragment)
  if (!named || named.kind === 'request') return undefined
  const [written, names] =
    named.kind === 'operation'
      ? [named.id, operations.flatMap(({ operationId }) => operationId ?? [])]
      : named.kind === 'section'
        ? [named.heading, introduction?.ids ?? []]
        : [named.name, (named.kind === 'tag' ? tags : schemas).map(({ name }) => name)]
  const near = suggest(written, names)
  const at = fragment.lastIndexOf(written)
  // The name may be encoded in the fragment. Then it cannot be replaced.
  return near === undefined || near === written || at === -1
    ? undefined
    : fragment.slice(0, at) + near.replaceAll(' ', '-') + fragment.slice(at + written.length)
}

/** Finds an exact name, else the first that differs only in punctuation, whitespace or case. Tools create fragments from names in many ways. */
function findByName<One>(all: readonly One[], nameOf: (one: One) => string | undefined, name: string): One | undefined {
  const exact = all.find((one) => nameOf(one) === name)
  if (exact !== undefined) return exact
  const loose = toLooseId(name)
  return loose === '' ? undefined : all.find((one) => toLooseId(nameOf(one) ?? '') === loose)
}

function toFound(found: { readonly route: string } | undefined): LinkedPart | undefined {
  return found && { route: found.route, id: undefined }
}

/** The target of a link, as written for another OpenAPI tool. */
type NamedPart =
  /** `id` is the `operationId`, or what a tool derives from method and path. */
  | { readonly kind: 'operation'; readonly id: string }
  | { readonly kind: 'request'; readonly method: string; readonly path: string }
  | { readonly kind: 'tag'; readonly name: string }
  | { readonly kind: 'schema'; readonly name: string }
  /** A heading of `info.description`. */
  | { readonly kind: 'section'; readonly heading: string }

type LinkSyntax = readonly [pattern: RegExp, read: (...parts: readonly string[]) => NamedPart]

const methods = 'get|put|post|delete|options|head|patch|trace|query'

/**
 * The fragment syntaxes of other OpenAPI tools. The first match wins.
 *
 * Sources: Redoc 2 (`operation/`, `tag/…/operation/`, `tag/…/paths/`, `section/`, `schema/`), Scalar (`tag/…/GET/path`, `model/`, `description/`),
 * Swagger UI (`/tag/operationId`; `!/` before version 3), RapiDoc (`get-/path`), Stoplight Elements (`/operations/`, `/schemas/`).
 */
const linkSyntaxes: readonly LinkSyntax[] = [
  [/^(?:tag\/.+?\/)?operations?\/(.+)$/s, (id = '') => ({ kind: 'operation', id })],
  [
    /^(?:tag\/.+?\/|\/)?paths\/([^/]+)\/([a-z]+)$/i,
    (path = '', method = '') => ({ kind: 'request', method, path: unescapePointerSegment(path) }),
  ],
  [new RegExp(`^tag/.+?/(${methods})(/.*)$`, 'is'), (method = '', path = '') => ({ kind: 'request', method, path })],
  [new RegExp(`^(${methods})-(/.*)$`, 'is'), (method = '', path = '') => ({ kind: 'request', method, path })],
  [/^tag\/(.+)$/, (name = '') => ({ kind: 'tag', name })],
  [/^(?:section|description)\/(?:.*\/)?([^/]+)$/, (heading = '') => ({ kind: 'section', heading })],
  [/^\/?(?:components\/)?(?:schemas?|models?|definitions)\/([^/]+)$/, (name = '') => ({ kind: 'schema', name })],
  [/^\/[^/]+\/([^/]+)$/, (id = '') => ({ kind: 'operation', id })],
  [/^\/([^/]+)$/, (name = '') => ({ kind: 'tag', name })],
]

/** Parses a fragment (without `#`) in the syntax of another OpenAPI tool; `undefined` if none matches. */
function parseForeignLink(fragment: string): NamedPart | undefined {
  // Redoc appends the selected parameter: `operation/getPet!path=id`.
  const written = decodePercent(fragment)
    .replace(/^!(?=\/)/, '')
    .replace(/!(?:in|path|t|c|ct)=.*$/s, '')
  for (const [pattern, read] of linkSyntaxes) {
    const match = pattern.exec(written)
    if (match) return read(...match.slice(1))
  }
  return undefined
}

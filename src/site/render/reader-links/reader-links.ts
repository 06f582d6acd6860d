import { unescapePointerSegment } from '../../../source/json-pointer.ts'
import { decodePercent } from '../../../source/relative-path.ts'
import { suggest } from '../../../source/suggest.ts'
import { toLooseId } from '../../../source/to-loose-id.ts'
import { escapeHtml, unescapeHtml } from '../html.ts'
import { listIds } from '../part-ids.ts'
import { type SiteContext, toHref } from '../site-context.ts'

/** Where the links of a page lead that were written for another reader of descriptions, by what is written (`#operation/getPet`). */
export type LedLinks = ReadonlyMap<string, FoundPart>

/**
 * Finds the links of a page that lead within it, and that lead to no part of it but to what they name in a description. Of several descriptions
 * only one may have it.
 *
 * @param namedParts is asked where there is such a link.
 */
export function findLedLinks(
  links: Iterable<string>,
  html: string,
  route: string,
  namedParts: () => readonly NamedParts[],
): LedLinks {
  const inside = [...links].filter((link) => /^#[^:]/.test(link))
  if (inside.length === 0) return new Map()
  const ids = listIds(html)
  const exact = new Set(ids)
  const led = new Map<string, FoundPart>()
  for (const link of inside) {
    const fragment = link.slice(1)
    if (exact.has(fragment) || exact.has(decodePercent(fragment))) continue
    const named = readReaderLink(fragment)
    // Browsers find what is written in another way: see `openTarget`.
    if (!named && ids.some((id) => toLooseId(id) === toLooseId(decodePercent(fragment)))) continue
    const found = namedParts().flatMap((parts) => findNamedPart(fragment, parts) ?? [])
    const [first] = found
    if (first && found.every((one) => one.route === first.route && one.id === first.id)) led.set(link, first)
    else if (!first && named?.kind === 'section') {
      const id = ids.find((one) => toLooseId(one) === toLooseId(named.heading))
      if (id !== undefined) led.set(link, { route, id })
    }
  }
  return led
}

/** The address of what a link leads to, inside a site. */
export function toLedHref(context: Pick<SiteContext, 'base'>, { route, id }: FoundPart): string {
  return toHref(context, route) + (id === undefined ? '' : `#${id}`)
}

/** The HTML of a page with its links to these. */
export function leadHtml(html: string, led: LedLinks, toAddress: (found: FoundPart) => string): string {
  if (led.size === 0) return html
  return html.replace(/ href="(#[^"]+)"/g, (whole, written: string) => {
    const found = led.get(unescapeHtml(written))
    return found ? ` href="${escapeHtml(toAddress(found))}"` : whole
  })
}

/** The Markdown of a page with its links to these. */
export function leadMarkdown(text: string, led: LedLinks, toAddress: (found: FoundPart) => string): string {
  if (led.size === 0) return text
  // Markdown beside HTML is read with its addresses encoded.
  const decoded = new Map(Array.from(led, ([link, found]) => [decodePercent(link), found]))
  return text.replace(
    /(\]\(<?|\]:[ \t]*<?|href=["'])(#[^\s"'<>\]]+?)(?=\)?[>"'\s]|\)|$)/gm,
    (whole, before: string, written: string) => {
      const found = decoded.get(decodePercent(written))
      return found ? before + toAddress(found) : whole
    },
  )
}

/** What links can name of a description, with the routes of its pages; what has no page is not there. */
export interface NamedParts {
  readonly operations: readonly NamedOperation[]
  /** The page to begin with: the overview of a tag, else its first operation. */
  readonly tags: readonly NamedPage[]
  readonly schemas: readonly NamedPage[]
  /** The page that shows `info.description`, with the addresses of its parts; absent where none does. */
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

/** A page, and the part of it where there is one. */
interface FoundPart {
  readonly route: string
  readonly id: string | undefined
}

/** Finds the page that a fragment leads to which was written for another reader of descriptions; absent where it leads nowhere. */
export function findNamedPart(fragment: string, { operations, tags, schemas, introduction }: NamedParts): FoundPart | undefined {
  const named = readReaderLink(fragment)
  switch (named?.kind) {
    case 'operation':
      return (
        toFound(findByName(operations, ({ operationId }) => operationId, named.id)) ??
        toFound(findByName(operations, ({ target }) => target, named.id))
      )
    case 'request':
      return toFound(findByName(operations, ({ target }) => target, `${named.method.toUpperCase()} ${named.path}`))
    case 'tag':
      // After the tag there may be a heading of its description.
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

/** The fragment that one which leads nowhere may have meant, in the form in which it is written. */
export function suggestNamedPart(fragment: string, { operations, tags, schemas, introduction }: NamedParts): string | undefined {
  const named = readReaderLink(fragment)
  if (!named || named.kind === 'request') return undefined
  const [written, names] =
    named.kind === 'operation'
      ? [named.id, operations.flatMap(({ operationId }) => operationId ?? [])]
      : named.kind === 'section'
        ? [named.heading, introduction?.ids ?? []]
        : [named.name, (named.kind === 'tag' ? tags : schemas).map(({ name }) => name)]
  const near = suggest(written, names)
  const at = fragment.lastIndexOf(written)
  // What is written in another way, encoded for instance, cannot be replaced in it.
  return near === undefined || near === written || at === -1
    ? undefined
    : fragment.slice(0, at) + near.replaceAll(' ', '-') + fragment.slice(at + written.length)
}

/** The one of this name, else the first whose name differs in signs, blanks and capitals only: readers make addresses of names in many ways. */
function findByName<One>(all: readonly One[], nameOf: (one: One) => string | undefined, name: string): One | undefined {
  const exact = all.find((one) => nameOf(one) === name)
  if (exact !== undefined) return exact
  const loose = toLooseId(name)
  return loose === '' ? undefined : all.find((one) => toLooseId(nameOf(one) ?? '') === loose)
}

function toFound(found: { readonly route: string } | undefined): FoundPart | undefined {
  return found && { route: found.route, id: undefined }
}

/** What a link names that was written for another reader of descriptions. */
type NamedPart =
  /** `id`: the operationId, or what a reader makes of method and path where there is none. */
  | { readonly kind: 'operation'; readonly id: string }
  | { readonly kind: 'request'; readonly method: string; readonly path: string }
  | { readonly kind: 'tag'; readonly name: string }
  | { readonly kind: 'schema'; readonly name: string }
  /** A heading of `info.description`. */
  | { readonly kind: 'section'; readonly heading: string }

type Reading = readonly [pattern: RegExp, read: (...parts: readonly string[]) => NamedPart]

const methods = 'get|put|post|delete|options|head|patch|trace|query'

/**
 * The forms that readers write, the first that fits.
 *
 * Sources: Redoc 2 (`operation/`, `tag/…/operation/`, `tag/…/paths/`, `section/`, `schema/`), Scalar (`tag/…/GET/path`, `model/`, `description/`),
 * Swagger UI (`/tag/operationId`; `!/` before version 3), RapiDoc (`get-/path`), Stoplight Elements (`/operations/`, `/schemas/`).
 */
const readings: readonly Reading[] = [
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

/** Reads a fragment, without its `#`, as readers of descriptions write it; absent where it has no such form. */
function readReaderLink(fragment: string): NamedPart | undefined {
  // Redoc adds what is chosen on the page: `operation/getPet!path=id`.
  const written = decodePercent(fragment)
    .replace(/^!(?=\/)/, '')
    .replace(/!(?:in|path|t|c|ct)=.*$/s, '')
  for (const [pattern, read] of readings) {
    const match = pattern.exec(written)
    if (match) return read(...match.slice(1))
  }
  return undefined
}

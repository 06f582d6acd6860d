import { unescapePointerSegment } from '../../text/json-pointer.ts'
import { decodePercent } from '../../text/relative-path.ts'

/** What a link names that was written for another reader of descriptions. */
export type NamedPart =
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
export function readReaderLink(fragment: string): NamedPart | undefined {
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

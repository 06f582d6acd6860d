import { isObject, type JsonObject } from '../../text/json/json-values.ts'
import { parsePath } from '../json-path/parse-path.ts'
import type { Step } from '../json-path/syntax.ts'
import type { Path } from '../ruleset.ts'

/** A document for an example, or why there is none. */
export type PlacedExample =
  | { readonly kind: 'placed'; readonly document: JsonObject }
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Makes a document of an example, which is a document or the value that `given` selects.
 *
 * A mapping with `openapi`, or with the first key of a path in `given`, is a document. Anything else is put where `given` selects it, if
 * that is a simple path.
 *
 * @param release the version of documents without `openapi`.
 */
export function placeExample(value: unknown, given: readonly string[], release: string): PlacedExample {
  const paths = given.flatMap((expression) => {
    const found = findSimplePath(expression)
    return found ? [found] : []
  })
  const [path] = paths
  if (isObject(value) && isDocument(value, paths)) return { kind: 'placed', document: { openapi: release, ...value } }
  if (path) {
    const part = putAt(path, value)
    if (isObject(part)) return { kind: 'placed', document: { openapi: release, ...(path.length > 0 && required), ...part } }
    return { kind: 'failed', reason: 'expected a mapping, because `given` selects the document' }
  }
  const reason =
    given.length === 0
      ? 'the rule selects nothing in this version of OpenAPI'
      : 'expected a document, because `given` is no simple path such as `$.paths[*]`'
  return { kind: 'failed', reason }
}

/** What every document has. */
const required = { info: { title: 'Example', version: '1.0.0' }, paths: {} }

const rootKeys = ['openapi', 'info', 'paths', 'webhooks', 'components', 'servers', 'tags', 'security', 'externalDocs']

function isDocument(value: JsonObject, paths: readonly Path[]): boolean {
  if (Object.hasOwn(value, 'openapi')) return true
  if (paths.length === 0) return rootKeys.some((key) => Object.hasOwn(value, key))
  return paths.some(([first]) => first === undefined || Object.hasOwn(value, first))
}

/** Puts a value at a path of an empty document. Every entry of a list is its first. */
function putAt(path: Path, value: unknown): unknown {
  return path.reduceRight((inner: unknown, key) => (typeof key === 'number' ? [inner] : { [key]: inner }), value)
}

/** The path of a value that an expression selects. Undefined if that depends on other values. */
export function findSimplePath(expression: string): Path | undefined {
  const parsed = parsePath(expression)
  if (parsed.kind === 'failed' || parsed.path.selectsKeys) return undefined
  const path: (string | number)[] = []
  for (const step of parsed.path.steps) {
    const key = findKey(step, path)
    if (key === undefined) return undefined
    path.push(key)
  }
  return path
}

function findKey(step: Step, path: Path): string | number | undefined {
  if (step.kind !== 'children' || step.isDeep) return undefined
  const [selector] = step.selectors
  if (selector?.kind === 'name') return selector.name === '0' && isList(path) ? 0 : selector.name
  return selector?.kind === 'wildcard' ? (isList(path) ? 0 : nameEntry(path)) : undefined
}

const lists = ['tags', 'servers', 'parameters', 'security', 'required', 'enum', 'allOf', 'anyOf', 'oneOf', 'prefixItems']

function isList(path: Path): boolean {
  return lists.includes(String(path.at(-1))) && path.at(-2) !== 'components' && path.at(-2) !== 'properties'
}

/** A key for an entry of the mapping at a path. */
function nameEntry(path: Path): string {
  const last = path.at(-1)
  if (last === undefined) return 'info'
  if (path.at(-2) === 'components') return 'Example'
  if (path.length === 2 && (path[0] === 'paths' || path[0] === 'webhooks')) return 'get'
  const names: ReadonlyMap<string | number, string> = new Map([
    ['paths', '/example'],
    ['responses', '200'],
    ['content', 'application/json'],
    ['components', 'schemas'],
  ])
  return names.get(last) ?? 'example'
}

import {
  entriesOf,
  escapePointerSegment,
  isObject,
  type JsonObject,
  pointerChild,
  readOwn,
  readText,
  toWritten,
} from '../../text/json/json-values.ts'
import { addTo } from '../../text/plain/lists.ts'
import { decodePercent } from '../../text/plain/paths.ts'
import { hashOf } from './render-memory.ts'

/** A part of a description that is rendered together: a path, a webhook or a component. */
export interface DescriptionPart extends GraphNode {
  /** The references in this part, with their location. */
  readonly places: readonly string[]
}

/**
 * Splits a description into parts by JSON pointer, each with everything its page may depend on. Everything besides paths,
 * webhooks and components is a single part. Returns `undefined` if parts depend on each other, or on other files, in unsupported
 * ways.
 */
export function readParts(root: JsonObject): Map<string, DescriptionPart> | undefined {
  const operationIds = hashOf(listOperationIds(root))
  const parts = new Map<string, DescriptionPart>()
  const texts = new Map<string, string>()
  for (const [pointer, value] of listParts(root)) {
    const references = new Set<string>()
    const places: string[] = []
    const add = (place: string, target: string) => {
      const part = toPart(target)
      places.push(`${place} ${target}`)
      if (part !== undefined) references.add(part)
      return part !== undefined
    }
    if (!findReferences(value, '', add)) return undefined
    const text = JSON.stringify(toWritten(value)) ?? ''
    texts.set(pointer, text)
    // A link can refer to another operation by its ID.
    const hash = hashOf(text.includes('"operationId":') && text.includes('"links":') ? [text, operationIds] : text)
    parts.set(pointer, { hash, references: [...references], places })
  }
  addVariants(parts, texts)
  return parts
}

const dividedFields: ReadonlySet<string> = new Set(['paths', 'webhooks', 'x-webhooks'])

function listParts(root: JsonObject): [string, unknown][] {
  const divide = (pointer: string, group: unknown) =>
    entriesOf(group).map(([name, value]): [string, unknown] => [pointerChild(pointer, name), value])
  return Object.entries(root).flatMap(([field, value]): [string, unknown][] => {
    const pointer = pointerChild('', field)
    if (dividedFields.has(field)) return divide(pointer, value)
    if (field !== 'components') return [[pointer, value]]
    return divide(pointer, value).flatMap(([kind, group]) => divide(kind, group))
  })
}

function listOperationIds(root: JsonObject): unknown[] {
  return entriesOf(root['paths']).map(([path, item]) => [
    path,
    entriesOf(item).map(([method, operation]) => [method, readOwn(operation, 'operationId')]),
  ])
}

/** Keywords that create dependencies between parts or files in unsupported ways. */
const unsupportedKeywords: ReadonlySet<string> = new Set(['$dynamicRef', '$anchor', '$id', '$self', '$recursiveRef'])

/**
 * Visits every reference in a value, with its enclosing keys and the names of parameters and discriminators, since schema pages
 * list them under "used by". Returns whether all references point to parts of the same document, as decided by `found`.
 */
function findReferences(value: unknown, place: string, found: (place: string, target: string) => boolean): boolean {
  if (typeof value === 'string') return !value.startsWith('#/') || found(place, value.slice(1))
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!findReferences(value[index], `${place}/${index}`, found)) return false
    return true
  }
  if (!isObject(value)) return true
  const name = readText(value, 'name') ?? readText(value, 'propertyName')
  const inside = name === undefined ? place : `${place} (${name})`
  for (const key of Object.keys(value)) {
    const child = value[key]
    if (unsupportedKeywords.has(key) || (key === '$ref' && typeof child === 'string' && !child.startsWith('#/'))) return false
    if (key === 'mapping' && entriesOf(child).some(([, target]) => isOtherFile(target))) return false
    if (typeof child === 'string' ? child.startsWith('#/') : typeof child === 'object')
      if (!findReferences(child, `${inside}/${key}`, found)) return false
  }
  return true
}

function isOtherFile(value: unknown): boolean {
  return typeof value === 'string' && /\.(?:json|ya?ml)/.test(value)
}

/**
 * The page of a schema with a discriminator also shows its variants: the schemas that refer to it, those that extend them, and those it names
 * without a reference.
 */
function addVariants(parts: Map<string, DescriptionPart>, texts: ReadonlyMap<string, string>): void {
  const users = new Map<string, string[]>()
  for (const [user, { references }] of parts) for (const pointer of references) addTo(users, pointer, user)
  for (const [pointer, text] of texts) {
    const part = parts.get(pointer)
    if (!part || !text.includes('"discriminator":')) continue
    const children = new Set(users.get(pointer))
    for (const child of children) {
      const canExtend = child.startsWith('/components/schemas/') && texts.get(child)?.includes('"allOf":')
      if (canExtend) for (const user of users.get(child) ?? []) children.add(user)
    }
    const named = Array.from(
      text.matchAll(/"([^"\\]+)"/g),
      ([, name = '']) => `/components/schemas/${escapePointerSegment(name)}`,
    )
    const all = [...part.references, ...children, ...named.filter((one) => parts.has(one))]
    parts.set(pointer, { ...part, references: [...new Set(all)] })
  }
}

/** Returns the part that a percent-decoded reference points into, or `undefined` if it points to several. */
export function toPart(pointer: string): string | undefined {
  const steps = decodePercent(pointer).split('/')
  const [, field = ''] = steps
  const length = field === 'components' ? 4 : dividedFields.has(field) ? 3 : 2
  return steps.length < length ? undefined : steps.slice(0, length).join('/')
}

/** A graph node that references others by name. */
export interface GraphNode {
  readonly hash: string
  /** Unknown names are ignored. */
  readonly references: readonly string[]
}

interface Visit {
  readonly name: string
  readonly index: number
  /** The earliest visited node that is known to be reachable from this one. */
  low: number
  next: number
}

/**
 * Hashes each node together with everything reachable from it. Nodes in a cycle share a hash. Each node is visited once, so the
 * cost is linear in the size of the graph.
 *
 * Source: Tarjan, "Depth-first search and linear graph algorithms" (1972). Iterative, because chains can be long.
 */
export function hashClosures(graph: ReadonlyMap<string, GraphNode>): Map<string, string> {
  const hashes = new Map<string, string>()
  const visits = new Map<string, Visit>()
  /** Visited nodes without a known component. */
  const open: string[] = []
  for (const start of graph.keys()) {
    if (visits.has(start)) continue
    const path: Visit[] = []
    const enter = (name: string) => {
      const visit = { name, index: visits.size, low: visits.size, next: 0 }
      visits.set(name, visit)
      open.push(name)
      path.push(visit)
    }
    enter(start)
    for (let visit = path.at(-1); visit; visit = path.at(-1)) {
      const reference = graph.get(visit.name)?.references[visit.next++]
      if (reference !== undefined) {
        const other = visits.get(reference)
        if (!other && graph.has(reference)) enter(reference)
        else if (other && !hashes.has(reference)) visit.low = Math.min(visit.low, other.index)
        continue
      }
      path.pop()
      const before = path.at(-1)
      if (before) before.low = Math.min(before.low, visit.low)
      // Search from the end, where the members of the component are. Searching a long chain from the start would be quadratic.
      if (visit.low === visit.index) hashComponent(open.splice(open.lastIndexOf(visit.name)), graph, hashes)
    }
  }
  return hashes
}

/** All other reachable nodes already have a hash. */
function hashComponent(names: readonly string[], graph: ReadonlyMap<string, GraphNode>, hashes: Map<string, string>): void {
  const own = names.map((name) => [name, graph.get(name)?.hash])
  const others = names.flatMap((name) => graph.get(name)?.references.flatMap((reference) => hashes.get(reference) ?? []) ?? [])
  const hash = hashOf([own.sort(), [...new Set(others)].sort()])
  for (const name of names) hashes.set(name, hash)
}

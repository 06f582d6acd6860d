import { isContainer, isObject, readOwn, valueAtPointer } from '../../../text/json/json-values.ts'
import { type Dialect, listParts } from './inspect-schema.ts'

/** The schemas with an `$id` or an anchor, by URL or `#anchor`, for each root. */
const identifiers = new WeakMap<object, ReadonlyMap<string, unknown>>()

/**
 * Finds the target of a reference inside a schema: a pointer, an anchor or an identifier.
 *
 * Source: JSON Schema 2020-12, core, section 8.2; draft 4, core, section 7.
 */
export function findReference(root: unknown, reference: string, dialect: Dialect): unknown {
  if (!isObject(root)) return undefined
  const [base = '', fragment = ''] = reference.split('#', 2)
  const resource = base === '' ? root : listIdentifiers(root, dialect).get(base)
  if (resource === undefined || fragment === '') return resource
  if (fragment.startsWith('/')) return valueAtPointer(resource, decodeFragment(fragment))
  return listIdentifiers(root, dialect).get(`#${fragment}`)
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function listIdentifiers(root: object, dialect: Dialect): ReadonlyMap<string, unknown> {
  const known = identifiers.get(root)
  if (known) return known
  const found = new Map<string, unknown>()
  collect(root, dialect, found, new Set())
  identifiers.set(root, found)
  return found
}

function collect(schema: unknown, dialect: Dialect, found: Map<string, unknown>, visited: Set<object>): void {
  if (!isObject(schema) || visited.has(schema)) return
  visited.add(schema)
  const id = schema[dialect === 'draft4' ? 'id' : '$id']
  if (typeof id === 'string') add(found, id.replace(/#$/, ''), schema)
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    const anchor = readOwn(schema, keyword)
    if (typeof anchor === 'string') add(found, `#${anchor}`, schema)
  }
  for (const [part] of listParts(schema, dialect)) collect(part, dialect, found, visited)
}

function add(found: Map<string, unknown>, identifier: string, schema: unknown): void {
  if (!found.has(identifier)) found.set(identifier, schema)
}

const inlined = new WeakMap<object, boolean>()

/** Whether a target of a reference contains no references. */
export function isInlined(schema: unknown): boolean {
  if (!isContainer(schema)) return true
  const known = inlined.get(schema)
  if (known !== undefined) return known
  const result = !hasReference(schema, new Set())
  inlined.set(schema, result)
  return result
}

const references = ['$ref', '$recursiveRef', '$recursiveAnchor', '$dynamicRef', '$dynamicAnchor']

function hasReference(value: unknown, visited: Set<object>): boolean {
  if (!isContainer(value) || visited.has(value)) return false
  visited.add(value)
  if (isObject(value) && references.some((keyword) => Object.hasOwn(value, keyword))) return true
  return Object.values(value).some((part) => hasReference(part, visited))
}

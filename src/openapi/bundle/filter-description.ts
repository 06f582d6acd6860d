import { isObject, type JsonObject, listObjects, readOwn, readStep } from '../../source/is-object.ts'
import { parsePointer, valueAtPointer } from '../../source/json-pointer.ts'
import { decodePercent } from '../../source/relative-path.ts'
import { isSet } from '../collect-operations.ts'

/** Which parts of a description are kept. */
export interface DescriptionFilter {
  /** `public` leaves out everything with `x-internal`. */
  readonly audience: 'public' | 'internal'
  /** If not empty, only operations with one of these tags are kept. */
  readonly includeTags: readonly string[]
  /** Operations with one of these tags are left out. */
  readonly excludeTags: readonly string[]
}

/** Whether a filter keeps everything. */
export function keepsEverything({ audience, includeTags, excludeTags }: DescriptionFilter): boolean {
  return audience === 'internal' && includeTags.length === 0 && excludeTags.length === 0
}

interface Filtering extends DescriptionFilter {
  readonly document: JsonObject
  /** `operationId` of all operations that are left out. */
  readonly removedIds: Set<string>
  readonly removedProperties: Set<string>
  readonly keptProperties: Set<string>
}

/**
 * Removes the parts of a self-contained description that a filter leaves out, and whatever only they use: references to them, empty
 * paths, required properties, links, tags without operations, and unused components.
 */
export function filterDescription(document: JsonObject, filter: DescriptionFilter): JsonObject {
  const internalTags = listObjects(document['tags']).filter((tag) => filter.audience === 'public' && isSet(tag['x-internal']))
  const excludeTags = [...filter.excludeTags, ...internalTags.flatMap(({ name }) => (typeof name === 'string' ? name : []))]
  const filtering: Filtering = {
    ...filter,
    excludeTags,
    document,
    removedIds: new Set(),
    removedProperties: new Set(),
    keptProperties: new Set(),
  }
  const copied = copyValue(filtering, document, [])
  const cleaned = cleanValue(filtering, isObject(copied) ? copied : {}, undefined)
  return pruneComponents(pruneTags(document, isObject(cleaned) ? cleaned : {}))
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'])

function copyValue(filtering: Filtering, value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((entry: unknown, index) =>
      isRemoved(filtering, entry) ? [] : [copyValue(filtering, entry, [...path, String(index)])],
    )
  }
  if (!isObject(value)) return value
  const isPathItem = isPathItemAt(path)
  const isProperties = path.at(-1) === 'properties'
  const entries = Object.entries(value).flatMap(([key, child]): [string, unknown][] => {
    const isOperation = isPathItem && (methods.has(key) || path.at(-1) === 'additionalOperations') && isObject(child)
    const isLeftOut = isRemoved(filtering, child) || (isOperation && isLeftOutByTag(filtering, child))
    if (isLeftOut) collectIds(filtering, child)
    if (isProperties) (isLeftOut ? filtering.removedProperties : filtering.keptProperties).add(key)
    if (isLeftOut) return []
    const copy = copyValue(filtering, child, [...path, key])
    return isEmptied(child, copy, [...path, key]) ? [] : [[key, copy]]
  })
  return Object.fromEntries(entries)
}

/** Whether everything in a path item, or in a list of alternatives, was left out. */
function isEmptied(before: unknown, after: unknown, path: readonly string[]): boolean {
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.length > 0 && after.length === 0 && ['oneOf', 'anyOf', 'allOf'].includes(path.at(-1) ?? '')
  }
  const hasMethod = (value: unknown) =>
    isObject(value) && Object.keys(value).some((key) => methods.has(key) || key === 'additionalOperations' || key === '$ref')
  return isPathItemAt(path) && hasMethod(before) && !hasMethod(after)
}

/** Whether a path leads to a path item, or to its `additionalOperations`. */
function isPathItemAt(path: readonly string[]): boolean {
  const start = ['paths', 'webhooks', 'x-webhooks'].includes(path[0] ?? '')
    ? 1
    : path[0] === 'components' && path[1] === 'pathItems'
      ? 2
      : 0
  return start > 0 && (path.length === start + 1 || (path.length === start + 2 && path.at(-1) === 'additionalOperations'))
}

/** Whether a value, or the target of its reference, has `x-internal`. */
function isRemoved({ audience, document }: Filtering, value: unknown): boolean {
  const seen = new Set<unknown>()
  for (
    let current = value;
    audience === 'public' && isObject(current) && !seen.has(current);
    current = findTarget(document, current)
  ) {
    seen.add(current)
    if (isSet(current['x-internal'])) return true
    const reference = current['$ref']
    // A reference into an object that is left out.
    if (typeof reference === 'string' && listAround(document, reference).some((around) => isSet(around['x-internal'])))
      return true
  }
  return false
}

function listAround(document: JsonObject, reference: string): JsonObject[] {
  if (!reference.startsWith('#/')) return []
  const found: JsonObject[] = []
  let value: unknown = document
  for (const segment of parsePointer(decodePercent(reference.slice(1)))) {
    value = readStep(value, segment)
    if (isObject(value)) found.push(value)
  }
  return found
}

function findTarget(document: JsonObject, { $ref: reference }: JsonObject): unknown {
  return typeof reference === 'string' && reference.startsWith('#/')
    ? valueAtPointer(document, decodePercent(reference.slice(1)))
    : undefined
}

function isLeftOutByTag({ includeTags, excludeTags }: Filtering, operation: JsonObject): boolean {
  const tags = Array.isArray(operation['tags']) ? operation['tags'] : []
  if (tags.some((tag) => excludeTags.includes(tag))) return true
  return includeTags.length > 0 && !tags.some((tag) => includeTags.includes(tag))
}

function collectIds({ removedIds }: Filtering, value: unknown): void {
  const waiting = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) waiting.push(...next)
    if (!isObject(next)) continue
    if (typeof next['operationId'] === 'string') removedIds.add(next['operationId'])
    for (const child of Object.values(next)) if (typeof child === 'object' && child !== null) waiting.push(child)
  }
}

/** Removes what names something that was left out: links, mappings, required properties and security requirements. */
function cleanValue(filtering: Filtering, value: unknown, key: string | undefined): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => cleanValue(filtering, entry, undefined))
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([name, child]): [string, unknown][] => {
    if (key === 'links' && isObject(child) && isLinkToRemoved(filtering, child)) return []
    if (name === 'required' && Array.isArray(child)) return [[name, child.filter((one) => !isGone(filtering, one))]]
    if (name === 'security' && Array.isArray(child)) return [[name, child.filter((one) => hasSchemes(filtering, one))]]
    if (name === 'mapping' && key === 'discriminator' && isObject(child)) {
      return [
        [name, Object.fromEntries(Object.entries(child).filter(([, target]) => !isRemoved(filtering, toReference(target))))],
      ]
    }
    return [[name, cleanValue(filtering, child, name)]]
  })
  return Object.fromEntries(entries)
}

function toReference(target: unknown): unknown {
  if (typeof target !== 'string') return undefined
  return { $ref: /^[\w.-]+$/.test(target) ? `#/components/schemas/${target}` : target }
}

function isLinkToRemoved({ removedIds, document, ...filtering }: Filtering, { operationId, operationRef }: JsonObject): boolean {
  if (typeof operationId === 'string') return removedIds.has(operationId)
  if (typeof operationRef !== 'string') return false
  const operation = findTarget(document, { $ref: operationRef })
  return (
    isObject(operation) &&
    (isRemoved({ ...filtering, removedIds, document }, { $ref: operationRef }) ||
      isLeftOutByTag({ ...filtering, removedIds, document }, operation))
  )
}

/** Whether no kept schema has a property of this name. */
function isGone({ removedProperties, keptProperties }: Filtering, name: unknown): boolean {
  return typeof name === 'string' && removedProperties.has(name) && !keptProperties.has(name)
}

function hasSchemes({ audience, document }: Filtering, requirement: unknown): boolean {
  if (audience !== 'public' || !isObject(requirement)) return true
  return Object.keys(requirement).every((name) => {
    const scheme = valueAtPointer(document, `/components/securitySchemes/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    return !isObject(scheme) || !isSet(scheme['x-internal'])
  })
}

/** Keeps the tags of the operations that are left, and their parents. */
function pruneTags(before: JsonObject, document: JsonObject): JsonObject {
  const used = new Set(['paths', 'webhooks', 'x-webhooks', 'components'].flatMap((key) => listUsedTags(readOwn(document, key))))
  const tags = listObjects(document['tags'])
  for (const _ of tags) {
    for (const { name, parent } of tags)
      if (typeof name === 'string' && used.has(name) && typeof parent === 'string') used.add(parent)
  }
  const isKept = (name: unknown) => typeof name === 'string' && used.has(name)
  const rest: Record<string, unknown> = { ...document }
  if (before['tags'] !== undefined) rest['tags'] = tags.filter(({ name }) => isKept(name))
  if (Array.isArray(rest['x-tagGroups'])) {
    rest['x-tagGroups'] = listObjects(rest['x-tagGroups']).flatMap((group) => {
      const names = Array.isArray(group['tags']) ? group['tags'].filter(isKept) : []
      return names.length === 0 ? [] : [{ ...group, tags: names }]
    })
  }
  return rest
}

function listUsedTags(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listUsedTags)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, child]) => {
    const own = key === 'tags' && Array.isArray(child) ? child.filter((tag) => typeof tag === 'string') : []
    return [...own, ...listUsedTags(child)]
  })
}

/** Removes components that no reference by a pointer uses. */
function pruneComponents(document: JsonObject): JsonObject {
  const { components, ...rest } = document
  if (!isObject(components)) return document
  const used = new Set<string>()
  const waiting: unknown[] = [rest]
  const use = (group: string, name: string) => {
    const pointer = `${group}/${name}`
    const values = readOwn(components, group)
    if (used.has(pointer) || !isObject(values) || !Object.hasOwn(values, name)) return
    used.add(pointer)
    waiting.push(values[name])
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) {
      for (const one of next) if (typeof one === 'object' && one !== null) waiting.push(one)
      continue
    }
    if (!isObject(next)) continue
    for (const [key, child] of Object.entries(next)) {
      if (typeof child === 'object' && child !== null) waiting.push(child)
      if (key === 'security')
        for (const one of listObjects(child)) for (const name of Object.keys(one)) use('securitySchemes', name)
      const targets = key === 'mapping' && isObject(child) ? Object.values(child).map(toReference) : [next]
      for (const target of targets) {
        const reference = isObject(target) ? target['$ref'] : undefined
        const [top, group, name] =
          typeof reference === 'string' && reference.startsWith('#/') ? parsePointer(decodePercent(reference.slice(1))) : []
        if (top === 'components' && group !== undefined && name !== undefined) use(group, name)
      }
    }
  }
  const groups = Object.entries(components).flatMap(([group, values]): [string, unknown][] => {
    if (!isObject(values) || group.startsWith('x-')) return [[group, values]]
    const keptComponents = Object.entries(values).filter(([name]) => used.has(`${group}/${name}`))
    return keptComponents.length === 0 ? [] : [[group, Object.fromEntries(keptComponents)]]
  })
  return groups.length === 0 ? rest : { ...document, components: Object.fromEntries(groups) }
}

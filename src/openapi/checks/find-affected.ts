import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isObject, parentPointer, parsePointer, pointerChild } from '../../text/json/json-values.ts'
import {
  type CollectedOperation,
  childPlace,
  collectOperations,
  collectPathItems,
  type PathItemEntry,
} from '../read/collect-operations.ts'
import { isReference, toPlaceKey } from '../references/follow-reference.ts'
import type { FollowReference, Place } from '../types.ts'
import type { DescriptionCheck } from './check-description.ts'

/** The parts of a description that errors affect: the whole document, or single parts. */
export type AffectedParts =
  | { readonly kind: 'document'; readonly error: Finding }
  | {
      readonly kind: 'parts'
      /** Each function finds the first error that affects the named part, if any. */
      readonly operation: (method: string, pathTemplate: string) => Finding | undefined
      readonly webhook: (name: string) => Finding | undefined
      readonly schema: (name: string) => Finding | undefined
      /** The first error, if any. */
      readonly first: Finding | undefined
    }

/**
 * Finds the operations, webhooks and schemas that errors affect.
 *
 * An error affects an operation if it is in the operation, in the shared part of its path item, in a security scheme that it uses, or in
 * anything these reach by `$ref`. It also affects an operation that it hides: a method with a value that is not an object, or any method
 * of a path item that has an error itself. Errors in other parts of the entry document affect the whole document, and so do unparsable
 * files with unknown contents.
 */
export function findAffected({ description, follow, ...check }: DescriptionCheck, errors: readonly Finding[]): AffectedParts {
  const [first] = errors
  const entry = description && check.documents.get(description.entryPath)
  if (first === undefined) return { kind: 'parts', operation: none, webhook: none, schema: none, first }
  if (!description || !entry || !follow) return { kind: 'document', error: first }
  const root: Place = { file: description.entryPath, pointer: '', value: entry.parsed.value }
  const whole = errors.find((error) => concernsDocument(error, root.file, check))
  if (whole) return { kind: 'document', error: whole }
  const findError = toFindError(errors, { root, follow, documents: check.documents })
  const collect = (field: 'paths' | 'webhooks') => {
    const byName = new Map<string, AffectedPathItem>()
    for (const item of collectPathItems(root, field, follow)) byName.set(item.name, findInPathItem(item, root, follow, findError))
    return byName
  }
  const paths = collect('paths')
  const webhooks = collect('webhooks')
  const schemas = follow.end(childPlace(childPlace(root, 'components'), 'schemas'))
  return {
    kind: 'parts',
    operation: (method, pathTemplate) => {
      const item = paths.get(pathTemplate)
      return item?.shared ?? item?.byMethod.get(method.toUpperCase())
    },
    webhook: (name) => {
      const item = webhooks.get(name)
      return item?.shared ?? item?.byMethod.values().next().value
    },
    schema: (name) => findError([childPlace(schemas, name)]),
    first,
  }
}

function none(): undefined {
  return undefined
}

/** Whether an error does not belong to a single part of the description. */
function concernsDocument(
  { code, file, pointer, offsets }: Finding,
  entryFile: string,
  { documents, sources }: Pick<DescriptionCheck, 'documents' | 'sources'>,
): boolean {
  // For example in the configuration file.
  if (code === 'too-complex' || !sources.has(file)) return true
  if (file !== entryFile) return false
  const [section, name, inner] = parsePointer(pointer)
  if (offsets !== undefined || name === undefined || documents.get(file)?.parsed.value === undefined) return true
  if (section === 'paths') return !name.startsWith('/')
  if (section === 'components') return inner === undefined
  return section !== 'webhooks' && section !== 'security'
}

interface AffectedPathItem {
  /** An error in the part that all operations share, or one that hides operations. */
  readonly shared: Finding | undefined
  /** By method in upper case. */
  readonly byMethod: ReadonlyMap<string, Finding>
}

const methods: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'])

function findInPathItem(item: PathItemEntry, root: Place, follow: FollowReference, findError: FindError): AffectedPathItem {
  const byMethod = new Map<string, Finding>()
  let shared: Finding | undefined
  for (const place of item.places) {
    shared ??= findError.exactly(place) ?? findError.unresolved(place)
    if (!isObject(place.value)) continue
    for (const key of Object.keys(place.value)) {
      const child = childPlace(place, key)
      if (methods.has(key)) {
        const error = findError.exactly(child)
        if (error) byMethod.set(key.toUpperCase(), error)
      } else if (key !== 'additionalOperations') shared ??= findError([child])
      else {
        shared ??= findError.exactly(child)
        for (const method of isObject(child.value) ? Object.keys(child.value) : []) {
          const error = findError.exactly(childPlace(child, method))
          if (error) byMethod.set(method.toUpperCase(), error)
        }
      }
    }
  }
  for (const collected of collectOperations(item, follow)) {
    const error = findError([collected.operation, ...listSecurity(collected, root, follow)])
    if (error) byMethod.set(collected.fields.method.toUpperCase(), error)
  }
  return { shared, byMethod }
}

/** The security schemes that an operation uses, with the default of the document if it has no list. */
function listSecurity({ operation }: CollectedOperation, root: Place, follow: FollowReference): Place[] {
  const own = childPlace(operation, 'security')
  const security = own.value === undefined ? childPlace(root, 'security') : own
  const schemes = follow.end(childPlace(childPlace(root, 'components'), 'securitySchemes'))
  const requirements: readonly unknown[] = Array.isArray(security.value) ? security.value : []
  const names = requirements.flatMap((requirement) => (isObject(requirement) ? Object.keys(requirement) : []))
  return [security, ...names.map((name) => childPlace(schemes, name))]
}

/** Finds an error in locations or in anything they reach by `$ref`. */
interface FindError {
  (places: readonly Place[]): Finding | undefined
  /** At the location itself, not below it. */
  readonly exactly: (place: Place) => Finding | undefined
  /** For a `$ref` to a file that could not be parsed. */
  readonly unresolved: (place: Place) => Finding | undefined
}

interface Description {
  readonly root: Place
  readonly follow: FollowReference
  readonly documents: DescriptionCheck['documents']
}

function toFindError(errors: readonly Finding[], { follow, documents }: Description): FindError {
  const at = new Map<string, Finding>()
  /** By every location that contains an error. */
  const within = new Map<string, Finding>()
  for (const error of errors) {
    const keep = (map: Map<string, Finding>, pointer: string) => {
      const key = toPlaceKey({ file: error.file, pointer })
      if (!map.has(key)) map.set(key, error)
    }
    keep(at, error.pointer)
    for (let pointer = error.pointer; ; pointer = parentPointer(pointer)) {
      keep(within, pointer)
      if (pointer === '') break
    }
  }
  const broken = errors.find(({ file }) => documents.get(file)?.parsed.value === undefined)
  const unresolved = (place: Place) => (isReference(place.value) && !follow.next(place) ? broken : undefined)
  const around = (file: string, pointer: string): Finding | undefined => {
    for (let above = pointer; ; above = parentPointer(above)) {
      const error = at.get(toPlaceKey({ file, pointer: above }))
      if (error || above === '') return error
    }
  }
  const reached = new Map<string, { readonly error: Finding | undefined; readonly targets: readonly Place[] }>()
  const read = (place: Place) => {
    const key = toPlaceKey(place)
    let node = reached.get(key)
    if (!node) {
      const targets: Place[] = []
      let error = within.get(key) ?? around(place.file, place.pointer)
      if (!error) {
        for (const reference of listReferences(place)) {
          const target = follow.next(reference)
          if (target) targets.push(target)
          else error ??= unresolved(reference)
        }
      }
      node = { error, targets }
      reached.set(key, node)
    }
    return node
  }
  /** Results for a location with everything it reaches. */
  const settled = new Map<string, Finding | undefined>()
  const find = (places: readonly Place[]): Finding | undefined => {
    const seen = new Set<string>()
    const open = [...places]
    let found: Finding | undefined
    for (let place = open.pop(); place && !found; place = open.pop()) {
      const key = toPlaceKey(place)
      if (seen.has(key)) continue
      seen.add(key)
      if (settled.has(key)) {
        found = settled.get(key)
        continue
      }
      const { error, targets } = read(place)
      found = error
      open.push(...targets)
    }
    // If no error was found, this applies to every location on the way.
    if (!found) for (const key of seen) settled.set(key, undefined)
    else for (const only of places.length === 1 ? places : []) settled.set(toPlaceKey(only), found)
    return found
  }
  return Object.assign(find, { exactly: (place: Place) => at.get(toPlaceKey(place)), unresolved })
}

/** Lists every `$ref` in a value as a location for `follow`. */
function listReferences(place: Place): Place[] {
  const found: Place[] = []
  const open = [place]
  for (let next = open.pop(); next; next = open.pop()) {
    const { file, pointer, value } = next
    if (Array.isArray(value)) for (const index of value.keys()) open.push(childPlace(next, index))
    if (!isObject(value)) continue
    if (isReference(value)) found.push(next)
    const dynamic = value['$dynamicRef']
    if (typeof dynamic === 'string') found.push({ file, pointer, value: { $ref: dynamic } })
    for (const key of Object.keys(value)) open.push({ file, pointer: pointerChild(pointer, key), value: value[key] })
  }
  return found
}

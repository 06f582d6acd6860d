import { isObject, type JsonObject, type Place, pointerChild, readOwn, stringOf } from '../../text/json/json-values.ts'
import { spendNodes, startBudget } from '../../text/plain/limits.ts'
import { getOrMake, lazy } from '../../text/plain/lists.ts'
import { childPlace, type FollowReference, findSchemas } from '../references/follow-reference.ts'
import type {
  Description,
  MintExtension,
  NamedSchema,
  OpenApiRelease,
  Operation,
  OperationFields,
  Tag,
  TagGroup,
  Webhook,
} from '../types.ts'
import { isMistypedReference, type WalkedDocument } from '../walk.ts'
import { readLabels, toExternalDocs } from './titles.ts'

/** The methods of a Path Item Object in page order. Source: OpenAPI 3.2.0, "Path Item Object". */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const

/** An entry of `paths` or `webhooks`. */
export interface PathItemEntry {
  readonly name: string
  /** The location of the entry, then the target of its `$ref`, and so on. */
  readonly places: readonly Place[]
  /** Whether the target is left out, because too many entries refer to the operations of a few path items. */
  readonly isShortened?: boolean
}

/** An operation with its context for checks. */
export interface CollectedOperation {
  readonly fields: Omit<OperationFields, 'parameters'>
  /** Its entry of `paths` or `webhooks`. */
  readonly entry: PathItemEntry
  /** The path item that has the operation. */
  readonly pathItem: Place
  /** The operation itself, its `$ref` followed. */
  readonly operation: Place
}

/** Lists the entries of `paths` (those that begin with `/`) or `webhooks` in document order. */
export function collectPathItems(
  root: Place,
  field: 'paths' | 'webhooks' | 'x-webhooks',
  follow: FollowReference,
): PathItemEntry[] {
  const entries = follow.end(childPlace(root, field))
  if (!isObject(entries.value)) return []
  const budget = startBudget('repeated')
  const seen = new Set<unknown>()
  return Object.keys(entries.value)
    .filter((name) => field !== 'paths' || name.startsWith('/'))
    .map((name) => {
      const places = follow.chain(childPlace(entries, name))
      const target = places.length > 1 ? places.at(-1)?.value : undefined
      const isShortened = seen.has(target) && !spendNodes(budget, countPathItem(target))
      if (target !== undefined) seen.add(target)
      return { name, places: isShortened ? places.slice(0, 1) : places, isShortened }
    })
}

/** Each operation has the parameters of all. */
function countPathItem(pathItem: unknown): number {
  const operations = countOf(pathItem) + countOf(readOwn(pathItem, 'additionalOperations'))
  return countRepeated(pathItem, operations) + operations * countNodes(readOwn(pathItem, 'parameters'))
}

/** What a path item or callback with a number of operations costs each time that it is shown: an operation as much as 30 objects. */
export function countRepeated(value: unknown, operations = countOf(value)): number {
  return 30 * operations + countNodes(value)
}

const countOf = (value: unknown) => Object.keys(Object(value)).length

const counts = new WeakMap<object, number>()

/** The objects and lists in a value, at all levels. */
function countNodes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  // Aliases of YAML can repeat a value any number of times.
  const count = counts.get(value) ?? Object.values(value).reduce<number>((sum, one) => sum + countNodes(one), 1)
  counts.set(value, count)
  return count
}

/**
 * Lists the operations of an entry in page order: in the order of `methods`, then additional methods in document order.
 *
 * Fields next to the `$ref` of a path item override those of its target. Source: OpenAPI 3.2.0, "Path Item Object".
 */
export function collectOperations(entry: PathItemEntry, follow: FollowReference): CollectedOperation[] {
  const { places } = entry
  const found: CollectedOperation[] = []
  const add = (pathItem: Place, place: Place, method: string) => {
    const operation = follow.end(place)
    if (isObject(operation.value)) {
      const fields = toOperationFields(method, operation, operation.value, pathItem.value)
      found.push({ fields, entry, pathItem, operation })
    }
  }
  // Iterate over the existing fields: a path item has few of the many methods.
  const byMethod: (Place | undefined)[] = methods.map(() => undefined)
  const withAdditional: Place[] = []
  for (const pathItem of places) {
    if (!isObject(pathItem.value)) continue
    for (const field of Object.keys(pathItem.value)) {
      const rank = (methods as readonly string[]).indexOf(field) // A field name can be any string.
      if (rank !== -1) byMethod[rank] ??= pathItem
      else if (field === 'additionalOperations') withAdditional.push(pathItem)
    }
  }
  methods.forEach((method, rank) => {
    const pathItem = byMethod[rank]
    if (pathItem) add(pathItem, childPlace(pathItem, method), method)
  })
  const seen = new Set<string>()
  for (const pathItem of withAdditional) {
    const additional = childPlace(pathItem, 'additionalOperations')
    if (!isObject(additional.value)) continue
    for (const method of Object.keys(additional.value)) {
      if (!seen.has(method)) add(pathItem, childPlace(additional, method), method)
      seen.add(method)
    }
  }
  return found
}

/** Lists the operations in callbacks of operations, and in callbacks of those, each once. */
export function collectCallbackOperations(
  operations: readonly CollectedOperation[],
  follow: FollowReference,
): CollectedOperation[] {
  const found: CollectedOperation[] = []
  const seen = new Set<unknown>()
  const addAll = (from: readonly CollectedOperation[]) => {
    for (const { operation } of from) {
      if (!isObject(operation.value) || operation.value['callbacks'] === undefined || seen.has(operation.value)) continue
      seen.add(operation.value)
      const callbacks = follow.end(childPlace(operation, 'callbacks'))
      if (!isObject(callbacks.value)) continue
      for (const name of Object.keys(callbacks.value)) {
        const callback = follow.end(childPlace(callbacks, name))
        if (!isObject(callback.value) || seen.has(callback.value)) continue
        seen.add(callback.value)
        for (const expression of Object.keys(callback.value)) {
          if (expression.startsWith('x-')) continue
          const entry = { name: expression, places: follow.chain(childPlace(callback, expression)) }
          found.push(...collectOperations(entry, follow))
        }
      }
    }
  }
  addAll(operations)
  // The list grows during the loop: callbacks of callbacks.
  for (let done = 0; done < found.length; ) {
    const next = found.slice(done)
    done = found.length
    addAll(next)
  }
  return found
}

function toOperationFields(
  method: string,
  { file, pointer }: Place,
  value: JsonObject,
  pathItem: unknown,
): CollectedOperation['fields'] {
  const tags = value['tags']
  const deprecated = value['deprecated']
  return {
    method,
    file,
    pointer,
    operationId: stringOf(value['operationId']),
    summary: stringOf(value['summary']),
    description: stringOf(value['description']),
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
    deprecated: typeof deprecated === 'boolean' ? deprecated : undefined,
    hidden: isSet(value['x-hidden']),
    excluded: isSet(value['x-excluded']),
    mint: toMintExtension(value['x-mint'], isObject(pathItem) ? pathItem['x-mint'] : undefined),
    labels: readLabels(value),
  }
}

/** Creates the data of an operation in a path. */
function toOperation(collected: CollectedOperation, listParameters: ListParameters): Operation {
  const { fields, entry } = collected
  return { ...fields, parameters: nameParameters(collected, listParameters), pathTemplate: entry.name }
}

const noNames: readonly string[] = []

/** Path parameters are omitted, because the template already contains their names. */
function nameParameters({ pathItem, operation }: CollectedOperation, listParameters: ListParameters): readonly string[] {
  const names = new Set<string>()
  for (const owner of [pathItem, operation]) {
    for (const { name, location } of listParameters(owner)) if (name !== undefined && location !== 'path') names.add(name)
  }
  return names.size === 0 ? noNames : [...names].sort()
}

/** Creates one webhook from its operations. A hidden webhook hides all its methods. */
function toWebhook(
  { name, places }: PathItemEntry,
  operations: readonly CollectedOperation[],
  listParameters: ListParameters,
): Webhook {
  const isMarked = (key: string) => places.some(({ value }) => isObject(value) && isSet(readOwn(value, key)))
  const hidden = isMarked('x-hidden')
  const excluded = isMarked('x-excluded')
  const merge = (collected: CollectedOperation) => ({
    ...collected.fields,
    parameters: nameParameters(collected, listParameters),
    hidden: hidden || collected.fields.hidden,
    excluded: excluded || collected.fields.excluded,
  })
  return { name, operations: operations.map(merge) }
}

/** One entry of a `parameters` list, with references followed. */
export interface ListedParameter {
  /** The operation or path item that has the list. */
  readonly owner: Place
  readonly index: number
  /** Absent if the parameter is unknown or has no name. */
  readonly name: string | undefined
  /** The value of `in`, valid or not. */
  readonly location: string | undefined
  /** The parameter, with its `$ref` followed. Without a `$ref` its pointer is empty: see `parameterPointer`. */
  readonly place: Place
  /** Whether the reference could not be followed. */
  readonly unknown: boolean
}

/** Lists the `parameters` of an operation or path item. */
export type ListParameters = (owner: Place) => readonly ListedParameter[]

/** The fields of a parameter. */
type ReadParameter = Pick<ListedParameter, 'name' | 'location' | 'unknown'>

/** Creates a function that reads each list and each parameter only once, no matter how many checks and lists use them. */
export function toListParameters(follow: FollowReference): ListParameters {
  const lists = new Map<unknown, readonly ListedParameter[]>()
  const parameters = new Map<unknown, ReadParameter>()
  const read = (value: unknown) => getOrMake(parameters, value, () => readParameter(value))
  return (owner) => {
    const list = isObject(owner.value) ? owner.value['parameters'] : undefined
    if (!Array.isArray(list) || list.length === 0) return none
    let listed = lists.get(list)
    if (!listed) {
      listed = list.map((entry: unknown, index) => {
        const place = follow.end({ file: owner.file, pointer: '', value: entry })
        const { name, location, unknown } = read(place.value)
        return { owner, index, name, location, place, unknown }
      })
      lists.set(list, listed)
    }
    return listed
  }
}

/** The location of a list entry, which is the parameter or a reference to it. */
export function parameterPointer({ owner, index }: ListedParameter): string {
  return `${owner.pointer}/parameters/${index}`
}

const none: readonly ListedParameter[] = []

function readParameter(value: unknown): ReadParameter {
  if (!isObject(value)) return { name: undefined, location: undefined, unknown: true }
  const name = value['name']
  const location = value['in']
  return {
    name: typeof name === 'string' ? name : undefined,
    location: typeof location === 'string' ? location : undefined,
    unknown: typeof value['$ref'] === 'string' || hasMistypedReference(value),
  }
}

function hasMistypedReference(value: JsonObject): boolean {
  for (const key in value) if (isMistypedReference(key, value[key])) return true
  return false
}

/** Whether a flag such as `x-hidden` is set: any value except `false` and `null`. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false
}

/** Reads `x-mint`. `around` is the one of the path item. */
function toMintExtension(value: unknown, around: unknown): MintExtension | undefined {
  // Fast path: few descriptions use it, and large ones have thousands of operations.
  if (!isObject(value) && !isObject(around)) return undefined
  const groups = [...new Set([...toGroups(around), ...toGroups(value)])]
  if (!isObject(value) && groups.length === 0) return undefined
  const { metadata, content, href } = isObject(value) ? value : {}
  return {
    metadata: isObject(metadata) ? metadata : undefined,
    content: stringOf(content),
    href: stringOf(href),
    groups: groups.length === 0 ? undefined : groups,
  }
}

function toGroups(value: unknown): string[] {
  const groups = isObject(value) ? value['groups'] : undefined
  return Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : []
}

/** The parts of a `DescriptionCheck` with its webhooks. */
interface CheckedParts {
  readonly description: Description | undefined
  readonly documents: ReadonlyMap<string, WalkedDocument>
  readonly follow: FollowReference | undefined
}

/**
 * Lists the entries of `x-webhooks`, which OpenAPI 3.0 descriptions use in place of `webhooks`, unless `webhooks` has the same name.
 * They are not checked, because OpenAPI does not define this field. Entries without a tag get the tag `Webhooks`. A summary that is too
 * long for a title becomes part of the description.
 */
export function collectExtensionWebhooks({ description, documents, follow }: CheckedParts): Webhook[] {
  const value = description && documents.get(description.entryPath)?.parsed.value
  if (!description || !follow) return []
  const known = new Set(description.webhooks.map(({ name }) => name))
  const listParameters = toListParameters(follow)
  const entries = collectPathItems({ file: description.entryPath, pointer: '', value }, 'x-webhooks', follow)
  return entries
    .filter(({ name }) => !known.has(name))
    .map((entry) => {
      const webhook = toWebhook(entry, collectOperations(entry, follow), listParameters)
      return { ...webhook, operations: webhook.operations.map(withTitle).map(withTag) }
    })
}

/** What pages of a description are about, as bindings write it, and each `operationId` after `#`. */
export function listTargets(check: CheckedParts): Set<string> {
  const { operations = [], webhooks = [], schemas = [] } = check.description ?? {}
  const named = [...webhooks, ...collectExtensionWebhooks(check)].filter((one) => one.operations.length > 0)
  return new Set([
    ...operations.flatMap((one) => [`${one.method.toUpperCase()} ${one.pathTemplate}`, `#${one.operationId ?? ''}`]),
    ...named.map(({ name }) => `webhook ${name}`),
    ...schemas.map(({ name }) => name),
  ])
}

/** Longest summary that can serve as a title, in UTF-16 units. */
const maxTitleLength = 100

function withTitle(operation: OperationFields): OperationFields {
  const { summary, description } = operation
  if (summary === undefined || (summary.length <= maxTitleLength && !summary.trim().includes('\n'))) return operation
  const texts = [description, summary].filter((text) => text !== undefined && text.trim() !== '')
  return { ...operation, summary: undefined, description: texts.join('\n\n') }
}

function withTag(operation: OperationFields): OperationFields {
  return operation.tags.length > 0 ? operation : { ...operation, tags: ['Webhooks'] }
}

/** The results of a check from which a description is created. */
interface DescriptionParts {
  readonly release: OpenApiRelease
  readonly version: string
  /** The entry document. */
  readonly root: Place
  readonly operations: readonly CollectedOperation[]
  readonly webhooks: readonly { readonly entry: PathItemEntry; readonly operations: readonly CollectedOperation[] }[]
  readonly follow: FollowReference
  readonly listParameters: ListParameters
}

/** Creates the description. Its lists are created on first access, because a check without pages needs none of them. */
export function toDescription(parts: DescriptionParts): Description {
  const { release, version, root, follow, listParameters } = parts
  const title = childPlace(follow.end(childPlace(root, 'info')), 'title').value
  const operations = lazy(() => parts.operations.map((operation) => toOperation(operation, listParameters)))
  const webhooks = lazy(() => parts.webhooks.map((webhook) => toWebhook(webhook.entry, webhook.operations, listParameters)))
  const tags = lazy(() => collectTags(root, release))
  const tagGroups = lazy(() => collectTagGroups(root))
  const schemas = lazy(() => collectSchemas(root, follow))
  return {
    entryPath: root.file,
    release,
    version,
    title: typeof title === 'string' ? title : '',
    get operations() {
      return operations()
    },
    get webhooks() {
      return webhooks()
    },
    get tags() {
      return tags()
    },
    get tagGroups() {
      return tagGroups()
    },
    get schemas() {
      return schemas()
    },
  }
}

/** The names of the schemas that `collectSchemas` lists. */
export function listSchemaNames(root: Place, follow: FollowReference): string[] {
  const { value } = findSchemas(root, follow)
  return isObject(value) ? Object.keys(value) : []
}

/**
 * Lists the entries of `components.schemas` of the entry document, in its order. Fields next to a `$ref` override those of its target.
 */
function collectSchemas(root: Place, follow: FollowReference): NamedSchema[] {
  const schemas = findSchemas(root, follow)
  return listSchemaNames(root, follow).map((name) => toNamedSchema(name, followAlias(childPlace(schemas, name), follow)))
}

/** Longest chain of references that is followed for a title, so that cyclic components cost no time. */
const maxAliases = 8

function followAlias(schema: Place, follow: FollowReference): Place[] {
  const places = [schema]
  for (let next = follow.next(schema); next && places.length < maxAliases; next = follow.next(next)) places.push(next)
  return places
}

function toNamedSchema(name: string, places: readonly Place[]): NamedSchema {
  // A component that is only a reference keeps its own name, not the title of its target.
  const own = places.filter((place, index) => index === 0 || place.file !== places[0]?.file)
  const find = (key: string) =>
    (key === 'title' ? own : places).find(({ value }) => isObject(value) && readOwn(value, key) !== undefined)
  const read = (key: string) => {
    const value = find(key)?.value
    return isObject(value) ? readOwn(value, key) : undefined
  }
  const { file, pointer } = find('x-mint') ?? places[0] ?? { file: '', pointer: '' }
  return {
    name,
    file,
    pointer,
    title: stringOf(read('title')),
    description: stringOf(read('description')),
    deprecated: read('deprecated') === true || undefined,
    hidden: isSet(read('x-hidden')),
    excluded: isSet(read('x-excluded')),
    mint: toMintExtension(read('x-mint'), undefined),
  }
}

/** Lists the elements of `x-tagGroups` that have a name. Source: Redocly, "x-tagGroups". */
function collectTagGroups(root: Place): TagGroup[] {
  const groups = childPlace(root, 'x-tagGroups').value
  return (Array.isArray(groups) ? groups : []).flatMap((group: unknown): TagGroup[] => {
    const name = isObject(group) ? stringOf(group['name'])?.trim() : undefined
    const tags: readonly unknown[] = isObject(group) && Array.isArray(group['tags']) ? group['tags'] : []
    return name ? [{ name, tags: tags.filter((tag) => typeof tag === 'string') }] : []
  })
}

/** Lists the `tags` of the entry document that have a name. `summary`, `kind` and `parent` exist since OpenAPI 3.2. */
export function collectTags(root: Place, release: OpenApiRelease): Tag[] {
  const tags = childPlace(root, 'tags')
  if (!Array.isArray(tags.value)) return []
  return tags.value.flatMap((tag: unknown, index): Tag[] => {
    const name = isObject(tag) ? stringOf(tag['name']) : undefined
    if (!isObject(tag) || name === undefined) return []
    const { description, externalDocs, summary, kind, parent, 'x-group': group, 'x-displayName': displayName } = tag
    return [
      {
        name,
        group: stringOf(group) ?? (release === '3.2' ? stringOf(summary) : undefined),
        displayName: stringOf(displayName),
        kind: release === '3.2' ? stringOf(kind) : undefined,
        parent: release === '3.2' ? stringOf(parent) : undefined,
        description: stringOf(description),
        externalDocs: toExternalDocs(externalDocs),
        file: tags.file,
        pointer: pointerChild(tags.pointer, index),
      },
    ]
  })
}

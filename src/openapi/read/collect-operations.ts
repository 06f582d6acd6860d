import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isObject, type JsonObject, listOf, type Place, readOwn, readText, stringOf } from '../../text/json/json-values.ts'
import { spendNodes, startBudget } from '../../text/plain/limits.ts'
import { getOrMake, lazy } from '../../text/plain/lists.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import {
  childPlace,
  type FollowReference,
  findSchemas,
  isReference,
  listPlaces,
  mapPlaces,
} from '../references/follow-reference.ts'
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
import type { WalkedDocument } from '../walk.ts'
import { readExternalDocs, readLabels } from './titles.ts'

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
  const budget = startBudget('repeated')
  const seen = new Set<unknown>()
  return mapPlaces(follow.end(childPlace(root, field)), undefined)
    .filter(({ name }) => field !== 'paths' || name.startsWith('/'))
    .map(({ name, place }) => {
      const places = follow.chain(place)
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
  const collected: CollectedOperation[] = []
  const collect = (method: string, pathItem: Place, place: Place) => {
    const operation = follow.end(place)
    if (!isObject(operation.value)) return
    collected.push({ fields: toOperationFields(method, operation, operation.value, pathItem.value), entry, pathItem, operation })
  }
  for (const method of methods) {
    const pathItem = findHolder(entry.places, method)
    if (pathItem) collect(method, pathItem, childPlace(pathItem, method))
  }
  if (!findHolder(entry.places, 'additionalOperations')) return collected
  const additional = new Set<string>()
  for (const pathItem of entry.places) {
    for (const { name, place } of mapPlaces(pathItem, 'additionalOperations')) {
      if (!additional.has(name)) collect(name, pathItem, place)
      additional.add(name)
    }
  }
  return collected
}

/** The first path item that has a field. */
function findHolder(places: readonly Place[], field: string): Place | undefined {
  for (let index = 0; index < places.length; index++) if (readOwn(places[index]?.value, field) !== undefined) return places[index]
  return undefined
}

function toOperationFields(
  method: string,
  { file, pointer }: Place,
  value: JsonObject,
  pathItem: unknown,
): CollectedOperation['fields'] {
  const { deprecated } = value
  const written = Object.keys(Object(pathItem))
  return {
    method,
    position: written.indexOf(written.includes(method) ? method : 'additionalOperations'),
    file,
    pointer,
    operationId: readText(value, 'operationId'),
    summary: readText(value, 'summary'),
    description: readText(value, 'description'),
    tags: textsOf(value['tags']),
    deprecated: typeof deprecated === 'boolean' ? deprecated : undefined,
    hidden: isSet(value['x-hidden']),
    excluded: isSet(value['x-excluded']),
    mint: toMintExtension(value['x-mint'], readOwn(pathItem, 'x-mint')),
    labels: readLabels(value),
  }
}

function textsOf(list: unknown): string[] {
  return listOf(list).filter((one) => typeof one === 'string')
}

/** Creates the data of an operation in a path. */
function toOperation(collected: CollectedOperation, listParameters: ListParameters): Operation {
  const { fields, entry } = collected
  return { ...fields, parameters: nameParameters(collected, listParameters), pathTemplate: entry.name }
}

/** Path parameters are omitted, because the template already contains their names. */
function nameParameters({ pathItem, operation }: CollectedOperation, listParameters: ListParameters): readonly string[] {
  const [around, own] = [namesOf(listParameters(pathItem)), namesOf(listParameters(operation))]
  return own.length === 0 ? around : [...new Set([...around, ...own])].sort()
}

/** Those of each list, because all operations of a path share one. */
const listedNames = new WeakMap<readonly ListedParameter[], readonly string[]>()

function namesOf(list: readonly ListedParameter[]): readonly string[] {
  return getOrMake(listedNames, list, () => {
    const names = list.flatMap(({ name, location }) => (name === undefined || location === 'path' ? [] : name))
    return [...new Set(names)].sort()
  })
}

/** Creates one webhook from its operations. A hidden webhook hides all its methods. */
function toWebhook(
  { name, places }: PathItemEntry,
  operations: readonly CollectedOperation[],
  listParameters: ListParameters,
): Webhook {
  const isMarked = (key: string) => places.some(({ value }) => isSet(readOwn(value, key)))
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

/** One entry of a `parameters` list. */
export interface ListedParameter {
  /** The parameter, or a reference to it. */
  readonly entry: Place
  readonly place: Place
  readonly name: string | undefined
  /** The value of `in`, valid or not. */
  readonly location: string | undefined
  /** Whether its reference cannot be followed. A misspelled one has neither a name nor a location. */
  readonly unknown: boolean
}

/** Lists the `parameters` of an operation or path item. */
export type ListParameters = (owner: Place) => readonly ListedParameter[]

/** Creates a function that reads each list only once, no matter how many checks use it. */
export function toListParameters(follow: FollowReference): ListParameters {
  const lists = new Map<unknown, readonly ListedParameter[]>()
  return (owner) => getOrMake(lists, owner.value, () => listPlaces(owner, 'parameters').map(readParameter))

  function readParameter(entry: Place): ListedParameter {
    const place = follow.end(entry)
    const name = readText(place.value, 'name')
    const location = readText(place.value, 'in')
    return { entry, place, name, location, unknown: isReference(place.value) || (name === undefined && location === undefined) }
  }
}

/** Whether a flag such as `x-hidden` is set: any value except `false` and `null`. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false
}

/** Reads `x-mint`. `around` is the one of the path item. */
function toMintExtension(value: unknown, around: unknown): MintExtension | undefined {
  if (value === undefined && around === undefined) return undefined
  const groups = [...new Set([around, value].flatMap((one) => textsOf(readOwn(one, 'groups'))))]
  if (!isObject(value) && groups.length === 0) return undefined
  const metadata = readOwn(value, 'metadata')
  return {
    metadata: isObject(metadata) ? metadata : undefined,
    content: readText(value, 'content'),
    href: readText(value, 'href'),
    groups: groups.length === 0 ? undefined : groups,
  }
}

/** A description that was checked, with its files. */
export interface CheckedDescription {
  /** The description. Invalid documents have a partial description, or none. */
  readonly description: Description | undefined
  /** In no particular order: `finishDiagnostics` sorts them. */
  readonly findings: readonly Finding[]
  /** All files that were read, by path. */
  readonly sources: ReadonlyMap<string, SourceFile>
  /** All parsed files by path, with the targets of their references. */
  readonly documents: ReadonlyMap<string, WalkedDocument>
  /** The Overlay documents that apply to the entry document, in order. They are also in `sources`. */
  readonly overlays: readonly string[]
  /** Follows a `$ref` of the description. Absent if there is no description. */
  readonly follow: FollowReference | undefined
}

/** The parts of a description with its webhooks. */
type CheckedParts = Pick<CheckedDescription, 'description' | 'documents' | 'follow'>

/**
 * Lists the entries of `x-webhooks`, which OpenAPI 3.0 descriptions use in place of `webhooks`, unless `webhooks` has the same name.
 * They are not checked, because OpenAPI does not define this field. Entries without a tag get the tag `Webhooks`. A summary that is too
 * long for a title becomes part of the description.
 */
export function collectExtensionWebhooks({ description, documents, follow }: CheckedParts): Webhook[] {
  const value = description && documents.get(description.entryPath)?.parsed.value
  if (!description || !follow) return []
  const entries = collectPathItems({ file: description.entryPath, pointer: '', value }, 'x-webhooks', follow)
  // Most documents have none, and every check counts them.
  if (entries.length === 0) return []
  const known = new Set(description.webhooks.map(({ name }) => name))
  const listParameters = toListParameters(follow)
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

/** Creates the description. */
export function toDescription({ release, version, root, follow, listParameters, ...parts }: DescriptionParts): Description {
  const operations = lazy(() => parts.operations.map((operation) => toOperation(operation, listParameters)))
  const webhooks = lazy(() => parts.webhooks.map((webhook) => toWebhook(webhook.entry, webhook.operations, listParameters)))
  const schemas = lazy(() =>
    mapPlaces(findSchemas(root, follow), undefined).map(({ name, place }) => toNamedSchema(name, follow.chain(place), follow)),
  )
  return {
    entryPath: root.file,
    release,
    version,
    title: readText(follow.end(childPlace(root, 'info')).value, 'title') ?? '',
    tags: collectTags(root, release),
    tagGroups: collectTagGroups(root),
    // A check that makes no pages reads none of these lists.
    get operations() {
      return operations()
    },
    get webhooks() {
      return webhooks()
    },
    get schemas() {
      return schemas()
    },
  }
}

/** Fields next to the `$ref` of a schema override those of its target. Extensions are read in every version, because they are not of OpenAPI. */
function toNamedSchema(name: string, places: readonly Place[], follow: FollowReference): NamedSchema {
  // A component that is only a reference keeps its own name, not the title of its target.
  const isOwn = ({ file }: Place, index: number) => index === 0 || file !== places[0]?.file
  const find = (key: string) =>
    places.find((place, index) => {
      if (key === 'title' && !isOwn(place, index)) return false
      return readOwn(place.value, key) !== undefined && (key.startsWith('x-') || follow.counts(place))
    })
  const read = (key: string) => readOwn(find(key)?.value, key)
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
  return listPlaces(root, 'x-tagGroups').flatMap(({ value }): TagGroup[] => {
    const name = readText(value, 'name')?.trim()
    return name ? [{ name, tags: textsOf(readOwn(value, 'tags')) }] : []
  })
}

/** Lists the `tags` of the entry document that have a name. `summary`, `kind` and `parent` exist since OpenAPI 3.2. */
export function collectTags(root: Place, release: OpenApiRelease): Tag[] {
  return listPlaces(root, 'tags').flatMap(({ file, pointer, value }): Tag[] => {
    const name = readText(value, 'name')
    const readNew = (key: string) => (release === '3.2' ? readText(value, key) : undefined)
    if (name === undefined) return []
    return [
      {
        name,
        group: readText(value, 'x-group') ?? readNew('summary'),
        displayName: readText(value, 'x-displayName'),
        kind: readNew('kind'),
        parent: readNew('parent'),
        description: readText(value, 'description'),
        externalDocs: readExternalDocs(value),
        file,
        pointer,
      },
    ]
  })
}

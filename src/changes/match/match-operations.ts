import {
  type CollectedOperation,
  collectOperations,
  collectPathItems,
  type PathItemEntry,
} from '../../openapi/read/collect-operations.ts'
import { childPlace, isReference } from '../../openapi/references/follow-reference.ts'
import { equalJson } from '../../openapi/schema/json-schema.ts'
import { addTo } from '../../text/plain/lists.ts'
import { type ChangedOperation, type ComparableDescription, toChangedKey, toPathShape } from '../change.ts'
import { findBasePath, findOwnServers, findServers, joinUrl, listBasePaths, toReadServers } from './effective-urls.ts'

/** An operation of one description, or of both. */
export interface MatchedOperation {
  /** In the spelling of the base. */
  readonly operation: ChangedOperation
  readonly base: CollectedOperation | undefined
  readonly revision: CollectedOperation | undefined
  /** Whether the API sends the request: webhooks. */
  readonly isWebhook: boolean
  /** The beginning of the path in one description, which belongs to the servers in the other. The URLs are the same. */
  readonly basePath?: BasePath | undefined
  /** Whether the paths differ only in a prefix that is ignored. */
  readonly hasIgnoredPrefix?: boolean
  /** Whether the path has a reference in the other description that cannot be resolved, so it may have the operation too. */
  readonly isUnknown?: true
}

/** Such as `/v1`. It can have parameters. */
export interface BasePath {
  readonly side: 'base' | 'revision'
  readonly text: string
}

/** An operation of both descriptions. */
export interface OperationPair extends Pick<MatchedOperation, 'basePath'> {
  readonly base: CollectedOperation
  readonly revision: CollectedOperation
}

/** The operations of a description by method and path without the names of parameters. Several with the same are an error, or have an ignored prefix. */
type OperationGroups = ReadonlyMap<string, readonly CollectedOperation[]>

/** The operations of a description by key. Those that belong together have the same key in both descriptions. */
type OperationIndex = Map<string, CollectedOperation>

/** Key in the base → key in the revision. */
type MatchedKeys = Map<string, string>

interface Operations {
  readonly groups: OperationGroups
  /** The shapes of paths with a reference that cannot be resolved, so their operations are unknown. */
  readonly unknown: ReadonlySet<string>
}

/**
 * Matches the operations of two descriptions: by the path of their URLs without the names of parameters, then by `operationId`, then by
 * similarity.
 *
 * In the order of the base, then that of the revision.
 */
export function matchOperations(
  base: ComparableDescription,
  revision: ComparableDescription,
  ignoredPrefixes: readonly string[] = [],
): MatchedOperation[] {
  return matchAllOperations(base, revision, ignoredPrefixes).filter(({ isUnknown }) => !isUnknown)
}

/** Matches operations, and lists those that cannot be compared because of a reference in their path. */
export function matchAllOperations(
  base: ComparableDescription,
  revision: ComparableDescription,
  ignoredPrefixes: readonly string[] = [],
): MatchedOperation[] {
  return [...matchField('paths', base, revision, ignoredPrefixes), ...matchField('webhooks', base, revision, [])]
}

function matchField(
  field: 'paths' | 'webhooks',
  base: ComparableDescription,
  revision: ComparableDescription,
  ignoredPrefixes: readonly string[],
): MatchedOperation[] {
  const shapeOf = (entry: PathItemEntry) => toShape(field, entry, ignoredPrefixes)
  const [from, to] = [readOperations(field, base, shapeOf), readOperations(field, revision, shapeOf)]
  const [before, after] = [toIndex(from.groups, to.groups), toIndex(to.groups, from.groups)]
  const listPaths = { base: toListPaths(base), revision: toListPaths(revision) }
  const keys = field === 'paths' ? matchKeys(before, after, { base, revision }, listPaths) : matchSameKeys(before, after)
  const taken = new Set(keys.values())
  const isWebhook = field === 'webhooks'
  // The paths of the base by shape, so that an operation that was added to a path has its spelling.
  const spellings = new Map([...before.values()].map(({ entry }) => [toPathShape(entry.name), entry.name]))
  const known = new Set([...before.values()].map((collected) => toChangedKey(toChangedOperation(collected, isWebhook))))
  const matched = [...before].flatMap(([key, collected]): MatchedOperation[] => {
    const other = after.get(keys.get(key) ?? '')
    const operation = toChangedOperation(collected, isWebhook)
    if (!other && to.unknown.has(shapeOf(collected.entry)))
      return [{ operation, base: collected, revision: other, isWebhook, isUnknown: true }]
    const basePath = other && !isWebhook ? readBasePath(collected, other, listPaths) : undefined
    const isIgnored = ignoredPrefixes.length > 0 && other !== undefined && shapeOf(collected.entry) === shapeOf(other.entry)
    return [{ operation, base: collected, revision: other, isWebhook, basePath, ...(isIgnored && { hasIgnoredPrefix: true }) }]
  })
  for (const [key, collected] of after) {
    if (taken.has(key)) continue
    const isUnknown = from.unknown.has(shapeOf(collected.entry))
    const operation = toChangedOperation(collected, isWebhook)
    const spelling = isWebhook ? undefined : spellings.get(toPathShape(operation.path))
    const isOther = spelling === undefined || known.has(toChangedKey({ ...operation, path: spelling }))
    const path = isOther ? operation.path : spelling
    matched.push({
      operation: { ...operation, path },
      base: undefined,
      revision: collected,
      isWebhook,
      ...(isUnknown && { isUnknown }),
    })
  }
  return matched
}

function readOperations(
  field: 'paths' | 'webhooks',
  { root, release, follow }: ComparableDescription,
  shapeOf: (entry: PathItemEntry) => string,
): Operations {
  const groups = new Map<string, CollectedOperation[]>()
  const unknown = new Set<string>()
  if (field === 'webhooks' && release === '3.0') return { groups, unknown }
  for (const entry of collectPathItems(root, field, follow)) {
    const shape = shapeOf(entry)
    if (isReference(entry.places.at(-1)?.value)) unknown.add(shape)
    for (const collected of collectOperations(entry, follow)) addTo(groups, `${collected.fields.method} ${shape}`, collected)
  }
  return { groups, unknown }
}

/** Operations with the same path in both descriptions belong together, then the others of a group in their order. */
function toIndex(groups: OperationGroups, others: OperationGroups): OperationIndex {
  const index: OperationIndex = new Map()
  for (const [key, group] of groups) {
    const names = new Set(others.get(key)?.map(({ entry }) => entry.name))
    let position = 0
    for (const collected of group) {
      const { name } = collected.entry
      index.set(names.has(name) ? `${key} ${name}` : `${key} ${position++}`, collected)
    }
  }
  return index
}

function toShape(field: 'paths' | 'webhooks', { name }: PathItemEntry, ignoredPrefixes: readonly string[]): string {
  if (field !== 'paths') return name
  const prefix = ignoredPrefixes.find((one) => name === one || name.startsWith(`${one}/`)) ?? ''
  return toPathShape(name.slice(prefix.length) || '/')
}

function toChangedOperation({ fields, entry }: CollectedOperation, isWebhook: boolean): ChangedOperation {
  return { method: fields.method, path: isWebhook ? `webhook:${entry.name}` : entry.name }
}

function matchSameKeys(before: OperationIndex, after: OperationIndex, keys: MatchedKeys = new Map()): MatchedKeys {
  const taken = new Set(keys.values())
  for (const key of before.keys()) if (!keys.has(key) && after.has(key) && !taken.has(key)) keys.set(key, key)
  return keys
}

/** The servers of both descriptions decide more than the paths. If one declares none, its URLs are only known relative to others. */
function matchKeys(before: OperationIndex, after: OperationIndex, sides: Sides, listPaths: BothListPaths): MatchedKeys {
  const keys: MatchedKeys = new Map()
  if (differInServers(before, after, sides)) {
    const declared = (index: OperationIndex, { declaresServers }: ListPaths) =>
      new Map([...index].filter(([, collected]) => declaresServers(collected)))
    matchUrlPaths(declared(before, listPaths.base), declared(after, listPaths.revision), listPaths, keys)
  }
  matchSameKeys(before, after, keys)
  const left = (): [OperationIndex, OperationIndex] => {
    const taken = new Set(keys.values())
    const remain = (index: OperationIndex, isTaken: (key: string) => boolean) =>
      new Map([...index].filter(([key]) => !isTaken(key)))
    return [remain(before, (key) => keys.has(key)), remain(after, (key) => taken.has(key))]
  }
  matchUrlPaths(...left(), listPaths, keys)
  matchMoved(...left(), keys)
  return keys
}

interface Sides {
  readonly base: ComparableDescription
  readonly revision: ComparableDescription
}

/** Lists the paths of the URLs of an operation. */
interface ListPaths {
  (operation: CollectedOperation): readonly string[]
  readonly declaresServers: (operation: CollectedOperation) => boolean
}

type BothListPaths = { readonly [side in keyof Sides]: ListPaths }

function toListPaths({ root }: ComparableDescription): ListPaths {
  const readServers = toReadServers()
  const known = new Map<unknown, readonly string[]>()
  const listPaths = (operation: CollectedOperation) => {
    const list = findServers(operation, root)
    const basePaths = known.get(list.value) ?? listBasePaths(readServers(list))
    known.set(list.value, basePaths)
    const shape = toPathShape(operation.entry.name)
    return basePaths.map((basePath) => joinUrl(basePath, shape))
  }
  const declaresServers = (operation: CollectedOperation) => readServers(findServers(operation, root)).length > 0
  return Object.assign(listPaths, { declaresServers })
}

/** Whether an operation can have another URL although its path is the same. */
function differInServers(before: OperationIndex, after: OperationIndex, { base, revision }: Sides): boolean {
  const hasOwn = (index: OperationIndex) => [...index.values()].some((operation) => findOwnServers(operation))
  const [from, to] = [childPlace(base.root, 'servers'), childPlace(revision.root, 'servers')]
  return !equalJson(from.value, to.value) || hasOwn(before) || hasOwn(after)
}

function matchUrlPaths(before: OperationIndex, after: OperationIndex, listPaths: BothListPaths, keys: MatchedKeys): void {
  if (before.size === 0 || after.size === 0) return
  const byPath = new Map<string, string[]>()
  for (const [key, operation] of after) {
    for (const path of listPaths.revision(operation)) addTo(byPath, `${operation.fields.method} ${path}`, key)
  }
  const found = [...before].map(([key, operation]) => {
    const { method } = operation.fields
    return { key, targets: listPaths.base(operation).flatMap((path) => byPath.get(`${method} ${path}`) ?? []) }
  })
  // Several operations can have the same URL. Those with the same path come first.
  const isSame = ({ key, targets }: (typeof found)[number]) => targets.includes(key)
  const taken = new Set<string>()
  for (const { key, targets } of [...found.filter(isSame), ...found.filter((one) => !isSame(one))]) {
    const target = targets.includes(key) ? key : targets.find((one) => !taken.has(one))
    if (target === undefined) continue
    keys.set(key, target)
    taken.add(target)
  }
}

function readBasePath(one: CollectedOperation, other: CollectedOperation, listPaths: BothListPaths): BasePath | undefined {
  const [path, newPath] = [one.entry.name, other.entry.name]
  if (one.fields.method !== other.fields.method || toPathShape(path) === toPathShape(newPath)) return undefined
  const paths = new Set(listPaths.base(one))
  if (!listPaths.revision(other).some((each) => paths.has(each))) return undefined
  const isLonger = newPath.split('/').length > path.split('/').length || path === '/'
  const text = isLonger ? findBasePath(newPath, path) : findBasePath(path, newPath)
  return text === '' ? undefined : { side: isLonger ? 'revision' : 'base', text }
}

/** Matches operations that exist in only one description. */
function matchMoved(before: OperationIndex, after: OperationIndex, moved: MatchedKeys): void {
  const added = [...after]
  if (added.length === 0) return
  // Several operations can have the same `operationId`, which is an error. Of these, the one with the same method is the same.
  const idsOf = ({ operationId, method }: CollectedOperation['fields']) =>
    operationId === undefined ? [] : [`${method} ${operationId}`, operationId]
  const byId = new Map(added.flatMap(([key, { fields }]) => idsOf(fields).map((id) => [id, key])))
  const left = new Map<string, CollectedOperation>()
  const taken = new Set<string>()
  for (const [key, collected] of before) {
    const targets = idsOf(collected.fields).map((id) => byId.get(id))
    const target = targets.find((other) => other !== undefined && !taken.has(other))
    if (target !== undefined) {
      moved.set(key, target)
      taken.add(target)
    } else left.set(key, collected)
  }
  matchSimilar(left, new Map(added.filter(([key]) => !taken.has(key))), moved)
}

/** Matches operations with the same method, summary, tags and last fixed segment, if exactly one of each description has them. */
function matchSimilar(before: OperationIndex, after: OperationIndex, moved: MatchedKeys): void {
  const candidates = listSimilar(after)
  for (const [trait, [key, ...others]] of listSimilar(before)) {
    const [target, ...more] = candidates.get(trait) ?? []
    if (key !== undefined && target !== undefined && others.length + more.length === 0) moved.set(key, target)
  }
}

function listSimilar(operations: OperationIndex): Map<string, string[]> {
  const keys = new Map<string, string[]>()
  for (const [key, { fields, entry }] of operations) {
    if (fields.summary === undefined) continue
    const lastWord = entry.name.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? ''
    const parameters = entry.name.split('{').length
    const trait = JSON.stringify([fields.method, fields.summary, fields.tags, lastWord, parameters])
    addTo(keys, trait, key)
  }
  return keys
}

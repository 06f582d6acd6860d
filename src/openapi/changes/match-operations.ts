import { type CollectedOperation, collectOperations, collectPathItems, type PathItemEntry } from '../collect-operations.ts'
import { isReference } from '../follow-reference.ts'
import type { ChangedOperation, ComparableDescription } from './types.ts'

/** An operation of one description, or of both. */
export interface MatchedOperation {
  /** In the spelling of the base. */
  readonly operation: ChangedOperation
  readonly base: CollectedOperation | undefined
  readonly revision: CollectedOperation | undefined
  /** Whether the API sends the request: webhooks. */
  readonly isWebhook: boolean
}

/** The operations of a description by key. Operations whose paths differ only in parameter names have the same key. */
type OperationIndex = Map<string, CollectedOperation>

interface Operations {
  readonly index: OperationIndex
  /** The shapes of paths with a reference that cannot be resolved, so their operations are unknown. */
  readonly unknown: ReadonlySet<string>
}

/**
 * Matches the operations of two descriptions: by path without the names of parameters, then by `operationId`, then by similarity.
 *
 * In the order of the base, then that of the revision.
 */
export function matchOperations(base: ComparableDescription, revision: ComparableDescription): MatchedOperation[] {
  return [...matchField('paths', base, revision), ...matchField('webhooks', base, revision)]
}

function matchField(
  field: 'paths' | 'webhooks',
  base: ComparableDescription,
  revision: ComparableDescription,
): MatchedOperation[] {
  const [from, to] = [readOperations(field, base), readOperations(field, revision)]
  const [before, after] = [from.index, to.index]
  const moved = field === 'paths' ? matchMoved(before, after) : new Map<string, string>()
  const taken = new Set(moved.values())
  const isWebhook = field === 'webhooks'
  // The paths of the base by shape, so that an operation that was added to a path has its spelling.
  const spellings = new Map([...before.values()].map(({ entry }) => [toPathShape(entry.name), entry.name]))
  const matched = [...before].flatMap(([key, collected]): MatchedOperation[] => {
    const other = after.get(key) ?? after.get(moved.get(key) ?? '')
    if (!other && to.unknown.has(toShape(field, collected.entry))) return []
    return [{ operation: toChangedOperation(collected, isWebhook), base: collected, revision: other, isWebhook }]
  })
  for (const [key, collected] of after) {
    if (before.has(key) || taken.has(key) || from.unknown.has(toShape(field, collected.entry))) continue
    const operation = toChangedOperation(collected, isWebhook)
    const path = isWebhook ? operation.path : (spellings.get(toPathShape(operation.path)) ?? operation.path)
    matched.push({ operation: { ...operation, path }, base: undefined, revision: collected, isWebhook })
  }
  return matched
}

function readOperations(field: 'paths' | 'webhooks', { root, release, follow }: ComparableDescription): Operations {
  const index: OperationIndex = new Map()
  const unknown = new Set<string>()
  if (field === 'webhooks' && release === '3.0') return { index, unknown }
  for (const entry of collectPathItems(root, field, follow)) {
    const shape = toShape(field, entry)
    if (isReference(entry.places.at(-1)?.value)) unknown.add(shape)
    for (const collected of collectOperations(entry, follow)) {
      const key = `${collected.fields.method} ${shape}`
      if (!index.has(key)) index.set(key, collected)
    }
  }
  return { index, unknown }
}

function toShape(field: 'paths' | 'webhooks', { name }: PathItemEntry): string {
  return field === 'paths' ? toPathShape(name) : name
}

/** A path without the names of its parameters. A trailing slash makes a difference. */
export function toPathShape(path: string): string {
  return path.replace(/\{[^{}]*\}/g, '{}')
}

function toChangedOperation({ fields, entry }: CollectedOperation, isWebhook: boolean): ChangedOperation {
  return { method: fields.method, path: isWebhook ? `webhook:${entry.name}` : entry.name }
}

/** Matches operations that exist in only one description: key in the base → key in the revision. */
function matchMoved(before: OperationIndex, after: OperationIndex): Map<string, string> {
  const moved = new Map<string, string>()
  const added = [...after].filter(([key]) => !before.has(key))
  if (added.length === 0) return moved
  const byId = new Map<string, string>()
  for (const [key, { fields }] of added) if (fields.operationId !== undefined) byId.set(fields.operationId, key)
  const left = new Map<string, CollectedOperation>()
  for (const [key, collected] of before) {
    if (after.has(key)) continue
    const { operationId } = collected.fields
    const target = operationId === undefined ? undefined : byId.get(operationId)
    if (operationId !== undefined && target !== undefined) {
      moved.set(key, target)
      byId.delete(operationId)
    } else left.set(key, collected)
  }
  const taken = new Set(moved.values())
  matchSimilar(left, new Map(added.filter(([key]) => !taken.has(key))), moved)
  return moved
}

/** Matches operations with the same method, summary, tags and last fixed segment, if exactly one of each description has them. */
function matchSimilar(before: OperationIndex, after: OperationIndex, moved: Map<string, string>): void {
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
    keys.set(trait, [...(keys.get(trait) ?? []), key])
  }
  return keys
}

/** Identifies an operation in one version of a description. */
export function toChangedKey({ method, path }: ChangedOperation): string {
  return `${method} ${path}`
}

import { isObject, type JsonObject, readKey } from '../text/is-object.ts'
import { pointerChild } from '../text/json-pointer.ts'
import type { ListParameters } from './checks/list-parameters.ts'
import type { FollowReference, Place } from './follow-reference.ts'
import { isSet, toMintExtension, toText } from './read-extensions.ts'
import type { Operation, OperationFields, Webhook } from './types.ts'

/** The methods of a Path Item Object in page order. Source: OpenAPI 3.2.0, "Path Item Object". */
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const

/** An entry of `paths` or `webhooks`. */
export interface PathItemEntry {
  readonly name: string
  /** Where the entry stands, then what its `$ref` leads to, and so on. */
  readonly places: readonly Place[]
}

/** An operation with what checks need beside it. */
export interface CollectedOperation {
  readonly fields: Omit<OperationFields, 'parameters'>
  /** The entry of `paths` or `webhooks` that it belongs to. */
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
  return Object.keys(entries.value)
    .filter((name) => field !== 'paths' || name.startsWith('/'))
    .map((name) => ({ name, places: follow.chain(childPlace(entries, name)) }))
}

/**
 * Lists the operations of an entry in page order: by method as in `methods`, then additional ones in document order.
 *
 * Fields beside the `$ref` of a path item win over those behind it. Source: OpenAPI 3.2.0, "Path Item Object".
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
  // To go through the few fields that a path item has takes less time than to ask for each that it could have.
  const byMethod: (Place | undefined)[] = methods.map(() => undefined)
  const withAdditional: Place[] = []
  for (const pathItem of places) {
    if (!isObject(pathItem.value)) continue
    for (const field of Object.keys(pathItem.value)) {
      const rank = (methods as readonly string[]).indexOf(field) // A field may be any text.
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

/** Lists the operations in the callbacks of operations, and in the callbacks of these, each once. */
export function collectCallbackOperations(
  operations: readonly CollectedOperation[],
  follow: FollowReference,
): CollectedOperation[] {
  const found: CollectedOperation[] = []
  const seen = new Set<unknown>()
  const addAll = (from: readonly CollectedOperation[]) => {
    for (const { operation } of from) {
      if (!isObject(operation.value) || readKey(operation.value, 'callbacks') === undefined || seen.has(operation.value)) continue
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
  // Grows while it is read: callbacks of callbacks.
  for (let done = 0; done < found.length; ) {
    const next = found.slice(done)
    done = found.length
    addAll(next)
  }
  return found
}

/** The place of a field; its value is `undefined` where the object does not have it. */
export function childPlace(parent: Place, key: string | number): Place {
  const pointer = pointerChild(parent.pointer, key)
  if (typeof key === 'number')
    return { file: parent.file, pointer, value: Array.isArray(parent.value) ? parent.value[key] : undefined }
  const value = isObject(parent.value) && Object.hasOwn(parent.value, key) ? parent.value[key] : undefined
  return { file: parent.file, pointer, value }
}

function toOperationFields(
  method: string,
  { file, pointer }: Place,
  value: JsonObject,
  pathItem: unknown,
): CollectedOperation['fields'] {
  const tags = readKey(value, 'tags')
  const deprecated = readKey(value, 'deprecated')
  return {
    method,
    file,
    pointer,
    operationId: toText(readKey(value, 'operationId')),
    summary: toText(readKey(value, 'summary')),
    description: toText(readKey(value, 'description')),
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
    deprecated: typeof deprecated === 'boolean' ? deprecated : undefined,
    hidden: isSet(readKey(value, 'x-hidden')),
    excluded: isSet(readKey(value, 'x-excluded')),
    mint: toMintExtension(readKey(value, 'x-mint'), isObject(pathItem) ? readKey(pathItem, 'x-mint') : undefined),
  }
}

/** The plain form of an operation under a path. */
export function toOperation(collected: CollectedOperation, listParameters: ListParameters): Operation {
  const { fields, entry } = collected
  return { ...fields, parameters: nameParameters(collected, listParameters), pathTemplate: entry.name }
}

const noNames: readonly string[] = []

/** Those of the path say no more than its template. */
function nameParameters({ pathItem, operation }: CollectedOperation, listParameters: ListParameters): readonly string[] {
  const names = new Set<string>()
  for (const owner of [pathItem, operation]) {
    for (const { name, location } of listParameters(owner)) if (name !== undefined && location !== 'path') names.add(name)
  }
  return names.size === 0 ? noNames : [...names].sort()
}

/** One entry of `webhooks` from its operations; what is hidden as a whole is hidden in all its methods. */
export function toWebhook(
  { name, places }: PathItemEntry,
  operations: readonly CollectedOperation[],
  listParameters: ListParameters,
): Webhook {
  const isMarked = (key: string) => places.some(({ value }) => isObject(value) && isSet(value[key]))
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

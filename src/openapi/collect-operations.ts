import { isObject, type JsonObject } from '../text/is-object.ts'
import { pointerChild } from '../text/json-pointer.ts'
import type { FollowReference, Place } from './follow-reference.ts'
import type { MintExtension, Operation, OperationFields, Tag, Webhook } from './types.ts'

/** The methods of a Path Item Object in page order. Source: OpenAPI 3.2.0, "Path Item Object". */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const

/** An operation with what checks need beside it. */
export interface CollectedOperation {
  readonly fields: OperationFields
  /** Absent for an operation of a webhook. */
  readonly pathTemplate: string | undefined
  readonly operation: Place
  readonly pathItem: Place
}

/**
 * Lists the operations under `paths` in page order: by path template in document order, then by method as in `methods`, then additional ones.
 *
 * A path item behind a `$ref` counts under the path that references it; fields beside its `$ref` win. Source: OpenAPI 3.2.0, "Path Item Object".
 */
export function collectOperations(root: Place, follow: FollowReference): CollectedOperation[] {
  return collectPathItems(root, 'paths', follow)
    .filter(({ name }) => name.startsWith('/'))
    .flatMap(({ name, places }) => collectMethods(places, name, follow))
}

/** Lists the webhooks in document order, each with all its methods. */
export function collectWebhooks(root: Place, follow: FollowReference): { name: string; operations: CollectedOperation[] }[] {
  return collectPathItems(root, 'webhooks', follow).map(({ name, places }) => ({
    name,
    operations: collectMethods(places, undefined, follow),
  }))
}

/** The entries of `paths` or `webhooks`, each with the places of its path item: where it stands, then what its `$ref` leads to. */
function collectPathItems(
  root: Place,
  field: 'paths' | 'webhooks',
  follow: FollowReference,
): { name: string; places: Place[] }[] {
  const entries = isObject(root.value) ? root.value[field] : undefined
  if (!isObject(entries)) return []
  return Object.keys(entries).map((name) => {
    const place = { file: root.file, pointer: pointerChild(pointerChild(root.pointer, field), name), value: entries[name] }
    return { name, places: follow.chain(place) }
  })
}

function collectMethods(
  places: readonly Place[],
  pathTemplate: string | undefined,
  follow: FollowReference,
): CollectedOperation[] {
  const found: CollectedOperation[] = []
  const add = (pathItem: Place, place: Place, method: string) => {
    const operation = follow.chain(place).at(-1) ?? place
    if (isObject(operation.value)) {
      const fields = toOperationFields(method, operation, operation.value)
      found.push({ fields, pathTemplate, operation, pathItem })
    }
  }
  for (const method of methods) {
    const pathItem = places.find(({ value }) => isObject(value) && Object.hasOwn(value, method))
    if (pathItem) add(pathItem, childPlace(pathItem, method), method)
  }
  const seen = new Set<string>()
  for (const pathItem of places) {
    const additional = childPlace(pathItem, 'additionalOperations')
    if (!isObject(additional.value)) continue
    for (const method of Object.keys(additional.value)) {
      if (!seen.has(method)) add(pathItem, childPlace(additional, method), method)
      seen.add(method)
    }
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

function toOperationFields(method: string, { file, pointer }: Place, value: JsonObject): OperationFields {
  const tags = value['tags']
  const deprecated = value['deprecated']
  return {
    method,
    file,
    pointer,
    operationId: toText(value['operationId']),
    summary: toText(value['summary']),
    description: toText(value['description']),
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
    deprecated: typeof deprecated === 'boolean' ? deprecated : undefined,
    hidden: isSet(value['x-hidden']),
    excluded: isSet(value['x-excluded']),
    mint: toMintExtension(value['x-mint']),
  }
}

/** Lists `tags` of the entry document; entries without a name are left out. */
export function collectTags(root: Place): Tag[] {
  const tags = isObject(root.value) ? root.value['tags'] : undefined
  if (!Array.isArray(tags)) return []
  return tags.flatMap((tag: unknown) => {
    const name = isObject(tag) ? toText(tag['name']) : undefined
    return isObject(tag) && name !== undefined ? [{ name, group: toText(tag['x-group']) }] : []
  })
}

/** Narrows an operation to those under a path. */
export function toOperation({ fields, pathTemplate }: CollectedOperation): Operation {
  return { ...fields, pathTemplate: pathTemplate ?? '' }
}

export function toWebhook({ name, operations }: { name: string; operations: readonly CollectedOperation[] }): Webhook {
  return { name, operations: operations.map(({ fields }) => fields) }
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function toMintExtension(value: unknown): MintExtension | undefined {
  if (!isObject(value)) return undefined
  const metadata = value['metadata']
  return { metadata: isObject(metadata) ? metadata : undefined, content: toText(value['content']), href: toText(value['href']) }
}

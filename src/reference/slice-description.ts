import { type CollectedOperation, childPlace } from '../openapi/collect-operations.ts'
import type { JsonObject } from '../text/is-object.ts'
import type { ReferenceContext } from './context.ts'
import { listPlaces, readField, readText } from './read-fields.ts'
import { createSlicer, type Slicer } from './slice-values.ts'
import { resolveServerUrl } from './to-servers.ts'

/** What a slice is of. */
export type SliceSubject =
  | { readonly kind: 'operation'; readonly operation: CollectedOperation }
  | { readonly kind: 'webhook'; readonly name: string; readonly operations: readonly CollectedOperation[] }

/**
 * One operation or webhook as a description of its own, in JSON, with all that it needs and nothing else: every reference leads into the slice.
 *
 * Links to other operations are left out, since what they lead to is not here; so are the texts of the document as a whole but for `info`.
 * The path parameters and servers of the path item and of the document stay where they were. Where it would be very large, schemas of
 * responses are left out, the nearest last, and `x-abridged` says so.
 */
export function sliceDescription(subject: SliceSubject, context: ReferenceContext): string {
  return trySlice(subject, context, false) ?? trySlice(subject, context, true) ?? '{}'
}

function trySlice(subject: SliceSubject, context: ReferenceContext, isAbridged: boolean): string | undefined {
  const { root, release } = context
  const operations = subject.kind === 'operation' ? [subject.operation] : subject.operations
  const slicer = createSlicer(context, new Set(operations.map(({ fields }) => fields.operationId)), isAbridged)
  const pathItem = toPathItem(operations, slicer)
  const isOld = release === '3.0'
  const item =
    subject.kind === 'operation'
      ? { paths: { [subject.operation.entry.name]: pathItem } }
      : { ...(isOld && { paths: {} }), [isOld ? 'x-webhooks' : 'webhooks']: { [subject.name]: pathItem } }
  const kept: JsonObject = Object.fromEntries(
    ['openapi', 'info', 'jsonSchemaDialect', 'servers', 'security'].flatMap((key) => {
      const value = readField(root.value, key)
      const isReplaced = key === 'security' && operations.every(({ operation }) => readField(operation.value, key) !== undefined)
      return value === undefined || isReplaced ? [] : [[key, key === 'servers' ? resolveServers(value, root.file) : value]]
    }),
  )
  const tags = listTags(operations, context)
  for (const requirements of [kept['security'], ...operations.map(({ operation }) => readField(operation.value, 'security'))]) {
    slicer.addSecuritySchemes(requirements)
  }
  const components = slicer.components()
  if (components === undefined) return undefined
  const top = JSON.stringify({
    ...kept,
    ...(isAbridged && { 'x-abridged': 'Schemas that are far from the request are left out: see the whole description.' }),
    ...(tags.length > 0 && { tags }),
    ...item,
  })
  return components === '{}' ? top : `${top.slice(0, -1)},"components":${components}}`
}

/** The path item with these operations alone. */
function toPathItem(operations: readonly CollectedOperation[], { copyAs }: Slicer): JsonObject {
  const [first] = operations
  if (!first) return {}
  // Fields beside a `$ref` of a path item win over those behind it.
  const merged: { [key: string]: unknown } = {}
  for (const place of [first.pathItem, ...first.entry.places]) {
    for (const key of ['summary', 'description', 'servers', 'parameters']) {
      const child = childPlace(place, key)
      if (child.value === undefined || key in merged) continue
      if (key === 'parameters') merged[key] = listPlaces(place, key).map((parameter) => copyAs('Parameter', parameter))
      else merged[key] = key === 'servers' ? resolveServers(child.value, child.file) : child.value
    }
  }
  const additional: { [method: string]: unknown } = {}
  for (const { fields, operation } of operations) {
    const copy = copyAs('Operation', operation)
    const servers = readField(copy, 'servers')
    const copied = servers === undefined ? copy : { ...Object(copy), servers: resolveServers(servers, operation.file) }
    if (/^[a-z]+$/.test(fields.method)) merged[fields.method] = copied
    else additional[fields.method] = copied
  }
  return { ...merged, ...(Object.keys(additional).length > 0 && { additionalOperations: additional }) }
}

/** Servers that are relative to a document of the network, which the slice is not beside. */
function resolveServers(servers: unknown, file: string): unknown {
  if (!Array.isArray(servers)) return servers
  return servers.map((server) => {
    const url = readText(server, 'url')
    return url === undefined ? server : { ...server, url: resolveServerUrl(url, file) }
  })
}

/** The Tag Objects that the operations name, with those above them (3.2: `parent`). */
function listTags(operations: readonly CollectedOperation[], { root }: ReferenceContext): unknown[] {
  const all = listPlaces(root, 'tags')
  const wanted = new Set(operations.flatMap(({ fields }) => fields.tags))
  for (const name of wanted) {
    const parent = readText(all.find(({ value }) => readText(value, 'name') === name)?.value, 'parent')
    // A set may grow while it is walked: tags above tags.
    if (parent !== undefined) wanted.add(parent)
  }
  return all.filter(({ value }) => wanted.has(readText(value, 'name') ?? '')).map(({ value }) => value)
}

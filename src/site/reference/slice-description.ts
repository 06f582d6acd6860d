import { readLinks } from '../../model/bodies.ts'
import { toExample } from '../../model/content.ts'
import { findMappedSchema, readMapping } from '../../model/schema.ts'
import { hasRequirements, readSecurity } from '../../model/security.ts'
import { resolveServerUrl } from '../../model/servers.ts'
import { type Copy, copyObject, copyValue, type Rewrite } from '../../openapi/bundle/bundle-description.ts'
import type { CollectedOperation } from '../../openapi/read/collect-operations.ts'
import { childPlace, isReference, listPlaces, toFragment, toPlaceKey } from '../../openapi/references/follow-reference.ts'
import { componentGroups, nameComponent, objectTable } from '../../openapi/tables/object-tables.ts'
import type { ObjectTable } from '../../openapi/walk.ts'
import {
  isObject,
  type JsonObject,
  listOf,
  type Place,
  parsePointer,
  parseWrittenJson,
  pointerChild,
  readOwn,
  readText,
  setOwn,
  toWritten,
  withWritten,
} from '../../text/json/json-values.ts'
import { onceFor } from '../../text/plain/lists.ts'
import { exceptionField } from '../../text/plain/source-file.ts'
import type { ReferenceContext } from './context.ts'
import { maxShared, startOf } from './server-urls.ts'

/** The subject of a slice. */
export type SliceSubject =
  | { readonly kind: 'operation'; readonly operation: CollectedOperation }
  | { readonly kind: 'webhook'; readonly name: string; readonly operations: readonly CollectedOperation[] }

/**
 * Returns one operation or webhook as an OpenAPI document in JSON, with everything that requests need and nothing else. What only responses
 * use, such as their schemas, are references to the whole document if its URL is known, because slices would repeat most of it.
 *
 * Links to other operations are omitted, and so is everything about the document as a whole except its title. Parameters and servers
 * stay on the path item and the document. A long list of servers or security requirements ends early, and `x-abridged` notes this.
 *
 * @param documentUrl Without it, the slice has everything itself.
 */
export function sliceDescription(subject: SliceSubject, context: ReferenceContext, documentUrl?: string): WrittenSlice {
  const root = context.root
  const operations = subject.kind === 'operation' ? [subject.operation] : subject.operations
  const slice = createSlice(context, new Set(operations.map(({ fields }) => fields.operationId)), documentUrl)
  // Readers send no requests to webhooks.
  const pathItem = toPathItem(operations, slice, subject.kind === 'webhook' && documentUrl !== undefined)
  const isOld = context.release === '3.0'
  const item =
    subject.kind === 'operation'
      ? { paths: { [subject.operation.entry.name]: pathItem } }
      : { ...(isOld && { paths: {} }), [isOld ? 'x-webhooks' : 'webhooks']: { [subject.name]: pathItem } }
  const rootFields: JsonObject = Object.fromEntries(
    ['openapi', 'info', 'jsonSchemaDialect', 'servers', 'security'].flatMap((key) => {
      const written = copyList(slice, { ...root, isInResponse: false }, key)
      const value = key === 'servers' ? resolveServers(written, root.file) : key === 'info' ? toShortInfo(written) : written
      const isReplaced = key === 'security' && operations.every(({ operation }) => hasRequirements(operation))
      return value === undefined || isReplaced ? [] : [[key, withoutExceptions(toWritten(value))]]
    }),
  )
  const tags = listTags(operations, context)
  for (const owner of [...('security' in rootFields ? [root] : []), ...operations.map(({ operation }) => operation)])
    addSecuritySchemes(slice, owner)
  const components = writeComponents(slice)
  const value = {
    ...rootFields,
    ...(slice.isShortened && {
      'x-abridged': 'Some servers or security requirements are omitted. See the full OpenAPI document.',
    }),
    ...(tags.length > 0 && { tags }),
    ...item,
  }
  const top = JSON.stringify(value)
  return {
    json: components === '{}' ? top : `${top.slice(0, -1)},"components":${components}}`,
    value: {
      ...value,
      components: Object.fromEntries([...slice.taken].map(([group, entries]) => [group, parseLazily(entries)])),
    },
  }
}

/** A slice as JSON and as a value. */
interface WrittenSlice {
  readonly json: string
  readonly value: JsonObject
}

/** The Tag Objects of each description by name, with their positions: every slice needs a few of them. */
const tagsOf = onceFor((context: ReferenceContext) => {
  const all = listPlaces(context.root, 'tags').map(
    ({ value }, index) => [readText(value, 'name') ?? '', { value, index }] as const,
  )
  // The first of several with a name counts.
  return new Map(all.toReversed())
})

/** The most tags of a slice. A chain of parents can have all tags of a document. */
const maxTags = 100

/** The Tag Objects of the operations, with their ancestors (3.2: `parent`), in document order. */
function listTags(operations: readonly CollectedOperation[], context: ReferenceContext): unknown[] {
  const tags = tagsOf(context)
  const wanted = new Set(operations.flatMap(({ fields }) => fields.tags))
  for (const name of wanted) {
    const parent = readText(tags.get(name)?.value, 'parent')
    // Iterating a set includes values that are added meanwhile.
    if (parent !== undefined && wanted.size < maxTags) wanted.add(parent)
  }
  return [...wanted]
    .flatMap((name) => tags.get(name) ?? [])
    .toSorted((a, b) => a.index - b.index)
    .map(({ value }) => {
      const shown = withoutExceptions(value)
      const parent = readText(shown, 'parent')
      if (!isObject(shown) || parent === undefined || wanted.has(parent)) return shown
      const { parent: _, ...top } = shown
      return top
    })
}

/** An object without its exceptions to rules. */
function withoutExceptions(value: unknown): unknown {
  if (!isObject(value) || !(exceptionField in value)) return value
  const { [exceptionField]: _, ...shown } = value
  return shown
}

/** Without the description and the terms, which concern the whole document. */
function toShortInfo(info: unknown): unknown {
  return isObject(info) ? { title: info['title'], version: info['version'] } : info
}

/** An object whose values are parsed when they are read. Most components are not. */
function parseLazily(entries: ReadonlyMap<string, string>): JsonObject {
  const object = {}
  for (const [name, json] of entries) {
    let parsed: unknown
    Object.defineProperty(object, name, { enumerable: true, get: () => (parsed ??= parseWrittenJson(json)) })
  }
  return object
}

/** The path item with only these operations. */
function toPathItem(operations: readonly CollectedOperation[], slice: Slice, isInResponse: boolean): JsonObject {
  const [first] = operations
  if (!first) return {}
  // Fields next to a `$ref` of a path item override those of its target.
  const merged = new Map<string, unknown>()
  for (const place of [first.pathItem, ...first.entry.places]) {
    for (const key of ['summary', 'description', 'servers', 'parameters']) {
      const child = childPlace(place, key)
      if (child.value === undefined || merged.has(key)) continue
      const copyParameter = (parameter: Place) => copyAs(slice, 'Parameter', { ...parameter, isInResponse })
      if (key === 'parameters') merged.set(key, listPlaces(place, key).map(copyParameter))
      else if (key === 'servers') merged.set(key, resolveServers(copyList(slice, { ...place, isInResponse }, key), child.file))
      else merged.set(key, child.value)
    }
  }
  const additional = new Map<string, unknown>()
  for (const { fields, operation } of operations) {
    const copy = copyAs(slice, 'Operation', { ...operation, isInResponse })
    const servers = readOwn(copy, 'servers')
    const copied = servers === undefined ? copy : { ...Object(copy), servers: resolveServers(servers, operation.file) }
    if (/^[a-z]+$/.test(fields.method)) merged.set(fields.method, copied)
    else additional.set(fields.method, copied)
  }
  return { ...Object.fromEntries(merged), ...(additional.size > 0 && { additionalOperations: Object.fromEntries(additional) }) }
}

/** Copies a field of an operation, its path item or the document. Shortens lists that all operations can share as their pages do. */
function copyList(slice: Slice, owner: SlicePlace, key: string): unknown {
  const list = readOwn(owner.value, key)
  if ((key !== 'servers' && key !== 'security') || !Array.isArray(list)) return list
  const start = key === 'servers' ? startOf(list) : copyRequirements(slice, owner)
  if (list.length <= maxShared) return start
  slice.isShortened = true
  if (slice.writing) slice.writing.isShared = false
  return start
}

/** Resolves relative server URLs of a document from a URL, whose host is the default server. */
function resolveServers(servers: unknown, file: string): unknown {
  if (servers === undefined && resolveServerUrl('/', file) !== '/') return [{ url: resolveServerUrl('/', file) }]
  if (!Array.isArray(servers)) return servers
  return servers.map(withoutExceptions).map((server) => {
    const url = readText(server, 'url')
    return url === undefined ? server : { ...Object(server), url: resolveServerUrl(url, file) }
  })
}

/**
 * Approximate limit of a slice in characters. In some descriptions, everything refers to everything, and each slice would be nearly the whole
 * document. Schemas beyond it are references to that.
 */
const maxLength = 100_000

/** A component of slices. If its name is the same as in the description, it is the same in all slices and only written once. */
interface SlicedComponent {
  readonly group: string
  readonly name: string
  readonly place: Place
  readonly table: ObjectTable
  /** Absent until it is needed, or if it differs between slices. */
  written?: WrittenComponent
}

interface WrittenComponent {
  readonly json: string
  /** Length in characters, as slices count it. */
  readonly length: number
  /** The components it refers to, in order. */
  readonly uses: readonly SlicedComponent[]
}

/** The components that the slices of each description share. Filled while slices are written. */
const sharedOf = onceFor((_: ReferenceContext) => new Map<string, SlicedComponent>())

/** A place, and whether it is in a response. */
interface SlicePlace extends Place {
  readonly isInResponse: boolean
}

/** A description in the making, with the components that its parts need. */
interface Slice {
  readonly context: ReferenceContext
  /** The URL of the whole document. */
  readonly documentUrl: string | undefined
  /** The operations that links may refer to. */
  readonly operationIds: ReadonlySet<string | undefined>
  readonly groups: ReturnType<typeof componentGroups>
  /** The components of the whole description. */
  readonly components: Place
  /** Components that all slices share, by group and place. */
  readonly shared: Map<string, SlicedComponent>
  /** Components with a name that only this slice uses. */
  readonly renamed: Map<string, SlicedComponent>
  /** By group and name; the values are JSON. */
  readonly taken: Map<string, Map<string, string>>
  readonly waiting: SlicedComponent[]
  isShortened: boolean
  left: number
  /** The component that is being written: what it refers to, and whether it is the same in every slice. */
  writing: { readonly uses: SlicedComponent[]; isShared: boolean } | undefined
}

function createSlice(
  context: ReferenceContext,
  operationIds: ReadonlySet<string | undefined>,
  documentUrl: string | undefined,
): Slice {
  return {
    context,
    documentUrl,
    operationIds,
    groups: componentGroups(context.release),
    components: context.follow.end(childPlace(context.root, 'components')),
    shared: sharedOf(context),
    renamed: new Map(),
    taken: new Map(),
    waiting: [],
    isShortened: false,
    // The lengths of components are differences of this number, so it is finite.
    left: documentUrl === undefined ? Number.MAX_SAFE_INTEGER : maxLength,
    writing: undefined,
  }
}

/** Adds the schemes that an operation or the document requires. */
function addSecuritySchemes(slice: Slice, owner: Place): void {
  for (const { scheme } of listRequirements(slice, owner).flat())
    if (scheme.entry.value !== undefined) referTo(slice, { ...scheme.entry, isInResponse: false }, 'Security Scheme')
}

/** The requirements that an operation or the document has itself. */
function listRequirements({ context }: Slice, owner: Place) {
  if (!hasRequirements(owner)) return []
  return startOf(readSecurity(owner, context), (schemes) => schemes.length === 0)
}

/** Copies requirements. The slice has a scheme that they name by a URI under another name. */
function copyRequirements(slice: Slice, owner: SlicePlace): readonly unknown[] {
  return listRequirements(slice, owner).map((schemes) =>
    Object.fromEntries(
      schemes.map(({ name, scheme: { entry }, scopes }) => {
        if (entry.value === undefined || readComponentName(entry, 'securitySchemes', slice.context.root.file) === name)
          return [name, scopes]
        referTo(slice, { ...entry, isInResponse: owner.isInResponse }, 'Security Scheme')
        return [toComponent(slice, entry, 'Security Scheme').name, scopes]
      }),
    ),
  )
}

/** All required components by group, as JSON. Call it last. */
function writeComponents(slice: Slice): string {
  const { taken, waiting, documentUrl } = slice
  // The list grows during iteration.
  for (const next of waiting) {
    const { group, name } = next
    if (slice.left >= 0 || group !== 'schemas') {
      writeComponent(slice, next)
      continue
    }
    // A name that only this slice has is not in the document.
    const isOnlyHere = slice.renamed.has(toComponentKey(next.place, group))
    const json = isOnlyHere ? '{}' : JSON.stringify({ $ref: `${documentUrl}${toReference(group, name)}` })
    taken.get(group)?.set(name, json)
  }
  return joinObject([...taken].map(([group, entries]) => [group, joinObject(entries)]))
}

function writeComponent(slice: Slice, component: SlicedComponent): void {
  const { group, name, written } = component
  if (written) {
    slice.left -= written.length
    for (const used of written.uses) addComponent(slice, used)
  }
  slice.taken.get(group)?.set(name, written?.json ?? copyComponent(slice, component))
}

function copyComponent(slice: Slice, component: SlicedComponent): string {
  const before = slice.left
  const writing: NonNullable<Slice['writing']> = {
    uses: [],
    isShared: !slice.renamed.has(toComponentKey(component.place, component.group)),
  }
  slice.writing = writing
  const place = { ...component.place, isInResponse: false }
  const json = JSON.stringify(copyObject(place, component.table, createRewrite(slice))) ?? 'null'
  if (writing.isShared) component.written = { json, length: before - slice.left, uses: writing.uses }
  slice.writing = undefined
  return json
}

/** Returns the reference to a component, which is added on first use, or to that of the whole document. */
function referTo(slice: Slice, { isInResponse, ...target }: SlicePlace, tableKey: string): string {
  const { context, documentUrl, writing, groups } = slice
  const group = groups.get(tableKey) ?? ''
  // Not every slice has a URL for what responses use.
  if (isInResponse && writing) writing.isShared = false
  const name = isInResponse && documentUrl !== undefined && readComponentName(target, group, context.root.file)
  if (name) return documentUrl + toReference(group, name)
  const component = toComponent(slice, target, tableKey)
  addComponent(slice, component)
  writing?.uses.push(component)
  return toReference(group, component.name)
}

function toComponent(slice: Slice, place: Place, tableKey: string): SlicedComponent {
  const { context, groups, components, shared, renamed, taken, writing } = slice
  const group = groups.get(tableKey) ?? ''
  const key = toComponentKey(place, group)
  const common = shared.get(key)
  if (common) return common
  const ownName = readComponentName(place, group, context.root.file)
  if (writing && ownName === undefined) writing.isShared = false
  const known = renamed.get(key)
  if (known) return known
  const isComponent = (name: string) => childPlace(childPlace(components, group), name).value !== undefined
  const name = ownName ?? nameComponent(place, (name) => taken.get(group)?.has(name) || isComponent(name))
  const component = { group, name, place, table: objectTable(context.release, tableKey) }
  ;(ownName === undefined ? renamed : shared).set(key, component)
  return component
}

function toComponentKey(place: Place, group: string): string {
  return `${group}\n${toPlaceKey(place)}`
}

/** The name of a place that is a component of the entry document. */
function readComponentName({ file, pointer }: Place, group: string, entryFile: string): string | undefined {
  const [first, second, name, ...rest] = parsePointer(pointer)
  return file === entryFile && first === 'components' && second === group && rest.length === 0 ? name : undefined
}

function addComponent({ taken, waiting }: Slice, component: SlicedComponent): void {
  const { group, name } = component
  const inGroup = taken.get(group) ?? new Map<string, string>()
  if (inGroup.has(name)) return
  taken.set(group, inGroup)
  inGroup.set(name, '')
  waiting.push(component)
}

/** Copies an object of a kind, with references to the components of the slice. */
function copyAs(slice: Slice, tableKey: string, place: SlicePlace): unknown {
  return copyObject(place, objectTable(slice.context.release, tableKey), createRewrite(slice))
}

/** Fields with an example. A reference in one means its target, which the slice does not have. */
const exampleFields = /^(?:example|value|dataValue)$/

function createRewrite(slice: Slice): Rewrite<SlicePlace> {
  const { context, groups } = slice
  const rewrite: Rewrite<SlicePlace> = {
    open: new Map(),
    enter(at, object, table) {
      for (const key of Object.keys(object)) slice.left -= key.length + lengthOf(object[key])
      if (table.key !== 'Response' || at.isInResponse || isReference(object)) return at
      if (slice.writing) slice.writing.isShared = false
      return { ...at, isInResponse: true }
    },
    child: (at, key, value) => ({ ...at, pointer: pointerChild(at.pointer, key), value }),
    refer(at, table) {
      const target = context.follow.next(at)
      if (!target) return at.file === context.root.file ? readText(at.value, '$ref') : undefined
      const place = { ...target, isInResponse: at.isInResponse }
      if (groups.has(table.key)) return referTo(slice, place, table.key)
      return rewrite.open.has(toPlaceKey(target)) ? undefined : place
    },
    field(copy, key, value, at, table, shape) {
      const copyExample = (example: unknown) => toExample({ ...at, value: example }, context).map((one) => one.value)
      const isOfAll = (table.key === 'Operation' || table.key === 'Path Item') && (key === 'servers' || key === 'security')
      if (isOfAll && shape) setOwn(copy, key, copyValue(rewrite.child(at, key, copyList(slice, at, key)), shape, rewrite))
      else if (key === 'links' && table.key === 'Response') copyLinks(slice, copy, at)
      else if (key === 'discriminator' && table.identifies) copy[key] = copyDiscriminator(slice, at, value)
      else if (shape?.kind === 'any' && exampleFields.test(key)) for (const one of copyExample(value)) setOwn(copy, key, one)
      else if (shape && key === 'examples' && table.identifies) copy[key] = listOf(withWritten(value)).flatMap(copyExample)
      // A base URI would change the targets of references inside.
      else return (key === '$id' && table.identifies) || (key === exceptionField && table.extensible)
      return true
    },
  }
  return rewrite
}

/** Writes the mapping out, because the schemas that extend this one are else not part of the slice. */
function copyDiscriminator(slice: Slice, schema: SlicePlace, discriminator: unknown): unknown {
  if (!isObject(discriminator)) return discriminator
  const { mapping, defaultMapping, ...fields } = discriminator
  const copyMapped = (value: unknown) => {
    const target = typeof value === 'string' ? findMappedSchema(value, schema.file, slice.context) : undefined
    return target ? referTo(slice, { ...target, isInResponse: schema.isInResponse }, 'Schema') : value
  }
  const mapped = [
    ...Object.entries(isObject(mapping) ? mapping : {}),
    ...readMapping(schema, slice.context).mapped.map(({ tag, value }) => [tag, value] as const),
  ]
  const copied = Object.fromEntries(new Map(mapped.map(([tag, value]) => [tag, copyMapped(value)])))
  return {
    ...fields,
    ...(mapped.length > 0 || mapping !== undefined ? { mapping: copied } : {}),
    ...(defaultMapping === undefined ? {} : { defaultMapping: copyMapped(defaultMapping) }),
  }
}

/** Only links to operations in the slice have a target. */
function copyLinks(slice: Slice, response: Copy, at: SlicePlace): void {
  if (slice.writing) slice.writing.isShared = false
  const links = readLinks(at, slice.context).flatMap(({ name, entry, operationId }) => {
    const isKept = operationId !== undefined && slice.operationIds.has(operationId)
    return isKept ? [[name, copyAs(slice, 'Link', { ...entry, isInResponse: at.isInResponse })] as const] : []
  })
  if (links.length > 0) response['links'] = Object.fromEntries(links)
}

function joinObject(entries: Iterable<readonly [string, string]>): string {
  return `{${Array.from(entries, ([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`
}

function toReference(group: string, name: string): string {
  return toFragment(pointerChild(`/components/${group}`, name))
}

/** The length that a value itself adds; its members are counted when they are copied. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 6
  return Array.isArray(value) ? 8 + value.length * 8 : 8
}

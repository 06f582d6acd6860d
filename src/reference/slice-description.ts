import { componentGroups, nameComponent } from '../openapi/bundle/component-names.ts'
import { type CollectedOperation, childPlace } from '../openapi/collect-operations.ts'
import type { Place } from '../openapi/follow-reference.ts'
import { objectTable } from '../openapi/tables/object-tables.ts'
import type { ObjectTable, Shape } from '../openapi/walk.ts'
import { isObject, type JsonObject } from '../text/is-object.ts'
import { escapePointerSegment, parsePointer } from '../text/json-pointer.ts'
import { findMappedSchema, type ReferenceContext, type SlicedComponent, toPlaceKey } from './context.ts'
import { listPlaces, readField, readText } from './read-fields.ts'
import { resolveServerUrl } from './servers-security.ts'

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

/** Copies parts of a description into another one. */
interface Slicer {
  /** A copy of a value that is an object of this kind, its references led to the new components. */
  copyAs(tableKey: string, place: Place): unknown
  /** Brings the schemes that a `security` names. */
  addSecuritySchemes(requirements: unknown): void
  /** All components that were needed, by group, as JSON; complete only when nothing is copied any more. Absent where they are too many. */
  components(): string | undefined
}

/** Characters of a slice, about. In some descriptions everything leads to everything, and each slice would be nearly the whole. */
const maxLength = 300_000

/** Characters of one that is abridged: who opens it waits for it, and each operation has one. */
const maxAbridgedLength = 60_000

/** What a request needs may take more. */
const maxRequestLength = 100_000

/** Stands in the place of a schema that an abridged slice does not have. */
const leftOut = JSON.stringify({ description: 'Left out here: see the whole description.' })

/**
 * Makes a slicer whose slice has the operations of these ids. One that is abridged has of what requests and responses refer to the nearest, of
 * requests more: a schema further away is any value.
 */
function createSlicer(context: ReferenceContext, operationIds: ReadonlySet<string | undefined>, isAbridged = false): Slicer {
  const { release, root, follow, slicedComponents } = context
  const groups = componentGroups(release)
  const components = follow.end(childPlace(root, 'components'))
  /** Those that have a name of this slice alone. */
  const renamed = new Map<string, SlicedComponent>()
  /** By group and name; the values are JSON. */
  const taken = new Map<string, Map<string, string>>()
  const waiting: SlicedComponent[] = []
  const waitingForResponses: SlicedComponent[] = []
  let isInResponse = false
  let left = maxLength
  /** What is being written in place of its reference, so that what contains itself ends. */
  const open = new Set<unknown>()
  /** Of the component that is being written: what it refers to, and whether it would be the same in another slice. */
  let writing: { readonly uses: SlicedComponent[]; isShared: boolean } | undefined

  /** The reference to an object in the slice, to which it comes on first use. */
  const referTo = (target: Place, tableKey: string, group: string): string => {
    const component = toComponent(target, tableKey, group)
    bring(component)
    writing?.uses.push(component)
    return toReference(group, component.name)
  }
  const toComponent = (place: Place, tableKey: string, group: string): SlicedComponent => {
    const key = `${group}\n${toPlaceKey(place)}`
    const shared = slicedComponents.get(key)
    if (shared) return shared
    if (writing && !isOwn(place, group)) writing.isShared = false
    const known = renamed.get(key)
    if (known) return known
    const table = objectTable(release, tableKey)
    const own = isOwn(place, group) ? parsePointer(place.pointer)[2] : undefined
    const name = own ?? nameComponent(place, (name) => taken.get(group)?.has(name) || isComponent(group, name))
    const component = { group, name, place, table }
    ;(own === undefined ? renamed : slicedComponents).set(key, component)
    return component
  }
  const isOwn = ({ file, pointer }: Place, group: string): boolean => {
    const [first, second, name, ...rest] = parsePointer(pointer)
    return file === root.file && first === 'components' && second === group && name !== undefined && rest.length === 0
  }
  const isComponent = (group: string, name: string) => childPlace(childPlace(components, group), name).value !== undefined

  const bring = (component: SlicedComponent): void => {
    const { group, name } = component
    const inGroup = taken.get(group) ?? new Map<string, string>()
    if (inGroup.has(name)) return
    taken.set(group, inGroup)
    inGroup.set(name, '')
    const list = isAbridged && isInResponse ? waitingForResponses : waiting
    list.push(component)
  }

  const write = (component: SlicedComponent): void => {
    const { group, name, written } = component
    if (written) {
      left -= written.length
      for (const used of written.uses) bring(used)
    }
    taken.get(group)?.set(name, written?.json ?? copyComponent(component))
  }
  const copyComponent = (component: SlicedComponent): string => {
    const before = left
    writing = { uses: [], isShared: !renamed.has(`${component.group}\n${toPlaceKey(component.place)}`) }
    const json = JSON.stringify(copy(component.place, component.table)) ?? 'null'
    if (writing.isShared) component.written = { json, length: before - left, uses: writing.uses }
    writing = undefined
    return json
  }

  const copy = (place: Place, table: ObjectTable): unknown => {
    const { value, file } = place
    // A component is written whole: the next slice may have room for it.
    if (!isObject(value) || (left < 0 && !isAbridged && !writing)) return value
    for (const key of Object.keys(value)) left -= key.length + lengthOf(value[key])
    if (typeof value['$ref'] !== 'string') return copyFields(place, value, table)
    const target = follow.next(place)
    const { $ref: _, ...beside } = value
    const fields = copyFields({ ...place, value: beside }, beside, table)
    if (!target) return file === root.file ? value : fields
    const group = groups.get(table.key)
    if (group !== undefined) return { $ref: referTo(target, table.key, group), ...fields }
    if (open.has(target.value)) return fields
    open.add(target.value)
    const inPlace = copy(target, table)
    open.delete(target.value)
    return isObject(inPlace) ? { ...inPlace, ...fields } : fields
  }

  const copyFields = (place: Place, object: JsonObject, table: ObjectTable): JsonObject => {
    if (table.key !== 'Response' || isInResponse) return copyEach(place, object, table)
    isInResponse = true
    if (writing) writing.isShared = false
    const copied = copyEach(place, object, table)
    isInResponse = false
    return copied
  }

  const copyEach = (place: Place, object: JsonObject, table: ObjectTable): JsonObject => {
    const entries = Object.keys(object).flatMap((key): [string, unknown][] => {
      const value = object[key]
      // References inside lead to components now, which an address around them would turn away.
      if (key === '$id' && table.identifies) return []
      if (key === 'links' && table.key === 'Response') return copyLinks(childPlace(place, key))
      if (key === 'mapping' && table.key === 'Discriminator') return [[key, copyMapping(value, place.file)]]
      if (key === 'defaultMapping' && table.key === 'Discriminator') return [[key, copyMapped(value, place.file)]]
      const shape = shapeOf(table, object, key)
      return [[key, shape ? copyValue(childPlace(place, key), shape) : value]]
    })
    return Object.fromEntries(entries)
  }

  const copyValue = (place: Place, shape: Shape): unknown => {
    switch (shape.kind) {
      case 'object':
        return shape.table ? copy(place, shape.table) : place.value
      case 'map':
        return shape.table && (shape.inner?.table || shape.inner?.inner) ? copy(place, shape.table) : place.value
      case 'list': {
        const { inner } = shape
        return Array.isArray(place.value) && inner
          ? place.value.map((_, index) => copyValue(childPlace(place, index), inner))
          : place.value
      }
      case 'schema-or-boolean':
      case 'schema-or-names':
        return isObject(place.value) && shape.inner ? copyValue(place, shape.inner) : place.value
      default:
        return place.value
    }
  }

  const copyMapping = (mapping: unknown, file: string): unknown =>
    isObject(mapping) ? Object.fromEntries(Object.keys(mapping).map((name) => [name, copyMapped(mapping[name], file)])) : mapping
  const copyMapped = (value: unknown, file: string): unknown => {
    const target = typeof value === 'string' ? findMappedSchema(value, file, context) : undefined
    return target ? referTo(target, 'Schema', 'schemas') : value
  }

  /** Only links to what is in the slice have a target there. */
  const copyLinks = (place: Place): [string, unknown][] => {
    const links = isObject(place.value) ? Object.keys(place.value) : []
    if (writing) writing.isShared = false
    const kept = links.flatMap((name): [string, unknown][] => {
      const link = childPlace(place, name)
      const id = readText(follow.end(link).value, 'operationId')
      return id !== undefined && operationIds.has(id) ? [[name, copy(link, objectTable(release, 'Link'))]] : []
    })
    return kept.length === 0 ? [] : [['links', Object.fromEntries(kept)]]
  }

  return {
    copyAs: (tableKey, place) => copy(place, objectTable(release, tableKey)),
    addSecuritySchemes: (requirements) => {
      const schemes = childPlace(components, 'securitySchemes')
      for (const requirement of Array.isArray(requirements) ? requirements.filter(isObject) : []) {
        for (const name of Object.keys(requirement)) {
          const scheme = childPlace(schemes, name)
          if (scheme.value !== undefined) referTo(scheme, 'Security Scheme', 'securitySchemes')
        }
      }
    },
    components: () => {
      const leaveOut = ({ group, name }: SlicedComponent) => taken.get(group)?.set(name, leftOut)
      // Lists grow while they are walked.
      const writeNearest = (list: readonly SlicedComponent[], length: number) => {
        for (const next of list) {
          if (left >= maxLength - length || next.group !== 'schemas') write(next)
          else if (isAbridged) leaveOut(next)
          if (left < 0 && !isAbridged) return
        }
      }
      writeNearest(waiting, isAbridged ? maxRequestLength : maxLength)
      if (left < 0 && !isAbridged) return undefined
      isInResponse = true
      writeNearest(waitingForResponses, maxAbridgedLength)
      return joinObject([...taken].map(([group, entries]) => [group, joinObject(entries)]))
    },
  }
}

function joinObject(entries: Iterable<readonly [string, string]>): string {
  return `{${Array.from(entries, ([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`
}

function toReference(group: string, name: string): string {
  return `#/components/${group}/${encodeURI(escapePointerSegment(name)).replaceAll('#', '%23')}`
}

/** What a value adds to the text by itself; what is inside is counted when it is copied. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 6
  return Array.isArray(value) ? 8 + value.length * 8 : 8
}

/** The shape of a field as the tables have it; none for extensions and what nobody knows, which are copied as they are. */
function shapeOf(table: ObjectTable, object: JsonObject, key: string): Shape | undefined {
  const selector = table.variants && object[table.variants.field]
  const variant = (typeof selector === 'string' && table.variants?.tables.get(selector)) || table
  const field = variant.fields.get(key)
  if (field) return field.shape
  if (variant.extensible && key.startsWith('x-')) return undefined
  return variant.patterns.find(({ pattern }) => pattern.test(key))?.shape
}

import { componentGroups, nameComponent } from '../../openapi/bundle/component-names.ts'
import { type CollectedOperation, childPlace } from '../../openapi/collect-operations.ts'
import { type Place, toPlaceKey } from '../../openapi/follow-reference.ts'
import { objectTable } from '../../openapi/tables/object-tables.ts'
import type { ObjectTable, Shape } from '../../openapi/walk.ts'
import { isObject, type JsonObject } from '../../source/is-object.ts'
import { escapePointerSegment, parsePointer } from '../../source/json-pointer.ts'
import { findMappedSchema, type ReferenceContext, type SlicedComponent } from './context.ts'
import { listPlaces, readField, readText } from './read-fields.ts'
import { resolveServerUrl } from './servers-security.ts'

/** The subject of a slice. */
export type SliceSubject =
  | { readonly kind: 'operation'; readonly operation: CollectedOperation }
  | { readonly kind: 'webhook'; readonly name: string; readonly operations: readonly CollectedOperation[] }

/** Copies parts of a description into another one. */
interface Slicer {
  /** Copies an object of a kind, with references to the components of the slice. */
  copyAs(tableKey: string, place: Place): unknown
  /** Adds the schemes that a `security` names. */
  addSecuritySchemes(requirements: unknown): void
  /** All required components by group, as JSON. Call it last. Absent if there are too many. */
  components(): string | undefined
}

/**
 * Returns one operation or webhook as a complete OpenAPI document in JSON, with everything it needs and nothing else. All
 * references stay within the slice.
 *
 * Links to other operations are omitted, and so is everything about the document as a whole except `info`. Parameters and servers
 * stay on the path item and the document. A very large slice omits distant schemas of responses and notes this in `x-abridged`.
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
    ...(isAbridged && { 'x-abridged': 'Some nested schemas are omitted. See the full OpenAPI document.' }),
    ...(tags.length > 0 && { tags }),
    ...item,
  })
  return components === '{}' ? top : `${top.slice(0, -1)},"components":${components}}`
}

/** The path item with only these operations. */
function toPathItem(operations: readonly CollectedOperation[], { copyAs }: Slicer): JsonObject {
  const [first] = operations
  if (!first) return {}
  // Fields next to a `$ref` of a path item override those of its target.
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

/** Resolves relative server URLs of a document from a URL. */
function resolveServers(servers: unknown, file: string): unknown {
  if (!Array.isArray(servers)) return servers
  return servers.map((server) => {
    const url = readText(server, 'url')
    return url === undefined ? server : { ...server, url: resolveServerUrl(url, file) }
  })
}

/** The Tag Objects of the operations, with their ancestors (3.2: `parent`). */
function listTags(operations: readonly CollectedOperation[], { root }: ReferenceContext): unknown[] {
  const all = listPlaces(root, 'tags')
  const wanted = new Set(operations.flatMap(({ fields }) => fields.tags))
  for (const name of wanted) {
    const parent = readText(all.find(({ value }) => readText(value, 'name') === name)?.value, 'parent')
    // Iterating a set includes values that are added meanwhile.
    if (parent !== undefined) wanted.add(parent)
  }
  return all.filter(({ value }) => wanted.has(readText(value, 'name') ?? '')).map(({ value }) => value)
}

/**
 * Approximate limit of a slice in characters. In some descriptions, everything refers to everything, and each slice would be
 * nearly the whole document.
 */
const maxLength = 300_000

/** The limit of an abridged slice, since every operation page downloads one. */
const maxAbridgedLength = 60_000

/** The higher limit for schemas of the request. */
const maxRequestLength = 100_000

/** Replaces a schema that an abridged slice omits. */
const omittedSchema = JSON.stringify({ description: 'Omitted here. See the full OpenAPI document.' })

/**
 * Creates a slicer for operations with these IDs. An abridged slice contains only the nearest schemas, with more of them for
 * requests. All others accept any value.
 */
function createSlicer(context: ReferenceContext, operationIds: ReadonlySet<string | undefined>, isAbridged = false): Slicer {
  const { release, root, follow, slicedComponents } = context
  const groups = componentGroups(release)
  const components = follow.end(childPlace(root, 'components'))
  /** Components with a name that only this slice uses. */
  const renamed = new Map<string, SlicedComponent>()
  /** By group and name; the values are JSON. */
  const taken = new Map<string, Map<string, string>>()
  const waiting: SlicedComponent[] = []
  const waitingForResponses: SlicedComponent[] = []
  let isInResponse = false
  let left = maxLength
  /** Values that are being inlined, so that circular ones end. */
  const open = new Set<unknown>()
  /** The component that is being written: what it refers to, and whether it is the same in every slice. */
  let writing: { readonly uses: SlicedComponent[]; isShared: boolean } | undefined

  /** Returns the reference to a component, which is added on first use. */
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
    // Components are always complete, because the next slice may have room for them.
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
      // A base URI would change the targets of references inside.
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

  /** Only links to operations in the slice have a target. */
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
      const leaveOut = ({ group, name }: SlicedComponent) => taken.get(group)?.set(name, omittedSchema)
      // The lists grow during iteration.
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

/** The length that a value itself adds; its members are counted when they are copied. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 6
  return Array.isArray(value) ? 8 + value.length * 8 : 8
}

/** The shape of a field in the object tables; none for extensions and unknown fields, which are copied unchanged. */
function shapeOf(table: ObjectTable, object: JsonObject, key: string): Shape | undefined {
  const selector = table.variants && object[table.variants.field]
  const variant = (typeof selector === 'string' && table.variants?.tables.get(selector)) || table
  const field = variant.fields.get(key)
  if (field) return field.shape
  if (variant.extensible && key.startsWith('x-')) return undefined
  return variant.patterns.find(({ pattern }) => pattern.test(key))?.shape
}

import { componentGroups } from '../openapi/bundle/component-group.ts'
import { nameComponent } from '../openapi/bundle/name-component.ts'
import { childPlace } from '../openapi/collect-operations.ts'
import type { Place } from '../openapi/follow-reference.ts'
import { objectTable } from '../openapi/tables/object-tables.ts'
import type { ObjectTable, Shape } from '../openapi/tables/shape.ts'
import { isObject, type JsonObject } from '../text/is-object.ts'
import { escapePointerSegment, parsePointer } from '../text/json-pointer.ts'
import { type ReferenceContext, toPlaceKey } from './context.ts'
import { findMappedSchema } from './find-mapped-schema.ts'
import { readText } from './read-fields.ts'

/** Copies parts of a description into another one. */
export interface Slicer {
  /** A copy of a value that is an object of this kind, its references led to the new components. */
  copyAs(tableKey: string, place: Place): unknown
  /** Brings the schemes that a `security` names. */
  addSecuritySchemes(requirements: unknown): void
  /** All components that were needed, by group; complete only when nothing is copied any more. Absent where they are too many. */
  components(): JsonObject | undefined
}

/** Characters of a slice, about. In some descriptions everything leads to everything, and each slice would be nearly the whole. */
const maxLength = 300_000
/** Characters of one that is abridged: who opens it waits for it. What a request needs may take more. */
const maxAbridgedLength = 60_000
/** Stands in the place of a schema that an abridged slice does not have. */
const leftOut = 'Left out here: see the whole description.'

/**
 * Makes a slicer whose slice has the operations of these ids. One that is abridged has what requests need whole, and of what responses refer
 * to the nearest: a schema further away is any value.
 */
export function createSlicer(
  context: ReferenceContext,
  operationIds: ReadonlySet<string | undefined>,
  isAbridged = false,
): Slicer {
  const { release, root, follow } = context
  const groups = componentGroups(release)
  const components = follow.end(childPlace(root, 'components'))
  const names = new Map<string, string>()
  const taken = new Map<string, Map<string, unknown>>()
  type Waiting = { readonly group: string; readonly name: string; readonly write: () => unknown }
  const waiting: Waiting[] = []
  const waitingForResponses: Waiting[] = []
  let isInResponse = false
  let left = maxLength
  /** What is being written in place of its reference, so that what contains itself ends. */
  const open = new Set<unknown>()

  /** The reference to an object in the slice, to which it comes on first use. */
  const referTo = (target: Place, tableKey: string, group: string): string => {
    const key = `${group}\n${toPlaceKey(target)}`
    const known = names.get(key)
    if (known !== undefined) return toReference(group, known)
    const inGroup = taken.get(group) ?? new Map<string, unknown>()
    taken.set(group, inGroup)
    const name = ownName(target, group) ?? nameComponent(target, (name) => inGroup.has(name) || isComponent(group, name))
    names.set(key, name)
    inGroup.set(name, undefined)
    const list = isAbridged && isInResponse ? waitingForResponses : waiting
    list.push({ group, name, write: () => copy(target, objectTable(release, tableKey)) })
    return toReference(group, name)
  }
  const ownName = ({ file, pointer }: Place, group: string): string | undefined => {
    const [first, second, name, ...rest] = parsePointer(pointer)
    return file === root.file && first === 'components' && second === group && rest.length === 0 ? name : undefined
  }
  const isComponent = (group: string, name: string) => childPlace(childPlace(components, group), name).value !== undefined

  const copy = (place: Place, table: ObjectTable): unknown => {
    const { value, file } = place
    if (!isObject(value) || (left < 0 && !isAbridged)) return value
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
      const write = ({ group, name, write: make }: Waiting) => taken.get(group)?.set(name, make())
      const leaveOut = ({ group, name }: Waiting) => taken.get(group)?.set(name, { description: leftOut })
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        if (left >= 0) write(next)
        else if (!isAbridged) return undefined
        else if (next.group === 'schemas') leaveOut(next)
        else write(next)
      }
      if (left < 0 && !isAbridged) return undefined
      isInResponse = true
      const least = maxLength - maxAbridgedLength
      for (let next = waitingForResponses.shift(); next; next = waitingForResponses.shift()) {
        if (left > least || next.group !== 'schemas') write(next)
        else leaveOut(next)
      }
      return Object.fromEntries([...taken].map(([group, entries]) => [group, Object.fromEntries(entries)]))
    },
  }
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

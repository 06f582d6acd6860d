import { isObject, keepWritten, listOf, setOwn } from '../../text/json/json-values.ts'
import { includesType, listTypes } from '../references/follow-reference.ts'
import { equalJson, typeOfValue } from '../schema/json-schema.ts'
import { childrenOf, composition, listReached, type Node } from './description-tree.ts'
import type { Marked } from './mark-removed.ts'
import type { RemovedNames } from './removed-names.ts'

/** The indexes that the elements of a shorter list had. */
export type Originals = WeakMap<object, readonly number[]>

/** Schemas and values that are compared. With more, members are removed by their name alone. */
const maxSteps = 500_000

/**
 * Creates a function that removes names and values of removed parts from an example, a default or another value: members of removed properties, values that
 * only removed variants allow, and texts that contain such a name.
 */
export function createDataCleaning({ targetOf, enums }: Marked, names: RemovedNames, originals: Originals) {
  let steps = 0

  const expand = (schemas: readonly Node[]) =>
    schemas.length === 0 ? [] : [...listReached(schemas, (schema) => (steps++ < maxSteps ? listApplied(schema, targetOf) : []))]
  const others = (schemas: readonly Node[], key: string) => schemas.flatMap((schema) => schema.children.get(key) ?? [])

  /** Whether a schema allows a value, as far as types, values and required properties tell. */
  const allows = (schema: Node, value: unknown, depth = 0): boolean => {
    if (depth > maxDepth || steps++ > maxSteps) return true
    const { type, enum: listed, const: constant, required } = schema.fields
    const isUsed = (part: Node) => schema.isRemoved || !part.isRemoved
    const allowed = (part: Node) => allows(part, value, depth + 1)
    if (!targetOf(schema).every(allowed)) return false
    const types = listTypes(type)
    if (types.length > 0 && !includesType(types, typeOfValue(value))) return false
    if (constant !== undefined && !equalJson(constant, value)) return false
    if (Array.isArray(listed) && !listed.some((one) => equalJson(one, value))) return false
    if (!childrenOf(schema, 'allOf').filter(isUsed).every(allowed)) return false
    for (const key of ['oneOf', 'anyOf']) {
      const parts = childrenOf(schema, key).filter(isUsed)
      if (parts.length > 0 && !parts.some(allowed)) return false
    }
    if (!isObject(value)) return true
    const properties = [...(schema.children.get('properties')?.children ?? [])].filter(([, part]) => isUsed(part))
    return (
      !listOf(required).some((name) => typeof name === 'string' && !Object.hasOwn(value, name) && !names.isGoneProperty(name)) &&
      properties.every(([name, part]) => !Object.hasOwn(value, name) || allows(part, value[name], depth + 1))
    )
  }
  const isOnlyOfRemoved = (schemas: readonly Node[], value: unknown) =>
    schemas.some((schema) =>
      ['oneOf', 'anyOf'].some((key) => {
        const parts = childrenOf(schema, key)
        if (!parts.some(({ isRemoved }) => isRemoved) || schema.isRemoved) return false
        return (
          parts.some((part) => part.isRemoved && allows(part, value)) &&
          !parts.some((part) => !part.isRemoved && allows(part, value))
        )
      }),
    )

  /** A number can mean anything elsewhere. A text is a name. */
  const isHidden = (schemas: readonly Node[], value: unknown) => {
    const isTelling = typeof value === 'number' && schemas.length === 0 && String(value).length > 3
    if ((typeof value === 'string' || isTelling) && names.isValueOfData(value)) return true
    const listed = (schema: Node) => (enums.get(schema) ?? []).map((index) => listOf(schema.fields['enum'])[index])
    return schemas.some((schema) => listed(schema).some((one) => equalJson(one, value)))
  }

  /** @returns `undefined` if nothing is left. */
  const clean = (value: unknown, schemas: readonly Node[]): unknown => {
    const all = expand(schemas)
    if (isHidden(all, value) || isOnlyOfRemoved(all, value)) return undefined
    if (typeof value === 'string') {
      return names.isGone(value) || names.isGoneExpression(value) || names.isMentioned(value) ? undefined : value
    }
    if (Array.isArray(value)) {
      const ofItems = others(all, 'items')
      const list: unknown[] = []
      const indexes: number[] = []
      // Not with `map`, whose calls would take more of the stack.
      for (const [index, element] of value.entries()) {
        const ofIndex = others(all, 'prefixItems').flatMap((each) => each.children.get(String(index)) ?? [])
        const cleaned = clean(element, [...ofItems, ...ofIndex])
        if (cleaned === undefined) continue
        list.push(cleaned)
        indexes.push(index)
      }
      originals.set(list, indexes)
      return keepWritten(list, value, indexes)
    }
    if (!isObject(value)) return value
    const copy: Record<string, unknown> = {}
    for (const [key, child] of Object.entries(value)) {
      const properties = all.flatMap((schema) => schema.children.get('properties')?.children.get(key) ?? [])
      const isRemoved =
        properties.length > 0 ? properties.every((one) => one.isRemoved) : names.isGoneProperty(key) || names.isGone(key)
      // Without a schema that tells, the name does.
      if (isRemoved || (names.shared.has(key) && (all.length === 0 || steps > maxSteps))) continue
      const inside = properties.length > 0 ? properties.filter((one) => !one.isRemoved) : others(all, 'additionalProperties')
      const cleaned = clean(child, inside)
      if (cleaned !== undefined) setOwn(copy, key, cleaned)
    }
    return keepWritten(copy, value)
  }
  return clean
}

const maxDepth = 50

/** The schemas that apply to the same value as another one: variants, all parts of `allOf`, and targets of references. */
export function listApplied(schema: Node, targetOf: Marked['targetOf']): Node[] {
  return [...targetOf(schema), ...composition.flatMap((key) => childrenOf(schema, key))]
}

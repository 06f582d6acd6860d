import type { CollectedOperation } from '../openapi/collect-operations.ts'
import type { Place } from '../openapi/follow-reference.ts'
import { isObject } from '../text/is-object.ts'
import type { ReferenceContext } from './context.ts'
import { type DirectSchemas, joinWithin, listDirectSchemas } from './list-direct-schemas.ts'
import { listOperationSchemas } from './list-operation-schemas.ts'
import { mapPlaces } from './read-fields.ts'
import type { SchemaUse } from './types.ts'

/** What may use schemas, by what names it in links. */
export interface SchemaUsers {
  readonly operations: ReadonlyMap<string, CollectedOperation>
  readonly webhooks: ReadonlyMap<string, readonly CollectedOperation[]>
}

/**
 * Finds the places that use each named schema: whatever stands between that has no name of its own is looked through, at any depth and in
 * other files. A place that reaches a schema only through another named one is a use of that other one.
 *
 * Every schema is read once, so that the cost grows with the description and not with the number of its pages.
 */
export function findSchemaUses({ operations, webhooks }: SchemaUsers, context: ReferenceContext): Map<string, SchemaUse[]> {
  const uses = new Map<string, Map<string, SchemaUse>>()
  const reach = toReach(context)
  const add = (name: string, use: SchemaUse) => {
    const known = uses.get(name) ?? new Map<string, SchemaUse>()
    uses.set(name, known)
    known.set(`${use.kind}\n${use.target}\n${use.place}`, use)
  }
  const addOperation = (operation: CollectedOperation, from: Pick<SchemaUse, 'kind' | 'target'>) => {
    for (const { words, schema } of listOperationSchemas(operation, context))
      for (const { name } of reach(schema)) add(name, { ...from, place: words })
  }
  for (const [target, operation] of operations) addOperation(operation, { kind: 'operation', target })
  for (const [target, methods] of webhooks) for (const method of methods) addOperation(method, { kind: 'webhook', target })
  for (const { name: target, place } of mapPlaces(context.schemas, undefined))
    for (const { name, within } of reach(place)) {
      // A schema that stands in a file of its own is not a use of itself.
      if (name !== target || within !== 'the same') add(name, { kind: 'schema', target, place: within })
    }
  return new Map([...uses].map(([name, places]) => [name, [...places.values()]]))
}

/** Makes the function that lists the named schemas which a schema reaches without passing another one. */
function toReach(context: ReferenceContext): (schema: Place) => { name: string; within: string }[] {
  const direct = new Map<unknown, DirectSchemas>()
  return (schema) => {
    const found: { name: string; within: string }[] = []
    const seen = new Set<unknown>()
    const waiting = [{ place: schema, within: '' }]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { place, within } = next
      if (!isObject(place.value) || seen.has(place.value)) continue
      seen.add(place.value)
      const { named, others } = direct.get(place.value) ?? listDirectSchemas(place, context)
      direct.set(place.value, { named, others })
      for (const one of named) found.push({ name: one.name, within: joinWithin(within, one.within) })
      for (const one of others) waiting.push({ place: one.place, within: joinWithin(within, one.within) })
    }
    return found
  }
}

import { type CollectedOperation, collectOperations } from '../openapi/read/collect-operations.ts'
import { isReference, mapPlaces } from '../openapi/references/follow-reference.ts'
import type { Place } from '../text/json/json-values.ts'
import { type Api, type Members, type Node, readMembers, toNode } from './api.ts'

/** A Callback Object. */
export interface Callback extends Node {
  readonly name: string
  readonly pathItems: readonly CallbackItem[]
}

/** A Path Item Object of a callback. */
export interface CallbackItem {
  /** The runtime expression. */
  readonly expression: string
  readonly operations: readonly CollectedOperation[]
  /** A reference leads to nothing. Operations next to it are known. */
  readonly isUnresolved: boolean
}

/** The callbacks of an operation. */
export function readCallbacks(operation: Place, api: Api): Members<Callback> {
  return readMembers(operation, 'callbacks', api, (name, entry) => {
    const node = toNode(entry, api)
    const pathItems = node.isUnresolved ? [] : mapPlaces(node.place, undefined, 'left-out')
    return { ...node, name, pathItems: pathItems.map((item) => readItem(item.name, api.follow.chain(item.place), api)) }
  })
}

function readItem(expression: string, places: readonly Place[], { follow }: Api): CallbackItem {
  const operations = collectOperations({ name: expression, places }, follow)
  return { expression, operations, isUnresolved: isReference(places.at(-1)?.value) }
}

import { isObject, readKey } from '../../text/is-object.ts'
import { pointerChild } from '../../text/json-pointer.ts'
import { childPlace } from '../collect-operations.ts'
import type { Place } from '../follow-reference.ts'
import type { CheckContext } from './check.ts'

/** One name of a Security Requirement Object; `place` is that of its list of scopes. */
export interface ListedRequirement {
  readonly name: string
  readonly place: Place
}

/** Lists the names of all security requirements: of the document, then of its operations. */
export function listRequirements({ root, operations, webhookOperations }: CheckContext): ListedRequirement[] {
  const listed: ListedRequirement[] = []
  const addAll = (owner: Place) => {
    if (!isObject(owner.value) || readKey(owner.value, 'security') === undefined) return
    const list = childPlace(owner, 'security')
    if (!Array.isArray(list.value)) return
    list.value.forEach((requirement: unknown, index) => {
      if (!isObject(requirement)) return
      const pointer = pointerChild(list.pointer, index)
      for (const name of Object.keys(requirement)) {
        listed.push({ name, place: { file: list.file, pointer: pointerChild(pointer, name), value: requirement[name] } })
      }
    })
  }
  addAll(root)
  for (const { operation } of operations) addAll(operation)
  for (const { operation } of webhookOperations) addAll(operation)
  return listed
}

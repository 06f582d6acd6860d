import { isObject } from '../../text/is-object.ts'
import { childPlace } from '../collect-operations.ts'
import type { FollowReference, Place } from '../follow-reference.ts'

/** One entry of a `parameters` list, with references followed. */
export interface ListedParameter {
  /** Where the entry stands, be it the parameter or a reference to it. */
  readonly entry: Place
  /** Absent where the parameter is not known or has none. */
  readonly name: string | undefined
  /** The value of `in`, right or wrong. */
  readonly location: string | undefined
  /** The reference could not be followed. */
  readonly unknown: boolean
}

/** Lists the `parameters` of an operation or path item. */
export function listParameters(owner: Place, follow: FollowReference): ListedParameter[] {
  const list = childPlace(owner, 'parameters')
  if (!Array.isArray(list.value)) return []
  return list.value.map((_, index) => {
    const entry = childPlace(list, index)
    const value = follow.end(entry).value
    if (!isObject(value)) return { entry, name: undefined, location: undefined, unknown: true }
    const { name, in: location } = value
    return {
      entry,
      name: typeof name === 'string' ? name : undefined,
      location: typeof location === 'string' ? location : undefined,
      unknown: typeof value['$ref'] === 'string',
    }
  })
}

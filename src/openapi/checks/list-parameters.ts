import { isObject } from '../../text/is-object.ts'
import { readKey } from '../../text/read-key.ts'
import type { FollowReference, Place } from '../follow-reference.ts'
import { isMistypedReference } from '../mistyped-fields.ts'

/** One entry of a `parameters` list, with references followed. */
export interface ListedParameter {
  /** The operation or path item that has the list. */
  readonly owner: Place
  readonly index: number
  /** Absent where the parameter is not known or has none. */
  readonly name: string | undefined
  /** The value of `in`, right or wrong. */
  readonly location: string | undefined
  /** The parameter itself, its `$ref` followed; without one its pointer is not told: see `parameterPointer`. */
  readonly place: Place
  /** The reference could not be followed. */
  readonly unknown: boolean
}

/** Lists the `parameters` of an operation or path item. */
export type ListParameters = (owner: Place) => readonly ListedParameter[]

/** Makes a lister that reads each list once, however many checks ask. */
export function toListParameters(follow: FollowReference): ListParameters {
  const known = new Map<unknown, readonly ListedParameter[]>()
  return (owner) => {
    let listed = known.get(owner.value)
    if (!listed) {
      listed = listParameters(owner, follow)
      known.set(owner.value, listed)
    }
    return listed
  }
}

/** Where an entry stands, be it the parameter or a reference to it. */
export function parameterPointer({ owner, index }: ListedParameter): string {
  return `${owner.pointer}/parameters/${index}`
}

const none: readonly ListedParameter[] = []

function listParameters(owner: Place, follow: FollowReference): readonly ListedParameter[] {
  const list = isObject(owner.value) ? readKey(owner.value, 'parameters') : undefined
  if (!Array.isArray(list) || list.length === 0) return none
  return list.map((entry: unknown, index) => {
    const place = follow.end({ file: owner.file, pointer: '', value: entry })
    const { value } = place
    if (!isObject(value)) return { owner, index, name: undefined, location: undefined, place, unknown: true }
    const name = readKey(value, 'name')
    const location = readKey(value, 'in')
    return {
      owner,
      index,
      name: typeof name === 'string' ? name : undefined,
      location: typeof location === 'string' ? location : undefined,
      place,
      unknown: typeof value['$ref'] === 'string' || Object.keys(value).some((key) => isMistypedReference(key, value[key])),
    }
  })
}

import { isObject, type JsonObject, readKey } from '../../text/is-object.ts'
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

/** What a parameter says of itself. */
type ReadParameter = Pick<ListedParameter, 'name' | 'location' | 'unknown'>

/** Makes a lister that reads each list once, and each parameter once, however many checks ask and however many lists refer to it. */
export function toListParameters(follow: FollowReference): ListParameters {
  const lists = new Map<unknown, readonly ListedParameter[]>()
  const parameters = new Map<unknown, ReadParameter>()
  const read = (value: unknown) => {
    let parameter = parameters.get(value)
    if (!parameter) {
      parameter = readParameter(value)
      parameters.set(value, parameter)
    }
    return parameter
  }
  return (owner) => {
    const list = isObject(owner.value) ? readKey(owner.value, 'parameters') : undefined
    if (!Array.isArray(list) || list.length === 0) return none
    let listed = lists.get(list)
    if (!listed) {
      listed = list.map((entry: unknown, index) => {
        const place = follow.end({ file: owner.file, pointer: '', value: entry })
        const { name, location, unknown } = read(place.value)
        return { owner, index, name, location, place, unknown }
      })
      lists.set(list, listed)
    }
    return listed
  }
}

/** Where an entry stands, be it the parameter or a reference to it. */
export function parameterPointer({ owner, index }: ListedParameter): string {
  return `${owner.pointer}/parameters/${index}`
}

const none: readonly ListedParameter[] = []

function readParameter(value: unknown): ReadParameter {
  if (!isObject(value)) return { name: undefined, location: undefined, unknown: true }
  const name = readKey(value, 'name')
  const location = readKey(value, 'in')
  return {
    name: typeof name === 'string' ? name : undefined,
    location: typeof location === 'string' ? location : undefined,
    unknown: typeof readKey(value, '$ref') === 'string' || hasMistypedReference(value),
  }
}

function hasMistypedReference(value: JsonObject): boolean {
  for (const key in value) if (isMistypedReference(key, value[key])) return true
  return false
}

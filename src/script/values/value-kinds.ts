import type { BuiltIn, FunctionValue, ListValue, ObjectValue, Value } from './types.ts'
import type { MdxPlace } from './values.ts'

export const toList = (items: readonly Value[]): ListValue => ({ kind: 'list', items: [...items] })

export const toObject = (entries: Iterable<readonly [string, Value]>): ObjectValue => ({
  kind: 'object',
  entries: new Map(entries),
})

export function hasEntry(object: ObjectValue, key: string): boolean {
  return object.source ? object.source.has(key) : object.entries.has(key)
}

/** Whether a value has its own member, as `Object.hasOwn` tells. */
export function hasOwnMember(owner: Value, key: string): boolean {
  if (isKind(owner, 'object')) return hasEntry(owner, key)
  if (isKind(owner, 'function')) return owner.entries.has(key)
  if (!isKind(owner, 'list') && typeof owner !== 'string') return false
  const { length } = isKind(owner, 'list') ? owner.items : owner
  return key === 'length' || (/^(?:0|[1-9]\d{0,8})$/.test(key) && Number(key) < length)
}

export function getEntry(object: ObjectValue, key: string, place: MdxPlace): Value {
  return object.source ? object.source.get(key, place) : object.entries.get(key)
}

export const builtIn = (name: string, call: BuiltIn['call']): BuiltIn => ({ kind: 'built-in', name, call })

/** Converts a YAML or JSON value. */
export function fromData(data: unknown): Value {
  if (Array.isArray(data)) return toList(data.map(fromData))
  if (typeof data === 'object' && data !== null)
    return toObject(Object.entries(data).map(([key, value]) => [key, fromData(value)]))
  return typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean' ? data : null
}

/** Whether a value can be called. */
export function isCallable(value: Value): value is FunctionValue | BuiltIn {
  return isKind(value, 'function') || isKind(value, 'built-in')
}

type ValueOfKind<Kind extends string> = Extract<Value, { readonly kind: Kind }>

export function isKind<Kind extends ValueOfKind<string>['kind']>(value: Value, kind: Kind): value is ValueOfKind<Kind> {
  return typeof value === 'object' && value !== null && value.kind === kind
}

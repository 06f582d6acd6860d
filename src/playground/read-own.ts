import { isObject } from '../text/is-object.ts'

/** The value of a key that an object has itself, so that `constructor` of a stranger's document finds nothing. */
export function readOwn(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

import { isContainer, isObject } from '../../../text/json/json-values.ts'

/** Deeper values count as different: a resolved document can contain itself. */
const maxDepth = 100

/**
 * Whether two values are equal, regardless of the order of keys. `equalJson` has no limits, which would make the playground larger.
 *
 * @param spend counts the compared lists and mappings.
 */
export function equalValues(left: unknown, right: unknown, spend: (steps: number) => void, depth = 0): boolean {
  if (left === right) return true
  if (!isContainer(left) || !isContainer(right) || depth > maxDepth) return false
  spend(1)
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((entry, index) => equalValues(entry, right[index], spend, depth + 1))
  }
  if (!isObject(left) || !isObject(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equalValues(left[key], right[key], spend, depth + 1))
  )
}

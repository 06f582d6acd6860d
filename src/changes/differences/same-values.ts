import { isContainer, isObject, type JsonObject, readOwn, toExactNumber, withWritten } from '../../text/json/json-values.ts'

/**
 * Creates a function that tells whether two schemas are equal, so that nothing in them needs a comparison. Schemas with references count
 * as different, because the components can differ. Each value is visited at most twice, however deep it is.
 */
export function toIsSame(): (one: unknown, other: unknown) => boolean {
  // The values around a difference, so that they are not compared again from inside.
  const different = new Map<unknown, unknown>()
  const isSame = (one: unknown, other: unknown): boolean => {
    if (!isContainer(one) || !isContainer(other)) return one === other || isSameNumber(one, other)
    if (different.get(one) === other) return false
    const isEqual = hasSameContents(withWritten(one), withWritten(other))
    if (!isEqual) different.set(one, other)
    return isEqual
  }
  const hasSameContents = (one: unknown, other: unknown): boolean => {
    if (Array.isArray(one)) {
      return Array.isArray(other) && one.length === other.length && one.every((entry, index) => isSame(entry, other[index]))
    }
    return isObject(one) && isObject(other) && countFields(one) === countFields(other) && hasSameFields(one, other)
  }
  const hasSameFields = (one: JsonObject, other: JsonObject): boolean => {
    for (const key in one) if (needsComparison.has(key) || !isSame(one[key], readOwn(other, key))) return false
    return true
  }
  return isSame
}

function isSameNumber(one: unknown, other: unknown): boolean {
  const number = toExactNumber(one)
  return number !== undefined && number === toExactNumber(other)
}

/** References, discriminators, which other schemas can extend, and extensions whose values are checked. */
const needsComparison = new Set(['$ref', '$dynamicRef', 'discriminator', 'x-sunset', 'x-stability-level'])

function countFields(value: JsonObject): number {
  let count = 0
  for (const _key in value) count++
  return count
}

/** A value as a text. `String` throws for an object with a field such as `toString`. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(undefined))
}

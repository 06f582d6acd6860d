/** A mapping as JSON and YAML give it: not a list and not `null`. */
export type JsonObject = { readonly [key: string]: unknown }

/** Tells a mapping from every other value. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether lists and objects stand inside each other more than `limit` times, as code that calls itself for each could not bear. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level = [value].filter(isContainer)
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true
    level = level.flatMap((container) => Object.values(container).filter(isContainer))
  }
  return false
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

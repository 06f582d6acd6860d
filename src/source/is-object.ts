/** A mapping from JSON or YAML: not a list and not `null`. */
export type JsonObject = { readonly [key: string]: unknown }

/** Whether a value is a mapping. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether lists and objects are nested more than `limit` levels, which would overflow recursive code. */
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

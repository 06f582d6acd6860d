/** A mapping as JSON and YAML give it: not a list and not `null`. */
export type JsonObject = { readonly [key: string]: unknown }

/** Tells a mapping from every other value. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

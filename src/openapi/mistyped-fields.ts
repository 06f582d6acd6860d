import type { JsonObject } from '../text/is-object.ts'
import type { Suggest } from './walk.ts'
import type { ObjectTable } from './tables/shape.ts'

/**
 * The key of an object under which a field that it lacks stands mistyped. It has a finding of its own (`unknown-field`), so that nothing
 * else that comes of it is told.
 */
export function findMistyped(table: ObjectTable, value: JsonObject, field: string, suggest: Suggest): string | undefined {
  if (table.open) return undefined
  return suggest(field, () => Object.keys(value).filter((name) => !table.fields.has(name) && !name.startsWith('x-')))
}

/** The key of an object that is meant for `$ref`: then the object lacks nothing else. */
export function findMistypedReference(table: ObjectTable, value: JsonObject): string | undefined {
  if (table.reference === 'none' || table.open || Object.hasOwn(value, '$ref')) return undefined
  return Object.keys(value).find((key) => !table.fields.has(key) && isMistypedReference(key, value[key]))
}

/** Whether a field that OpenAPI does not have is meant for `$ref`: `ref`, `$reff`, `$rf`, `$Ref`, `"ref$"`. */
export function isMistypedReference(key: string, value: unknown): boolean {
  return typeof value === 'string' && /[#/.]/.test(value) && /^[$&@_]?(?:ref+|re|rf|ef|rfe|erf|refs|reference)\$?$/i.test(key)
}

import { listTypes, mergeKeywords } from '../../openapi/schema/json-schema.ts'
import { entriesOf, isContainer, isObject, listOf, valueAtPointer } from '../../text/json/json-values.ts'
import { decodePercent } from '../../text/plain/paths.ts'

/** An unchecked Schema Object of OpenAPI 3.0 or JSON Schema 2020-12. Its values can have any type, because documents can be invalid. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Follows the references of a schema. Boolean schemas become equivalent objects, anything else becomes `{}`. Never throws, and stops at circular references. */
export type Resolve = (schema: unknown) => JsonSchema

/** The longest chain of references that is followed. Also ends circular references. */
const maxSteps = 20

/**
 * Creates a function that follows references within a slice. Results are memoized per object, so that callers can cache by schema.
 *
 * Keys next to a `$ref` override those of its target, except that properties and required names add to them. OpenAPI 3.1 defines this for
 * schemas, and authors of 3.0 documents expect the same.
 */
export function toResolve(slice: unknown): Resolve {
  const known = new WeakMap<object, JsonSchema>()
  const follow = (value: unknown, steps: number): JsonSchema => {
    if (value === false) return never
    if (!isObject(value)) return anything
    const reference = value['$ref']
    if (typeof reference !== 'string') return value
    const before = known.get(value)
    if (before) return before
    const target =
      steps < maxSteps && reference.startsWith('#') ? valueAtPointer(slice, decodePercent(reference.slice(1))) : undefined
    const { $ref: _, ...beside } = value
    const found = follow(target, steps + 1)
    // Return the target itself if nothing overrides it, so that a shared schema is cached once.
    const own = { ...found, ...beside }
    const adds = ['required', 'properties', 'allOf'].some((key) => isContainer(beside[key]))
    const both = adds ? { ...own, allOf: [...listOf(beside['allOf']), found] } : own
    const merged = Object.keys(beside).length === 0 ? found : both
    known.set(value, merged)
    return merged
  }
  return (schema) => follow(schema, 0)
}

const anything: JsonSchema = {}
const never: JsonSchema = { not: anything }

/** A schema with its references, `allOf`, and the only option of `oneOf` or `anyOf` besides null. */
export interface ReadSchema {
  /** If several schemas set a keyword, the first value wins. For limits, the narrowest value wins. */
  readonly keywords: JsonSchema
  readonly parts: readonly JsonSchema[]
  /** JSON types without `null`, inferred from other keywords if `type` is absent; empty if any type is allowed. */
  readonly types: readonly string[]
  /** Whether it is one of the options. */
  readonly hasNull: boolean
  /** Schemas by name. */
  readonly properties: ReadonlyMap<string, unknown>
  readonly required: ReadonlySet<string>
  /** Schemas to choose from: none, or at least two. */
  readonly choices: readonly unknown[]
}

/** The most schemas that are merged into one. Protects against malicious documents. */
const maxParts = 500

const known = new WeakMap<object, ReadSchema>()

/** Merges a schema with everything that applies to the same value. Memoized per schema. */
export function readSchema(schema: unknown, resolve: Resolve): ReadSchema {
  const resolved = resolve(schema)
  const before = known.get(resolved)
  if (before) return before
  const keywords: { [key: string]: unknown } = {}
  const properties = new Map<string, unknown>()
  const required = new Set<string>()
  const parts = new Set<JsonSchema>()
  let choices: readonly unknown[] = []
  let hasNull = false
  const add = (one: JsonSchema) => {
    if (parts.has(one) || parts.size > maxParts) return
    parts.add(one)
    mergeKeywords(keywords, one)
    for (const [name, property] of entriesOf(one['properties'])) {
      const other = properties.get(name)
      properties.set(name, other === undefined || other === property ? property : { allOf: [other, property] })
    }
    for (const name of listOf(one['required'])) if (typeof name === 'string') required.add(name)
    for (const member of listOf(one['allOf'])) add(resolve(member))
    const options = listOf(one['oneOf'] ?? one['anyOf'])
    const open = options.filter((option) => !isNull(resolve(option)))
    if (open.length < options.length) hasNull = true
    if (open.length === 1) add(resolve(open[0]))
    else if (choices.length === 0) choices = open
  }
  add(resolved)
  const types = listTypes(keywords['type'])
  const read = {
    keywords,
    properties,
    required,
    choices,
    hasNull,
    parts: [...parts],
    types: types.length > 0 ? types.filter((type) => type !== 'null') : inferTypes(keywords, properties),
  }
  known.set(resolved, read)
  return read
}

function isNull(schema: JsonSchema): boolean {
  return schema['type'] === 'null' || schema['const'] === null
}

function inferTypes(keywords: JsonSchema, properties: ReadonlyMap<string, unknown>): string[] {
  if (properties.size > 0 || isObject(keywords['additionalProperties'])) return ['object']
  if (keywords['items'] !== undefined || keywords['prefixItems'] !== undefined) return ['array']
  if (keywords['pattern'] !== undefined || keywords['format'] !== undefined || keywords['maxLength'] !== undefined)
    return ['string']
  return []
}

/** Whether a value is only in responses. */
export function isReadOnly(schema: unknown, resolve: Resolve): boolean {
  return readSchema(schema, resolve).keywords['readOnly'] === true
}

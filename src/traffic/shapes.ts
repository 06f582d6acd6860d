import type { SchemaPlace, Visit } from '../model/instances/match-schema.ts'
import { countCharacters, typeOfValue } from '../openapi/schema/json-schema.ts'
import { isObject, listOf, readOwn, readText, toPointer } from '../text/json/json-values.ts'
import { getOrMake } from '../text/plain/lists.ts'

/** What is known of the values at a place, without the values: each text in it is a word of the document. */
export interface Shape {
  /** The number of values by type. */
  readonly types: Map<string, number>
  /** The least and the most characters, items and keys. */
  readonly sizes: Map<keyof typeof sizeOf, readonly [least: number, most: number]>
  /** The values that an `enum` or a `const` lists. */
  readonly words: Set<unknown>
  /** The alternatives that the values match, see `nameAlternative`. */
  readonly as: Set<string>
  /** Properties by name. */
  readonly fields: Map<string, Shape>
  /** The items of lists. */
  each: Shape | undefined
  /** The values of maps, whose keys are data. */
  entries: Shape | undefined
  /** The number of keys that no schema describes. */
  undocumented: number
}

export function emptyShape(): Shape {
  const none = { undocumented: 0, fields: new Map(), each: undefined, entries: undefined }
  return { types: new Map(), sizes: new Map(), words: new Set(), as: new Set(), ...none }
}

/** How many values a shape has. */
export function countValues({ types }: Shape): number {
  return [...types.values()].reduce((sum, count) => sum + count, 0)
}

/** The sizes that schemas limit. */
export const sizeOf = {
  length: (value: unknown) => (typeof value === 'string' ? countCharacters(value) : undefined),
  items: (value: unknown) => (Array.isArray(value) ? value.length : undefined),
  keys: (value: unknown) => (isObject(value) ? Object.keys(value).length : undefined),
} as const

/** The names of `sizeOf`. */
export const sizes = ['length', 'items', 'keys'] as const

/** Keywords whose schemas apply to the same value. */
const inPlace =
  /^(?:\$ref|\$dynamicRef|\$recursiveRef|allOf|anyOf|oneOf|discriminator|if|then|else|dependentSchemas|dependencies)$/

/** Adds a value, with the schemas that apply to its parts. */
export function addVisits(root: Shape, visits: readonly Visit[]): void {
  const shapes = new Map<string, Shape>()
  const objects: { readonly pointer: string; readonly value: object; readonly shape: Shape }[] = []
  for (const { schema, path, value } of visits) {
    const pointer = toPointer(path)
    const around = shapes.get(toPointer(path.slice(0, -1)))
    const shape = around && path.length > 0 ? shapeWithin(around, schema, String(path.at(-1)), shapes.get(pointer)) : root
    if (shapes.get(pointer) !== shape) {
      shapes.set(pointer, shape)
      addOwn(shape, value)
      if (isObject(value)) objects.push({ pointer, value, shape })
    }
    if (isListed(schema.value, value)) shape.words.add(value)
    if (/^(?:anyOf|oneOf|discriminator)$/.test(schema.keyword ?? '')) shape.as.add(nameAlternative(schema))
  }
  for (const { pointer, value, shape } of objects) {
    shape.undocumented += Object.keys(value).filter((key) => !shapes.has(pointer + toPointer([key]))).length
  }
}

/** The shape of a part of a value. A key is only written if a schema names it. */
function shapeWithin(around: Shape, schema: SchemaPlace, key: string, known: Shape | undefined): Shape {
  let via = schema
  while (via.around && inPlace.test(via.keyword ?? '')) via = via.around
  if (via.keyword === 'properties') return getOrMake(around.fields, key, emptyShape)
  if (known) return known
  if (/items|contains/i.test(via.keyword ?? '')) {
    around.each ??= emptyShape()
    return around.each
  }
  around.entries ??= emptyShape()
  return around.entries
}

function addOwn(shape: Shape, value: unknown): void {
  const type = typeOfValue(value)
  shape.types.set(type, (shape.types.get(type) ?? 0) + 1)
  for (const name of sizes) {
    const size = sizeOf[name](value)
    if (size === undefined) continue
    const [least, most] = shape.sizes.get(name) ?? [size, size]
    shape.sizes.set(name, [Math.min(least, size), Math.max(most, size)])
  }
}

function isListed(schema: unknown, value: unknown): boolean {
  if (!isObject(schema) || (typeof value === 'object' && value !== null)) return false
  return (
    ['enum', 'x-extensible-enum'].some((keyword) => listOf(readOwn(schema, keyword)).includes(value)) || schema['const'] === value
  )
}

/** An alternative by the end of its reference, else by its number from 0. */
export function nameAlternative({ value, pointer, name }: Pick<SchemaPlace, 'value' | 'pointer' | 'name'>): string {
  const reference = readText(value, '$ref') ?? (name === undefined ? pointer : undefined)
  return reference?.replace(/^.*[/#]/s, '') ?? String(name)
}

import type { JsonObject } from '../text/is-object.ts'
import type { SchemaTarget, SchemaView, TypePart } from './types.ts'

/** What of a schema decides about its type's words. */
export interface TypeInput {
  readonly keywords: JsonObject
  /** The name of the schema, where a `$ref` leads to a named one. */
  readonly target: SchemaTarget | undefined
  readonly items: SchemaView | undefined
  readonly prefixItems: readonly SchemaView[]
  /** What the keys without a name have. */
  readonly values: SchemaView | undefined
  readonly hasProperties: boolean
  readonly hasChoices: boolean
  readonly isNullable: boolean
}

/**
 * A type in words: `string · date-time`, `array of Label`, `object or null`, `enum of strings`.
 *
 * Where `type` is not written it is told from the other keywords; `any` where nothing tells.
 */
export function toType(input: TypeInput): TypePart[] {
  const { keywords, isNullable } = input
  const written = keywords['type']
  const types = (Array.isArray(written) ? written : [written]).filter(
    (type): type is string => typeof type === 'string' && type !== 'null',
  )
  const named = types.length > 0 ? types : guessTypes(input)
  const words = named.map((type) => toWords(type, named.length, input))
  const parts = join(words, words.length > 2 ? ', ' : ' or ')
  if (parts.length === 0 && input.hasChoices) parts.push({ text: 'one of several', target: undefined })
  if (isNullable) parts.push({ text: parts.length === 0 ? 'null' : ' or null', target: undefined })
  if (parts.length === 0) parts.push({ text: 'any', target: undefined })
  return mergeTexts(parts)
}

function guessTypes({ keywords, items, prefixItems, hasProperties, hasChoices }: TypeInput): string[] {
  if (hasProperties || 'additionalProperties' in keywords || 'patternProperties' in keywords) return ['object']
  if (items !== undefined || prefixItems.length > 0) return ['array']
  if (hasChoices) return []
  const values = Array.isArray(keywords['enum']) ? keywords['enum'] : 'const' in keywords ? [keywords['const']] : []
  const kinds = [...new Set(values.filter((value) => value !== null).map(kindOf))]
  if (kinds.length > 0) return kinds
  if ('pattern' in keywords || 'minLength' in keywords || 'maxLength' in keywords || typeof keywords['format'] === 'string')
    return ['string']
  return 'minimum' in keywords || 'maximum' in keywords || 'multipleOf' in keywords ? ['number'] : []
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function toWords(type: string, count: number, input: TypeInput): TypePart[] {
  const { keywords, target, items, prefixItems, values, hasProperties } = input
  if (type === 'array') {
    if (prefixItems.length > 0) return [{ text: `list of ${prefixItems.length}${items ? ' and more' : ''}`, target: undefined }]
    return items ? [{ text: 'array of ', target: undefined }, ...toElementType(items)] : [{ text: 'array', target: undefined }]
  }
  if (type === 'object' && values && !target && !hasProperties)
    return [{ text: 'map of string to ', target: undefined }, ...toValueType(values)]
  if (type === 'object') return target ? [{ text: target.name, target }] : [{ text: 'object', target: undefined }]
  if (count === 1 && Array.isArray(keywords['enum'])) return [{ text: `enum of ${type}s`, target: undefined }]
  if (count === 1 && 'const' in keywords) return [{ text: 'constant', target: undefined }]
  const format = keywords['format']
  return [{ text: count === 1 && typeof format === 'string' ? `${type} · ${format}` : type, target: undefined }]
}

/** What stands for a schema inside another type: its name, where it has one. */
function toValueType({ type, target }: SchemaView): readonly TypePart[] {
  return target && type.every((part) => part.target === undefined) ? [{ text: target.name, target }] : type
}

/** The elements of a list in the plural where they are plain. */
function toElementType({ type, target }: SchemaView): readonly TypePart[] {
  if (target && type.every((part) => part.target === undefined)) return [{ text: target.name, target }]
  const [only] = type
  if (type.length === 1 && only && !only.target && /^(?:string|number|integer|boolean|object)$/.test(only.text)) {
    return [{ text: `${only.text}s`, target: undefined }]
  }
  return type
}

function join(lists: readonly (readonly TypePart[])[], separator: string): TypePart[] {
  return lists.flatMap((list, index) => {
    const before = index === 0 ? [] : [{ text: index === lists.length - 1 ? ' or ' : separator, target: undefined }]
    return [...before, ...list]
  })
}

function mergeTexts(parts: readonly TypePart[]): TypePart[] {
  const merged: TypePart[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (last && !last.target && !part.target) merged[merged.length - 1] = { text: last.text + part.text, target: undefined }
    else merged.push(part)
  }
  return merged
}

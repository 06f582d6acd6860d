import { formatMessage } from '../messages/format-message.ts'
import { english, type Messages } from '../messages/messages.ts'
import type { SchemaView, TypePart } from './types.ts'

// The types of schemas are parts that each language has its own words for. Names of JSON Schema and of the document are the same in all.

/** A name, or what is between names. */
export const textPart = (text: string): TypePart => ({ kind: 'text', text })

const orPart: TypePart = { kind: 'word', word: 'or' }

/** Whether a type ends with `null`. */
export function endsWithNull(type: readonly TypePart[]): boolean {
  const last = type.at(-1)
  return last?.kind === 'text' && last.text === 'null'
}

/** Adds `or null` to a type that does not say so. */
export function addNull(type: readonly TypePart[]): TypePart[] {
  if (endsWithNull(type)) return [...type]
  return type.length === 0 ? [textPart('null')] : [...type, orPart, textPart('null')]
}

/** Joins types, the last one by `or`. */
export function joinTypes(types: readonly (readonly TypePart[])[], separator: TypePart = orPart): TypePart[] {
  return types.flatMap((type, index) => {
    const before = index === 0 ? [] : [index === types.length - 1 ? orPart : separator]
    return [...before, ...type]
  })
}

/** Whether a type says that a value is a list. */
export function isListType(type: readonly TypePart[]): boolean {
  return type.some((part) => part.kind === 'arrayOf' || part.kind === 'listOf' || (part.kind === 'text' && part.text === 'array'))
}

/** A part of a type in words. */
export function toTypeWords(part: TypePart, { schema, language }: Messages): string {
  // Other languages do not form the plural of an English word.
  const plural = (type: string) => (language === english.language ? `${type}s` : type)
  switch (part.kind) {
    case 'schema':
      return part.target.name
    case 'text':
      return part.text
    case 'word':
      return part.word === 'or' ? ` ${schema.words.or} ` : schema.words[part.word]
    case 'plural':
      return plural(part.type)
    case 'enumOf':
      return formatMessage(schema.enumOf, { type: plural(part.type) }, language)
    case 'listOf': {
      const list = formatMessage(schema.listOf, { count: part.count }, language)
      return part.isOpen ? `${list} ${schema.words['and more']}` : list
    }
    default:
      return formatMessage(schema[part.kind], { type: '' }, language)
  }
}

/** A type in English, for the labels of choices. */
export function toTypeText({ type }: Pick<SchemaView, 'type'>): string {
  return type.map((part) => toTypeWords(part, english)).join('')
}

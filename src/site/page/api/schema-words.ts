import { formatMessage, formatNumber } from '../../messages/format-message.ts'
import type { Message, Messages } from '../../messages/messages.ts'

// The views of `site/reference` describe schemas in English, because Markdown and the search need them so. These functions translate the descriptions
// when a page shows them. Names and values of the document are not translated.

type Words = Messages['schema']['words']

/** Translates a word such as `Default` or `At least one item`. */
function translateWord(text: string, { schema: { words, ifTrue, ifFalse } }: Messages): string {
  if (text === 'then') return ifTrue
  if (text === 'else') return ifFalse
  return isWord(text, words) ? words[text] : text
}

function isWord(text: string, words: Words): text is keyof Words {
  return Object.hasOwn(words, text)
}

/** Translates the label of a value, such as `Default` or ``With `name` ``. */
export function translateLabel(label: string, messages: Messages): string {
  const { schema, language } = messages
  const [, name, requires] = /^With (.+?)( requires)?$/s.exec(label) ?? []
  if (name === undefined) return translateWord(label, messages)
  return formatMessage(requires === undefined ? schema.withKey : schema.withKeyRequires, { name }, language)
}

/** A type within other words ends before these. The format of a type is a name of the document. */
const typeWords =
  /( · [^\s,]+)|(array of |map of string to )|enum of (\w+)s\b|list of (\d+)( and more)?|( or )|\b(one of several|several types)\b|\b(string|number|integer|boolean|object)s\b|\b(any|nothing|constant)\b/g

/** Translates the words of a type without names of schemas: `array of strings`, `string · date-time or null`. */
export function translateType(text: string, messages: Messages): string {
  const { schema, language } = messages
  if (language === 'en') return text
  return text.replace(typeWords, (found, ...groups) => {
    const [format, container, listed, count, more, or, several, scalar, whole] = groups as (string | undefined)[] // Strings, then numbers.
    if (format !== undefined) return format
    // The rest of the type follows.
    if (container !== undefined)
      return formatMessage(container === 'array of ' ? schema.arrayOf : schema.mapTo, { type: '' }, language)
    if (listed !== undefined) return formatMessage(schema.enumOf, { type: listed }, language)
    if (count !== undefined) {
      const list = formatMessage(schema.listOf, { count: Number(count) }, language)
      return more === undefined ? list : `${list} ${schema.words['and more']}`
    }
    if (or !== undefined) return ` ${schema.words.or} `
    // Other languages do not form the plural of an English word.
    return scalar ?? translateWord(several ?? whole ?? found, messages)
  })
}

const units = { character: 'characters', item: 'items', match: 'matches', key: 'keys' } as const

/** Translates a limit: `1–100 characters`, `At least 3, less than 10`, `Unique items`. */
export function translateFact(text: string, messages: Messages): string {
  const { schema, language } = messages
  if (language === 'en' || isWord(text, schema.words)) return translateWord(text, messages)
  const [, bound = '', min = '', max, unit] =
    /^(At least |At most )?([\d,]+)(?:–([\d,]+))? (character|item|match|key)(?:e?s)?$/.exec(text) ?? []
  if (unit !== undefined) {
    const message: Message = schema[units[unit as keyof typeof units]] // One of the names in the pattern.
    const counted = formatMessage(message, { count: toNumber(max ?? min) }, language)
    if (max !== undefined)
      return counted.replace(formatNumber(toNumber(max), language), (shown) => `${toShown(min, language)}–${shown}`)
    if (bound === '') return counted
    return formatMessage(bound === 'At least ' ? schema.atLeast : schema.atMost, { value: counted }, language)
  }
  const [, from, to] = /^(\S+) to (\S+)$/.exec(text) ?? []
  if (from !== undefined && to !== undefined)
    return formatMessage(schema.between, { min: toShown(from, language), max: toShown(to, language) }, language)
  const [first, second] = text.split(', ').map((part) => translateBound(part, messages))
  if (first === undefined) return text
  if (second === undefined) return first
  return formatMessage(schema.both, { first, second: second.charAt(0).toLowerCase() + second.slice(1) }, language)
}

const bounds = {
  'a multiple of': 'multipleOf',
  exactly: 'exactly',
  'at least': 'atLeast',
  'at most': 'atMost',
  'more than': 'moreThan',
  'less than': 'lessThan',
} as const

function translateBound(text: string, { schema, language }: Messages): string | undefined {
  const [, name, value] = /^(a multiple of|exactly|at least|at most|more than|less than) (\S+)$/i.exec(text) ?? []
  if (name === undefined || value === undefined) return undefined
  const message = schema[bounds[name.toLowerCase() as keyof typeof bounds]] // One of the names in the pattern.
  return formatMessage(message, { value: toShown(value, language) }, language)
}

/** Numbers of a document keep their form, except for commas between thousands. */
function toShown(text: string, language: string): string {
  return /^-?\d{1,3}(?:,\d{3})+$/.test(text) ? formatNumber(toNumber(text), language) : text
}

function toNumber(text: string): number {
  return Number(text.replaceAll(',', ''))
}

/** Translates the place where a schema is used: `body`, `property owner`, `response 200`, `callback header X-Id`. */
export function translatePlace(place: string, messages: Messages): string {
  const { schema, language } = messages
  if (language === 'en' || isWord(place, schema.words)) return translateWord(place, messages)
  const [, kind, name = ''] = /^(property|parameter|header|response|callback|by) (.*)$/s.exec(place) ?? []
  if (kind === undefined) return place
  if (kind === 'callback') return formatMessage(schema.callback, { place: translatePlace(name, messages) }, language)
  const message = schema[kind as 'property' | 'parameter' | 'header' | 'response' | 'by'] // One of the names in the pattern.
  return formatMessage(message, { name }, language)
}

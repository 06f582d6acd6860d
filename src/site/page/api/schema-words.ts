import type { NumberLimit } from '../../../model/schema.ts'
import { toExactNumber } from '../../../text/json/json-values.ts'
import { formatMessage, formatNumber } from '../../messages/format-message.ts'
import type { Messages } from '../../messages/messages.ts'
import type { SchemaFact, UsePlace } from '../../reference/types.ts'

// The views of `site/reference` name types, labels and places in English. These functions translate them when a page shows them, and write limits in words. Names and values of the document are not translated.

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

/** Translates the label of a value or of a condition, such as `Default` or, with a key, ``With `key` ``. */
export function translateLabel({ label, key }: { readonly label: string; readonly key?: string }, messages: Messages): string {
  if (key === undefined) return translateWord(label, messages)
  const { withKey, withKeyRequires } = messages.schema
  const isRequired = label === 'Requires'
  return formatMessage(isRequired ? withKeyRequires : withKey, { name: isRequired ? key : `\`${key}\`` }, messages.language)
}

/** A limit in words: `1–100 characters`, `At least 3, less than 10`, `Unique items`. */
export function toFactWords(fact: Exclude<SchemaFact, { readonly kind: 'value' }>, messages: Messages): string {
  const { schema, language } = messages
  if (fact.kind === 'words') return schema.words[fact.text]
  if (fact.kind === 'multipleOf') return formatMessage(schema.multipleOf, { value: fact.value }, language)
  return fact.kind === 'count' ? toCountWords(fact, messages) : toIntervalWords(fact, messages)
}

function toCountWords({ unit, min, max }: FactOf<'count'>, { schema, language }: Messages): string {
  const counted = formatMessage(schema[unit], { count: max ?? min ?? 0 }, language)
  if (max === undefined) return formatMessage(schema.atLeast, { value: counted }, language)
  if (min === undefined) return formatMessage(schema.atMost, { value: counted }, language)
  return min === max
    ? counted
    : counted.replace(formatNumber(max, language), (shown) => `${formatNumber(min, language)}–${shown}`)
}

function toIntervalWords({ min, max }: FactOf<'interval'>, { schema, language }: Messages): string {
  // Numbers of a document keep their form, except for large ones.
  const show = ({ written }: NumberLimit) =>
    typeof written === 'number' && Math.abs(written) >= 10_000 && Math.abs(written) < 1e15
      ? formatNumber(written, language)
      : String(written)
  if (min && max && !min.isExclusive && !max.isExclusive) {
    if (toExactNumber(min.written) === toExactNumber(max.written))
      return formatMessage(schema.exactly, { value: show(min) }, language)
    return formatMessage(schema.between, { min: show(min), max: show(max) }, language)
  }
  const [first = '', second] = [
    ...(min ? [formatMessage(min.isExclusive ? schema.moreThan : schema.atLeast, { value: show(min) }, language)] : []),
    ...(max ? [formatMessage(max.isExclusive ? schema.lessThan : schema.atMost, { value: show(max) }, language)] : []),
  ]
  if (second === undefined) return first
  return formatMessage(schema.both, { first, second: second.charAt(0).toLowerCase() + second.slice(1) }, language)
}

type FactOf<Kind> = Extract<SchemaFact, { readonly kind: Kind }>

/** Translates the place where a schema is used: `body`, `property owner`, `response 200`, `callback header X-Id`. */
export function translatePlace({ kind, name, isCallback }: UsePlace, messages: Messages): string {
  const { schema, language } = messages
  const place = kind === 'word' ? translateWord(name, messages) : formatMessage(schema[kind], { name }, language)
  return isCallback ? formatMessage(schema.callback, { place }, language) : place
}

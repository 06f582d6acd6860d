import type { Message } from './messages.ts'

type Values = Readonly<Record<string, string | number>>

/**
 * Fills the placeholders of a message. Numbers are written as in the language, with the digits 0 to 9. Values are not escaped.
 *
 * @param language The language of the message, which also selects the form for `count`.
 */
export function formatMessage(message: Message, values: Values, language: string): string {
  const count = Number(values['count'] ?? 0)
  const text = typeof message === 'string' ? message : (message[toCategory(count, language)] ?? message.other)
  return fillMessage(text, (name) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return typeof value === 'number' ? formatNumber(value, language) : value
  }).join('')
}

/** Splits a message at its placeholders and puts parts in their place, such as elements. A placeholder without a part stays. */
export function fillMessage<Part>(text: string, partOf: (name: string) => Part | undefined): (string | Part)[] {
  return text.split(/\{(\w+)\}/).map((piece, index) => (index % 2 === 1 ? (partOf(piece) ?? `{${piece}}`) : piece))
}

/** Creating these is slow. The languages are those of the interface, so there are few. */
const rules = new Map<string, Intl.PluralRules>()
const formats = new Map<string, Intl.NumberFormat>()

function toCategory(count: number, language: string): Intl.LDMLPluralRule {
  if (language === 'en') return count === 1 ? 'one' : 'other'
  const known = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, known)
  return known.select(count)
}

/** Writes a number as in a language, with the digits 0 to 9 because code has them. */
export function formatNumber(value: number, language: string): string {
  // Most counts are small, and the same in all languages.
  if (Number.isInteger(value) && value >= 0 && value < 1_000) return String(value)
  const known = formats.get(language) ?? new Intl.NumberFormat(`${language}-u-nu-latn`, { maximumFractionDigits: 20 })
  formats.set(language, known)
  return known.format(value)
}

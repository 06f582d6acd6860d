import type { VNode } from 'preact'
import type { PlaygroundMessages, PluralMessage } from '../../site/messages/messages.ts'

/** An English text that has a translation. */
type Text = { [Key in keyof PlaygroundMessages]: PlaygroundMessages[Key] extends string ? Key : never }[keyof PlaygroundMessages]

/** The English text for all numbers except one. */
export type CountText = Exclude<keyof PlaygroundMessages, Text>

let translated: PlaygroundMessages | undefined

/** The language for numbers and times, with the digits 0 to 9 because code has them. `undefined` in English: that of the browser. */
export let textLanguage: string | undefined

/** Uses the texts of another language than English from now on. Called before the dialog is rendered. */
export function useTranslation(messages: PlaygroundMessages): void {
  translated = messages
  textLanguage = `${messages.language}-u-nu-latn`
}

/**
 * A text in the language of the page. The scripts contain the English texts, which are the keys of the others: with separate keys, the scripts would be
 * 2 kB larger.
 *
 * @param values The values of the placeholders, in the order of the English text.
 */
export function say(text: Text, ...values: readonly (string | number)[]): string {
  return fill(text, translated?.[text] ?? text, values)
}

/** Creating this is slow, and each row of a response has a number. */
let rules: Intl.PluralRules | undefined

/** A text with a number, `{count}`. */
export function sayCount(count: number, one: string, other: CountText): string {
  const forms: PluralMessage = translated?.[other] ?? { one, other }
  rules ??= new Intl.PluralRules(translated?.language ?? 'en')
  return fill(other, forms[rules.select(count)] ?? forms.other, [count])
}

/** Fills in the values. Not with `fillMessage`, which would be one more file. */
function fill(english: string, text: string, values: readonly (string | number)[]): string {
  const names = english.match(/\{\w+\}/g)
  return text.replace(/\{\w+\}/g, (name) => {
    const value = values[names?.indexOf(name) ?? -1] ?? name
    // Does not change strings.
    return translated ? value.toLocaleString(textLanguage) : String(value)
  })
}

/** A number with one decimal. */
export function sayDecimal(value: number): string {
  return value.toLocaleString(textLanguage ?? 'en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
}

/** A text with one placeholder, filled in with an element. */
export function sayWith(text: Parameters<typeof say>[0], element: VNode): readonly (string | VNode | undefined)[] {
  const [before, after] = say(text, mark).split(mark)
  return [before, element, after]
}

/** Not part of any text. */
const mark = '\0'

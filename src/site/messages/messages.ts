import english from '../../../locales/en.json' with { type: 'json' }

// The texts of the interface are data, in `locales`. The English file has the keys of all others.

/** The texts of the interface in one language. */
export type Messages = Translated<typeof english>

/** What the scripts of pages load for another language than English. */
export type ClientMessages = Messages['client'] & Pick<Messages, 'language'>

/** What the playground loads for another language than English. */
export type PlaygroundMessages = Messages['playground'] & Pick<Messages, 'language'>

/** A text of the interface. `{name}` is a placeholder. A text with a number has one form for each plural category of its language. */
export type Message = string | PluralMessage

/** The category of a number comes from `Intl.PluralRules`, and the number is `{count}`. `other` also replaces a missing form. */
export interface PluralMessage {
  readonly zero?: string
  readonly one?: string
  readonly two?: string
  readonly few?: string
  readonly many?: string
  readonly other: string
}

type Translated<Text> = Text extends string
  ? string
  : Text extends { readonly other: string }
    ? PluralMessage
    : { readonly [Key in keyof Text]: Translated<Text[Key]> }

export { english }

const loaded = new Map<string, Messages>()

/** `findMessages` finds these texts from now on. */
export function addMessages(primary: string, messages: Messages): void {
  loaded.set(primary, messages)
}

/**
 * Finds the texts for a language: those of its region or script, else of another one. For example, `pt-PT` has those of `pt-BR`, and `zh-Hant`
 * those of `zh-Hans`. English for all other languages, and for those that `loadMessages` has not read.
 *
 * @param language A BCP 47 tag.
 */
export function findMessages(language: string): Messages {
  return loaded.get(toPrimaryLanguage(language)) ?? english
}

export function toPrimaryLanguage(tag: string): string {
  return tag.replace(/-.*/, '').toLowerCase()
}

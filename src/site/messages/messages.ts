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

/** The other languages of the interface, by primary language. Their files are read by `loadMessages`. */
const translations: ReadonlyMap<string, () => Promise<{ readonly default: Messages }>> = new Map([
  ['de', () => import('../../../locales/de.json', { with: { type: 'json' } })],
  ['fr', () => import('../../../locales/fr.json', { with: { type: 'json' } })],
  ['es', () => import('../../../locales/es.json', { with: { type: 'json' } })],
  ['pt', () => import('../../../locales/pt-BR.json', { with: { type: 'json' } })],
  ['ja', () => import('../../../locales/ja.json', { with: { type: 'json' } })],
  ['zh', () => import('../../../locales/zh-Hans.json', { with: { type: 'json' } })],
  ['ko', () => import('../../../locales/ko.json', { with: { type: 'json' } })],
  ['ar', () => import('../../../locales/ar.json', { with: { type: 'json' } })],
  ['he', () => import('../../../locales/he.json', { with: { type: 'json' } })],
])

const loaded = new Map<string, Messages>()

/** Reads the texts of languages that `findMessages` will be asked for. English needs no file. */
export async function loadMessages(languages: Iterable<string>): Promise<void> {
  for (const language of new Set(Array.from(languages, toPrimaryLanguage))) {
    const load = translations.get(language)
    if (load && !loaded.has(language)) loaded.set(language, (await load()).default)
  }
}

/**
 * Finds the texts for a language: those of its region or script, else of another one. For example, `pt-PT` has those of `pt-BR`, and `zh-Hant`
 * those of `zh-Hans`. English for all other languages.
 *
 * @param language A BCP 47 tag.
 * @throws {Error} if `loadMessages` has not read the language.
 */
export function findMessages(language: string): Messages {
  const primary = toPrimaryLanguage(language)
  const messages = loaded.get(primary)
  if (!messages && translations.has(primary)) throw new Error(`The texts for ${language} are not loaded`)
  return messages ?? english
}

function toPrimaryLanguage(tag: string): string {
  return tag.replace(/-.*/, '').toLowerCase()
}

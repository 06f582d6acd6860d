import { addMessages, type Messages, toPrimaryLanguage } from './messages.ts'

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

/** Reads the texts of languages that `findMessages` will be asked for. English needs no file. */
export async function loadMessages(languages: Iterable<string>): Promise<void> {
  for (const language of new Set(Array.from(languages, toPrimaryLanguage))) {
    const load = translations.get(language)
    if (load) addMessages(language, (await load()).default)
  }
}

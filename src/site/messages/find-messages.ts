import { arabic } from './arabic.ts'
import { chinese } from './chinese.ts'
import { english, type Messages } from './english.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { hebrew } from './hebrew.ts'
import { japanese } from './japanese.ts'
import { korean } from './korean.ts'
import { portuguese } from './portuguese.ts'
import { spanish } from './spanish.ts'

/** The languages of the interface, English first. */
export const translations: readonly Messages[] = [
  english,
  german,
  french,
  spanish,
  portuguese,
  japanese,
  chinese,
  korean,
  arabic,
  hebrew,
]

const byLanguage = new Map(translations.map((messages) => [toPrimaryLanguage(messages.language), messages]))

/**
 * Finds the texts for a language: those of its region or script, else of another one. For example, `pt-PT` has those of `pt-BR`, and `zh-Hant`
 * those of `zh-Hans`. English for all other languages.
 *
 * @param language A BCP 47 tag.
 */
export function findMessages(language: string): Messages {
  return byLanguage.get(toPrimaryLanguage(language)) ?? english
}

function toPrimaryLanguage(tag: string): string {
  return tag.replace(/-.*/, '').toLowerCase()
}

import { readOwn } from '../../text/json/json-values.ts'
import { lazy } from '../../text/plain/lazy.ts'

/** Creating this takes 20 to 30 ms, and few projects name a language. */
const namesOf = lazy(() => new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }))

/**
 * Reads a BCP 47 tag, such as `pt-BR`. `docs.json` also uses the country codes `cn` and `jp`, which become `zh-Hans` and `ja`. `undefined` if the text is
 * not the tag of a known language.
 */
export function readLanguageTag(written: string): string | undefined {
  const tag = readOwn({ cn: 'zh-Hans', jp: 'ja' }, written.toLowerCase()) ?? written
  try {
    const { language, baseName } = new Intl.Locale(tag)
    // Other pairs of letters are no language. Longer names, such as `english`, are reserved.
    const isKnown = language.length === 3 || (language.length === 2 && namesOf().of(language) !== undefined)
    return isKnown ? baseName : undefined
  } catch {
    return undefined
  }
}

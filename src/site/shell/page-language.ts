import type { DivisionNode, SitePage } from '../types.ts'

/** The language of a page by the part of the navigation it is in, as BCP 47; absent where that has none. */
export function languageOf({ trail }: Pick<SitePage, 'trail'>): string | undefined {
  const label = trail.find((node): node is DivisionNode => node.kind === 'language')?.label
  return label === undefined ? undefined : toLanguageTag(label)
}

/** `cn` is how hosts of docs.json call Chinese. Labels that are no language tag are none. */
export function toLanguageTag(label: string): string | undefined {
  const tag = label === 'cn' ? 'zh-CN' : label
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

/** The name of a language in that language: `es` is `Español`. */
export function languageName(label: string): string {
  const tag = toLanguageTag(label)
  const name = tag === undefined ? undefined : new Intl.DisplayNames([tag], { type: 'language', fallback: 'none' }).of(tag)
  return name === undefined ? label : name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

export function isRightToLeft(language: string): boolean {
  return /^(?:ar|dv|fa|he|ks|ku|ps|sd|ug|ur|yi)(?:-|$)/i.test(language)
}

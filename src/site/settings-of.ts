import type { DivisionNode, SitePage, SiteSettings } from './types.ts'

/** The settings that count on a page: those of the language it is in where that has its own, else those of the site. */
export function settingsOf({ trail }: Pick<SitePage, 'trail'>, settings: SiteSettings): SiteSettings {
  const language = trail.find((node): node is DivisionNode => node.kind === 'language')
  const own = language && Object.hasOwn(settings.languages, language.label) ? settings.languages[language.label] : undefined
  return own ? { ...settings, ...own } : settings
}

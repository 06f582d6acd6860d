import type { SiteSettings } from './types.ts'

/** Every link and file that docs.json names for the whole site, as it is written. */
export function listSettingLinks({ logo, favicon, navbar, footer, fonts, metatags }: SiteSettings): string[] {
  return [
    ...[logo?.light, logo?.dark, logo?.href, favicon?.light, favicon?.dark, fonts.body?.source, fonts.heading?.source],
    ...[...navbar.links, ...(navbar.primary ? [navbar.primary] : []), ...footer.socials].map(({ href }) => href),
    ...footer.columns.flatMap(({ links }) => links.map(({ href }) => href)),
    ...Object.entries(metatags).flatMap(([name, content]) => (/^(?:og|twitter):image$/.test(name) ? [content] : [])),
  ].filter((href): href is string => href !== undefined)
}

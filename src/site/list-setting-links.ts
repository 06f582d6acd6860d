import type { SiteSettings } from './types.ts'

/** Every link and file that docs.json names for the whole site, as it is written. */
export function listSettingLinks({ logo, favicon, navbar, footer, fonts, metatags, languages }: SiteSettings): string[] {
  return [
    ...[logo?.light, logo?.dark, logo?.href, favicon?.light, favicon?.dark, fonts.body?.source, fonts.heading?.source],
    ...[{ navbar, footer }, ...Object.values(languages)].flatMap(listFrameLinks),
    ...Object.entries(metatags).flatMap(([name, content]) => (/^(?:og|twitter):image$/.test(name) ? [content] : [])),
  ].filter((href): href is string => href !== undefined)
}

function listFrameLinks({ navbar, footer }: Partial<Pick<SiteSettings, 'navbar' | 'footer'>>): string[] {
  const inNavbar = navbar ? [...navbar.links, ...(navbar.primary ? [navbar.primary] : [])] : []
  const inFooter = footer ? [...footer.socials, ...footer.columns.flatMap(({ links }) => links)] : []
  return [...inNavbar, ...inFooter].map(({ href }) => href)
}

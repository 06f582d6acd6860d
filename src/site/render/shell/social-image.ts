import { createSiteMemo, hashForName, type SiteContext } from '../site-context.ts'
import type { SitePage, SitePlan } from '../types.ts'

/** What is drawn on an image that other sites show next to a link. All texts can be drawn, see `canDraw`. */
export interface SocialImage {
  /** Relative to the output directory. The name has a hash of everything below. */
  readonly path: string
  readonly title: string
  /** Above the title. */
  readonly label: string | undefined
  /** Below the title. */
  readonly detail: string | undefined
  /** The background. White text is readable on it. */
  readonly color: string
}

/** Plans the image of a page, or of the site. Returns `undefined` if the name of the site has letters that cannot be drawn. */
export function planSocialImage(
  { plan, pageByRoute, socialImages }: Pick<SiteContext, 'plan' | 'pageByRoute' | 'socialImages'>,
  page: SitePage | undefined,
): SocialImage | undefined {
  if (!socialImages) return undefined
  // Generated pages such as the list of all pages have the image of the site.
  const isOwn = page && socialImages.of === 'pages' && page.route !== '' && pageByRoute.get(page.route) === page
  if (isOwn && canDraw(page.title)) return toImage(textsOfPage(page, plan), socialImages.color)
  const known = siteImageOf(plan)
  if (!known.has('site')) {
    const texts = textsOfSite(plan)
    known.set('site', texts && toImage(texts, socialImages.color))
  }
  return known.get('site')
}

const siteImageOf = createSiteMemo<'site', SocialImage | undefined>()

function toImage(texts: Omit<SocialImage, 'path' | 'color'>, color: string): SocialImage {
  const content = { ...texts, color }
  return { ...content, path: `_assets/social-${hashForName(JSON.stringify(content))}.png` }
}

function textsOfSite({ settings: { name, description } }: SitePlan): Omit<SocialImage, 'path' | 'color'> | undefined {
  return canDraw(name) ? { title: name, label: undefined, detail: keepDrawable(description) } : undefined
}

function textsOfPage({ title, subject, description }: SitePage, { settings }: SitePlan): Omit<SocialImage, 'path' | 'color'> {
  const call =
    subject.kind === 'operation' ? subject.target : subject.kind === 'endpoint' ? `${subject.method} ${subject.url}` : undefined
  return { title, label: keepDrawable(settings.name), detail: keepDrawable(call ?? description) }
}

/** The longest text that is drawn, in UTF-16 code units. */
const maxLength = 300

/** Latin, Greek and Cyrillic letters, and common signs. Other scripts have no glyphs in the font, or need shaping. */
const drawable = /^[\s!-~\u00a0-\u017f\u0386-\u03ce\u0400-\u045f\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac\u2122\u2190-\u2193]+$/

function canDraw(text: string): boolean {
  return text.length <= maxLength && drawable.test(text) && text.trim() !== ''
}

function keepDrawable(text: string | undefined): string | undefined {
  const short = text === undefined || text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`
  return short !== undefined && canDraw(short) ? short : undefined
}

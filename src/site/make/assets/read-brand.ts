import type { Finding } from '../../../diagnostics/diagnostic.ts'
import type { LookName } from '../../../docs/config/project-config.ts'
import type { Files } from '../../../files/files.ts'
import { escapeXml } from '../../../text/plain/escape-text.ts'
import { joinPath } from '../../../text/plain/paths.ts'
import { hashForName } from '../../page/site-context.ts'
import { renderBrand } from '../../page/theme/render-brand.ts'
import { chooseFonts } from '../../plan/looks.ts'
import { defaultBlockColor, planColors, readGround } from '../../plan/plan-colors.ts'
import { resolveLink } from '../../plan/site-links.ts'
import type { FontFile, FontFiles, SiteFile, SiteFont, SitePlan, SiteSettings } from '../../plan/types.ts'
import { readFontMetrics } from './font-metrics.ts'
import { readLook, readTextFont } from './read-site-assets.ts'

/** The most bytes of a font. Fonts for Chinese with all weights have about 10 MB. */
const maxBytes = 16 * 1024 * 1024

interface BrandOptions {
  /** The docs directory, relative to the boundary. */
  readonly root: string
  readonly base: string
  /** Whether a site without a favicon gets one. */
  readonly drawsFavicon: boolean
}

/** Reads the colors and fonts of a site, and renders the stylesheet with them. */
export async function readBrand(plan: SitePlan, look: LookName, { root, base, drawsFavicon }: BrandOptions, files: Files) {
  const { settings } = plan
  const colors = planColors(settings.colors, readGround(settings.background.color))
  const { fonts, files: fontFiles, findings } = await readFonts(root, chooseFonts(settings, look), files)
  const content = renderBrand(plan, { base, colors, fonts, look: readLook(look) })
  const brand = content === '' ? undefined : { path: `_assets/brand-${hashForName(content)}.css`, content }
  const favicon = drawsFavicon && !settings.favicon ? drawFavicon(settings.name, colors?.block ?? defaultBlockColor) : undefined
  return {
    colors,
    assets: { ...(brand && { brand: brand.path }), fonts, ...(favicon && { favicon: favicon.path }) },
    files: [...(brand ? [brand] : []), ...fontFiles, ...(favicon ? [favicon] : [])],
    findings,
  }
}

/**
 * Reads the fonts of a site. Their published names have a hash, so that browsers can keep them forever. Without a readable file, the site uses the font of
 * the system.
 *
 * @param root the docs directory, relative to the boundary.
 */
async function readFonts(root: string, { body, heading }: SiteSettings['fonts'], files: Files) {
  const published: SiteFile[] = []
  const findings: Finding[] = []
  const read = async (font: SiteFont): Promise<FontFile | undefined> => {
    const bytes = font === 'inter' ? readTextFont() : await readFile(font.source)
    if (!bytes) return undefined
    const extension = font === 'inter' ? 'woff2' : font.source.slice(font.source.lastIndexOf('.') + 1).toLowerCase()
    const file = { path: `_assets/font-${hashForName(bytes)}.${extension}`, content: new Uint8Array(bytes) }
    published.push(file)
    return { path: file.path, weight: font === 'inter' ? undefined : font.weight, metrics: readFontMetrics(file.content) }
  }
  const readFile = async (source: string): Promise<Uint8Array | undefined> => {
    const target = resolveLink(source, undefined, { hasPage: () => false, base: undefined })
    if (target.kind !== 'file') return undefined
    const path = joinPath(root, target.path)
    const result = await files.read(path, maxBytes)
    if (result.kind === 'file') return result.bytes
    if (result.kind === 'too-large') {
      findings.push({
        code: 'asset-refused',
        message: `Cannot publish \`${target.path}\`: fonts can have at most ${maxBytes / 1024 / 1024} MB`,
        file: path,
        pointer: '',
        offsets: { start: 0, end: 0 },
        hint: 'Reduce the font to the characters that you need, or save it as WOFF2',
      })
    }
    return undefined
  }
  const ofBody = body && (await read(body))
  const ofHeadings = heading && !isSame(body, heading) ? await read(heading) : undefined
  const fonts: FontFiles = { ...(ofBody && { body: ofBody }), ...(ofHeadings && { heading: ofHeadings }) }
  return { fonts, files: published, findings }
}

function isSame(one: SiteFont | undefined, other: SiteFont): boolean {
  if (one === 'inter' || other === 'inter') return one === other
  return one?.source === other.source && one.weight === other.weight
}

/** Draws a favicon: the first letter or digit of a title in white on a color. Returns `undefined` if there is none. */
function drawFavicon(title: string, color: string): SiteFile | undefined {
  const [letter] = /[\p{L}\p{N}]/u.exec(title) ?? []
  if (letter === undefined) return undefined
  const content = [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
    `<rect width="32" height="32" rx="7" fill="${escapeXml(color)}"/>`,
    '<text x="16" y="23" fill="#fff" font-family="system-ui,sans-serif" font-size="20" font-weight="600" text-anchor="middle">',
    escapeXml(letter.toUpperCase()),
    '</text></svg>\n',
  ].join('')
  return { path: `_assets/favicon-${hashForName(content)}.svg`, content }
}

import type { BrandColors } from '../../plan/plan-colors.ts'
import { contrast, darkGround, lightnessOf, parseColor, readGround } from '../../plan/plan-colors.ts'
import type { FontFiles, SitePlan, SiteSettings } from '../../plan/types.ts'
import type { SiteHosting } from '../site-context.ts'
import { hashForName } from '../site-context.ts'
import { renderFonts } from './font-faces.ts'

/** What the stylesheet of a site's brand is made from. */
interface Brand extends Pick<SiteHosting, 'base'> {
  readonly colors: BrandColors | undefined
  readonly fonts: FontFiles
  /** The stylesheet of the look; empty for the default one. */
  readonly look: string
}

/**
 * The stylesheet for the appearance settings of `docs.json`, loaded after site.css; empty if there are none. All values are validated: colors are
 * hexadecimal, font names are constant, and URLs are encoded.
 */
export function renderBrand({ settings }: Pick<SitePlan, 'settings'>, { base, colors, fonts, look }: Brand): string {
  const { background, styling, banner, languages } = settings
  const tokens: string[] = []
  if (colors) {
    tokens.push(`--accent:${both(colors.accent)}`, `--fill:${both(colors.fill)}`, `--fill-2:${both(colors.hover)}`)
    if (both(colors.onFill) !== '#ffffff') tokens.push(`--on-fill:${both(colors.onFill)}`, `--fill-block:${colors.block}`)
  }
  const ground = readGround(background.color)
  if (ground) tokens.push(`--bg:${both(ground)}`)
  if (ground && lightnessOf(parseColor(ground.dark)) < lightnessOf(parseColor(darkGround)))
    tokens.push(`--ground:${both({ ...ground, dark: darkGround })}`)
  const rules = [
    ...(look === '' ? [] : [look]),
    ...(tokens.length === 0 ? [] : [`:root{${tokens.join(';')}}`]),
    ...renderFonts({ base }, fonts),
    ...(background.decoration === 'gradient'
      ? [
          'body{background-image:linear-gradient(color-mix(in oklab,var(--accent) 6%,var(--bg)),var(--bg) 480px);background-repeat:no-repeat}',
        ]
      : []),
    ...[banner, ...Object.values(languages).map((own) => own.banner)].flatMap(renderBannerColor),
    ...(styling.codeblocks === 'dark' ? ['.code{color-scheme:dark;color:var(--ink);background:var(--well)}'] : []),
  ]
  return rules.length === 0 ? '' : `${rules.join('\n')}\n`
}

/** The color of a banner, with text that is readable on it. */
function renderBannerColor(banner: SiteSettings['banner']): string[] {
  if (!banner?.color) return []
  const { light, dark } = banner.color
  const textOn = (color: string) => (contrast(parseColor('#ffffff'), parseColor(color)) >= 4.5 ? '#ffffff' : '#12151c')
  const selector = `.banner.b-${bannerId(banner)}`
  return [
    `${selector}{background:${both(banner.color)};color:${both({ light: textOn(light), dark: textOn(dark) })}}`,
    `${selector} :is(a,button){color:inherit}`,
    `${selector} a{text-decoration:underline}`,
  ]
}

/** Identifies the text of a banner, so that the browser can remember that the reader closed it. */
export function bannerId({ content }: Pick<NonNullable<SiteSettings['banner']>, 'content'>): string {
  return hashForName(content)
}

function both({ light, dark }: { readonly light: string; readonly dark: string }): string {
  return light === dark ? light : `light-dark(${light},${dark})`
}

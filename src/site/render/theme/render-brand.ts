import { bannerId } from '../shell/header.tsx'
import type { SiteContext } from '../site-context.ts'
import type { FontFiles, SiteSettings } from '../types.ts'
import { renderFonts } from './font-faces.ts'
import type { BrandColors } from './plan-colors.ts'
import { type Color, contrast, darkGround, lightnessOf, parseColor } from './plan-colors.ts'

/** `--dim` of tokens.css, the text color with the lowest contrast, for each theme. */
const dimText = { light: parseColor('#5d6576'), dark: parseColor('#929aaa') } as const

/** What the stylesheet of a site's brand is made from. */
interface Brand {
  readonly colors: BrandColors | undefined
  readonly fonts: FontFiles
  /** The stylesheet of the look; empty for the default one. */
  readonly look: string
}

/**
 * The stylesheet for the appearance settings of `docs.json`, loaded after site.css; empty if there are none. All values are validated: colors are
 * hexadecimal, font names are constant, and URLs are encoded.
 */
export function renderBrand(context: Pick<SiteContext, 'plan' | 'base'>, { colors, fonts, look }: Brand): string {
  const { background, styling, banner, languages } = context.plan.settings
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
    ...renderFonts(context, fonts),
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

/** Whether all text is readable on a background color. */
export function isReadableGround(color: string, theme: 'light' | 'dark'): boolean {
  const ground: Color = parseColor(color)
  return contrast(dimText[theme], ground) >= 4.5
}

/** The background of pages from `docs.json` where all text is readable on it. `undefined` without one. */
export function readGround({ light, dark }: SiteSettings['background']['color']) {
  const own = {
    light: light !== undefined && isReadableGround(light, 'light') ? light : undefined,
    dark: dark !== undefined && isReadableGround(dark, 'dark') ? dark : undefined,
  }
  return own.light === undefined && own.dark === undefined
    ? undefined
    : { light: own.light ?? '#fff', dark: own.dark ?? darkGround }
}

function both({ light, dark }: { readonly light: string; readonly dark: string }): string {
  return light === dark ? light : `light-dark(${light},${dark})`
}

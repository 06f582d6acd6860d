import { bannerId } from '../shell/header.tsx'
import { resolveHref, type SiteContext } from '../site-context.ts'
import type { SiteFont, SiteSettings } from '../types.ts'
import type { BrandColors } from './plan-colors.ts'
import { type Color, contrast, darkGround, lightnessOf, parseColor } from './plan-colors.ts'

/** `--dim` of tokens.css, the text color with the lowest contrast, for each theme. */
const dimText = { light: parseColor('#5d6576'), dark: parseColor('#929aaa') } as const

/**
 * The stylesheet for the appearance settings of `docs.json`, loaded after site.css; empty if there are none. All values are validated: colors are
 * hexadecimal, font names are constant, and URLs are encoded.
 */
export function renderBrand(
  context: Pick<SiteContext, 'plan' | 'pageByRoute' | 'base'>,
  colors: BrandColors | undefined,
): string {
  const { fonts, background, styling, banner, languages } = context.plan.settings
  const tokens: string[] = []
  if (colors) {
    tokens.push(`--accent:${both(colors.accent)}`, `--fill:${both(colors.fill)}`, `--fill-2:${both(colors.hover)}`)
    if (both(colors.onFill) !== '#ffffff') tokens.push(`--on-fill:${both(colors.onFill)}`, `--fill-block:${colors.block}`)
  }
  const ground = readGround(background.color)
  if (ground) tokens.push(`--bg:${both(ground)}`)
  if (ground && lightnessOf(parseColor(ground.dark)) < lightnessOf(parseColor(darkGround)))
    tokens.push(`--ground:${both({ ...ground, dark: darkGround })}`)
  const named = [
    { font: fonts.body, family: 'site-body', token: '--sans' },
    { font: fonts.heading, family: 'site-heading', token: '--headings' },
  ] as const
  const faces = named.flatMap(({ font, family }) => (font ? [renderFace(context, font, family)] : []))
  if (fonts.body) tokens.push('--sans:site-body,system-ui,sans-serif')
  const rules = [
    ...faces,
    ...(tokens.length === 0 ? [] : [`:root{${tokens.join(';')}}`]),
    ...(fonts.heading ? [':is(h1,h2,h3){font-family:site-heading,var(--sans)}'] : []),
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

/** `font-display: optional` avoids layout shifts: a font that loads late is used from the next page on. */
function renderFace(
  context: Pick<SiteContext, 'plan' | 'pageByRoute' | 'base'>,
  { source, weight }: SiteFont,
  family: string,
): string {
  const format = /\.woff2$/i.test(source)
    ? 'woff2'
    : /\.woff$/i.test(source)
      ? 'woff'
      : /\.otf$/i.test(source)
        ? 'opentype'
        : 'truetype'
  const href = fontHref(context, source)
  return `@font-face{font-family:${family};src:url("${href}") format("${format}");font-weight:${weight ?? '100 900'};font-display:optional}`
}

/** The URL of a font, escaped for a CSS string. */
export function fontHref(context: Pick<SiteContext, 'plan' | 'pageByRoute' | 'base'>, source: string): string {
  return resolveHref(context, source, undefined).replace(
    /["\\()\s]/g,
    (found) => `%${found.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

function both({ light, dark }: { readonly light: string; readonly dark: string }): string {
  return light === dark ? light : `light-dark(${light},${dark})`
}

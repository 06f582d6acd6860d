import {
  clampRgb,
  converter,
  differenceEuclidean,
  formatHex,
  interpolate,
  modeLrgb,
  modeOklab,
  modeRgb,
  type Oklab,
  type Rgb,
  useMode,
  wcagContrast,
} from 'culori/fn'
import type { SiteSettings } from './types.ts'

for (const mode of [modeRgb, modeLrgb, modeOklab]) useMode(mode as typeof modeRgb)
const toRgb = converter('rgb')
const toLinear = converter('lrgb')
const toOklab = converter('oklab')

/** The colors of a site, for the light and the dark theme. */
export interface BrandColors {
  /** Links and current items. */
  readonly accent: { readonly light: string; readonly dark: string }
  /** The background of buttons. */
  readonly fill: { readonly light: string; readonly dark: string }
  readonly hover: { readonly light: string; readonly dark: string }
  /** Text on buttons. */
  readonly onFill: { readonly light: string; readonly dark: string }
  /** The background of blocks with white text, in both themes. */
  readonly block: string
  /** Colors from `docs.json` that were changed because text would not be readable. */
  readonly adjustedColors: readonly AdjustedColor[]
}

interface AdjustedColor {
  /** Its key in `colors`. */
  readonly key: 'primary' | 'light' | 'dark'
  readonly from: string
  readonly to: string
  /** The lowest contrast of the original color. */
  readonly contrast: number
  readonly use: string
}

/** The required contrast for text of any size. Source: WCAG 2.2, 1.4.3. */
const minContrast = 4.5

/** A button that differs less from the page is not seen as a button. */
const minButtonContrast = 1.5
/** A light button is also seen by its hue, such as yellow on white. The distance in OKLab. */
const minHueDistance = 0.15
/** Brand colors with less contrast to white are light: their buttons keep the color, with dark text. */
const minWhiteContrast = 3

/** `--bg` of tokens.css in the dark theme. */
export const darkGround = '#0e1116'

/** The background of blocks with white text on sites without colors: `--fill` of tokens.css in the light theme. */
export const defaultBlockColor = '#2548c4'

/** The backgrounds of links: `--bg` and `--hover` of tokens.css. */
const grounds = {
  light: { bg: parseColor('#ffffff'), hover: parseColor('#eef0f4') },
  dark: { bg: parseColor(darkGround), hover: parseColor('#1d222b') },
} as const
const white = parseColor('#ffffff')
/** `--ink` of tokens.css in the light theme. */
const ink = '#12151c'
/** `--ink` of the theme in which colors become darker or lighter. */
const texts = { [-1]: ink, 1: '#eceef2' } as const

/**
 * Creates the colors of a site from `colors` of `docs.json`. Links and buttons of the light theme use `primary`. In the dark theme, links use `light` and
 * buttons use `dark`, which is also the hover color. If the contrast of a color is too low, changes its lightness. Buttons of a light color have dark text.
 * Dark buttons that look like the page behind them become pale, also with dark text.
 *
 * @param page The backgrounds of pages.
 * @returns `undefined` without `primary`.
 */
export function planColors(
  { primary, light, dark }: SiteSettings['colors'],
  page: { readonly light: string; readonly dark: string } = { light: '#ffffff', dark: darkGround },
): BrandColors | undefined {
  if (primary === undefined) return undefined
  const moved: AdjustedColor[] = []
  const use = (
    key: AdjustedColor['key'] | undefined,
    from: string,
    purpose: string,
    measure: (color: Color) => number,
    direction: 1 | -1,
  ) => {
    const color = parseColor(from)
    // Gray links would be dimmer than the text around them.
    const to = purpose !== 'buttons' && isGray(color) ? texts[direction] : formatColor(adjustLightness(color, measure, direction))
    if (measure(color) < minContrast && key !== undefined && !moved.some((one) => one.key === key && one.use === purpose)) {
      moved.push({ key, from, to, contrast: measure(color), use: purpose })
    }
    return measure(color) >= minContrast ? formatColor(color) : to
  }
  const onLight = readsOn(grounds.light)
  const onDark = readsOn(grounds.dark)
  const underWhite = (color: Color) => contrast(color, white)
  const ofDark = dark ?? primary
  const toFill = (key: 'dark' | undefined, from: string) =>
    isLight(from) ? formatColor(parseColor(from)) : use(key, from, 'buttons', underWhite, -1)
  const fillLight = toFill(undefined, primary)
  const fillDark = toFill(dark === undefined ? undefined : 'dark', ofDark)
  const buttons = { light: toButton(fillLight, page.light), dark: toButton(fillDark, page.dark) }
  const pointedAt = darker(parseColor(dark === undefined ? fillLight : fillDark))
  const toHover = ({ fill, text }: Button) =>
    formatColor(contrast(pointedAt, parseColor(text)) >= minContrast ? pointedAt : darker(parseColor(fill)))
  return {
    accent: {
      light: use('primary', primary, 'text', onLight, -1),
      dark: use(light === undefined ? undefined : 'light', light ?? primary, 'text in the dark theme', onDark, 1),
    },
    fill: { light: buttons.light.fill, dark: buttons.dark.fill },
    hover: { light: toHover(buttons.light), dark: toHover(buttons.dark) },
    onFill: { light: buttons.light.text, dark: buttons.dark.text },
    block: use(undefined, ofDark, 'buttons', underWhite, -1),
    adjustedColors: moved,
  }
}

interface Button {
  readonly fill: string
  readonly text: string
}

/** A button of this color. A light one becomes darker, and a dark one pale, if it would not be seen on the page. */
function toButton(fill: string, page: string): Button {
  const color = parseColor(fill)
  const ground = parseColor(page)
  if (isLight(fill)) return { fill: formatColor(darkenUntilSeen(color, ground)), text: ink }
  if (contrast(color, ground) >= minButtonContrast) return { fill, text: '#ffffff' }
  return { fill: formatColor(withLightness(color, 0.94)), text: ink }
}

/** Whether a color has almost no hue, such as black and white. */
function isGray(color: Color): boolean {
  const { a, b } = toOklab(color)
  return Math.hypot(a, b) < 0.02
}

function isLight(hex: string): boolean {
  return contrast(parseColor(hex), white) < minWhiteContrast
}

function darkenUntilSeen(color: Color, ground: Color): Color {
  const isSeen = (one: Color) => contrast(one, ground) >= minButtonContrast || distance(one, ground) >= minHueDistance
  let moved = color
  for (let step = 1; !isSeen(roundTrip(moved)) && step <= 100; step++)
    moved = withLightness(color, lightnessOf(color) - 0.01 * step)
  return moved
}

/** Measures the lowest contrast of text on the page, on hovered items, and on a tint of the text color. */
function readsOn({ bg, hover }: { readonly bg: Color; readonly hover: Color }) {
  return (color: Color) => Math.min(contrast(color, hover), contrast(color, mix(color, 0.09, bg)))
}

function adjustLightness(color: Color, measure: (color: Color) => number, direction: 1 | -1): Color {
  let moved = color
  for (let step = 1; measure(roundTrip(moved)) < minContrast && step <= 100; step++) {
    moved = withLightness(color, Math.min(1, Math.max(0, lightnessOf(color) + 0.01 * step * direction)))
  }
  return moved
}

/** The color after rounding, so that rounding does not reduce the contrast below the limit. */
function roundTrip(color: Color): Color {
  return parseColor(formatColor(color))
}

function darker(color: Color): Color {
  return withLightness(color, Math.max(0, lightnessOf(color) - 0.06))
}

/** sRGB components from 0 to 1. */
export type Color = Rgb

/** Parses `#rgb` or `#rrggbb`. */
export function parseColor(hex: string): Color {
  return toRgb(hex) ?? { mode: 'rgb', r: 0, g: 0, b: 0 }
}

/** Formats a color as `#rrggbb`. */
export const formatColor = (color: Color): string => formatHex(color)

/** The contrast ratio of two colors, from 1 to 21. Source: WCAG 2.2, "contrast ratio". */
export const contrast = (left: Color, right: Color): number => wcagContrast(left, right)

/** The distance of two colors in OKLab: 1 between black and white. */
export const distance: (left: Color, right: Color) => number = differenceEuclidean('oklab')

/** Mixes two colors in OKLab. `share` is the share of the first color, from 0 to 1. */
export function mix(color: Color, share: number, ground: Color): Color {
  return toColor(interpolate([ground, color], 'oklab')(share))
}

/** Sets the OKLCH lightness (0 to 1) of a color and keeps its hue. Reduces the chroma if the color is outside of the sRGB gamut. */
export function withLightness(color: Color, lightness: number): Color {
  const lab = { ...toOklab(color), l: lightness }
  for (let chroma = 1; chroma > 0; chroma -= 0.02) {
    const moved = { ...lab, a: lab.a * chroma, b: lab.b * chroma }
    const { r, g, b } = toLinear(moved)
    if ([r, g, b].every((part) => part >= -0.0005 && part <= 1.0005)) return toColor(moved)
  }
  return toColor({ ...lab, a: 0, b: 0 })
}

/** The OKLCH lightness of a color, from 0 to 1. */
export function lightnessOf(color: Color): number {
  return toOklab(color).l
}

function toColor(color: Oklab): Color {
  return clampRgb(toRgb(color))
}

/** Whether all text is readable on a background color. */
export function isReadableGround(color: string, theme: 'light' | 'dark'): boolean {
  return contrast(dimText[theme], parseColor(color)) >= 4.5
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

/** `--dim` of tokens.css, the text color with the lowest contrast, for each theme. */
const dimText = { light: parseColor('#5d6576'), dark: parseColor('#929aaa') } as const

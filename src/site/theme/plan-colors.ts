import type { SiteSettings } from '../types.ts'
import { type Color, contrast, formatColor, lightnessOf, mix, parseColor, withLightness } from './color.ts'

/** The colours of a site, each for the light and the dark theme. */
export interface BrandColors {
  /** Links and what is current. */
  readonly accent: { readonly light: string; readonly dark: string }
  /** Behind white text; `hover` while it is pointed at. */
  readonly fill: { readonly light: string; readonly dark: string }
  readonly hover: { readonly light: string; readonly dark: string }
  /** What docs.json asks for and text could not be read in, once each. */
  readonly moved: readonly MovedColor[]
}

interface MovedColor {
  /** Its key in `colors`. */
  readonly key: 'primary' | 'light' | 'dark'
  readonly from: string
  readonly to: string
  /** The least it has with the grounds it can stand on. */
  readonly contrast: number
  readonly use: string
}

/** What text of any size has to have. Source: WCAG 2.2, 1.4.3. */
const least = 4.5

/** The darkest ground of links in light, the lightest in dark: `--bg` and `--hover` of site.css. */
const grounds = {
  light: { bg: parseColor('#ffffff'), hover: parseColor('#eef0f4') },
  dark: { bg: parseColor('#0e1116'), hover: parseColor('#1d222b') },
} as const
const white = parseColor('#ffffff')

/**
 * Makes the colours of a site from `colors` of docs.json: `primary` for links and buttons in light, `light` for links in dark, `dark` for buttons in
 * dark and for pointing at them. A colour that cannot be read there is moved in lightness, hue and chroma kept, until it can. Absent without `primary`.
 */
export function planColors({ primary, light, dark }: SiteSettings['colors']): BrandColors | undefined {
  if (primary === undefined) return undefined
  const moved: MovedColor[] = []
  const use = (
    key: MovedColor['key'] | undefined,
    from: string,
    words: string,
    measure: (color: Color) => number,
    direction: 1 | -1,
  ) => {
    const color = parseColor(from)
    const to = formatColor(move(color, measure, direction))
    if (measure(color) < least && key !== undefined && !moved.some((one) => one.key === key && one.use === words)) {
      moved.push({ key, from, to, contrast: measure(color), use: words })
    }
    return measure(color) >= least ? formatColor(color) : to
  }
  const onLight = readsOn(grounds.light)
  const onDark = readsOn(grounds.dark)
  const underWhite = (color: Color) => contrast(color, white)
  const fillLight = use(undefined, primary, 'buttons', underWhite, -1)
  const fillDark = use(dark === undefined ? undefined : 'dark', dark ?? primary, 'buttons', underWhite, -1)
  const pointedAt = formatColor(darker(parseColor(dark === undefined ? fillLight : fillDark)))
  return {
    accent: {
      light: use('primary', primary, 'text', onLight, -1),
      dark: use(light === undefined ? undefined : 'light', light ?? primary, 'text in dark', onDark, 1),
    },
    fill: { light: fillLight, dark: fillDark },
    hover: { light: pointedAt, dark: pointedAt },
    moved,
  }
}

/** The least contrast of a text on the page, on what is pointed at, and on a tint of its own. */
function readsOn({ bg, hover }: { readonly bg: Color; readonly hover: Color }) {
  return (color: Color) => Math.min(contrast(color, hover), contrast(color, mix(color, 0.09, bg)))
}

function move(color: Color, measure: (color: Color) => number, direction: 1 | -1): Color {
  let moved = color
  for (let step = 1; measure(roundTrip(moved)) < least && step <= 100; step++) {
    moved = withLightness(color, Math.min(1, Math.max(0, lightnessOf(color) + 0.01 * step * direction)))
  }
  return moved
}

/** As it will be written: rounding must not take it below the bar again. */
function roundTrip(color: Color): Color {
  return parseColor(formatColor(color))
}

function darker(color: Color): Color {
  return withLightness(color, Math.max(0, lightnessOf(color) - 0.06))
}

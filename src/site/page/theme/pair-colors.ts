import { converter, modeHsl, modeHwb, modeLab, modeLch, modeOklab, modeOklch, modeRgb, parse, useMode } from 'culori/fn'
import { type Color, contrast, formatColor, lightnessOf, mix, parseColor, withLightness } from '../../plan/plan-colors.ts'

for (const mode of [modeRgb, modeHsl, modeHwb, modeLab, modeLch, modeOklab, modeOklch]) useMode(mode as typeof modeRgb)
const toRgb = converter('rgb')

/** The background and the text color of each theme: `--bg` and `--ink` of tokens.css. */
const themes = {
  light: { ground: parseColor('#ffffff'), ink: parseColor('#12151c') },
  dark: { ground: parseColor('#0e1116'), ink: parseColor('#eceef2') },
} as const
export type ThemeName = keyof typeof themes

/** The required contrast for text of any size. Source: WCAG 2.2, 1.4.3. */
const minContrast = 4.5
/** Text that has more contrast in one theme needs no more in the other. */
const enoughContrast = 12

/**
 * Makes the colors of an author readable in both themes. `declarations` are from `toAllowedStyle`.
 *
 * - A background without a text color gets the text color of the theme that it looks like, also for all elements inside.
 * - A text color without a background gets another lightness in the theme where it would not be readable.
 */
export function pairColors(declarations: string): string {
  if (!/(?:^|;)(?:color|background(?:-color|-image)?):/.test(declarations)) return declarations
  const last = new Map(declarations.split(';').map((declaration) => splitAt(declaration, declaration.indexOf(':'))))
  // The background is only visible through the text.
  if (/text/.test(last.get('background-clip') ?? last.get('-webkit-background-clip') ?? '')) return declarations
  const written = last.get('color')
  const grounds = ['background', 'background-color', 'background-image'].flatMap((name) => readGrounds(last.get(name) ?? ''))
  if (grounds.length > 0) {
    const theme = nearestTheme(grounds)
    return `color-scheme:${theme};${written === undefined ? 'color:var(--ink);' : ''}${declarations}`
  }
  const color = written === undefined ? undefined : readColor(written)
  if (written === undefined || color === undefined || color.alpha < 0.5) return declarations
  const both = toBothThemes(written, color.color)
  return both === written ? declarations : `${declarations};color:${both}`
}

/**
 * A text color that is also readable in the dark theme, as `light-dark()`. The light theme has the color as written. Returns `undefined` if the color is
 * readable or not known. `values` are its possible values in the dark theme, without variables.
 */
export function pairForDarkTheme(written: string, values: readonly string[]): string | undefined {
  const colors = values.map(readColor)
  const [first] = colors
  const isPale = (color: typeof first) =>
    color === undefined || color.alpha < 0.5 || contrast(color.color, themes.dark.ground) >= minContrast
  return first === undefined || colors.some(isPale) ? undefined : `light-dark(${written},${toReadable(first.color, 'dark')})`
}

const splitAt = (text: string, at: number): readonly [string, string] => [text.slice(0, at), text.slice(at + 1)]

/** The opaque colors in a background. */
export function readGrounds(value: string): Color[] {
  const written =
    value.match(/#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([^()]*\)|(?<![\w-])[a-z]{3,30}(?![\w(-])/gi) ?? []
  return written.slice(0, 20).flatMap((text) => {
    const found = readColor(text)
    return found !== undefined && found.alpha >= 0.5 ? [found.color] : []
  })
}

function readColor(text: string): { readonly color: Color; readonly alpha: number } | undefined {
  const rgb = toRgb(parse(text.toLowerCase()))
  if (rgb === undefined) return undefined
  const within = (part: number) => Math.min(1, Math.max(0, Number.isFinite(part) ? part : 0))
  return { color: { mode: 'rgb', r: within(rgb.r), g: within(rgb.g), b: within(rgb.b) }, alpha: rgb.alpha ?? 1 }
}

/** The theme whose text is more readable on all the colors. */
export function nearestTheme(grounds: readonly Color[]): ThemeName {
  const least = (theme: ThemeName) => Math.min(...grounds.map((ground) => contrast(themes[theme].ink, ground)))
  return least('light') >= least('dark') ? 'light' : 'dark'
}

/** The color, with another lightness in a theme where it would not be readable. */
function toBothThemes(written: string, color: Color): string {
  const [light, dark] = (['light', 'dark'] as const).map((theme) => {
    return contrast(color, themes[theme].ground) >= minContrast ? written : toReadable(color, theme)
  })
  return light === dark ? written : `light-dark(${light},${dark})`
}

/** The color with as much contrast in a theme as in the other one. */
function toReadable(color: Color, theme: ThemeName): string {
  const { ground, ink } = themes[theme]
  const other = themes[theme === 'light' ? 'dark' : 'light'].ground
  return formatColor(moveAway(color, ground, ink, Math.min(enoughContrast, Math.max(minContrast, contrast(color, other)))))
}

/** Changes the lightness of a color until it has the contrast. Bright colors become paler only as far as needed. */
function moveAway(color: Color, ground: Color, ink: Color, wanted: number): Color {
  const step = lightnessOf(ink) > lightnessOf(ground) ? 0.02 : -0.02
  let moved = color
  for (let count = 1; count <= 50 && contrast(moved, ground) < wanted; count++) {
    moved = withLightness(color, Math.min(1, Math.max(0, lightnessOf(color) + step * count)))
  }
  return contrast(moved, ground) >= minContrast ? moved : mix(color, 0, ink)
}

import table from '../../../../texts/utility-classes.json' with { type: 'json' }
import { readOwn } from '../../../text/json/json-values.ts'
import { toAllowedStyle } from '../../content/allowed/allowed-style.ts'
import type { SiteFile, SitePage } from '../../plan/types.ts'
import { hashForName } from '../site-context.ts'
import { pairForDarkTheme } from '../theme/pair-colors.ts'
import { articleClip, mayLeaveArticle } from './article-clip.ts'
import { renderNarrowRows } from './narrow-rows.ts'
import { readColorClass } from './palette.ts'

/** The condition under which a class applies. */
export type StyleVariant = '' | 'sm' | 'md' | 'lg' | 'dark' | 'children'

const widths: Readonly<Partial<Record<StyleVariant, number>>> = { sm: 640, md: 768, lg: 1024 }

/** All generated rules by class name. The name is a hash of the content, so a class never changes. */
const rules = new Map<string, GeneratedRule>()

interface GeneratedRule {
  readonly name: string
  readonly text: string
  readonly mayLeave: boolean
  /** `''` if the rule has a condition. */
  readonly declarations: string
}

/**
 * Creates a class for declarations, such as `s-1f0c92ab`. The Content Security Policy forbids `style` attributes, so `renderStyles` writes a stylesheet
 * with the classes of a page.
 *
 * `declarations` must be safe: from `toAllowedStyle` or constant.
 */
export function toStyleClass(declarations: string, variant: StyleVariant = ''): string {
  const name = `s-${hashForName(`${variant}|${declarations}`)}`
  if (!rules.has(name)) {
    const text = toRule(name, declarations, variant)
    rules.set(name, { name, text, mayLeave: mayLeaveArticle(declarations), declarations: variant === '' ? declarations : '' })
  }
  return name
}

/** The stylesheet for the generated classes of a page, in a stable order; `''` if it has none. */
export function renderStyles(html: string): string {
  if (rules.size === 0) return ''
  const names = new Set<string>()
  // Few names are in a page, so look for them first. Reading each `class` attribute takes much longer.
  for (const { 0: name, index } of html.matchAll(/\bs-[0-9a-f]{8}\b/g)) {
    if (!names.has(name) && rules.has(name) && isInClass(html, index)) names.add(name)
  }
  const found = [...names].flatMap((name) => rules.get(name) ?? [])
  // Conditional rules come last, so that they win.
  const order = (rule: string) => (rule.startsWith('.') ? 0 : rule.startsWith('@') ? 1 : 2)
  const sorted = found
    .map(({ text }) => text)
    .sort((a, b) => order(a) - order(b) || (a < b ? -1 : a > b ? 1 : 0))
    .join('')
  const narrow = renderNarrowRows(found.map(({ name, declarations }) => [name, declarations] as const).sort())
  return (found.some(({ mayLeave }) => mayLeave) ? articleClip : '') + sorted + narrow
}

/** No attribute with class names is longer. The search is bounded, because text can repeat a name. */
const maxClassLength = 10_000

/** Whether a position is inside of a `class` attribute. */
function isInClass(html: string, index: number): boolean {
  const before = html.slice(Math.max(0, index - maxClassLength), index)
  const quote = before.lastIndexOf('"')
  return quote !== -1 && before.slice(0, quote).endsWith(' class=')
}

/** Repeats the class in the selector to raise its specificity, so that it overrides other rules like `style` would. */
function toRule(name: string, declarations: string, variant: StyleVariant): string {
  const selector = `.${name}.${name}.${name}`
  if (variant === 'dark') {
    const bySystem = `@media (prefers-color-scheme:dark){:root:not([data-theme]) ${selector}{${declarations}}}`
    return `[data-theme=dark] ${selector}{${declarations}}${bySystem}\n`
  }
  if (variant === 'children') return `${selector}>*+*{${declarations}}\n`
  const width = widths[variant]
  const rule = `${selector}{${declarations}}`
  return width === undefined ? `${rule}\n` : `@media (min-width:${width.toString().padStart(4, '0')}px){${rule}}\n`
}

/**
 * Creates a class that sets `--c` to a color from a page, with another lightness in the dark theme if it would not be readable there. `undefined` if
 * the color is not valid.
 */
export function toColorClass(color: string | undefined, property: '--c' | 'background-color' = '--c'): string | undefined {
  const value = color === undefined ? '' : toAllowedStyle([['color', color.trim()]]).slice('color:'.length)
  if (!isColor.test(value)) return undefined
  return toStyleClass(`${property}:${property === '--c' ? (pairForDarkTheme(value, [value]) ?? value) : value}`)
}

/** A hexadecimal color, a color function, or a color name. */
const isColor = /^(?:#[0-9a-f]{3,8}|(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([\d\s.,%/a-z+-]*\)|[a-z]{3,30})$/i

/**
 * Translates a Tailwind class to its declaration and condition. Supports the classes that real pages use. Other classes are dropped, so that authors
 * cannot use the site's own classes.
 *
 * Source: Tailwind CSS (0.25rem per step).
 */
export function readUtility(token: string): { readonly variant: StyleVariant; readonly declaration: string } | undefined {
  const match = /^(?:(dark|sm|md|lg):)?!?(-?[a-zA-Z0-9./[\]%#-]+)$/.exec(token)
  if (!match) return undefined
  const [, variant = '', name = ''] = match
  const space = /^space-([xy])-(.+)$/.exec(name)
  if (space) {
    const length = variant === '' ? toLength(space[2] ?? '') : undefined
    return length === undefined
      ? undefined
      : { variant: 'children', declaration: `margin-${space[1] === 'x' ? 'left' : 'top'}:${length}` }
  }
  const declaration = readOwn(table.declarations, name) ?? readColorClass(name) ?? readMeasure(name)
  return declaration === undefined ? undefined : { variant: variant as StyleVariant, declaration } // The pattern allows only variants.
}

/** Reads classes such as `w-full`, `mt-4`, `h-[80px]`, `w-1/2`, `grid-cols-3` and `size-6`. */
function readMeasure(name: string): string | undefined {
  const columns = /^(grid-cols|col-span)-([1-9]|1[0-2])$/.exec(name)
  if (columns)
    return columns[1] === 'col-span'
      ? `grid-column:span ${columns[2]}`
      : `grid-template-columns:repeat(${columns[2]},minmax(0,1fr))`
  const number = /^(opacity|z)-(\d{1,3})$/.exec(name)
  if (number) return number[1] === 'z' ? `z-index:${number[2]}` : `opacity:${Number(number[2]) / 100}`
  const leading = /^leading-([3-9]|10)$/.exec(name)
  if (leading) return `line-height:${Number(leading[1]) / 4}rem`
  const square = /^size-(.+)$/.exec(name)
  const edge = square ? toLength(square[1] ?? '') : undefined
  if (edge !== undefined) return `width:${edge};height:${edge}`
  const match = /^((?:max-|min-)?[a-z]{1,6}(?:-[xy])?)-(.+)$/.exec(name)
  const property = readOwn(table.measures, match?.[1] ?? '')
  const value = property === undefined ? undefined : toLength(match?.[2] ?? '')
  return value === undefined ? undefined : `${property}:${value}`
}

function toLength(text: string): string | undefined {
  if (text === 'auto') return 'auto'
  if (text === 'full') return '100%'
  if (text === 'px') return '1px'
  if (text === 'fit') return 'fit-content'
  const written = /^\[(\d{1,4}(?:\.\d{1,3})?(?:px|rem|em|%))\]$/.exec(text)
  if (written) return written[1]
  const part = /^(\d{1,2})\/(\d{1,2})$/.exec(text)
  if (part && part[2] !== '0') return `${Number(((Number(part[1]) / Number(part[2])) * 100).toFixed(4))}%`
  return /^\d{1,3}(?:\.5)?$/.test(text) ? `${Number(text) / 4}rem` : undefined
}

/**
 * The stylesheet for the `style` and `class` attributes of one page, with a hash in its name; most pages have none. A stylesheet for the whole site would
 * change with every page, and showing one page would require building all.
 */
export function toStyleFiles({ route }: Pick<SitePage, 'route'>, html: string): readonly SiteFile[] {
  const content = renderStyles(html)
  if (content === '') return []
  return [{ path: `${route === '' ? 'index' : route}.${hashForName(content)}.css`, content }]
}

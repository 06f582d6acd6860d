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
  const declaration = readOwn(utilityDeclarations, name) ?? readColorClass(name) ?? readMeasure(name)
  return declaration === undefined ? undefined : { variant: variant as StyleVariant, declaration } // The pattern allows only variants.
}

const utilityDeclarations: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  relative: 'position:relative',
  absolute: 'position:absolute',
  '-translate-x-1/2': 'transform:translateX(-50%)',
  '-translate-y-1/2': 'transform:translateY(-50%)',
  block: 'display:block',
  inline: 'display:inline',
  'inline-block': 'display:inline-block',
  flex: 'display:flex',
  'inline-flex': 'display:inline-flex',
  grid: 'display:grid',
  hidden: 'display:none',
  'flex-col': 'flex-direction:column',
  'flex-row': 'flex-direction:row',
  'flex-wrap': 'flex-wrap:wrap',
  'flex-1': 'flex:1',
  'flex-grow': 'flex-grow:1',
  'flex-none': 'flex:none',
  'flex-shrink-0': 'flex-shrink:0',
  'shrink-0': 'flex-shrink:0',
  'items-start': 'align-items:start',
  'items-center': 'align-items:center',
  'items-end': 'align-items:end',
  'items-baseline': 'align-items:baseline',
  'justify-start': 'justify-content:start',
  'justify-center': 'justify-content:center',
  'justify-end': 'justify-content:end',
  'justify-between': 'justify-content:space-between',
  'justify-items-start': 'justify-items:start',
  'justify-items-center': 'justify-items:center',
  'justify-items-end': 'justify-items:end',
  'align-top': 'vertical-align:top',
  'align-middle': 'vertical-align:middle',
  'align-bottom': 'vertical-align:bottom',
  'align-baseline': 'vertical-align:baseline',
  'align-text-top': 'vertical-align:text-top',
  'align-text-bottom': 'vertical-align:text-bottom',
  'list-none': 'list-style:none',
  'text-left': 'text-align:left',
  'text-center': 'text-align:center',
  'text-right': 'text-align:right',
  'text-xs': 'font-size:0.75rem;line-height:1rem',
  'text-sm': 'font-size:0.875rem;line-height:1.25rem',
  'text-base': 'font-size:1rem;line-height:1.5rem',
  'text-lg': 'font-size:1.125rem;line-height:1.75rem',
  'text-xl': 'font-size:1.25rem;line-height:1.75rem',
  'text-2xl': 'font-size:1.5rem;line-height:2rem',
  'text-3xl': 'font-size:1.875rem;line-height:2.25rem',
  'text-4xl': 'font-size:2.25rem;line-height:2.5rem',
  'text-5xl': 'font-size:3rem;line-height:1',
  'text-6xl': 'font-size:3.75rem;line-height:1',
  'leading-none': 'line-height:1',
  'leading-tight': 'line-height:1.25',
  'leading-snug': 'line-height:1.375',
  'leading-normal': 'line-height:1.5',
  'leading-relaxed': 'line-height:1.625',
  'leading-loose': 'line-height:2',
  'tracking-tight': 'letter-spacing:-0.025em',
  'tracking-wide': 'letter-spacing:0.025em',
  uppercase: 'text-transform:uppercase',
  capitalize: 'text-transform:capitalize',
  'font-normal': 'font-weight:400',
  'font-medium': 'font-weight:500',
  'font-semibold': 'font-weight:600',
  'font-bold': 'font-weight:700',
  'font-mono': 'font-family:var(--mono)',
  italic: 'font-style:italic',
  underline: 'text-decoration:underline',
  'no-underline': 'text-decoration:none',
  'line-through': 'text-decoration:line-through',
  'whitespace-nowrap': 'white-space:nowrap',
  'whitespace-pre-wrap': 'white-space:pre-wrap',
  'break-words': 'overflow-wrap:anywhere',
  'break-all': 'word-break:break-all',
  border: 'border:1px solid var(--line)',
  'border-2': 'border:2px solid var(--line)',
  'border-4': 'border:4px solid var(--line)',
  'border-t': 'border-top:1px solid var(--line)',
  'border-b': 'border-bottom:1px solid var(--line)',
  'border-l': 'border-left:1px solid var(--line)',
  'border-r': 'border-right:1px solid var(--line)',
  'border-0': 'border:0',
  'border-none': 'border:0',
  rounded: 'border-radius:0.25rem',
  'rounded-none': 'border-radius:0',
  'rounded-sm': 'border-radius:0.125rem',
  'rounded-md': 'border-radius:0.375rem',
  'rounded-lg': 'border-radius:0.5rem',
  'rounded-xl': 'border-radius:0.75rem',
  'rounded-2xl': 'border-radius:1rem',
  'rounded-3xl': 'border-radius:1.5rem',
  'rounded-full': 'border-radius:999px',
  'object-cover': 'object-fit:cover',
  'object-contain': 'object-fit:contain',
  'aspect-video': 'aspect-ratio:16/9',
  'aspect-square': 'aspect-ratio:1',
  'overflow-hidden': 'overflow:hidden',
  'overflow-auto': 'overflow:auto',
  'overflow-x-auto': 'overflow-x:auto',
  'max-w-xs': 'max-width:20rem',
  'max-w-sm': 'max-width:24rem',
  'max-w-md': 'max-width:28rem',
  'max-w-lg': 'max-width:32rem',
  'max-w-xl': 'max-width:36rem',
  'max-w-2xl': 'max-width:42rem',
  'max-w-3xl': 'max-width:48rem',
  'max-w-4xl': 'max-width:56rem',
  'max-w-5xl': 'max-width:64rem',
  'max-w-6xl': 'max-width:72rem',
  'max-w-7xl': 'max-width:80rem',
})

const sides: Readonly<Record<string, string>> = {
  w: 'width',
  h: 'height',
  'max-w': 'max-width',
  'max-h': 'max-height',
  'min-w': 'min-width',
  'min-h': 'min-height',
  m: 'margin',
  mx: 'margin-inline',
  my: 'margin-block',
  mt: 'margin-top',
  mb: 'margin-bottom',
  ml: 'margin-left',
  mr: 'margin-right',
  p: 'padding',
  px: 'padding-inline',
  py: 'padding-block',
  pt: 'padding-top',
  pb: 'padding-bottom',
  pl: 'padding-left',
  pr: 'padding-right',
  gap: 'gap',
  inset: 'inset',
  top: 'top',
  right: 'right',
  bottom: 'bottom',
  left: 'left',
  'gap-x': 'column-gap',
  'gap-y': 'row-gap',
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
  const property = match && Object.hasOwn(sides, match[1] ?? '') ? sides[match[1] ?? ''] : undefined
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

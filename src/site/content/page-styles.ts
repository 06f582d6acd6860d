import { createHash } from 'node:crypto'

/** When the declarations of a class hold. */
export type StyleVariant = '' | 'sm' | 'md' | 'lg' | 'dark'

const widths: Readonly<Partial<Record<StyleVariant, number>>> = { sm: 640, md: 768, lg: 1024 }

/** All rules that were asked for, by class. What a class stands for never changes: its name is made from its content. */
const rules = new Map<string, string>()

/**
 * The class of some declarations, such as `s-1f0c92ab`. Pages have no `style` attributes, which the policy of the site refuses; `renderStyles`
 * writes the rules of the classes that a page has.
 *
 * `declarations` must be safe: of `toAllowedStyle`, or of our own writing.
 */
export function toStyleClass(declarations: string, variant: StyleVariant = ''): string {
  const name = `s-${createHash('sha256').update(`${variant}|${declarations}`).digest('hex').slice(0, 8)}`
  if (!rules.has(name)) rules.set(name, toRule(name, declarations, variant))
  return name
}

/** The stylesheet of the classes that a page's HTML has, in an order that depends on nothing else; `''` where it has none. */
export function renderStyles(html: string): string {
  if (rules.size === 0) return ''
  // Few pages have any, and to look at every class of a large one takes long.
  if (!html.match(/\bs-[0-9a-f]{8}\b/g)?.some((name) => rules.has(name))) return ''
  const names = new Set(
    Array.from(html.matchAll(/ class="([^"]*)"/g), ([, list = '']) => list.match(/\bs-[0-9a-f]{8}\b/g) ?? []).flat(),
  )
  const found = [...names].flatMap((name) => rules.get(name) ?? [])
  // Those that hold only sometimes come last, so that they win.
  const order = (rule: string) => (rule.startsWith('.') ? 0 : rule.startsWith('@') ? 1 : 2)
  return found.sort((a, b) => order(a) - order(b) || (a < b ? -1 : a > b ? 1 : 0)).join('')
}

/** The class is named three times: it has to win over the looks of what it stands on, as `style` would. */
function toRule(name: string, declarations: string, variant: StyleVariant): string {
  const selector = `.${name}.${name}.${name}`
  if (variant === 'dark') {
    const bySystem = `@media (prefers-color-scheme:dark){:root:not([data-theme]) ${selector}{${declarations}}}`
    return `[data-theme=dark] ${selector}{${declarations}}${bySystem}\n`
  }
  const width = widths[variant]
  const rule = `${selector}{${declarations}}`
  return width === undefined ? `${rule}\n` : `@media (min-width:${width.toString().padStart(4, '0')}px){${rule}}\n`
}

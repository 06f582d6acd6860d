import type { CssNode, Declaration, List, ListItem, Rule } from 'css-tree'
import generate from 'css-tree/generator'
import parse from 'css-tree/parser'
import { nearestTheme, pairForDarkTheme, readGrounds, type ThemeName } from './pair-colors.ts'

/** The values of a custom property, with the theme of their rules. */
type Variables = ReadonlyMap<string, readonly { readonly value: string; readonly theme: ThemeName | undefined }[]>

/** Where rules are: the theme that their conditions and outer rules require, and whether `&` refers to an outer rule. */
interface Place {
  readonly theme: ThemeName | undefined
  readonly isNested: boolean
}

/**
 * Makes stylesheets of a repository readable in both themes. `text` is from `cleanStylesheet`.
 *
 * - The theme switch of the site also controls `@media (prefers-color-scheme)`.
 * - A background sets the color scheme of its element, so that text in it gets the colors of the theme that it looks like.
 * - A text color without a background gets another lightness in the dark theme if it is not readable there. Rules for one theme keep their colors, and
 *   so do classes with a color for the light theme or a background behind them (`::before`).
 */
export function adaptToThemes(text: string): string {
  if (!/color|background/.test(text)) return text
  const sheet = parse(text, { context: 'stylesheet' })
  if (sheet.type !== 'StyleSheet') return text
  followSwitch(sheet.children)
  const variables = new Map<string, { value: string; theme: ThemeName | undefined }[]>()
  const settled = new Set<string>()
  visitRules(sheet.children, { theme: undefined, isNested: false }, (rule, { theme }) => {
    const selectors = generate(rule.prelude)
    for (const { property, value } of declarationsOf(rule)) {
      const isSettled = property === 'color' ? theme === 'light' : /^background/.test(property) && pseudoElement.test(selectors)
      if (isSettled) for (const name of listClasses(lastParts(selectors))) settled.add(name)
      if (!property.startsWith('--')) continue
      const values = variables.get(property) ?? []
      if (values.length < maxValues) values.push({ value: generate(value), theme })
      variables.set(property, values)
    }
  })
  visitRules(sheet.children, { theme: undefined, isNested: false }, (rule, place, list, item) => {
    const added = adaptRule(rule, place, { variables, settled })
    if (added !== undefined) list.insert(list.createItem({ type: 'Raw', value: added }), item)
  })
  return generate(sheet)
}

/** What the stylesheets have in other rules. */
interface Known {
  readonly variables: Variables
  /** The classes whose text colors do not change. */
  readonly settled: ReadonlySet<string>
}

const isBackground = /^background(?:-color|-image)?$/
const pseudoElement = /::|:(?:before|after|first-l)/

/** The authors' classes in a selector. */
const listClasses = (selectors: string): readonly string[] => selectors.match(/\.x-(?:[\w-]|\\.)+/g) ?? []

/** The parts of selectors for the element itself, without its ancestors. */
const lastParts = (selectors: string): string =>
  selectors
    .replace(/\([^()]*\)/g, '')
    .split(',')
    .map(
      (selector) =>
        selector
          .trim()
          .split(/[\s>+~]/)
          .at(-1) ?? '',
    )
    .join(',')

/** A variable with more values is not evaluated. */
const maxValues = 8

/** Calls `visit` with each rule, except those for print and steps of animations. */
function visitRules(
  list: List<CssNode>,
  place: Place,
  visit: (rule: Rule, place: Place, list: List<CssNode>, item: ListItem<CssNode>) => void,
): void {
  list.forEach((node, item) => {
    if (node.type === 'Atrule' && node.block && !/keyframes$|^(?:font-face|property)$/i.test(node.name)) {
      const condition = node.prelude ? generate(node.prelude) : ''
      if (!/print/.test(condition)) visitRules(node.block.children, place, visit)
    } else if (node.type === 'Rule') {
      const own = { theme: themeOf(generate(node.prelude)) ?? place.theme, isNested: place.isNested }
      visit(node, own, list, item)
      visitRules(node.block.children, { theme: own.theme, isNested: true }, visit)
    }
  })
}

/** The theme that a selector requires. In a list for several themes, the first one. */
function themeOf(selectors: string): ThemeName | undefined {
  const [, not, theme] = /(:not\((?::is\()?[^()]*)?\[data-theme=["']?(dark|light)/.exec(selectors) ?? []
  if (theme === undefined) return undefined
  return (theme === 'dark') === (not === undefined) ? 'dark' : 'light'
}

const declarationsOf = ({ block }: Rule): readonly Declaration[] =>
  block.children.toArray().filter((node): node is Declaration => node.type === 'Declaration')

/** Adds declarations to a rule. Returns a rule for before it, if needed. */
function adaptRule(rule: Rule, { theme, isNested }: Place, { variables, settled }: Known): string | undefined {
  const declarations = declarationsOf(rule)
  const find = (pattern: RegExp) => declarations.findLast(({ property }) => pattern.test(property.toLowerCase()))
  const add = (property: string, value: string, after: Declaration) => {
    const { children } = rule.block
    const item = children.createItem({ type: 'Declaration', important: after.important, property, value: { type: 'Raw', value } })
    children.forEach((node, { next }) => {
      if (node === after) children.insert(item, next)
    })
  }
  // The background is only visible through the text.
  const isClipped = declarations.some(({ property, value }) => /background/.test(property) && /\btext\b/.test(generate(value)))
  if (isClipped || find(/^color-scheme$/)) return undefined
  const color = find(/^color$/)
  const background = find(isBackground)
  if (!background) {
    const value = color ? generate(color.value) : ''
    const isSettled = listClasses(generate(rule.prelude)).some((name) => settled.has(name))
    const both =
      theme === undefined && !isSettled ? pairForDarkTheme(value, resolveVariables(value, 'dark', variables)) : undefined
    if (color && both !== undefined) add('color', both, color)
    return undefined
  }
  const backgrounds = declarations.filter(({ property }) => isBackground.test(property.toLowerCase()))
  const value = backgrounds.map((one) => generate(one.value)).join(' ')
  const scheme = /light-dark\(/.test(value) ? undefined : schemeOf(value, theme, variables)
  if (scheme === undefined) return undefined
  add('color-scheme', scheme, background)
  const selectors = generate(rule.prelude)
  if (color || isNested || scheme === theme || pseudoElement.test(selectors)) return undefined
  const other = scheme === 'light' ? '[data-theme=dark]' : ':root:not([data-theme=dark])'
  return `:where(${other}) :where(${selectors}){color:var(--ink)}`
}

/** The theme that a background looks like in each theme in which it is used; `undefined` if it differs or is not known. */
function schemeOf(value: string, theme: ThemeName | undefined, variables: Variables): ThemeName | undefined {
  const found = (theme === undefined ? (['light', 'dark'] as const) : [theme]).map((one) => {
    const schemes = resolveVariables(value, one, variables).map((resolved) => {
      // Gradients with transparent parts often draw only edges.
      const isEdge = resolved.includes('gradient(') && /\btransparent\b/.test(resolved.slice(resolved.indexOf('gradient(')))
      const grounds = isEdge ? [] : readGrounds(resolved)
      return grounds.length === 0 ? theme : nearestTheme(grounds)
    })
    return schemes.every((scheme) => scheme === schemes[0]) ? schemes[0] : theme
  })
  return found.every((scheme) => scheme === found[0]) ? found[0] : undefined
}

/** The possible values in a theme, with all variables replaced. */
function resolveVariables(value: string, theme: ThemeName, variables: Variables): readonly string[] {
  let open: readonly string[] = [value]
  for (let round = 0; round < 5 && open.some((text) => text.includes('var(')); round++) {
    open = open.flatMap((text) => {
      const [written, name = '', fallback = ''] = /var\(\s*(--[^\s,()]+)\s*(?:,([^()]*))?\)/.exec(text) ?? []
      if (written === undefined) return [text]
      const values = variables.get(name) ?? []
      const own = values.filter((one) => one.theme === theme)
      const used = own.length > 0 ? own : values.filter((one) => one.theme === undefined)
      const texts = used.length > 0 ? new Set(used.map((one) => one.value)) : [fallback]
      return [...texts].map((one) => text.replace(written, () => one))
    })
    open = open.slice(0, maxValues).filter((text) => text.length < 2000)
  }
  return open
}

/** Replaces `@media (prefers-color-scheme: dark)` by conditions on the elements. */
function followSwitch(list: List<CssNode>): void {
  list.forEach((node) => {
    if (node.type !== 'Atrule' || !node.block) return
    const condition = node.name.toLowerCase() === 'media' && node.prelude ? generate(node.prelude) : ''
    const [, theme] = /^(?:screen and)?\(prefers-color-scheme:(dark|light)\)$/.exec(condition) ?? []
    if (theme !== undefined && node.prelude) {
      node.prelude = { type: 'Raw', value: 'all' }
      const selected = theme === 'dark' ? '[data-theme=dark]' : ':root:not([data-theme=dark])'
      limitRules(node.block.children, `:where(${selected},${selected} *)`)
    }
    if (node.name.toLowerCase() !== 'font-face') followSwitch(node.block.children)
  })
}

/** Adds a condition to the selectors of rules, and not to those of nested rules. */
function limitRules(list: List<CssNode>, condition: string): void {
  list.forEach((node) => {
    if (node.type === 'Atrule' && node.block && !/keyframes$/i.test(node.name)) limitRules(node.block.children, condition)
    if (node.type !== 'Rule' || node.prelude.type !== 'SelectorList') return
    node.prelude.children.forEach((selector) => {
      if (selector.type !== 'Selector') return
      let end: ListItem<CssNode> | null = null
      selector.children.forEach((part, item) => {
        if (part.type === 'Combinator') end = null
        else if (
          part.type === 'PseudoElementSelector' ||
          (part.type === 'PseudoClassSelector' && /^(?:before|after|first-l.*)$/i.test(part.name))
        )
          end ??= item
      })
      const mark = selector.children.createItem({ type: 'Raw', value: condition })
      if (end) selector.children.insert(mark, end)
      else selector.children.append(mark)
    })
  })
}

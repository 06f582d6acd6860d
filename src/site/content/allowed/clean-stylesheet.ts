import type { Atrule, CssNode, List, ListItem, Selector } from 'css-tree'
import generate from 'css-tree/generator'
import parse from 'css-tree/parser'
import { computingFunctions, isTooDeep } from './css-values.ts'
import { markNestedRules } from './nested-rules.ts'

interface StylesheetOptions {
  /** Returns the URL of a file of the docs directory, or `undefined` if the site does not publish it. */
  readonly resolveUrl: (url: string) => string | undefined
  /** Whether an imported path is another stylesheet of the docs directory. All of them are on every page anyway. */
  readonly isOwnStylesheet: (url: string) => boolean
  /** Called with each declaration that stays. */
  readonly onDeclaration?: (declaration: string) => void
}

/** A part of a stylesheet that was removed. */
interface StylesheetProblem {
  readonly message: string
  readonly start: number
  readonly end: number
}

interface CleanStylesheet {
  readonly text: string
  /** The class names that it styles. */
  readonly classes: readonly string[]
  /** One for each cause. */
  readonly problems: readonly StylesheetProblem[]
}

/** Longest stylesheet, in UTF-16 units. */
const maxLength = 500_000

/** Authors' classes get this prefix, so that they cannot match or use the classes of the site. */
export const classPrefix = 'x-'

/** `.dark` and `.light` match in one theme, as on other hosts. */
const themeClasses: ReadonlySet<string> = new Set(['dark', 'light'])

/** Dialogs have the fields for credentials. A modal dialog is above everything else, so nothing can cover it. */
const outsideDialogs = ':where(:not(dialog,dialog *))'

const atRules = new Set([
  'media',
  'supports',
  'container',
  'layer',
  'keyframes',
  '-webkit-keyframes',
  'font-face',
  'property',
  'starting-style',
])

/** Functions that load nothing. `image-set()`, `image()` and `src()` load a file named by a string, also by one in a variable. */
const functions = new Set([...computingFunctions, 'attr', 'env', 'format', 'local', 'tech', 'rect', 'path', 'scroll', 'view'])

/** They would release the content of a page from its clip (see `article-clip.ts`), or run code in old browsers. */
const refusedProperties = /^(?:all|contain|content-visibility|overflow-clip-margin.*|behavior|-moz-binding)$/
const positions = /^(?:static|relative|absolute|sticky|-webkit-sticky|inherit|initial|unset|revert)$/i

/**
 * Returns a stylesheet of a repository without everything that loads a file from elsewhere, keeps an element in place over the page, or styles the
 * dialogs. Selectors are translated: classes of authors get a prefix, and documented names also match the part here.
 */
export function cleanStylesheet(text: string, options: StylesheetOptions): CleanStylesheet {
  const whole = { start: 0, end: Math.min(text.length, 1) }
  if (text.length > maxLength) {
    const message = `Unexpected stylesheet with ${text.length.toLocaleString('en')} characters, expected at most ${maxLength.toLocaleString('en')}`
    return { text: '', classes: [], problems: [{ message, ...whole }] }
  }
  if (isTooDeep(text)) {
    return { text: '', classes: [], problems: [{ message: 'Unexpected depth of brackets in a stylesheet', ...whole }] }
  }
  const marked = markNestedRules(text)
  const problems = new Map<string, StylesheetProblem>()
  const classes = new Set<string>()
  const report = (message: string, { loc }: CssNode) => {
    if (problems.has(message)) return
    const start = loc ? marked.toOriginal(loc.start.offset) : whole.start
    const end = loc ? Math.min(marked.toOriginal(loc.end.offset), start + 200) : whole.end
    problems.set(message, { message, start, end })
  }

  let isFontFace = false

  /** Keeps the nodes of a list that are clean. */
  const cleanList = (list: List<CssNode>, isInKeyframes: boolean): void => {
    list.forEach((node, item) => {
      if (!isClean(node, isInKeyframes)) list.remove(item)
    })
  }

  const isClean = (node: CssNode, isInKeyframes: boolean): boolean => {
    if (node.type === 'Comment' || node.type === 'WhiteSpace' || node.type === 'CDO' || node.type === 'CDC') return false
    if (node.type === 'Atrule') return isCleanAtRule(node, isInKeyframes)
    if (node.type === 'Declaration') {
      const problem = findProblem(node.property.toLowerCase(), node.value, options.resolveUrl)
      if (!isFontFace && node.property.toLowerCase() === 'font-family') addFallback(node.value)
      if (problem !== undefined) report(problem, node)
      else options.onDeclaration?.(generate(node))
      return problem === undefined
    }
    if (node.type !== 'Rule' || node.prelude.type !== 'SelectorList') {
      report('Unexpected text in a stylesheet, expected a rule', node)
      return false
    }
    if (!isInKeyframes) {
      node.prelude.children.forEach((selector) => {
        if (selector.type === 'Selector') translateSelector(selector, classes, true)
      })
    }
    cleanList(node.block.children, isInKeyframes)
    return true
  }

  const isCleanAtRule = (node: Atrule, isInKeyframes: boolean): boolean => {
    const name = node.name.toLowerCase()
    if (name === 'charset') return false
    if (name === 'import') {
      const url = node.prelude?.type === 'AtrulePrelude' ? node.prelude.children.first : undefined
      const target = url?.type === 'Url' || url?.type === 'String' ? url.value : ''
      if (!options.isOwnStylesheet(target))
        report(`Unsupported \`@import\` of \`${shorten(target)}\`: only stylesheets of the docs directory are loaded`, node)
      return false
    }
    if (!atRules.has(name) || !node.block) {
      if (name !== 'layer') report(`Unsupported \`@${shorten(node.name)}\` in a stylesheet`, node)
      return name === 'layer' && !node.block
    }
    isFontFace = name === 'font-face'
    cleanList(node.block.children, isInKeyframes || name.endsWith('keyframes'))
    isFontFace = false
    return true
  }

  const sheet = parse(marked.text, { context: 'stylesheet', parseCustomProperty: true, positions: true })
  if (sheet.type !== 'StyleSheet') return { text: '', classes: [], problems: [] }
  cleanList(sheet.children, false)
  return { text: generate(sheet), classes: [...classes].sort(), problems: [...problems.values()] }
}

/** Describes why a declaration is removed, and replaces its URLs. */
function findProblem(property: string, value: CssNode, resolveUrl: StylesheetOptions['resolveUrl']): string | undefined {
  if (property.includes('\\') || refusedProperties.test(property))
    return `Unsupported property \`${shorten(property)}\` in a stylesheet`
  if (property === 'position' && !positions.test(generate(value)))
    return `Unsupported \`position: ${shorten(generate(value))}\` in a stylesheet`
  return findValueProblem(value, resolveUrl)
}

function findValueProblem(node: CssNode, resolveUrl: StylesheetOptions['resolveUrl']): string | undefined {
  if (node.type === 'Url') {
    const url = /^(?:#[\w-]+|data:image\/(?:png|jpe?g|gif|webp|avif|svg\+xml)[;,].*)$/is.test(node.value)
      ? node.value
      : resolveUrl(node.value)
    if (url === undefined)
      return `Unsupported \`url(${shorten(node.value)})\`: only images and fonts of the docs directory are loaded`
    node.value = url
    return undefined
  }
  if (node.type === 'Raw') {
    const fallback = parseValue(node.value)
    if (!fallback || fallback.type === 'Raw')
      return node.value.trim() === '' ? undefined : 'Unexpected value of a property in a stylesheet'
    const problem = findValueProblem(fallback, resolveUrl)
    node.value = generate(fallback)
    return problem
  }
  if (node.type === 'Function' && !functions.has(node.name.toLowerCase()))
    return `Unsupported function \`${shorten(node.name)}()\` in a stylesheet`
  // The value of a custom property can be a block.
  if (node.type === 'Block' || node.type === 'Declaration') return 'Unexpected block as the value of a property'
  if (!('children' in node) || !node.children) return undefined
  for (const child of node.children.toArray()) {
    const problem = findValueProblem(child, resolveUrl)
    if (problem !== undefined) return problem
  }
  return undefined
}

const genericFamily =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-.+|math|emoji|inherit|initial|unset|revert.*)$/i

/** Adds the font of the site to a list without a generic family. Fonts of other hosts are not loaded, so browsers would use their own default. */
function addFallback(value: CssNode): void {
  if (value.type !== 'Value') return
  const families = value.children.toArray()
  const isComplete = families.some(
    (node) => node.type === 'Function' || (node.type === 'Identifier' && genericFamily.test(node.name)),
  )
  if (isComplete || families.length === 0) return
  const token = /mono|code|courier|consolas|menlo/i.test(generate(value)) ? 'mono' : 'sans'
  value.children.appendData({ type: 'Raw', value: `,var(--${token})` })
}

function parseValue(text: string): CssNode | undefined {
  try {
    return text.includes('\\') ? undefined : parse(text, { context: 'value' })
  } catch {
    return undefined
  }
}

/** Text of a message, in one line. */
function shorten(text: string): string {
  const line = text.replace(/[\s`]+/g, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}

const pseudoElements = /^(?:before|after|first-line|first-letter)$/i

/** Translates the names of a selector. `isWhole`: not an argument such as that of `:not()`. */
function translateSelector(selector: Selector, classes: Set<string>, isWhole: boolean): void {
  const { children } = selector
  let subject: ListItem<CssNode> | null = null
  children.forEach((node, item, list) => {
    const raw = (value: string) => list.createItem({ type: 'Raw', value })
    if (node.type === 'ClassSelector') {
      const own = `.${classPrefix}${node.name}`
      classes.add(node.name)
      list.replace(item, raw(themeClasses.has(node.name) ? `:is(${own},[data-theme=${node.name}])` : own))
    } else if (node.type === 'PseudoClassSelector' && node.children) {
      node.children.forEach((inside) => {
        if (inside.type === 'Selector') translateSelector(inside, classes, false)
        if (inside.type === 'SelectorList') {
          inside.children.forEach((one) => {
            if (one.type === 'Selector') translateSelector(one, classes, false)
          })
        }
      })
    }
    if (node.type === 'Combinator') subject = null
    const isElement =
      node.type === 'PseudoElementSelector' || (node.type === 'PseudoClassSelector' && pseudoElements.test(node.name))
    if (isElement) subject ??= item
  })
  if (!isWhole) return
  const mark = children.createItem({ type: 'Raw', value: outsideDialogs })
  if (subject) children.insert(mark, subject)
  else children.append(mark)
}

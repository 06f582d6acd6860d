import type { Element, ElementContent, RootContent as HastContent } from 'hast'
import { raw } from 'hast-util-raw'
import type { BlockContent, Blockquote, Code, Html, Nodes, Root } from 'mdast'
import { defaultHandlers, type Handlers, toHast } from 'mdast-util-to-hast'
import { createScope } from '../../script/run/names.ts'
import { type MdxNode, type MdxPlace, type MdxValue, textOf, toProps } from '../../script/values/values.ts'
import { listOf, stringOf } from '../../text/json/json-values.ts'
import { cleanElement, createTagEscape } from './allowed/allowed-html.ts'
import type { ParsedMdx } from './parsed-mdx.ts'
import { type PageRun, type Piece, toPlace } from './piece.ts'
import { toElement } from './to-element.ts'
import { isCallout, readCallout } from './to-nodes.ts'

/** The HTML in a Markdown text. If there is none, its own tree is sufficient. */
export function listHtml(node: Nodes): readonly string[] {
  if (node.type === 'html') return [node.value]
  return 'children' in node ? node.children.flatMap(listHtml) : []
}

/**
 * Parses Markdown with HTML like a browser (parse5) and removes everything that is not allowed.
 *
 * Only for Markdown. In MDX, tags are JSX.
 */
export function htmlToNodes(piece: Piece): readonly MdxNode[] {
  const { root, fault } = piece.parsed
  const escapeTags = createTagEscape(listHtml(root).join(''))
  // A page with errors has components, which are no HTML.
  const html = (_state: unknown, node: Html) => ({ type: 'raw' as const, value: fault ? node.value : escapeTags(node.value) })
  const tree = raw(toHast(root, { allowDangerousHtml: true, handlers: { ...handlers, html } }))
  return 'children' in tree ? tree.children.flatMap((child) => toNode(child, piece)) : []
}

/** Shows the allowed part of an HTML text of a component. */
export function showHtml(html: string, place: MdxPlace, run: PageRun): readonly MdxNode[] {
  const root: Root = { type: 'root', children: [{ type: 'html', value: html }] }
  const parsed: ParsedMdx = { kind: 'mdx', file: place.file, root, frontmatter: {}, fault: undefined }
  // The parser does not know where the text is in the page.
  const located: PageRun = {
    ...run,
    report: (finding) => run.report({ ...finding, offsets: { start: place.start, end: place.end } }),
  }
  return htmlToNodes({
    run: located,
    parsed,
    scope: createScope(undefined, place.file),
    definitions: new Map(),
    footnotes: new Map(),
  })
}

/** Markdown features without an HTML equivalent are passed through as custom attributes: alert names and code fence metadata. */
const handlers: Handlers = {
  blockquote(state, node: Blockquote) {
    const callout = readCallout(node)
    const quote = defaultHandlers.blockquote(state, callout ? { ...node, children: callout.children as BlockContent[] } : node)
    if (callout) quote.properties['dataCallout'] = callout.name
    return quote
  },
  code(state, node: Code) {
    const pre = defaultHandlers.code(state, node)
    if (node.meta) pre.properties['dataMeta'] = node.meta
    return pre
  },
}

function toNode(node: HastContent | ElementContent, piece: Piece): readonly MdxNode[] {
  if (node.type === 'text') return [{ kind: 'text', value: node.value }]
  if (node.type !== 'element') return []
  const code = node.tagName === 'pre' ? readCode(node, piece) : undefined
  if (code) return [code]
  const callout = node.tagName === 'blockquote' ? node.properties['dataCallout'] : undefined
  if (isCallout(callout)) {
    const inside = node.children.flatMap((child) => toNode(child, piece))
    return [{ kind: 'element', name: callout, props: toProps([]), children: inside, place: toPlace(piece, node) }]
  }
  const task = node.tagName === 'li' ? readTask(node) : undefined
  if (task) {
    const inside = task.children.flatMap((child) => toNode(child, piece))
    return [
      { kind: 'element', name: 'li', props: toProps([['checked', task.checked]]), children: inside, place: toPlace(piece, node) },
    ]
  }
  const props = Object.entries(node.properties).flatMap(([name, value]) => toProp(name, value))
  const children = () => node.children.flatMap((child) => toNode(child, piece))
  if (/^h[1-6]$/.test(node.tagName)) {
    const shown = children()
    const id = piece.run.slugger.slug(textOf(shown).trim()) || piece.run.slugger.slug('section')
    return toElement(
      { name: node.tagName, props: toProps([...props, ['id', id]]), children: () => shown, place: toPlace(piece, node) },
      piece.run,
    )
  }
  const component = piece.parsed.fault ? findComponent(node.tagName, piece.run.components) : undefined
  if (component === undefined && piece.parsed.fault && cleanElement(node.tagName, {}).kind === 'children') return children()
  const own = component === undefined ? props : props.map(([name, value]) => [name, withoutBraces(value)] as const)
  return toElement({ name: component ?? node.tagName, props: toProps(own), children, place: toPlace(piece, node) }, piece.run)
}

/** Reads a task list item: whether it is checked, and its content without the checkbox. */
function readTask(item: Element): { checked: boolean; children: readonly ElementContent[] } | undefined {
  if (!listOf(item.properties['className']).includes('task-list-item')) return undefined
  const [first, ...rest] = item.children.filter((child) => child.type !== 'text' || child.value.trim() !== '')
  const inside = first?.type === 'element' && first.tagName === 'p' ? first.children : item.children
  const box = inside.find((child) => child.type === 'element' && child.tagName === 'input')
  if (box?.type !== 'element') return undefined
  const children = inside.slice(inside.indexOf(box) + 1)
  const checked = box.properties['checked'] === true
  if (inside === item.children || first?.type !== 'element') return { checked, children: withoutStart(children) }
  return { checked, children: [{ ...first, children: withoutStart(children) }, ...rest] }
}

/** Removes the space after the checkbox. */
function withoutStart(children: readonly ElementContent[]): ElementContent[] {
  const [first, ...rest] = children
  return first?.type === 'text' ? [{ ...first, value: first.value.trimStart() }, ...rest] : [...children]
}

/** A page with MDX errors is parsed as HTML, which ignores case: `<CardGroup>` becomes `<cardgroup>`. */
function findComponent(name: string, components: ReadonlySet<string>): string | undefined {
  return [...components].find((component) => component.toLowerCase() === name)
}

/** HTML reads `cols={2}` as the string `{2}`. */
function withoutBraces(value: MdxValue): MdxValue {
  const inside = /^\{\s*(?:"([^"]*)"|'([^']*)'|([\w.]+))\s*\}$/.exec(stringOf(value) ?? '')
  return inside ? (inside[1] ?? inside[2] ?? inside[3] ?? value) : value
}

/** Lists are class names. `null` and `undefined` are absent attributes. */
function toProp(name: string, value: unknown): [string, MdxValue][] {
  if (Array.isArray(value)) return value[0] === 'contains-task-list' ? [] : [[name, value.join(' ')]]
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[name, value]] : []
}

function readCode(pre: Element, piece: Piece): MdxNode | undefined {
  const [code] = pre.children
  if (pre.children.length !== 1 || code?.type !== 'element' || code.tagName !== 'code') return undefined
  const language = listOf(code.properties['className'])
    .map(String)
    .find((name) => name.startsWith('language-'))
  const value = textOf(code.children.flatMap((child) => toNode(child, piece))).replace(/\n$/, '')
  const meta = pre.properties['dataMeta']
  return {
    kind: 'code',
    language: language?.slice('language-'.length).toLowerCase(),
    meta: stringOf(meta) ?? '',
    value,
    place: toPlace(piece, pre),
  }
}

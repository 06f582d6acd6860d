import type { Expression, Program } from 'estree-jsx'
import type { Blockquote, Heading, List, ListItem, Paragraph, PhrasingContent, RootContent, Table } from 'mdast'
import type { InlineMath, Math as MathBlock } from 'mdast-util-math'
import type { MdxJsxFlowElement, MdxJsxTextElement } from 'mdast-util-mdx'
import { isKnownName, resolveType } from '../../script/run/names.ts'
import {
  type ElementValue,
  isKind,
  type MdxElement,
  type MdxNode,
  type MdxValue,
  textOf,
  toList,
  toProps,
  type Value,
} from '../../script/values/values.ts'
import { readOwn } from '../../text/json/json-values.ts'
import { isAllowedUrl } from '../../text/plain/paths.ts'
import { isInline, isInText } from './inline-content.ts'
import { showHeadingIds, takeHeadingId } from './parsed-mdx.ts'
import { type Piece, reportAt, toPlace } from './piece.ts'
import { attempt, showElement, showValue } from './show-values.ts'

/** Converts a parsed file to nodes, with names resolved and snippets expanded. */
export function toNodes(piece: Piece): readonly MdxNode[] {
  return [...flow(piece.parsed.root.children, piece), ...footnotes(piece)]
}

function flow(nodes: readonly RootContent[], piece: Piece): readonly MdxNode[] {
  return nodes.flatMap((node) => toNode(node, piece))
}

function toNode(node: RootContent, piece: Piece): readonly MdxNode[] {
  switch (node.type) {
    case 'text':
      return [{ kind: 'text', value: node.value }]
    case 'paragraph':
      return paragraph(node, piece)
    case 'heading':
      return [heading(node, piece)]
    case 'emphasis':
      return [html('em', node, flow(node.children, piece), piece)]
    case 'strong':
      return [html('strong', node, flow(node.children, piece), piece)]
    case 'delete':
      return [html('del', node, flow(node.children, piece), piece)]
    case 'inlineCode':
      return [html('code', node, [{ kind: 'text', value: node.value }], piece)]
    case 'inlineMath':
      return [formula(node, false, piece)]
    case 'math':
      return [formula(node, true, piece)]
    case 'break':
      return [html('br', node, [], piece)]
    case 'thematicBreak':
      return [html('hr', node, [], piece)]
    case 'code': {
      const place = toPlace(piece, node)
      return [
        { kind: 'code', language: node.lang?.toLowerCase(), meta: node.meta ?? '', value: showHeadingIds(node.value), place },
      ]
    }
    case 'blockquote': {
      const callout = readCallout(node)
      if (callout) return [{ ...html('blockquote', node, flow(callout.children, piece), piece), name: callout.name }]
      return [html('blockquote', node, flow(node.children, piece), piece)]
    }
    case 'list':
      return [list(node, piece)]
    case 'table':
      return [table(node, piece)]
    case 'link':
      return link(node.url, node.title, node, flow(node.children, piece), piece)
    case 'linkReference': {
      const definition = piece.definitions.get(node.identifier)
      const children = flow(node.children, piece)
      return definition ? link(definition.url, definition.title, node, children, piece) : children
    }
    case 'image':
      return image(node.url, node.alt, node.title, node, piece)
    case 'imageReference': {
      const definition = piece.definitions.get(node.identifier)
      return definition ? image(definition.url, node.alt, definition.title, node, piece) : []
    }
    case 'footnoteReference': {
      const number = [...piece.footnotes.keys()].indexOf(node.identifier) + 1
      if (number === 0) return []
      const anchor = html('a', node, [{ kind: 'text', value: String(number) }], piece, [['href', `#note-${number}`]])
      return [html('sup', node, [anchor], piece, [['id', `note-ref-${number}`]])]
    }
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement':
      return jsx(node, piece)
    case 'mdxFlowExpression':
    case 'mdxTextExpression':
      return expression(node.data?.estree, node, piece)
    // HTML was parsed earlier if the file can have any (see `parse-html.ts`). In MDX, it is JSX.
    case 'html':
      return []
    default:
      return []
  }
}

/** Creates an element that the page did not write itself. Not counted in the budget, because its children are. */
function html(
  name: string,
  node: RootContent,
  children: readonly MdxNode[],
  piece: Piece,
  props: readonly (readonly [string, MdxValue])[] = [],
): MdxElement {
  piece.run.budget.nodes--
  return { kind: 'element', name, props: toProps(props), children, place: toPlace(piece, node) }
}

/** Converts a formula to its component. `isBlock` is for a formula on its own lines. */
function formula(node: InlineMath | MathBlock, isBlock: boolean, piece: Piece): MdxElement {
  return html('Latex', node, [{ kind: 'text', value: node.value }], piece, isBlock ? [['block', true]] : [])
}

/** The parser wraps JSX on its own lines in a paragraph, although it is a block. */
function paragraph(node: Paragraph, piece: Piece): readonly MdxNode[] {
  const [only, ...others] = node.children
  if (only?.type === 'inlineMath' && others.length === 0) return [formula(only, true, piece)]
  const isAlone = node.children.every(
    (child) =>
      child.type === 'mdxJsxTextElement' ||
      child.type === 'mdxTextExpression' ||
      (child.type === 'text' && child.value.trim() === ''),
  )
  const hasJsx = node.children.some((child) => child.type === 'mdxJsxTextElement')
  const children = flow(node.children, piece)
  if (isAlone && hasJsx && !children.every(isInline))
    return children.filter((child) => child.kind !== 'text' || child.value.trim() !== '')
  if (children.every(isInline) || !hasJsx) return children.length === 0 ? [] : [html('p', node, children, piece)]
  return splitParagraph(children).flatMap((run) => {
    if (!run.every(isInText)) return run
    return textOf(run).trim() === '' && run.every((child) => child.kind === 'text') ? [] : [html('p', node, run, piece)]
  })
}

/** Splits a paragraph around block components, since a block is not allowed inside a paragraph. */
function splitParagraph(children: readonly MdxNode[]): readonly (readonly MdxNode[])[] {
  const runs: MdxNode[][] = []
  for (const child of children) {
    const last = runs.at(-1)
    if (last && isInText(child) && last.every(isInText)) last.push(child)
    else runs.push([child])
  }
  return runs
}

function heading(node: Heading, piece: Piece): MdxElement {
  const { id: written, children } = takeHeadingId(flow(node.children, piece))
  const text = textOf(children).trim()
  // As Mintlify, we leave formulas out of the ID.
  const words = textOf(children.filter((child) => child.kind !== 'element' || child.name !== 'Latex')).trim()
  const { slugger } = piece.run
  const id = written === undefined ? slugger.slug(words) || slugger.slug('section') : slugger.slug(written, true)
  if (node.depth <= 3) piece.run.headings.push({ depth: node.depth as 1 | 2 | 3, id, text })
  return html(`h${node.depth}`, node, children, piece, [['id', id]])
}

function list(node: List, piece: Piece): MdxElement {
  const items = node.children.map((item) => listItem(item, node.spread === true, piece))
  const start: [string, MdxValue][] =
    node.ordered && typeof node.start === 'number' && node.start !== 1 ? [['start', node.start]] : []
  return html(node.ordered ? 'ol' : 'ul', node, items, piece, start)
}

function listItem(node: ListItem, isLoose: boolean, piece: Piece): MdxElement {
  const children = node.children.flatMap((child) =>
    child.type === 'paragraph' && !isLoose && !node.spread ? flow(child.children, piece) : toNode(child, piece),
  )
  return html('li', node, children, piece, typeof node.checked === 'boolean' ? [['checked', node.checked]] : [])
}

function table(node: Table, piece: Piece): MdxElement {
  const [head, ...body] = node.children
  const row = (cells: readonly { children: PhrasingContent[] }[], name: 'th' | 'td') =>
    cells.map((cell, index) => {
      const align = node.align?.[index]
      return html(name, node, flow(cell.children, piece), piece, align ? [['align', align]] : [])
    })
  const rows = body.map((one) => html('tr', one, row(one.children, 'td'), piece))
  const header = html('thead', node, [html('tr', node, row(head?.children ?? [], 'th'), piece)], piece)
  return html('table', node, [header, ...(rows.length > 0 ? [html('tbody', node, rows, piece)] : [])], piece)
}

function link(
  url: string,
  title: string | null | undefined,
  node: RootContent,
  children: readonly MdxNode[],
  piece: Piece,
): readonly MdxNode[] {
  if (!isAllowedUrl(url, 'link')) {
    reportAt(piece.run, toPlace(piece, node), {
      code: 'refused-html',
      message: `Unsupported link to \`${url.slice(0, 200)}\`: only its text is shown`,
      hint: 'Use a path, or a URL with http, https, mailto or tel',
    })
    return children
  }
  return [html('a', node, children, piece, [['href', url], ...(title ? [['title', title] as const] : [])])]
}

function image(
  url: string,
  alt: string | null | undefined,
  title: string | null | undefined,
  node: RootContent,
  piece: Piece,
): readonly MdxNode[] {
  if (!isAllowedUrl(url, 'media')) return alt ? [{ kind: 'text', value: alt }] : []
  return [html('img', node, [], piece, [['src', url], ['alt', alt ?? ''], ...(title ? [['title', title] as const] : [])])]
}

function jsx(node: MdxJsxFlowElement | MdxJsxTextElement, piece: Piece): readonly MdxNode[] {
  const element = toElementValue(node, piece)
  const { run } = piece
  const shown = element && attempt(() => showElement(element, run), `\`<${element.name}>\``, element.place, run)
  return shown ?? flow(node.children, piece)
}

/** Converts JSX of the page to an element, with its Markdown as children. */
function toElementValue(node: MdxJsxFlowElement | MdxJsxTextElement, piece: Piece): ElementValue | undefined {
  const { name } = node
  if (name === null) return undefined
  const { run, scope } = piece
  const place = toPlace(piece, node)
  const props = new Map<string, Value>()
  for (const attribute of node.attributes) {
    const at = toPlace(piece, attribute)
    if (attribute.type === 'mdxJsxExpressionAttribute') {
      const spread = toExpression(attribute.data?.estree)
      const value = spread && attempt(() => run.evaluation.evaluate(spread, scope), 'these props', at, run)
      if (isKind(value, 'object')) for (const [key, one] of value.entries) props.set(key, one)
      continue
    }
    const { value } = attribute
    if (value === null || value === undefined) props.set(attribute.name, true)
    else if (typeof value === 'string') props.set(attribute.name, value)
    else {
      const body = toExpression(value.data?.estree)
      const evaluated = body && attempt(() => run.evaluation.evaluate(body, scope), `the value of \`${attribute.name}\``, at, run)
      if (body && evaluated !== undefined) props.set(attribute.name, evaluated)
    }
  }
  const children = toChildren(node.children, piece)
  if (children !== undefined) props.set('children', children)
  const type = attempt(() => resolveType(name, scope, node), `\`<${name}>\``, place, run)
  return type === undefined ? undefined : { kind: 'element', name, type, props, place }
}

/** Converts Markdown between tags. Text remains a string, and elements can be read by the component that contains them. */
function toChildren(nodes: readonly RootContent[], piece: Piece): Value {
  if (nodes.every((node) => node.type === 'text')) {
    const text = nodes.map((node) => node.value).join('')
    return text === '' ? undefined : text
  }
  const children = nodes.map((node): Value => {
    const element =
      node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement' ? toElementValue(node, piece) : undefined
    return element ?? { kind: 'content', show: () => toNode(node, piece) }
  })
  return children.length === 1 ? children[0] : toList(children)
}

function expression(program: Program | null | undefined, node: RootContent, piece: Piece): readonly MdxNode[] {
  const body = toExpression(program)
  if (!body) return []
  const { run, scope } = piece
  const place = toPlace(piece, node)
  // Text in braces, such as `/users/{id}`, is shown as written.
  if (body.type === 'Identifier' && !isKnownName(body.name, scope, run.evaluation)) {
    reportAt(run, place, {
      code: 'unread-expression',
      message: `Cannot find \`${body.name}\`: it is shown as text`,
      hint: `Write \`\\{${body.name}\\}\` for literal braces`,
    })
    return [{ kind: 'text', value: `{${body.name}}` }]
  }
  return attempt(() => showValue(run.evaluation.evaluate(body, scope), place, run), 'this expression', place, run) ?? []
}

/** A comment, `{/* … *‍/}`, has no expression. */
function toExpression(program: Program | null | undefined): Expression | undefined {
  const statement = program?.body[0]
  return statement?.type === 'ExpressionStatement' ? statement.expression : undefined
}

function footnotes(piece: Piece): readonly MdxNode[] {
  const notes = [...piece.footnotes.values()]
  if (notes.length === 0) return []
  const items = notes.map((note, index) => html('li', note, flow(note.children, piece), piece, [['id', `note-${index + 1}`]]))
  const [first] = notes
  return first ? [html('hr', first, [], piece), html('ol', first, items, piece)] : []
}

/** The components for GitHub alerts. */
const names: Readonly<Record<string, string>> = {
  note: 'Note',
  tip: 'Tip',
  important: 'Info',
  warning: 'Warning',
  caution: 'Danger',
}

/** Reads a quote that starts with `[!NOTE]` or another GitHub alert marker as a callout. */
export function readCallout(node: Blockquote): { readonly name: string; readonly children: readonly RootContent[] } | undefined {
  const [first, ...rest] = node.children
  const text = first?.type === 'paragraph' ? first.children[0] : undefined
  if (first?.type !== 'paragraph' || text?.type !== 'text') return undefined
  const match = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i.exec(text.value)
  const name = readOwn(names, match?.[1]?.toLowerCase() ?? '')
  if (!match || name === undefined) return undefined
  const remainder = text.value.slice(match[0].length)
  const phrasing = remainder === '' ? first.children.slice(1) : [{ ...text, value: remainder }, ...first.children.slice(1)]
  // The marker can be followed by a hard break.
  const children = phrasing[0]?.type === 'break' ? phrasing.slice(1) : phrasing
  return { name, children: children.length === 0 ? rest : [{ ...first, children }, ...rest] }
}

/** Whether a value is the name of a callout component. */
export function isCallout(value: unknown): value is string {
  return typeof value === 'string' && Object.values(names).includes(value)
}

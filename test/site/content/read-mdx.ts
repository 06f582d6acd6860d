import type { MdxNode, MdxValue } from '../../../src/script/values/values.ts'
import { createMdxReader, markdownToNodes } from '../../../src/site/content/mdx-reader.ts'

const components = new Set(['Card', 'Note', 'Warning', 'Tabs', 'Tab', 'Icon', 'Tree.Folder', 'Steps', 'Step'])

/** Reads a page with other files. Returns its content as one line of markup, and its diagnostics as `line:column code message`. */
export function readMdx(
  text: string,
  files: Readonly<Record<string, string>> = {},
  variables: Readonly<Record<string, string>> = {},
) {
  const all: Readonly<Record<string, string>> = { ...files, 'docs/page.mdx': text }
  const reader = createMdxReader({
    root: 'docs',
    readFile: (path) => all[path],
    components,
    variables: new Map(Object.entries(variables)),
  })
  const page = reader.readPage('docs/page.mdx', text)
  const findings = page.findings.map(({ code, message, file, offsets }) => {
    const before = (all[file] ?? '').slice(0, offsets?.start ?? 0).split('\n')
    return `${file === 'docs/page.mdx' ? '' : `${file}:`}${before.length}:${(before.at(-1)?.length ?? 0) + 1} ${code} ${message}`
  })
  return { ...page, markup: page.nodes.map(toMarkup).join(''), found: findings }
}

/** Parses a Markdown text without any fast path: a line before the text disables them. */
export function parseToMarkup(text: string): string {
  const nodes = markdownToNodes(`\\*\n\n${text}`)
  return nodes.slice(1).map(toMarkup).join('')
}

/** Writes nodes as markup for comparisons in tests. Text is escaped, and props are JSON. */
export function toMarkup(node: MdxNode): string {
  if (node.kind === 'text') return node.value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  if (node.kind === 'code') return `<pre ${node.language ?? ''}|${node.meta}>${node.value}</pre>`
  const props = Object.entries(node.props).map(([name, value]) => ` ${name}=${toText(value)}`)
  return `<${node.name}${props.join('')}>${node.children.map(toMarkup).join('')}</${node.name}>`
}

function toText(value: MdxValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (value.kind === 'fragment') return `(${value.children.map(toMarkup).join('')})`
  if (value.kind === 'list') return `[${value.items.map(toText).join(',')}]`
  return `{${Object.entries(value.entries)
    .map(([key, one]) => `${key}:${toText(one)}`)
    .join(',')}}`
}

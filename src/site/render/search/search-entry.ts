import { textOf } from '../../content/mdx-values.ts'
import type { MdxNode } from '../../content/types.ts'
import type { Reference } from '../../reference/create-reference.ts'
import type { OperationView, SchemaView } from '../../reference/types.ts'
import type { SitePage } from '../types.ts'

/** Longest text of one section that is looked through, in UTF-16 units. */
const maxSection = 500
/** Sections of one page. */
const maxSections = 30
/** Names of one page. */
const maxNames = 60

/** What a search finds of a page; absent for pages that nothing lists. */
export function toSearchEntry(
  page: SitePage,
  nodes: readonly MdxNode[],
  references: ReadonlyMap<string, Reference>,
): SearchEntry | undefined {
  if (page.hidden || page.noindex) return undefined
  const { subject, route, title } = page
  const part = page.trail.flatMap((node) =>
    node.kind !== 'page' && node.kind !== 'link' && parts.has(node.kind) ? [node.label] : [],
  )
  const base = { route, title, part, sections: toSections(nodes) }
  const reference = 'source' in subject ? references.get(subject.source) : undefined
  if (subject.kind === 'operation' || subject.kind === 'webhook') {
    const operations =
      subject.kind === 'webhook' ? (reference?.webhookViews(subject.name) ?? []) : [reference?.operationView(subject.target)]
    const [first] = operations
    if (first) {
      const names = operations.flatMap((operation) => (operation ? listNames(operation) : []))
      const method = subject.kind === 'webhook' ? undefined : first.method
      return { ...base, kind: subject.kind, method, path: first.path, names: unique(names) }
    }
  }
  const schema = subject.kind === 'schema' ? reference?.schemaView(subject.name)?.schema : undefined
  if (schema) {
    const names = schema.properties.map(({ name }) => name)
    const type = schema.type.map(({ text }) => text).join('')
    const words = names.length === 0 ? type : `${type}, ${names.length} ${names.length === 1 ? 'property' : 'properties'}`
    return { ...base, kind: 'schema', method: undefined, path: words, names: unique(names) }
  }
  if (subject.kind === 'endpoint') {
    return { ...base, kind: 'operation', method: subject.method, path: subject.url, names: [] }
  }
  return { ...base, kind: 'page', method: undefined, path: page.description?.replace(/\s+/g, ' ').slice(0, 100), names: [] }
}

const parts: ReadonlySet<string> = new Set(['language', 'version', 'product', 'dropdown', 'tab', 'anchor'])

function listNames({ parameters, requestBody }: OperationView): string[] {
  const bodies = (requestBody?.content ?? []).slice(0, 2).flatMap(({ schema }) => (schema ? listProperties(schema) : []))
  return [...parameters.map(({ name }) => name), ...bodies]
}

function listProperties(schema: SchemaView): string[] {
  const { properties, items, choices } = schema
  const inside = [...(items ? [items] : []), ...choices.flatMap(({ options }) => options.map((option) => option.schema))]
  return [...properties.map(({ name }) => name), ...inside.flatMap((one) => one.properties.map(({ name }) => name))]
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].slice(0, maxNames)
}

/** The text of a page by its headings. Blocks of code are left out: they would be most of the words. */
function toSections(nodes: readonly MdxNode[]): SearchSection[] {
  const sections: { id: string; heading: string; text: string }[] = [{ id: '', heading: '', text: '' }]
  const visit = (list: readonly MdxNode[]) => {
    for (const node of list) {
      const section = sections.at(-1)
      if (!section) return
      if (node.kind === 'code') continue
      if (node.kind === 'text') {
        if (section.text.length < maxSection) section.text += `${node.value} `
      } else {
        const title = node.name === 'Step' || node.name === 'Accordion' ? node.props['title'] : node.props['label']
        const heading = /^h[1-4]$/.test(node.name) ? textOf(node.children).trim() : typeof title === 'string' ? title : ''
        const id = node.props['id']
        const isSection = heading !== '' && typeof id === 'string'
        if (isSection) sections.push({ id, heading, text: '' })
        if (!/^h[1-4]$/.test(node.name)) visit(node.children)
      }
    }
  }
  visit(nodes)
  return sections
    .map((section) => ({ ...section, text: section.text.replace(/\s+/g, ' ').trim().slice(0, maxSection) }))
    .filter(({ heading, text }) => heading !== '' || text !== '')
    .slice(0, maxSections)
}

/** What a search finds of one page. Plain data. */
export interface SearchEntry {
  readonly route: string
  readonly kind: 'operation' | 'webhook' | 'schema' | 'page'
  readonly title: string
  /** Upper case; of an operation. */
  readonly method: string | undefined
  /** The path of an operation; a word about a schema, such as `object, 12 properties`. */
  readonly path: string | undefined
  /** Names of parameters, and of properties of the body or the schema. */
  readonly names: readonly string[]
  /** Labels of the language, version, product, dropdown and tab that it stands in. */
  readonly part: readonly string[]
  /** The text of a guide, by its headings. */
  readonly sections: readonly SearchSection[]
}

interface SearchSection {
  /** `''` for what stands before the first heading. */
  readonly id: string
  readonly heading: string
  readonly text: string
}

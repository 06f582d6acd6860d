import { type ComponentChildren, isValidElement } from 'preact'
import type { Changelog } from '../../../changes/compare/changelog.ts'
import { type MdxNode, textOf } from '../../../script/values/values.ts'
import { stringOf } from '../../../text/json/json-values.ts'
import { replaceTags } from '../../content/allowed/allowed-html.ts'
import { formatMessage } from '../../messages/format-message.ts'
import { findMessages, type Messages } from '../../messages/messages.ts'
import { isDivision } from '../../plan/divisions.ts'
import { findPageLanguage } from '../../plan/page-language.ts'
import { readBoost } from '../../plan/plan-navigation-tree.ts'
import type { SitePage } from '../../plan/types.ts'
import type { ApiReference } from '../api/api-reference.tsx'
import { listEntries, nameVersion } from '../api/changelog-entries.ts'
import { Response } from '../api/content-part.tsx'
import { CallbacksPart } from '../api/operation-article.tsx'
import { Part, Switch } from '../api/part.tsx'
import { PropertyRow } from '../api/schema-content.tsx'
import { Description } from '../components/markdown-text.tsx'
import { childrenOf, type PropsOf, plainOf, propsOf } from '../element-parts.ts'
import { isSearchable } from '../page-listing.ts'
import type { SiteSource } from '../site-context.ts'

/** The most text of a section that is indexed, in UTF-16 code units. */
const maxSection = 500
/** The most sections of a page. */
const maxSections = 30
/** The most names of a page. */
const maxNames = 60
/** The most text of a description that is indexed. */
const maxAbout = 200

interface EntryContent {
  /** The text of the author. */
  readonly nodes: readonly MdxNode[]
  readonly article: ApiReference | undefined
  /** All that the page says, see `printPage`. */
  readonly text: string
}

/** Creates the search entry of a page; `undefined` for pages that the search does not contain. */
export function toSearchEntry(
  page: SitePage,
  { nodes, article, text }: EntryContent,
  { references, changelogs, context: { plan } }: SiteSource,
): SearchEntry | undefined {
  if (!isSearchable(page, plan.settings)) return undefined
  const { subject, route } = page
  // A query such as "rate limit" looks for the operation, not for the list of operations.
  const messages = findMessages(findPageLanguage(page, plan.settings))
  const { reference: texts, language } = messages
  const title = subject.kind === 'tag' ? formatMessage(texts.operationsOf, { name: page.title }, language) : page.title
  const part = page.trail.filter(isDivision).flatMap(({ kind, label }) => (parts.has(kind) ? [label] : []))
  const sections = toSections(nodes, maxSections)
  const category = subject.kind === 'changelog' ? 'changelog' : 'reference'
  const base = {
    route,
    title,
    part,
    sections,
    operationId: undefined,
    about: '',
    category,
    boost: findBoost(page),
    words: toWords(text),
  } as const
  const changelog = subject.kind === 'changelog' ? changelogs.get(subject.source) : undefined
  if (subject.kind === 'endpoint') {
    return { ...base, kind: 'operation', method: subject.method, path: subject.url, names: [] }
  }
  if (article && (subject.kind === 'operation' || subject.kind === 'webhook' || subject.kind === 'schema')) {
    const found: ArticleWords = { rows: [], options: [], types: [], texts: [], responses: [] }
    addWords([article.beforeText, article.article], found)
    const about = toFirstSentence(page.description ?? found.texts[0])
    if (subject.kind === 'schema') {
      const [type = ''] = found.types
      const count = formatMessage(texts.propertyCount, { count: found.rows.length }, language)
      const summary =
        found.rows.length === 0 ? type : formatMessage(messages.schema.both, { first: type, second: count }, language)
      const names = unique([...found.rows, ...found.options])
      return { ...base, kind: 'schema', category: 'schemas', method: undefined, path: summary, about, names }
    }
    const reference = references.get(subject.source)
    const isWebhook = subject.kind === 'webhook'
    const collected = isWebhook ? reference?.webhooks.get(subject.name)?.[0] : reference?.operations.get(subject.target)
    const [method, path] = isWebhook ? [undefined, subject.name] : splitTarget(subject.target)
    const names = unique([...page.labels.map(({ text }) => text), ...found.rows, ...found.options])
    return {
      ...base,
      kind: subject.kind,
      method,
      path,
      operationId: collected?.fields.operationId,
      about,
      names,
      sections: [...sections, ...found.responses],
    }
  }
  return {
    ...base,
    ...(changelog && { sections: toChangelogSections(changelog, messages) }),
    kind: 'page',
    ...(subject.kind === 'guide' && { category: hasUpdates(nodes) ? 'changelog' : 'guides' }),
    method: undefined,
    path: page.description?.replace(/\s+/g, ' ').slice(0, 100),
    about: page.description?.slice(0, maxAbout) ?? '',
    names: listKeywords(page),
  }
}

/** `GET /pets` as method and path. */
function splitTarget(target: string): readonly [method: string, path: string] {
  const space = target.indexOf(' ')
  return [target.slice(0, space), target.slice(space + 1)]
}

/** What the search takes from the elements of an API page. */
interface ArticleWords {
  /** The names of rows, without those in other rows. */
  readonly rows: string[]
  /** The names of rows in options of a choice. */
  readonly options: string[]
  /** The type of the schema of a page. */
  readonly types: string[]
  /** The descriptions of what the page is about. */
  readonly texts: string[]
  readonly responses: SearchSection[]
}

function addWords(node: ComponentChildren, words: ArticleWords): void {
  if (Array.isArray(node)) for (const one of node as ComponentChildren[]) addWords(one, words)
  // Callbacks repeat the names of other pages.
  if (!isValidElement(node) || node.type === CallbacksPart) return
  const answer = propsOf(node, Response)
  const row = propsOf(node, PropertyRow)
  const description = propsOf(node, Description)
  const part = propsOf(node, Part)
  const choice = propsOf(node, Switch)
  if (answer) words.responses.push(toResponseSection(answer))
  else if (row) words.rows.push(...(row.word === undefined ? [row.name] : []))
  else if (choice) for (const { content } of choice.options) addWords(content, { ...words, rows: words.options })
  else if (description) words.texts.push(...(description.class === 'prose' ? [description.text ?? ''] : []))
  else if (part) {
    words.types.push(plainOf(part.note).trim())
    addWords(part.children, words)
  } else addWords(childrenOf(node), words)
}

/** Names and properties of responses repeat those of other pages. */
function toResponseSection({ id, response: { statusCode, description = '' } }: PropsOf<typeof Response>): SearchSection {
  return { id, heading: statusCode, text: description.replace(/\s+/g, ' ').trim().slice(0, maxSection) }
}

const parts: ReadonlySet<string> = new Set(['language', 'version', 'product', 'dropdown', 'tab', 'anchor'])

/** The `keywords` of a page, which are found although the page does not show them: a list, or a string with commas. */
function listKeywords({ frontmatter: { keywords } }: SitePage): string[] {
  const list = stringOf(keywords)?.split(',') ?? [keywords].flat()
  const texts = list.slice(0, maxNames).map((keyword) => stringOf(keyword)?.trim().slice(0, 100) ?? '')
  return unique(texts.filter((keyword) => keyword !== ''))
}

/** The factor of a page in the search, as in Mintlify: its own, else that of the nearest group. */
function findBoost({ frontmatter, trail }: SitePage): number | undefined {
  return readBoost(frontmatter['boost']) ?? trail.filter(isDivision).findLast(({ boost }) => boost !== undefined)?.boost
}

/** Whether the author wrote a page as a changelog. */
function hasUpdates(nodes: readonly MdxNode[]): boolean {
  return nodes.some((node) => node.kind === 'element' && node.name === 'Update')
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].slice(0, maxNames)
}

/** The first sentence of a description, without HTML tags and link targets. The rest repeats the names of parameters. */
function toFirstSentence(description: string | undefined): string {
  const text = replaceTags((description ?? '').slice(0, 2 * maxAbout), ' ')
    .replace(/\]\([^()]*\)/g, ' ')
    .trim()
  const end = text.search(/[.!?]\s/)
  return text.slice(0, end === -1 ? maxAbout : Math.min(end, maxAbout))
}

/** Each word of a text in Markdown once, without the targets of links. */
function toWords(text: string): string {
  const plain = text.replace(/\]\([^()]*\)/g, ' ').replaceAll('\\', '')
  const isAscii = /^[\x00-\x7f]*$/.test(plain)
  return [...new Set(plain.match(isAscii ? /[\w-]+/g : /[\p{L}\p{M}\p{N}_-]+/gu))].join(' ')
}

/** The versions of a changelog with their messages. */
function toChangelogSections(changelog: Changelog, messages: Messages): SearchSection[] {
  return listEntries(changelog)
    .slice(0, maxSections)
    .map(({ entry, id, listed }) => {
      const text = listed.map(({ message }) => message.replaceAll('`', '')).join('. ')
      return { id, heading: nameVersion(entry, messages), text: text.slice(0, maxSection) }
    })
}

/** The text of a page by heading, without code blocks. */
function toSections(nodes: readonly MdxNode[], most: number): SearchSection[] {
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
        const heading = /^h[1-4]$/.test(node.name) ? textOf(node.children).trim() : (stringOf(title) ?? '')
        const id = stringOf(node.props['id'])
        if (heading !== '' && id !== undefined) sections.push({ id, heading, text: '' })
        if (!/^h[1-4]$/.test(node.name)) visit(node.children)
      }
    }
  }
  visit(nodes)
  return sections
    .map((section) => ({ ...section, text: section.text.replace(/\s+/g, ' ').trim().slice(0, maxSection) }))
    .filter(({ heading, text }) => heading !== '' || text !== '')
    .slice(0, most)
}

/** The searchable content of a page. */
export interface SearchEntry {
  readonly route: string
  readonly kind: 'operation' | 'webhook' | 'schema' | 'page'
  readonly category: 'guides' | 'reference' | 'schemas' | 'changelog'
  readonly title: string
  /** The method of an operation, in upper case. */
  readonly method: string | undefined
  /** The path of an operation, or a summary of a schema such as `object, 12 properties`. */
  readonly path: string | undefined
  readonly operationId: string | undefined
  /** The description, as far as it is indexed. */
  readonly about: string
  /** Names of parameters, and of properties of the body or the schema. */
  readonly names: readonly string[]
  /** Each word of the page once, separated by spaces. */
  readonly words?: string
  /** The labels of the language, version, product, dropdown and tab that contain the page. */
  readonly part: readonly string[]
  /** Multiplies the rating of the page. */
  readonly boost: number | undefined
  /** The text of the page by heading. */
  readonly sections: readonly SearchSection[]
}

interface SearchSection {
  /** `''` for text before the first heading. */
  readonly id: string
  readonly heading: string
  readonly text: string
}

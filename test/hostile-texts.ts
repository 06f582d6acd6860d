import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { Element, Nodes, Root } from 'hast'
import { raw } from 'hast-util-raw'
import type { Nodes as MarkdownNodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { expect } from 'vitest'
import { parse } from 'yaml'
import {
  formatChangesGithub,
  formatChangesJunit,
  formatChangesSarif,
  toChangesJson,
} from '../src/changes/show/changes-formats.ts'
import { formatCheckstyle, formatGitlab, formatJunit, formatSarif, formatUnix } from '../src/diagnostics/format-ci.ts'
import { formatGithub, formatJson } from '../src/diagnostics/format-text.ts'
import { splitSummary } from '../src/openapi/read/titles.ts'
import { renderReview } from '../src/site/page/review/review-page.tsx'
import { acceptedChange, exampleComparison, hostileComparison } from './changes/example-comparison.ts'
import { exampleDiagnostic } from './diagnostics/example-diagnostic.ts'
import { siteOf } from './site/make/site-of.ts'
import { asIs, documentOfTexts, hostileConfig, hostilePage } from './support/hostile-inputs.ts'
import { everyHostileText as texts } from './support/hostile-strings.ts'
import { readCommands } from './support/read-commands.ts'

// Every output of the program is read with its own parser. `test/github/report` does the same for GitHub's Markdown, `test/site/reference/code-samples.test.ts` runs code samples, and
// `test/site/page/hostile-site.browser.test.ts` opens pages in a browser.

/** A text without escapes, and without what outputs replace, leave out or show in another way. */
const squash = (text: string) =>
  text
    .replace(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[nrt]|[\s\p{C}\ufffd`\\]/gu, '')

/** Whether an output has a text, or the start of a long one. */
const contains = (shown: string, text: string) => squash(shown).toLowerCase().includes(squash(text).toLowerCase().slice(0, 100))

/** A value with all of its texts replaced, so that texts that are only text make no difference. */
function toShape(value: unknown): unknown {
  if (typeof value === 'string') return ''
  if (value instanceof Set) return [...value].sort()
  if (Array.isArray(value)) return value.map(toShape)
  if (typeof value !== 'object' || value === null) return value
  // SARIF says of relative paths to what they are relative.
  const entries = Object.entries(value).filter(([key]) => key !== 'uriBaseId')
  return Object.fromEntries(entries.map(([key, entry]) => [key, toShape(entry)]))
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}

function parseXml(xml: string): unknown {
  expect(XMLValidator.validate(xml)).toBe(true)
  // Source: XML 1.0, "Characters". The validator does not check them.
  expect(xml).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u)
  return new XMLParser({ ignoreAttributes: false, htmlEntities: true, processEntities: true }).parse(xml)
}

const parseHtml = (html: string) => raw({ type: 'root', children: [{ type: 'raw', value: html }] } as unknown as Root)

function listElements(node: Nodes): Element[] {
  const inside = 'children' in node ? node.children.flatMap(listElements) : []
  return node.type === 'element' ? [node, ...inside] : inside
}

const textOf = (node: Nodes): string => {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

/** The elements, attributes and links of a page, and its text. Code in messages is between backticks, so that there can be more or less of it. */
function toOutline(html: string): unknown {
  expect(html).not.toMatch(/[\0-\x08\x0b\x0e-\x1f\x7f\u202e]/)
  const tree = parseHtml(html)
  const elements = listElements(tree)
  const names = elements.flatMap(({ tagName, properties }) => [tagName, ...Object.keys(properties)])
  const links = elements.flatMap(({ properties }) => ('href' in properties ? [String(properties['href'])] : []))
  return { names: new Set(names.filter((name) => name !== 'code')), links: new Set(links), text: textOf(tree) }
}

const diagnosticOf = (text: string) => {
  const { range } = exampleDiagnostic()
  return [
    exampleDiagnostic({
      message: text,
      hint: text,
      file: `a/${text}`,
      section: text,
      related: [{ file: text, range, message: text }],
    }),
  ]
}
const comparisons = (text: string) => [
  hostileComparison(text),
  exampleComparison([acceptedChange({ reason: text, author: text })]),
]
const pageOf = (text: string) =>
  renderReview(
    comparisons(text).map(({ changes }) => {
      const placed = changes.map((change) => ({ change, path: [] }))
      const subject = { name: text, method: text, tag: text, base: undefined, revision: undefined, changes: placed }
      return { title: text, subjects: [subject] }
    }),
    { accept: text, stylesheet: '' },
  ).get('') ?? ''
const lines = (text: string) => {
  expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
  return text.split('\n')
}
const readLog = (log: string) => readCommands(lines(log).join('\n'))

/** What a parser makes of each report about a text. */
export const reports: readonly (readonly [name: string, read: (text: string) => unknown])[] = [
  ['check --format unix', (text) => lines(formatUnix(diagnosticOf(text)))],
  ['check --format github', (text) => readLog(formatGithub(diagnosticOf(text)))],
  ['check --format json', (text) => JSON.parse(lines(formatJson(diagnosticOf(text))).join('\n'))],
  ['check --format sarif', (text) => JSON.parse(lines(formatSarif(diagnosticOf(text), { version: '1' })).join('\n'))],
  ['check --format checkstyle', (text) => parseXml(formatCheckstyle(diagnosticOf(text)))],
  ['check --format junit', (text) => parseXml(formatJunit(diagnosticOf(text), []))],
  ['check --format gitlab', (text) => JSON.parse(formatGitlab(diagnosticOf(text)))],
  ['changes --format github', (text) => comparisons(text).map((one) => readLog(formatChangesGithub(one)))],
  ['changes --format json', (text) => comparisons(text).map((one) => toChangesJson(one))],
  ['changes --format sarif', (text) => JSON.parse(formatChangesSarif(comparisons(text), { version: '1' }))],
  ['changes --format junit', (text) => parseXml(formatChangesJunit(comparisons(text), () => true))],
  ['review', (text) => toOutline(pageOf(text))],
]

/** Reports have the same shape for every text, and contain it. */
export function checkReport(read: (text: string) => unknown): void {
  const plain = toShape(read('plain'))
  for (const text of texts) {
    const found = read(text)
    expect(toShape(found), JSON.stringify(text)).toEqual(plain)
    const shown = listTexts(found).flatMap((one) => [one, decode(one)])
    expect(contains(shown.join(' '), text), JSON.stringify(text)).toBe(true)
  }
}

/** Files are URIs in SARIF. */
const decode = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Builds a site that has these texts in every place, and a page and an operation for each. */
async function buildSiteOf(texts: readonly string[], markdown = asIs): Promise<Readonly<Record<string, string>>> {
  const entries = texts.map((message, index) => ({
    name: `v${index}`,
    date: '2026-03-02T10:00:00.000Z',
    sha: 'a'.repeat(40),
    isFirst: false,
    changes: hostileComparison('a').changes.map((change) => ({ ...change, operation: null, schemas: [], message })),
  }))
  const pages = texts.flatMap((_, index) => [`page-${index}`, `operation-${index}`])
  const { files } = await siteOf(
    {
      'docs.json': JSON.stringify({ ...hostileConfig(texts, pages), api: { openapi: 'openapi.json' } }),
      'openapi.json': JSON.stringify(documentOfTexts(texts, markdown)),
      ...Object.fromEntries(texts.map((text, index) => [`page-${index}.mdx`, hostilePage(text, markdown.describe(text))])),
      ...Object.fromEntries(texts.map((_, index) => [`operation-${index}.mdx`, `---\nopenapi: POST /p${index}\n---\n`])),
    },
    {
      url: 'https://docs.example/',
      readChangelogs: async (all) => new Map(all.map(({ source }) => [source, { entries, isCut: false }])),
    },
  )
  return files
}

/** Builds a site that has these texts in every place, and reads each file with its parser. */
export async function checkSiteOf(texts: readonly string[]): Promise<void> {
  const files = await buildSiteOf(texts)
  for (const [index, text] of texts.entries()) checkOperation(index, text, files)
  const wrong = Object.entries(files).flatMap(([path, text]) => {
    if (path.endsWith('.html')) return findUnsafeHtml(text).map((found) => `${path} ${found}`)
    if (isMarkdown(path)) return listLinks(text).flatMap((url) => (isUnsafeUrl(url) ? [`${path} ${url}`] : []))
    if (path.endsWith('.css') && /<|url\(|expression|body\{/i.test(text)) return [path]
    if (path.endsWith('.json')) JSON.parse(text)
    if (path.endsWith('.xml')) parseXml(text)
    return []
  })
  expect(wrong).toEqual([])
  const search = Object.entries(files).flatMap(([path, text]) => (path.startsWith('_search/') ? listTexts(JSON.parse(text)) : []))
  expect(texts.filter((text) => !contains(search.join(' '), text))).toEqual([])
  const feeds = Object.entries(files).filter(([path]) => /(?:rss\.xml|feed\.json)$/.test(path))
  expect(feeds.length).toBeGreaterThan(1)
  for (const [path, text] of feeds) checkFeed(listTexts(path.endsWith('.xml') ? parseXml(text) : JSON.parse(text)), texts)
}

/** What sites read as Markdown is plain: descriptions, and what the title of a summary leaves out. */
const plainMarkdown = {
  describe: () => 'described',
  summarize: (text: string) => (splitSummary(text).rest === undefined ? text : 'summary'),
}

/** In the Markdown of a site, texts that are not Markdown themselves stay text, and the page of an operation has the same headings for every text. */
export async function checkMarkdownOf(texts: readonly string[]): Promise<void> {
  const files = await buildSiteOf(texts, plainMarkdown)
  const wrong = Object.entries(files).flatMap(([path, text]) =>
    // Pages show text in components, which have links and images of their own.
    isMarkdown(path)
      ? listMarkdown(text).flatMap((node) =>
          isMade(node, path.startsWith('page-')) ? [`${path} ${node.type} ${textOfMarkdown(node)}`] : [],
        )
      : [],
  )
  expect(wrong).toEqual([])
  const plain = listHeadings((await buildSiteOf(['plain'], plainMarkdown))['operation-0.md'] ?? '')
  for (const [index, text] of texts.entries()) {
    expect(listHeadings(files[`operation-${index}.md`] ?? ''), JSON.stringify(text)).toEqual(plain)
    const title = listMarkdown(files[`page-${index}.md`] ?? '').find((node) => node.type === 'heading' && node.depth === 1)
    expect(contains(title ? textOfMarkdown(title) : '', text), JSON.stringify(text)).toBe(true)
  }
}

const listHeadings = (markdown: string) => listMarkdown(markdown).flatMap((node) => (node.type === 'heading' ? [node.depth] : []))

/** Whether a node is one that only a text can make. */
function isMade(node: MarkdownNodes, isPage: boolean): boolean {
  if (node.type === 'html' || /^(?:footnote|definition|table|thematicBreak)/.test(node.type)) return true
  if (isPage) return false
  // GitHub makes a link of each address, even of an escaped one.
  if (node.type === 'link' && !/^https:\/\/(?:docs\.example|example\.com)\//.test(node.url))
    return !squash(node.url)
      .toLowerCase()
      .endsWith(squash(textOfMarkdown(node)).toLowerCase())
  return /^(?:image|linkReference|emphasis|delete)/.test(node.type)
}

const textOfMarkdown = (node: MarkdownNodes): string => {
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(textOfMarkdown).join('') : ''
}

// `llms-full.txt` has the text of the other files.
const isMarkdown = (path: string) => /\.(?:md|txt)$/.test(path) && path !== 'llms-full.txt'

/** The page of an operation has its text, in HTML, Markdown and OpenAPI. */
function checkOperation(index: number, text: string, files: Readonly<Record<string, string>>): void {
  const elements = listElements(parseHtml(files[`operation-${index}/index.html`] ?? ''))
  const ofClass = (name: string) => elements.filter(({ properties }) => [properties['className']].flat().includes(name))
  const names = ofClass('p-head')
    .flatMap(listElements)
    .filter(({ tagName }) => tagName === 'a')
    .map(textOf)
  expect(names.filter((name) => squash(name) === squash(text)).length, JSON.stringify(text)).toBeGreaterThan(2)
  expect([elements.filter(({ tagName }) => tagName === 'h1').length, ofClass('endpoint').length]).toEqual([1, 1])
  const { paths } = JSON.parse(files[`operation-${index}.openapi.json`] ?? '')
  expect(paths[`/p${index}`].post.parameters[0]).toMatchObject({ name: text, description: text, example: text })
  const shown = listMarkdown(files[`operation-${index}.md`] ?? '').flatMap((node) => ('value' in node ? [node.value] : []))
  expect(contains(shown.join(' '), text), JSON.stringify(text)).toBe(true)
}

const isUnsafeUrl = (url: string) =>
  /^[\s\0-\x20]*(?:javascript|vbscript|file|data:(?!image\/(?:png|jpe?g|gif|webp|avif)[;,]|,$))/i.test(url)

function findUnsafeHtml(html: string): string[] {
  return listElements(parseHtml(html)).flatMap((element) => {
    const { tagName, properties } = element
    const written = Object.entries(properties).map(([key, value]) => [key, String(value)] as const)
    const isScript = tagName === 'script' && !/^\/(?:_assets\/|$)/.test(String(properties['src']))
    const isData = properties['type'] === 'application/ld+json' && typeof JSON.parse(textOf(element)) === 'object'
    const isForm = tagName === 'form' && properties['role'] !== 'search'
    const isRefresh = 'httpEquiv' in properties && /url=(?!\/(?!\/)|https?:)/.test(String(properties['content']))
    const isUnsafe = written.some(
      ([key, value]) =>
        /^(?:on.*|style|srcdoc|formaction)$/i.test(key) ||
        (/^(?:href|src|action|poster|srcset)$/i.test(key) && isUnsafeUrl(value)),
    )
    const hasClass = [properties['className']].flat().some((name) => !/^[\w-]*$/.test(String(name ?? '')))
    const isElement = /^(?:iframe|base|style|object|embed)$/.test(tagName)
    const isWrong = (isScript && !isData) || isForm || isRefresh || isUnsafe || hasClass || isElement
    return isWrong ? [`<${tagName} ${JSON.stringify(properties)}>`] : []
  })
}

/** The URLs of links and images, also those of the HTML that descriptions have. */
function listLinks(markdown: string): string[] {
  expect(markdown).not.toMatch(/[\0-\x08\x0b\x0e-\x1f\x7f]/)
  return listMarkdown(markdown).flatMap((node) => {
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition') return [node.url]
    if (node.type !== 'html') return []
    return listElements(parseHtml(node.value)).flatMap(({ properties }) =>
      [properties['href'], properties['src']].flat().map(String),
    )
  })
}

function checkFeed(all: readonly string[], texts: readonly string[]): void {
  const pages = all.filter((one) => one.startsWith('<p>')).map(parseHtml)
  const elements = pages.flatMap(listElements).map(({ tagName }) => tagName)
  expect(elements.filter((name) => !['p', 'ul', 'li', 'b', 'code', 'a', 'br'].includes(name))).toEqual([])
  const shown = pages.map(textOf).join(' ')
  expect(texts.filter((one) => !contains(shown, one))).toEqual([])
}

/** The nodes of Markdown, without the YAML of skills. */
function listMarkdown(text: string): MarkdownNodes[] {
  const list = (node: MarkdownNodes): MarkdownNodes[] => [node, ...('children' in node ? node.children.flatMap(list) : [])]
  const [yaml = ''] = /^---\n(?:.*\n)*?---\n/.exec(text) ?? []
  if (yaml !== '') expect(Object.keys(parse(yaml.slice(4, -4)))).toEqual(['name', 'description'])
  return list(fromMarkdown(text.slice(yaml.length), { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }))
}

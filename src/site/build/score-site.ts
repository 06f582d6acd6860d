import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { parsePageFrontmatter } from '../../docs-config/page-frontmatter.ts'
import { isObject, type JsonObject, readOwn } from '../../source/is-object.ts'
import { decodePercent } from '../../source/relative-path.ts'
import type { SiteFile } from '../render/types.ts'
import type { BuiltSite } from './build-site.ts'

/** How well agents can use a site: up to 100 points, and each check that lost some. */
export interface SiteScore {
  /** Rounded down, so that only a site without problems has 100. */
  readonly score: number
  readonly checks: readonly ScoreCheck[]
}

interface ScoreCheck {
  readonly id: string
  readonly title: string
  readonly points: number
  readonly maxPoints: number
  /** What was found, as one sentence without a full stop. */
  readonly message: string
  /** What gains the lost points; `null` if none are lost. */
  readonly fix: string | null
  /** The first places to change: pages, operations or links. */
  readonly examples: readonly string[]
}

/** The result of a check: a share of its points. */
interface Result {
  /** From 0 to 1. */
  readonly share: number
  readonly message: string
  readonly fix: string
  readonly examples?: readonly string[]
}

/** `llms.txt` and pages up to this size, in UTF-16 code units, are read as a whole by most agents. Source: agentdocsspec.com, "Page size". */
const wholeLength = 50_000

/** Pages above this length need headings. */
const longLength = 5_000

/** The most examples of a check. */
const maxExamples = 5

interface Facts {
  readonly paths: Set<string>
  /** Small text files by path. */
  readonly texts: Map<string, string>
  /** By path. */
  readonly pages: Map<string, MarkdownFacts>
  readonly html: Map<string, { readonly hasData: boolean; readonly isIndexed: boolean }>
  readonly operations: { readonly path: string; readonly name: string; readonly isDescribed: boolean; readonly hasId: boolean }[]
}

interface MarkdownFacts {
  readonly length: number
  readonly hasText: boolean
  readonly hasHeadings: boolean
  readonly namesIndex: boolean
  readonly blocks: number
  readonly blocksWithLanguage: number
}

/**
 * Scores a site by its files, without a network, so that the result is the same on every machine. Keeps only facts about files, because sites can be
 * large.
 */
export function createSiteScore(): {
  readonly add: (file: SiteFile) => void
  readonly finish: (built: Pick<BuiltSite, 'pages' | 'diagnostics'>) => SiteScore
} {
  const facts: Facts = { paths: new Set(), texts: new Map(), pages: new Map(), html: new Map(), operations: [] }
  return {
    add: (file) => addFile(file, facts),
    finish(built) {
      const site = toScoredSite(facts, built)
      const scored = Object.entries(checks).flatMap(([id, { title, points, run }]: [string, Check]) => {
        const result = run(site)
        return result ? [toScoreCheck({ id, title, maxPoints: points }, result)] : []
      })
      const sum = (key: 'points' | 'maxPoints') => scored.reduce((total, check) => total + check[key], 0)
      return { score: Math.floor((100 * sum('points')) / Math.max(1, sum('maxPoints'))), checks: scored }
    },
  }
}

function toScoreCheck(check: Pick<ScoreCheck, 'id' | 'title' | 'maxPoints'>, result: Result): ScoreCheck {
  const { share, message, fix, examples = [] } = result
  const points = Math.floor(check.maxPoints * share)
  const isLost = points < check.maxPoints
  return { ...check, points, message, fix: isLost ? fix : null, examples: isLost ? examples.slice(0, maxExamples) : [] }
}

function addFile({ path, content }: SiteFile, { paths, texts, pages, html, operations }: Facts): void {
  paths.add(path)
  if (typeof content !== 'string') return
  if (/^(?:llms\.txt|llms-full\.txt|skill\.md|robots\.txt|sitemap\.xml)$/.test(path)) texts.set(path, content)
  else if (path.endsWith('.openapi.json')) operations.push(...readSlice(path, content))
  else if (path.endsWith('.md')) pages.set(path, readMarkdown(content))
  else if (path.endsWith('.html')) {
    const head = content.slice(0, content.indexOf('</head>'))
    html.set(path, {
      hasData: head.includes('<script type="application/ld+json">'),
      isIndexed: !/<meta name="robots" content="[^"]*noindex/.test(head),
    })
  }
}

/** Reads the operations of a page from the OpenAPI document that describes only them. */
function readSlice(path: string, content: string): Facts['operations'] {
  const document: unknown = JSON.parse(content) // Written by the build.
  const items = readOwn(document, 'paths')
  return Object.entries(isObject(items) ? items : {}).flatMap(([template, item]) =>
    Object.entries(isObject(item) ? item : {}).flatMap(([method, operation]) => {
      if (!isObject(operation) || !/^(?:get|put|post|delete|options|head|patch|trace|query)$/.test(method)) return []
      const has = (key: string) => {
        const value = readOwn(operation, key)
        return typeof value === 'string' && value.trim() !== ''
      }
      const isDescribed = has('summary') || has('description')
      return [{ path, name: `${method.toUpperCase()} ${template}`, isDescribed, hasId: has('operationId') }]
    }),
  )
}

function readMarkdown(content: string): MarkdownFacts {
  const lines = content.split('\n')
  let fence: string | undefined
  let [blocks, blocksWithLanguage, headings, words] = [0, 0, 0, 0]
  for (const line of lines) {
    const [, mark, language = ''] = /^\s*(`{3,}|~{3,})\s*([^\s`]*)/.exec(line) ?? []
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && language === '') fence = undefined
    } else if (mark !== undefined) {
      fence = mark
      blocks++
      if (language !== '') blocksWithLanguage++
    } else if (/^#{2,6} /.test(line)) headings++
    else if (line.trim() !== '' && !/^(?:>|# )/.test(line)) words++
  }
  return {
    length: content.length,
    hasText: words > 0 || headings > 0 || blocks > 0 || /^> (?!#|All pages of this)/m.test(content),
    hasHeadings: headings > 0,
    namesIndex: content.slice(0, 2_000).includes('llms.txt'),
    blocks,
    blocksWithLanguage,
  }
}

/** A line of `llms.txt`. */
interface Entry {
  readonly title: string
  readonly target: string
  readonly hasDescription: boolean
  readonly section: string
}

function readEntries(text: string): Entry[] {
  let section = ''
  return text.split('\n').flatMap((line): Entry[] => {
    section = /^## (.*)$/.exec(line)?.[1] ?? section
    const [, title, target, description] = /^- \[((?:\\.|[^\]\\])*)\]\(([^()\s]*)\)(?:: (.*))?$/.exec(line) ?? []
    if (title === undefined || target === undefined) return []
    return [{ title, target, hasDescription: (description ?? '').trim() !== '', section }]
  })
}

/** A built site as the checks see it. */
interface ScoredSite extends Facts {
  readonly diagnostics: readonly Diagnostic[]
  /** The text of `llms.txt`. */
  readonly llms: string
  /** All links of `llms.txt`, and those to pages. */
  readonly entries: readonly Entry[]
  readonly listed: readonly Entry[]
  /** The Markdown of all pages, and of those that `llms.txt` lists. */
  readonly own: readonly Page[]
  readonly ownListed: readonly Page[]
}

type Page = readonly [path: string, facts: MarkdownFacts]

function toScoredSite(facts: Facts, { pages, diagnostics }: Pick<BuiltSite, 'pages' | 'diagnostics'>): ScoredSite {
  const llms = facts.texts.get('llms.txt') ?? ''
  const entries = readEntries(llms)
  const listed = entries.filter(({ section }) => section !== 'OpenAPI documents' && section !== 'Lists by section')
  const paths = new Set(listed.map(({ target }) => toPath(target)))
  const own = pages.flatMap(({ route }): Page[] => {
    const path = `${route === '' ? 'index' : route}.md`
    const page = facts.pages.get(path)
    return page ? [[path, page]] : []
  })
  return { ...facts, diagnostics, llms, entries, listed, own, ownListed: own.filter(([path]) => paths.has(path)) }
}

/** The path of a link in the output directory. */
function toPath(target: string): string {
  return decodePercent(URL.parse(target, 'https://site.invalid/')?.pathname ?? target).replace(/^\//, '')
}

function pathOf([path]: Page): string {
  return path
}

const reportIt = 'Report this as an error of openapi-pages'

/** A check, with the points that it gives at most. `undefined` if it does not concern a site. */
interface Check {
  readonly title: string
  readonly points: number
  readonly run: (site: ScoredSite) => Result | undefined
}

/** In the order of the output. Most IDs are those of `mint score`. */
const checks = {
  llmsTxtExists: {
    title: '`llms.txt` lists the pages',
    points: 5,
    run: ({ listed }) => ({
      share: listed.length > 0 ? 1 : 0,
      message: `${listed.length} pages listed`,
      fix: 'List pages in `navigation` of docs.json',
    }),
  },
  llmsTxtValid: {
    title: '`llms.txt` has a title, a summary and links',
    points: 4,
    run: ({ llms, entries }) => checkStructure(llms, entries),
  },
  llmsTxtSize: {
    title: '`llms.txt` fits into one request',
    points: 4,
    run: ({ llms: { length } }) => ({
      share: length <= wholeLength ? 1 : length <= 2 * wholeLength ? 0.5 : 0,
      message: `${length} characters`,
      fix: `Shorten descriptions or hide pages, to at most ${wholeLength} characters`,
    }),
  },
  llmsTxtLinksResolve: {
    title: 'Links in `llms.txt` work',
    points: 4,
    run: ({ entries, paths }) =>
      ofList(entries, ({ target }) => paths.has(toPath(target)), {
        count: 'links work',
        fix: reportIt,
        name: ({ target }) => target,
      }),
  },
  llmsTxtLinksMarkdown: {
    title: 'Links in `llms.txt` lead to Markdown',
    points: 4,
    run: ({ listed }) =>
      ofList(listed, ({ target }) => target.endsWith('.md'), {
        count: 'links lead to Markdown',
        fix: reportIt,
        name: ({ target }) => target,
      }),
  },
  llmsTxtDirective: {
    title: 'Pages say where `llms.txt` is',
    points: 3,
    run: ({ own }) => ofList(own, ([, { namesIndex }]) => namesIndex, { count: 'pages name it', fix: reportIt, name: pathOf }),
  },
  llmsTxtFullExists: {
    title: '`llms-full.txt` has the text of the pages',
    points: 4,
    run: ({ texts }) => {
      const text = texts.get('llms-full.txt') ?? ''
      return {
        share: /^# /m.test(text) ? 1 : 0,
        message: `${text.length} characters in the first file`,
        fix: 'List pages with text in `navigation` of docs.json',
      }
    },
  },
  markdownPages: {
    title: 'Each page has Markdown with text',
    points: 8,
    run: ({ own }) =>
      ofList(own, ([, { hasText }]) => hasText, {
        count: 'pages have text',
        fix: 'Write the text of these pages, or remove them',
        name: pathOf,
      }),
  },
  pageSize: {
    title: 'Pages fit into one request',
    points: 8,
    run: ({ ownListed }) => {
      const bySize = ownListed.toSorted(([, one], [, other]) => other.length - one.length)
      return ofList(bySize, ([, { length }]) => length <= wholeLength, {
        count: `pages have at most ${wholeLength} characters`,
        fix: 'Split these pages',
        name: ([path, { length }]) => `${path} (${length} characters)`,
      })
    },
  },
  pageDescriptions: {
    title: 'Pages have descriptions',
    points: 8,
    run: ({ listed }) =>
      ofList(listed, ({ hasDescription }) => hasDescription, {
        count: 'pages have one',
        fix: 'Add `description` to these pages or their operations, and `summary` to the `info` of an API',
        name: ({ target }) => toPath(target),
      }),
  },
  pageTitles: { title: 'Titles are unique', points: 4, run: ({ listed }) => checkTitles(listed) },
  pageHeadings: {
    title: 'Long pages have headings',
    points: 4,
    run: ({ own }) =>
      ofList(
        own.filter(([, { length }]) => length > longLength),
        ([, { hasHeadings }]) => hasHeadings,
        { count: `pages with more than ${longLength} characters have some`, fix: 'Add headings to these pages', name: pathOf },
      ),
  },
  codeLanguages: {
    title: 'Code blocks name their language',
    points: 4,
    run: ({ own }) => {
      const sum = (key: 'blocks' | 'blocksWithLanguage') => own.reduce((count, [, page]) => count + page[key], 0)
      const [all, named] = [sum('blocks'), sum('blocksWithLanguage')]
      return {
        share: all === 0 ? 1 : named / all,
        message: `${named} of ${all} code blocks name it`,
        fix: 'Write the language after the opening fence, such as ```json',
        examples: own.filter(([, page]) => page.blocksWithLanguage < page.blocks).map(pathOf),
      }
    },
  },
  noErrors: { title: 'No errors and no broken links', points: 8, run: ({ diagnostics }) => checkDiagnostics(diagnostics) },
  openApiSpec: {
    title: 'The OpenAPI document is at a standard path',
    points: 5,
    run: ({ operations, paths }) => {
      const found = ['openapi.json', 'openapi.yaml', 'openapi.yml'].find((path) => paths.has(path))
      if (operations.length === 0) return undefined
      return {
        share: found === undefined ? 0 : 1,
        message: found ?? 'Not found',
        fix: 'Name the main document openapi.json or openapi.yaml, at the top of the docs directory',
      }
    },
  },
  operationDescriptions: {
    title: 'Operations have a summary or description',
    points: 5,
    run: ({ operations }) =>
      ofOperations(operations, ({ isDescribed }) => isDescribed, 'Add `summary` or `description` to these operations'),
  },
  operationIds: {
    title: 'Operations have an ID',
    points: 3,
    run: ({ operations }) => ofOperations(operations, ({ hasId }) => hasId, 'Add `operationId` to these operations'),
  },
  skillMd: { title: '`skill.md` is valid', points: 4, run: ({ texts }) => checkSkill(texts.get('skill.md')) },
  robotsTxtAllowsAI: {
    title: 'Agents may list the site',
    points: 3,
    run: ({ html }) => {
      const isIndexed = html.get('index.html')?.isIndexed ?? true
      return {
        share: isIndexed ? 1 : 0,
        message: isIndexed ? 'The start page may be listed' : 'The start page has `noindex`',
        fix: 'Remove `noindex` from the start page and from `seo.metatags.robots`',
      }
    },
  },
  sitemapExists: {
    title: 'There is a sitemap',
    points: 3,
    run: ({ paths }) => ({
      share: paths.has('sitemap.xml') ? 1 : 0,
      message: paths.has('sitemap.xml') ? 'sitemap.xml' : 'Not found',
      fix: 'Remove `noindex` from pages, or list pages in `navigation` of docs.json',
    }),
  },
  structuredData: {
    title: 'Pages have structured data',
    points: 3,
    run: ({ html, own }) => {
      const names = new Set(own.map(pathOf))
      const indexed = [...html].filter(([path, { isIndexed }]) => isIndexed && names.has(toMarkdownName(path)))
      return ofList(indexed, ([, { hasData }]) => hasData, { count: 'pages have it', fix: reportIt, name: ([path]) => path })
    },
  },
  searchIndex: {
    title: 'Agents can search the pages',
    points: 2,
    run: ({ paths }) => {
      const hasIndex = paths.has('_search/names.json')
      return {
        share: hasIndex ? 1 : 0,
        message: hasIndex ? 'The site has a search index' : 'The site has no search index',
        fix: 'List pages in `navigation` of docs.json, without `searchable: false`',
      }
    },
  },
} satisfies { readonly [id: string]: Check }

/** The share of the operations that pass; `undefined` for a site without an API. */
function ofOperations(
  operations: Facts['operations'],
  passes: (operation: Facts['operations'][number]) => boolean,
  fix: string,
): Result | undefined {
  if (operations.length === 0) return undefined
  return ofList(operations, passes, { count: 'operations have one', fix, name: ({ name }) => name })
}

function toMarkdownName(path: string): string {
  return path === 'index.html' ? 'index.md' : path.replace(/\/index\.html$/, '.md')
}

interface ListTexts<Entry> {
  /** After `3 of 4`. */
  readonly count: string
  readonly fix: string
  readonly name: (entry: Entry) => string
}

/** The share of entries that pass. Without entries, nothing is lost. */
function ofList<Entry>(
  entries: readonly Entry[],
  passes: (entry: Entry) => boolean,
  { count, fix, name }: ListTexts<Entry>,
): Result {
  const failed = entries.filter((entry) => !passes(entry))
  const passed = entries.length - failed.length
  return {
    share: entries.length === 0 ? 1 : passed / entries.length,
    message: `${passed} of ${entries.length} ${count}`,
    fix,
    examples: failed.map(name),
  }
}

/** Source: llmstxt.org, "Format". */
function checkStructure(text: string, entries: readonly Entry[]): Result {
  const hasTitle = /^# \S/.test(text)
  const hasSummary = /^# [^\n]*\n\n> (?!#)\S/.test(text)
  const parts = [hasTitle, hasSummary, entries.length > 0]
  return {
    share: parts.filter((part) => part).length / parts.length,
    message: hasSummary ? 'It has all of them' : 'It has no summary',
    fix: 'Set `description` in docs.json',
  }
}

/** Pages of other languages and versions can have the same title. */
function checkTitles(listed: readonly Entry[]): Result {
  const counts = new Map<string, number>()
  const keyOf = ({ section, title }: Entry) => `${section}\n${title}`
  for (const entry of listed) counts.set(keyOf(entry), (counts.get(keyOf(entry)) ?? 0) + 1)
  return ofList(listed, (entry) => counts.get(keyOf(entry)) === 1, {
    count: 'titles are unique in their section',
    fix: 'Give these pages different titles',
    name: ({ target }) => toPath(target),
  })
}

function checkDiagnostics(diagnostics: readonly Diagnostic[]): Result {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const links = diagnostics.filter(({ code, severity }) => severity === 'warning' && /link|redirect|anchor/.test(code))
  const found = [...errors, ...links]
  return {
    share: errors.length > 0 ? 0 : links.length > 0 ? 0.5 : 1,
    message: `${errors.length} errors, ${links.length} broken links`,
    fix: 'Fix what `openapi-pages build` reports',
    examples: found.map(({ file, range, message }) => `${file}:${range.start.line}: ${message}`),
  }
}

/** Source: agentskills.io, "Specification". */
function checkSkill(text: string | undefined): Result {
  const { name, description }: JsonObject = parsePageFrontmatter(text ?? '')?.values ?? {}
  const isNamed = typeof name === 'string' && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && name.length <= 64
  const isDescribed = typeof description === 'string' && description.trim() !== '' && description.length <= 1_024
  const found = text === undefined ? 'Not found' : isNamed && isDescribed ? 'It has a name and a description' : undefined
  return {
    share: isNamed && isDescribed ? 1 : text === undefined ? 0 : 0.5,
    message: found ?? `It has no valid ${isNamed ? '`description`' : '`name`'}`,
    fix: 'Start skill.md with frontmatter: `name` in lower-case letters, digits and hyphens, and `description` of at most 1,024 characters',
  }
}

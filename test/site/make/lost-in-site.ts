import { load } from 'js-yaml'
import { createSingleDocumentDocs } from '../../../src/cli/open/single-document.ts'
import type { Files } from '../../../src/files/files.ts'
import { hashContent } from '../../../src/files/output-folder.ts'
import { buildSite } from '../../../src/site/make/build-site.ts'
import { readSite } from '../../../src/site/make/read-site.ts'
import type { PageSubjectRef } from '../../../src/site/plan/types.ts'
import { groupBy } from '../../../src/text/plain/lists.ts'
import { findLostFacts } from '../../support/find-lost-facts.ts'
import { type Expectation, listFacts } from '../../support/list-facts.ts'
import { siteAssets } from './assets/site-assets.ts'

/** Builds the site of a document in memory and returns what it does not show. */
export async function listLostFacts(name: string, text: string) {
  return findLost(await buildDocument(name, text))
}

/** The site of a document, in memory. */
export interface DocumentSite {
  readonly document: unknown
  readonly text: string
  /** The HTML, Markdown and JSON files, by path. */
  readonly files: ReadonlyMap<string, string>
  /** The route of a page of `Expectation`. */
  readonly routeOf: (page: string) => string | undefined
}

export async function buildDocument(name: string, text: string): Promise<DocumentSite> {
  const document: unknown = name.endsWith('.json') ? JSON.parse(text) : load(text)
  const bytes = new TextEncoder().encode(text)
  const none: Files = {
    read: async (path) => (path === name ? { kind: 'file', bytes } : { kind: 'missing' }),
    list: async () => [name],
  }
  const { files, madeFiles } = await createSingleDocumentDocs(name, bytes, none, '')
  const access = {
    files,
    fetchDocument: (url: string) =>
      Promise.resolve({ kind: 'failed' as const, code: 'url-unreachable' as const, reason: `no network for ${url}` }),
  }
  const options = { root: '', base: '/', url: undefined, assets: siteAssets, isPreview: false, madeFiles }
  const shown = new Map<string, string>()
  await buildSite(options, access, ({ path, content }) => {
    if (/\.(?:html|md|json)$/.test(path)) shown.set(path, String(content))
    return hashContent(content)
  })
  const { source } = await readSite(options, access)
  const routes = new Map<string, string>()
  for (const { route, subject } of source?.context.plan.pages ?? []) {
    const page = namePage(subject)
    if (page !== undefined && !routes.has(page)) routes.set(page, route)
  }
  return { document, text, files: shown, routeOf: (page) => routes.get(page) }
}

/** What a site does not show, as lines such as `HTML: #/info/description: The API`. */
export function findLost({ document, text, files, routeOf }: DocumentSite): {
  readonly lost: readonly string[]
  readonly count: number
} {
  const expectations = listWrittenFacts(document, text)
  const lost = findLostFacts(expectations, files, routeOf)
  return {
    lost: [
      ...listEmptyFolds(files),
      ...lost.map(({ format, at, shown: [first = ''] }) => `${format}: ${at}: ${first.replace(/\s+/g, ' ').slice(0, 80)}`),
    ],
    count: expectations.reduce((sum, { facts }) => sum + facts.length, 0),
  }
}

/** The facts of a document, with integers above 2^53 as its text has them. */
export function listWrittenFacts(document: unknown, text: string): readonly Expectation[] {
  const written = groupBy(text.match(/(?<![\w.+-])-?\d{16,}(?![\w.])/g) ?? [], Number)
  const toWritten = (shown: string) => (/^-?\d{16,}$/.test(shown) ? (written.get(Number(shown)) ?? [shown]) : [shown])
  return listFacts(document).map((expectation) => ({
    ...expectation,
    facts: expectation.facts.map((fact) => ({ ...fact, shown: fact.shown.flatMap(toWritten) })),
  }))
}

/** The name of a page in `Expectation`. */
function namePage(subject: PageSubjectRef): string | undefined {
  switch (subject.kind) {
    case 'operation':
      return `operation ${subject.target}`
    case 'webhook':
    case 'schema':
    case 'tag':
      return `${subject.kind} ${subject.name}`
    case 'description':
      return 'api'
    default:
      return undefined
  }
}

/** The pages that parts of other pages load when readers open them, without anything to show there. */
export function listEmptyFolds(files: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>()
  for (const html of files.values())
    for (const [, href = ''] of html.matchAll(/<details class="nest lazy">.*?<a href="\/([^"]+)"/gs)) found.add(decodeURI(href))
  const isEmpty = (href: string) => !/<div class="rows">\s*<(?!\/)/.test(files.get(`${href}index.html`) ?? '')
  return [...found].filter(isEmpty).map((href) => `HTML: ${href}: has no rows to open`)
}

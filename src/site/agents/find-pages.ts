import { toOneLine } from '../../text/plain/escape-text.ts'
import { decodePercent } from '../../text/plain/urls.ts'
import { findInAll, type Hit, type SearchIndex } from '../search/find-hits.ts'

/** The pages of a site. Routes have no leading `/`; `''` is the start page. */
export interface SitePages {
  /** The indexes that the search of a page uses. Of the start page, if there is no page with this route. */
  indexes(route: string): Promise<readonly SearchIndex[]>
  /** The Markdown of a page; `undefined` if there is no page with this route. */
  markdown(route: string): Promise<string | undefined>
  /** The OpenAPI document that describes only the operation of a page; `undefined` for other pages. */
  document(route: string): Promise<string | undefined>
}

/** The most results of a search. */
export const maxHits = 30

/** Reads a path, a URL or a Markdown file: `/guides/start`, `https://docs.example.com/guides/start/#install`, `guides/start.md`. */
export function readPagePath(written: string): { readonly route: string; readonly anchor: string } {
  const url = URL.parse(written.trim(), 'https://site.invalid/')
  if (!url) return { route: written, anchor: '' }
  const path = decodePercent(url.pathname)
    .replace(/^\/+|\/+$/g, '')
    .replace(/(?:^|\/)index\.(?:html|md)$|\.mdx?$/, '')
  return { route: path, anchor: decodePercent(url.hash.slice(1)) }
}

interface FoundPages {
  /** Best first. */
  readonly routes: readonly string[]
  /** Pages with similar names, as the end of a message that there is no such page. */
  readonly near: string
}

/** Finds the page of an operation by method and path, or by its path. For an operationId, returns all operations that may have it. */
export async function findOperationPage(pages: SitePages, operation: string): Promise<FoundPages> {
  const name = operation.trim()
  const [method = '', path = ''] = name.split(/ +/, 2)
  const hits = findInAll(await pages.indexes(''), path === '' ? name : `${method} ${path}`, '', maxHits)
  const near = describeNear(hits.slice(0, 5))
  if (path !== '') {
    const found = hits.find((hit) => hit.method === method.toUpperCase() && nameSubject(hit) === path)
    return { routes: found ? [found.route] : [], near }
  }
  const { route } = readPagePath(name)
  if (name.includes('/')) return { routes: [route], near }
  const found = hits.filter(({ kind }) => kind === 'operation' || kind === 'webhook')
  return { routes: [...found.map((hit) => hit.route), route], near }
}

/** Finds the page of a named schema. */
export async function findSchemaPage(
  pages: SitePages,
  name: string,
): Promise<{ readonly route: string | undefined; readonly near: string }> {
  const hits = findInAll(await pages.indexes(''), name, '', maxHits).filter(({ kind }) => kind === 'schema')
  const found = hits.find(({ title }) => title === name) ?? hits.find(({ title }) => title.toLowerCase() === name.toLowerCase())
  return { route: found?.route, near: describeNear(hits.slice(0, 5)) }
}

export async function describeMissing(pages: SitePages, page: string): Promise<string> {
  const words = readPagePath(page).route.split('/').slice(-2).join(' ')
  const hits = findInAll(await pages.indexes(''), /^[a-z]+ +\//i.test(page) ? page : words, '', 5)
  return `There is no page \`${toOneLine(page)}\`.${describeNear(hits)}`
}

function describeNear(hits: readonly Hit[]): string {
  return hits.length === 0 ? '' : ` Pages with similar names:\n${formatHits(hits)}`
}

/** The path of an operation. The detail of its hit can also have the name that matches. */
function nameSubject({ detail }: Hit): string {
  return detail.split(' · ', 1)[0] ?? ''
}

/** One line for each: path, title, operation or section, and the navigation labels that not all hits have. */
export function formatHits(hits: readonly Hit[]): string {
  const parts = hits.map(({ part }) => part.split(' · ').filter((label) => label !== ''))
  const isCommon = (label: string) => hits.length > 1 && parts.every((labels) => labels.includes(label))
  return hits
    .map(({ kind, route, anchor, title, method, detail, snippet }, index) => {
      const path = `/${route}${anchor === '' ? '' : `#${anchor}`}`
      const subject = kind === 'schema' || kind === 'webhook' ? `${kind} ${detail}` : `${method} ${detail || snippet}`
      const facts = [path, title, subject, ...(parts[index] ?? []).filter((label) => !isCommon(label))].map((text) => text.trim())
      return toOneLine(`- ${facts.filter((text) => text !== '').join(' · ')}`)
    })
    .join('\n')
}

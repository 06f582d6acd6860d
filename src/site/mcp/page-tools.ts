import { Type } from 'typebox'
import { toOneLine } from '../../source/escape-text.ts'
import { decodePercent } from '../../source/relative-path.ts'
import { findInAll, type Hit, type SearchIndex } from '../search/find-hits.ts'
import { type AgentTool, defineTool, ToolError } from './agent-tool.ts'
import { cutPage, findSection } from './page-excerpt.ts'

/** The pages of a site. Routes have no leading `/`; `''` is the start page. */
export interface SitePages {
  /** The indexes that the search of a page uses. Of the start page, if there is no page with this route. */
  indexes(route: string): Promise<readonly SearchIndex[]>
  /** The Markdown of a page; `undefined` if there is no page with this route. */
  markdown(route: string): Promise<string | undefined>
}

const maxHits = 30

/** The tools `search` and `read_page`. */
export function createPageTools(pages: SitePages): readonly AgentTool[] {
  const search = defineTool({
    name: 'search',
    title: 'Search the documentation',
    description:
      'Searches the guides, operations, webhooks and schemas of this documentation. Returns the paths of the best pages, which `read_page` reads. ' +
      'Query with a few words, an operation such as `POST /users`, or the name of a parameter.',
    input: Type.Object(
      {
        query: Type.String({ minLength: 1, maxLength: 200, description: 'A few words' }),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxHits, description: 'Most results. Default: 10' })),
        from: Type.Optional(
          Type.String({
            maxLength: 2_000,
            description: 'Path of a page: search its language and version. Default: the default ones',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    run: async ({ query, limit = 10, from = '' }) => {
      const { route } = readPagePath(from)
      const hits = findInAll(await pages.indexes(route), query, route, limit)
      if (hits.length === 0) return `No results for \`${toOneLine(query)}\`. Try fewer or other words.`
      return `${formatHits(hits)}\n`
    },
  })
  const readPage = defineTool({
    name: 'read_page',
    title: 'Read a page',
    description:
      'Returns a page of this documentation as Markdown. Operation pages have parameters, bodies, responses and authorization. ' +
      'Name a page by its path, one of its sections by path and anchor, or an operation by method and path.',
    input: Type.Object(
      {
        page: Type.String({
          minLength: 1,
          maxLength: 2_000,
          description: 'Such as `/guides/start`, `/guides/start#install`, `GET /users/{id}`, or `/` for the start page',
        }),
        offset: Type.Optional(
          Type.Integer({ minimum: 0, description: 'Number of characters to skip, to read the rest of a long page. Default: 0' }),
        ),
      },
      { additionalProperties: false },
    ),
    run: async ({ page, offset = 0 }) => {
      const pagePath = readPagePath(page)
      const isOperation = /^[a-z]+ +\//i.test(page)
      const found = isOperation ? await findOperation(pages, page) : pagePath.route
      const markdown = found === undefined ? undefined : await pages.markdown(found)
      if (found === undefined || markdown === undefined) throw new ToolError(await describeMissing(pages, page))
      const section = pagePath.anchor === '' || isOperation ? undefined : findSection(markdown, pagePath.anchor)
      const whole = section ?? markdown
      if (offset > whole.length) throw new ToolError(`Unexpected offset ${offset}: the page has ${whole.length} characters`)
      const { text, next } = cutPage(whole, offset)
      const path = `/${found}${section === undefined ? '' : `#${pagePath.anchor}`}`
      if (next === undefined) return text
      return `${text}\n[Characters ${offset} to ${next} of ${whole.length}. For the rest, call \`read_page\` with page \`${path}\` and offset ${next}.]`
    },
  })
  return [search, readPage]
}

/** Reads a path, a URL or a Markdown file: `/guides/start`, `https://docs.example.com/guides/start/#install`, `guides/start.md`. */
export function readPagePath(written: string): { readonly route: string; readonly anchor: string } {
  const url = URL.parse(written.trim(), 'https://site.invalid/')
  if (!url) return { route: written, anchor: '' }
  const path = decodePercent(url.pathname)
    .replace(/^\/+|\/+$/g, '')
    .replace(/(?:^|\/)index\.(?:html|md)$|\.mdx?$/, '')
  return { route: path, anchor: decodePercent(url.hash.slice(1)) }
}

/** The route of an operation's page. */
async function findOperation(pages: SitePages, operation: string): Promise<string | undefined> {
  const [method = '', path = ''] = operation.trim().split(/ +/, 2)
  const hits = findInAll(await pages.indexes(''), `${method} ${path}`, '', maxHits)
  return hits.find((hit) => hit.method === method.toUpperCase() && nameSubject(hit) === path)?.route
}

async function describeMissing(pages: SitePages, page: string): Promise<string> {
  const words = readPagePath(page).route.split('/').slice(-2).join(' ')
  const hits = findInAll(await pages.indexes(''), /^[a-z]+ +\//i.test(page) ? page : words, '', 5)
  const near = hits.length === 0 ? '' : ` Pages with similar names:\n${formatHits(hits)}`
  return `There is no page \`${toOneLine(page)}\`.${near}`
}

/** The path of an operation. The detail of its hit can also have the name that matches. */
function nameSubject({ detail }: Hit): string {
  return detail.split(' · ', 1)[0] ?? ''
}

/** One line for each: path, title, operation or section, and the navigation labels that not all hits have. */
function formatHits(hits: readonly Hit[]): string {
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

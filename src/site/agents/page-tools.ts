import { Type } from 'typebox'
import { toOneLine } from '../../text/plain/escape-text.ts'
import { findInAll } from '../search/find-hits.ts'
import { type AgentTool, defineTool, ToolError } from './agent-tool.ts'
import { describeMissing, findOperationPage, formatHits, maxHits, readPagePath, type SitePages } from './find-pages.ts'
import { cutPage, findSection, withoutIndexNote } from './page-excerpt.ts'

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
      const found = isOperation ? (await findOperationPage(pages, page)).routes[0] : pagePath.route
      const written = found === undefined ? undefined : await pages.markdown(found)
      if (found === undefined || written === undefined) throw new ToolError(await describeMissing(pages, page))
      const markdown = withoutIndexNote(written)
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

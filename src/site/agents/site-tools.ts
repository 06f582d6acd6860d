import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { Value } from 'typebox/value'
import { ConfigError, FilesError, GitError, ToolError } from '../../text/errors.ts'
import { isContainer, parseWrittenJson, toWritten } from '../../text/json/json-values.ts'
import { toOneLine } from '../../text/plain/escape-text.ts'
import { listFirst } from '../../text/plain/lists.ts'
import { decodePercent } from '../../text/plain/paths.ts'
import { readOnlyPath } from '../page/api/server-sources.ts'
import { findInAll, type Hit, type SearchIndex } from '../search/find-hits.ts'
import { describeRequest } from './operation-request.ts'
import { cutPage, findSection, withoutIndexNote } from './page-excerpt.ts'

/** The tools `search` and `read_page`. */
export function createPageTools(pages: SitePages): readonly AgentTool[] {
  const search = defineTool({
    name: 'search',
    title: 'Search the documentation',
    description:
      'Searches the guides, operations, webhooks and schemas of this documentation. Returns the paths of the best pages, which `read_page` reads. ' +
      'Query with a few words, an operation such as `POST /users`, or the name of a parameter.',
    input: {
      query: Type.String({ minLength: 1, maxLength: 200, description: 'A few words' }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxHits, description: 'Most results. Default: 10' })),
      from: Type.Optional(
        Type.String({
          maxLength: 2_000,
          description: 'Path of a page: search its language and version. Default: the default ones',
        }),
      ),
    },
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
    input: {
      page: Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'Such as `/guides/start`, `/guides/start#install`, `GET /users/{id}`, or `/` for the start page',
      }),
      offset: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Number of characters to skip, to read the rest of a long page. Default: 0' }),
      ),
    },
    run: async ({ page, offset = 0 }) => {
      const pagePath = readPagePath(page)
      const isOperation = /^[a-z]+ +\//i.test(page)
      const found = isOperation ? (await findOperationPage(pages, page)).routes[0] : pagePath.route
      const written = found === undefined ? undefined : await pages.markdown(found)
      if (found === undefined || written === undefined) throw new ToolError(await describeMissing(pages, page))
      const markdown = withoutIndexNote(written)
      const section = pagePath.anchor === '' || isOperation ? undefined : findSection(markdown, pagePath.anchor)
      const path = `/${found}${section === undefined ? '' : `#${pagePath.anchor}`}`
      return cutResult(section ?? markdown, offset, `\`read_page\` with page \`${path}\` and`, 'page')
    },
  })
  return [search, readPage]
}

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
const maxHits = 30

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
async function findOperationPage(pages: SitePages, operation: string): Promise<FoundPages> {
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

async function findSchemaPage(
  pages: SitePages,
  name: string,
): Promise<{ readonly route: string | undefined; readonly near: string }> {
  const hits = findInAll(await pages.indexes(''), name, '', maxHits).filter(({ kind }) => kind === 'schema')
  const found = hits.find(({ title }) => title === name) ?? hits.find(({ title }) => title.toLowerCase() === name.toLowerCase())
  return { route: found?.route, near: describeNear(hits.slice(0, 5)) }
}

async function describeMissing(pages: SitePages, page: string): Promise<string> {
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

/** The changelog of an API. Written by `src/site/make/publish-files.ts`. */
export interface AgentChangelog {
  /** Of its page. */
  readonly route: string
  readonly title: string
  readonly versions: readonly {
    readonly name: string
    readonly date?: string
    readonly changes: readonly {
      readonly level: string
      readonly code: string
      readonly message: string
      /** Such as `GET /pets`. */
      readonly operations: readonly string[]
    }[]
    /** The number of further changes. */
    readonly left: number
  }[]
}

const operationArgument = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'Method and path such as `GET /users/{id}`, an operationId, or the path of its page',
})

const offsetArgument = Type.Optional(
  Type.Integer({ minimum: 0, description: 'Number of characters to skip, to read the rest of a long result. Default: 0' }),
)

/** The tools `get_operation`, `get_schema` and `build_request`. */
export function createApiTools(pages: SitePages): readonly AgentTool[] {
  return [createOperationTool(pages), createSchemaTool(pages), createRequestTool(pages)]
}

function createOperationTool(pages: SitePages): AgentTool {
  return defineTool({
    name: 'get_operation',
    title: 'Get an operation as OpenAPI',
    description:
      'Returns the OpenAPI description of one operation as JSON, with all parameters, security schemes and schemas of its request. ' +
      'Schemas of responses can be references: `get_schema` returns them. `read_page` returns everything as Markdown.',
    input: { operation: operationArgument, offset: offsetArgument },
    run: async ({ operation, offset = 0 }) => {
      return cutResult(await readOperation(pages, operation), offset, '`get_operation` with')
    },
  })
}

function createSchemaTool(pages: SitePages): AgentTool {
  return defineTool({
    name: 'get_schema',
    title: 'Get a schema',
    description:
      'Returns a named schema of the API as Markdown: its properties with types, constraints and descriptions, examples, and the operations that use it.',
    input: {
      name: Type.String({ minLength: 1, maxLength: 500, description: 'As under `components.schemas`, such as `User`' }),
      offset: offsetArgument,
    },
    run: async ({ name, offset = 0 }) => {
      const { route, near } = await findSchemaPage(pages, name)
      const markdown = route === undefined ? undefined : await pages.markdown(route)
      if (markdown === undefined) throw new ToolError(`There is no schema \`${toOneLine(name)}\`.${near}`)
      return cutResult(withoutIndexNote(markdown), offset, '`get_schema` with')
    },
  })
}

function createRequestTool(pages: SitePages): AgentTool {
  return defineTool({
    name: 'build_request',
    title: 'Build a request',
    description:
      'Builds the HTTP request of an operation from parameters and a body, with everything encoded as the API expects it. Returns method, URL, ' +
      'headers, body and the same as a curl command, and names missing parameters. Sends nothing. Credentials are placeholders such as `<token>`.',
    input: {
      operation: operationArgument,
      parameters: Type.Optional(
        Type.Record(Type.String({ maxLength: 500 }), Type.Unknown(), {
          description: 'Values by parameter name: JSON strings, numbers, booleans, lists or objects',
        }),
      ),
      body: Type.Optional(Type.Unknown({ description: 'The body as a JSON value, also for forms and XML' })),
      mediaType: Type.Optional(
        Type.String({ maxLength: 200, description: 'One of the media types of the body. Default: the first one' }),
      ),
      server: Type.Optional(
        Type.String({ maxLength: 2_000, description: 'The URL of the server. Default: the first server of the operation' }),
      ),
    },
    run: async (args) => {
      const { operation, ...given } = toWritten(args) as typeof args // The same values.
      return describeRequest(parseWrittenJson(await readOperation(pages, operation)), given)
    },
  })
}

/** The OpenAPI description of an operation, as JSON. */
async function readOperation(pages: SitePages, operation: string): Promise<string> {
  const { routes, near } = await findOperationPage(pages, operation)
  const isName = /^[^\s/]+$/.test(operation)
  for (const route of routes) {
    const document = await pages.document(route)
    if (document !== undefined && (!isName || route === operation || hasOperationId(document, operation))) return document
  }
  throw new ToolError(`There is no operation \`${toOneLine(operation)}\`.${near}`)
}

function hasOperationId(document: string, operationId: string): boolean {
  return readOnlyPath(JSON.parse(document)).operations.some(({ fields }) => fields.operationId === operationId) // Written by the build.
}

/** Cuts a text after so many characters. @param call is followed by the offset of the rest. */
function cutResult(text: string, offset: number, call: string, what = 'result'): string {
  if (offset > text.length) throw new ToolError(`Unexpected offset ${offset}: the ${what} has ${text.length} characters`)
  const part = cutPage(text, offset)
  if (part.next === undefined) return part.text
  return `${part.text}\n[Characters ${offset} to ${part.next} of ${text.length}. For the rest, call ${call} offset ${part.next}.]`
}

export const levelArgument = Type.Optional(
  Type.Enum(['breaking', 'risky', 'compatible'], {
    type: 'string',
    description: 'Return only changes of this level. Default: all',
  }),
)

/** The tool `list_changes`. */
export function createChangesTool(changelogs: () => Promise<readonly AgentChangelog[]>): AgentTool {
  return defineTool({
    name: 'list_changes',
    title: 'List API changes',
    description:
      'Lists the changes of the API by version, newest first, each as breaking, risky or compatible for clients. ' +
      'Use it to find out what a new version breaks, or why a request no longer works.',
    input: {
      level: levelArgument,
      version: Type.Optional(
        Type.String({ maxLength: 200, description: 'Return only the changes of this version. Default: all' }),
      ),
      operation: Type.Optional(
        Type.String({ maxLength: 2_000, description: 'Return only changes of this operation, such as `GET /users/{id}`' }),
      ),
      ...listArguments(50),
    },
    run: async ({ level, version, operation, limit = 50, offset }) => {
      const all = await changelogs()
      if (all.length === 0) throw new ToolError('This documentation has no changelog of an API')
      const wanted = operation?.trim().replace(/^\S+/, (method) => method.toUpperCase())
      const lines = all.flatMap(({ title, route, versions }) =>
        versions
          .filter(({ name }) => version === undefined || name === version)
          .flatMap(({ name, date, changes }) =>
            changes
              .filter((change) => level === undefined || change.level === level)
              .filter(({ operations }) => wanted === undefined || operations.includes(wanted))
              .map((change) => ({
                heading: toOneLine(`# ${title}, ${name}${date === undefined ? '' : ` (${date})`} · /${route}`),
                line: formatChange(change),
              })),
          ),
      )
      if (lines.length === 0) return `No changes found. Versions: ${listVersions(all)}\n`
      const { part, rest } = takePart(lines, { limit, offset })
      const shown = part.flatMap(({ heading, line }, index) => (heading === part[index - 1]?.heading ? [line] : [heading, line]))
      return `${shown.join('\n')}\n${rest}`
    },
  })
}

/** The most operations that a change names. */
const maxOperations = 5

function formatChange({ level, code, message, operations }: AgentChangelog['versions'][number]['changes'][number]): string {
  const others = operations.filter((name) => !message.includes(`\`${name}\``))
  const at = others.length === 0 ? '' : ` (${listFirst(others, maxOperations, (name) => name)})`
  return toOneLine(`- ${level} · ${code}: ${message}${at}`)
}

function listVersions(changelogs: readonly AgentChangelog[]): string {
  const names = [...new Set(changelogs.flatMap(({ versions }) => versions.map(({ name }) => name)))]
  return toOneLine(`${names.slice(0, 20).join(', ')}${names.length > 20 ? ' and older ones' : ''}`)
}

/** A tool that an agent can call. It only reads. */
export interface AgentTool {
  readonly name: string
  readonly title: string
  /** What it does and when to use it. Agents choose a tool by it. */
  readonly description: string
  readonly input: TObject
  /**
   * Returns Markdown or plain text.
   *
   * @throws {ToolError} for arguments that an agent can correct.
   */
  readonly run: (args: unknown) => Promise<string>
}

/** Defines a tool whose arguments are checked before it runs: it has no others than `input`. */
export function defineTool<Properties extends TProperties>(
  tool: Omit<AgentTool, 'input' | 'run'> & {
    readonly input: Properties
    readonly run: (args: Static<TObject<Properties>>) => Promise<string>
  },
): AgentTool {
  const input = Type.Object(tool.input, { additionalProperties: false })
  return {
    ...tool,
    input,
    run: async (args) => {
      const given = args ?? {}
      if (!Value.Check(input, given)) throw new ToolError(describeMismatch(input, given))
      return await tool.run(given)
    },
  }
}

function describeMismatch(input: TObject, given: unknown): string {
  const names = Object.keys(input.properties)
  const unknown = (isContainer(given) ? Object.keys(given) : []).find((name) => !names.includes(name))
  const expected = `Arguments: ${names.map((name) => `\`${name}\``).join(', ')}`
  if (unknown !== undefined) return `Unexpected argument \`${unknown.slice(0, 100)}\`. ${expected}`
  const missing = input.required?.find((name) => !Object.hasOwn(given as object, name))
  if (missing !== undefined) return `Missing argument \`${missing}\`. ${expected}`
  const [first] = Value.Errors(input, given)
  return `Invalid argument${first ? ` \`${first.instancePath.slice(1)}\`: ${first.message}` : 's'}. ${expected}`
}

/** The message of a failed call, or `undefined` for an unexpected error, whose details could be confidential. */
export function describeFailure(error: unknown): string | undefined {
  if (error instanceof ToolError) return error.message
  if (error instanceof ConfigError || error instanceof FilesError || error instanceof GitError) {
    return error.hint === undefined ? error.message : `${error.message}\n${error.hint}`
  }
  return undefined
}

/** The most results of one call, so that they do not fill the context of an agent. */
const most = 200

/** Arguments of a tool that returns a list in parts. */
export const listArguments = (byDefault: number) => ({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: most, description: `Most entries to return. Default: ${byDefault}` })),
  offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of entries to skip. Default: 0' })),
})

/** Returns one part of a list, and the line that says how to get the next one; `''` after the last entry. */
export function takePart<Entry>(
  entries: readonly Entry[],
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number | undefined },
): { readonly part: readonly Entry[]; readonly rest: string } {
  const end = Math.min(entries.length, offset + limit)
  const rest =
    end < entries.length ? `\nEntries ${offset + 1} to ${end} of ${entries.length}. For more, set \`offset\` to ${end}.` : ''
  return { part: entries.slice(offset, end), rest }
}

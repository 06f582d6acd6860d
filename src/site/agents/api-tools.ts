import { Type } from 'typebox'
import { isObject, readOwn } from '../../text/json/json-values.ts'
import { toOneLine } from '../../text/plain/escape-text.ts'
import { type AgentTool, defineTool, listArguments, ToolError, takePart } from './agent-tool.ts'
import { findOperationPage, findSchemaPage, type SitePages } from './find-pages.ts'
import { describeRequest } from './operation-request.ts'
import { cutPage, withoutIndexNote } from './page-excerpt.ts'

/** The changelog of an API. Written by `src/site/page/output/agent-changes.ts`. */
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
      'Returns the OpenAPI description of one operation with all schemas, parameters and security schemes that it uses, as JSON. ' +
      'For code that sends requests or reads responses. `read_page` returns the same as Markdown.',
    input: Type.Object({ operation: operationArgument, offset: offsetArgument }, { additionalProperties: false }),
    run: async ({ operation, offset = 0 }) => {
      return cutResult(await readOperation(pages, operation), offset, 'get_operation')
    },
  })
}

function createSchemaTool(pages: SitePages): AgentTool {
  return defineTool({
    name: 'get_schema',
    title: 'Get a schema',
    description:
      'Returns a named schema of the API as Markdown: its properties with types, constraints and descriptions, examples, and the operations that use it.',
    input: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 500, description: 'As under `components.schemas`, such as `User`' }),
        offset: offsetArgument,
      },
      { additionalProperties: false },
    ),
    run: async ({ name, offset = 0 }) => {
      const { route, near } = await findSchemaPage(pages, name)
      const markdown = route === undefined ? undefined : await pages.markdown(route)
      if (markdown === undefined) throw new ToolError(`There is no schema \`${toOneLine(name)}\`.${near}`)
      return cutResult(withoutIndexNote(markdown), offset, 'get_schema')
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
    input: Type.Object(
      {
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
      { additionalProperties: false },
    ),
    run: async ({ operation, ...given }) => {
      return describeRequest(JSON.parse(await readOperation(pages, operation)), given)
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
  const items = readOwn(JSON.parse(document), 'paths') // Written by the build.
  return Object.values(isObject(items) ? items : {}).some((item) =>
    Object.values(isObject(item) ? item : {}).some((operation) => readOwn(operation, 'operationId') === operationId),
  )
}

function cutResult(text: string, offset: number, tool: string): string {
  if (offset > text.length) throw new ToolError(`Unexpected offset ${offset}: the result has ${text.length} characters`)
  const part = cutPage(text, offset)
  if (part.next === undefined) return part.text
  return `${part.text}\n[Characters ${offset} to ${part.next} of ${text.length}. For the rest, call \`${tool}\` with offset ${part.next}.]`
}

/** The tool `list_changes`. */
export function createChangesTool(changelogs: () => Promise<readonly AgentChangelog[]>): AgentTool {
  return defineTool({
    name: 'list_changes',
    title: 'List API changes',
    description:
      'Lists the changes of the API by version, newest first, each as breaking, risky or compatible for clients. ' +
      'Use it to find out what a new version breaks, or why a request no longer works.',
    input: Type.Object(
      {
        level: Type.Optional(
          Type.Enum(['breaking', 'risky', 'compatible'], {
            type: 'string',
            description: 'Return only changes of this level. Default: all',
          }),
        ),
        version: Type.Optional(
          Type.String({ maxLength: 200, description: 'Return only the changes of this version. Default: all' }),
        ),
        operation: Type.Optional(
          Type.String({ maxLength: 2_000, description: 'Return only changes of this operation, such as `GET /users/{id}`' }),
        ),
        ...listArguments(50),
      },
      { additionalProperties: false },
    ),
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
  const more = others.length > maxOperations ? ` and ${others.length - maxOperations} more` : ''
  const at = others.length === 0 ? '' : ` (${others.slice(0, maxOperations).join(', ')}${more})`
  return toOneLine(`- ${level} · ${code}: ${message}${at}`)
}

function listVersions(changelogs: readonly AgentChangelog[]): string {
  const names = [...new Set(changelogs.flatMap(({ versions }) => versions.map(({ name }) => name)))]
  return toOneLine(`${names.slice(0, 20).join(', ')}${names.length > 20 ? ' and older ones' : ''}`)
}

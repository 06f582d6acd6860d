import { PassThrough } from 'node:stream'
import {
  createMcpHandler,
  isLegacyRequest,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio as serveTransport } from '@modelcontextprotocol/server/stdio'
import { parseJson, parseWrittenJson, settleNumbers } from '../../text/json/json-values.ts'
import { type AgentTool, describeFailure } from './site-tools.ts'

/** The versions of the protocol that both transports speak, newest first. Source: modelcontextprotocol.io, "Versioning". */
export const protocolVersions: readonly string[] = ['2026-07-28', ...SUPPORTED_PROTOCOL_VERSIONS]

/** A server of tools for agents, over the Model Context Protocol. */
export interface AgentServer {
  readonly name: string
  readonly title: string
  readonly version: string
  /** What the tools are about. Clients add it to the prompt of the agent. */
  readonly instructions: string
  readonly tools: readonly AgentTool[]
  /** Receives errors that are not the agent's. */
  readonly onError: (error: unknown) => void
}

/** Serves one client over standard input and output. Resolves when the client closes its end. */
export async function serveStdio(agentServer: AgentServer): Promise<void> {
  // The client can end at any time. What it no longer reads is lost.
  process.stdout.on('error', () => {})
  const closed = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
  })
  const calls: Calls = new Map()
  const input = new PassThrough()
  const decoder = new TextDecoder()
  let rest = ''
  process.stdin.on('data', (chunk: Buffer) => {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) noteCall(calls, line)
    input.write(chunk)
  })
  const served = serveTransport(() => createServer(agentServer, calls), {
    transport: new StdioServerTransport(input),
    onerror: agentServer.onError,
    maxSubscriptions: 0,
  })
  await closed
  await served.close()
}

/** The arguments of the calls that have not been answered, by ID. */
type Calls = Map<unknown, unknown>

/** Notes the arguments of a call with their numbers as written, which the transports round. */
function noteCall(calls: Calls, message: string): void {
  if (parseJson(message) === undefined) return
  const { method, id, params } = Object(settleNumbers(parseWrittenJson(message)))
  if (method === 'tools/call') calls.set(id, Object(params).arguments)
}

/**
 * Responds to one POST request of the Streamable HTTP transport. Without sessions, so each request is independent.
 *
 * The transports also report requests that they reject, which are no errors of this server.
 */
export async function answerHttp(agentServer: AgentServer, request: Request): Promise<Response> {
  const reported: unknown[] = []
  const onError = (error: unknown) => reported.push(error)
  const response = await answerVersion({ ...agentServer, onError }, request)
  if (response.status < 400 || response.status >= 500) reported.forEach(agentServer.onError)
  return response
}

async function answerVersion(agentServer: AgentServer, request: Request): Promise<Response> {
  const calls: Calls = new Map()
  noteCall(calls, await request.clone().text())
  const server = () => createServer(agentServer, calls)
  if (await isLegacyRequest(request)) return await answerEarlierVersion(server(), request)
  // Nothing changes while a client listens, so there is no stream.
  const handler = createMcpHandler(server, {
    legacy: 'reject',
    maxSubscriptions: 0,
    onerror: agentServer.onError,
  })
  try {
    return await handler.fetch(request)
  } finally {
    await handler.close()
  }
}

/** Before 2026-07-28, clients start with a handshake. This server forgets it, which the protocol allows. */
async function answerEarlierVersion(server: Server, request: Request): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request)
  } finally {
    await server.close()
  }
}

function createServer({ name, title, version, instructions, tools, onError }: AgentServer, calls: Calls): Server {
  // `McpServer` would need a second schema library for the arguments.
  const server = new Server({ name, title, version }, { capabilities: { tools: {} }, instructions })
  server.onerror = onError
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(describeTool) }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { id } }) => {
    const given = calls.get(id) ?? params.arguments
    calls.delete(id)
    const tool = tools.find((each) => each.name === params.name)
    if (!tool)
      return toErrorResult(`Unknown tool \`${params.name.slice(0, 100)}\`. Tools: ${tools.map((each) => each.name).join(', ')}`)
    try {
      return { content: [{ type: 'text' as const, text: await tool.run(given) }] }
    } catch (error) {
      const message = describeFailure(error)
      if (message === undefined) onError(error)
      return toErrorResult(message ?? 'The tool failed because of an internal error')
    }
  })
  return server
}

function toErrorResult(text: string) {
  return { content: [{ type: 'text' as const, text }], isError: true }
}

function describeTool({ name, title, description, input }: AgentTool) {
  return {
    name,
    title,
    description,
    // Without the symbols of the schema library.
    inputSchema: JSON.parse(JSON.stringify(input)) as { type: 'object' },
    annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  }
}

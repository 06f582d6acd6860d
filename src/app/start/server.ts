import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchemaCompiler,
  LogController,
} from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Value } from 'typebox/value'
import type { PublicNetwork } from '../../files/network.ts'
import type { RequestPace } from '../../github/requests/github-client.ts'
import { registerContentRoutes } from '../api/content-routes.ts'
import { registerApiDescription } from '../api/describe-api.ts'
import { registerServiceRoutes, type ServerHealth } from '../api/service-routes.ts'
import { registerSiteRoutes } from '../api/site-routes.ts'
import { registerListRoute, registerReportRoute, registerStatusRoute, registerTriggerRoutes } from '../api/update-routes.ts'
import type { AppContext, RegisterRoutes } from '../base/app-context.ts'
import type { AppConfig } from '../base/config/app-config.ts'
import type { Metrics } from '../base/telemetry/metrics.ts'
import { runForRequests } from '../base/telemetry/work-scope.ts'
import {
  type Authenticate,
  createAuthenticate,
  createRateLimits,
  type RateLimits,
  RequestCounters,
  requireCaller,
} from '../http/callers.ts'
import { Problem, type ProblemCode, problems, toProblem, toProblemBody } from '../http/problem-details.ts'
import type { StatusWaiters } from '../http/waiting.ts'
import type { WorkflowIdentity } from '../http/workflow-identity.ts'
import { registerScreenshots } from '../publish/screenshots.ts'
import { registerDashboard } from '../screens/dashboard/register-dashboard.ts'
import { sendProblemPage } from '../screens/pages/problem-page.tsx'
import { registerPages } from '../screens/pages/register-pages.ts'
import { wantsPage } from '../screens/pages/send-page.ts'
import { People } from '../screens/people/people.ts'
import { registerSignIn, SignInAttempts } from '../screens/people/sign-in.ts'
import { type DomainResolver, registerCertificateCheck } from '../sites/custom-domains.ts'
import { registerRelay } from '../sites/relay.ts'
import { createStoredPages, registerSiteMcp } from '../sites/site-mcp.ts'
import { createSiteServer } from '../sites/site-server.ts'
import { Connections } from './connections.ts'

/** The default limit for request bodies. */
const bodyLimit = 64 * 1024

/** Maximum length of a path in the log. Clients can send up to 16 KiB. */
const longestLoggedPath = 200

interface ServerOptions {
  readonly routes?: readonly RegisterRoutes[]
  /** Time limit for receiving a request; half of it for its headers. Default: 30 s. */
  readonly requestTimeoutMs?: number
  /** How long a request to a site may wait for the database. Default: 10 s. */
  readonly siteLimitMs?: number
}

/** What the routes use besides the context. Created by `startApp`, which gives each route what it uses. */
export interface ServerTools {
  readonly metrics: Metrics
  readonly waiters: StatusWaiters
  readonly workflows: WorkflowIdentity
  readonly health: ServerHealth
  /** Limits on requests to GitHub for signed-in people. */
  readonly pace: Partial<RequestPace>
  /** For custom domains. */
  readonly resolver: DomainResolver
  /** For servers that documents name. */
  readonly network: PublicNetwork
}

/** Builds the HTTP server of the app; the caller listens and closes. */
export async function createServer(
  context: AppContext,
  tools: ServerTools,
  { routes = [], requestTimeoutMs = 30_000, siteLimitMs }: ServerOptions = {},
): Promise<FastifyInstance> {
  const { config, log } = context
  const { metrics } = tools
  const place = context.urls.sites()
  const servesHttp = config.role !== 'worker'
  const serveSite = servesHttp && place ? createSiteServer(context, metrics, place, siteLimitMs) : undefined
  // Without this type, Fastify would infer a server type that is specific to pino.
  const loggerInstance: FastifyBaseLogger = log
  let connections: Connections | undefined
  const server = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // The scope of a request adds its ID to its lines. A logger of its own would take a fifth of the time of a short request.
    childLoggerFactory: (logger) => logger,
    // A request ID from the client could forge log lines or collide with other requests.
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: toTrust(config.trustProxy),
    bodyLimit,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    routerOptions: { maxParamLength: 200 },
    serverFactory(answerAsApp) {
      const options = {
        requestTimeout: requestTimeoutMs,
        headersTimeout: requestTimeoutMs / 2,
        keepAliveTimeout: 75_000,
        // The default interval of 30 s would double the limit.
        connectionsCheckingInterval: requestTimeoutMs / 10,
        maxHeaderSize: 16 * 1024,
      }
      const http = createHttpServer(options)
      // Registered first, so that it counts each request before its response.
      connections = new Connections(http, { isBehindProxy: config.trustProxy !== false, refuse: refuseConnection })
      return http.on('request', (request, response) => {
        if (serveSite) serveSite(request, response, answerAsApp)
        else answerAsApp(request, response)
      })
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => sendProblem(toProblem(error), request, reply),
  })
  server.setValidatorCompiler(compileValidator)
  registerJsonParser(server)
  const secure = context.urls.base().startsWith('https:')
  const headers = Object.entries(secure ? secureHeaders : plainHeaders)
  server.addHook('onRequest', (request, reply, done) => {
    for (const [name, value] of headers) reply.header(name, value)
    reply.header('x-request-id', request.id)
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const seconds = reply.elapsedTime / 1000
    metrics.httpSeconds.observe({ route, method: request.method, status: reply.statusCode }, seconds)
    const level = reply.statusCode < 400 && request.method === 'GET' ? 'debug' : 'info'
    if (log.isLevelEnabled(level)) {
      // Omit the query, which contains the signature of a link.
      const path = request.url.split('?', 1)[0]?.slice(0, longestLoggedPath)
      const ms = Math.round(reply.elapsedTime * 10) / 10
      const { id: requestId, method } = request
      request.log[level]({ requestId, method, route, path, status: reply.statusCode, ms }, 'Request completed')
    }
    done()
  })
  runForRequests(server)
  const people = new People(context, tools.pace)
  const authenticate = createAuthenticate(context, tools.workflows)
  server.setErrorHandler(async (error, request, reply) => {
    const problem = toProblem(error)
    const { status } = problems[problem.code]
    if (status >= 500) request.log.error({ err: error, code: problem.code, requestId: request.id }, 'Request failed')
    const isOwn = status < 500 && problem.code !== 'rate-limited' && wantsPage(request)
    const login = isOwn ? (await people.find(request).catch(() => undefined))?.login : undefined
    return sendProblem(problem, request, reply, login)
  })
  const limits = createRateLimits(new RequestCounters(), config)
  const allowedMethods = collectAllowedMethods(server)
  server.setNotFoundHandler(async (request, reply) => {
    limits.countAddress(request)
    const allowed = allowedMethods(request.url.split('?', 1)[0] ?? '')
    if (allowed.length === 0) throw new Problem('not-found')
    reply.header('Allow', allowed.join(', '))
    if (request.method === 'OPTIONS') return reply.code(204).send()
    throw new Problem('method-not-allowed', `Use ${allowed.filter((method) => method !== 'OPTIONS').join(' or ')}`)
  })
  if (servesHttp) await registerPublicRoutes(server, context, tools, { people, limits, authenticate })
  registerServiceRoutes(server, context, metrics, tools.health, authenticate)
  for (const register of routes) await register(server)
  server.addHook('preClose', async () => {
    tools.waiters.close()
    connections?.close(Math.max(0, config.stopTimeoutSeconds * 1000 - 1_000))
  })
  return server
}

/** The API, the dashboard and the services for sites. */
async function registerPublicRoutes(
  server: FastifyInstance,
  context: AppContext,
  { metrics, waiters, resolver, network }: ServerTools,
  { people, limits, authenticate }: { readonly people: People; readonly limits: RateLimits; readonly authenticate: Authenticate },
): Promise<void> {
  registerApiDescription(server, context.urls.base)
  const openPages = createStoredPages(context.store.sites)
  await server.register(async (api) => {
    requireCaller(api, authenticate, limits)
    registerStatusRoute(api, context, waiters)
    registerListRoute(api, context)
    registerTriggerRoutes(api, context)
    registerReportRoute(api, context)
    registerSiteRoutes(api, context)
    registerContentRoutes(api, context, openPages)
  })
  registerCertificateCheck(server, context, limits)
  await registerRelay(server, context, { rates: limits, metrics, network })
  await registerSiteMcp(server, context, { authenticate, rates: limits, openPages })
  await registerPages(server, context, { limits, waiters, people })
  await registerScreenshots(server, context, limits)
  const attempts = new SignInAttempts(context, people)
  await registerSignIn(server, context, { people, attempts, limits })
  await registerDashboard(server, context, { people, attempts, limits, waiters, resolver })
}

/** Converts the setting for Fastify. A number trusts that many hops. */
function toTrust(setting: AppConfig['trustProxy']): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (typeof setting === 'number') return (_address, hop) => hop < setting
  return typeof setting === 'boolean' ? setting : [...setting]
}

const plainHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

const secureHeaders = { ...plainHeaders, 'Strict-Transport-Security': 'max-age=31536000' }

/** Treats an empty body as missing, because clients often send the header without a body. Rejects keys such as `__proto__`. */
function registerJsonParser(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else parse(request, String(body), done)
  })
}

/** @param login The signed-in user, for a page. */
function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply, login?: string): FastifyReply {
  reply.headers(problem.headers)
  // Close the connection instead of reading the rest of a large body. A small body has already been sent.
  if (!request.raw.complete && !(Number(request.headers['content-length']) <= bodyLimit)) reply.header('Connection', 'close')
  if (wantsPage(request)) return sendProblemPage(reply, problem, login)
  const body = toProblemBody(problem.code, problem, request.id)
  return reply
    .code(body.status)
    .header('Cache-Control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(body))
}

/** Responds to requests that Node's parser rejected, and closes the connection. */
function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const code: ProblemCode =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? 'request-timeout'
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? 'headers-too-large'
        : 'invalid-request'
  endWithProblem(socket, code)
}

/** Rejects a connection over the limits without reading its request. */
function refuseConnection(socket: Socket): void {
  endWithProblem(socket, 'unavailable', 'Retry-After: 10\r\n')
  socket.destroySoon()
}

function endWithProblem(socket: Socket, code: ProblemCode, headers = ''): void {
  const body = JSON.stringify(toProblemBody(code))
  const { status } = problems[code]
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/problem+json; charset=utf-8\r\n${headers}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** Returns the methods of a path; empty for an unknown path. */
type AllowedMethods = (path: string) => readonly string[]

/** Collects the routes registered afterwards, because Fastify responds with 404 to unknown methods of known paths. */
function collectAllowedMethods(server: FastifyInstance): AllowedMethods {
  const routes = new Map<string, Set<string>>()
  server.addHook('onRoute', ({ url, method }) => {
    const methods = routes.get(url) ?? new Set()
    routes.set(url, methods)
    for (const one of [method].flat()) methods.add(one)
  })
  return (path) => {
    const steps = path.split('/')
    const fitting = [...routes].filter(([url]) => matchesRoute(url.split('/'), steps)).flatMap(([, methods]) => [...methods])
    return fitting.length === 0 ? [] : [...new Set([...fitting, 'OPTIONS'])].sort()
  }
}

/** Matches a route pattern: `:name` is a segment or a part of it, and a final `*` is the rest. */
function matchesRoute(pattern: readonly string[], steps: readonly string[]): boolean {
  const hasRest = pattern.at(-1) === '*'
  if (hasRest ? steps.length < pattern.length : steps.length !== pattern.length) return false
  return pattern.every((part, index) => {
    const step = steps[index] ?? ''
    const name = /:\w+/.exec(part)
    if (!name) return part === step || (hasRest && index === pattern.length - 1)
    const [before, after] = [part.slice(0, name.index), part.slice(name.index + name[0].length)]
    return step.length > before.length + after.length && step.startsWith(before) && step.endsWith(after)
  })
}

/**
 * Validates a part of a request, and tries again with type conversion only if that fails, because conversion is slow and rarely needed.
 * A body has types, and is not converted.
 */
const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validator = Compile(schema)
  return (value) => {
    if (validator.Check(value)) return { value }
    const converted = httpPart === 'body' ? value : Value.Convert(schema, value)
    return validator.Check(converted) ? { value: converted } : { error: validator.Errors(converted) }
  }
}

import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox'
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
import type { AppConfig } from './app-config.ts'
import type { AppContext, RegisterRoutes } from './app-context.ts'
import { registerDashboard } from './dashboard/register-dashboard.ts'
import { registerRateLimits, requireCaller } from './http/callers.ts'
import { Connections } from './http/connections.ts'
import { registerApiDescription } from './http/describe-api.ts'
import { Problem, type ProblemCode, problems, toProblem, toProblemBody } from './http/problem-details.ts'
import { registerServiceRoutes } from './http/service-routes.ts'
import { registerSiteRoutes } from './http/site-routes.ts'
import { registerListRoute, registerStatusRoute } from './http/status-routes.ts'
import { registerReportRoute, registerTriggerRoute } from './http/update-routes.ts'
import { registerPages } from './pages/register-pages.ts'
import { sendProblemPage, wantsPage } from './pages/send-page.ts'
import { People } from './people/people.ts'
import { registerSignIn } from './people/sign-in.ts'
import { registerPictures } from './pictures/screenshots.ts'
import { createSiteServer } from './sites/site-server.ts'

/** Largest body of a call that names no other limit. */
const bodyLimit = 64 * 1024

/** Characters of a path that the log shows: GitHub's own longest paths have about as many, and anybody may send 16 KiB. */
const longestLoggedPath = 200

interface ServerOptions {
  readonly routes?: readonly RegisterRoutes[]
  /** A request has to have arrived whole by then, its headers by the half: slow senders do not hold connections. 30 s where absent. */
  readonly requestTimeoutMs?: number
}

/** Builds the HTTP server of the app; the caller listens and closes. */
export async function createServer(
  context: AppContext,
  { routes = [], requestTimeoutMs = 30_000 }: ServerOptions = {},
): Promise<FastifyInstance> {
  const { config, log, metrics } = context
  const place = context.sitesPlace()
  const serveSite = place && createSiteServer(context, place)
  // Fastify infers a server of pino's own type from the logger; every part here knows the general one.
  const loggerInstance: FastifyBaseLogger = log
  let connections: Connections | undefined
  const server = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    // An id of the caller's choosing could forge lines or point at other requests.
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
        // How often Node looks for slow ones; its own 30 s would double the limit.
        connectionsCheckingInterval: requestTimeoutMs / 10,
        maxHeaderSize: 16 * 1024,
      }
      const http = createHttpServer(options)
      // Registered first, so that it knows of each request before it is answered.
      connections = new Connections(http, { isBehindProxy: config.trustProxy !== false, refuse: refuseConnection })
      return http.on('request', (request, response) => {
        if (!serveSite?.(request, response)) answerAsApp(request, response)
      })
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => sendProblem(toProblem(error), request, reply),
  })
  server.setValidatorCompiler(compileValidator)
  // Answers are held to their schemas by tests; serializing by schema would cost a fifth of the hot path.
  server.setSerializerCompiler(() => JSON.stringify)
  registerJsonParser(server)
  const secure = context.baseUrl().startsWith('https:')
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
      // The query is left out: links to pages carry their signature there.
      const path = request.url.split('?', 1)[0]?.slice(0, longestLoggedPath)
      const ms = Math.round(reply.elapsedTime * 10) / 10
      request.log[level]({ method: request.method, route, path, status: reply.statusCode, ms }, 'Answered')
    }
    done()
  })
  server.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error)
    const { status } = problems[problem.code]
    if (status >= 500) request.log.error({ err: error, code: problem.code }, 'Request failed')
    return sendProblem(problem, request, reply)
  })
  const limits = await registerRateLimits(server, config)
  const allowedMethods = collectAllowedMethods(server)
  server.setNotFoundHandler(async (request, reply) => {
    await limits.countAddress(request)
    const allowed = allowedMethods(request.url.split('?', 1)[0] ?? '')
    if (allowed.length === 0) throw new Problem('not-found')
    reply.header('Allow', allowed.join(', '))
    if (request.method === 'OPTIONS') return reply.code(204).send()
    throw new Problem('method-not-allowed', `Use ${allowed.filter((method) => method !== 'OPTIONS').join(' or ')}`)
  })
  await registerApiDescription(server, context.baseUrl)
  await server.register(
    async (api) => {
      requireCaller(api, context, limits)
      registerStatusRoute(api, context)
      registerListRoute(api, context)
      registerTriggerRoute(api, context)
      registerReportRoute(api, context)
      registerSiteRoutes(api, context)
    },
    { prefix: '/v1' },
  )
  registerServiceRoutes(server, context)
  await registerPages(server, context, limits)
  await registerPictures(server, context, limits)
  const people = new People(context)
  await registerSignIn(server, context, { people, limits })
  await registerDashboard(server, context, { people, limits })
  for (const register of routes) await register(server)
  server.addHook('preClose', async () => {
    context.waiters.close()
    connections?.close(Math.max(0, config.stopTimeoutSeconds * 1000 - 1_000))
  })
  return server
}

/** A number of proxies becomes the question whether the proxy so many hops away is one of them. */
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

/** An empty body is no body: `POST` without one is common with the header set. Keys that would reach a prototype are refused. */
function registerJsonParser(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else parse(request, String(body), done)
  })
}

function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers(problem.headers)
  // Close the connection instead of reading the rest of a large body. A small body has already been sent.
  if (!request.raw.complete && !(Number(request.headers['content-length']) <= bodyLimit)) reply.header('Connection', 'close')
  if (wantsPage(request)) return sendProblemPage(reply, problem.code)
  const body = toProblemBody(problem.code, {
    detail: problem.message,
    errors: problem.errors,
    requestId: request.id,
  })
  return reply
    .code(body.status)
    .header('Cache-Control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(body))
}

/** What node's parser refused before there was a request: answered like every other error, then the connection ends. */
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

/** A connection over the limits: what it sends is not looked at. */
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

/** The methods of a path that has routes, whichever method was asked for; empty for an unknown path. */
type AllowedMethods = (path: string) => readonly string[]

/** Collects the routes that are registered after it: Fastify answers 404 to a known path with another method. */
function collectAllowedMethods(server: FastifyInstance): AllowedMethods {
  const routes = new Map<string, Set<string>>()
  server.addHook('onRoute', ({ url, method }) => {
    const methods = routes.get(url) ?? new Set()
    routes.set(url, methods)
    for (const one of [method].flat()) methods.add(one)
  })
  return (path) => {
    const steps = path.split('/')
    const fitting = [...routes].filter(([url]) => fits(url.split('/'), steps)).flatMap(([, methods]) => [...methods])
    return fitting.length === 0 ? [] : [...new Set([...fitting, 'OPTIONS'])].sort()
  }
}

/** `:name` is one step or the beginning of one, a final `*` all the rest. */
function fits(pattern: readonly string[], steps: readonly string[]): boolean {
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
 * Checks a part of a request as it came, and converts it only where that fails: of all parts only a query holds numbers, and
 * converting costs ten times the check.
 */
const compileValidator: FastifySchemaCompiler<TSchema> = (route) => {
  const asItCame = Compile(route.schema)
  const converted = TypeBoxValidatorCompiler(route)
  return (value) => (asItCame.Check(value) ? { value } : converted(value))
}

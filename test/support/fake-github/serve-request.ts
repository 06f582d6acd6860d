import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { refuseJwt } from './app-identity.ts'
import { appRoutes, refuseUnreadable } from './app-routes.ts'
import type { FakeGitHub } from './fake-github.ts'
import type { FakeInstallation } from './fake-installation.ts'
import type { FakeRepository } from './fake-repository.ts'
import { feedbackRoutes } from './feedback-routes.ts'
import { serveGitRequest } from './git-over-http.ts'
import { graphqlRoute } from './graphql-route.ts'
import { pullRoutes } from './pull-routes.ts'
import { refRoutes } from './ref-routes.ts'
import { repositoryRoutes } from './repository-routes.ts'
import type { Json } from './represent.ts'
import { type Call, compileRoutes, type FakeResponse, notFound, type Route } from './route.ts'
import { surfaceRoutes } from './surface-routes.ts'
import type { InjectedFailure, LoggedRequest } from './types.ts'
import { userRoutes } from './user-routes.ts'
import { serveWebPage } from './web-pages.ts'

/** Every route that the fake serves, as named in GitHub's description. */
export const routes = compileRoutes([
  ...appRoutes,
  ...repositoryRoutes,
  ...refRoutes,
  ...pullRoutes,
  ...feedbackRoutes,
  ...surfaceRoutes,
  ...userRoutes,
  graphqlRoute,
])

/** Reads a request, finds its route, injects a requested failure, validates the token, responds and logs. */
export async function serveRequest(github: FakeGitHub, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (serveGitRequest(github, request, response)) return
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // A request without an encoding yields buffers.
  const url = new URL(request.url ?? '/', github.url)
  const path = url.pathname.replace(/^\/api(\/v3(?=\/)|(?=\/graphql$))/, '')
  if (path.startsWith('/oidc/')) return serveIssuer(github, path, response)
  const method = request.method ?? 'GET'
  if (serveWebPage(github, method, path, response)) return
  const route = routes.find((candidate) => candidate.method === method && candidate.pattern.test(path))
  const body = parseBody(Buffer.concat(chunks).toString())
  const logged: LoggedRequest = {
    method,
    url: request.url ?? '',
    route: route?.name,
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    body: body.value,
    at: Date.now(),
    installationId: undefined,
    status: 0,
    answer: undefined,
  }
  github.requests.push(logged)
  if (github.latencyMs > 0) await sleep(github.latencyMs)
  const fault = route && takeFailure(github, route, body.value)
  await fault?.meanwhile?.()
  if (fault?.delayMs !== undefined) await sleep(fault.delayMs)
  if (fault?.cut === 'before') return void request.socket.destroy()
  const { answer, installation } =
    fault?.status === undefined || fault.cut === 'after'
      ? await handleRequest(github, route, { path, url, body, logged })
      : { answer: toFailureResponse(fault), installation: undefined }
  if (fault?.cut === 'after') return void request.socket.destroy()
  logged.status = answer.status
  logged.answer = answer.body
  const text = answer.body === undefined ? '' : JSON.stringify(answer.body)
  response.writeHead(answer.status, {
    'x-github-request-id': randomUUID().slice(0, 18).toUpperCase(),
    ...(text === '' ? {} : { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) }),
    ...(installation ? toRateLimitHeaders(github, installation) : {}),
    ...answer.headers,
    ...fault?.headers,
  })
  if (fault?.cut !== 'during') return void response.end(text)
  response.write(text.slice(0, text.length / 2), () => request.socket.destroy())
}

interface Incoming {
  readonly path: string
  readonly url: URL
  readonly body: { readonly value: unknown; readonly isReadable: boolean }
  readonly logged: LoggedRequest
}

/** Responds to a request without a server. Injects no failures. */
export async function answerRequest(
  github: FakeGitHub,
  request: { readonly method: string; readonly url: string; readonly headers: LoggedRequest['headers']; readonly body: string },
): Promise<FakeResponse & { readonly route: string | undefined }> {
  const url = new URL(request.url)
  const path = url.pathname
  const route = routes.find((candidate) => candidate.method === request.method && candidate.pattern.test(path))
  const body = parseBody(request.body)
  const logged = {
    ...request,
    route: route?.name,
    body: body.value,
    at: 0,
    installationId: undefined,
    status: 0,
    answer: undefined,
  }
  const { answer, installation } = await handleRequest(github, route, { path, url, body, logged })
  const limits = installation ? toRateLimitHeaders(github, installation) : {}
  return { ...answer, headers: { ...limits, ...answer.headers }, route: route?.name }
}

async function handleRequest(
  github: FakeGitHub,
  route: (Route & { pattern: RegExp }) | undefined,
  { path, url, body, logged }: Incoming,
): Promise<{ answer: FakeResponse; installation: FakeInstallation | undefined }> {
  const done = (answer: FakeResponse, installation?: FakeInstallation) => ({ answer, installation })
  if (!route) return done(notFound)
  if (!body.isReadable) return done(refuseUnreadable())
  const matched = path.match(route.pattern)?.groups ?? {}
  const parameters = Object.fromEntries(Object.entries(matched).map(([name, value]) => [name, decodeURIComponent(value)]))
  const token = (logged.headers['authorization'] ?? '').replace(/^(bearer|token) /i, '')
  if (route.access === 'app' && github.verifiesKeys) {
    const refusal = await refuseJwt(token, [github.app, ...github.registeredApps])
    if (refusal !== undefined) return done(unauthorized(refusal))
  }
  const grant = route.access === 'installation' ? github.tokens.get(token) : undefined
  if (route.access === 'installation' && (!grant || grant.expiresAt <= Date.now() || grant.installation.deleted)) {
    return done(unauthorized('Bad credentials'))
  }
  const person = route.access === 'user' ? github.userTokens.get(token) : undefined
  if (route.access === 'user' && (!person || person.revoked || person.expiresAt <= Date.now())) {
    return done(unauthorized('Bad credentials'))
  }
  const installation = grant?.installation
  if (installation?.suspended) return done({ status: 403, body: { message: 'This installation has been suspended' } })
  logged.installationId = installation?.id
  if (installation) {
    const refusal = countRequest(github, installation)
    if (refusal) return done(refusal, installation)
  }
  const repository = installation && findVisible(installation, parameters)
  const needsRepository = 'owner' in parameters && route.access === 'installation'
  if (needsRepository && !repository) return done(notFound, installation)
  if (installation && route.permission && !isGranted(installation, route.permission)) {
    return done(forbidden(route.permission), installation)
  }
  const call: Call = {
    github,
    parameters,
    query: url.searchParams,
    body: (body.value ?? {}) as Json, // JSON of a request body. Each route validates the fields it needs.
    // A route without a repository or installation in its path does not use them.
    repository: repository as FakeRepository,
    installation: installation as FakeInstallation,
    login: person?.login ?? '',
    pageUrl: `${github.url}${url.pathname}`,
  }
  return done(await route.handle(call), installation)
}

function findVisible(
  installation: FakeInstallation,
  parameters: { readonly [name: string]: string },
): FakeRepository | undefined {
  const fullName = `${parameters['owner']}/${parameters['repo']}`.toLowerCase()
  return installation.repositories.find((repository) => repository.fullName.toLowerCase() === fullName)
}

function isGranted(installation: FakeInstallation, [name, level]: readonly [string, 'read' | 'write']): boolean {
  const granted = installation.permissions[name]
  return name === 'metadata' || granted === 'write' || granted === level
}

function forbidden([name, level]: readonly [string, string]): FakeResponse {
  return {
    status: 403,
    body: { message: 'Resource not accessible by integration', documentation_url: 'https://docs.github.com/rest', status: '403' },
    headers: { 'x-accepted-github-permissions': `${name}=${level}` },
  }
}

function unauthorized(message: string): FakeResponse {
  return { status: 401, body: { message, documentation_url: 'https://docs.github.com/rest', status: '401' } }
}

/** Counts a request against the hourly limit. Returns an error once it is used up. */
function countRequest(github: FakeGitHub, installation: FakeInstallation): FakeResponse | undefined {
  if (installation.resetAt <= Date.now()) {
    installation.used = 0
    installation.resetAt = Date.now() + 3_600_000
  }
  installation.used += 1
  if (installation.used <= github.rateLimit) return undefined
  const message = `API rate limit exceeded for installation ID ${installation.id}.`
  return { status: 403, body: { message, documentation_url: 'https://docs.github.com/rest', status: '403' } }
}

function toRateLimitHeaders(github: FakeGitHub, installation: FakeInstallation): { [name: string]: string } {
  return {
    'x-ratelimit-limit': String(github.rateLimit),
    'x-ratelimit-remaining': String(Math.max(0, github.rateLimit - installation.used)),
    'x-ratelimit-used': String(installation.used),
    'x-ratelimit-reset': String(Math.ceil(installation.resetAt / 1000)),
    'x-ratelimit-resource': 'core',
  }
}

function takeFailure(github: FakeGitHub, route: Route, body: unknown): InjectedFailure | undefined {
  const index = github.faults.findIndex(({ left, when, ...fault }) => {
    return fault.route === route.name && left > 0 && (when === undefined || when(body))
  })
  const fault = github.faults[index]
  if (!fault) return undefined
  if (fault.skip > 0) {
    fault.skip -= 1
    return undefined
  }
  fault.left -= 1
  if (fault.left <= 0) github.faults.splice(index, 1)
  return fault
}

function toFailureResponse(fault: InjectedFailure): FakeResponse {
  return { status: fault.status ?? 500, body: fault.body ?? { message: 'A failure requested by the test' } }
}

function parseBody(text: string): { value: unknown; isReadable: boolean } {
  if (text === '') return { value: undefined, isReadable: true }
  try {
    return { value: JSON.parse(text) as unknown, isReadable: true }
  } catch {
    return { value: text, isReadable: false }
  }
}

async function serveIssuer(github: FakeGitHub, path: string, response: ServerResponse): Promise<void> {
  const answers: { readonly [path: string]: () => object | Promise<object> } = {
    '/oidc/.well-known/openid-configuration': () => github.oidc.configuration(),
    '/oidc/.well-known/jwks': () => github.oidc.keys(),
  }
  const answer = answers[path]
  response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answer ? await answer() : {}))
}

import { validateHeaderName, validateHeaderValue } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { readWholeBytes, TooLargeError } from '../../files/disk-files.ts'
import type { PublicNetwork } from '../../files/network.ts'
import { type RelayCall, relayMediaType, relayPath } from '../../playground/request/relay-format.ts'
import { isServerOfSlice } from '../../site/page/api/server-sources.ts'
import { type BuildFiles, filesFor, isForkRef, type ShownSite } from '../../store/sites/stored-sites.ts'
import type { Store } from '../../store/store.ts'
import type { AppContext } from '../base/app-context.ts'
import type { AppConfig } from '../base/config/app-config.ts'
import type { Metrics } from '../base/telemetry/metrics.ts'
import type { RateLimits } from '../http/callers.ts'
import { Problem } from '../http/problem-details.ts'
import { readSiteContent } from '../publish/site-files.ts'
import { readPath } from '../publish/site-rules.ts'
import { readPassedHost } from './passed-requests.ts'
import { PrivateSiteAccess } from './private-sites.ts'
import { type RelayLimits, type RelayOutcome, relayLimits, sendToTarget } from './relay-target.ts'

/** Requests that are relayed at the same time, in total and for one reader. */
const maxActive = { total: 32, perReader: 4 } as const

/** The largest slice that is read to find the servers. */
const maxSliceBytes = 4 * 1024 * 1024

/** Whether the playground of a site may use the relay. Forks could name any server, so their previews may not. */
export function mayRelay(
  setting: AppConfig['playgroundRelay'],
  site: { readonly build: Pick<ShownSite['build'], 'ref'> },
  { isPublic, isSignedIn }: { readonly isPublic: boolean; readonly isSignedIn: boolean },
): boolean {
  if (setting === 'off' || isForkRef(site.build.ref)) return false
  return isSignedIn || (isPublic && setting === 'all')
}

/**
 * `POST /_openapi-pages/relay` on the hosts of sites: sends a request of the playground to a server of the site's OpenAPI documents, and returns the response
 * in a form that browsers never execute. On the host of the app, it does not exist.
 *
 * Requests contain credentials. Their URL, headers and body are never logged and never part of a problem.
 */
export async function registerRelay(
  server: FastifyInstance,
  context: AppContext,
  { rates, metrics, network }: { readonly rates: RateLimits; readonly metrics: Metrics; readonly network: PublicNetwork },
): Promise<void> {
  const { config, store } = context
  if (config.playgroundRelay === 'off') return
  const access = new PrivateSiteAccess(context)
  const active = new ActiveCalls()

  /** The site that the caller may use the relay of. All other callers get the same response, so that it does not reveal which sites exist. */
  const findSite = async (request: FastifyRequest) => {
    const host = readPassedHost(request)
    const owner = await store.sites.findOwner(host)
    const { isPublic } = owner
    const reader = await access.findReader(request.raw, host, owner)
    if (!reader && !isPublic) throw new Problem('not-found')
    const site = await store.sites.findShown(host)
    if (!site || !mayRelay(config.playgroundRelay, site, { isPublic, isSignedIn: reader !== undefined })) {
      throw new Problem('not-found')
    }
    return { site, files: filesFor(site.build, reader?.audience), userId: reader?.userId }
  }

  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // The handler reads the body after it knows the reader.
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.post(relayPath, async (request, reply) => {
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      if (reply.raw.destroyed) gone.abort()
      rates.countAddress(request)
      requireOwnSite(context, request)
      if (request.headers['content-type'] !== relayMediaType)
        throw new Problem('unsupported-media-type', `Send the body as \`${relayMediaType}\``)
      const { site, files, userId } = await findSite(request)
      const who = userId ? { userId } : { address: request.ip }
      const count = (outcome: RelayOutcome | 'refused' | 'limited') => metrics.relayed.inc({ outcome })
      const key = userId ? `user:${userId}` : `address:${request.ip}`
      try {
        rates.countRelay(request, userId || undefined)
        active.start(key, gone.signal)
      } catch (error) {
        count('limited')
        throw error
      }
      try {
        const { call, body } = await readCall(request.body as AsyncIterable<Buffer>, relayLimits)
        await requireServer(store.sites, files, call)
        const target = await sendToTarget(call, body, { network, limits: relayLimits, signal: gone.signal })
        const { host } = new URL(call.url)
        const frame = async function* () {
          try {
            yield Buffer.from(`${JSON.stringify(target.head)}\n`)
            yield* target.body
          } finally {
            const outcome = target.outcome()
            count(outcome)
            request.log.info({ projectId: site.project.id, host, outcome, ...who }, 'Relayed a request of the playground')
          }
        }
        return reply.headers(inertHeaders).type(relayMediaType).send(Readable.from(frame()))
      } catch (error) {
        count('refused')
        throw error
      }
    })
  })
}

/** Browsers download this response at most. They never show or run it. */
const inertHeaders = {
  'Content-Disposition': 'attachment; filename="response"',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  // Events arrive one by one, so nginx must not wait for more.
  'X-Accel-Buffering': 'no',
}

/**
 * Rejects requests from other sites, which could otherwise use the cookie of the reader.
 *
 * @throws {Problem} `forbidden`.
 */
function requireOwnSite({ urls }: AppContext, { headers }: FastifyRequest): void {
  const { origin, host, 'sec-fetch-site': site } = headers
  const isOwn = site === undefined ? origin === `${urls.sites()?.protocol}//${host}` : site === 'same-origin'
  if (!isOwn) throw new Problem('forbidden', 'The request was sent from another site')
}

const CallSchema = Type.Object({
  slice: Type.String({ maxLength: 2_000 }),
  method: Type.String({ maxLength: 40 }),
  url: Type.String({ maxLength: 32_000 }),
  headers: Type.Array(Type.Tuple([Type.String(), Type.String()]), { maxItems: 200 }),
})

const callCheck = Compile(CallSchema)

/** @throws {Problem} without any part of the call. */
async function readCall(payload: AsyncIterable<Buffer>, limits: RelayLimits): Promise<{ call: RelayCall; body: Buffer }> {
  const bytes = await readWholeBytes(payload, { limitBytes: limits.headBytes + limits.requestBytes }).catch((error: unknown) => {
    if (error instanceof TooLargeError) throw tooLarge(limits)
    throw new Problem('invalid-request', 'The body is incomplete')
  })
  const end = bytes.indexOf('\n')
  if (end === -1 || end > limits.headBytes) throw new Problem('invalid-request', 'The first line is missing or too long')
  const body = bytes.subarray(end + 1)
  if (body.length > limits.requestBytes) throw tooLarge(limits)
  const call = parseCall(bytes.toString('utf8', 0, end))
  if (!call) throw new Problem('invalid-request', 'The first line does not describe a request')
  return { call, body }
}

function tooLarge({ requestBytes }: RelayLimits): Problem {
  return new Problem('too-large', `This server accepts bodies of at most ${requestBytes / 1024 / 1024} MB`)
}

function parseCall(line: string): Static<typeof CallSchema> | undefined {
  try {
    const call: unknown = JSON.parse(line)
    if (!callCheck.Check(call)) return undefined
    const { protocol, username, password } = new URL(call.url)
    if (protocol !== 'https:' || username !== '' || password !== '' || /^(?:CONNECT|TRACE|TRACK)$/i.test(call.method))
      return undefined
    for (const [name, value] of call.headers) {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    }
    return call
  } catch {
    return undefined
  }
}

/**
 * Checks the URL of a call with the servers of its operation, as the published site contains them.
 *
 * @throws {Problem} `unprocessable` or `forbidden`.
 */
async function requireServer(
  sites: Pick<Store['sites'], 'findFile' | 'readBody'>,
  files: BuildFiles,
  call: RelayCall,
): Promise<void> {
  const path = call.slice.endsWith('.openapi.json') ? readPath(call.slice)?.path : undefined
  const file = path === undefined ? undefined : await sites.findFile(files, path)
  if (!file || file.sizeBytes > maxSliceBytes) {
    throw new Problem('unprocessable', 'This operation is not on the site any more. Reload the page')
  }
  let slice: unknown
  try {
    slice = JSON.parse((await readSiteContent(sites, file)).toString())
  } catch {
    slice = undefined
  }
  if (!isServerOfSlice(slice, call.method, new URL(call.url))) {
    throw new Problem('forbidden', 'This server sends requests only to the https servers in the OpenAPI document')
  }
}

/** Counts the calls that are running. */
class ActiveCalls {
  readonly #perReader = new Map<string, number>()
  #total = 0

  /**
   * Counts a call until its signal aborts.
   *
   * @throws {Problem} `rate-limited` or `unavailable`.
   */
  start(key: string, signal: AbortSignal): void {
    if (signal.aborted) return
    const own = this.#perReader.get(key) ?? 0
    const headers = { 'Retry-After': '10' }
    if (own >= maxActive.perReader) throw new Problem('rate-limited', 'Wait until your other requests have ended', { headers })
    if (this.#total >= maxActive.total) throw new Problem('unavailable', 'This server is busy. Try again later', { headers })
    this.#total += 1
    this.#perReader.set(key, own + 1)
    const end = () => {
      this.#total -= 1
      const left = (this.#perReader.get(key) ?? 1) - 1
      if (left === 0) this.#perReader.delete(key)
      else this.#perReader.set(key, left)
    }
    signal.addEventListener('abort', end, { once: true })
  }
}

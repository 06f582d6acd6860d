import { gzipSync } from 'node:zlib'
import { writeTarball } from '../fake-github/archives.ts'
import { FakeGitHub } from '../fake-github/fake-github.ts'
import type { FakeRepository } from '../fake-github/fake-repository.ts'
import { answerRequest } from '../fake-github/serve-request.ts'
import type { RecordedDelivery } from '../fake-github/types.ts'
import type { Random } from '../random.ts'
import type { Scheduler } from './scheduler.ts'

/** A webhook on its way to the app. */
export interface Message {
  readonly guid: string
  readonly event: string
  readonly payload: Readonly<Record<string, unknown>>
  /** Called when the app has acknowledged it. */
  readonly onAccepted: () => void
}

/** What is disturbed between GitHub and the app for a while. */
export interface Trouble {
  readonly untilMs: number
  /** The part of the requests that fails. */
  readonly rate: number
  /** GitHub answers, but refuses these requests. Default: the network fails. */
  readonly refused?: RefusedRequests
  /** GitHub takes up to this time for what the app writes, instead of failing. */
  readonly slowMs?: number
  /** The number of requests that it still refuses. Default: no limit. */
  left?: number
}

/** GitHub's limit for a webhook. */
const timeoutMs = 10_000

const failures = ['refused', 'bad-gateway', 'lost-answer', 'hangs', 'hangs-after', 'rate-limited', 'cut'] as const

const permission = { status: 403, message: 'Resource not accessible by integration' }
const allowList = {
  status: 403,
  message: 'Although you appear to have the correct authorization credentials, your IP address is not permitted',
}
const missing = { status: 404, message: 'Not Found' }

/** Requests that GitHub may refuse for a while, although it accepts the same later, with what it says. */
const refusedRequests = {
  'what the app writes': {
    pattern: /^(?!GET).*\/(?:check-runs|statuses|comments|deployments)\b/,
    answers: [
      permission,
      allowList,
      missing,
      { status: 410, message: 'Gone' },
      { status: 422, message: 'No commit found for SHA' },
    ],
  },
  checks: { pattern: /\/check-(?:runs|suites)\b/, answers: [permission] },
  comments: { pattern: /\/comments\b/, answers: [permission] },
  'commit statuses': { pattern: /\/statuses\b/, answers: [permission] },
  deployments: { pattern: /\/deployments\b/, answers: [permission] },
  // Only for seconds, because what two looks do not find is gone.
  'new commits': { pattern: /^GET .*\/(?:commits|tarball|git|compare|contents)\b/, answers: [missing] },
  'pull requests': { pattern: /^GET .*\/pulls\b/, answers: [permission, missing] },
  'that a repository exists': {
    pattern: /^GET .*\/(?:repos\/[^/]+\/[^/]+\/installation|repositories\/\d+)$/,
    answers: [missing],
  },
  'everything about repositories': { pattern: /\/repos(?:itories)?\//, answers: [allowList] },
  'everything beyond a secondary limit': {
    pattern: /\/repos(?:itories)?\//,
    answers: [{ status: 403, message: 'You have exceeded a secondary rate limit.' }],
  },
} as const

type RefusedRequests = keyof typeof refusedRequests
export const refusedNames = Object.keys(refusedRequests) as RefusedRequests[] // The keys of a closed literal.

/** The fake GitHub without HTTP: the routes and the state are the same, the network is a model. */
export class SimulatedGitHub extends FakeGitHub {
  override readonly verifiesKeys = false
  readonly scheduler: Scheduler
  readonly random: Random
  trouble: Trouble | undefined
  /** Delivers a webhook to a process. Resolves with its status; 0 if none receives it. */
  receive: (message: Message) => Promise<number> = async () => 0
  /** The archives that the app has read, by commit. */
  readonly downloads = new Set<string>()
  readonly unexpected: string[] = []
  /** Whether the app hosts sites: checks say so. */
  hasHosting = true
  /** Requests that concluded a check again. */
  readonly doubled: string[] = []
  /** The external IDs of the records that concluded checks, with the name of the repository then, by the IDs of the checks. */
  readonly #concludedBy = new Map<number, string>()
  /** Webhooks that have not arrived yet. */
  underway = 0
  /** When the newest webhook arrived that GitHub sent by itself. */
  arrivedAtMs = 0
  /** Former names of repositories, which GitHub redirects. */
  readonly formerNames = new Map<string, FakeRepository>()
  /** Commits that GitHub has deleted for good. */
  readonly gone = new Set<string>()
  readonly #messages = new Map<string, Message>()
  /** The packed archives of commits. */
  readonly #archives = new Map<string, Uint8Array>()
  #lastGuid = 0

  constructor(scheduler: Scheduler, random: Random) {
    const archives = {
      link: (repository: FakeRepository, sha: string) => `tarball:${repository.id}/${sha}`,
      refused: [],
      cutAfterBytes: undefined,
      close: () => undefined,
    }
    super({ url: 'https://api.github.test', archives, close: async () => undefined }, { rateLimit: 100_000 })
    this.scheduler = scheduler
    this.random = random
  }

  /** Sends a webhook once for each delay. Without any, it is lost: it gets no response, and is listed among the deliveries. */
  send(event: string, payload: object, options: { readonly delaysMs: readonly number[]; readonly onAccepted: () => void }): void {
    const { delaysMs, onAccepted } = options
    this.#lastGuid += 1
    const guid = `d${this.#lastGuid}`
    // All payloads are objects.
    const message = { guid, event, payload: payload as Message['payload'], onAccepted }
    this.#messages.set(guid, message)
    if (delaysMs.length === 0) this.#record(message, 502, false)
    for (const delayMs of delaysMs) this.#deliver(message, delayMs, false)
  }

  override redeliver({ guid }: RecordedDelivery): void {
    const message = this.#messages.get(guid)
    if (message) this.#deliver(message, 200 + Math.floor(this.random() * 3_000), true)
  }

  #deliver(message: Message, delayMs: number, isAgain: boolean): void {
    const { time } = this.scheduler
    this.underway += 1
    const arrive = async () => {
      let isOver = false
      const end = (status: number) => {
        if (isOver) return
        isOver = true
        this.underway -= 1
        if (!isAgain) this.arrivedAtMs = time.nowMs
        this.scheduler.note(`webhook ${message.guid} ${message.event}: ${status}`)
        if (status === 202) message.onAccepted()
        this.#record(message, status === 0 ? 502 : status, isAgain)
      }
      time.add(timeoutMs, () => end(504), undefined)
      end(await this.receive(message))
    }
    time.add(delayMs, () => void arrive(), undefined)
  }

  #record({ guid, event, payload }: Message, statusCode: number, redelivery: boolean): void {
    const { action, installation, repository } = payload
    this.deliveries.push({
      id: this.nextId(),
      guid,
      event,
      action: typeof action === 'string' ? action : null,
      redelivery,
      deliveredAt: new Date(this.scheduler.time.nowMs).toISOString(),
      statusCode,
      status: String(statusCode),
      durationSeconds: 0,
      installationId: idOf(installation),
      repositoryId: idOf(repository),
      payload,
      requestHeaders: {},
      responseHeaders: {},
      responseBody: '',
    })
  }

  /** `fetch` of a simulated process. */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = String(input)
    const method = init.method ?? 'GET'
    const refusal = this.#nextRefusal(method, url)
    const failure = this.#nextFailure()
    const slowMs = this.#nextDelay(method)
    const delayMs = slowMs ?? (this.random() < 0.7 ? 0 : Math.floor(this.random() * (this.random() < 0.1 ? 8_000 : 900)))
    const label = `${method} ${toLabel(url.slice(this.url.length))}${failure ? ` ${failure}` : ''}${refusal ? ` ${refusal.status}` : ''}`
    const call: Scheduler['call'] = (options, work) => this.scheduler.call(options, work)
    const { signal } = init
    if (failure === 'hangs')
      return await call({ label, delayMs: 600_000, signal }, () => Promise.reject(new TypeError('fetch failed')))
    const response = await call({ label, delayMs, signal }, async () => {
      if (failure === 'refused') throw new TypeError('fetch failed')
      if (failure === 'bad-gateway') return toResponse(url, { status: 502, body: { message: 'Bad Gateway' } })
      if (refusal) return toResponse(url, { status: refusal.status, body: { message: refusal.message } })
      if (failure === 'rate-limited') {
        const body = { message: 'You have exceeded a secondary rate limit.' }
        return toResponse(url, { status: 403, body, headers: { 'retry-after': String(1 + Math.floor(this.random() * 60)) } })
      }
      const answered = await this.#answer(method, url, init)
      if (failure === 'lost-answer') throw new TypeError('fetch failed')
      return toResponse(url, answered, failure === 'cut')
    })
    if (failure !== 'hangs-after') return response
    return await call({ label: `${label} response`, delayMs: 600_000, signal }, () =>
      Promise.reject(new TypeError('fetch failed')),
    )
  }

  async #answer(method: string, url: string, init: RequestInit): Promise<Answer> {
    const isGone = [...this.gone].some((sha) => url.includes(sha) || String(init.body ?? '').includes(`"head_sha":"${sha}"`))
    // As GitHub: 404 for archives, trees and comparisons, 422 for the rest.
    const isContent = method === 'GET' && !/\/commits\//.test(url)
    if (isGone) return { status: isContent ? 404 : 422, body: { message: 'No commit found for SHA' } }
    const headers = Object.fromEntries(
      Object.entries(init.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
    )
    if (this.#concludesAgain(method, url, String(init.body ?? ''))) this.doubled.push(`${method} ${url}`)
    const { route, ...answer } = await answerRequest(this, {
      method,
      url: this.#redirect(url),
      headers,
      body: String(init.body ?? ''),
    })
    if (route === undefined) this.unexpected.push(`${method} ${url}`)
    const location = /^tarball:(\d+)\/(\w+)$/.exec(answer.headers?.['location'] ?? '')
    const repository = location && this.findRepositoryById(Number(location[1]))
    if (!location || !repository) return answer
    const sha = location[2] ?? ''
    this.downloads.add(sha)
    const key = `${repository.fullName} ${sha}`
    const bytes = this.#archives.get(key) ?? (await pack(repository, sha))
    this.#archives.set(key, bytes)
    return { status: 200, bytes }
  }

  /**
   * Whether a record concludes its check a second time. A new record may take over a check whose record was lost, and a check whose answer was lost
   * has other links after its repository was renamed or hosting was turned on or off.
   */
  #concludesAgain(method: string, url: string, body: string): boolean {
    const [, name = '', id] = /\/repos\/([^/]+\/[^/]+)\/check-runs\/(\d+)$/.exec(url) ?? []
    const repository = this.findRepository(name)
    const run = repository?.checkRuns.find((one) => one.id === Number(id))
    if (method !== 'PATCH' || !run || !body.includes('"conclusion"')) return false
    // Annotations follow that GitHub rejected at first.
    const isWhole = !run.output.summary?.includes('GitHub rejected the annotations')
    const by = `${run.externalId} of ${repository?.fullName}, hosting: ${this.hasHosting}`
    const isAgain = isWhole && run.status === 'completed' && this.#concludedBy.get(run.id) === by
    this.#concludedBy.set(run.id, by)
    return isAgain
  }

  /** The URL with the current name of its repository. */
  #redirect(url: string): string {
    const [, name = ''] = /\/repos\/([^/]+\/[^/]+)/.exec(url) ?? []
    const renamed = this.findRepository(name) ? undefined : this.formerNames.get(name)
    return renamed ? url.replace(`/repos/${name}`, `/repos/${renamed.fullName}`) : url
  }

  #nextRefusal(method: string, url: string): { readonly status: number; readonly message: string } | undefined {
    const { trouble } = this
    const refused = trouble?.refused && refusedRequests[trouble.refused]
    if (!trouble || !refused?.pattern.test(`${method} ${url}`) || !this.#isDue(trouble)) return undefined
    if (trouble.left !== undefined) trouble.left -= 1
    return this.random.of<{ readonly status: number; readonly message: string }>(refused.answers)
  }

  #nextFailure(): (typeof failures)[number] | undefined {
    const { trouble } = this
    return trouble && !trouble.refused && !trouble.slowMs && this.#isDue(trouble) ? this.random.of(failures) : undefined
  }

  #nextDelay(method: string): number | undefined {
    const { trouble } = this
    return trouble?.slowMs && method !== 'GET' && this.#isDue(trouble) ? Math.floor(this.random() * trouble.slowMs) : undefined
  }

  #isDue({ untilMs, rate, left = 1 }: Trouble): boolean {
    return untilMs > this.scheduler.time.nowMs && left > 0 && this.random() < rate
  }
}

async function pack(repository: FakeRepository, sha: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of writeTarball(repository, sha)) chunks.push(chunk as Uint8Array)
  return gzipSync(Buffer.concat(chunks), { level: 1 })
}

/** Without the IDs, which differ from history to history in a process. */
function toLabel(path: string): string {
  return path.replaceAll(/\b([0-9a-f]{7})[0-9a-f]{33}\b/g, '$1').replaceAll(/\b\d{4,6}\b/g, '#')
}

interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly bytes?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** The parts of a `Response` that Octokit reads. A real one would read its body in the background. */
function toResponse(url: string, { status, body, bytes, headers = {} }: Answer, isCut = false): Response {
  const text = body === undefined ? '' : JSON.stringify(body)
  const type = body === undefined ? [] : [['content-type', 'application/json; charset=utf-8'] as const]
  const response = {
    status,
    url,
    statusText: String(status),
    headers: new Map([...type, ...Object.entries(headers)]),
    text: async () => (isCut ? text.slice(0, text.length / 2) : text),
    arrayBuffer: async () => new ArrayBuffer(0),
    body: bytes && toChunks(bytes, isCut),
  }
  return response as unknown as Response
}

async function* toChunks(bytes: Uint8Array, isCut: boolean): AsyncIterable<Uint8Array> {
  yield isCut ? bytes.subarray(0, bytes.length / 2) : bytes
  if (isCut) throw new TypeError('terminated')
}

function idOf(value: unknown): number | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined
  return typeof id === 'number' ? id : null
}

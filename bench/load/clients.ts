import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandProcess } from './command-process.ts'
import type { GitHubCommands, SentDelivery } from './github-process.ts'

/** A finished request of a client. */
export interface Sample {
  readonly kind: string
  /** Milliseconds since 1970, of its start. */
  readonly at: number
  readonly ms: number
  /** The status, or the code of the error: `ECONNRESET`, `timeout`. */
  readonly outcome: number | string
  /** A 503 without `Retry-After`, or an error with a stack. */
  readonly mistake?: string
}

/** Requests per second; `longPolls` and `followers` are clients at a time. */
interface Rates {
  readonly webhooks: number
  readonly polls: number
  readonly views: number
  readonly triggers: number
  readonly longPolls: number
}

interface LoadTarget {
  readonly github: CommandProcess<GitHubCommands>
  /** The port of the balancer. */
  readonly port: number
  readonly token: string
  readonly projects: readonly { readonly id: string; readonly subdomain: string; readonly hasSite: boolean }[]
  /** Requests that take longer than this hang. */
  readonly limitMs: number
}

/** Everything that the clients saw. */
export interface Observations {
  readonly samples: Sample[]
  readonly deliveries: SentDelivery[]
  /** Status IDs of acknowledged triggers. */
  readonly triggered: string[]
  /** Idempotency keys whose requests returned different status IDs. */
  readonly ambiguous: string[]
}

/** Clients of the app: GitHub, CI jobs and readers. */
export class Load {
  readonly seen: Observations = { samples: [], deliveries: [], triggered: [], ambiguous: [] }
  readonly #target: LoadTarget
  readonly #agent = new Agent({ keepAlive: true })
  readonly #statusIds: string[] = []
  readonly #running = new Set<Promise<unknown>>()
  #isOn = true

  constructor(target: LoadTarget) {
    this.#target = target
  }

  start(rates: Rates): void {
    this.#repeat(rates.webhooks, () => this.#sendWebhook())
    this.#repeat(rates.polls, () => this.#poll())
    this.#repeat(rates.views, () => this.#view())
    this.#repeat(rates.triggers, () => this.#trigger())
    for (let index = 0; index < rates.longPolls; index++) this.#track(this.#follow())
  }

  /** Sends nothing new, and waits for the responses. */
  async stop(): Promise<void> {
    this.#isOn = false
    while (this.#running.size > 0) await Promise.all(this.#running)
    this.#agent.destroy()
  }

  /** Starts work at random times. Late work is not skipped, so that a slow server does not get less of it. */
  #repeat(perSecond: number, work: () => Promise<unknown>): void {
    if (perSecond <= 0) return
    const loop = async () => {
      let dueAt = performance.now()
      while (this.#isOn) {
        dueAt += (-Math.log(1 - Math.random()) * 1000) / perSecond
        await sleep(Math.max(0, dueAt - performance.now()))
        if (this.#isOn) this.#track(work())
      }
    }
    this.#track(loop())
  }

  #track(work: Promise<unknown>): void {
    this.#running.add(work)
    work.finally(() => this.#running.delete(work))
  }

  /** Pushes, pull requests, and deliveries that GitHub sends again. */
  async #sendWebhook(): Promise<void> {
    const { github } = this.#target
    const chance = Math.random()
    if (chance < 0.1) {
      const again = pick(this.seen.deliveries.slice(-200))
      if (again) await github.call('redeliver', again.deliveryId)
      return
    }
    const sent = chance < 0.3 ? await github.call('pullRequest') : [await github.call('push', {})]
    for (const delivery of sent) {
      this.seen.deliveries.push(delivery)
      const { event, sentAt, durationMs, status } = delivery
      this.#note({ kind: `webhook ${event}`, at: sentAt, ms: durationMs, outcome: status === 0 ? 'unreachable' : status })
    }
  }

  /** A CI job that asks for a status, or a dashboard that lists updates. */
  async #poll(): Promise<void> {
    const id = Math.random() < 0.8 ? pick(this.#statusIds) : undefined
    if (id !== undefined) {
      await this.#send('status', `/v1/project/update-status/${id}`)
      return
    }
    const project = pick(this.#target.projects)
    if (!project) return
    const { status, body } = await this.#send('list', `/v1/project/${project.id}/updates?limit=10`)
    if (status !== 200) return
    const { updates } = JSON.parse(body) as { updates: readonly { _id: string }[] }
    this.#statusIds.push(...updates.map(({ _id }) => _id))
    this.#statusIds.splice(0, Math.max(0, this.#statusIds.length - 1_000))
  }

  async #view(): Promise<void> {
    const site = pick(this.#target.projects.filter(({ hasSite }) => hasSite))
    if (!site) return
    const path = Math.random() < 0.7 ? '/' : '/nothing-here'
    const { status } = await this.#send('page', path, { headers: { Host: `${site.subdomain}.localhost:${this.#target.port}` } })
    if (path !== '/' && status === 200)
      this.#note({ kind: 'page', at: Date.now(), ms: 0, outcome: 200, mistake: 'found a missing page' })
  }

  /** A CI job that triggers an update, as often as necessary under one key, and waits for its end. */
  async #trigger(): Promise<void> {
    const project = pick(this.#target.projects)
    if (!project) return
    const key = randomUUID()
    const statusIds = new Set<string>()
    // Sent again after an error, as the documentation advises. A repeated success must return the same update.
    for (let tries = 0; tries < 20 && (statusIds.size === 0 || Math.random() < 0.2); tries++) {
      const { status, body, retryAfter } = await this.#send('trigger', `/v1/project/update/${project.id}`, {
        method: 'POST',
        headers: { 'Idempotency-Key': key },
      })
      if (status === 202) statusIds.add((JSON.parse(body) as { statusId: string }).statusId)
      else if (status !== 0 && status < 500) return
      else await sleep((retryAfter ?? 1) * 1000)
    }
    if (statusIds.size > 1) this.seen.ambiguous.push(key)
    for (const id of statusIds) {
      this.seen.triggered.push(id)
      await this.#await(id)
    }
  }

  /** A client that always follows some update with long polls. */
  async #follow(): Promise<void> {
    while (this.#isOn) {
      const id = this.#statusIds.at(-1 - Math.floor(Math.random() * 20))
      if (id !== undefined) await this.#await(id)
      await sleep(500)
    }
  }

  async #await(id: string): Promise<void> {
    while (this.#isOn) {
      const { status, body, retryAfter } = await this.#send('long poll', `/v1/project/update-status/${id}`, {
        headers: { Prefer: 'wait=10' },
        waitMs: 10_000,
      })
      if (status === 200 && (JSON.parse(body) as { endedAt?: string }).endedAt !== undefined) return
      if (status !== 200) await sleep((retryAfter ?? 1) * 1000)
    }
  }

  async #send(
    kind: string,
    path: string,
    options: { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly waitMs?: number } = {},
  ): Promise<{ status: number; body: string; retryAfter: number | undefined }> {
    const { port, token, limitMs } = this.#target
    const at = Date.now()
    const startedAt = performance.now()
    return await new Promise((resolve) => {
      const end = (outcome: number | string, body = '', headers: NodeJS.Dict<string | string[]> = {}) => {
        const ms = performance.now() - startedAt - (options.waitMs ?? 0)
        const mistake = findMistake(outcome, body, headers)
        this.#note({ kind, at, ms: Math.max(0, ms), outcome, ...(mistake !== undefined && { mistake }) })
        const retryAfter = headers['retry-after'] === undefined ? undefined : Number(headers['retry-after'])
        resolve({ status: typeof outcome === 'number' ? outcome : 0, body, retryAfter })
      }
      const sending = request({
        host: '127.0.0.1',
        port,
        path,
        agent: this.#agent,
        method: options.method ?? 'GET',
        headers: { Host: `localhost:${port}`, Authorization: `Bearer ${token}`, ...options.headers },
        signal: AbortSignal.timeout(limitMs + (options.waitMs ?? 0)),
      })
      sending.on('response', (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (text: string) => {
          body += text
        })
        response.on('end', () => end(response.statusCode ?? 0, body, response.headers))
        response.on('error', (error) => end(toOutcome(error)))
      })
      sending.on('error', (error) => end(toOutcome(error)))
      sending.end()
    })
  }

  #note(sample: Sample): void {
    this.seen.samples.push(sample)
  }
}

function toOutcome(error: Error & { code?: string }): string {
  return error.name === 'AbortError' || error.name === 'TimeoutError' ? 'timeout' : (error.code ?? error.message)
}

function findMistake(outcome: number | string, body: string, headers: NodeJS.Dict<string | string[]>): string | undefined {
  if (outcome === 503 && headers['retry-after'] === undefined) return '503 without Retry-After'
  return typeof outcome === 'number' && outcome >= 500 && /\bat .+:\d+:\d+/.test(body) ? 'an error with a stack' : undefined
}

function pick<Value>(values: readonly Value[]): Value | undefined {
  return values[Math.floor(Math.random() * values.length)]
}

import { randomInt } from 'node:crypto'
import { toAppSettings } from '../../test/support/fake-github/app-settings.ts'
import { type FakeGitHub, startFakeGitHub } from '../../test/support/fake-github/fake-github.ts'
import type { FakeRepository } from '../../test/support/fake-github/fake-repository.ts'
import { toInstallationEvent, toPullRequestEvent } from '../../test/support/fake-github/payloads.ts'
import type { FakePullRequest } from '../../test/support/fake-github/types.ts'
import { serveCommands } from './command-process.ts'
import { toDocsConfig, toDocument } from './documents.ts'

// The fake GitHub of the load generator, in a separate process. The generator calls the functions in `commands` with messages.

/** What GitHub does wrong for a while. */
export type GitHubFault =
  /** Every request of a kind that was sent before gets this status. */
  | { readonly kind: 'refuse'; readonly status: number; readonly what: 'reads' | 'writes' }
  /** No webhook arrives. */
  | { readonly kind: 'lose' }

/** A webhook that was sent once. */
export interface SentDelivery {
  readonly deliveryId: string
  readonly event: string
  readonly repository: string
  readonly sha: string
  /** The status of the response; 0 without a response. */
  readonly status: number
  /** Milliseconds since 1970. */
  readonly sentAt: number
  readonly durationMs: number
}

/** What the app has written. */
interface WrittenRepository {
  readonly fullName: string
  /** The commit of the default branch. */
  readonly tip: string
  readonly checkRuns: readonly {
    readonly externalId: string
    readonly name: string
    readonly headSha: string
    readonly status: string
    readonly conclusion: string | null
    /** Annotations that are the same as another one of this check run. */
    readonly repeatedAnnotations: number
  }[]
  /** The number of comments of the app on each pull request. */
  readonly comments: readonly { readonly pullNumber: number; readonly count: number }[]
  /** The number of equal statuses (commit, context, state), if there are several. */
  readonly repeatedStatuses: number
  readonly deployments: readonly { readonly sha: string; readonly environment: string }[]
}

export interface GitHubState {
  readonly repositories: readonly WrittenRepository[]
  readonly deliveries: readonly { readonly guid: string; readonly event: string; readonly status: number }[]
  /** The number of requests by route and status. */
  readonly requests: Readonly<Record<string, number>>
  readonly unexpected: readonly string[]
  /** Check runs that were completed twice, with different conclusions. */
  readonly changedConclusions: readonly string[]
}

export interface GitHubOptions {
  readonly installations: number
  readonly repositories: number
  /** Of 1: the repositories with a site. */
  readonly siteShare: number
  /** Operations of each document. */
  readonly operations: number
  readonly latencyMs: number
}

let github: FakeGitHub
let options: GitHubOptions
const repositories: FakeRepository[] = []
let counter = 0
let losesDeliveries = false

const commands = {
  async start(given: GitHubOptions) {
    options = given
    github = await startFakeGitHub({ latencyMs: given.latencyMs })
    const perInstallation = Math.ceil(given.repositories / given.installations)
    for (let index = 0; index < given.repositories; index++) {
      const hasSite = index < Math.round(given.repositories * given.siteShare)
      const files = { ...(hasSite ? { 'docs.json': toDocsConfig() } : {}), 'openapi.yaml': toDocument(given.operations, 0) }
      // Sites are spread over the installations.
      const owner = `team-${index % given.installations}`
      repositories.push(github.createRepository(`${owner}/api-${Math.floor(index / given.installations)}`, { files }))
    }
    return { url: github.url, perInstallation, settings: toAppSettings(github) }
  },
  async setWebhookUrl(url: string) {
    github.webhookUrl = url
  },
  /** GitHub's webhooks after the app was installed. */
  async install() {
    for (const installation of github.installations) {
      await github.deliver('installation', toInstallationEvent(github, installation, 'created'))
    }
  },
  async push({ branch }: { readonly branch?: string } = {}): Promise<SentDelivery> {
    const repository = pick(repositories)
    return await sendPush(repository, commit(repository, branch ?? pick(['main', 'main', 'next', 'fix-types'])))
  },
  /** A push to a new or existing branch and its pull request. */
  async pullRequest(): Promise<readonly SentDelivery[]> {
    const repository = pick(repositories)
    const open = repository.pullRequests.filter(({ state }) => state === 'open')
    const existing = open.length > 3 || (open.length > 0 && randomInt(2) === 0) ? pick(open) : undefined
    const head = existing?.head ?? `change-${++counter}`
    const push = commit(repository, head)
    const sent = await sendPush(repository, push)
    const pull: FakePullRequest = existing ?? repository.openPullRequest({ head })
    const payload = toPullRequestEvent(github, repository, existing ? 'synchronize' : 'opened', pull, push.before)
    return [sent, await send('pull_request', payload, repository, push.after)]
  },
  /** Sends a delivery again under its ID. */
  async redeliver(deliveryId: string): Promise<void> {
    const delivery = github.deliveries.findLast(({ guid }) => guid === deliveryId)
    if (delivery) github.redeliver(delivery)
  },
  async beginFault(fault: GitHubFault): Promise<void> {
    if (fault.kind === 'lose') losesDeliveries = true
    else refuseRoutes(fault)
  },
  async endFaults(): Promise<void> {
    losesDeliveries = false
    github.faults.length = 0
  },
  async settle() {
    await github.settled()
  },
  async readState(): Promise<GitHubState> {
    const requests: Record<string, number> = {}
    const conclusions = new Map<string, Set<string>>()
    for (const { route = 'unexpected', status, url, body } of github.requests) {
      const key = `${route} ${status}`
      requests[key] = (requests[key] ?? 0) + 1
      if (route !== 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}' || status !== 200) continue
      const { conclusion } = body as { readonly conclusion?: string }
      if (conclusion !== undefined) conclusions.set(url, (conclusions.get(url) ?? new Set()).add(conclusion))
    }
    return {
      repositories: repositories.map(toWritten),
      deliveries: github.deliveries.map(({ guid, event, statusCode }) => ({ guid, event, status: statusCode })),
      requests,
      unexpected: github.requests.filter(({ route }) => route === undefined).map(({ method, url }) => `${method} ${url}`),
      changedConclusions: [...conclusions].filter(([, values]) => values.size > 1).map(([url]) => url),
    }
  },
}

export type GitHubCommands = typeof commands

/** GitHub's words for a refusal. Statuses that are not here are incidents. */
const refusals: Readonly<Record<number, string>> = {
  403: 'Resource not accessible by integration',
  404: 'Not Found',
  422: 'Validation Failed',
}

function refuseRoutes({ status, what }: { readonly status: number; readonly what: 'reads' | 'writes' }): void {
  const body = { message: refusals[status] ?? 'Server Error' }
  for (const route of new Set(github.requests.flatMap(({ route = [] }) => route))) {
    if (!route.includes(' /repos/') || route.startsWith('GET ') !== (what === 'reads')) continue
    github.fault({ route, status, body, times: Number.POSITIVE_INFINITY })
  }
}

function commit(repository: FakeRepository, branch: string) {
  counter += 1
  // One of eight has an error, which gives an annotation and a comment.
  const content = toDocument(options.operations, counter)
  const files = { 'openapi.yaml': randomInt(8) === 0 ? content.replace('summary:', 'sumary:') : content }
  return repository.commit({ files, branch, message: `Change ${counter}` })
}

async function sendPush(repository: FakeRepository, push: ReturnType<FakeRepository['commit']>): Promise<SentDelivery> {
  return await send('push', repository.pushPayload(push), repository, push.after)
}

async function send(event: string, payload: object, repository: FakeRepository, sha: string): Promise<SentDelivery> {
  const sentAt = Date.now()
  const { guid, status, durationMs } = await github.deliver(event, payload, { lost: losesDeliveries })
  return { deliveryId: guid, event, repository: repository.fullName, sha, status, sentAt, durationMs }
}

function toWritten(repository: FakeRepository): WrittenRepository {
  const { fullName, checkRuns, comments, commitStatuses, deployments } = repository
  const ours = comments.filter(({ author }) => author === `${github.app.slug}[bot]`)
  const numbers = [...new Set(ours.map(({ issueNumber }) => issueNumber))]
  const statuses = commitStatuses.map(({ sha, context, state }) => `${sha} ${context} ${state}`)
  return {
    fullName,
    tip: repository.tipOf(repository.defaultBranch),
    checkRuns: checkRuns.map(({ externalId, name, headSha, status, conclusion, annotations }) => {
      const places = annotations.map(({ path, start_line: line, message }) => `${path}:${line} ${message}`)
      return { externalId, name, headSha, status, conclusion, repeatedAnnotations: places.length - new Set(places).size }
    }),
    comments: numbers.map((pullNumber) => ({
      pullNumber,
      count: ours.filter(({ issueNumber }) => issueNumber === pullNumber).length,
    })),
    repeatedStatuses: statuses.length - new Set(statuses).size,
    deployments: deployments.map(({ sha, environment }) => ({ sha, environment })),
  }
}

function pick<Value>(values: readonly Value[]): Value {
  const value = values[randomInt(values.length)]
  if (value === undefined) throw new Error('nothing to pick from')
  return value
}

serveCommands(commands, () => undefined)

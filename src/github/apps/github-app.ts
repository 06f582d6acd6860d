import { createAppAuth } from '@octokit/auth-app'
import { stringEntries } from '../../text/json/json-values.ts'
import { callGitHub, nameRepository, unlessNotFound } from '../requests/call-github.ts'
import {
  createOctokit,
  defaultPace,
  fenceRequests,
  type GitHubClient,
  type ObserveRequest,
  observeRequests,
  paceRequests,
  type RepositoryName,
  type RequestPace,
} from '../requests/github-client.ts'
import { type BudgetLeft, type BudgetStates, createMemoryStates, RequestBudget } from '../requests/request-budget.ts'

/** The app's credentials and its GitHub server. */
interface GitHubAppOptions {
  readonly appId: number
  /** PEM, PKCS#1 or PKCS#8. */
  readonly privateKey: string
  /** Default: `https://api.github.com`. `https://<host>/api/v3` for a GitHub Enterprise Server. */
  readonly apiUrl?: string
  readonly pace?: Partial<RequestPace>
  /** Keeps the request budgets. Default: in memory. */
  readonly budgets?: BudgetStates | undefined
  /** Aborts all waits and requests when the process stops. */
  readonly signal?: AbortSignal
  /** Receives Octokit's warnings, for example about a deprecated route. They contain no token. */
  readonly log?: { readonly warn: (message: string) => void }
  /** For logs and traces. */
  readonly observe?: ObserveRequest
}

/**
 * A registered GitHub App. Authenticates with its key and mints installation tokens on demand.
 *
 * Tokens are valid for an hour. They are kept only in memory and renewed when GitHub rejects them.
 */
export class GitHubApp {
  readonly appId: number
  /** Authenticated as the app: for its installations and deliveries. */
  readonly client: GitHubClient
  readonly #options: GitHubAppOptions
  readonly #pace: RequestPace
  readonly #states: BudgetStates
  readonly #budgets = new Map<number, RequestBudget>()
  readonly #clients = new Map<number, GitHubClient>()

  constructor(options: GitHubAppOptions) {
    this.appId = options.appId
    this.#options = options
    this.#pace = { ...defaultPace, ...options.pace }
    this.#states = options.budgets ?? createMemoryStates()
    this.client = this.#createClient(undefined)
  }

  /** The single client of an installation. */
  installation(installationId: number): GitHubClient {
    let client = this.#clients.get(installationId)
    if (!client) {
      client = this.#createClient(installationId)
      this.#clients.set(installationId, client)
    }
    return client
  }

  /** Forgets a removed installation. */
  forget(installationId: number): void {
    this.#clients.delete(installationId)
    this.#budgets.delete(installationId)
  }

  /** The remaining budgets of all installations used since the process started. */
  budgets(): readonly BudgetLeft[] {
    return [...this.#budgets.values()].map((budget) => budget.left())
  }

  #createClient(installationId: number | undefined): GitHubClient {
    const { appId, privateKey, apiUrl, signal, log, observe } = this.#options
    const auth = { appId, privateKey, ...(installationId === undefined ? {} : { installationId }) }
    const client = createOctokit({ authStrategy: createAppAuth, auth }, { apiUrl, warn: (message) => log?.warn(message) })
    if (observe) observeRequests(client, installationId, observe)
    let budget: RequestBudget | undefined
    if (installationId !== undefined) {
      budget = new RequestBudget(installationId, this.#pace, { states: this.#states })
      this.#budgets.set(installationId, budget)
    }
    const renewToken = budget && (() => client.auth({ type: 'installation', refresh: true }))
    paceRequests(client, { budget, pace: this.#pace, signal, renewToken })
    fenceRequests(client)
    return client
  }
}

/**
 * Exchanges the code of a manifest redirect for the credentials of the new app, of which all except the first two are secret. Works once, within
 * an hour.
 *
 * @throws {GitHubError} `not-found` when the code was used or has expired.
 */
export async function convertManifest(code: string, options: { readonly apiUrl?: string } = {}) {
  // Octokit's warnings name failed URLs, which contain the code.
  const client = createOctokit({}, { apiUrl: options.apiUrl, warn: () => undefined })
  const { data } = await callGitHub({ operation: 'create the app from its manifest', on: 'GitHub' }, () =>
    client.rest.apps.createFromManifest({ code, request: { signal: AbortSignal.timeout(30_000) } }),
  )
  return {
    id: data.id,
    htmlUrl: data.html_url,
    clientId: data.client_id,
    clientSecret: data.client_secret,
    webhookSecret: data.webhook_secret ?? '',
    /** PEM. */
    privateKey: data.pem,
  }
}

/** Reads the app's registration, for the checks at the start and the links of the setup page. Also verifies its key. @throws {GitHubError} */
export async function readApp(client: GitHubClient) {
  const { data, headers } = await callGitHub({ operation: 'read the app', on: 'GitHub' }, () =>
    client.rest.apps.getAuthenticated(),
  )
  if (data === null) throw new Error('GitHub returned no app')
  return {
    name: data.name,
    htmlUrl: data.html_url,
    permissions: stringEntries(data.permissions),
    events: data.events,
    /** GitHub's time of the response, ISO 8601; undefined without a `Date` header. */
    answeredAt: headers.date === undefined ? undefined : new Date(headers.date).toISOString(),
  }
}

/** Reads the webhook URL of the app; undefined if it has none. @throws {GitHubError} */
export async function readWebhookUrl(client: GitHubClient): Promise<string | undefined> {
  const { data } = await callGitHub({ operation: 'read webhook settings', on: 'the app' }, () =>
    client.rest.apps.getWebhookConfigForApp(),
  )
  return data.url
}

/** All installations of the app. @throws {GitHubError} */
export async function listInstallations(client: GitHubClient): Promise<readonly InstallationInfo[]> {
  const installations = await callGitHub({ operation: 'list installations', on: 'the app' }, () =>
    client.paginate(client.rest.apps.listInstallations, { per_page: 100 }),
  )
  return installations.map((installation) => toInstallation(installation))
}

/** One installation with its permissions. @throws {GitHubError} */
export async function readInstallation(client: GitHubClient, installationId: number): Promise<InstallationInfo> {
  const { data } = await callGitHub({ operation: 'read installation', on: `\`${installationId}\`` }, () =>
    client.rest.apps.getInstallation({ installation_id: installationId }),
  )
  return toInstallation(data)
}

/** All repositories of an installation. @param client The client of the installation. @throws {GitHubError} */
export async function listInstallationRepositories(client: GitHubClient): Promise<readonly RepositoryInfo[]> {
  const repositories = await callGitHub({ operation: 'list repositories', on: 'the installation' }, () =>
    client.paginate(client.rest.apps.listReposAccessibleToInstallation, { per_page: 100 }),
  )
  return repositories.map(toRepository)
}

/**
 * The installation of the app on a repository; `undefined` if there is none. Needs the client of the app. @throws {GitHubError}
 */
export async function findRepositoryInstallation(
  client: GitHubClient,
  repository: RepositoryName,
): Promise<InstallationInfo | undefined> {
  return await unlessNotFound(async () => {
    const { data } = await callGitHub({ operation: 'read installation', on: nameRepository(repository) }, () =>
      client.rest.apps.getRepoInstallation({ ...repository }),
    )
    return toInstallation(data)
  })
}

/**
 * Finds a repository by its ID, even after a rename; `undefined` when the token cannot see it.
 *
 * An installation token also sees public repositories without the app.
 *
 * @throws {GitHubError}
 */
export async function findRepository(client: GitHubClient, repositoryId: number): Promise<RepositoryInfo | undefined> {
  const operation = { operation: 'read repository', on: `\`${repositoryId}\``, permission: 'metadata: read' }
  return await unlessNotFound(async () => {
    // GitHub redirects renamed repositories to this route.
    const { data } = await callGitHub(operation, () =>
      client.request('GET /repositories/{repository_id}', { repository_id: repositoryId }),
    )
    return toRepository(data as RepositoryResponse) // The same response as of `GET /repos/{owner}/{repo}`.
  })
}

/**
 * Finds a repository by its name; `undefined` when the token cannot see it. After a rename or transfer, the result has the new name.
 *
 * @throws {GitHubError}
 */
export async function findRepositoryByName(
  client: GitHubClient,
  repository: RepositoryName,
): Promise<RepositoryInfo | undefined> {
  const operation = { operation: 'read repository', on: nameRepository(repository), permission: 'metadata: read' }
  return await unlessNotFound(async () => {
    const { data } = await callGitHub(operation, () => client.rest.repos.get({ ...repository }))
    return toRepository(data)
  })
}

/** All branches of a repository with their commits. @throws {GitHubError} */
export async function listBranchTips(client: GitHubClient, repository: RepositoryName): Promise<ReadonlyMap<string, string>> {
  const operation = { operation: 'list branches', on: nameRepository(repository), permission: 'contents: read' }
  const branches = await callGitHub(operation, () =>
    client.paginate(client.rest.repos.listBranches, { ...repository, per_page: 100 }),
  )
  return new Map(branches.map(({ name, commit }) => [name, commit.sha]))
}

type RepositoryResponse = Pick<
  Awaited<ReturnType<GitHubClient['rest']['apps']['listReposAccessibleToInstallation']>>['data']['repositories'][number],
  'id' | 'owner' | 'name' | 'private' | 'default_branch' | 'pushed_at'
>

/** A repository that an installation can see. */
export type RepositoryInfo = Readonly<ReturnType<typeof toRepository>>

function toRepository(data: RepositoryResponse) {
  return {
    id: data.id,
    owner: data.owner.login,
    repo: data.name,
    private: data.private,
    defaultBranch: data.default_branch,
    /** The newest push to any branch, ISO 8601; `''` if there is none. */
    pushedAt: data.pushed_at ?? '',
  }
}

type InstallationResponse = Awaited<ReturnType<GitHubClient['rest']['apps']['getInstallation']>>['data']

/** One account that the app is installed on, by its login. */
export type InstallationInfo = Readonly<ReturnType<typeof toInstallation>>

function toInstallation(data: InstallationResponse) {
  const { account } = data
  const name = account === null ? '' : 'login' in account ? account.login : account.slug
  return { id: data.id, account: name, permissions: stringEntries(data.permissions), isSuspended: data.suspended_at !== null }
}

/**
 * The deliveries since a time, successful or not, newest first, in pages of 100. GitHub keeps deliveries for a few days (see `toGitHubServer`) and
 * never retries one by itself.
 *
 * @param client The client of the app itself.
 * @param since ISO 8601, UTC.
 * @throws {GitHubError}
 */
export async function* listDeliveries(client: GitHubClient, since: string): AsyncGenerator<readonly Delivery[]> {
  for (let cursor: string | undefined; ; ) {
    const { data, headers } = await callGitHub({ operation: 'list webhook deliveries', on: 'the app' }, () =>
      client.rest.apps.listWebhookDeliveries({ per_page: 100, ...(cursor === undefined ? {} : { cursor }) }),
    )
    const recent = data.map(toDelivery).filter(({ deliveredAt }) => Date.parse(deliveredAt) >= Date.parse(since))
    yield recent
    const link = headers.link?.split(',').find((part) => part.includes('rel="next"')) ?? ''
    const address = link.slice(link.indexOf('<') + 1, Math.max(0, link.indexOf('>')))
    cursor = (address === '' ? undefined : new URL(address).searchParams.get('cursor')) ?? undefined
    if (cursor === undefined || recent.length < data.length || data.length === 0) return
  }
}

/** Lists the deliveries since a time without a successful attempt, oldest first, one entry per delivery ID. As `listDeliveries`. */
export async function listFailedDeliveries(client: GitHubClient, since: string): Promise<readonly Delivery[]> {
  const recent: Delivery[] = []
  for await (const deliveries of listDeliveries(client, since)) recent.push(...deliveries)
  const isDone = (statusCode: number) => statusCode >= 200 && statusCode < 400
  const arrived = new Set(recent.filter(({ statusCode }) => isDone(statusCode)).map(({ deliveryId }) => deliveryId))
  const failed = new Map<string, Delivery>()
  for (const delivery of recent) {
    if (!arrived.has(delivery.deliveryId) && !failed.has(delivery.deliveryId)) failed.set(delivery.deliveryId, delivery)
  }
  return [...failed.values()].reverse()
}

/** Requests that GitHub sends a delivery again, under the same `X-GitHub-Delivery`. @throws {GitHubError} */
export async function redeliver(client: GitHubClient, delivery: Delivery): Promise<void> {
  const operation = { operation: 'redeliver webhook', on: `\`${delivery.event}\` \`${delivery.deliveryId}\`` }
  await callGitHub(operation, () => client.rest.apps.redeliverWebhookDelivery({ delivery_id: delivery.id }))
}

type DeliveryResponse = Awaited<ReturnType<GitHubClient['rest']['apps']['listWebhookDeliveries']>>['data'][number]

/** A webhook delivery, or an attempt at one. */
export type Delivery = Readonly<ReturnType<typeof toDelivery>>

function toDelivery(data: DeliveryResponse) {
  return {
    /** GitHub's ID, for `redeliver`. */
    id: data.id,
    /** `X-GitHub-Delivery`; the same for every attempt. */
    deliveryId: data.guid,
    event: data.event,
    action: data.action ?? undefined,
    deliveredAt: data.delivered_at,
    /** The receiver's status; 502 or 504 when it was unreachable. */
    statusCode: data.status_code,
  }
}

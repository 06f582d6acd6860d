import { createAppAuth } from '@octokit/auth-app'
import { Octokit } from '@octokit/rest'
import { callGitHub } from '../requests/call-github.ts'
import { createOctokit } from '../requests/github-client.ts'
import { type ObserveRequest, observeRequests } from '../requests/observe-requests.ts'
import { type BudgetLeft, type BudgetStates, createMemoryStates, RequestBudget } from '../requests/request-budget.ts'
import { fenceRequests } from '../requests/request-fence.ts'
import { defaultPace, paceRequests, type RequestPace } from '../requests/request-pace.ts'
import type { GitHubClient } from '../requests/types.ts'

/** The credentials of an app that was just created from a manifest. All except the first two are secret. */
export interface NewApp {
  readonly id: number
  readonly slug: string
  readonly htmlUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly webhookSecret: string
  /** PEM. */
  readonly privateKey: string
}

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
 * Exchanges the code of a manifest redirect for the credentials of the new app. Works once, within an hour.
 *
 * @throws {GitHubError} `not-found` when the code was used or has expired.
 */
export async function convertManifest(code: string, options: { readonly apiUrl?: string } = {}): Promise<NewApp> {
  const quiet = () => undefined
  const client = new Octokit({
    userAgent: 'openapi-pages',
    // Octokit logs failed URLs, which contain the code.
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    ...(options.apiUrl === undefined ? {} : { baseUrl: options.apiUrl.replace(/\/$/, '') }),
  })
  const { data } = await callGitHub({ operation: 'create the app from its manifest', on: 'GitHub' }, () =>
    client.rest.apps.createFromManifest({ code, request: { signal: AbortSignal.timeout(30_000) } }),
  )
  return {
    id: data.id,
    slug: data.slug ?? '',
    htmlUrl: data.html_url,
    clientId: data.client_id,
    clientSecret: data.client_secret,
    webhookSecret: data.webhook_secret ?? '',
    privateKey: data.pem,
  }
}

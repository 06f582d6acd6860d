import { createAppAuth } from '@octokit/auth-app'
import { Octokit } from '@octokit/rest'
import { callGitHub } from './call-github.ts'
import { createOctokit } from './github-client.ts'
import { type BudgetLeft, defaultPace, paceRequests, RequestBudget, type RequestPace } from './request-pace.ts'
import type { GitHubClient } from './types.ts'

/** The keys of an app that a person has just created with one click. Secret, all but the first two. */
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

/** Who the app is and where its GitHub is. */
interface GitHubAppOptions {
  readonly appId: number
  /** PEM, PKCS#1 or PKCS#8. */
  readonly privateKey: string
  /** `https://api.github.com` unless named; `https://<host>/api/v3` for a GitHub Enterprise Server. */
  readonly apiUrl?: string
  readonly pace?: Partial<RequestPace>
  /** Ends every wait and every request when the process stops. */
  readonly signal?: AbortSignal
  /** Told what Octokit finds worth a word, such as a deprecated route. Never a token. */
  readonly log?: { readonly warn: (message: string) => void }
}

/**
 * A registered GitHub App: signs itself in with its key and mints the token of an installation when a request needs one.
 *
 * Tokens live an hour at GitHub; they are kept in memory only, and minted anew when GitHub no longer takes them.
 */
export class GitHubApp {
  readonly appId: number
  /** Asks as the app itself: its installations, its deliveries. */
  readonly client: GitHubClient
  readonly #options: GitHubAppOptions
  readonly #pace: RequestPace
  readonly #budgets = new Map<number, RequestBudget>()
  readonly #clients = new Map<number, GitHubClient>()

  constructor(options: GitHubAppOptions) {
    this.appId = options.appId
    this.#options = options
    this.#pace = { ...defaultPace, ...options.pace }
    this.client = this.#createClient(undefined)
  }

  /** Asks as an installation. All clients of an installation share one budget, and there is one client of each. */
  installation(installationId: number): GitHubClient {
    let client = this.#clients.get(installationId)
    if (!client) {
      client = this.#createClient(installationId)
      this.#clients.set(installationId, client)
    }
    return client
  }

  /** Drops what is kept of an installation that is gone. */
  forget(installationId: number): void {
    this.#clients.delete(installationId)
    this.#budgets.delete(installationId)
  }

  /** What is left for every installation that was asked since the start. */
  budgets(): readonly BudgetLeft[] {
    return [...this.#budgets.values()].map((budget) => budget.left())
  }

  #createClient(installationId: number | undefined): GitHubClient {
    const { appId, privateKey, apiUrl, signal, log } = this.#options
    const auth = { appId, privateKey, ...(installationId === undefined ? {} : { installationId }) }
    const client = createOctokit({ authStrategy: createAppAuth, auth }, { apiUrl, warn: (message) => log?.warn(message) })
    let budget: RequestBudget | undefined
    if (installationId !== undefined) {
      budget = new RequestBudget(installationId, this.#pace)
      this.#budgets.set(installationId, budget)
    }
    const renewToken = budget && (() => client.auth({ type: 'installation', refresh: true }))
    paceRequests(client, { budget, pace: this.#pace, signal, renewToken })
    return client
  }
}

/**
 * Exchanges the code that GitHub sends the browser back with for the keys of the new app. It can be done once, within an hour.
 *
 * @throws {GitHubError} `not-found` where the code was used or is too old.
 */
export async function convertManifest(code: string, options: { readonly apiUrl?: string } = {}): Promise<NewApp> {
  const quiet = () => undefined
  const client = new Octokit({
    userAgent: 'openapi-pages',
    // Octokit logs the address of what failed, and the code is in it.
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    ...(options.apiUrl === undefined ? {} : { baseUrl: options.apiUrl.replace(/\/$/, '') }),
  })
  const { data } = await callGitHub({ operation: 'create app from manifest', on: 'GitHub' }, () =>
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

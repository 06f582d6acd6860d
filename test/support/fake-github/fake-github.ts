import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp, type FakeApp } from './app-identity.ts'
import { Archives } from './archives.ts'
import { deliverWebhook } from './deliver.ts'
import type { FakeInstallation } from './fake-installation.ts'
import { FakeRepository } from './fake-repository.ts'
import { OidcIssuer } from './oidc.ts'
import type { PendingManifest } from './route.ts'
import { serveRequest } from './serve-request.ts'
import type {
  DeliverOptions,
  DeliveryResult,
  FakeChange,
  FakeGitHubOptions,
  InjectedFailure,
  LoggedRequest,
  OidcOptions,
  Permissions,
  RecordedDelivery,
} from './types.ts'
import type { FakeAuthorization, FakeUserToken } from './user-routes.ts'

/** Starts a fake GitHub on a free port of this machine. Close it when the test ends. */
export async function startFakeGitHub(options: FakeGitHubOptions = {}): Promise<FakeGitHub> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // A listening server has one.
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const github = new FakeGitHub({ url: `http://127.0.0.1:${port}`, archives: await Archives.start(), close }, options)
  server.on('request', (request, response) => {
    serveRequest(github, request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    )
  })
  return github
}

/** Where a fake is served. */
interface FakeHost {
  readonly url: string
  readonly archives: Pick<Archives, 'link' | 'refused' | 'cutAfterBytes' | 'close'>
  close(): Promise<void>
}

let lastId = 1_000

/**
 * GitHub as an app sees it: real HTTP, real signatures, persistent state.
 *
 * Serves the routes that the app calls, below `/` and, like a GitHub Enterprise Server, below `/api/v3`. Responds to everything
 * else with 404 and records it. Call `assertNoUnexpectedRequests` at the end of each test.
 */
export class FakeGitHub {
  readonly url: string
  readonly app: FakeApp
  readonly oidc: OidcIssuer
  /** The web URL for people. Nothing is served there. */
  readonly webUrl = 'https://github.test'
  readonly startedAt: string
  readonly installations: FakeInstallation[] = []
  readonly requests: LoggedRequest[] = []
  /** The requests of git in order: one per clone, fetch or push. */
  readonly gitRequests: ('fetch' | 'push')[] = []
  readonly deliveries: RecordedDelivery[] = []
  readonly faults: (InjectedFailure & { left: number; skip: number })[] = []
  readonly tokens = new Map<string, { installation: FakeInstallation; expiresAt: number }>()
  /** The user who signs in and consents; `undefined` for one who declines. */
  signedInAs: string | undefined = 'octocat'
  /** The teams of each account, such as `Acme/docs`. */
  readonly teamsOf = new Map<string, readonly string[]>()
  /** Whether the app has the permission `members: read`. */
  showsTeams = true
  readonly authorizations = new Map<string, FakeAuthorization>()
  readonly userTokens = new Map<string, FakeUserToken>()
  /** On GitHub, eight hours. */
  userTokenLifeMs = 8 * 3_600_000
  readonly archives: FakeHost['archives']
  /** Whether requests of the app need a signature. */
  readonly verifiesKeys: boolean = true
  readonly tokenLifeMs: number
  readonly rateLimit: number
  readonly latencyMs: number
  webhookUrl: string
  readonly #close: FakeHost['close']
  readonly #repositories: FakeRepository[] = []
  readonly #accounts = new Map<string, { id: number; type: 'User' | 'Organization' | 'Bot' }>()
  readonly #manifests = new Map<string, PendingManifest>()
  readonly #redeliveries = new Set<Promise<unknown>>()
  #lastDate: number

  constructor({ url, archives, close }: FakeHost, options: FakeGitHubOptions) {
    this.#close = close
    this.archives = archives
    this.url = url
    this.#lastDate = Date.now() - 86_400_000
    this.startedAt = this.nextDate()
    this.webhookUrl = options.webhookUrl ?? ''
    this.tokenLifeMs = options.tokenLifeMs ?? 3_600_000
    this.rateLimit = options.rateLimit ?? 5_000
    this.latencyMs = options.latencyMs ?? 0
    this.app = createApp({
      id: this.nextId(),
      name: 'OpenAPI Pages',
      ...(options.webhookSecret === undefined ? {} : { webhookSecret: options.webhookSecret }),
      ...(options.hasOwnKey === undefined ? {} : { hasOwnKey: options.hasOwnKey }),
      ...(options.permissions === undefined ? {} : { permissions: options.permissions }),
      ...(options.events === undefined ? {} : { events: options.events }),
    })
    this.oidc = new OidcIssuer(`${this.url}/oidc`)
  }

  /** Unique among all fakes of the process, so that no library cache confuses two of them. */
  nextId(): number {
    lastId += 1
    return lastId
  }

  /** The next second of the fake's own clock: no two events have the same time. */
  nextDate(): string {
    this.#lastDate += 1_000
    return new Date(this.#lastDate).toISOString().replace(/\.\d+Z$/, 'Z')
  }

  /** The account of a login, created if it is new. */
  account(login: string): { id: number; type: 'User' | 'Organization' | 'Bot' } {
    let account = this.#accounts.get(login)
    if (!account) {
      account = { id: this.nextId(), type: login.endsWith('[bot]') ? 'Bot' : 'User' }
      this.#accounts.set(login, account)
    }
    return account
  }

  hasAccount(login: string): boolean {
    return this.#accounts.has(login)
  }

  /** Installs the app on an account. */
  createInstallation(account = 'acme', permissions: Permissions = this.app.permissions): FakeInstallation {
    if (!this.hasAccount(account)) this.#accounts.set(account, { id: this.nextId(), type: 'Organization' })
    const installation: FakeInstallation = {
      id: this.nextId(),
      account,
      permissions,
      suspended: false,
      deleted: false,
      repositories: [],
      used: 0,
      resetAt: Date.now() + 3_600_000,
    }
    this.installations.push(installation)
    return installation
  }

  findInstallation(id: number): FakeInstallation | undefined {
    return this.installations.find((installation) => installation.id === id && !installation.deleted)
  }

  /**
   * Creates a repository with a first commit. It belongs to the installation of its owner, which is created if necessary.
   * `installed: false` keeps it out of every installation.
   */
  createRepository(
    fullName = 'acme/api',
    options: {
      files?: FakeChange['files']
      private?: boolean
      defaultBranch?: string
      installed?: boolean
      forkOf?: FakeRepository
      /** The path of an existing bare repository with the commits. */
      bare?: string
    } = {},
  ): FakeRepository {
    const [owner = '', name = ''] = fullName.split('/')
    const installation =
      options.installed === false
        ? undefined
        : (this.installations.find(({ account, deleted }) => account === owner && !deleted) ?? this.createInstallation(owner))
    const repository = new FakeRepository(this, {
      id: this.nextId(),
      owner,
      name,
      private: options.private ?? false,
      defaultBranch: options.defaultBranch ?? 'main',
      installation,
      ...(options.forkOf ? { forkOf: options.forkOf } : {}),
      ...(options.bare === undefined ? {} : { bare: options.bare }),
    })
    this.#repositories.push(repository)
    installation?.repositories.push(repository)
    if (options.forkOf) repository.moveBranch(repository.defaultBranch, options.forkOf.tipOf(options.forkOf.defaultBranch))
    else if (options.bare === undefined)
      repository.commit({ files: options.files ?? { 'README.md': `# ${name}\n` }, message: 'Start' })
    return repository
  }

  /** A job token in Actions, like `github.token`: it acts as `github-actions[bot]` in one repository. */
  createJobToken(repository: FakeRepository, permissions: Permissions, actor = 'github-actions[bot]'): string {
    const token = `ghs_${randomBytes(18).toString('hex')}`
    const installation: FakeInstallation = {
      id: this.nextId(),
      account: repository.owner,
      permissions: { metadata: 'read', ...permissions },
      actor,
      suspended: false,
      deleted: false,
      repositories: [repository],
      used: 0,
      resetAt: Date.now() + 3_600_000,
    }
    this.tokens.set(token, { installation, expiresAt: Date.now() + this.tokenLifeMs })
    return token
  }

  findRepository(fullName: string): FakeRepository | undefined {
    return this.#repositories.find((repository) => repository.fullName.toLowerCase() === fullName.toLowerCase())
  }

  findRepositoryById(id: number): FakeRepository | undefined {
    return this.#repositories.find((repository) => repository.id === id)
  }

  repository(fullName: string): FakeRepository {
    const repository = this.findRepository(fullName)
    if (!repository) throw new Error(`The fake GitHub has no repository ${fullName}`)
    return repository
  }

  /** Removes a repository from its installation, or deletes it. */
  removeRepository(repository: FakeRepository): void {
    const list = repository.installation?.repositories
    list?.splice(list.indexOf(repository), 1)
    this.#repositories.splice(this.#repositories.indexOf(repository), 1)
  }

  /** Injects a failure into the next requests of a route. */
  fault(fault: InjectedFailure): void {
    this.faults.push({ ...fault, left: fault.times ?? 1, skip: fault.after ?? 0 })
  }

  /** All requests of a route, in order. */
  requestsTo(route: string): LoggedRequest[] {
    return this.requests.filter((request) => request.route === route)
  }

  /** Signs a webhook, posts it to `webhookUrl`, waits for the response, and records the delivery. Never throws. */
  deliver(event: string, payload: object, options: DeliverOptions = {}): Promise<DeliveryResult> {
    return deliverWebhook(this, event, payload, { ...options, redelivery: false })
  }

  /** Redelivers under the same ID. `settled` waits for the response. */
  redeliver(delivery: RecordedDelivery): void {
    const { event, payload, guid } = delivery
    const sending = deliverWebhook(this, event, payload, { guid, redelivery: true })
    this.#redeliveries.add(sending)
    sending.finally(() => this.#redeliveries.delete(sending))
  }

  /** Resolves once every requested redelivery has its response. */
  async settled(): Promise<void> {
    while (this.#redeliveries.size > 0) await Promise.all(this.#redeliveries)
  }

  /** A workflow's OIDC token for a job of this repository at this commit. */
  signOidcToken(repository: FakeRepository, sha: string, options: OidcOptions = {}): Promise<string> {
    return this.oidc.sign(repository, sha, options)
  }

  /** The code that the browser gets after a person has confirmed a manifest. It works once. */
  confirmManifest(manifest: { name?: string; hook_attributes?: { url?: string }; default_permissions?: Permissions }): string {
    const code = randomUUID().replaceAll('-', '')
    const app = createApp({
      id: this.nextId(),
      name: manifest.name ?? 'OpenAPI Pages',
      ...(manifest.default_permissions === undefined ? {} : { permissions: manifest.default_permissions }),
    })
    this.#manifests.set(code, { app, hookUrl: manifest.hook_attributes?.url ?? '' })
    return code
  }

  /** The app of a code. Its key and webhook secret are valid from then on. */
  takeManifest(code: string): FakeApp | undefined {
    const pending = this.#manifests.get(code)
    this.#manifests.delete(code)
    if (pending) {
      this.registeredApps.push(pending.app)
      if (pending.hookUrl) this.webhookUrl = pending.hookUrl
    }
    return pending?.app
  }

  /** Apps created from manifests. */
  readonly registeredApps: FakeApp[] = []

  /** @throws {Error} after a request that the fake does not know, or a token sent to the wrong host. */
  assertNoUnexpectedRequests(): void {
    const unknown = this.requests.filter(({ route }) => route === undefined).map(({ method, url }) => `${method} ${url}`)
    const all = [...unknown, ...this.archives.refused]
    if (all.length > 0) throw new Error(`Unexpected requests to the fake GitHub:\n  ${all.join('\n  ')}`)
  }

  async close(): Promise<void> {
    await this.settled()
    this.archives.close()
    await this.#close()
  }
}

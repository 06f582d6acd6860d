import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type PublicNetwork, publicNetwork } from '../../files/network.ts'
import { GitHubApp } from '../../github/apps/github-app.ts'
import type { RequestPace } from '../../github/requests/github-client.ts'
import { createLeadership } from '../../store/database/holds.ts'
import { BucketError } from '../../store/sites/stored-sites.ts'
import type { Store } from '../../store/store.ts'
import type { AppContext, AppPart, GitHubConnection } from '../base/app-context.ts'
import { type AppConfig, type Credentials, prepareDataDir } from '../base/config/app-config.ts'
import { openKeyFiles, openStoredKeys, type ServerKeys } from '../base/config/server-keys.ts'
import { openStore } from '../base/open-store.ts'
import { findSitesPlace } from '../base/sites-domain.ts'
import { logFailures } from '../base/telemetry/create-log.ts'
import { createGitHubObserver, createMetrics, observeErrors } from '../base/telemetry/metrics.ts'
import { withOrigin } from '../base/telemetry/work-scope.ts'
import { createReconcilePart } from '../github-events/reconcile/reconcile.ts'
import { createWebhooksPart } from '../github-events/webhooks/webhooks-part.ts'
import { StatusWaiters } from '../http/waiting.ts'
import { createWorkflowIdentity } from '../http/workflow-identity.ts'
import { createRunPart } from '../jobs/run-part.ts'
import { createSetup, removeSetupUrl } from '../screens/setup/create-setup.ts'
import { createDomainChecksPart, createDomainResolver, type DomainResolver } from '../sites/custom-domains.ts'
import { createServer, type ServerTools } from './server.ts'

/** A worker waits at most this long for the rate limit of an installation. For longer waits, its job returns to the queue. */
const longestWaitMs = 15_000

interface StartOptions {
  readonly config: AppConfig
  readonly log: Logger
  readonly parts?: readonly MakePart[]
  readonly now?: () => Date
  /** Limits on requests to GitHub. The defaults follow GitHub's documentation. */
  readonly pace?: Partial<RequestPace>
  /** The first wait after a failed attempt of a job. */
  readonly backOffMs?: number
  /** Default: the DNS servers of the system. */
  readonly resolver?: DomainResolver
  /** Default: the public internet. */
  readonly network?: PublicNetwork
}

type MakePart = (context: AppContext, tools: ServerTools) => AppPart

export interface RunningApp {
  readonly context: AppContext
  readonly tools: ServerTools
  /** The URL that it listens on: `http://127.0.0.1:3000`. */
  readonly address: string
  /** The URL of the setup page with its key; `undefined` if a GitHub App is set up. */
  readonly setupUrl: string | undefined
  /** Stops accepting work and requests, finishes running ones, and closes the store. A second call waits for the first. */
  stop(): Promise<void>
}

/**
 * Opens the store, builds the server with its parts, and listens.
 *
 * @throws {StoreError | FilesError} if the store is unusable; a system error if the data directory is, or if the server cannot listen.
 */
export async function startApp({ parts = [], now = () => new Date(), ...options }: StartOptions): Promise<RunningApp> {
  const { config, log, backOffMs } = options
  prepareDataDir(config.dataDir)
  const fileKeys = config.databaseUrl === undefined ? openKeyFiles(config) : undefined
  const store = withOrigin(await openStore(config, { now: () => now().getTime(), backOffMs }))
  try {
    await checkSitesPlace(store, log)
    const keys = fileKeys ?? (await openStoredKeys(config, store))
    return await listen({ ...options, parts, now, keys, store })
  } catch (error) {
    await store.close()
    throw error
  }
}

/**
 * Checks that files of sites can be stored. A bucket that may be reachable later does not stop the app.
 *
 * @throws {StoreError}
 */
async function checkSitesPlace({ sites }: Store, log: Logger): Promise<void> {
  try {
    await sites.checkPlace()
  } catch (error) {
    if (!(error instanceof BucketError && error.isTemporary)) throw error
    log.error(
      { err: error, fix: error.hint },
      'Cannot use the bucket of the sites. Sites and updates will fail until it is reachable',
    )
  }
}

interface ListenOptions extends StartOptions {
  readonly parts: readonly MakePart[]
  readonly now: () => Date
  readonly keys: ServerKeys
  readonly store: Store
}

async function listen({
  config,
  log,
  now,
  keys,
  store: opened,
  parts: makeParts,
  ...options
}: ListenOptions): Promise<RunningApp> {
  const { pace = {}, resolver = createDomainResolver(), network = publicNetwork } = options
  const known = await keys.readCredentials()
  const github: GitHubConnection = { credentials: known, app: undefined }
  const budgets = () => github.app?.budgets() ?? []
  const metrics = createMetrics({ store: opened, config, now, waiting: () => waiters.size, budgets })
  const store = observeErrors(opened, metrics.countStoreError)
  const waiters = new StatusWaiters(store.statuses)
  let port = config.port
  const base = () => config.baseUrl ?? `http://localhost:${port}`
  const sites = () => findSitesPlace(config.sitesDomain, base(), port)
  const context: AppContext = { config, store, log, now, github, urls: { linkKey: keys.linkKey, base, sites } }
  const workflows = createWorkflowIdentity({
    githubUrl: config.githubUrl,
    issuer: config.githubOidcIssuer,
    audiences: () => [base()],
  })
  let stopped: Promise<void> | undefined
  const health = { problems: [], isStopping: () => stopped !== undefined }
  const tools: ServerTools = { metrics, waiters, workflows, health, pace, resolver, network }
  const parts = makeParts.map((make) => make(context, tools))
  const stopping = new AbortController()
  const { connect, stopLeading } = createConnect(context, tools, parts, stopping.signal)
  const servesHttp = config.role !== 'worker'
  const setup = known || !servesHttp ? undefined : createSetup(context, keys, connect)
  const routes = servesHttp ? [...parts.flatMap((part) => part.routes ?? []), ...(setup ? [setup.routes] : [])] : []
  const server = await createServer(context, tools, { routes })
  if (servesHttp) for (const part of parts) await part.prepare?.()
  await server.listen({ host: config.host, port: config.port })
  const bound = server.server.address()
  if (bound !== null && typeof bound === 'object') port = bound.port
  if (known) await connect(known)
  const waiting = known || config.databaseUrl === undefined ? undefined : waitForCredentials(context, keys, connect)
  return {
    context,
    tools,
    address: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    setupUrl: setup?.url(),
    stop: () => {
      stopped ??= (async () => {
        // Parts stop claiming work immediately. Running work ends while connections close.
        clearInterval(waiting)
        const partsStopped = Promise.all([stopLeading(), ...parts.map((part) => part.stop?.())])
        await sleep(config.stopDelaySeconds * 1_000)
        await Promise.all([server.close(), partsStopped])
        stopping.abort()
        await store.close()
      })()
      return stopped
    },
  }
}

type Connect = (credentials: Credentials) => Promise<void>

/** Prepares the work of the parts, which begins once a GitHub App is set up. */
function createConnect(
  { config, store, log, github }: AppContext,
  { metrics, pace }: ServerTools,
  parts: readonly AppPart[],
  signal: AbortSignal,
): { readonly connect: Connect; readonly stopLeading: () => Promise<void> } {
  const works = config.role !== 'web'
  const waits = logFailures(log, 'wait for the lock of the scheduled work')
  const leadership = works ? createLeadership({ locks: store.locks, onProblem: waits.failed }) : undefined
  const lead = async (ended: AbortSignal) => {
    waits.succeeded()
    if (config.databaseUrl !== undefined) log.info('This process runs the scheduled work')
    await Promise.all(parts.map((part) => part.lead?.(ended)))
  }
  const connect = async (credentials: Credentials) => {
    if (github.app) return
    github.credentials = credentials
    const { appId, privateKey } = credentials
    github.app = new GitHubApp({
      appId,
      privateKey,
      apiUrl: config.githubApiUrl,
      pace: { longestWaitMs, longestPauseMs: 1_000, ...pace },
      budgets: store.limits?.budgets,
      signal,
      log,
      observe: createGitHubObserver(log, metrics.githubSeconds),
    })
    for (const part of parts) {
      if (config.role !== 'worker') await part.serve?.(credentials)
      if (works) await part.work?.()
    }
    leadership?.start(lead)
  }
  // The signal of the GitHub client aborts a running request of the leader.
  return { connect, stopLeading: () => Promise.race([leadership?.stop(), sleep(2_000, undefined, { ref: false })]) }
}

/** How often a process looks whether another one has set up the GitHub App. */
const lookEveryMs = 2_000

/** Connects this process after another one has set up the GitHub App. */
function waitForCredentials({ config, github, log }: AppContext, keys: ServerKeys, connect: Connect): NodeJS.Timeout {
  const looks = logFailures(log, 'look for the credentials of the GitHub App')
  const look = async () => {
    const credentials = github.app ? github.credentials : await keys.readCredentials()
    looks.succeeded()
    if (!credentials) return
    clearInterval(timer)
    if (github.app) return
    await connect(credentials)
    removeSetupUrl(config.dataDir)
    log.info({ appId: credentials.appId }, 'Another process set up the GitHub App')
  }
  const timer = setInterval(() => {
    look().catch(looks.failed)
  }, lookEveryMs)
  return timer
}

/** The background parts of the app: webhooks, reconciliation with GitHub, workers, and checks of custom domains. */
export const appParts: readonly MakePart[] = [
  createWebhooksPart(),
  createReconcilePart(),
  createRunPart(),
  createDomainChecksPart(),
]

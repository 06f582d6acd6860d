import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type PublicNetwork, publicNetwork } from '../../files/network.ts'
import { GitHubApp } from '../../github/apps/github-app.ts'
import type { RequestPace } from '../../github/requests/github-client.ts'
import { createLeadership } from '../../store/database/holds.ts'
import { BucketError } from '../../store/sites/stored-sites.ts'
import type { Store } from '../../store/store.ts'
import { type AppContext, type AppPart, createWorkLocks, type GitHubConnection } from '../base/app-context.ts'
import type { AppConfig, Credentials } from '../base/config/app-config.ts'
import { openKeyFiles, openStoredKeys, type ServerKeys } from '../base/config/server-keys.ts'
import { logFailures } from '../base/log-failures.ts'
import { openStore } from '../base/open-store.ts'
import { findSitesPlace } from '../base/sites-domain.ts'
import { createMetrics } from '../base/telemetry/metrics.ts'
import { createGitHubObserver, observeErrors } from '../base/telemetry/process-metrics.ts'
import { withOrigin } from '../base/telemetry/work-scope.ts'
import { createReconcilePart } from '../github-events/reconcile/reconcile-part.ts'
import { createWebhooksPart } from '../github-events/webhooks/webhooks-part.ts'
import { StatusWaiters } from '../http/waiting.ts'
import { createWorkflowIdentity } from '../http/workflow-identity.ts'
import { createRunPart } from '../jobs/run-part.ts'
import { createSetup, removeSetupUrl } from '../screens/setup/create-setup.ts'
import { createDomainResolver, type DomainResolver } from '../sites/custom-domains.ts'
import { createDomainChecksPart } from '../sites/domain-checks.ts'
import { createServer } from './server.ts'

/** A worker waits at most this long for the rate limit of an installation. For longer waits, its job returns to the queue. */
const longestWaitMs = 15_000

interface StartOptions {
  readonly config: AppConfig
  readonly log: Logger
  readonly parts?: readonly ((context: AppContext) => AppPart)[]
  readonly now?: () => Date
  /** Limits on requests to GitHub. The defaults follow GitHub's documentation. */
  readonly pace?: Partial<RequestPace>
  /** Default: the DNS servers of the system. */
  readonly resolver?: DomainResolver
  /** Default: the public internet. */
  readonly network?: PublicNetwork
}

export interface RunningApp {
  readonly context: AppContext
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
 * @throws {StoreError | FilesError} if the store or the data directory is unusable; a system error if the server cannot listen.
 */
export async function startApp({
  config,
  log,
  parts: makeParts = [],
  now = () => new Date(),
  pace = {},
  resolver = createDomainResolver(),
  network = publicNetwork,
}: StartOptions): Promise<RunningApp> {
  const fileKeys = config.databaseUrl === undefined ? openKeyFiles(config) : undefined
  const store = withOrigin(await openStore(config, () => now().getTime()))
  try {
    await checkSitesPlace(store, log)
    const keys = fileKeys ?? (await openStoredKeys(config, store))
    return await listen({ config, log, makeParts, now, pace, resolver, network, keys, store })
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

interface ListenOptions {
  readonly config: AppConfig
  readonly log: Logger
  readonly makeParts: readonly ((context: AppContext) => AppPart)[]
  readonly now: () => Date
  readonly pace: Partial<RequestPace>
  readonly resolver: DomainResolver
  readonly network: PublicNetwork
  readonly keys: ServerKeys
  readonly store: Store
}

async function listen(options: ListenOptions): Promise<RunningApp> {
  const { config, log, keys } = options
  const stopping = new AbortController()
  let stopped: Promise<void> | undefined
  let port = config.port
  const credentials = await keys.readCredentials()
  const context = createContext(options, { credentials, isStopping: () => stopped !== undefined, port: () => port })
  const { store, github } = context
  const parts = options.makeParts.map((make) => make(context))
  const servesHttp = config.role !== 'worker'
  const works = config.role !== 'web'
  const leadership = works
    ? createLeadership({
        locks: store.locks,
        onProblem: (error) => log.warn({ err: error }, 'Cannot wait for the lock of the scheduled work'),
      })
    : undefined
  const lead = async (signal: AbortSignal) => {
    if (config.databaseUrl !== undefined) log.info('This process runs the scheduled work')
    await Promise.all(parts.map((part) => part.lead?.(signal)))
  }
  const connect = async (found: Credentials) => {
    if (github.app) return
    github.credentials = found
    github.app = createApp(context, found, stopping.signal)
    for (const part of parts) {
      if (servesHttp) await part.serve?.(found)
      if (works) await part.work?.()
    }
    leadership?.start(lead)
  }
  const setup = credentials || !servesHttp ? undefined : createSetup(context, keys, connect)
  const routes = servesHttp ? [...parts.flatMap((part) => part.routes ?? []), ...(setup ? [setup.routes] : [])] : []
  const server = await createServer(context, { routes })
  if (servesHttp) for (const part of parts) await part.prepare?.()
  await server.listen({ host: config.host, port: config.port })
  const bound = server.server.address()
  if (bound !== null && typeof bound === 'object') port = bound.port
  if (credentials) await connect(credentials)
  const waiting = credentials || config.databaseUrl === undefined ? undefined : waitForCredentials(context, keys, connect)
  const stop = async () => {
    // Parts stop claiming work immediately. Running work ends while connections close.
    clearInterval(waiting)
    // The signal of the GitHub client aborts a running request of the leader.
    const leadershipStopped = Promise.race([leadership?.stop(), sleep(2_000, undefined, { ref: false })])
    const partsStopped = Promise.all([leadershipStopped, ...parts.map((part) => part.stop?.())])
    await sleep(config.stopDelaySeconds * 1_000)
    await Promise.all([server.close(), partsStopped])
    stopping.abort()
    await store.close()
  }
  return {
    context,
    address: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    setupUrl: setup?.url(),
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

/** What changes while the app runs. */
interface AppState {
  readonly credentials: Credentials | undefined
  readonly isStopping: () => boolean
  /** The port that the server listens on, once it does. */
  readonly port: () => number
}

function createContext(
  { config, log, now, pace, resolver, network, keys, store: opened }: ListenOptions,
  { credentials, isStopping, port }: AppState,
): AppContext {
  const github: GitHubConnection = { credentials, app: undefined }
  const budgets = () => github.app?.budgets() ?? []
  const metrics = createMetrics({ store: opened, config, now, waiting: () => waiters.size, budgets })
  const store = observeErrors(opened, metrics.countStoreError)
  const waiters = new StatusWaiters(store.statuses)
  const baseUrl = () => config.baseUrl ?? `http://localhost:${port()}`
  return {
    config,
    store,
    log,
    problems: [],
    waiters,
    linkKey: keys.linkKey,
    now,
    isStopping,
    locks: createWorkLocks(store),
    pace,
    github,
    resolver,
    publicNetwork: network,
    baseUrl,
    sitesPlace: () => findSitesPlace(config.sitesDomain, baseUrl(), port()),
    metrics,
    workflowIdentity: createWorkflowIdentity({
      githubUrl: config.githubUrl,
      issuer: config.githubOidcIssuer,
      audiences: () => [baseUrl()],
    }),
  }
}

function createApp(
  { config, log, metrics, pace, store }: AppContext,
  { appId, privateKey }: Credentials,
  signal: AbortSignal,
): GitHubApp {
  return new GitHubApp({
    appId,
    privateKey,
    apiUrl: config.githubApiUrl,
    pace: { longestWaitMs, ...pace },
    budgets: store.limits?.budgets,
    signal,
    log,
    observe: createGitHubObserver(log, metrics.githubSeconds),
  })
}

/** How often a process looks whether another one has set up the GitHub App. */
const lookEveryMs = 2_000

/** Connects this process after another one has set up the GitHub App. */
function waitForCredentials(
  { config, github, log }: AppContext,
  keys: ServerKeys,
  connect: (credentials: Credentials) => Promise<void>,
): NodeJS.Timeout {
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
export const appParts: readonly ((context: AppContext) => AppPart)[] = [
  createWebhooksPart(),
  createReconcilePart(),
  createRunPart(),
  createDomainChecksPart(),
]

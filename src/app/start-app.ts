import { join } from 'node:path'
import type { Logger } from 'pino'
import { GitHubApp } from '../github/github-app.ts'
import type { RequestPace } from '../github/request-pace.ts'
import { openSqliteStore } from '../store/open-sqlite-store.ts'
import type { Store } from '../store/types.ts'
import type { AppConfig, Credentials } from './app-config.ts'
import { type AppContext, type AppPart, createNamedLocks, type GitHubSide } from './app-context.ts'
import { StatusWaiters } from './http/waiting.ts'
import { createWorkflowIdentity } from './http/workflow-identity.ts'
import { createMetrics } from './metrics.ts'
import { createReconcilePart } from './reconcile/reconcile-part.ts'
import { createRunPart } from './run/work-queue.ts'
import { createServer } from './server.ts'
import { createSetup } from './setup/create-setup.ts'
import { readLinkKey } from './signed-links.ts'
import { findSitesPlace } from './sites/sites-domain.ts'
import { createWebhooksPart } from './webhooks/webhooks-part.ts'

/** The database in the data folder. */
export const databaseFileName = 'openapi-pages.sqlite'

/** A worker that waits for the limits of one installation does nothing for the others: beyond this its job waits in the queue. */
const longestWaitMs = 15_000

interface StartOptions {
  readonly config: AppConfig
  readonly log: Logger
  readonly parts?: readonly ((context: AppContext) => AppPart)[]
  readonly now?: () => Date
  /** How fast the app asks GitHub; what GitHub itself wants where absent. */
  readonly pace?: Partial<RequestPace>
}

export interface RunningApp {
  readonly context: AppContext
  /** Where it listens: `http://127.0.0.1:3000`. */
  readonly address: string
  /** The setup page with its key, while there are no keys of a GitHub App. */
  readonly setupUrl: string | undefined
  /** Claims no more work and takes no more requests, lets those under way end, closes the store. A second call waits for the first. */
  stop(): Promise<void>
}

/**
 * Opens the store, builds the server with its parts, and listens.
 *
 * @throws {StoreError | FilesError} when the data folder cannot be used; a system error when the address cannot be listened on.
 */
export async function startApp({
  config,
  log,
  parts: makeParts = [],
  now = () => new Date(),
  pace = {},
}: StartOptions): Promise<RunningApp> {
  const linkKey = readLinkKey(config.dataDir)
  const store = await openSqliteStore({
    path: join(config.dataDir, databaseFileName),
    now: () => now().getTime(),
    limits: {
      maxWaitingPerInstallation: config.installationQueuedUpdates,
      maxPreviews: config.sitePreviews,
      keepPreviewsMs: config.sitePreviewDays * 24 * 3_600_000,
    },
  })
  try {
    return await listen({ config, log, makeParts, now, pace, linkKey, store })
  } catch (error) {
    await store.close()
    throw error
  }
}

interface ListenOptions {
  readonly config: AppConfig
  readonly log: Logger
  readonly makeParts: readonly ((context: AppContext) => AppPart)[]
  readonly now: () => Date
  readonly pace: Partial<RequestPace>
  readonly linkKey: Buffer
  readonly store: Store
}

async function listen({ config, log, makeParts, now, pace, linkKey, store }: ListenOptions): Promise<RunningApp> {
  const waiters = new StatusWaiters(store.statuses)
  const github: GitHubSide = { credentials: config.credentials, app: undefined }
  const stopping = new AbortController()
  let port = config.port
  const baseUrl = () => config.baseUrl ?? `http://localhost:${port}`
  const context: AppContext = {
    config,
    store,
    log,
    waiters,
    linkKey,
    now,
    locks: createNamedLocks(),
    pace,
    github,
    baseUrl,
    sitesPlace: () => findSitesPlace(config.sitesDomain, baseUrl(), port),
    metrics: createMetrics({ store, now, waiting: () => waiters.size, budgets: () => github.app?.budgets() ?? [] }),
    workflowIdentity: createWorkflowIdentity({
      githubUrl: config.githubUrl,
      issuer: config.githubOidcIssuer,
      audiences: () => [baseUrl()],
    }),
  }
  const parts = makeParts.map((make) => make(context))
  const connect = async (credentials: Credentials) => {
    github.credentials = credentials
    const { appId, privateKey } = credentials
    github.app = new GitHubApp({
      appId,
      privateKey,
      apiUrl: config.githubApiUrl,
      pace: { longestWaitMs, ...pace },
      signal: stopping.signal,
      log,
    })
    for (const part of parts) await part.connect?.(credentials)
  }
  const setup = config.credentials ? undefined : createSetup(context, connect)
  const routes = [...parts.flatMap((part) => part.routes ?? []), ...(setup ? [setup.routes] : [])]
  const server = await createServer(context, { routes })
  for (const part of parts) await part.prepare?.()
  await server.listen({ host: config.host, port: config.port })
  const bound = server.server.address()
  if (bound !== null && typeof bound === 'object') port = bound.port
  if (config.credentials) await connect(config.credentials)
  let stopped: Promise<void> | undefined
  return {
    context,
    address: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    setupUrl: setup?.url(),
    stop: () => {
      stopped ??= (async () => {
        // No more work is claimed from here on; what is under way ends while the connections do.
        const partsStopped = Promise.all(parts.map((part) => part.stop?.()))
        await Promise.all([server.close(), partsStopped])
        stopping.abort()
        await store.close()
      })()
      return stopped
    },
  }
}

/** What runs beside the HTTP API: the webhooks that bring work, the comparison with GitHub, and the workers. */
export const appParts: readonly ((context: AppContext) => AppPart)[] = [
  createWebhooksPart(),
  createReconcilePart(),
  createRunPart(),
]

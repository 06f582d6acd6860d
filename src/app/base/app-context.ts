import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { PublicNetwork } from '../../files/network.ts'
import type { GitHubApp } from '../../github/apps/github-app.ts'
import { fencedSignal, type RequestPace, withRequestFence } from '../../github/requests/github-client.ts'
import type { Store } from '../../store/store.ts'
import type { StatusWaiters } from '../http/waiting.ts'
import type { WorkflowIdentity } from '../http/workflow-identity.ts'
import type { DomainResolver } from '../sites/custom-domains.ts'
import type { AppConfig, Credentials } from './config/app-config.ts'
import type { SitesPlace } from './sites-domain.ts'
import type { Metrics } from './telemetry/metrics.ts'

/** The context shared by all parts of the running app. Created by `startApp`. */
export interface AppContext {
  readonly config: AppConfig
  readonly store: Store
  readonly log: Logger
  readonly metrics: Metrics
  /** What the checks at the start found. For `/readyz`. */
  readonly problems: string[]
  readonly waiters: StatusWaiters
  readonly workflowIdentity: WorkflowIdentity
  /** Signs links to the update pages. */
  readonly linkKey: Buffer
  readonly now: () => Date
  /** Prevents concurrent work on the same resource. */
  readonly locks: WorkLocks
  /** Limits on requests to GitHub. The defaults follow GitHub's documentation. */
  readonly pace: Partial<RequestPace>
  /** Whether a stop was requested. The server may still accept requests for some seconds. */
  readonly isStopping: () => boolean
  /** Public URL of this server, without a trailing `/`. Known once the server listens. */
  readonly baseUrl: () => string
  /** The domain of the sites; `undefined` if the server hosts none. Known once the server listens. */
  readonly sitesPlace: () => SitesPlace | undefined
  readonly github: GitHubConnection
  /** For custom domains. */
  readonly resolver: DomainResolver
  /** For servers that documents name. */
  readonly publicNetwork: PublicNetwork
}

/** The GitHub App, set at start or by the setup page. Until then, requests that need GitHub get `unavailable`. */
export interface GitHubConnection {
  /** `undefined` until a GitHub App is set up. */
  credentials: Credentials | undefined
  /** The authenticated app; `undefined` until a GitHub App is set up. */
  app: GitHubApp | undefined
}

/** A part of the app that runs in the background: workers, webhooks, reconciliation. */
export interface AppPart {
  /** For processes that serve HTTP. */
  readonly routes?: RegisterRoutes
  /** Called before a process that serves HTTP listens. */
  prepare?(): Promise<void>
  /** Called in processes that serve HTTP once a GitHub App is set up: at start, or by the setup page. */
  serve?(credentials: Credentials): Promise<void> | void
  /** Called in processes that run updates and scheduled work, at the same time. */
  work?(): Promise<void> | void
  /** Work that only one of these processes does at a time. Ends after the signal aborts, and may begin again. */
  lead?(signal: AbortSignal): Promise<void>
  /** Starts no new work, and finishes or returns running work. The server may still be sending its last responses. */
  stop?(): Promise<void>
}

/** Registers additional routes before the server listens: webhooks and the setup page. */
export type RegisterRoutes = (server: FastifyInstance) => void | Promise<void>

/** Runs work exclusively under a name, in all processes that use the store. Its requests to GitHub end if the lock is lost. */
type WorkLocks = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

/** The locks of a store for work that also writes to GitHub. */
export function createWorkLocks({ locks }: Pick<Store, 'locks'>): WorkLocks {
  return (name, work) => locks(name, (hold) => withRequestFence(hold, work), { signal: fencedSignal() })
}

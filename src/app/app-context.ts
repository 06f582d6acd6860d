import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { GitHubApp } from '../github/github-app.ts'
import type { RequestPace } from '../github/request-pace.ts'
import type { Store } from '../store/types.ts'
import type { AppConfig, Credentials } from './app-config.ts'
import type { StatusWaiters } from './http/waiting.ts'
import type { WorkflowIdentity } from './http/workflow-identity.ts'
import type { Metrics } from './metrics.ts'
import type { SitesPlace } from './sites/sites-domain.ts'

/** What every part of the running app shares. Made once by `startApp`. */
export interface AppContext {
  readonly config: AppConfig
  readonly store: Store
  readonly log: Logger
  readonly metrics: Metrics
  readonly waiters: StatusWaiters
  readonly workflowIdentity: WorkflowIdentity
  /** Signs the links to the pages for people. */
  readonly linkKey: Buffer
  readonly now: () => Date
  /** Keeps two parts of the app from working on the same thing at the same time. */
  readonly locks: NamedLocks
  /** How fast GitHub is asked; what GitHub itself wants where a field is absent. */
  readonly pace: Partial<RequestPace>
  /** Address that GitHub and people reach this server by, without a final `/`. Known once the server listens. */
  readonly baseUrl: () => string
  /** Where the sites of projects are; `undefined` where none are hosted. Known once the server listens, as `baseUrl`. */
  readonly sitesPlace: () => SitesPlace | undefined
  /** The side that needs the keys of the GitHub App. */
  readonly github: GitHubSide
}

/** Filled at start, or later by the setup page; until then what needs GitHub answers `unavailable`. */
export interface GitHubSide {
  /** `undefined` while there are no keys. */
  credentials: Credentials | undefined
  /** Signed in as the GitHub App; `undefined` while there are no keys. */
  app: GitHubApp | undefined
}

/** A side of the app that runs beside the server: the workers, the webhooks, the catch-up. */
export interface AppPart {
  readonly routes?: RegisterRoutes
  /** Called before the server listens. */
  prepare?(): Promise<void>
  /** Called once there are keys: at start, or when the setup page has made the GitHub App. */
  connect?(credentials: Credentials): Promise<void> | void
  /** Takes up no more work, and finishes or gives back what is under way. The server may still be answering its last requests. */
  stop?(): Promise<void>
}

/** More routes, registered before the server listens: the webhooks, the setup page. */
export type RegisterRoutes = (server: FastifyInstance) => void | Promise<void>

/** Lets one piece of work at a time go on under a name. */
type NamedLocks = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

/** Makes a set of locks for this process. Work that waits under a name goes on in the order in which it came. */
export function createNamedLocks(): NamedLocks {
  const tails = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const before = tails.get(name)
    const own = (async () => {
      await before?.catch(() => undefined)
      return await work()
    })()
    tails.set(name, own)
    try {
      return await own
    } finally {
      if (tails.get(name) === own) tails.delete(name)
    }
  }
}

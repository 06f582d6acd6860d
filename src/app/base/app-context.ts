import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { GitHubApp } from '../../github/apps/github-app.ts'
import { fencedSignal, withRequestFence } from '../../github/requests/github-client.ts'
import type { Store } from '../../store/store.ts'
import type { AppConfig, Credentials } from './config/app-config.ts'
import type { SitesPlace } from './sites-domain.ts'

/** What almost every part of the running app uses. Created by `startApp`, which passes everything else to the functions that use it. */
export interface AppContext {
  readonly config: AppConfig
  readonly store: Store
  readonly log: Logger
  readonly now: () => Date
  readonly github: GitHubConnection
  readonly urls: ServerUrls
}

/** The public URLs of the app and its sites. Those of a server on an unset port are known once it listens. */
interface ServerUrls {
  /** Signs links to the update pages. */
  readonly linkKey: Buffer
  /** The URL of this server, without a trailing `/`. */
  readonly base: () => string
  /** The domain of the sites; `undefined` if the server hosts none. */
  readonly sites: () => SitesPlace | undefined
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

/**
 * Runs work exclusively under a name, in all processes that use the store. The work may also write to GitHub: its requests end if the lock is
 * lost.
 */
export async function runExclusively<Result>(
  { locks }: Pick<Store, 'locks'>,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return await locks(name, (hold) => withRequestFence(hold, work), { signal: fencedSignal() })
}

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AppContext } from '../../../src/app/base/app-context.ts'
import { type AppConfig, readConfig } from '../../../src/app/base/config/app-config.ts'
import { createLog } from '../../../src/app/base/telemetry/create-log.ts'
import { type RunningApp, startApp } from '../../../src/app/start/start-app.ts'
import {
  type EndedUpdate,
  finishUpdate,
  type Project,
  type QueuedUpdate,
  queueUpdate,
  type RunningUpdate,
  startUpdate,
} from '../../../src/status/update-record.ts'
import type { LeasedJob } from '../../../src/store/queue/jobs.ts'
import type { ProjectFacts, StoredToken, UpdateDetails } from '../../../src/store/records/stored-records.ts'
import { openSqliteStore, type Store } from '../../../src/store/store.ts'
import { addProject as addStoredProject, claimNext } from '../../store/store-fixture.ts'
import { type ApiClient, createApiClient } from './api-client.ts'

export interface TestApp extends RunningApp {
  readonly context: AppContext
  readonly store: Store
  readonly dataDir: string
  readonly config: AppConfig
  /** Sends real HTTP requests and validates every response against `/v1/openapi.json`. */
  readonly api: ApiClient
  /** Every line of the log. */
  readonly logLines: string[]
  /** Opens the same database file again, like another process. */
  openOther(): Promise<Store>
}

/** Starts the app on a free port with its own store. Stops it and removes its data after the test. */
export async function startTestApp(
  onEnd: (end: () => Promise<void>) => void,
  { env = {}, now }: { env?: Record<string, string>; now?: () => Date } = {},
): Promise<TestApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'app-test-'))
  const logLines: string[] = []
  const config = await readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'debug', SITES_DOMAIN: 'off', ...env })
  const log = createLog({ level: config.logLevel, format: config.logFormat ?? 'json', write: (line) => logLines.push(line) })
  const running = await startApp({ config, log, ...(now && { now }) })
  const others: Store[] = []
  onEnd(async () => {
    await Promise.all(others.map((other) => other.close()))
    await running.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const openOther = async () => {
    const other = await openSqliteStore({ path: join(dataDir, 'openapi-pages.sqlite') })
    others.push(other)
    return other
  }
  const { store } = running.context
  return { ...running, store, dataDir, config, logLines, openOther, api: await createApiClient(running.address) }
}

let repositoryId = 1000

/** Creates a project with its own repository. */
export async function addProject(store: Store, facts: Partial<ProjectFacts> = {}): Promise<Project> {
  repositoryId += 1
  return await addStoredProject(store, { installationId: 5, repositoryId, repo: `docs-${repositoryId}`, ...facts })
}

/** Creates a token, by default valid for an hour. */
export async function addToken(
  store: Store,
  grant: StoredToken['grant'],
  lifetimeMs = 3_600_000,
): Promise<{ text: string; id: string }> {
  const made = await store.tokens.create(
    { grant, name: 'test', expiresAt: new Date(Date.now() + lifetimeMs).toISOString() },
    'test',
  )
  if (!made) throw new Error('The token was not created')
  return { text: made.token, id: made.stored.id }
}

export const sampleSha = 'b70d5e2a9c41e07f3f2a91c0123456789abcdef0'

/** Queues a record. */
export async function addUpdate(
  store: Store,
  project: Project,
  { details = { trigger: 'api' }, ...values }: Partial<QueuedUpdate> & { details?: UpdateDetails } = {},
): Promise<QueuedUpdate> {
  const update = {
    ...queueUpdate({
      id: store.newId(),
      projectId: project.id,
      subdomain: project.subdomain,
      createdAt: new Date().toISOString(),
      author: 'octocat',
      commit: {
        sha: sampleSha,
        ref: 'refs/heads/main',
        message: 'Document routing rules',
        filesChanged: {
          added: ['guides/routing.mdx'],
          modified: ['docs.json', 'openapi.yaml'],
          removed: ['guides/rules-beta.mdx'],
        },
      },
      source: 'github-app-installation',
    }),
    ...values,
  }
  await store.accept({ updates: [{ update, details, once: 'always' }] })
  return update
}

/** Claims the job of the only queued record and starts it, like a worker. */
export async function startNext(store: Store): Promise<{ job: LeasedJob; update: RunningUpdate }> {
  const job = await claimNext(store)
  if (job?.kind !== 'run' || job.stored.update.status !== 'queued') throw new Error('No update is queued')
  const update = startUpdate(job.stored.update, 'Checking 1 document.')
  if (!(await store.queue.save(job.lease, update))) throw new Error('The lease was lost')
  return { job, update }
}

/** Ends a running record. */
export async function finishNext(
  store: Store,
  { job, update }: { job: LeasedJob; update: RunningUpdate },
  end: { status: 'success' | 'failure'; summary: string; report?: object; logs?: readonly string[] },
): Promise<EndedUpdate> {
  const { report, ...rest } = end
  const ended = finishUpdate(update, { ...rest, endedAt: new Date().toISOString() })
  if (!(await store.queue.finish(job.lease, ended, { report: report && JSON.stringify(report) })))
    throw new Error('The lease was lost')
  await store.queue.complete(job.lease)
  return ended
}

export const randomId = (): string => randomBytes(8).toString('hex')

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { onTestFinished } from 'vitest'
import { readConfig } from '../../../src/app/base/config/app-config.ts'
import { createLog } from '../../../src/app/base/telemetry/create-log.ts'
import { answerCheck } from '../../../src/app/check/answer-check.ts'
import {
  createReconcilePart,
  defaultReconcileTimes,
  type ReconcileTimes,
} from '../../../src/app/github-events/reconcile/reconcile.ts'
import { type CatchUpTimes, defaultCatchUpTimes } from '../../../src/app/github-events/webhooks/catch-up.ts'
import { createWebhooksPart } from '../../../src/app/github-events/webhooks/webhooks-part.ts'
import type { RunControl, RunProgram, UntrustedWork } from '../../../src/app/isolate/untrusted-process.ts'
import { createRunPart, toRunCheck } from '../../../src/app/jobs/run-part.ts'
import { defaultQueueTimes, type QueueTimes } from '../../../src/app/jobs/work-queue.ts'
import type { SiteProgram } from '../../../src/app/publish/build-run-site.ts'
import type { DomainResolver } from '../../../src/app/sites/custom-domains.ts'
import { type RunningApp, startApp } from '../../../src/app/start/start-app.ts'
import type { PublicNetwork } from '../../../src/files/network.ts'
import type { EndedUpdate, Project } from '../../../src/status/update-record.ts'
import type { StoredUpdate } from '../../../src/store/records/stored-records.ts'
import type { Store } from '../../../src/store/store.ts'
import { bundleCheckProgram } from '../../support/bundled-programs.ts'
import { toAppSettings, toSignInSettings } from '../../support/fake-github/app-settings.ts'
import { type FakeGitHub, startFakeGitHub } from '../../support/fake-github/fake-github.ts'
import type { FakeRepository } from '../../support/fake-github/fake-repository.ts'
import type { FakeGitHubOptions } from '../../support/fake-github/types.ts'
import { fastPace } from '../../support/github-app.ts'

export interface ConnectedApp {
  readonly github: FakeGitHub
  readonly app: RunningApp
  readonly store: Store
  readonly dataDir: string
  /** Every line of the log. */
  readonly logLines: string[]
  /** All records, oldest first. */
  updates(): Promise<readonly StoredUpdate[]>
  /** Waits until the queue is empty, then returns all records, which have ended. */
  idle(): Promise<readonly (StoredUpdate & { readonly update: EndedUpdate })[]>
  /** Stops the app and starts it again on the same data. */
  restart(changed?: ConnectOptions): Promise<ConnectedApp>
}

export interface ConnectOptions {
  readonly github?: FakeGitHubOptions
  readonly env?: Readonly<Record<string, string>>
  readonly times?: Partial<QueueTimes>
  readonly catchUp?: Partial<CatchUpTimes>
  /** Enables reconciliation with GitHub. */
  readonly reconcile?: Partial<ReconcileTimes>
  readonly now?: () => Date
  /** Wraps the store that the workers use, for failures of the database. */
  readonly toWorkerStore?: (store: Store) => Store
  /** Default: no domain has DNS records. */
  readonly resolver?: DomainResolver
  /** Default: the public internet. */
  readonly network?: PublicNetwork
  /** Checks documents in child processes, as the app does. */
  readonly checkProcesses?: boolean
  /** Default: the built program. */
  readonly findSiteProgram?: () => SiteProgram | undefined
  /** Starts no workers, so that queued jobs stay queued. */
  readonly withoutRuns?: boolean
  /** Default: no limit on writes. */
  readonly writesPerHour?: number
}

const noRecords: DomainResolver = {
  resolveTxt: () => Promise.reject(toDnsError('ENOTFOUND')),
  resolveCname: () => Promise.reject(toDnsError('ENOTFOUND')),
}

/** An error of Node's resolver. */
export function toDnsError(code: string): Error {
  return Object.assign(new Error(`queryTxt ${code} docs.example.com`), { code })
}

/** Starts a configured app on a free port with a fake GitHub. Both stop after the test. */
export async function connectApp(options: ConnectOptions = {}): Promise<ConnectedApp> {
  const github = await startFakeGitHub(options.github)
  const dataDir = mkdtempSync(join(tmpdir(), 'connected-app-'))
  onTestFinished(async () => {
    await github.close()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
    github.assertNoUnexpectedRequests()
  })
  return await start(github, dataDir, options)
}

async function start(github: FakeGitHub, dataDir: string, options: ConnectOptions): Promise<ConnectedApp> {
  const logLines: string[] = []
  const config = await readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'debug',
    // Tests of sites enable this.
    SITES_DOMAIN: 'off',
    CHROMIUM_PATH: 'off',
    ...toAppSettings(github),
    ...toSignInSettings(github),
    ...options.env,
  })
  const log = createLog({ level: config.logLevel, format: 'json', write: (line) => logLines.push(line) })
  const runCheck = options.checkProcesses ? toRunCheck(bundleCheckProgram()) : checkHere
  const createRuns = createRunPart({ ...defaultQueueTimes, pollMs: 25, ...options.times }, runCheck, options.findSiteProgram)
  const toRunPart: typeof createRuns = (context, tools) =>
    createRuns({ ...context, store: options.toWorkerStore?.(context.store) ?? context.store }, tools)
  const parts = [
    createWebhooksPart({ ...defaultCatchUpTimes, paceMs: 0, ...options.catchUp }),
    ...(options.reconcile ? [createReconcilePart({ ...defaultReconcileTimes, ...options.reconcile })] : []),
    ...(options.withoutRuns ? [] : [toRunPart]),
  ]
  const now = options.now ? { now: options.now } : {}
  const app = await startApp({
    config,
    log,
    parts,
    backOffMs: 20,
    pace: { ...fastPace, writesPerMinute: 10_000, writesPerHour: options.writesPerHour ?? 100_000 },
    ...now,
    resolver: options.resolver ?? noRecords,
    ...(options.network && { network: options.network }),
  })
  github.webhookUrl = `${app.address}/api/github/webhooks`
  onTestFinished(() => app.stop())
  const { store } = app.context
  const updates = async () => {
    const all: StoredUpdate[] = []
    for (const { id } of await store.projects.list()) {
      for (let cursor: string | undefined; ; ) {
        const page = await store.statuses.list(id, { limit: 100, ...(cursor === undefined ? {} : { cursor }) })
        all.push(...(page?.updates ?? []))
        cursor = page?.nextCursor
        if (cursor === undefined) break
      }
    }
    return all.toSorted((a, b) => (a.update._id < b.update._id ? -1 : 1))
  }
  return {
    github,
    app,
    store,
    dataDir,
    logLines,
    updates,
    async idle() {
      const giveUpAt = performance.now() + 60_000
      for (;;) {
        const { waiting, leased, refused, delayed } = await store.queue.stats()
        // A refused or delayed run keeps its record open.
        if (
          waiting + leased === 0 &&
          (refused + delayed === 0 || (await updates()).every(({ update }) => update.endedAt !== undefined))
        )
          break
        if (performance.now() > giveUpAt) throw new Error(`The queue does not end:\n${logLines.slice(-20).join('')}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return (await updates()).map((stored) => {
        const { update } = stored
        if (update.endedAt === undefined) throw new Error(`Update ${update._id} has not ended and has no job`)
        return { ...stored, update }
      })
    },
    async restart(changed = {}) {
      await app.stop()
      return await start(github, dataDir, { ...options, ...changed })
    },
  }
}

/** Creates the project of a repository, like its first push after GitHub confirmed the installation. */
export async function addProjectOf({ store }: Pick<ConnectedApp, 'store'>, repository: FakeRepository): Promise<Project> {
  const { id: repositoryId, owner, name: repo, defaultBranch, installation } = repository
  const facts = { repositoryId, owner, repo, root: '', hasDocsConfig: false, defaultBranch, private: repository.private }
  await store.projects.apply([
    { kind: 'upsert', project: { ...facts, ...(installation ? { installationId: installation.id } : {}) } },
  ])
  const [project] = await store.projects.findByRepository(repositoryId)
  if (!project) throw new Error('The project was not stored')
  return project
}

/** Checks documents in the process of the test, which takes a tenth of the time of a child process. The limits have no effect. */
const checkHere: RunProgram = async <Answer>(
  { request }: Pick<UntrustedWork, 'request'>,
  _limits: unknown,
  control: RunControl,
) => {
  const { signal, onCpuTime } = control
  signal.throwIfAborted()
  const before = process.cpuUsage()
  try {
    // Copies as between processes.
    const answer: Answer = deserialize(serialize(await answerCheck(deserialize(serialize(request)))))
    signal.throwIfAborted()
    return { kind: 'answered', answer }
  } finally {
    const { user, system } = process.cpuUsage(before)
    onCpuTime((user + system) / 1000)
  }
}

/** A small valid document. */
export const validDocument = `openapi: 3.1.0
info:
  title: Pets
  version: 1.0.0
paths:
  /pets:
    get:
      summary: List pets
      tags: [Pets]
      responses:
        '200':
          description: All pets.
`

/** The same document with an error in line 8. */
export const brokenDocument = validDocument.replace('summary:', 'sumary:')

export const docsConfig = `${JSON.stringify(
  {
    theme: 'mint',
    name: 'Pets',
    colors: { primary: '#0F766E' },
    navigation: { tabs: [{ tab: 'API Reference', openapi: 'openapi.yaml' }] },
  },
  undefined,
  2,
)}\n`

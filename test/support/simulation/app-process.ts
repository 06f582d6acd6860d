import type { AppContext, AppPart } from '../../../src/app/base/app-context.ts'
import type { AppConfig } from '../../../src/app/base/config/app-config.ts'
import { findSitesPlace } from '../../../src/app/base/sites-domain.ts'
import { createLog } from '../../../src/app/base/telemetry/create-log.ts'
import type { Metrics } from '../../../src/app/base/telemetry/metrics.ts'
import { withOrigin } from '../../../src/app/base/telemetry/work-scope.ts'
import { createReconcilePart } from '../../../src/app/github-events/reconcile/reconcile.ts'
import { catchUpPeriodically, defaultCatchUpTimes } from '../../../src/app/github-events/webhooks/catch-up.ts'
import { type HandledName, handledNames, planOther, planWebhook } from '../../../src/app/github-events/webhooks/handlers.ts'
import { noWork, type Payload } from '../../../src/app/github-events/webhooks/plan.ts'
import type { RunProgram } from '../../../src/app/isolate/untrusted-process.ts'
import { createRunPart } from '../../../src/app/jobs/run-part.ts'
import type { SiteProgram } from '../../../src/app/publish/build-run-site.ts'
import { GitHubApp } from '../../../src/github/apps/github-app.ts'
import type { BudgetStates } from '../../../src/github/requests/request-budget.ts'
import { createLeadership, type Leadership } from '../../../src/store/database/holds.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Scheduler } from './scheduler.ts'
import type { Message, SimulatedGitHub } from './simulated-github.ts'
import type { SimulatedLocks } from './simulated-locks.ts'
import { type QueueKnowledge, type StoreTrouble, toSimulatedStore } from './simulated-store.ts'
import { running, type SimulatedProcess } from './virtual-time.ts'

/** Long enough that an idle hour takes few steps, with the proportions of the defaults. */
const queueTimes = { leaseMs: 30_000, heartbeatMs: 5_000, pollMs: 3_000 }
const catchUpTimes = { ...defaultCatchUpTimes, everyMs: 60_000, longestMs: 240_000 }

/**
 * What tells the app about changes on GitHub: webhooks, of which it looks for lost ones, and a comparison with GitHub. Without the comparison,
 * there is only the one at the start of a process.
 */
export type Layers = 'all' | 'webhooks' | 'comparison'

/** The longest time without a periodic comparison. */
export const comparesEveryMs = 300_000

/** What all processes of a simulation share. */
export interface ProcessParts {
  readonly config: AppConfig
  readonly metrics: Metrics
  readonly programs: { readonly runCheck: RunProgram; readonly siteProgram: SiteProgram }
  /** Receives the log. Default: it is not written. */
  readonly onLog?: ((line: string) => void) | undefined
}

interface StartOptions extends ProcessParts {
  readonly name: string
  readonly role: 'all' | 'web' | 'worker'
  readonly layers: Layers
  /** Whether its settings host sites. */
  readonly hasHosting: boolean
  readonly scheduler: Scheduler
  readonly github: SimulatedGitHub
  /** The opened store, which the process closes. */
  readonly store: Store
  readonly queue: QueueKnowledge
  /** Of the requests to GitHub. Default: those of this process. */
  readonly budgets: BudgetStates | undefined
  /** Default: those of the store. */
  readonly locks: SimulatedLocks | undefined
}

/** A process of the app: its real parts, without its HTTP server. */
export class AppProcess implements SimulatedProcess {
  readonly name: string
  readonly role: StartOptions['role']
  isAlive = true
  /** Whether it receives webhooks and requests. */
  isServing = false
  /** Of its connections to the store. */
  readonly trouble: StoreTrouble = { untilMs: 0, rate: 0, isHanging: false }
  readonly #options: StartOptions
  readonly #stopping = new AbortController()
  readonly #killed = new AbortController()
  readonly #ended: (() => void)[] = []
  #parts: readonly AppPart[] = []
  #context: AppContext | undefined
  #leadership: Leadership | undefined

  constructor(options: StartOptions) {
    this.name = options.name
    this.role = options.role
    this.#options = options
    running.run(this, () => {
      void this.#boot().catch((error: unknown) => {
        options.scheduler.note(`${this.name} cannot start: ${String(error)}`)
        void this.kill()
      })
    })
  }

  /** As `startApp` does. */
  async #boot(): Promise<void> {
    const { role } = this
    const { github, scheduler } = this.#options
    const context = this.#createContext()
    this.#context = context
    const { programs, metrics, layers } = this.#options
    const reconcileTimes = { everyMs: layers === 'webhooks' ? 24 * 3_600_000 : comparesEveryMs, retryMs: 10_000, gapMs: 900_000 }
    const catchUp: AppPart = { lead: (signal) => catchUpPeriodically(context, metrics, signal, catchUpTimes) }
    this.#parts = [
      createReconcilePart(reconcileTimes)(context, { metrics }),
      createRunPart(queueTimes, programs.runCheck, () => programs.siteProgram)(context, { metrics }),
      ...(layers === 'comparison' ? [] : [catchUp]),
    ]
    if (role !== 'worker') for (const part of this.#parts) await part.prepare?.()
    const { id: appId, webhookSecret } = github.app
    const credentials = { appId, privateKey: key, webhookSecret }
    context.github.credentials = credentials
    context.github.app = new GitHubApp({
      appId,
      privateKey: key,
      apiUrl: github.url,
      pace: { longestWaitMs: 15_000, longestPauseMs: 1_000 },
      budgets: this.#options.budgets,
      signal: AbortSignal.any([this.#stopping.signal, this.#killed.signal]),
    })
    for (const part of this.#parts) {
      if (role !== 'worker') await part.serve?.(credentials)
      if (role !== 'web') await part.work?.()
    }
    this.isServing = role !== 'worker'
    scheduler.note(`${this.name} is ready`)
    if (role === 'web') return
    this.#leadership = createLeadership({
      locks: context.store.locks,
      onProblem: (error) => scheduler.note(`${this.name} cannot lead: ${String(error)}`),
    })
    this.#leadership.start(async (signal) => void (await Promise.all(this.#parts.map((part) => part.lead?.(signal)))))
  }

  #createContext(): AppContext {
    const { config, scheduler, queue, onLog, role, hasHosting } = this.#options
    const locks = this.#options.locks?.of(this, scheduler) ?? this.#options.store.locks
    const opened = { ...this.#options.store, locks, limits: undefined }
    const store = withOrigin(toSimulatedStore(opened, scheduler, queue, this.trouble))
    const base = () => 'http://localhost:3000'
    const sitesDomain = hasHosting ? 'localhost' : 'off'
    const sites = () => findSitesPlace(sitesDomain, base(), 3000)
    return {
      config: { ...config, role, sitesDomain },
      store,
      log: createLog({ level: onLog ? 'info' : 'silent', format: 'text', write: (line) => onLog?.(`${this.name}: ${line}`) }),
      now: () => new Date(),
      github: { credentials: undefined, app: undefined },
      urls: { linkKey: Buffer.alloc(32), base, sites },
    }
  }

  /** Runs work as code of this process, as a request of a person does. */
  request<Value>(work: (context: AppContext) => Promise<Value>): Promise<Value> {
    const context = this.#context
    if (!context) throw new Error(`${this.name} has not started`)
    return running.run(this, () => work(context))
  }

  /** Receives a webhook, as `receiver.ts` does with a valid signature. Resolves with the status of the response; 0 if there is none. */
  async receive({ guid, event, payload }: Message): Promise<number> {
    const { action } = payload
    const name = typeof action === 'string' ? `${event}.${action}` : event
    const ended = new Promise<number>((resolve) => this.#ended.push(() => resolve(0)))
    const accepted = this.request(async (context) => {
      try {
        const given = structuredClone(payload)
        // The name determines the type of the payload.
        const plan = isHandled(name)
          ? await planWebhook(context, name, given as Payload<typeof name>)
          : await planOther(context, given)
        if (isHandled(name) || plan !== noWork) await context.store.accept({ ...plan, delivery: { id: guid, event: name } })
        return 202
      } catch (error) {
        context.log.error({ err: error }, 'Cannot receive a webhook')
        return 503
      }
    })
    return await Promise.race([accepted, ended])
  }

  /** Ends it as a power cut would. Its connections close. */
  async kill(): Promise<void> {
    if (!this.isAlive) return
    await this.#options.scheduler.kill(this, this.#killed)
    await this.#end()
  }

  /** Its connection that holds locks is lost. */
  loseLocks(): void {
    this.#options.locks?.lose(this)
  }

  /** Stops its work as `SIGTERM` does, for which the scheduler must run. */
  async stop(): Promise<void> {
    this.isServing = false
    await running.run(this, async () => {
      await Promise.all([this.#leadership?.stop(), ...this.#parts.map((part) => part.stop?.())])
      this.#stopping.abort()
    })
  }

  /** Ends it after `stop`. */
  async finish(): Promise<void> {
    this.isAlive = false
    this.#options.scheduler.time.end(this)
    await this.#end()
  }

  async #end(): Promise<void> {
    const { locks, store } = this.#options
    this.isServing = false
    locks?.lose(this)
    for (const end of this.#ended) end()
    await store.close()
  }
}

function isHandled(name: string): name is HandledName {
  return (handledNames as readonly string[]).includes(name)
}

/** The simulated GitHub verifies no signatures. */
const key = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'

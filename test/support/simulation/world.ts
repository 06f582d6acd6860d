import { type BudgetStates, createMemoryStates } from '../../../src/github/requests/request-budget.ts'
import type { Store } from '../../../src/store/store.ts'
import type { FakeRepository } from '../fake-github/fake-repository.ts'
import type { Random } from '../random.ts'
import { AppProcess, comparesEveryMs, type ProcessParts } from './app-process.ts'
import { Scheduler, settled } from './scheduler.ts'
import type { SimulatedDatabase } from './simulated-databases.ts'
import { type Message, SimulatedGitHub } from './simulated-github.ts'
import { SimulatedLocks } from './simulated-locks.ts'
import { type Quality, toFiles } from './simulated-programs.ts'
import type { QueueKnowledge } from './simulated-store.ts'
import type { VirtualTime } from './virtual-time.ts'

/** A repository, with what happened to it. */
export interface Watched {
  readonly repository: FakeRepository
  readonly fork: FakeRepository
  /** How often each commit became the tip of a branch, or was to be checked for another reason. */
  readonly chances: Map<string, number>
  /** Every commit that was the tip of the default branch. */
  readonly tips: Set<string>
  /** Heads of pull requests that changed while the app was not installed, so that no webhook was sent, or whose webhook arrived then. */
  readonly missed: Set<string>
  tipMovedAtMs: number
  /** A person published this commit, or asked for an update of it. */
  readonly wishes: { readonly sha: string; readonly atMs: number }[]
  /** How often it became private, and how often the app was notified. */
  privatizedCount: number
  notifiedCount: number
  notifiedAtMs: number
}

/** When a history begins. */
export const startMs = Date.parse('2026-11-02T08:00:00Z')

/** A history may need this long to become quiet. */
const quietWithinMs = 3 * 3_600_000

export interface WorldOptions {
  readonly random: Random
  /** At `startMs`, and already the clock of this process. */
  readonly time: VirtualTime
  readonly parts: ProcessParts
  readonly database: SimulatedDatabase
  /** Whether webhooks arrive in order and at once. */
  readonly isCalm: boolean
  readonly onStep?: ((line: string) => void) | undefined
}

/** Everything in one history: GitHub, the processes of the app, and their database. */
export class World {
  readonly random: Random
  readonly time: VirtualTime
  readonly scheduler: Scheduler
  readonly github: SimulatedGitHub
  readonly watched: readonly Watched[]
  readonly qualities = new Map<string, Quality>()
  readonly violations: string[] = []
  /** Whether requests or repositories were refused, so that updates may fail. */
  wasTroubled = false
  readonly isCalm: boolean
  processes: AppProcess[] = []
  readonly #options: WorldOptions
  readonly #locks: SimulatedLocks | undefined
  /** The database keeps them by its own clock, which is a real one. */
  readonly #budgets: BudgetStates | undefined
  readonly #queue: QueueKnowledge = { changes: 0, emptyAt: -1, recoveredAt: -1 }
  readonly #stores = new Map<AppProcess, Store>()
  /** The addresses of the sites of each repository. */
  readonly #subdomains = new Map<Watched, Set<string>>()
  #lastToken = 0
  #lastProcess = 0

  constructor(options: WorldOptions) {
    this.#options = options
    this.isCalm = options.isCalm
    this.#budgets = options.database.marks && createMemoryStates(() => this.time.nowMs)
    this.#locks = options.database.marks && new SimulatedLocks(options.database.marks)
    this.random = options.random
    this.time = options.time
    this.scheduler = new Scheduler(this.time, this.random, options.onStep)
    this.github = new SimulatedGitHub(this.scheduler, this.random)
    this.github.receive = (message) => this.#receive(message)
    this.github.createInstallation('acme', { ...this.github.app.permissions, statuses: 'write', deployments: 'write' })
    this.watched = ['api', 'sdk'].map((name) => this.#createRepository(name))
  }

  #createRepository(name: string): Watched {
    const repository = this.github.createRepository(`acme/${name}`, { files: this.newFiles('valid') })
    const fork = this.github.createRepository(`ada-${name}/${name}`, { forkOf: repository, installed: false })
    const sha = repository.tipOf('main')
    this.qualities.set(sha, 'valid')
    return {
      repository,
      fork,
      chances: new Map([[sha, 1]]),
      tips: new Set([sha]),
      missed: new Set(),
      tipMovedAtMs: 0,
      wishes: [],
      privatizedCount: 0,
      notifiedCount: 0,
      notifiedAtMs: 0,
    }
  }

  /** The files of a new commit. */
  newFiles(quality: Quality): Record<string, string | null> {
    this.#lastToken += 1
    return { ...toFiles(quality, `t${this.#lastToken}`) }
  }

  note(line: string): void {
    this.scheduler.note(line)
  }

  async #receive(message: Message): Promise<number> {
    const receivers = this.processes.filter(({ isServing }) => isServing)
    if (receivers.length === 0) return 0
    return await this.random.of(receivers).receive(message)
  }

  get hasSeveralProcesses(): boolean {
    return this.#locks !== undefined
  }

  /** Starts all processes that do not run. */
  async start(): Promise<void> {
    const running = this.processes.map(({ role }) => role)
    for (const role of this.#options.database.roles) {
      const index = running.indexOf(role)
      if (index === -1) await this.#startProcess(role)
      else running.splice(index, 1)
    }
  }

  async #startProcess(role: AppProcess['role']): Promise<void> {
    const store = this.#options.database.open({
      now: () => this.time.nowMs,
      randomBytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(this.random() * 256)),
    })
    this.#lastProcess += 1
    const name = `app${this.#lastProcess}`
    this.note(`${name} starts`)
    const { scheduler, github } = this
    const queue = this.#queue
    const [locks, budgets] = [this.#locks, this.#budgets]
    const process = new AppProcess({
      ...this.#options.parts,
      name,
      role,
      scheduler,
      github,
      store,
      queue,
      locks,
      budgets,
    })
    this.#stores.set(process, store)
    this.processes.push(process)
    // It begins its work before the next one starts.
    await settled()
  }

  /** Removes processes that ended. */
  forgetEnded(): void {
    for (const process of this.processes) if (!process.isAlive) this.#stores.delete(process)
    this.processes = this.processes.filter(({ isAlive }) => isAlive)
  }

  /** Stops a process, in at most a minute. */
  async stop(process: AppProcess): Promise<void> {
    let isStopped = false
    void process.stop().then(() => {
      isStopped = true
    })
    const untilMs = this.time.nowMs + 60_000
    while (!isStopped && this.time.nowMs < untilMs) await this.scheduler.run({ untilMs: this.time.nowMs + 1_000 })
    if (isStopped) await process.finish()
    else await process.kill()
    this.forgetEnded()
  }

  /** Deletes the database. No process may run. */
  async clear(): Promise<void> {
    await this.#options.database.clear()
    // Another repository may get a subdomain.
    this.#subdomains.clear()
    this.#queue.changes += 1
  }

  /** Work of the simulation on the store itself, which is not scheduled. `undefined` if no process runs. */
  async look<Value>(read: (store: Store) => Promise<Value>): Promise<Value | undefined> {
    const process = this.processes.find(({ isServing }) => isServing)
    const store = process && this.#stores.get(process)
    return store && (await read(store))
  }

  /** Looks at all sites without signing in. */
  async visit(): Promise<void> {
    await this.look(async (store) => {
      for (const one of this.watched) {
        const { repository } = one
        const known = this.#subdomains.get(one) ?? new Set()
        this.#subdomains.set(one, known)
        for (const { subdomain } of await store.projects.findByRepository(repository.id)) known.add(subdomain)
        // Another process may know it for a second before it looks again.
        const isNotified = one.notifiedCount === one.privatizedCount && this.time.nowMs > one.notifiedAtMs + 1_100
        if (!repository.private || !isNotified) continue
        for (const subdomain of known) {
          const { isPublic } = await store.sites.findOwner({ subdomain })
          const shown = isPublic ? await store.sites.findShown({ subdomain }) : undefined
          if (shown) this.#report(`a stranger reads the site of ${repository.fullName}, which is private`)
        }
      }
    })
  }

  #report(violation: string): void {
    if (!this.violations.includes(violation)) {
      this.note(`VIOLATION: ${violation}`)
      this.violations.push(violation)
    }
  }

  /** The sites of a repository that a visitor of any of its addresses sees. */
  async findShown(store: Store, one: Watched): Promise<readonly string[]> {
    const shown: string[] = []
    for (const subdomain of this.#subdomains.get(one) ?? []) {
      const site = await store.sites.findShown({ subdomain })
      if (site) shown.push(site.build.sha)
    }
    return shown
  }

  /** Ends all disturbances, and runs until nothing more happens. */
  async heal(): Promise<void> {
    this.note('everything works again')
    this.github.trouble = undefined
    for (const { trouble } of this.processes) trouble.untilMs = 0
    this.forgetEnded()
    await this.start()
    const untilMs = this.time.nowMs + quietWithinMs
    // What GitHub refused is tried again at least every hour.
    const triedAtMs = this.time.nowMs + 3_600_000
    let isQuiet = false
    for (let sinceMs = this.time.nowMs; !isQuiet && this.time.nowMs < untilMs; ) {
      await this.scheduler.run({ untilMs: this.time.nowMs + 30_000 })
      // A process that could not start is started again.
      this.forgetEnded()
      await this.start()
      await this.visit()
      const stats = await this.look((store) => store.queue.stats())
      const isTried = stats?.refused === 0 || this.time.nowMs > triedAtMs
      const isIdle = stats !== undefined && stats.waiting + stats.leased === 0 && isTried && this.github.underway === 0
      if (!isIdle) sinceMs = Math.max(sinceMs, this.time.nowMs - comparesEveryMs)
      isQuiet = isIdle && this.time.nowMs > sinceMs + 1.1 * comparesEveryMs
    }
    if (!isQuiet) this.#report('the queue does not become empty')
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    for (const process of this.processes) await process.kill()
    this.forgetEnded()
  }
}

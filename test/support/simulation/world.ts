import { type BudgetStates, createMemoryStates } from '../../../src/github/requests/request-budget.ts'
import type { Store } from '../../../src/store/store.ts'
import type { FakePush, FakeRepository } from '../fake-github/fake-repository.ts'
import type { Random } from '../random.ts'
import { AppProcess, type Layers, type ProcessParts } from './app-process.ts'
import { Scheduler, settled } from './scheduler.ts'
import { createBucket, type SimulatedBucket } from './simulated-bucket.ts'
import type { SimulatedDatabase } from './simulated-databases.ts'
import { type Message, SimulatedGitHub } from './simulated-github.ts'
import { SimulatedLocks } from './simulated-locks.ts'
import { type CommitContent, type Quality, toContent, toFiles } from './simulated-programs.ts'
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
  /** When the webhook of each head of a pull request was first accepted, and whether the app had no access then. */
  readonly arrivals: Map<string, { readonly atMs: number; readonly isAway: boolean }>
  tipMovedAtMs: number
  /** Whether it is an earlier tip again. Without webhooks, the app may not have seen the commits between. */
  isTipAgain: boolean
  /** A person published this commit, or asked for an update of it. */
  readonly wishes: { readonly sha: string; readonly atMs: number }[]
  /** How often it became private, and how often the app was notified. */
  privatizedCount: number
  privatizedAtMs: number
  notifiedCount: number
  notifiedAtMs: number
  /** Since when the app has had no access. */
  awaySinceMs: number | undefined
  /** Whether a commit without errors was published. */
  hadGoodSite: boolean
}

/** When a history begins. */
export const startMs = Date.parse('2026-11-02T08:00:00Z')

/**
 * Every promise is kept this long after the last change on GitHub. A lost webhook is noticed after a minute, an ended process sooner, and each of the
 * programs of a run takes up to 45 seconds.
 */
const promisedWithinMs = 240_000
/** What failed is tried again later each time, so that the next try is at most this often as late as the last one. */
const longestWaitShare = 5
/** So long, the update of a commit that GitHub has deleted is tried. */
const triedForMs = 450_000

/** Whether the app has no access to a repository. */
export function isAway(one: Watched): boolean {
  return isRemoved(one) || one.repository.installation?.suspended === true
}

/** Whether the app is not installed on the repository. */
export function isRemoved({ repository }: Watched): boolean {
  const { installation } = repository
  return !installation || installation.deleted || !installation.repositories.includes(repository)
}

export interface WorldOptions {
  readonly random: Random
  /** At `startMs`, and already the clock of this process. */
  readonly time: VirtualTime
  readonly parts: ProcessParts
  readonly database: SimulatedDatabase
  /** Whether webhooks arrive in order and at once. */
  readonly isCalm: boolean
  readonly layers: Layers
  /** Whether few updates may wait. */
  readonly hasShortQueue: boolean
  /** Whether the files of sites are in a bucket. */
  readonly hasBucket: boolean
  readonly onStep?: ((line: string) => void) | undefined
}

/** Everything in one history: GitHub, the processes of the app, and their database. */
export class World {
  readonly random: Random
  readonly time: VirtualTime
  readonly scheduler: Scheduler
  readonly github: SimulatedGitHub
  readonly watched: readonly Watched[]
  readonly contents = new Map<string, CommitContent>()
  readonly violations: string[] = []
  readonly isCalm: boolean
  readonly layers: Layers
  hasLostData = false
  /** Whether few updates may wait. */
  readonly hasShortQueue: boolean
  /** `undefined` if the files of sites are in the database. */
  bucket: SimulatedBucket | undefined
  /** Whether the settings of the processes host sites. */
  hasHosting = true
  /** Until then, programs that check and build find no space on the disk. */
  diskFullUntilMs = 0
  /** Whether the store was compared with GitHub since the last change, so that nothing waits for that. */
  isCompared = false
  /** When the last change on GitHub, or the last disturbance, ended. */
  #calmSinceMs = 0
  /** How long the app was disturbed since all promises were kept. */
  #troubledMs = 0
  /** When a webhook was last lost because only workers ran. */
  #missedAtMs: number | undefined
  processes: AppProcess[] = []
  readonly #options: WorldOptions
  readonly #locks: SimulatedLocks | undefined
  /** The database keeps them by its own clock, which is a real one. */
  readonly #budgets: BudgetStates | undefined
  readonly #queue: QueueKnowledge = { changes: 0, emptyAt: -1, askedAt: -1 }
  readonly #stores = new Map<AppProcess, Store>()
  /** The addresses of the sites of each repository. */
  readonly #subdomains = new Map<Watched, Set<string>>()
  /** What may change the sites, at the last visit, and the visits since then. */
  #seenState = ''
  #looks = 0
  #lastCommit = 0
  #lastProcess = 0

  constructor(options: WorldOptions) {
    this.#options = options
    this.isCalm = options.isCalm
    this.layers = options.layers
    this.hasShortQueue = options.hasShortQueue
    this.#budgets = options.database.isShared ? createMemoryStates(() => this.time.nowMs) : undefined
    this.#locks = options.database.isShared ? new SimulatedLocks() : undefined
    this.random = options.random
    this.time = options.time
    this.#replaceBucket()
    this.scheduler = new Scheduler(this.time, this.random, options.onStep)
    this.github = new SimulatedGitHub(this.scheduler, this.random)
    this.github.receive = (message) => this.#receive(message)
    this.github.createInstallation('acme', { ...this.github.app.permissions, statuses: 'write', deployments: 'write' })
    this.watched = ['api', 'sdk'].map((name) => this.#createRepository(name))
  }

  #createRepository(name: string): Watched {
    const { content, files } = this.#newContent('valid')
    const repository = this.github.createRepository(`acme/${name}`, { files })
    const fork = this.github.createRepository(`ada-${name}/${name}`, { forkOf: repository, installed: false })
    const sha = repository.tipOf('main')
    this.contents.set(sha, content)
    return {
      repository,
      fork,
      chances: new Map([[sha, 1]]),
      tips: new Set([sha]),
      missed: new Set(),
      arrivals: new Map(),
      tipMovedAtMs: 0,
      isTipAgain: false,
      wishes: [],
      privatizedCount: 0,
      privatizedAtMs: 0,
      notifiedCount: 0,
      notifiedAtMs: 0,
      awaySinceMs: undefined,
      hadGoodSite: false,
    }
  }

  #newContent(quality: Quality): { readonly content: CommitContent; readonly files: Record<string, string | null> } {
    this.#lastCommit += 1
    const content = toContent(quality, this.#lastCommit)
    return { content, files: { ...toFiles(content, this.#lastCommit) } }
  }

  /** Adds a commit to a repository, or to a fork. */
  commit(repository: FakeRepository, branch: string, quality: Quality, parent: string | undefined): FakePush {
    const { content, files } = this.#newContent(quality)
    const push = repository.commit({ branch, ...(parent === undefined ? {} : { parent }), files, message: quality })
    this.contents.set(push.after, content)
    return push
  }

  contentOf(sha: string): CommitContent {
    const content = this.contents.get(sha)
    if (!content) throw new Error(`Unknown commit ${sha}`)
    return content
  }

  note(line: string): void {
    this.scheduler.note(line)
  }

  async #receive(message: Message): Promise<number> {
    const receivers = this.processes.filter(({ isServing }) => isServing)
    const { nowMs } = this.time
    // Workers request it again, later each time.
    if (receivers.length === 0 && this.processes.length > 0) this.#troubledMs += nowMs - (this.#missedAtMs ?? nowMs)
    this.#missedAtMs = receivers.length === 0 ? nowMs : undefined
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
      if (index === -1) {
        await this.#startProcess(role)
        this.noteChange()
      } else running.splice(index, 1)
    }
  }

  async #startProcess(role: AppProcess['role']): Promise<void> {
    const store = this.#options.database.open({
      now: () => this.time.nowMs,
      randomBytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(this.random() * 256)),
      bucket: this.bucket,
      limits: this.#options.hasShortQueue ? { maxWaitingPerBranch: 2, maxWaitingPerInstallation: 4 } : {},
    })
    this.#lastProcess += 1
    const name = `app${this.#lastProcess}`
    this.note(`${name} starts`)
    const { scheduler, github, layers, hasHosting } = this
    const queue = this.#queue
    const [locks, budgets] = [this.#locks, this.#budgets]
    const process = new AppProcess({
      ...this.#options.parts,
      name,
      role,
      layers,
      hasHosting,
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
    const ended = this.processes.filter(({ isAlive }) => !isAlive)
    for (const process of ended) this.#stores.delete(process)
    this.processes = this.processes.filter(({ isAlive }) => isAlive)
  }

  /** Stops all processes, and starts them with other settings. */
  async switchHosting(): Promise<void> {
    while (this.processes[0]) await this.stop(this.processes[0])
    this.hasHosting = !this.hasHosting
    this.github.hasHosting = this.hasHosting
    // A commit without a site gets another update.
    for (const { chances } of this.watched) for (const [sha, count] of chances) chances.set(sha, count + 1)
    await this.start()
    this.noteChange()
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
    this.#replaceBucket()
    this.hasLostData = true
    for (const one of this.watched) one.hadGoodSite = false
    // Another repository may get a subdomain.
    this.#subdomains.clear()
    this.#queue.changes += 1
  }

  #replaceBucket(): void {
    const { time, random } = this
    this.bucket = this.#options.hasBucket ? createBucket(() => time.nowMs, random) : undefined
  }

  /** Work of the simulation on the store itself, which is not scheduled. `undefined` if no process runs. */
  async look<Value>(read: (store: Store) => Promise<Value>): Promise<Value | undefined> {
    const process = this.processes.find(({ isServing }) => isServing)
    const store = process && this.#stores.get(process)
    return store && (await read(store))
  }

  /** Looks at all sites without signing in. If nothing has changed since, a third look would see the same. */
  async visit(): Promise<void> {
    const state = `${this.#queue.changes} ${this.#calmSinceMs} ${this.processes.length}`
    this.#looks = state === this.#seenState ? this.#looks + 1 : 0
    this.#seenState = state
    if (this.#looks < 2) await this.look((store) => this.#visitAll(store))
  }

  async #visitAll(store: Store): Promise<void> {
    for (const one of this.watched) {
      const { repository } = one
      const known = this.#subdomains.get(one) ?? new Set()
      this.#subdomains.set(one, known)
      const projects = await store.projects.findByRepository(repository.id)
      for (const { subdomain } of projects) known.add(subdomain)
      await this.#visitProduction(store, one, projects[0]?.subdomain)
      // Another process may know it for a second before it looks again.
      const isNotified = one.notifiedCount === one.privatizedCount && this.time.nowMs > one.notifiedAtMs + 1_100
      if (!repository.private || (await this.findPublic(store, one)).length === 0) continue
      if (isNotified) this.report(`a visitor reads the site of ${repository.fullName}, which is private`)
      // An update asks GitHub before it runs.
      const records = projects[0] && (await store.statuses.list(projects[0].id, { limit: 10 }))
      const ran = records?.updates.find(
        ({ update }) => update.status === 'success' && Date.parse(update.createdAt) > one.privatizedAtMs,
      )
      if (ran) this.report(`a visitor reads the site of ${repository.fullName}, which was private when an update ran`)
    }
  }

  /** Once a commit without errors was published, only a person replaces it by one with errors. */
  async #visitProduction(store: Store, one: Watched, subdomain: string | undefined): Promise<void> {
    const shown = subdomain === undefined ? undefined : await store.sites.findShown({ subdomain })
    if (!shown) {
      one.hadGoodSite = false
      return
    }
    const { project, build } = shown
    if (this.contentOf(build.sha).errors === 0) one.hadGoodSite = true
    else if (one.hadGoodSite && !one.wishes.some(({ sha }) => sha === build.sha)) {
      const published = await store.sites.findPublished(project.id)
      if (published?.publishedBy !== 'push') return
      this.report(`${one.repository.fullName} shows ${build.sha.slice(0, 7)} with errors instead of a commit without`)
    }
  }

  report(violation: string): void {
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

  /** The sites of a repository that a visitor sees. */
  async findPublic(store: Store, one: Watched): Promise<readonly string[]> {
    const shown: string[] = []
    for (const subdomain of this.#subdomains.get(one) ?? []) {
      const { isPublic } = await store.sites.findOwner({ subdomain })
      const site = isPublic ? await store.sites.findShown({ subdomain }) : undefined
      if (site) shown.push(site.build.sha)
    }
    return shown
  }

  /** Something changed on GitHub, or is disturbed for a while. */
  noteChange(forMs = 0): void {
    const { nowMs } = this.time
    this.#troubledMs += Math.max(0, nowMs + forMs - Math.max(nowMs, this.#calmSinceMs))
    this.#calmSinceMs = Math.max(this.#calmSinceMs, nowMs + forMs)
    for (const one of this.watched) {
      if (isAway(one)) one.awaySinceMs ??= nowMs
      else if (one.awaySinceMs !== undefined) {
        this.#troubledMs += nowMs - one.awaySinceMs
        one.awaySinceMs = undefined
      }
    }
  }

  get isDisturbed(): boolean {
    return this.#calmSinceMs > this.time.nowMs
  }

  /** Ends all disturbances. */
  heal(): void {
    this.note('everything works again')
    const { nowMs } = this.time
    this.github.trouble = undefined
    for (const { trouble } of this.processes) trouble.untilMs = 0
    if (this.bucket) this.bucket.trouble.untilMs = 0
    this.diskFullUntilMs = 0
    this.#troubledMs -= Math.max(0, this.#calmSinceMs - nowMs)
    this.#calmSinceMs = nowMs
  }

  /**
   * Runs until the promises of the app are kept, at the latest until they have to be.
   *
   * @param forMs Runs at least as long.
   * @param find Finds those that are not.
   */
  async expectQuiet(forMs: number, find: (world: World) => Promise<readonly string[]>): Promise<void> {
    const startMs = this.time.nowMs
    for (;;) {
      if (this.github.underway > 0) this.noteChange()
      this.forgetEnded()
      // A process that could not start is started again.
      await this.start()
      await this.scheduler.run({ untilMs: this.time.nowMs + 10_000 })
      await this.visit()
      if (this.time.nowMs < startMs + forMs) continue
      const promisedMs = promisedWithinMs + longestWaitShare * this.#troubledMs + (this.github.gone.size > 0 ? triedForMs : 0)
      const knownSinceMs = Math.max(this.#calmSinceMs, this.github.arrivedAtMs)
      const isLate = this.github.underway === 0 && this.time.nowMs > knownSinceMs + promisedMs
      const stats = await this.look((store) => store.queue.stats())
      // The work of an installation without access waits until it has it again.
      const isEmpty = stats !== undefined && stats.waiting + stats.leased + stats.delayed === 0
      const isIdle = (isEmpty || this.watched.some(isAway)) && this.github.underway === 0
      if (!isIdle && !isLate) continue
      const violations = [...(await find(this)), ...(isIdle ? [] : ['the queue does not become empty'])]
      if (violations.length > 0 && !isLate) continue
      for (const violation of violations) this.report(violation)
      if (violations.length === 0) this.#troubledMs = 0
      return
    }
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    for (const process of this.processes) await process.kill()
    this.forgetEnded()
  }
}

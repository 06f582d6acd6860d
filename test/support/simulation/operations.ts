import { noFiles, planUpdates } from '../../../src/app/github-events/webhooks/plan.ts'
import { publishSite } from '../../../src/app/publish/publish-site.ts'
import type { FakePush, FakeRepository } from '../fake-github/fake-repository.ts'
import {
  toCheckRunEvent,
  toInstallationEvent,
  toInstallationRepositoriesEvent,
  toPullRequestEvent,
  toRepositoryEvent,
} from '../fake-github/payloads.ts'
import type { FakePullRequest } from '../fake-github/types.ts'
import { createRandom, type Random } from '../random.ts'
import { findViolations } from './invariants.ts'
import { refusedNames, type Trouble } from './simulated-github.ts'
import type { Quality } from './simulated-programs.ts'
import { isAway, isRemoved, type Watched, type World } from './world.ts'

type OperationKind = keyof typeof operations

/** One step of a history. What it does depends only on its seed and on the state of the world. */
export interface Operation {
  readonly kind: OperationKind
  readonly seed: number
  /** What runs until the next one: a number of calls, or milliseconds of the clock. */
  readonly pause: { readonly steps: number } | { readonly ms: number }
}

interface Step {
  readonly world: World
  readonly random: Random
  readonly one: Watched
}

/** Returns a description, or `undefined` if it was not possible. */
type Apply = (step: Step) => Promise<string | undefined> | string | undefined

const operations = {
  push: (step) => pushTo(step, pickBranch(step)),
  'double-push': (step) => {
    const branch = step.random() < 0.7 ? step.one.repository.defaultBranch : pickBranch(step)
    return [pushTo(step, branch), pushTo(step, branch)].join(', then ')
  },
  'force-push': (step) => {
    const { repository } = step.one
    const branch = pickBranch(step)
    const parent = parentOf(repository, repository.tip(branch))
    return parent === undefined ? undefined : `force: ${pushTo(step, branch, parent)}`
  },
  'force-back': forceBack,
  'back-and-forth': moveBackAndForth,
  'merge-branch': (step) => {
    const { repository } = step.one
    const tip = repository.tip('topic')
    if (tip === undefined || tip === repository.tip(repository.defaultBranch)) return undefined
    return moveTo(step, repository.defaultBranch, tip)
  },
  'delete-branch': deleteBranch,
  'open-pull': openPull,
  'open-fork-pull': openForkPull,
  'push-fork': pushFork,
  'close-pull': closePull,
  'default-branch': changeDefaultBranch,
  rename: renameRepository,
  visibility: changeVisibility,
  remove: removeRepository,
  add: addRepository,
  suspend: suspendInstallation,
  uninstall: uninstallApp,
  rerun: rerunCheck,
  rollback: rollBack,
  trigger: triggerUpdate,
  redeliver: ({ world, random }) => {
    const { deliveries } = world.github
    if (deliveries.length === 0) return undefined
    const delivery = random.of(deliveries)
    world.github.redeliver(delivery)
    return `a person redelivers ${delivery.guid}`
  },
  trouble: ({ world, random }) => {
    const ms = Math.floor(random() * (random() < 0.3 ? 600_000 : 60_000))
    const rate = random.of([0.1, 0.3, 1])
    disturb(world, ms, { rate })
    return `${rate * 100} % of the requests to GitHub fail for ${Math.ceil(ms / 1_000)} s`
  },
  slowness: ({ world, random }) => {
    disturb(world, 60_000, { rate: random.of([0.3, 0.7]), slowMs: 10_000 })
    return 'GitHub takes up to 10 s for what the app writes, for 60 s'
  },
  refusals: ({ world, random }) => {
    const refused = random.of(refusedNames)
    const left = 1 + Math.floor(random() * 4)
    const isShort = random() < 0.3
    const longestMs = refused === 'new commits' ? 5_000 : random() < 0.3 ? 600_000 : 60_000
    const ms = isShort ? Math.min(longestMs, 60_000) : Math.floor(random() * longestMs)
    const rate = random.of([0.3, 1])
    disturb(world, ms, { rate, refused, ...(isShort && { left }) })
    return `GitHub refuses ${refused}, ${isShort ? `${left} times` : `${rate * 100} % for ${Math.ceil(ms / 1_000)} s`}`
  },
  'forget-commits': ({ world, one: { repository, fork } }) => {
    const kept = new Set<string>()
    const heads = repository.pullRequests.map((pull) => repository.headOf(pull))
    for (const tip of [...repository.branches.values(), ...fork.branches.values(), ...heads])
      for (const sha of [tip, ...repository.git.ancestors(tip)]) kept.add(sha)
    const lost = [...world.contents.keys()].filter(
      (sha) => repository.git.find(sha) && !kept.has(sha) && !world.github.gone.has(sha),
    )
    for (const sha of lost) world.github.gone.add(sha)
    return lost.length === 0 ? undefined : `GitHub forgets ${lost.map(short).join(', ')}`
  },
  'store-trouble': ({ world, random }) => {
    const process = world.processes.length > 0 && random.of(world.processes)
    if (!process) return undefined
    const ms = Math.floor(random() * (random() < 0.3 ? 300_000 : 20_000))
    const how = { rate: random.of([0.1, 0.5, 1]), isHanging: random() < 0.5 }
    Object.assign(process.trouble, { untilMs: world.time.nowMs + ms, ...how })
    world.noteChange(ms)
    const fail = how.isHanging ? 'hang' : 'fail'
    return `${how.rate * 100} % of the calls of ${process.name} to the store ${fail} for ${Math.ceil(ms / 1_000)} s`
  },
  'bucket-trouble': ({ world, random }) => {
    const ms = 60_000 + Math.floor(random() * 900_000)
    const rate = random.of([0.3, 1])
    if (!world.bucket) return undefined
    Object.assign(world.bucket.trouble, { untilMs: world.time.nowMs + ms, rate })
    world.noteChange(ms)
    return `${rate * 100} % of the requests to the bucket fail for ${Math.ceil(ms / 1_000)} s`
  },
  'full-disk': ({ world, random }) => {
    const ms = 60_000 + Math.floor(random() * 240_000)
    world.diskFullUntilMs = world.time.nowMs + ms
    world.noteChange(ms)
    return `the disk of the workers is full for ${Math.ceil(ms / 1_000)} s`
  },
  'lose-locks': ({ world, random }) => {
    const process = world.processes.length > 0 && random.of(world.processes)
    if (!process || !world.hasSeveralProcesses) return undefined
    process.loseLocks()
    return `${process.name} loses its connection with locks`
  },
  stop: async ({ world, random }) => {
    const process = world.processes.length > 0 && random.of(world.processes)
    if (!process) return undefined
    await world.stop(process)
    return `stop ${process.name}`
  },
  kill: async ({ world, random }) => {
    const process = world.processes.length > 0 && random.of(world.processes)
    if (!process) return undefined
    await process.kill()
    world.forgetEnded()
    return `kill ${process.name}`
  },
  settings: async ({ world }) => {
    await world.switchHosting()
    return `start all processes ${world.hasHosting ? 'with' : 'without'} sites`
  },
  'stop-all': async ({ world }) => {
    if (world.processes.length === 0) return undefined
    while (world.processes[0]) await world.stop(world.processes[0])
    return 'stop all processes'
  },
  start: async ({ world }) => {
    await world.start()
    return 'start all processes'
  },
  'lose-data': async ({ world }) => {
    for (const process of world.processes) await process.kill()
    world.forgetEnded()
    await world.clear()
    for (const one of world.watched) {
      addChances(one)
      one.arrivals.clear()
    }
    return 'kill all processes, and delete their data'
  },
  quiet: async ({ world }) => {
    if (world.isDisturbed || world.layers === 'comparison' || !world.hasHosting) return undefined
    await world.expectQuiet(0, findViolations)
    return 'nothing, until all promises are kept'
  },
  wait: () => 'nothing',
} as const satisfies Readonly<Record<string, Apply>>

/** Does an operation, and lets the world run afterwards. Returns its description. */
export async function applyOperation(world: World, { kind, seed, pause }: Operation): Promise<string | undefined> {
  const random = createRandom(seed)
  const done = await operations[kind]({
    world,
    random,
    one: random() < 0.75 ? (world.watched[0] as Watched) : (world.watched[1] as Watched),
  })
  if (done !== undefined) world.note(`--- ${done}`)
  world.noteChange()
  const { nowMs } = world.time
  await world.scheduler.run('steps' in pause ? { steps: pause.steps, untilMs: nowMs + 600_000 } : { untilMs: nowMs + pause.ms })
  await world.visit()
  return done
}

const weights: readonly (readonly [OperationKind, number])[] = [
  ['push', 18],
  ['double-push', 6],
  ['force-push', 4],
  ['force-back', 5],
  ['back-and-forth', 3],
  ['merge-branch', 3],
  ['delete-branch', 2],
  ['open-pull', 8],
  ['open-fork-pull', 8],
  ['push-fork', 14],
  ['close-pull', 6],
  ['default-branch', 2],
  ['rename', 2],
  ['visibility', 5],
  ['remove', 1],
  ['add', 2],
  ['suspend', 2],
  ['uninstall', 1],
  ['rerun', 4],
  ['rollback', 3],
  ['trigger', 2],
  ['redeliver', 3],
  ['trouble', 4],
  ['slowness', 3],
  ['refusals', 6],
  ['forget-commits', 1],
  ['store-trouble', 2],
  ['bucket-trouble', 2],
  ['full-disk', 2],
  ['stop', 3],
  ['kill', 5],
  ['stop-all', 5],
  ['settings', 2],
  ['start', 8],
  ['lose-data', 1],
  ['quiet', 4],
  ['wait', 5],
]

/** Operations that interrupt the app, or the network. */
const disturbing: ReadonlySet<OperationKind> = new Set([
  'trouble',
  'slowness',
  'refusals',
  'forget-commits',
  'store-trouble',
  'bucket-trouble',
  'full-disk',
  'lose-locks',
  'stop',
  'kill',
  'stop-all',
  'settings',
  'start',
  'lose-data',
  'redeliver',
])

/**
 * The operations of a history. After a downtime there are pushes, then a start.
 *
 * @param options.isShared Whether several processes use the database.
 */
export function createOperations(
  seed: number,
  { isCalm, isShared }: { readonly isCalm: boolean; readonly isShared: boolean },
): readonly Operation[] {
  const random = createRandom(seed)
  const possible: typeof weights = isShared ? [...weights, ['lose-locks', 15]] : weights
  const chosen = isCalm ? possible.filter(([kind]) => !disturbing.has(kind)) : possible
  const toPause = () => {
    const length = random()
    if (length < 0.35) return { steps: Math.floor(random() * 12) }
    if (length < 0.5) return { steps: Math.floor(random() * 80) }
    if (length < 0.8) return { ms: Math.floor(random() * 8_000) }
    return { ms: Math.floor(random() * (random() < 0.2 ? 900_000 : 120_000)) }
  }
  const create = (kind: OperationKind): Operation => ({ kind, seed: Math.floor(random() * 2 ** 32), pause: toPause() })
  const total = chosen.reduce((sum, [, weight]) => sum + weight, 0)
  const pick = () => {
    let left = random() * total
    for (const [kind, weight] of chosen) {
      left -= weight
      if (left < 0) return kind
    }
    return 'wait'
  }
  const count = 5 + Math.floor(random() * 16)
  const all: Operation[] = [{ kind: 'start', seed: 1, pause: random() < 0.8 ? { ms: 60_000 } : toPause() }]
  if (random() < 0.4) all.push(create('open-fork-pull'))
  while (all.length < count) {
    const kind = pick()
    all.push(create(kind))
    const isDown = kind === 'stop-all' || kind === 'lose-data' || kind === 'kill'
    if (!isDown || random() < 0.3) continue
    for (let pushes = Math.floor(random() * 4); pushes > 0; pushes--) all.push(create('push'))
    all.push(create('start'))
  }
  return all
}

/** GitHub sends webhooks only to an app that is installed and not suspended. */
function send({ world, random, one }: Step, event: string, payload: object, what: string, isForced = false): string {
  const { repository } = one
  if (!isForced && isAway(one)) {
    for (const pull of repository.pullRequests) one.missed.add(repository.headOf(pull))
    return `${what} (no webhook: the app is not installed)`
  }
  const { privatizedCount } = one
  // Webhooks about an installation list its repositories.
  const isListed = event !== 'installation' || repository.installation?.repositories.includes(repository) === true
  const tellsPrivate = repository.private && isListed
  const onAccepted = () => {
    if (event === 'pull_request') {
      const { sha } = (payload as PullRequestEvent).pull_request.head
      // The app confirms with GitHub that it was removed from the repository since, and ignores what was sent before, like what was not sent.
      if (isRemoved(one)) one.missed.add(sha)
      if (!one.arrivals.has(sha)) one.arrivals.set(sha, { atMs: world.time.nowMs, isAway: isAway(one) })
    }
    if (!tellsPrivate || one.notifiedCount >= privatizedCount) return
    one.notifiedCount = privatizedCount
    one.notifiedAtMs = world.time.nowMs
  }
  const { delaysMs, how } = chooseFate(world, random, event === 'push' && (payload as PushEvent).created)
  world.github.send(event, payload, { delaysMs, onAccepted })
  return `${what} (${how})`
}

function disturb(world: World, ms: number, how: Omit<Trouble, 'untilMs'>) {
  world.github.trouble = { untilMs: world.time.nowMs + ms, ...how }
  world.noteChange(ms)
}

/** When a webhook arrives: in time, late, twice, or never. The comparison alone has to know the other branches. */
function chooseFate(
  { isCalm, layers }: World,
  random: Random,
  isNewBranch: boolean,
): { readonly delaysMs: readonly number[]; readonly how: string } {
  if (layers === 'comparison' && !isNewBranch) return { delaysMs: [], how: 'no webhook' }
  if (isCalm || layers === 'comparison') return { delaysMs: [0], how: 'webhook at once' }
  const fate = random()
  const delayMs = Math.floor(random() * 1_500)
  const lateMs = Math.floor(random() * (random() < 0.3 ? 600_000 : 60_000))
  if (fate < 0.6) return { delaysMs: [delayMs], how: `webhook after ${delayMs} ms` }
  if (fate < 0.78) return { delaysMs: [lateMs], how: `webhook after ${lateMs} ms` }
  if (fate < 0.9) return { delaysMs: [], how: 'webhook lost' }
  return { delaysMs: [delayMs, lateMs], how: `webhook after ${delayMs} ms and again after ${lateMs} ms` }
}

/** The parts of payloads that this file reads. */
interface PushEvent {
  readonly ref: string
  readonly after: string
  readonly created: boolean
}
interface PullRequestEvent {
  readonly pull_request: { readonly head: { readonly sha: string } }
}

function pickBranch({ world, random, one: { repository } }: Step): string {
  return random() < (world.layers === 'comparison' ? 0.4 : 0.65) ? repository.defaultBranch : random.of(['main', 'topic', 'next'])
}

/** @param errors The part of the commits with errors. */
function pickQuality(random: Random, errors = 0.22): Quality {
  if (random() < errors) return 'errors'
  const chosen = random()
  return chosen < 0.84 ? 'valid' : chosen < 0.9 ? 'refused' : chosen < 0.95 ? 'stopped' : 'no-docs'
}

function pushTo(step: Step, branch: string, parent?: string): string {
  const { world, random, one } = step
  const { repository } = one
  const quality = pickQuality(random)
  const from = parent ?? repository.tip(branch) ?? repository.tipOf(repository.defaultBranch)
  const push = world.commit(repository, branch, quality, from)
  return sendPush(step, push, `push ${short(push.after)} (${quality}) to ${repository.fullName} ${branch}`)
}

function moveTo(step: Step, branch: string, sha: string): string {
  const { repository } = step.one
  return sendPush(step, repository.moveBranch(branch, sha), `move ${repository.fullName} ${branch} to ${short(sha)}`)
}

function toBranch({ ref }: Pick<PushEvent, 'ref'>): string {
  return ref.slice('refs/heads/'.length)
}

function sendPush(step: Step, push: FakePush, what: string): string {
  const { one, world } = step
  const { repository } = one
  const branch = toBranch(push)
  addChance(one, push.after)
  // Pull requests are compared again with another base.
  if (push.forced) addChances(one)
  if (branch === repository.defaultBranch) noteTip(step)
  const lines = [send(step, 'push', repository.pushPayload(push), what)]
  for (const pull of repository.pullRequests) {
    if (pull.state !== 'open' || pull.head !== branch || pull.headRepository !== repository.fullName) continue
    const payload = toPullRequestEvent(world.github, repository, 'synchronize', pull, push.before)
    lines.push(send(step, 'pull_request', payload, `#${pull.number} moves`))
  }
  return lines.join(', ')
}

function noteTip({ one, world }: Step): void {
  const { repository } = one
  const tip = repository.tipOf(repository.defaultBranch)
  one.isTipAgain = one.tips.has(tip)
  // A run may find a tip before its webhook arrives. If the branch comes back to it, each of both pushes may be a new one.
  if (one.isTipAgain) addChance(one, tip, 2)
  one.tips.add(tip)
  one.tipMovedAtMs = world.time.nowMs
  // GitHub counts a pull request as merged when its base reaches its head.
  for (const pull of repository.pullRequests) if (repository.headOf(pull) === tip) pull.state = 'closed'
}

/** A commit may get another check. */
function addChance(one: Watched, sha: string, count = 1): void {
  one.chances.set(sha, (one.chances.get(sha) ?? 0) + count)
}

function addChances(one: Watched): void {
  for (const sha of one.chances.keys()) addChance(one, sha)
}

function parentOf(repository: FakeRepository, sha: string | undefined): string | undefined {
  return sha === undefined ? undefined : repository.git.commit(sha).parents[0]
}

function short(sha: string): string {
  return sha.slice(0, 7)
}

function forceBack(step: Step): string | undefined {
  const { repository } = step.one
  const branch = pickBranch(step)
  const tip = repository.tip(branch)
  const parent = parentOf(repository, tip)
  if (tip === undefined || parent === undefined) return undefined
  return moveTo(step, branch, parent)
}

/** Pushes a commit, and moves the branch back and forth, while updates run. */
async function moveBackAndForth(step: Step): Promise<string> {
  const { world, one } = step
  const { repository } = one
  const branch = repository.defaultBranch
  const before = repository.tipOf(branch)
  const done = [pushTo(step, branch)]
  for (const sha of [before, repository.tipOf(branch)]) {
    await world.scheduler.run({ untilMs: world.time.nowMs + 20_000 })
    done.push(moveTo(step, branch, sha))
  }
  return done.join(', then ')
}

function deleteBranch(step: Step): string | undefined {
  const { repository } = step.one
  const branch = [...repository.branches.keys()].find((name) => name !== repository.defaultBranch)
  if (branch === undefined) return undefined
  for (const pull of repository.pullRequests) {
    const isHead = pull.head === branch && pull.headRepository === repository.fullName
    if (!isHead && pull.base !== branch) continue
    // GitHub closes the pull requests from and into a deleted branch, and remembers their commits.
    repository.headOf(pull)
    repository.baseOf(pull)
    pull.state = 'closed'
  }
  const push = repository.deleteBranch(branch)
  return send(step, 'push', repository.pushPayload(push), `delete ${repository.fullName} ${branch}`)
}

function openPull(step: Step): string | undefined {
  const { world, random, one } = step
  const { repository } = one
  const branch = [...repository.branches.keys()].find(
    (name) =>
      name !== repository.defaultBranch && !repository.pullRequests.some(({ head, state }) => head === name && state === 'open'),
  )
  if (branch === undefined) return undefined
  const pull = repository.openPullRequest({ head: branch })
  const opened = sendOpened(step, pull, world)
  // A person also closes it, and opens it again at once.
  return random() < 0.5 ? opened : `${opened}, ${sendOpened(step, pull, world, 'reopened')}`
}

function openForkPull(step: Step): string | undefined {
  const { world, random, one } = step
  const { repository, fork } = one
  if (repository.pullRequests.some(({ headRepository, state }) => headRepository === fork.fullName && state === 'open'))
    return undefined
  world.commit(fork, 'change', pickQuality(random, 0.5), fork.tip('change') ?? fork.tipOf('main'))
  return sendOpened(step, repository.openPullRequest({ head: 'change', headRepository: fork, author: 'ada' }), world)
}

function sendOpened(step: Step, pull: FakePullRequest, world: World, action: 'opened' | 'reopened' = 'opened'): string {
  const { repository } = step.one
  const sha = repository.headOf(pull)
  addChance(step.one, sha)
  const payload = toPullRequestEvent(world.github, repository, action, pull)
  return send(
    step,
    'pull_request',
    payload,
    `${action} ${repository.fullName}#${pull.number} of ${pull.headRepository} at ${short(sha)}`,
  )
}

function pushFork(step: Step): string | undefined {
  const { world, random, one } = step
  const { repository, fork } = one
  const pull = repository.pullRequests.find(({ headRepository, state }) => headRepository === fork.fullName && state === 'open')
  if (!pull) return undefined
  const quality = pickQuality(random, 0.5)
  const push = world.commit(fork, 'change', quality, undefined)
  addChance(one, push.after)
  const payload = toPullRequestEvent(world.github, repository, 'synchronize', pull, push.before)
  return send(step, 'pull_request', payload, `push ${short(push.after)} (${quality}) to the fork, #${pull.number} moves`)
}

function closePull(step: Step): string | undefined {
  const { world, random, one } = step
  const { repository } = one
  if (repository.pullRequests.length === 0) return undefined
  const pull = random.of(repository.pullRequests)
  if (pull.state === 'closed') {
    const isThere = world.github.repository(pull.headRepository).tip(pull.head) !== undefined
    const isTaken = repository.pullRequests.some(
      (other) => other.state === 'open' && other.head === pull.head && other.headRepository === pull.headRepository,
    )
    if (!isThere || isTaken || pull.head === repository.defaultBranch) return undefined
    pull.state = 'open'
    return sendOpened(step, pull, world, 'reopened')
  }
  const comment = repository.comments.findIndex(({ issueNumber }) => issueNumber === pull.number)
  // Also a pull request with a comment is closed, but less often.
  if (random() < (comment === -1 ? 0.5 : 0.8) && !isAway(one) && world.layers !== 'comparison') {
    if (comment !== -1) repository.comments.splice(comment, 1)
    // The next job for the comment begins while GitHub takes the first one.
    if (!world.isDisturbed) disturb(world, 20_000, { rate: 1, slowMs: 10_000 })
    const reopened = toPullRequestEvent(world.github, repository, 'reopened', pull)
    for (const delayMs of [0, 2_500, 5_000, 7_500, 10_000])
      world.github.send('pull_request', reopened, { delaysMs: [delayMs], onAccepted: () => undefined })
    return `delete the comment on ${repository.fullName}#${pull.number}, close and open it five times while GitHub is slow`
  }
  pull.state = 'closed'
  const payload = toPullRequestEvent(world.github, repository, 'closed', pull)
  return send(step, 'pull_request', payload, `close ${repository.fullName}#${pull.number}`)
}

function changeDefaultBranch(step: Step): string | undefined {
  const { world, one } = step
  const { repository } = one
  const branch = [...repository.branches.keys()].find((name) => name !== repository.defaultBranch)
  if (branch === undefined) return undefined
  repository.defaultBranch = branch
  for (const pull of repository.pullRequests)
    if (pull.head === branch && pull.headRepository === repository.fullName) pull.state = 'closed'
  noteTip(step)
  addChance(one, repository.tipOf(branch))
  const payload = { ...toRepositoryEvent(world.github, repository, 'privatized'), action: 'edited' }
  return send(step, 'repository', payload, `make ${branch} the default branch of ${repository.fullName}`)
}

function renameRepository(step: Step): string {
  const { world, one } = step
  const { repository } = one
  const taken = new Set(world.watched.map((other) => other.repository.name))
  const before = repository.fullName
  repository.name = step.random.of(['api', 'sdk', 'pets'].filter((name) => !taken.has(name)))
  world.github.formerNames.set(before, repository)
  // Also in the pull requests of branches of this repository.
  for (const pull of repository.pullRequests) {
    if (pull.headRepository === before) Object.assign(pull, { headRepository: repository.fullName })
  }
  const payload = toRepositoryEvent(world.github, repository, 'renamed')
  return send(step, 'repository', payload, `rename ${before} to ${repository.fullName}`)
}

function changeVisibility(step: Step): string {
  const { world, one } = step
  const { repository } = one
  repository.private = !repository.private
  if (repository.private) {
    one.privatizedCount += 1
    one.privatizedAtMs = world.time.nowMs
  }
  const action = repository.private ? 'privatized' : 'publicized'
  return send(step, 'repository', toRepositoryEvent(world.github, repository, action), `${repository.fullName} is ${action}`)
}

function removeRepository(step: Step): string | undefined {
  const { world, one } = step
  const { repository } = one
  if (isAway(one) || !repository.installation) return undefined
  const { installation } = repository
  installation.repositories.splice(installation.repositories.indexOf(repository), 1)
  const payload = toInstallationRepositoriesEvent(world.github, installation, 'removed', [repository])
  return send(step, 'installation_repositories', payload, `remove ${repository.fullName} from the installation`, true)
}

function addRepository(step: Step): string | undefined {
  const { world } = step
  const one = world.watched.find(
    ({ repository: { installation }, repository }) =>
      installation && !installation.deleted && !installation.repositories.includes(repository),
  )
  const installation = one?.repository.installation
  if (!one || !installation) return undefined
  installation.repositories.push(one.repository)
  addChances(one)
  if (installation.suspended) return `add ${one.repository.fullName} to the suspended installation`
  const payload = toInstallationRepositoriesEvent(world.github, installation, 'added', [one.repository])
  return send({ ...step, one }, 'installation_repositories', payload, `add ${one.repository.fullName} to the installation`, true)
}

function suspendInstallation(step: Step): string | undefined {
  const { installation } = step.one.repository
  if (!installation || installation.deleted) return undefined
  installation.suspended = !installation.suspended
  const action = installation.suspended ? 'suspend' : 'unsuspend'
  // What could not be read is repeated.
  if (!installation.suspended) for (const one of step.world.watched) addChances(one)
  return send(step, 'installation', toInstallationEvent(step.world.github, installation, action), action, true)
}

/** Uninstalls the app, or installs it again. */
function uninstallApp(step: Step): string | undefined {
  const { world } = step
  const { installation } = step.one.repository
  if (!installation) return undefined
  if (!installation.deleted) {
    installation.deleted = true
    return send(step, 'installation', toInstallationEvent(world.github, installation, 'deleted'), 'uninstall the app', true)
  }
  const again = world.github.createInstallation(installation.account, installation.permissions)
  for (const one of world.watched) {
    one.repository.installation = again
    again.repositories.push(one.repository)
    addChances(one)
  }
  return send(step, 'installation', toInstallationEvent(world.github, again, 'created'), 'install the app again', true)
}

function rerunCheck(step: Step): string | undefined {
  const { world, random, one } = step
  const { repository } = one
  if (repository.checkRuns.length === 0) return undefined
  const run = random.of(repository.checkRuns)
  addChance(one, run.headSha)
  const payload = toCheckRunEvent(world.github, repository, run, { action: 'rerequested' }, 'octocat')
  return send(step, 'check_run', payload, `re-run the check of ${short(run.headSha)}`)
}

async function rollBack({ world, random, one }: Step): Promise<string | undefined> {
  const serving = world.processes.filter(({ isServing }) => isServing)
  const [project] = (await world.look((store) => store.projects.findByRepository(one.repository.id))) ?? []
  const builds =
    project && (await world.look((store) => store.sites.list(project.id, { ref: `refs/heads/${project.defaultBranch}` })))
  if (!project || !builds || builds.length === 0 || serving.length === 0) return undefined
  const { sha } = random.of(builds)
  const isDone = random
    .of(serving)
    .request((context) => publishSite(context, project, sha, 'github:octocat'))
    .then(({ kind }) => {
      if (kind !== 'not-found') one.wishes.push({ sha, atMs: world.time.nowMs })
    })
  isDone.catch(() => undefined)
  return `a person publishes ${short(sha)} of ${one.repository.fullName}`
}

async function triggerUpdate({ world, random, one }: Step): Promise<string | undefined> {
  const serving = world.processes.filter(({ isServing }) => isServing)
  const [project] = (await world.look((store) => store.projects.findByRepository(one.repository.id))) ?? []
  if (!project || serving.length === 0) return undefined
  const requestedAtTip = one.repository.tipOf(one.repository.defaultBranch)
  const sha = random() < 0.5 ? requestedAtTip : random.of([...one.tips])
  const atMs = world.time.nowMs
  addChance(one, sha)
  const isDone = random.of(serving).request(async (context) => {
    const commit = { sha, ref: `refs/heads/${project.defaultBranch}`, message: 'Trigger', filesChanged: noFiles }
    const details = { trigger: 'api', requestedAtTip } as const
    const updates = planUpdates(context, [project], { commit, author: 'octocat', details, once: 'always' })
    await context.store.accept({ updates })
    one.wishes.push({ sha, atMs })
  })
  isDone.catch(() => undefined)
  return `trigger an update of ${short(sha)} of ${one.repository.fullName}`
}

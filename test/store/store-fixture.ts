import { type EndedUpdate, finishUpdate, type Project, queueUpdate, type RunningUpdate } from '../../src/status/update-record.ts'
import type { StoreLimits } from '../../src/store/database/store-database.ts'
import type { AcceptResult, LeasedJob, NewUpdate } from '../../src/store/queue/jobs.ts'
import type { ProjectFacts, StoredUpdate } from '../../src/store/records/stored-records.ts'
import type { Store } from '../../src/store/store.ts'

/** What the contract tests need of a database: an empty store, and more connections to the same one. */
interface StoreUnderTest {
  readonly store: Store
  /** Opens the same store again, as another process would. Closed with the first one. */
  openAgain(): Promise<Store>
}

export type OpenStore = (options: {
  readonly now: () => number
  readonly limits?: Partial<StoreLimits>
}) => Promise<StoreUnderTest>

export const startOfTests = Date.parse('2026-11-20T07:00:00.000Z')

/** A clock that only the test moves. */
export function createClock(): { readonly now: () => number; advance(ms: number): void } {
  let timeMs = startOfTests
  return {
    now: () => timeMs,
    advance(ms) {
      timeMs += ms
    },
  }
}

export function toSha(number: number): string {
  return number.toString(16).padStart(40, '0')
}

export async function addProject(store: Store, facts: Partial<ProjectFacts> = {}): Promise<Project> {
  const { repositoryId = 100, root = '' } = facts
  const usual = { owner: 'acme', repo: `api-${repositoryId}`, hasDocsConfig: true, defaultBranch: 'main', private: false }
  await store.projects.apply([
    { kind: 'upsert', project: { ...usual, installationId: 1, repositoryId, root, ...facts } as ProjectFacts },
  ])
  const project = (await store.projects.findByRepository(repositoryId)).find((candidate) => candidate.root === root)
  if (!project) throw new Error('The project was not stored')
  return project
}

/** The records of all projects that have not ended, oldest first: at most 100 of each project. */
export async function listOpen(store: Store): Promise<readonly StoredUpdate[]> {
  const lists = (await store.projects.list()).map(({ id }) => store.statuses.list(id, { limit: 100 }))
  const updates = (await Promise.all(lists)).flatMap((list) => list?.updates ?? [])
  return updates.filter(({ update }) => update.endedAt === undefined).sort((a, b) => (a.update._id < b.update._id ? -1 : 1))
}

/** A record as a push creates it. */
export function newPush(
  store: Store,
  project: Project,
  push: {
    readonly now: () => number
    readonly sha?: number
    readonly before?: number
    readonly ref?: string
    readonly once?: NewUpdate['once']
  },
): NewUpdate {
  return {
    update: queueUpdate({
      id: store.newId(),
      projectId: project.id,
      subdomain: project.subdomain,
      createdAt: new Date(push.now()).toISOString(),
      author: 'octocat',
      commit: {
        sha: toSha(push.sha ?? 1),
        ref: push.ref ?? 'refs/heads/main',
        message: 'docs: describe pets',
        filesChanged: { added: [], modified: ['openapi.yaml'], removed: [] },
      },
      source: 'github-app-installation',
    }),
    details: { trigger: 'push', before: toSha(push.before ?? 9_999_999) },
    once: push.once ?? 'push',
  }
}

/** The ID of the only record that an `accept` created. */
export function toCreatedId(result: AcceptResult): string {
  const accepted = result.kind === 'accepted' ? result.updates[0] : undefined
  if (accepted?.outcome !== 'created' || accepted.statusId === undefined)
    throw new Error(`Not created: ${JSON.stringify(result)}`)
  return accepted.statusId
}

export type UpdateJob = Exclude<LeasedJob, { kind: 'task' }> & { readonly validationOnly?: boolean }

/** The next job after the promises to show checks of updates that have not ended, which are kept. */
export async function claimNext(store: Store, worker = 'worker-1', leaseMs = 30_000): Promise<LeasedJob | undefined> {
  const job = await store.queue.claim({ worker, leaseMs })
  if (job?.kind !== 'wanted' || job.stored.update.endedAt !== undefined) return job
  await store.queue.complete(job.lease)
  return await claimNext(store, worker, leaseMs)
}

export async function claimUpdate(store: Store, worker?: string, leaseMs?: number): Promise<UpdateJob> {
  const job = await claimNext(store, worker, leaseMs)
  if (!job || job.kind === 'task') throw new Error(`Expected an update, got ${JSON.stringify(job)}`)
  return job
}

/** The record of a job after the start, as its worker has it. */
export function toRunning(job: UpdateJob): RunningUpdate {
  const { update } = job.stored
  if (update.status === 'queued') return { ...update, status: 'in_progress', summary: 'Checking' }
  if (update.status === 'in_progress') return update
  throw new Error(`The update has ended: ${update.summary}`)
}

/** The record of a job after a successful run. */
export function toSucceeded(job: UpdateJob, now: () => number): EndedUpdate {
  return finishUpdate(toRunning(job), { status: 'success', summary: 'Valid.', endedAt: new Date(now()).toISOString() })
}

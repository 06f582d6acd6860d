import type { StoredUpdate } from '../../src/store/records/stored-records.ts'
import type { Store } from '../../src/store/store.ts'
import type { Observations, Sample } from './clients.ts'
import type { GitHubState, SentDelivery } from './github-process.ts'

/** A time in which a process was killed or the database had a failure. Milliseconds since 1970. */
export interface Disturbance {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** The way of a delivery through the app, in milliseconds. */
interface Passage {
  readonly sentAt: number
  readonly ackMs: number
  /** Until the record was `in_progress`; absent if it ended without a run. */
  readonly startMs?: number
  /** The part of `startMs` after the end of another update of the same branch. Only one of a branch runs at a time. */
  readonly freeStartMs?: number
  readonly endMs: number
}

/** All records of a store, oldest first. */
export async function readRecords(store: Store): Promise<StoredUpdate[]> {
  const records: StoredUpdate[] = []
  for (const { id } of await store.projects.list()) {
    for (let cursor: string | undefined; ; ) {
      const page = await store.statuses.list(id, { limit: 100, ...(cursor !== undefined && { cursor }) })
      records.push(...(page?.updates ?? []))
      cursor = page?.nextCursor
      if (cursor === undefined) break
    }
  }
  return records.toSorted((a, b) => (a.update._id < b.update._id ? -1 : 1))
}

/** The published commit of a project with a site. */
interface PublishedCommit {
  readonly projectId: string
  readonly repository: string
  readonly sha: string | undefined
}

export async function readSites(store: Store): Promise<PublishedCommit[]> {
  const sites: PublishedCommit[] = []
  for (const { id, owner, repo, hasDocsConfig } of await store.projects.list()) {
    if (!hasDocsConfig) continue
    const published = await store.sites.findPublished(id)
    sites.push({ projectId: id, repository: `${owner}/${repo}`, sha: published?.build.sha })
  }
  return sites
}

/** Sites that are not at the tip of the default branch, although the update of the tip succeeded. */
function findOldSites(sites: readonly PublishedCommit[], records: readonly StoredUpdate[], github: GitHubState): string[] {
  const tips = new Map(github.repositories.map(({ fullName, tip }) => [fullName, tip]))
  return sites.flatMap(({ projectId, repository, sha }) => {
    const tip = tips.get(repository)
    const ofTip = records.filter(({ update }) => update.projectId === projectId && update.commit.sha === tip)
    const mayStay = ofTip.length > 0 && ofTip.every(({ update }) => update.status === 'failure')
    return sha === tip || mayStay ? [] : [`${repository} at ${sha?.slice(0, 7)} instead of ${tip?.slice(0, 7)}`]
  })
}

const isAcknowledged = ({ status }: SentDelivery) => status >= 200 && status < 300

/** @returns A sentence for each promise that was broken. */
export function findProblems({
  seen,
  records,
  github,
  missing,
  jobs,
  sites,
}: {
  readonly seen: Observations
  readonly records: readonly StoredUpdate[]
  readonly github: GitHubState
  /** IDs of deliveries that the store does not have. */
  readonly missing: readonly string[]
  readonly jobs: { readonly waiting: number; readonly leased: number; readonly refused: number }
  readonly sites: readonly PublishedCommit[]
}): string[] {
  const problems: string[] = []
  const report = (what: string, items: readonly string[]) => {
    if (items.length > 0)
      problems.push(`${items.length} ${what}: ${items.slice(0, 5).join(', ')}${items.length > 5 ? ', …' : ''}`)
  }
  const byId = new Map(records.map((stored) => [stored.update._id, stored]))
  const known = new Set(records.map(({ update }) => update.commit.sha))
  const acknowledged = seen.deliveries.filter(isAcknowledged)
  report(
    'acknowledged deliveries without a record',
    acknowledged.filter(({ sha }) => !known.has(sha)).map(({ event, deliveryId }) => `${event} ${deliveryId}`),
  )
  const open = records.filter(({ update }) => update.endedAt === undefined)
  report(
    'records that have not ended',
    open.map(({ update }) => update._id),
  )
  report('deliveries that were never stored', missing)
  report(
    'records that failed because of a disturbance',
    records.filter(({ update }) => /stopped responding|tried \d+ times/.test(update.summary)).map(({ update }) => update._id),
  )
  report('production sites at an old commit', findOldSites(sites, records, github))
  report(
    'triggers without a record',
    seen.triggered.filter((id) => !byId.has(id)),
  )
  report('idempotency keys with several updates', seen.ambiguous)
  const ofGitHub = records.filter(({ update }) => update.source === 'github-app-installation')
  report(
    'commits with several records',
    findRepeated(ofGitHub.map(({ update: { projectId, commit } }) => `${projectId} ${commit.ref} ${commit.sha}`)),
  )
  const runs = github.repositories.flatMap(({ checkRuns }) => checkRuns)
  report('records with several check runs', findRepeated(runs.map(({ externalId, name }) => `${externalId} ${name}`)))
  report(
    'check runs that are not completed',
    runs.filter(({ status }) => status !== 'completed').map(({ externalId }) => externalId),
  )
  report(
    'check runs with repeated annotations',
    runs.filter((run) => run.repeatedAnnotations > 0).map((run) => run.externalId),
  )
  report('check runs with two conclusions', github.changedConclusions)
  const checked = new Set(runs.map(({ externalId }) => externalId))
  // A commit has the check of its newest record. While GitHub refuses, no older one is created.
  const hasNewerCheck = ({ update: { _id: id, projectId, commit } }: StoredUpdate) =>
    records.some(({ update: other }) => {
      return other.projectId === projectId && other.commit.sha === commit.sha && other._id > id && checked.has(other._id)
    })
  report(
    'records without a check run',
    records.filter((record) => !checked.has(record.update._id) && !hasNewerCheck(record)).map(({ update }) => update._id),
  )
  report(
    'check runs that differ from their record',
    runs.filter(({ externalId, conclusion }) => differs(byId.get(externalId), conclusion)).map(({ externalId }) => externalId),
  )
  for (const { fullName, comments, deployments, repeatedStatuses } of github.repositories) {
    const several = comments.filter(({ count }) => count > 1)
    report(
      `pull requests of ${fullName} with several comments`,
      several.map(({ pullNumber }) => `#${pullNumber}`),
    )
    report(
      `repeated deployments of ${fullName}`,
      findRepeated(deployments.map(({ sha, environment }) => `${sha} ${environment}`)),
    )
    if (repeatedStatuses > 0) problems.push(`${repeatedStatuses} repeated commit statuses of ${fullName}`)
  }
  report('unexpected requests to GitHub', github.unexpected)
  if (jobs.waiting + jobs.leased > 0) problems.push(`${jobs.waiting + jobs.leased} jobs are left`)
  if (jobs.refused > 0) problems.push(`GitHub refuses ${jobs.refused} jobs`)
  report(
    'responses that clients must not see',
    seen.samples.flatMap(({ kind, mistake }) => (mistake === undefined ? [] : [`${kind}: ${mistake}`])),
  )
  report(
    'internal errors',
    seen.samples.filter(({ outcome }) => outcome === 500 || outcome === 502).map(({ kind, outcome }) => `${kind} ${outcome}`),
  )
  report(
    'requests that hung',
    seen.samples.filter(({ outcome }) => outcome === 'timeout').map(({ kind }) => kind),
  )
  return problems
}

function differs(stored: StoredUpdate | undefined, conclusion: string | null): boolean {
  return stored !== undefined && conclusion !== (stored.details.checkConclusion ?? stored.update.status)
}

function findRepeated(values: readonly string[]): string[] {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const value of values) {
    if (seen.has(value)) repeated.add(value)
    seen.add(value)
  }
  return [...repeated]
}

const startLine = /^Checking \S+ of .+, started at (\S+)$/

/** The passages of the deliveries that created records. */
export function toPassages(deliveries: readonly SentDelivery[], records: readonly StoredUpdate[]): Passage[] {
  const first = new Map<string, SentDelivery>()
  for (const delivery of deliveries) {
    if (isAcknowledged(delivery) && !first.has(delivery.sha)) first.set(delivery.sha, delivery)
  }
  return records.flatMap(({ update }): Passage[] => {
    const delivery = first.get(update.commit.sha)
    if (!delivery || update.source !== 'github-app-installation' || update.endedAt === undefined) return []
    const { sentAt, durationMs: ackMs } = delivery
    const startedAt = readStart(update)
    const freeAt = startedAt === undefined ? sentAt : findFreeTime(records, { update, sentAt, startedAt })
    return [
      {
        sentAt,
        ackMs,
        ...(startedAt !== undefined && {
          startMs: Math.max(0, startedAt - sentAt),
          freeStartMs: Math.max(0, startedAt - freeAt),
        }),
        endMs: Date.parse(update.endedAt) - sentAt,
      },
    ]
  })
}

function readStart(update: StoredUpdate['update']): number | undefined {
  const startedAt = update.logs.map((line) => startLine.exec(line)?.[1]).find((at) => at !== undefined)
  return startedAt === undefined ? undefined : Date.parse(startedAt)
}

/** When the last other update ended that ran on the branch between the webhook and the start. */
function findFreeTime(
  records: readonly StoredUpdate[],
  { update, sentAt, startedAt }: { update: StoredUpdate['update']; sentAt: number; startedAt: number },
): number {
  const ends = records.flatMap(({ update: other }) => {
    if (other.projectId !== update.projectId || other.commit.ref !== update.commit.ref) return []
    const otherStartedAt = readStart(other)
    return otherStartedAt !== undefined && otherStartedAt < startedAt ? Date.parse(other.endedAt ?? '') : []
  })
  return Math.max(sentAt, ...ends.filter((end) => end <= startedAt))
}

export function isInside(at: number, disturbances: readonly Disturbance[]): boolean {
  return disturbances.some(({ from, to }) => at >= from && at <= to)
}

/** `NaN` for an empty list. */
export function toQuantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

interface SampleRow {
  readonly kind: string
  readonly count: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** `200: 940, 503: 12`. */
  readonly outcomes: string
}

/** One row for each kind of request. Times are of successful requests. */
export function toSampleRows(samples: readonly Sample[], seconds: number): SampleRow[] {
  const kinds = [...new Set(samples.map(({ kind }) => kind))].sort()
  return kinds.map((kind) => {
    const own = samples.filter((sample) => sample.kind === kind)
    const times = own.filter(({ outcome }) => typeof outcome === 'number' && outcome < 500).map(({ ms }) => ms)
    return {
      kind,
      count: own.length,
      perSecond: own.length / seconds,
      p50: toQuantile(times, 0.5),
      p99: toQuantile(times, 0.99),
      max: toQuantile(
        own.map(({ ms }) => ms),
        1,
      ),
      outcomes: toCounts(own.map(({ outcome }) => String(outcome))),
    }
  })
}

export function toCounts(values: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([value, count]) => `${value}: ${count}`)
    .join(', ')
}

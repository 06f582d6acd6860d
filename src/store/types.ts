import type { EndedUpdate, Project, QueuedUpdate, RunningUpdate, UpdateState, UpdateStatus } from '../status/types.ts'
import type { FinishedSite, NewPreviewApproval, PullHead, SiteStore } from './site-types.ts'

/**
 * Everything the app keeps, behind one set of ports: `openSqliteStore` today, PostgreSQL later, the same contract suite for both.
 *
 * All methods may be called from several processes on one store. A promise that resolved is on the disk: a kill of the process
 * or the machine does not undo it. All times are ISO 8601 in UTC with milliseconds and come from the clock given at opening.
 * Every method throws `StoreError` when the store cannot be reached or is full; nothing of a failed call stays.
 */
export interface Store {
  readonly statuses: StatusStore
  readonly projects: ProjectStore
  readonly tokens: TokenStore
  readonly queue: UpdateQueue
  readonly sites: SiteStore
  readonly deliveries: DeliveryStore
  readonly audit: AuditStore
  readonly sessions: SessionStore
  readonly passes: PassStore
  readonly links: LinkStore
  readonly overviews: OverviewStore
  readonly notes: NoteStore
  readonly usage: UsageStore
  /** A new UUIDv7, greater than every one this store object gave before. */
  newId(): string
  /**
   * The one way in for work: in one transaction records the delivery, applies the changes to projects in order, then writes each
   * record with its job, then each task.
   *
   * A delivery that was seen before changes nothing at all and answers `repeated-delivery`. The same idempotency key with the same
   * body answers the updates of the first call (`repeated-key`); with another body nothing changes (`key-conflict`).
   */
  accept(input: AcceptInput): Promise<AcceptResult>
  /** What `accept` answers to a key that was used before; `undefined` for a new one. */
  findRepeated(key: IdempotencyKey): Promise<AcceptResult | undefined>
  /**
   * Deletes delivery ids and push keys older than 9 days, idempotency keys older than 24 hours, audit lines older than 400 days,
   * sessions that have ended, and projects that were deleted 30 days ago, with all that belongs to them; answers how many rows.
   */
  prune(): Promise<number>
  /** Writes a row, and resolves when it is on the disk; throws `StoreError` otherwise. For `/readyz`. */
  ping(): Promise<void>
  /**
   * Copies the whole store, as of one moment, into a new file while it is in use; the copy is checked before it gets its name.
   *
   * @throws {StoreError} when the file exists already or the copy is damaged.
   */
  backup(path: string): Promise<void>
  /** Waits for calls under way, then closes. A second call does nothing. */
  close(): Promise<void>
}

export interface AcceptInput {
  /** The webhook this comes from; absent for triggers, re-runs and catch-up without one. */
  readonly delivery?: { readonly id: string; readonly event: string }
  readonly idempotency?: IdempotencyKey
  readonly projectChanges?: readonly ProjectChange[]
  readonly updates?: readonly NewUpdate[]
  readonly tasks?: readonly NewTask[]
  /** Of a project that is gone they are left out. */
  readonly pullHeads?: readonly PullHead[]
  /** Of a project that is gone they are left out. */
  readonly previewApprovals?: readonly NewPreviewApproval[]
  /** GitHub's ids of people who took back that the app may act for them: their sessions end. */
  readonly endSessionsOf?: readonly number[]
  readonly audit?: readonly AuditEntry[]
}

/** Honoured for 24 hours per project. */
export interface IdempotencyKey {
  readonly projectId: string
  /** At most 255 characters. */
  readonly key: string
  /** SHA-256 of the request's body, hexadecimal: tells a repeat from another request. */
  readonly bodyHash: string
}

/** A record to write and the job that runs it. */
export interface NewUpdate {
  /** Made by `queueUpdate` with an id of `newId`. */
  readonly update: QueuedUpdate
  readonly details: UpdateDetails
  /**
   * - `push`: the second key (project, ref, before, after) finds the record of the same push; a branch that was moved back to
   *   `before` since makes it a new push. Supersedes older waiting updates of the branch. Needs `details.before`.
   * - `head`: no record where the project has one for this sha already.
   * - `tip`: no record where the newest record of the ref is one for this sha; records that found the branch further on do not
   *   count. For a branch whose tip was read from GitHub.
   * - `always`: re-runs, retries, API triggers.
   */
  readonly once: 'push' | 'head' | 'tip' | 'always'
  /** True for a re-run of a commit that is no longer the tip of its branch. */
  readonly validationOnly?: boolean
}

/** What we know of an update beside the record that the API shows. Plain JSON. */
export interface UpdateDetails {
  readonly trigger: 'push' | 'pull_request' | 'merge_group' | 'rerun' | 'api' | 'report' | 'catch-up'
  /** The sha the ref had before the push; 40 zeros for a new branch. */
  readonly before?: string
  readonly pullNumber?: number
  /** The record this one runs again. */
  readonly rerunOf?: string
  /** The check run on GitHub, once it was made. */
  readonly checkRunId?: number
  /** When the check run got its conclusion. */
  readonly checkConcludedAt?: string
  /** How the check is to end where the state of the record does not say it: a finding that blocks nothing, or nothing to check. */
  readonly checkConclusion?: 'neutral' | 'skipped'
  /** The repository wants no comment. */
  readonly commentOff?: boolean
  /** A commit status tells of it too: the repository wants it, or it was begun before that was known. */
  readonly commitStatus?: 'wanted' | 'begun'
  /** The repository wants a deployment. */
  readonly deployment?: boolean
  /** How many files `update` would change. */
  readonly changeCount?: number
  /** What the site that was built shows; absent where none was. */
  readonly site?: SiteNews
  /** Why the commit of a fork has no preview: nobody with write access has approved it yet, or the repository wants none. */
  readonly forkPreview?: 'waiting' | 'off'
  /** How it stands with the pictures of the site; absent where none are taken. One that was begun is not begun again. */
  readonly pictures?: 'awaited' | 'begun' | 'taken' | 'failed'
  /** True where GitHub's limits cut the lists of `filesChanged`. */
  readonly filesTruncated?: boolean
  /** The commit was not the tip of the default branch any more when it ran: it is not published. */
  readonly overtaken?: true
  /** The commit may have a check of a record that this store does not have, as after a restored backup. */
  readonly mayHaveCheck?: true
}

/** The pages that a commit changed, next to what the default branch had. */
export interface SiteNews {
  /** Route of the page that matters most: the one to take pictures of. */
  readonly mainRoute: string
  /** The first ones, those that matter most first. */
  readonly changedPages: readonly ChangedPage[]
  readonly changedCount: number
  /** The project's own address stays with an earlier commit, as this one has errors. */
  readonly stays?: true
}

export interface ChangedPage {
  readonly kind: 'added' | 'modified' | 'removed'
  /** `''` is the start page. */
  readonly route: string
  /** Absent for a page that was removed. */
  readonly title?: string
}

/** Background work without a record, such as looking for docs roots in a new repository. Retried like a report; then `dead`. */
export interface NewTask {
  /** From `newId`. */
  readonly id: string
  readonly name: string
  /** For fairness; 0 where there is none. */
  readonly installationId: number
  /** JSON text. */
  readonly payload: string
}

export type AcceptResult =
  | { readonly kind: 'repeated-delivery' }
  | { readonly kind: 'key-conflict' }
  /** In the order of the first call. */
  | { readonly kind: 'repeated-key'; readonly statusIds: readonly string[] }
  /** In the order of `updates`; `superseded` are the ids of older records that this call ended. */
  | { readonly kind: 'accepted'; readonly updates: readonly AcceptedUpdate[]; readonly superseded: readonly string[] }

/** `statusId` is that of the record found where it was not created; `undefined` where the project is unknown, deleted or disabled. */
export interface AcceptedUpdate {
  readonly projectId: string
  readonly outcome: 'created' | 'same-push' | 'same-head' | 'no-project'
  readonly statusId: string | undefined
}

export interface StatusStore {
  /** The record by its id; `undefined` for one that does not exist. Served from memory while nobody wrote; never stale. */
  find(statusId: string): Promise<StoredUpdate | undefined>
  /** Newest first. A cursor that is not one of ours gives `undefined`. */
  list(projectId: string, options?: ListOptions): Promise<UpdateList | undefined>
  /** The newest record of this ref that ended as `success`: the base for "what changed". */
  findLastSuccess(projectId: string, ref: string): Promise<StoredUpdate | undefined>
  /** Records that have not ended, oldest first, at most `limit` (100). */
  listOpen(limit?: number): Promise<readonly StoredUpdate[]>
  /** Adds to the details; a field given as `undefined` is left as it is. False where there is no such record. */
  addDetails(statusId: string, details: Partial<UpdateDetails>): Promise<boolean>
  /** JSON text that `UpdateQueue.finish` or `addEnded` stored beside the record. */
  findReport(statusId: string): Promise<string | undefined>
  /**
   * Writes a record that ended before we heard of it, without a job: a report of the Action.
   *
   * With an idempotency key as in `accept`.
   */
  addEnded(input: EndedInput): Promise<AcceptResult>
}

export interface StoredUpdate {
  readonly update: UpdateStatus
  /** `update` as JSON text, ready to be sent. */
  readonly json: string
  /** 1 for a new record, one more with each write of it: makes the ETag. */
  readonly revision: number
  readonly details: UpdateDetails
}

interface EndedInput {
  readonly update: EndedUpdate
  readonly details: UpdateDetails
  /** JSON text. */
  readonly report?: string
  readonly idempotency?: IdempotencyKey
}

export interface ListOptions {
  /** Full ref. */
  readonly ref?: string
  /** 40 hexadecimal digits. */
  readonly sha?: string
  readonly status?: UpdateState
  /** 1 to 100, 20 where absent. */
  readonly limit?: number
  /** `nextCursor` of the page before; opaque. */
  readonly cursor?: string
}

export interface UpdateList {
  readonly updates: readonly StoredUpdate[]
  /** Absent on the last page. */
  readonly nextCursor?: string
}

/** What pages for people show of many records at once. */
export interface OverviewStore {
  /** The records of several projects, newest first. A cursor that is not one of ours gives `undefined`. */
  list(
    projectIds: readonly string[],
    options: { readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<UpdateList | undefined>
  /** The newest record of each ref, newest first behind that of `first`; `count` is that of all refs. */
  listRefs(
    projectId: string,
    options: { readonly limit: number; readonly offset?: number; readonly first?: string },
  ): Promise<{ readonly updates: readonly StoredUpdate[]; readonly count: number }>
  /** How the updates since a time ended; the newest 1,000 are looked at. */
  summarize(projectId: string, since: string): Promise<UpdateSummary>
  /** A text that is another one once any of the newest 50 records of these projects has changed or there is a new one. */
  readStamp(projectIds: readonly string[]): Promise<string>
}

export interface UpdateSummary {
  readonly ended: number
  readonly succeeded: number
  /** There were more than were looked at. */
  readonly isCut: boolean
  /** From the push to the end, of those that succeeded; absent where none did. */
  readonly medianMs?: number
}

export interface ProjectStore {
  /** Deleted projects are found by `findDeleted` and `findRepository` only. */
  find(projectId: string): Promise<Project | undefined>
  findBySubdomain(subdomain: string): Promise<Project | undefined>
  /** Every project of a repository, sorted by root. */
  findByRepository(repositoryId: number): Promise<readonly Project[]>
  /** Live and deleted projects of a repository, sorted by root, with the state that `confirm-repository` needs. */
  findRepository(repositoryId: number): Promise<StoredRepository>
  /** `findRepository` of every repository that has a project. */
  listRepositories(): Promise<ReadonlyMap<number, StoredRepository>>
  /** Every project, sorted by owner, repo and root. */
  list(): Promise<readonly Project[]>
  /** Deleted projects that can be restored, the one deleted last first. */
  listDeleted(): Promise<readonly DeletedProject[]>
  /**
   * Brings a deleted project back with its records, tokens, links and site; false where there is none. Writes an audit line.
   *
   * Its site stays private, and it belongs to no installation, until GitHub confirms both.
   */
  restore(projectId: string, actor: string): Promise<boolean>
  /** Applies all changes in one transaction, in order. */
  apply(changes: readonly ProjectChange[]): Promise<void>
  /**
   * What a person sets by hand.
   *
   * `subdomain-taken` where another project has it; the caller checks the label with `isSubdomain` first. Writes an audit line.
   */
  set(
    projectId: string,
    values: { readonly subdomain?: string; readonly enabled?: boolean; readonly siteAccess?: Project['siteAccess'] },
    actor: string,
  ): Promise<ProjectSetResult>
}

type ProjectSetResult =
  | { readonly kind: 'set'; readonly project: Project }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'subdomain-taken' }

/** A project that was deleted and can be restored. */
export interface DeletedProject extends Project {
  /** ISO 8601. */
  readonly deletedAt: string
}

export interface StoredRepository {
  readonly projects: readonly Project[]
  readonly deleted: readonly DeletedProject[]
  /** Counts `tighten`. Read it before GitHub is asked about the repository. */
  readonly tightened: number
}

/** Changes of projects. Numbers are GitHub's ids. All but `tighten` are for what GitHub's API has confirmed. */
export type ProjectChange =
  /**
   * Makes the project of (repositoryId, root), or brings the one there is up to date and back from deletion; id, subdomain and
   * `enabled` of an existing one stay. What is private stays private.
   */
  | { readonly kind: 'upsert'; readonly project: ProjectFacts }
  /** Makes live and deleted projects of a repository private. All that an unconfirmed webhook may do. */
  | { readonly kind: 'tighten'; readonly repositoryId: number }
  /** Makes every project private until GitHub confirms its visibility: the store may be out of date. */
  | { readonly kind: 'tighten-all' }
  /**
   * What GitHub's API says of a repository now, for its live projects. It becomes public only where `tightened` is still that of
   * `findRepository` before GitHub was asked: a webhook may have said otherwise since. With `restore` deleted ones come back.
   */
  | {
      readonly kind: 'confirm-repository'
      readonly repositoryId: number
      readonly values: Pick<Project, 'owner' | 'repo' | 'defaultBranch' | 'private'> & { readonly installationId?: number }
      readonly tightened: number
      readonly restore?: boolean
    }
  /** The docs root of a project was found elsewhere; no effect where the repository has a project of that root. */
  | { readonly kind: 'move-root'; readonly projectId: string; readonly root: string; readonly hasDocsConfig: boolean }
  /** Hides the projects of the repository with all that belongs to them, at once and everywhere. `prune` purges them after 30 days. */
  | { readonly kind: 'delete-repository'; readonly repositoryId: number }
  | { readonly kind: 'delete-project'; readonly projectId: string }
  /** No installation of the app reaches the repository any more, and it is not known why. */
  | { readonly kind: 'detach-repository'; readonly repositoryId: number }

export type ProjectFacts = Pick<
  Project,
  'installationId' | 'repositoryId' | 'owner' | 'repo' | 'root' | 'hasDocsConfig' | 'defaultBranch' | 'private'
>

/**
 * Leases jobs to workers. A job is a record to run, its report to GitHub, or a task.
 *
 * Order: installations take turns. Within one: reports and tasks first, then the newest update of each branch (oldest branch
 * first), then older ones, validation only; a push that a later one overtook on its way to us counts as older. At most one update of a (project, ref) runs at a time. Beyond 50 waiting updates of one (project, ref)
 * the oldest end as `failure`, `Not run: superseded by …`.
 *
 * A job outlives its record: `finish` ends the record and turns the job into its `report`, still under the same lease; the worker
 * then tells GitHub and calls `complete`. A crash in between leaves a `report` job that the next worker gets. A record that
 * the queue itself ends (superseded, given up) leaves a `report` job as well, so that no check stays open.
 *
 * Every call with a `Lease` is fenced: it answers false, and changes nothing, once another attempt has begun, the lease ran out
 * and was taken back, or the record is gone.
 */
export interface UpdateQueue {
  /** Takes the next job, or `undefined` when none is due. Takes lapsed leases back first. */
  claim(options: { readonly worker: string; readonly leaseMs: number }): Promise<LeasedJob | undefined>
  /** Prolongs the lease to `leaseMs` from now. False as well when the attempt is older than `maxRunMs` (15 minutes). */
  heartbeat(lease: Lease, leaseMs: number): Promise<boolean>
  /** Writes the running record: the start, new log lines. */
  save(lease: Lease, update: RunningUpdate): Promise<boolean>
  /**
   * Writes the final record with its report (JSON text), frees the branch, makes the job the `report` of the record, and makes
   * a staged build the site of the commit, published where it is to be: all of it or nothing.
   */
  finish(lease: Lease, update: EndedUpdate, report?: string, site?: FinishedSite): Promise<boolean>
  /** The job is done: removes it. False for a job whose record has not ended. */
  complete(lease: Lease): Promise<boolean>
  /**
   * The attempt failed for a cause that may pass: due again after a back-off, or given up.
   *
   * Given up (`maxErrors`): a record ends as `failure` with the reason and its report is queued; a report or task becomes `dead`.
   */
  retry(lease: Lease, options: RetryOptions): Promise<RetryResult>
  /** Gives a run back to the queue until `until` (milliseconds since 1970) without counting an attempt, and logs why. False where the lease is lost. */
  postpone(lease: Lease, options: { readonly until: number; readonly line: string }): Promise<boolean>
  /** Gives the job back untried, for a graceful stop: due at once, not counted as a failure. */
  release(lease: Lease): Promise<boolean>
  /**
   * The watchdog: takes lapsed leases back (re-queued, or given up when lost for the second time) and ends records that have no job.
   *
   * Call it at start and every few seconds. Answers what it did, for the log.
   */
  recover(): Promise<readonly Recovery[]>
  stats(): Promise<QueueStats>
}

/** Proof that an attempt holds a job. Plain data; can be sent to a worker thread. */
export interface Lease {
  readonly jobId: string
  /** Counts from 1; the fence. */
  readonly attempt: number
}

export type LeasedJob =
  | {
      readonly kind: 'run' | 'report'
      readonly lease: Lease
      /** As of the claim. `run`: `queued`, or `in_progress` after a lost attempt. `report`: ended. */
      readonly stored: StoredUpdate
      readonly project: Project
      /** A newer push of the branch exists: check, but publish nothing. */
      readonly validationOnly: boolean
    }
  | {
      readonly kind: 'task'
      readonly lease: Lease
      readonly name: string
      readonly installationId: number
      readonly payload: string
    }

export interface RetryOptions {
  readonly reason: string
  /** The shortest wait, such as a `Retry-After` of GitHub. */
  readonly retryAfterMs?: number
  /** Never give the job up. */
  readonly keep?: boolean
}

export type RetryResult =
  | { readonly kind: 'waiting'; readonly availableAt: string }
  /** `ended` is the record that was ended by this; absent for a report or task. */
  | { readonly kind: 'given-up'; readonly ended?: EndedUpdate }
  | { readonly kind: 'lease-lost' }

export interface Recovery {
  readonly jobId: string
  readonly outcome: 'requeued' | 'given-up' | 'ended-without-job'
  readonly reason: string
}

export interface QueueStats {
  readonly waiting: number
  readonly leased: number
  readonly dead: number
  /** When the oldest waiting update was made; absent when none waits. */
  readonly oldestWaitingAt?: string
}

export interface InstallationUsage {
  readonly installationId: number
  /** CPU time of checks and builds in the last hour. */
  readonly cpuMs: number
  /** Updates that wait for their run. */
  readonly queuedUpdates: number
  /** What the sites take, as they are stored; a file that several of them have counts once. */
  readonly storedBytes: number
}

/** Kept in the store, so that a restart resets nothing. */
export interface UsageStore {
  addCpuTime(installationId: number, cpuMs: number): Promise<void>
  /** The CPU time of the last hour, oldest first, and until when each part counts (milliseconds since 1970). */
  readCpuTime(installationId: number): Promise<readonly { readonly cpuMs: number; readonly countsUntil: number }[]>
  read(installationId: number): Promise<InstallationUsage>
  /** Of all installations with projects. */
  list(): Promise<readonly InstallationUsage[]>
}

export interface DeliveryStore {
  /** Whether this delivery was accepted; known for at least 8 days, longer than GitHub can redeliver. */
  has(deliveryId: string): Promise<boolean>
  /** Those of the given ids that were never accepted, in the given order: what catch-up has to fetch. */
  findMissing(deliveryIds: readonly string[]): Promise<readonly string[]>
  /** Notes that GitHub was asked to send these again: their records may have had a check before. */
  await(deliveryIds: readonly string[]): Promise<void>
}

/** Small facts about the store itself. A backup has those of its moment. */
export interface NoteStore {
  read(name: NoteName): Promise<string | undefined>
  /** `undefined` removes it. */
  write(name: NoteName, value: string | undefined): Promise<void>
  /** When a repository was last pushed to, as of the reconciler's last look at it. */
  readLooks(): Promise<ReadonlyMap<number, string>>
  writeLook(repositoryId: number, pushedAt: string): Promise<void>
}

type NoteName =
  /** All deliveries that GitHub made up to then were compared with this store (ISO 8601). */
  | 'deliveries-compared-until'
  /** Until when this server was connected to GitHub (ISO 8601). */
  | 'online-until'
  /** The GitHub App that the installations belong to. */
  | 'app-id'
  /** When this copy was made; set in backups, removed once what they lack was fetched. */
  | 'backup-of'

/** What a token may do: one project, or the whole service. */
export type TokenGrant =
  | { readonly scope: 'read' | 'write'; readonly projectId: string }
  | { readonly scope: 'admin'; readonly projectId?: never }

export type TokenScope = TokenGrant['scope']

export interface TokenStore {
  /**
   * Makes a token of 256 random bits and an audit line. `token` is its only appearance: the store keeps a SHA-256.
   *
   * `undefined` where there is no such project.
   */
  create(input: NewToken, actor: string): Promise<{ readonly token: string; readonly stored: StoredToken } | undefined>
  /** Checks a token; sees a revocation by another process at once. Never throws for any text. */
  check(token: string): Promise<TokenCheck>
  /** Newest first, revoked and expired ones included. */
  list(): Promise<readonly StoredToken[]>
  /** From the next request on it is refused. False where there is no such token or it was revoked before. Writes an audit line. */
  revoke(tokenId: string, actor: string): Promise<boolean>
}

interface NewToken {
  readonly grant: TokenGrant
  /** For people: what it is used for. */
  readonly name: string
  /** ISO 8601. */
  readonly expiresAt: string
}

export interface StoredToken extends NewToken {
  /** `tok_…`; not secret. */
  readonly id: string
  readonly createdAt: string
  readonly revokedAt?: string
}

type TokenCheck =
  | { readonly kind: 'valid'; readonly token: StoredToken }
  /** The answer to the caller is the same for all; the difference is for the log. */
  | { readonly kind: 'unknown' | 'expired' | 'revoked' }

/** Something a person or a token did that changes what others may do. No secrets. */
export interface AuditEntry {
  /** `cli`, `token:tok_…`, `github:<login>`. */
  readonly actor: string
  /** `token.create`, `project.set`, … */
  readonly action: string
  /** The id of what was changed. */
  readonly subject: string
  /** One line. */
  readonly detail: string
}

export interface AuditStore {
  add(entry: AuditEntry): Promise<void>
  /** Newest first, at most `limit` (100). */
  list(limit?: number): Promise<readonly (AuditEntry & { readonly id: string; readonly at: string })[]>
}

/** Somebody who signed in with GitHub, in one browser. */
export interface StoredSession {
  /** SHA-256 of the secret that the browser has; not secret. */
  readonly id: string
  /** GitHub's id. */
  readonly userId: number
  readonly login: string
  /** Their tokens at GitHub, sealed with the secret: the store alone opens nothing. */
  readonly sealedTokens: string
  /** ISO 8601. */
  readonly expiresAt: string
}

export interface SessionStore {
  /** Writes an audit line. The store keeps a SHA-256 of `secret`. */
  create(secret: string, session: Omit<StoredSession, 'id'>): Promise<void>
  /** `undefined` for one that ended, expired, or never was. Sees an end by another process at once. */
  find(secret: string): Promise<StoredSession | undefined>
  /** Puts new tokens in the place of those that were read; false where somebody else did so first, or the session ended. */
  replaceTokens(session: StoredSession, sealedTokens: string): Promise<boolean>
  /** Signs out, with all that was opened by it. A second time does nothing. */
  end(sessionId: string): Promise<void>
}

/** What lets a person who signed in on the app's address into a private site on the site's own host. */
export interface PassStore {
  /** A code that `redeem` takes once. `challenge` is the hash of what the browser has that asked for it. */
  createCode(
    secret: string,
    code: {
      readonly host: string
      readonly projectId: string
      readonly sessionId: string
      readonly challenge: string
      readonly expiresAt: string
    },
  ): Promise<void>
  /** Puts a pass in the place of a code; the code is gone whatever comes of it. False where it was for something else, too old, or used. */
  redeem(
    code: string,
    pass: { readonly host: string; readonly challenge: string; readonly secret: string; readonly expiresAt: string },
  ): Promise<boolean>
  /** Whether a pass lets in; it ends with the session that it came from. Served from memory while nobody wrote; never stale. */
  check(secret: string, place: { readonly host: string; readonly projectId: string }): Promise<boolean>
}

/** A link that lets whoever has it into a private site at one address. */
export interface StoredLink {
  /** `lnk_…`; not secret. */
  readonly id: string
  /** With its port, as browsers name it. */
  readonly host: string
  readonly projectId: string
  /** As in audit lines: `github:<login>`. */
  readonly createdBy: string
  /** ISO 8601. */
  readonly createdAt: string
  readonly expiresAt: string
}

export interface LinkStore {
  /** Writes an audit line. The store keeps a SHA-256 of `secret`. */
  create(secret: string, link: Pick<StoredLink, 'host' | 'projectId' | 'expiresAt'>, actor: string): Promise<StoredLink>
  /** The link that lets in there; `undefined` where none does. Served from memory while nobody wrote; never stale. */
  check(secret: string, place: { readonly host: string; readonly projectId: string }): Promise<StoredLink | undefined>
  /** Those that let somebody in now, the one that ends last first. */
  list(projectId: string): Promise<readonly StoredLink[]>
  /** From the next request on it lets nobody in. False where there is no such link. Writes an audit line. */
  revoke(projectId: string, linkId: string, actor: string): Promise<boolean>
}

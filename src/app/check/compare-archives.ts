import type { ChangesSetting } from '../../docs/config/project-config.ts'
import { concernsDocuments } from '../../docs/update/update-results.ts'
import type { AcceptedBy, planAcceptance } from '../../docs/versions/accept-changes.ts'
import type { CompareDocumentsOptions, ComparedDocuments } from '../../docs/versions/compare-documents.ts'
import { folderOf, joinOwned, type OwnPath } from '../../files/boundary.ts'
import { listFailingChanges, toChangeLogs } from '../../github/report/feedback.ts'
import { type Archive, readArchive, type UnpackedArchive } from '../../github/repositories/archives.ts'
import { compareCommits, findCommit } from '../../github/repositories/commits.ts'
import { listOpenPullRequests, readPullRequestTrust } from '../../github/repositories/pull-requests.ts'
import type { GitHubClient } from '../../github/requests/github-client.ts'
import type { Project, UpdateStatus } from '../../status/update-record.ts'
import type { StoredUpdate, UpdateDetails } from '../../store/records/stored-records.ts'
import { GitHubError } from '../../text/errors.ts'
import type { AppContext } from '../base/app-context.ts'
import { clientOf, toName, toRefusal } from '../base/projects.ts'
import type { ApiComparison } from '../base/stored-changes.ts'
import type { KeptProcess, ProcessEnd } from '../isolate/untrusted-process.ts'
import type { CheckedRepository, RunCheck } from './check-archive.ts'

/** The request to compare two versions, to the process that checks documents. Plain data. */
export interface CompareRequest extends Pick<CompareDocumentsOptions, 'root' | 'today' | 'settings'> {
  readonly task: 'compare'
  readonly base: UnpackedArchive
  readonly revision: UnpackedArchive
}

/** The request to plan the file that accepts all breaking changes, to the same process. Plain data. */
export interface AcceptRequest extends Omit<CompareRequest, 'task'> {
  readonly task: 'accept'
  readonly by: Omit<AcceptedBy, 'document'>
}

/** The answer to an `AcceptRequest`. Plain data; paths are relative to the repository. */
type PlannedAcceptance = Awaited<ReturnType<typeof planAcceptance>> | Extract<ComparedDocuments, { kind: 'unreadable' }>

interface VersionOptions extends BaseOptions {
  /** The commit, unpacked in `folder`. */
  readonly archive: Archive
  /** The process of the check. */
  readonly kept?: KeptProcess
}

interface CompareOptions extends VersionOptions {
  readonly base: CommitBase
  readonly checked: Pick<CheckedRepository, 'kind' | 'documentFiles'>
  readonly settings: ChangesSetting | undefined
}

/**
 * Finds the base of a commit and compares the API with it, with the effect on the record and the check. Returns `undefined` if there is nothing
 * to compare.
 *
 * @throws {GitHubError} for temporary errors.
 */
export async function compareApi(context: AppContext, runCheck: RunCheck, options: CompareOptions) {
  const { stored, checked } = options
  if (checked.kind !== 'checked') return undefined
  const base = await options.base.find()
  if (base.kind === 'none') return undefined
  if (base.kind === 'found') await context.store.statuses.addDetails(stored.update._id, { apiBase: base.sha })
  const comparison = await compareArchives(context, runCheck, base, options)
  if (comparison.kind === 'unavailable') return { comparison, logs: [describeUnavailable(comparison)], details: {} }
  const fails = listFailingChanges(comparison.changes).length > 0
  return { comparison, logs: toChangeLogs(comparison.changes), details: fails ? { checkConclusion: 'failure' as const } : {} }
}

/** The sentence about a failed comparison, without a full stop. */
export function describeUnavailable({ reason }: Extract<ApiComparison, { kind: 'unavailable' }>): string {
  return `The API changes could not be compared: ${reason}`
}

/**
 * Compares the OpenAPI documents of an unpacked commit with those of its base, within the limits of a check.
 *
 * A comparison that fails does not fail the update.
 *
 * @throws {GitHubError} for temporary errors.
 */
async function compareArchives(
  { log }: AppContext,
  runCheck: RunCheck,
  base: Exclude<ComparisonBase, { kind: 'none' }>,
  options: CompareOptions,
): Promise<ApiComparison> {
  const { stored, checked, settings, signal } = options
  if (base.kind === 'unavailable') return base
  const { sha: baseSha, changed } = base
  if (baseSha === stored.update.commit.sha || (changed && !concernsDocuments(changed, checked))) {
    const changes = { baseSha, failOn: 'never', comment: 'never', documents: [] } as const
    return { kind: 'compared', changes, concernsDocuments: false }
  }
  try {
    const end = await runOnVersions<ComparedDocuments>(runCheck, { ...options, baseSha }, { task: 'compare', settings })
    if (end.kind === 'stopped') return { kind: 'unavailable', reason: end.reason }
    if (end.answer.kind === 'unreadable') return { kind: 'unavailable', reason: end.answer.reason }
    const { settings: used, documents } = end.answer
    const changes = { baseSha, failOn: used.failOn, comment: used.comment, documents }
    return { kind: 'compared', changes, concernsDocuments: true }
  } catch (error) {
    if (signal.aborted || error instanceof GitHubError) throw error
    log.error({ err: error, statusId: stored.update._id }, 'Cannot compare API versions')
    return { kind: 'unavailable', reason: 'unexpected error (see the log of the server)' }
  }
}

/**
 * Plans the file that accepts all breaking changes of an unpacked commit since `baseSha`. `reason` of `stopped` is a clause.
 *
 * @throws {GitHubError} for temporary errors.
 */
export async function planAcceptanceOf(
  context: AppContext,
  runCheck: RunCheck,
  options: VersionOptions & { readonly baseSha: string; readonly by: AcceptRequest['by'] },
): Promise<ProcessEnd<PlannedAcceptance>> {
  const base = createCommitBase(context, options)
  return await runOnVersions(runCheck, { ...options, base }, { task: 'accept', by: options.by })
}

/** The day of an update, as `YYYY-MM-DD` in UTC. A later attempt gives the same result. */
export function toToday({ update }: Pick<StoredUpdate, 'update'>): string {
  return update.createdAt.slice(0, 10)
}

/** Unpacks the base and runs a task of `check-child.ts` on both versions. @throws {GitHubError} for temporary errors. */
async function runOnVersions<Answer>(
  runCheck: RunCheck,
  options: VersionOptions & { readonly base: CommitBase; readonly baseSha: string },
  task: Pick<CompareRequest, 'task' | 'settings'> | Pick<AcceptRequest, 'task' | 'by'>,
): Promise<ProcessEnd<Answer>> {
  const { archive, folder, project, stored, base, baseSha, kept, timeMs, signal } = options
  const endsAt = performance.now() + timeMs
  const before = await base.unpack(baseSha)
  if ('reason' in before) return { kind: 'stopped', reason: before.reason }
  const request: CompareRequest | AcceptRequest = {
    ...task,
    base: { folder: base.folder, archive: before },
    revision: { folder, archive },
    root: project.root,
    today: toToday(stored),
  }
  const leftMs = Math.max(1_000, Math.ceil(endsAt - performance.now()))
  const { installationId } = project
  return await runCheck<Answer>(request, { folder: folderOf(folder), kept, leftMs, installationId, signal })
}

/** The commit that the API of an update is compared with. */
export type ComparisonBase =
  | {
      readonly kind: 'found'
      readonly sha: string
      /** Paths of all files that differ; `undefined` if GitHub does not list all of them. */
      readonly changed: readonly string[] | undefined
    }
  /** The first commit of a repository. */
  | { readonly kind: 'none' }
  /** `reason` is a clause without a full stop. */
  | { readonly kind: 'unavailable'; readonly reason: string }

/**
 * Finds the base of a commit with GitHub's API: the previous commit on the default branch, and on all other branches the merge base with the
 * branch that their pull request merges into.
 *
 * Without a pull request, that is the default branch. A pull request that is opened later then has the same base as its first check.
 *
 * @throws {GitHubError} for temporary errors.
 */
export async function findComparisonBase(
  client: GitHubClient,
  project: Project,
  { update, details }: { readonly update: UpdateStatus; readonly details: UpdateDetails },
): Promise<ComparisonBase> {
  const repository = toName(project)
  const { sha, ref } = update.commit
  try {
    // An earlier attempt has found the base.
    if (details.apiBase !== undefined)
      return toBase(await compareCommits(client, repository, details.apiBase, sha), details.apiBase)
    if (ref === `refs/heads/${project.defaultBranch}`) {
      const { pullNumber, before } = details
      const isKnown = pullNumber === undefined && before !== undefined && !/^0+$/.test(before)
      const commit = isKnown ? undefined : await findCommit(client, repository, sha)
      if (!isKnown && !commit) return { kind: 'unavailable', reason: `GitHub does not find the commit ${sha.slice(0, 7)}` }
      const previous = isKnown ? before : commit?.parents[0]
      if (previous === undefined) return { kind: 'none' }
      return toBase(await compareCommits(client, repository, previous, sha), previous)
    }
    const target = await findTarget(client, project, ref, details)
    const compared = await compareCommits(client, repository, target, sha)
    return toBase(compared, compared.mergeBaseSha)
  } catch (error) {
    return { kind: 'unavailable', reason: toRefusal(error) }
  }
}

/**
 * Whether an ended update was compared with another base than it would be now: a pull request was opened for its commit, or has another
 * target branch.
 *
 * @throws {GitHubError} for temporary errors.
 */
export async function hasOtherBase(
  client: GitHubClient,
  project: Project,
  { update, details }: Parameters<typeof findComparisonBase>[2],
): Promise<boolean> {
  const { apiBase, ...others } = details
  if (apiBase === undefined) return false
  const base = await findComparisonBase(client, project, { update, details: others })
  return base.kind === 'found' && base.sha !== apiBase
}

/** The branch that a commit is to be merged into, or the base of its merge queue. */
async function findTarget(client: GitHubClient, project: Project, ref: string, details: UpdateDetails): Promise<string> {
  const { trigger, before, pullNumber } = details
  if (trigger === 'merge_group' && before !== undefined) return before
  if (pullNumber !== undefined) {
    return (await readPullRequestTrust(client, toName(project), pullNumber)).baseRef
  }
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1]
  const pulls = branch === undefined ? [] : await listOpenPullRequests(client, toName(project), branch)
  const [first] = pulls.filter(({ isSameRepository }) => isSameRepository).sort((a, b) => a.number - b.number)
  return first?.baseRef ?? project.defaultBranch
}

function toBase(
  { mergeBaseSha, listsAllFiles, filesChanged }: Awaited<ReturnType<typeof compareCommits>>,
  sha: string,
): ComparisonBase {
  // GitHub lists the changes since the merge base. After a force push, that is not the previous commit.
  const { added, modified, removed } = filesChanged
  const changed = listsAllFiles && mergeBaseSha === sha ? [...added, ...modified, ...removed] : undefined
  return { kind: 'found', sha, changed }
}

export type CommitBase = ReturnType<typeof createCommitBase>

interface BaseOptions {
  readonly project: Project
  readonly stored: Pick<StoredUpdate, 'update' | 'details'>
  /** Where the commit is unpacked. The base gets a folder beside it. */
  readonly folder: OwnPath
  readonly timeMs: number
  readonly signal: AbortSignal
}

/** The base of a commit, for everything that compares with it. It is found and unpacked on demand, each once. */
export function createCommitBase(context: AppContext, options: BaseOptions) {
  const { project, stored } = options
  const folder = joinOwned(folderOf(options.folder), 'base')
  let found: Promise<ComparisonBase> | undefined
  let unpacked: { readonly sha: string; readonly archive: ReturnType<typeof readBaseArchive> } | undefined
  return {
    /** Where the base is unpacked. */
    folder,
    /** @throws {GitHubError} for temporary errors. */
    async find() {
      found ??= findComparisonBase(clientOf(context, project), project, stored)
      return await found
    },
    /** Returns the reason if the base cannot be read. @throws {GitHubError} for temporary errors. */
    async unpack(sha: string) {
      if (unpacked?.sha !== sha) unpacked = { sha, archive: readBaseArchive(context, sha, { ...options, folder }) }
      return await unpacked.archive
    },
  }
}

/** Unpacks the base. Returns the reason if that is not possible. @throws {GitHubError} for temporary errors. */
async function readBaseArchive(
  context: AppContext,
  sha: string,
  { project, folder, timeMs, signal }: BaseOptions,
): Promise<Archive | { readonly reason: string }> {
  try {
    return await readArchive(clientOf(context, project), toName(project), sha, folder, { limits: { timeMs }, signal })
  } catch (error) {
    return { reason: toRefusal(error) }
  }
}

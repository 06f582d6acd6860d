import { dirname } from 'node:path'
import type { ChangesSetting } from '../../docs/config/project-config.ts'
import { concernsDocuments } from '../../docs/update/update-results.ts'
import type { AcceptedBy, planAcceptance } from '../../docs/versions/accept-changes.ts'
import type { ComparedDocuments } from '../../docs/versions/compare-documents.ts'
import { listFailingChanges, toChangeLogs } from '../../github/report/feedback.ts'
import type { Archive } from '../../github/repositories/archives.ts'
import type { Project } from '../../status/types.ts'
import type { StoredUpdate, UpdateDetails } from '../../store/records/stored-records.ts'
import { GitHubError } from '../../text/errors.ts'
import { groupBy } from '../../text/plain/lists.ts'
import { countCpuTime } from '../base/quotas.ts'
import type { ApiComparison, OperationRoutes } from '../base/stored-changes.ts'
import type { RunContext } from '../isolate/run-context.ts'
import type { KeptProcess, ProcessEnd } from '../isolate/untrusted-process.ts'
import { type CheckedRepository, type CheckRequest, fileLimitBytes, pickArchive } from './check-archive.ts'
import { type CommitBase, createCommitBase } from './commit-base.ts'
import type { ComparisonBase } from './comparison-base.ts'

/** The request to compare two versions, to the process that checks documents. Plain data. */
export interface CompareRequest extends Pick<CheckRequest, 'limitBytes' | 'root'> {
  readonly task: 'compare'
  readonly base: Pick<CheckRequest, 'folder' | 'archive'>
  readonly revision: Pick<CheckRequest, 'folder' | 'archive'>
  /** `YYYY-MM-DD`. */
  readonly today: string
  /** For commits from forks: the settings of the base repository, which replace those of the commit. */
  readonly settings?: ChangesSetting | undefined
}

/** The request to plan the file that accepts all breaking changes, to the same process. Plain data. */
export interface AcceptRequest extends Omit<CompareRequest, 'task'> {
  readonly task: 'accept'
  readonly by: Omit<AcceptedBy, 'document'>
}

/** The answer to an `AcceptRequest`. Plain data; paths are relative to the repository. */
type PlannedAcceptance = Awaited<ReturnType<typeof planAcceptance>> | Extract<ComparedDocuments, { kind: 'unreadable' }>

interface VersionOptions {
  /** The commit, unpacked in `folder`. */
  readonly archive: Archive
  readonly folder: string
  readonly project: Project
  readonly stored: Pick<StoredUpdate, 'update' | 'details'>
  /** The process of the check. */
  readonly kept?: KeptProcess
  readonly timeMs: number
  readonly signal: AbortSignal
}

interface CompareOptions extends VersionOptions {
  readonly base: CommitBase
  readonly checked: Pick<CheckedRepository, 'kind' | 'documentFiles' | 'operationPages'>
  readonly settings: ChangesSetting | undefined
}

/** A comparison and its effect on the record and the check. */
interface ComparedApi {
  readonly comparison: ApiComparison
  readonly logs: readonly string[]
  readonly details: Pick<UpdateDetails, 'checkConclusion'>
}

/**
 * Finds the base of a commit and compares the API with it. Returns `undefined` if there is nothing to compare.
 *
 * @throws {GitHubError} for temporary errors.
 */
export async function compareApi(context: RunContext, options: CompareOptions): Promise<ComparedApi | undefined> {
  const { stored, checked } = options
  if (checked.kind !== 'checked') return undefined
  const base = await options.base.find()
  if (base.kind === 'none') return undefined
  if (base.kind === 'found') await context.store.statuses.addDetails(stored.update._id, { apiBase: base.sha })
  const comparison = await compareArchives(context, base, options)
  return { comparison, ...describeComparison(comparison) }
}

function describeComparison(comparison: ApiComparison): Omit<ComparedApi, 'comparison'> {
  if (comparison.kind === 'unavailable') return { logs: [describeUnavailable(comparison)], details: {} }
  const fails = listFailingChanges(comparison.changes).length > 0
  return { logs: toChangeLogs(comparison.changes), details: fails ? { checkConclusion: 'failure' } : {} }
}

/** The sentence about a failed comparison, without a full stop. */
export function describeUnavailable({ reason }: Extract<ApiComparison, { kind: 'unavailable' }>): string {
  return `The API changes could not be compared: ${reason}`
}

/** Maps the operations of pages to the routes of their pages. */
function toOperationRoutes(pages: CheckedRepository['operationPages']): OperationRoutes {
  const byDocument = groupBy(pages, ({ document }) => document)
  const toRoute = (path: string) => path.replace(/\.mdx?$/, '')
  return new Map(
    [...byDocument].map(([document, own]) => [document, new Map(own.map(({ operation, path }) => [operation, toRoute(path)]))]),
  )
}

/**
 * Compares the OpenAPI documents of an unpacked commit with those of its base, within the limits of a check.
 *
 * A comparison that fails does not fail the update.
 *
 * @throws {GitHubError} for temporary errors.
 */
async function compareArchives(
  context: RunContext,
  base: Exclude<ComparisonBase, { kind: 'none' }>,
  options: CompareOptions,
): Promise<ApiComparison> {
  const { stored, checked, settings, signal } = options
  if (base.kind === 'unavailable') return base
  const { sha: baseSha, changed } = base
  if (baseSha === stored.update.commit.sha || (changed && !concernsDocuments(changed, checked))) {
    return { kind: 'compared', changes: { baseSha, failOn: 'never', comment: 'never', documents: [] }, routes: new Map() }
  }
  try {
    const end = await runOnVersions<ComparedDocuments>(context, { ...options, baseSha }, { task: 'compare', settings })
    if (end.kind === 'stopped') return { kind: 'unavailable', reason: end.reason }
    if (end.answer.kind === 'unreadable') return { kind: 'unavailable', reason: end.answer.reason }
    const { settings: used, documents } = end.answer
    const routes = toOperationRoutes(checked.operationPages)
    return { kind: 'compared', changes: { baseSha, failOn: used.failOn, comment: used.comment, documents }, routes }
  } catch (error) {
    if (signal.aborted || error instanceof GitHubError) throw error
    context.log.error({ err: error, statusId: stored.update._id }, 'Cannot compare API versions')
    return { kind: 'unavailable', reason: 'unexpected error (see the log of the server)' }
  }
}

/**
 * Plans the file that accepts all breaking changes of an unpacked commit since `baseSha`. `reason` of `stopped` is a clause.
 *
 * @throws {GitHubError} for temporary errors.
 */
export async function planAcceptanceOf(
  context: RunContext,
  options: VersionOptions & { readonly baseSha: string; readonly by: AcceptRequest['by'] },
): Promise<ProcessEnd<PlannedAcceptance>> {
  const base = createCommitBase(context, options)
  return await runOnVersions(context, { ...options, base }, { task: 'accept', by: options.by })
}

/** The day of an update, as `YYYY-MM-DD` in UTC. A later attempt gives the same result. */
export function toToday({ update }: Pick<StoredUpdate, 'update'>): string {
  return update.createdAt.slice(0, 10)
}

/** Unpacks the base and runs a task of `check-child.ts` on both versions. @throws {GitHubError} for temporary errors. */
async function runOnVersions<Answer>(
  context: RunContext,
  options: VersionOptions & { readonly base: CommitBase; readonly baseSha: string },
  task: Pick<CompareRequest, 'task' | 'settings'> | Pick<AcceptRequest, 'task' | 'by'>,
): Promise<ProcessEnd<Answer>> {
  const { archive, folder, project, stored, base, baseSha, kept, timeMs, signal } = options
  const endsAt = performance.now() + timeMs
  const own = dirname(folder)
  const before = await base.unpack(baseSha)
  if ('reason' in before) return { kind: 'stopped', reason: before.reason }
  const request: CompareRequest | AcceptRequest = {
    ...task,
    base: { folder: base.folder, archive: pickArchive(before) },
    revision: { folder, archive: pickArchive(archive) },
    limitBytes: fileLimitBytes,
    root: project.root,
    today: toToday(stored),
  }
  const { runMemoryMb, runTimeoutSeconds } = context.config
  const leftMs = Math.max(1_000, Math.ceil(endsAt - performance.now()))
  return await context.runCheck<Answer>(
    { what: 'the comparison', request, folder: own, kept },
    {
      memory: { megabytes: runMemoryMb, setting: 'RUN_MEMORY_MB' },
      time: { seconds: runTimeoutSeconds, leftMs, setting: 'RUN_TIMEOUT_SECONDS' },
    },
    { signal, onCpuTime: countCpuTime(context, 'compare', project.installationId) },
  )
}

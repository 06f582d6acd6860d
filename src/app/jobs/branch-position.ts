import { readBranch } from '../../github/repositories/branches.ts'
import { readPullRequestTrust } from '../../github/repositories/pull-requests.ts'
import type { GitHubClient } from '../../github/requests/github-client.ts'
import type { Project } from '../../status/types.ts'
import type { LeasedJob } from '../../store/queue/jobs.ts'
import { requireGitHubApp, toName } from '../base/projects.ts'
import { addMissedUpdate } from '../github-events/reconcile/settle-repository.ts'
import type { RunContext } from '../isolate/run-context.ts'

type RunJob = Extract<LeasedJob, { kind: 'run' | 'report' }>

/** Where GitHub's branch is, compared with the commit of an update. */
export interface BranchPosition {
  /** The default branch points at the commit, so its site is published. */
  readonly isTip: boolean
  /** Another commit is the one to show. A commit requested through the API is shown until the branch moves. */
  readonly isOvertaken: boolean
  /** The commit that the branch points at; `undefined` if there is no such branch, or if it was not read. */
  readonly tipSha: string | undefined
  /** As people write it: `main`, `#7`. */
  readonly branch: string
}

/**
 * Compares the commit of an update with its branch on GitHub. The order in which webhooks arrived says nothing about it.
 *
 * Every commit of other branches than the default one may have a preview, so these are read only if a newer update of the branch is known.
 *
 * @throws {GitHubError}
 */
export async function findBranchPosition(client: GitHubClient, project: Project, job: RunJob): Promise<BranchPosition> {
  const { update, details } = job.stored
  const { sha, ref } = update.commit
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1]
  const pullNumber = Number(/^refs\/pull\/(\d+)\/head$/.exec(ref)?.[1] ?? 0)
  const name = branch ?? (pullNumber > 0 ? `#${pullNumber}` : ref)
  const isDefault = branch === project.defaultBranch
  if (!isDefault && !job.validationOnly) return { isTip: false, isOvertaken: false, tipSha: undefined, branch: name }
  const tipSha =
    branch !== undefined
      ? await readBranch(client, toName(project), branch)
      : (await readPullRequestTrust(client, toName(project), pullNumber))?.headSha
  const isRequested = isDefault && tipSha !== undefined && details.requestedAtTip === tipSha
  const isOvertaken = tipSha !== sha && !isRequested
  return { isTip: isDefault && tipSha === sha, isOvertaken, tipSha, branch: name }
}

/** Queues an update of the commit that the branch points at, if the webhook of its push was lost. @throws {GitHubError} */
export async function ensureTipUpdate(
  context: RunContext,
  client: GitHubClient,
  project: Project,
  { branch, tipSha }: BranchPosition,
): Promise<void> {
  const { store, log, now, locks, metrics } = context
  const ref = `refs/heads/${branch}`
  if (tipSha === undefined || branch.startsWith('#')) return
  if ((await store.statuses.findForTip({ projectId: project.id, ref, sha: tipSha })) !== undefined) return
  const report = ({ kind }: { readonly kind: string }) => metrics.reconciled.inc({ kind })
  const reconcileContext = { store, log, now, locks, app: requireGitHubApp(context), report }
  await addMissedUpdate(reconcileContext, client, project, { ref, sha: tipSha })
}

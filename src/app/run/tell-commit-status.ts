import { GitHubError } from '../../errors.ts'
import { setCommitStatus } from '../../github/commit-status.ts'
import type { Project } from '../../status/types.ts'
import type { StoredUpdate } from '../../store/types.ts'
import { toSignedLink } from '../pages/signed-link.ts'
import { clientOf, type RunContext, toCheckName, toName } from './run-context.ts'
import { toJobFailure } from './to-job-failure.ts'

/**
 * Sets the commit status of a record to what the record says now: `pending` until it has ended. Does nothing where none is wanted.
 *
 * Wanted is it where the repository asks for it (`github.commit-status`) and where the check cannot be written. The configuration of a
 * commit is known only after its run, so `pending` goes by that of the record before; whoever was shown `pending` is shown the end.
 *
 * @param isCheckRefused The app may not write checks here.
 * @param mayExist An earlier attempt may have done it.
 * @throws {GitHubError} for what may pass; what GitHub refuses is logged.
 */
export async function tellCommitStatus(
  context: RunContext,
  options: { statusId: string; project: Project; isCheckRefused: boolean; mayExist: boolean },
): Promise<void> {
  const { statusId, project, isCheckRefused, mayExist } = options
  const { statuses } = context.store
  // The task that shows `pending` must not come after the report that shows the end.
  await context.locks(`commit status ${statusId}`, async () => {
    const stored = await statuses.find(statusId)
    if (!stored || !(isCheckRefused || (await isWanted(context, stored)))) return
    const { update, details } = stored
    // Before it is shown, so that a crash in between does not leave it pending.
    if (update.endedAt === undefined && details.commitStatus === undefined) {
      await statuses.addDetails(statusId, { commitStatus: 'begun' })
    }
    const status = {
      sha: update.commit.sha,
      context: toCheckName(project.root),
      state: toState(stored),
      description:
        update.endedAt === undefined ? 'Queued: the documents of this commit are checked in their turn.' : update.summary,
      targetUrl: toSignedLink(context.linkKey, context.baseUrl(), statusId, new Date(update.createdAt)),
    }
    try {
      await setCommitStatus(clientOf(context, project), toName(project), status, mayExist)
    } catch (error) {
      if (!(error instanceof GitHubError) || toJobFailure(error).mayPass) throw error
      context.log.warn({ statusId, reason: toJobFailure(error).reason }, 'Cannot set the commit status')
    }
  })
}

async function isWanted({ store }: RunContext, { update, details }: StoredUpdate): Promise<boolean> {
  if (details.commitStatus !== undefined) return true
  if (update.endedAt !== undefined) return false
  const list = await store.statuses.list(update.projectId, { limit: 20 })
  const before = list?.updates.find((one) => one.update._id < update._id && one.update.endedAt !== undefined)
  return before?.details.commitStatus === 'wanted'
}

/** A finding that blocks nothing, and nothing to check, are a success here: there is no word between. */
function toState({ update, details }: StoredUpdate): 'pending' | 'success' | 'failure' {
  if (update.endedAt === undefined) return 'pending'
  return details.checkConclusion === undefined ? update.status : 'success'
}

import { createCheckRun, findCheckRun, takeOverCheckRun } from '../../github/check-run.ts'
import type { Project } from '../../status/types.ts'
import { toSignedLink } from '../pages/signed-link.ts'
import { clientOf, type RunContext, toCheckName, toName } from './run-context.ts'

/**
 * Answers the number of a record's check, which it makes as `queued` where there is none yet.
 *
 * Several jobs may want it at the same time: the first makes it. `undefined` where the record is gone.
 *
 * @param mayExist An earlier attempt may have made it and not lived to remember it.
 * @throws {GitHubError}
 */
export async function ensureCheck(
  context: RunContext,
  { statusId, project, mayExist }: { statusId: string; project: Project; mayExist: boolean },
): Promise<number | undefined> {
  return await context.locks(`check ${statusId}`, async () => {
    const stored = await context.store.statuses.find(statusId)
    if (!stored) return undefined
    if (stored.details.checkRunId !== undefined) return stored.details.checkRunId
    const client = clientOf(context, project)
    const check = {
      name: toCheckName(project.root),
      headSha: stored.update.commit.sha,
      externalId: statusId,
      // The time is that of the record, so that every attempt makes the same link.
      detailsUrl: toSignedLink(context.linkKey, context.baseUrl(), statusId, new Date(stored.update.createdAt)),
      mayExist,
    }
    // The docs root may have been found elsewhere since that attempt.
    const earlier =
      mayExist && project.root !== ''
        ? await findCheckRun(client, toName(project), { ...check, name: toCheckName('') })
        : undefined
    const isKnown = async (id: string) => (await context.store.statuses.find(id)) !== undefined
    const taken =
      !earlier && stored.details.mayHaveCheck ? await takeOverCheckRun(client, toName(project), check, isKnown) : undefined
    const { id } = earlier ?? taken ?? (await createCheckRun(client, toName(project), check))
    await context.store.statuses.addDetails(statusId, { checkRunId: id })
    return id
  })
}

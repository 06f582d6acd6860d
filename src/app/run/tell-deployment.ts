import { GitHubError } from '../../errors.ts'
import { setDeployment } from '../../github/commit-status.ts'
import type { EndedUpdate, Project } from '../../status/types.ts'
import type { UpdateDetails } from '../../store/types.ts'
import { toSignedLink } from '../pages/signed-link.ts'
import { toCommitSite } from './commit-site.ts'
import { mayWriteOn } from './installation-permissions.ts'
import { clientOf, type RunContext, toName } from './run-context.ts'
import { toJobFailure } from './to-job-failure.ts'

/**
 * Shows a record that has ended as a deployment, where the repository asks for it (`github.deployment`) and the installation was granted
 * `deployments: write`, which the manifest does not ask for.
 *
 * @param mayExist An earlier attempt may have done it.
 * @throws {GitHubError} for what may pass; what GitHub refuses is logged.
 */
export async function tellDeployment(
  context: RunContext,
  options: { update: EndedUpdate; details: UpdateDetails; project: Project; validationOnly: boolean; mayExist: boolean },
): Promise<void> {
  const { update, details, project, validationOnly, mayExist } = options
  const { installationId } = project
  // Neither an older push nor the branch of a merge queue is what readers get to see; where nothing was checked there is nothing to show.
  const isShown =
    !validationOnly && !details.overtaken && details.trigger !== 'merge_group' && details.checkConclusion !== 'skipped'
  if (details.deployment !== true || !isShown || installationId === undefined) return
  const statusId = update._id
  try {
    if (!(await mayWriteOn(context, installationId, 'deployments'))) {
      const hint = 'grant the app `deployments: write` and let the account accept it'
      context.log.warn({ statusId, hint }, 'Cannot show a deployment')
      return
    }
    const isProduction = update.commit.ref === `refs/heads/${project.defaultBranch}`
    const siteUrl = toCommitSite(context, { update, details, project })
    const deployment = {
      sha: update.commit.sha,
      environment: toEnvironment(project.root, isProduction),
      isProduction,
      externalId: statusId,
      state: details.checkConclusion === 'neutral' ? ('success' as const) : update.status,
      description: update.summary,
      ...(siteUrl === undefined ? {} : { siteUrl }),
      logUrl: toSignedLink(context.linkKey, context.baseUrl(), statusId, new Date(update.createdAt)),
    }
    await setDeployment(clientOf(context, project), toName(project), deployment, mayExist)
  } catch (error) {
    if (!(error instanceof GitHubError) || toJobFailure(error).mayPass) throw error
    context.log.warn({ statusId, reason: toJobFailure(error).reason }, 'Cannot show a deployment')
  }
}

/** One environment for each docs root, so that a deployment of one does not end that of another. */
function toEnvironment(root: string, isProduction: boolean): string {
  return `${root === '' ? 'docs' : root} (${isProduction ? 'production' : 'preview'})`
}

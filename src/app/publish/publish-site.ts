import { readTip } from '../../github/repositories/branches.ts'
import type { Project } from '../../status/update-record.ts'
import type { PublishResult } from '../../store/sites/stored-sites.ts'
import { GitHubError } from '../../text/errors.ts'
import type { AppContext } from '../base/app-context.ts'
import { clientOf, toName } from '../base/projects.ts'

/**
 * Publishes the stored site of a commit for a person or a token, until the default branch moves. Reads the branch from GitHub, because the webhook
 * of an earlier push may still be missing. If GitHub is unreachable, the site is published nevertheless.
 *
 * @param actor As in audit lines.
 */
export async function publishSite(context: AppContext, project: Project, sha: string, actor: string): Promise<PublishResult> {
  return await context.store.sites.publish(project.id, sha, actor, await findTip(context, project))
}

async function findTip(
  context: AppContext,
  project: Project,
): Promise<{ readonly ref: string; readonly sha: string } | undefined> {
  if (!context.github.app) return undefined
  try {
    const sha = await readTip(clientOf(context, project), toName(project), project.defaultBranch)
    return { ref: `refs/heads/${project.defaultBranch}`, sha }
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error
    context.log.warn(
      { projectId: project.id, reason: error.message },
      'Cannot read the branch of a site that is published manually',
    )
    return undefined
  }
}

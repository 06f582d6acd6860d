import { countFindings } from '../../diagnostic/diagnostic.ts'
import { GitHubError } from '../../errors.ts'
import { type CommentContent, syncComment } from '../../github/comment.ts'
import { listPullRequestsOfBranch } from '../../github/commits.ts'
import type { Feedback } from '../../report/feedback.ts'
import { toCommentKey } from '../../report/render-comment.ts'
import type { EndedUpdate, Project } from '../../status/types.ts'
import type { UpdateDetails } from '../../store/types.ts'
import { clientOf, type RunContext, requireGitHubApp, toName } from './run-context.ts'

/**
 * Keeps the one comment true on each open pull request whose head is the commit of this update.
 *
 * An update that is not the newest of its ref says nothing: the newest one does. Where the app may not comment, the check has said it all.
 *
 * @throws {GitHubError}
 */
export async function commentOnPullRequests(
  context: RunContext,
  options: {
    readonly update: EndedUpdate
    readonly details: UpdateDetails
    readonly project: Project
    readonly feedback: Feedback
    /** A pull request that is known to have this head, beside those that are found. */
    readonly pullNumber?: number
  },
): Promise<void> {
  const { update, details, project, feedback } = options
  if (details.commentOff) return
  const { ref, sha } = update.commit
  const newest = await context.store.statuses.list(project.id, { ref, limit: 1 })
  if (newest?.updates[0] && newest.updates[0].update.commit.sha !== sha) return
  const client = clientOf(context, project)
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1]
  const known = [options.pullNumber, details.pullNumber].filter((number) => number !== undefined)
  const pulls =
    branch === undefined || branch === project.defaultBranch
      ? []
      : await listPullRequestsOfBranch(client, toName(project), branch)
  const numbers = new Set([...known, ...pulls.filter(({ headSha }) => headSha === sha).map(({ number }) => number)])
  const hasErrors = countFindings(feedback.diagnostics).errors > 0
  const content: CommentContent = hasErrors
    ? { kind: 'failure', feedback }
    : { kind: 'success', headSha: sha, site: feedback.site }
  const author = { kind: 'app', appId: requireGitHubApp(context).appId } as const
  for (const pullNumber of numbers) {
    const key = toCommentKey(project.root)
    // Two updates that report at once would both find no comment.
    await context.locks(`comment ${project.repositoryId}#${pullNumber} ${key}`, async () => {
      try {
        const { kind } = await syncComment(client, toName(project), { pullNumber, key, author, content })
        context.log.info({ statusId: update._id, pullNumber, outcome: kind }, 'Comment settled')
      } catch (error) {
        const isRefused = error instanceof GitHubError && (error.failure === 'forbidden' || error.failure === 'not-found')
        if (!isRefused) throw error
        context.log.warn({ statusId: update._id, pullNumber, reason: error.message }, 'Cannot comment')
      }
    })
  }
}

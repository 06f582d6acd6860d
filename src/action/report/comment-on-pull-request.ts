import { readNearestConfig } from '../../docs/read/find-docs.ts'
import type { Update } from '../../docs/types.ts'
import { openDiskFiles } from '../../files/disk-files.ts'
import { hasReport, toCommentKey } from '../../github/report/feedback.ts'
import { GitHubError } from '../../text/errors.ts'
import { describeGrant, type OpenGitHub } from '../inputs/github-access.ts'
import { botName, type ReportInputs } from '../inputs/inputs.ts'
import type { ActionEvent } from '../inputs/workflow-event.ts'
import { type ActionReport, explainFailure, toFeedback } from './summary.ts'

/**
 * Creates or updates the comments on a pull request, one per docs directory. A problem does not fail the run. Sends no request if the token
 * is read-only.
 *
 * @returns a sentence about the problem, if any.
 */
export async function commentOnPullRequest(
  inputs: Pick<ReportInputs, 'comment'>,
  event: ActionEvent,
  pullNumber: number,
  report: ActionReport,
  openGitHub: OpenGitHub,
): Promise<string | undefined> {
  if (inputs.comment === 'never' || event.isReadOnly || event.isClosed) return undefined
  // With `pull_request_target` the token could comment, but a run on files of a fork must not write.
  if (event.isFork) return undefined
  // With `pull_request_target` the base is checked out by default, so its diagnostics are not about the pull request.
  if (event.name === 'pull_request_target' && report.plannedAt !== headShaOf(event)) return undefined
  try {
    let others: string | undefined
    for (const update of report.updates) {
      const other = await commentOnDocsDirectory(inputs, pullNumber, event, report, update, openGitHub)
      others ??= other
    }
    return others && describeOtherCommenter(others, pullNumber)
  } catch (error) {
    if (!(error instanceof GitHubError)) return `Cannot comment: ${explainFailure(error).message}`
    const isRefused = error.failure === 'forbidden' || error.failure === 'not-found' || error.failure === 'unauthorized'
    const advice = `${describeGrant(report.access, 'pull-requests: write')}, or set \`comment: never\``
    return isRefused ? `${error.message}. ${advice}` : error.message
  }
}

/** Explains why this run did not comment. The other author can be an earlier token of the same workflow. */
function describeOtherCommenter(author: string, pullNumber: number): string {
  const note = `No comment added: \`${author}\` already has an openapi-pages comment on pull request #${pullNumber}`
  return author === botName ? `${note}. If this workflow used another token before, delete that comment` : note
}

/** @returns the author of an existing comment that this token cannot update, if there is something to report. */
async function commentOnDocsDirectory(
  inputs: Pick<ReportInputs, 'comment'>,
  pullNumber: number,
  event: ActionEvent,
  report: ActionReport,
  update: Update,
  openGitHub: OpenGitHub,
): Promise<string | undefined> {
  if (inputs.comment === undefined) {
    const { config } = await readNearestConfig(update.root, { files: openDiskFiles(report.boundary) })
    if (config.github.comment === 'off') return undefined
  }
  const github = await openGitHub()
  if (!github) return undefined
  const { syncComment } = await import('../../github/repositories/pull-requests.ts')
  const { client, repository } = github
  // Show the head commit instead of the temporary merge commit.
  const headSha = headShaOf(event) ?? report.plannedAt
  const feedback = { ...toFeedback(report, update), headSha: report.commitSha ?? headSha }
  const result = await syncComment(client, repository, {
    pullNumber,
    key: toCommentKey(update.root),
    author: { kind: 'token' },
    feedback,
  })
  return hasReport(feedback) ? result.otherAuthor : undefined
}

function headShaOf({ base }: ActionEvent): string | undefined {
  return base.kind === 'pull-request' ? base.headSha : undefined
}

import { countFindings } from '../diagnostics/diagnostic.ts'
import { GitHubError } from '../errors.ts'
import { openDiskFiles } from '../files/disk-files.ts'
import { toCommentKey } from '../github/report/render-comment.ts'
import { readNearestConfig } from '../update/read-config.ts'
import type { Update } from '../update/types.ts'
import type { ActionReport } from './action-report.ts'
import { explainFailure, toFeedback } from './action-report.ts'
import type { OpenGitHub } from './github-access.ts'
import { type ActionInputs, botName } from './inputs.ts'
import type { ActionEvent } from './workflow-event.ts'

/**
 * Keeps the comments of a pull request true, one for each docs directory. Where that is not possible the sentence says why; a run does not
 * fail for it. With a token that can only read nothing is asked of GitHub.
 *
 * @returns what was in the way, if anything was.
 */
export async function commentOnPullRequest(
  inputs: Pick<ActionInputs, 'comment'>,
  event: ActionEvent,
  report: ActionReport,
  openGitHub: OpenGitHub,
): Promise<string | undefined> {
  const { pullNumber } = event
  if (pullNumber === undefined || inputs.comment === 'never' || event.isReadOnly || event.isClosed) return undefined
  // The token of a `pull_request_target` could comment, but with the files of a fork checked out a run writes nothing at all.
  if (event.isFork) return undefined
  // The target of a pull request is checked out at its base: what is found there is not what the pull request does.
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
    const advice = 'To comment, give the job `permissions: pull-requests: write`; to be without, set `comment: never`'
    return `${error.message}. ${isRefused ? advice : 'The run goes on without'}`
  }
}

/** Silence would look like a fault, above all after a change of the token, when the other one is this workflow as it was before. */
function describeOtherCommenter(author: string, pullNumber: number): string {
  const kept = `\`${author}\` keeps the comment on pull request #${pullNumber} already, so this run adds none`
  return author === botName ? `${kept}: where that is an earlier token of this workflow, delete its comment` : kept
}

/** @returns who comments in our place, where there is something to say. */
async function commentOnDocsDirectory(
  inputs: Pick<ActionInputs, 'comment'>,
  pullNumber: number,
  event: ActionEvent,
  report: ActionReport,
  update: Update,
  openGitHub: OpenGitHub,
): Promise<string | undefined> {
  if (inputs.comment === undefined) {
    const { config } = await readNearestConfig(update.root, openDiskFiles(report.boundary))
    if (config.github.comment === 'off') return undefined
  }
  const github = await openGitHub()
  if (!github) return undefined
  const { syncComment } = await import('../github/comment.ts')
  const { client, repository } = github
  // A merge of base and head is nothing that anybody knows by its name.
  const headSha = headShaOf(event) ?? report.plannedAt
  const errors = countFindings(update.diagnostics).errors
  const result = await syncComment(client, repository, {
    pullNumber,
    key: toCommentKey(update.root),
    author: { kind: 'token' },
    content:
      errors > 0
        ? { kind: 'failure', feedback: { ...toFeedback(report, update), ...(report.commitSha === undefined ? { headSha } : {}) } }
        : { kind: 'success', headSha: report.commitSha ?? headSha },
  })
  return errors > 0 ? result.otherAuthor : undefined
}

function headShaOf({ base }: ActionEvent): string | undefined {
  return base.kind === 'pull-request' ? base.headSha : undefined
}

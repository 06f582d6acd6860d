import { acceptedFileName } from '../../../changes/accepted-changes.ts'
import { formatCount } from '../../../diagnostics/diagnostic.ts'
import { escapeMarkdown } from '../../../github/report/markdown.ts'
import { commitOnBranch } from '../../../github/repositories/branches.ts'
import { findCommit } from '../../../github/repositories/commits.ts'
import { listPullRequestsOfBranch } from '../../../github/repositories/pull-requests.ts'
import { joinPath } from '../../../text/plain/paths.ts'
import { clientOf, toName } from '../../base/projects.ts'
import { readStoredChanges } from '../../base/stored-changes.ts'
import { withArchive } from '../../check/check-archive.ts'
import { planAcceptanceOf } from '../../check/compare-archives.ts'
import type { RunContext } from '../../isolate/run-context.ts'
import { type ButtonResult, type PressedButton, refuse as refuseButton } from './commit-button.ts'

/**
 * Commits the file that accepts the breaking changes of a commit, if the commit is still the tip of its branch.
 *
 * The two versions are compared again, because the store keeps only the first changes. Nothing is accepted that the check does not count.
 *
 * @throws {GitHubError}
 */
export async function acceptBreakingChanges(
  context: RunContext,
  { stored, project, branch, login, isRetry, signal }: PressedButton,
): Promise<ButtonResult> {
  const { _id: statusId, commit } = stored.update
  const { sha } = commit
  const shown = readStoredChanges(await context.store.apiChanges.find(statusId))
  if (shown?.kind !== 'compared') return refuse('The changes of this commit are not stored. Re-run the check.')
  if (shown.counts.breaking === 0) return refuse('This commit has no breaking changes to accept.')
  const client = clientOf(context, project)
  const repository = toName(project)
  const count = formatCount(shown.counts.breaking, 'breaking change')
  const message = {
    headline: `docs: accept ${count}`,
    body: `Requested by ${login} in the check of ${sha.slice(0, 7)}.`,
  }
  const path = joinPath(project.root, acceptedFileName)
  const toResult = (commitSha: string, isVerified: boolean): ButtonResult => ({
    conclusion: 'success',
    title: `Accepted: ${count}`,
    summary: `${escapeMarkdown(path)} was changed in ${commitSha}${isVerified ? '' : ', which GitHub did not sign'}. The check of that commit shows the accepted changes.`,
  })
  const head = await findCommit(client, repository, `refs/heads/${branch}`)
  if (!head) return refuse(`The branch ${branch} no longer exists.`)
  if (head.sha !== sha) {
    // An earlier attempt made this commit, but failed to report it.
    const isOwn = isRetry && head.parents[0] === sha && head.message === `${message.headline}\n\n${message.body}`
    return isOwn ? toResult(head.sha, true) : refuse(newerCommit(branch))
  }
  const pulls = await listPullRequestsOfBranch(client, repository, branch)
  const pull = pulls
    .filter(({ headSha, isSameRepository }) => isSameRepository && headSha === sha)
    .sort((a, b) => a.number - b.number)[0]
  const by = {
    // Changelogs can be public, so the person is only in `author`.
    reason: pull ? `Pull request #${pull.number}` : `Branch ${branch.slice(0, 500)}`,
    author: login,
    date: context.now().toISOString().slice(0, 10),
  }
  const timeMs = context.config.runTimeoutSeconds * 1000
  const { baseSha } = shown
  const end = await withArchive(context, { project, sha, timeMs, signal }, async (archive, folder) =>
    // A commit would replace the link by a file.
    Object.hasOwn(archive.links, path)
      ? { kind: 'stopped' as const, reason: `the file ${path} is a symbolic link` }
      : await planAcceptanceOf(context, { archive, folder, project, stored, baseSha, by, timeMs, signal }),
  )
  if (end.kind === 'stopped') return refuse(toSentence(end.reason))
  if (end.answer.kind === 'unreadable') return refuse(toSentence(end.answer.reason))
  const { answer } = end
  if (answer.breakingCount !== shown.counts.breaking) {
    const found = formatCount(answer.breakingCount, 'breaking change')
    return refuse(`The comparison now finds ${found}, but this check shows ${count}. Re-run the check.`)
  }
  if (answer.kind === 'refused') {
    return refuse(`Cannot change ${path}: ${answer.reason}.${answer.hint === undefined ? '' : ` ${answer.hint}.`}`)
  }
  const { change } = answer
  // The answer comes from the process that reads untrusted documents.
  if (change.path !== path || change.kind === 'delete')
    throw new Error(`Unexpected change of \`${change.path}\`, expected \`${path}\``)
  const result = await commitOnBranch(client, repository, { branch, expectedHeadSha: sha, ...message, changes: [change] })
  return result.kind === 'stale' ? refuse(newerCommit(branch)) : toResult(result.sha, result.isVerified)
}

function refuse(reason: string): ButtonResult {
  return refuseButton('Not accepted', reason)
}

function newerCommit(branch: string): string {
  return `The branch ${branch} has a newer commit. Use the button in the check of that commit.`
}

function toSentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`
}

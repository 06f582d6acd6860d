import { findRemote, readTips } from '../../git/refs.ts'
import { moveBranches } from '../../github/branches.ts'
import { closePullRequest, findPullRequest } from '../../github/pull-request.ts'
import type { GitHubConnection } from './connect-github.ts'
import { type Delivery, type DeliveryTools, toDelivery } from './delivery.ts'
import { findForeignCommit } from './is-own-branch.ts'
import { toHeadBranch } from './own-branches.ts'
import { parsePullRequestMarker } from './pull-request-body.ts'

/**
 * Closes the pull request of a branch that has nothing left to do, with a word, and deletes its branch; undefined where there is none.
 * What has commits of somebody else, or was opened by somebody else, is left as it is.
 *
 * @param expectedBaseSha elsewhere than here the branch may have something left to do, so nothing is closed.
 *
 * @throws {GitError | GitHubError}
 */
export async function closeProposal(
  { git, branch: base, inputs }: Pick<DeliveryTools, 'git' | 'branch' | 'inputs'>,
  { open, repository }: GitHubConnection,
  expectedBaseSha?: string,
): Promise<Delivery | undefined> {
  const head = toHeadBranch(base)
  const tips = await readTips(git, await findRemote(git, inputs.token), [base, head])
  const [baseSha, headSha] = [tips.get(base), tips.get(head)]
  if (baseSha === undefined || headSha === undefined) return undefined
  if (expectedBaseSha !== undefined && expectedBaseSha !== baseSha) return undefined
  const client = await open()
  const pull = await findPullRequest(client, repository, { head, base })
  const marker = parsePullRequestMarker(pull?.body ?? '')
  const foreign = await findForeignCommit(client, repository, { baseSha, headSha, markedSha: marker?.headSha })
  const found = pull && { pullRequest: { number: pull.number, url: pull.url } }
  if (foreign || (pull && !marker)) {
    const why = foreign ? `has a commit that is not ours (\`${foreign.sha.slice(0, 7)}\`)` : 'has a pull request that is not ours'
    const notes = [`Nothing is left to do for \`${base}\`; \`${head}\` ${why} and is left as it is.`]
    return toDelivery({ operation: 'pull-request-kept', branch: head, ...found, notes })
  }
  if (pull) {
    const reason = `Nothing is left to do: the API pages of \`${base}\` are up to date.`
    await closePullRequest(client, repository, { number: pull.number, reason })
  }
  // Somebody who pushes to it at this moment keeps it.
  await moveBranches(client, repository, [{ branch: head, from: headSha, to: undefined, isOurs: true }])
  return pull && toDelivery({ operation: 'pull-request-closed', branch: head, ...found })
}

import { randomBytes } from 'node:crypto'
import type { Committer } from '../../git/commit.ts'
import type { PublishCommit } from '../../git/push.ts'
import { readCommitChanges } from '../../git/revisions.ts'
import { commitChanges } from '../../github/repositories/branches.ts'
import { GitHubError } from '../../text/errors.ts'
import type { GitHubConnection } from '../inputs/github-access.ts'
import { botName } from '../inputs/inputs.ts'
import type { RunVariables } from '../inputs/workflow-event.ts'
import { addTrailers, partTrailer, type Trailer } from './commit-message.ts'
import type { Delivery, DeliveryTools } from './delivery.ts'
import { temporaryPrefix } from './delivery-branches.ts'

/**
 * Publishes commits through GitHub's API, which signs them. The API creates an equal commit, and the work tree moves to it. The committer is the
 * owner of the token. A different configured committer becomes a co-author.
 */
export function createPublishByApi(
  { open, repository }: GitHubConnection,
  { runName }: RunVariables,
  committer: Committer,
): PublishCommit {
  const coAuthors: readonly Trailer[] =
    committer.name === botName ? [] : [['Co-authored-by', `${committer.name} <${committer.email}>`]]
  return async (git, commit, { remote, branch, expectedSha }) => {
    const changes = await readCommitChanges(git, commit)
    const message = coAuthors.length === 0 ? commit.message : addTrailers(commit.message, coAuthors)
    const end = message.indexOf('\n')
    const result = await commitChanges(await open(), repository, {
      branch,
      expectedSha,
      baseSha: commit.baseSha,
      headline: end === -1 ? message : message.slice(0, end),
      body: end === -1 ? '' : message.slice(end).trim(),
      partTrailer,
      changes,
      temporaryBranch: `${temporaryPrefix}${runName}-${randomBytes(4).toString('hex')}`,
    })
    if (result.kind === 'stale') return undefined
    // Only the commit IDs differ. If the fetch fails, the work tree stays at the local commit.
    const shallow = await git.run(['rev-parse', '--is-shallow-repository'])
    const depth = shallow.stdout.trim() === 'true' ? ['--depth=1'] : []
    const fetchArgs = ['fetch', '--no-tags', '--no-recurse-submodules', ...depth, remote.name, result.sha]
    const fetched = await git.run(fetchArgs, { environment: remote.environment })
    if (fetched.code === 0) await git.run(['reset', '--keep', 'FETCH_HEAD'])
    return result.sha
  }
}

/**
 * Looks up whether GitHub shows the commit as verified. After a push, only if `require-signed` is set.
 *
 * Does not throw GitHub errors, because the commit exists anyway.
 */
export async function verifyCommit(
  { inputs, connect }: Pick<DeliveryTools, 'inputs' | 'connect'>,
  delivery: Delivery,
): Promise<Delivery> {
  const { commitSha } = delivery
  if (commitSha === undefined || (inputs.commitMethod === 'git' && !inputs.requireSigned)) return delivery
  const connected = await connect()
  if (connected.kind === 'none') return delivery
  const { open, repository } = connected.connection
  try {
    const { readVerification } = await import('../../github/repositories/commits.ts')
    const { isVerified, reason } = await readVerification(await open(), repository, commitSha)
    if (isVerified) return { ...delivery, isVerified }
    const note = `GitHub does not show the commit as verified (\`${reason}\`).`
    return { ...delivery, isVerified, notes: [...delivery.notes, note] }
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error
    return { ...delivery, notes: [...delivery.notes, `Unknown verification status of the commit: ${error.message}.`] }
  }
}

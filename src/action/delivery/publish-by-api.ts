import { randomBytes } from 'node:crypto'
import { GitHubError } from '../../errors.ts'
import type { Committer } from '../../git/commit.ts'
import { readCommitChanges } from '../../git/git-diff.ts'
import type { PublishCommit } from '../../git/push.ts'
import { commitChanges } from '../../github/commit-changes.ts'
import type { GitHubConnection } from '../github-access.ts'
import { botName } from '../inputs.ts'
import type { RunVariables } from '../workflow-event.ts'
import type { Delivery, DeliveryTools } from './delivery.ts'
import { temporaryPrefix } from './delivery-branches.ts'
import { addTrailers, partTrailer, type Trailer } from './source-trailer.ts'

/**
 * Brings commits to a branch through the API of GitHub, which signs them: the commit of the work tree is made again there, from the same
 * files, and the work tree moves to it. It is by whoever the token is; another committer that was asked for is named as co-author.
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
    // The trees are equal, only the commit ids differ. If the fetch fails, the work tree stays at the local commit.
    const shallow = await git.run(['rev-parse', '--is-shallow-repository'])
    const depth = shallow.stdout.trim() === 'true' ? ['--depth=1'] : []
    const fetchArgs = ['fetch', '--no-tags', '--no-recurse-submodules', ...depth, remote.name, result.sha]
    const fetched = await git.run(fetchArgs, { environment: remote.environment })
    if (fetched.code === 0) await git.run(['reset', '--keep', 'FETCH_HEAD'])
    return result.sha
  }
}

/**
 * Asks GitHub whether it shows the commit of a delivery as verified. After a push that is asked only where it matters.
 *
 * Never throws for a refusal: the commit exists either way.
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
    const { readVerification } = await import('../../github/commits.ts')
    const { isVerified, reason } = await readVerification(await open(), repository, commitSha)
    if (isVerified) return { ...delivery, isVerified }
    const note = `GitHub does not show the commit as verified (\`${reason}\`).`
    return { ...delivery, isVerified, notes: [...delivery.notes, note] }
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error
    return { ...delivery, notes: [...delivery.notes, `Whether the commit is verified is not known: ${error.message}.`] }
  }
}

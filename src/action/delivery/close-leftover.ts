import { GitError, GitHubError } from '../../errors.ts'
import type { Git } from '../../git/git.ts'
import { readHead } from '../../git/refs.ts'
import { closeProposal } from './close-proposal.ts'
import { type ConnectResult, connectGitHub } from './connect-github.ts'
import type { DeliverOptions, Delivery } from './delivery.ts'
import { isHeadBranch } from './own-branches.ts'

type Options = Pick<DeliverOptions, 'branch' | 'inputs' | 'log'>

/**
 * Closes the pull request that an earlier run has opened for a branch that is up to date now; undefined where there is none.
 *
 * Nothing is thrown where that cannot be done: the pages are where they belong, only an old pull request stays open.
 *
 * @param baseSha where the branch has to be for that; wherever it is unless given.
 */
export async function closeLeftover(
  git: Git,
  { branch, inputs, log }: Options,
  connect: () => Promise<ConnectResult>,
  baseSha?: string,
): Promise<Delivery | undefined> {
  if (isHeadBranch(branch)) return undefined
  try {
    const connected = await connect()
    if (connected.kind === 'none') return undefined
    return await closeProposal({ git, branch, inputs }, connected.connection, baseSha)
  } catch (error) {
    if (!(error instanceof GitHubError || error instanceof GitError)) throw error
    log(`${error.message} (${error.hint ?? 'the next run tries again'})`)
    return undefined
  }
}

/** The same where the commit of the work tree is one of ours with nothing to do, unless its branch has moved on. */
export async function closeLeftoverAtHead(
  git: Git,
  options: Options & Pick<DeliverOptions, 'variables' | 'pace'>,
): Promise<Delivery | undefined> {
  const { inputs, variables, pace } = options
  const connect = () => connectGitHub(git, { token: inputs.token ?? inputs.githubToken, variables, pace })
  return closeLeftover(git, options, connect, await readHead(git))
}

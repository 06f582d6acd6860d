import { GitHubError } from '../errors.ts'
import { callGitHub, nameRepository } from './call-github.ts'
import { readBranch } from './create-branch.ts'
import { repeatable } from './pace-requests.ts'
import type { GitHubClient, RepositoryName } from './types.ts'

/** One branch and where it goes. */
export interface BranchMove {
  readonly branch: string
  /** Where it has to be; undefined where it must not be there. */
  readonly from: string | undefined
  /** Undefined takes it away. */
  readonly to: string | undefined
  /** Only a branch of our own may be moved to a commit that does not come after the one it is at. */
  readonly isOurs: boolean
}

/** The whole of what is sent; `test/real/fake-github.test.ts` holds it to GitHub's schema. */
export const updateRefsMutation = `mutation MoveBranches($input: UpdateRefsInput!) {
  updateRefs(input: $input) { clientMutationId }
}`

const noCommit = '0'.repeat(40)

/**
 * Moves several branches at once: all, or none. False where one of them is not where it was expected: nobody's commit is lost.
 *
 * Source: GitHub GraphQL, `updateRefs`: atomic, with the value that each ref has to have before.
 *
 * @throws {GitHubError}
 */
export async function moveBranches(
  client: GitHubClient,
  repository: RepositoryName,
  moves: readonly BranchMove[],
): Promise<boolean> {
  const names = moves.map(({ branch }) => `\`${branch}\``).join(', ')
  const about = { operation: 'move branches', on: `${nameRepository(repository)} ${names}`, permission: 'contents: write' }
  try {
    const { data } = await callGitHub({ ...about, permission: 'metadata: read' }, () => client.rest.repos.get({ ...repository }))
    const input = {
      repositoryId: data.node_id,
      refUpdates: moves.map(({ branch, from, to, isOurs }) => ({
        name: `refs/heads/${branch}`,
        beforeOid: from ?? noCommit,
        afterOid: to ?? noCommit,
        force: isOurs,
      })),
    }
    await callGitHub(about, () => client.graphql(updateRefsMutation, { input, request: repeatable }))
    return true
  } catch (error) {
    const mayBeStale = error instanceof GitHubError && (error.failure === 'invalid' || error.failure === 'conflict')
    if (!mayBeStale) throw error
    // GitHub has no code for "it is elsewhere"; and a repeat after a lost answer finds everything where it was to go.
    const tips = await Promise.all(moves.map(({ branch }) => readBranch(client, repository, branch)))
    if (moves.every(({ to }, index) => tips[index] === to)) return true
    if (moves.some(({ from }, index) => tips[index] !== from)) return false
    throw error
  }
}

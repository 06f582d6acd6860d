import { GitHubError } from '../../text/errors.ts'
import { callGitHub, nameRepository } from '../requests/call-github.ts'
import { repeatable } from '../requests/request-pace.ts'
import type { GitHubClient, RepositoryName } from '../requests/types.ts'

/**
 * Creates a branch at a commit on GitHub. The name must be unused.
 *
 * @throws {GitHubError} `protected` when a repository rule forbids the name.
 */
export async function createBranch(client: GitHubClient, repository: RepositoryName, branch: string, sha: string): Promise<void> {
  const operation = toOperation('create branch', repository, branch)
  try {
    await callGitHub(operation, () =>
      client.rest.git.createRef({ ...repository, ref: `refs/heads/${branch}`, sha, request: repeatable }),
    )
  } catch (error) {
    // A retry after a lost response finds the branch. GitHub's refusal has no code, so check the branch itself.
    if (!isInvalid(error) || (await readBranch(client, repository, branch)) === undefined) throw error
  }
}

/** Deletes a branch at any commit. Succeeds when it does not exist. @throws {GitHubError} */
export async function deleteBranch(client: GitHubClient, repository: RepositoryName, branch: string): Promise<void> {
  const operation = toOperation('delete branch', repository, branch)
  try {
    await callGitHub(operation, () => client.rest.git.deleteRef({ ...repository, ref: `heads/${branch}`, request: repeatable }))
  } catch (error) {
    if (error instanceof GitHubError && error.failure === 'not-found') return
    if (!isInvalid(error) || (await readBranch(client, repository, branch)) !== undefined) throw error
  }
}

/** Reads the commit of a branch; undefined if there is no such branch. @throws {GitHubError} */
export async function readBranch(client: GitHubClient, repository: RepositoryName, branch: string): Promise<string | undefined> {
  const operation = { ...toOperation('read branch', repository, branch), permission: 'contents: read' }
  try {
    const { data } = await callGitHub(operation, () => client.rest.git.getRef({ ...repository, ref: `heads/${branch}` }))
    return data.object.sha
  } catch (error) {
    if (error instanceof GitHubError && error.failure === 'not-found') return undefined
    throw error
  }
}

/** 422: GitHub's refs API uses it for every refusal. */
function isInvalid(error: unknown): boolean {
  return error instanceof GitHubError && error.failure === 'invalid'
}

function toOperation(operation: string, repository: RepositoryName, branch: string) {
  return { operation, on: `${nameRepository(repository)} \`${branch}\``, permission: 'contents: write' }
}

/** One branch and its new commit. */
interface BranchMove {
  readonly branch: string
  /** The expected commit; undefined when the branch must not exist yet. */
  readonly from: string | undefined
  /** Undefined deletes the branch. */
  readonly to: string | undefined
  /** Only a branch that openapi-pages manages may be forced. */
  readonly mayForce: boolean
}

/** `test/real/fake-github.test.ts` validates it against GitHub's schema. */
export const updateRefsMutation = `mutation MoveBranches($input: UpdateRefsInput!) {
  updateRefs(input: $input) { clientMutationId }
}`

const noCommit = '0'.repeat(40)

/**
 * Moves several branches atomically. False when one of them is not at the expected commit, so that no commit is lost.
 *
 * Source: GitHub GraphQL, `updateRefs`: atomic, with the expected value of each ref.
 *
 * @throws {GitHubError}
 */
export async function moveBranches(
  client: GitHubClient,
  repository: RepositoryName,
  moves: readonly BranchMove[],
): Promise<boolean> {
  const names = moves.map(({ branch }) => `\`${branch}\``).join(', ')
  const operation = { operation: 'move branches', on: `${nameRepository(repository)} ${names}`, permission: 'contents: write' }
  try {
    const { data } = await callGitHub({ ...operation, permission: 'metadata: read' }, () =>
      client.rest.repos.get({ ...repository }),
    )
    const input = {
      repositoryId: data.node_id,
      refUpdates: moves.map(({ branch, from, to, mayForce }) => ({
        name: `refs/heads/${branch}`,
        beforeOid: from ?? noCommit,
        afterOid: to ?? noCommit,
        force: mayForce,
      })),
    }
    await callGitHub(operation, () => client.graphql(updateRefsMutation, { input, request: repeatable }))
    return true
  } catch (error) {
    const mayBeStale = error instanceof GitHubError && (error.failure === 'invalid' || error.failure === 'conflict')
    if (!mayBeStale) throw error
    // GitHub has no code for a moved branch, and a retry after a lost response finds the branches already moved.
    const tips = await Promise.all(moves.map(({ branch }) => readBranch(client, repository, branch)))
    if (moves.every(({ to }, index) => tips[index] === to)) return true
    if (moves.some(({ from }, index) => tips[index] !== from)) return false
    throw error
  }
}

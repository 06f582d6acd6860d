import { GitHubError } from '../errors.ts'
import { callGitHub, nameRepository } from './call-github.ts'
import { repeatable } from './request-pace.ts'
import type { GitHubClient, RepositoryName } from './types.ts'

/**
 * Makes a branch, under a name that nobody else uses, at a commit that GitHub has.
 *
 * @throws {GitHubError} `protected` where a rule of the repository keeps such names from being made.
 */
export async function createBranch(client: GitHubClient, repository: RepositoryName, branch: string, sha: string): Promise<void> {
  const about = toOperation('create branch', repository, branch)
  try {
    await callGitHub(about, () =>
      client.rest.git.createRef({ ...repository, ref: `refs/heads/${branch}`, sha, request: repeatable }),
    )
  } catch (error) {
    // A repeat after a lost response finds the branch. GitHub refuses it without a code, so the branch itself decides.
    if (!isInvalid(error) || (await readBranch(client, repository, branch)) === undefined) throw error
  }
}

/** Deletes a branch wherever it is; one that does not exist is fine. @throws {GitHubError} */
export async function deleteBranch(client: GitHubClient, repository: RepositoryName, branch: string): Promise<void> {
  const about = toOperation('delete branch', repository, branch)
  try {
    await callGitHub(about, () => client.rest.git.deleteRef({ ...repository, ref: `heads/${branch}`, request: repeatable }))
  } catch (error) {
    if (error instanceof GitHubError && error.failure === 'not-found') return
    if (!isInvalid(error) || (await readBranch(client, repository, branch)) !== undefined) throw error
  }
}

/** The commit that a branch is at; undefined where there is none. @throws {GitHubError} */
export async function readBranch(client: GitHubClient, repository: RepositoryName, branch: string): Promise<string | undefined> {
  const about = { ...toOperation('read branch', repository, branch), permission: 'contents: read' }
  try {
    const { data } = await callGitHub(about, () => client.rest.git.getRef({ ...repository, ref: `heads/${branch}` }))
    return data.object.sha
  } catch (error) {
    if (error instanceof GitHubError && error.failure === 'not-found') return undefined
    throw error
  }
}

/** 422, the status of all that GitHub's API for refs refuses. */
function isInvalid(error: unknown): boolean {
  return error instanceof GitHubError && error.failure === 'invalid'
}

function toOperation(operation: string, repository: RepositoryName, branch: string) {
  return { operation, on: `${nameRepository(repository)} \`${branch}\``, permission: 'contents: write' }
}

/** One branch and where it goes. */
interface BranchMove {
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

import { GitHubError } from '../errors.ts'
import type { FileChange } from '../text/file-change.ts'
import { callGitHub, toGitHubError } from './call-github.ts'
import type { GitHubClient, RepositoryName } from './types.ts'

/** What came of it. */
export type CommitResult =
  | {
      readonly kind: 'committed'
      readonly sha: string
      readonly url: string
      /** Whether GitHub signed it, as it does for an app. */
      readonly isVerified: boolean
    }
  /** The branch is no longer at `expectedHeadSha`: read it again, make the changes anew from there, and try once more. */
  | { readonly kind: 'stale' }

interface CommitAnswer {
  readonly createCommitOnBranch: {
    readonly commit: {
      readonly oid: string
      readonly url: string
      readonly signature: { readonly isValid: boolean } | null
    } | null
  } | null
}

/** The whole of what is sent; `test/real/fake-github.test.ts` holds it to GitHub's schema. */
export const commitMutation = `mutation CommitOnBranch($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid url signature { isValid } } }
}`

/** GitHub refuses requests over about 40 MB; contents are a third larger in base64. */
const contentLimitBytes = 25_000_000

/**
 * Commits changed files to a branch in one request, signed by GitHub, and only if the branch is still where the changes were made.
 *
 * Paths are relative to the repository. Only plain text files: the request cannot carry modes or links.
 *
 * @throws {GitHubError} `forbidden` without `contents: write`, `refused` for more than 25 MB.
 */
export async function commitOnBranch(
  client: GitHubClient,
  repository: RepositoryName,
  commit: {
    readonly branch: string
    /** The commit the changes were made on. */
    readonly expectedHeadSha: string
    /** First line. */
    readonly headline: string
    /** The rest, without the empty line between. */
    readonly body?: string
    readonly changes: readonly FileChange[]
  },
): Promise<CommitResult> {
  const { branch, expectedHeadSha, headline, body, changes } = commit
  const name = `${repository.owner}/${repository.repo}`
  const about = { operation: 'commit', on: `\`${name}\` branch \`${branch}\``, permission: 'contents: write' }
  const written = changes.filter((change) => change.kind !== 'delete')
  const sizeBytes = written.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
  if (sizeBytes > contentLimitBytes) {
    throw new GitHubError(
      `Cannot commit on ${about.on}: ${sizeBytes} bytes of files, GitHub takes ${contentLimitBytes} in one commit`,
      {
        failure: 'refused',
        operation: about.operation,
        hint: 'run `openapi-pages update` and push its result',
      },
    )
  }
  const input = {
    branch: { repositoryNameWithOwner: name, branchName: branch },
    expectedHeadOid: expectedHeadSha,
    message: { headline, ...(body === undefined ? {} : { body }) },
    fileChanges: {
      additions: written.map(({ path, content }) => ({ path, contents: Buffer.from(content).toString('base64') })),
      deletions: changes.filter(({ kind }) => kind === 'delete').map(({ path }) => ({ path })),
    },
  }
  try {
    const answer = await callGitHub(about, () => client.graphql<CommitAnswer>(commitMutation, { input }))
    const made = answer.createCommitOnBranch?.commit
    if (!made) throw toGitHubError(new Error('GitHub answered without a commit'), about)
    return { kind: 'committed', sha: made.oid, url: made.url, isVerified: made.signature?.isValid ?? false }
  } catch (error) {
    // The branch moved; or our own request was done although its answer was lost, which the caller sees when it reads the branch.
    if (error instanceof GitHubError && error.failure === 'conflict') return { kind: 'stale' }
    throw error
  }
}

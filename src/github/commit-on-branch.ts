import { GitHubError } from '../errors.ts'
import type { FileChange } from '../text/file-change.ts'
import { callGitHub, nameRepository, toGitHubError } from './call-github.ts'
import { repeatable } from './pace-requests.ts'
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
    // Sent twice it is done once: the second time the branch is elsewhere.
    const answer = await callGitHub(about, () => client.graphql<CommitAnswer>(commitMutation, { input, request: repeatable }))
    const made = answer.createCommitOnBranch?.commit
    if (!made) throw toGitHubError(new Error('GitHub answered without a commit'), about)
    return { kind: 'committed', sha: made.oid, url: made.url, isVerified: made.signature?.isValid ?? false }
  } catch (error) {
    // With a status of its own it is another conflict than that of a branch that moved, which GraphQL answers.
    if (!(error instanceof GitHubError && error.failure === 'conflict' && error.status === 200)) throw error
    return (await findOwnCommit(client, repository, commit)) ?? { kind: 'stale' }
  }
}

/** The branch may have moved because the request was done although its answer was lost: then its newest commit is this one. */
async function findOwnCommit(
  client: GitHubClient,
  repository: RepositoryName,
  { branch, expectedHeadSha, headline, body }: Parameters<typeof commitOnBranch>[2],
): Promise<CommitResult | undefined> {
  const about = { operation: 'read commit', on: nameRepository(repository), permission: 'contents: read' }
  const { data } = await callGitHub(about, () =>
    client.rest.repos.getCommit({ ...repository, ref: `heads/${branch}`, per_page: 1 }),
  )
  const message = body ? `${headline}\n\n${body}` : headline
  const isOwn = data.parents.length === 1 && data.parents[0]?.sha === expectedHeadSha && data.commit.message === message
  if (!isOwn) return undefined
  return { kind: 'committed', sha: data.sha, url: data.html_url, isVerified: data.commit.verification?.verified ?? false }
}

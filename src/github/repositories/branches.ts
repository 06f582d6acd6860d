import { GitHubError } from '../../text/errors.ts'
import type { FileChange } from '../../text/plain/source-file.ts'
import { callGitHub, nameRepository, repeatable, toGitHubError, unlessNotFound } from '../requests/call-github.ts'
import type { GitHubClient, RepositoryName } from '../requests/github-client.ts'
import { findCommit } from './commits.ts'

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
    const remove = () => client.rest.git.deleteRef({ ...repository, ref: `heads/${branch}`, request: repeatable })
    await unlessNotFound(() => callGitHub(operation, remove))
  } catch (error) {
    if (!isInvalid(error) || (await readBranch(client, repository, branch)) !== undefined) throw error
  }
}

/** Reads the commit of a branch; undefined if there is no such branch. @throws {GitHubError} */
export async function readBranch(client: GitHubClient, repository: RepositoryName, branch: string): Promise<string | undefined> {
  return await unlessNotFound(() => readTip(client, repository, branch))
}

/** Reads the commit of a branch that exists, such as the default branch. @throws {GitHubError} also if GitHub does not find it. */
export async function readTip(client: GitHubClient, repository: RepositoryName, branch: string): Promise<string> {
  const operation = { ...toOperation('read branch', repository, branch), permission: 'contents: read' }
  const { data } = await callGitHub(operation, () => client.rest.git.getRef({ ...repository, ref: `heads/${branch}` }))
  return data.object.sha
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

/** Changes and their branch. */
export interface ChangesToCommit {
  readonly branch: string
  /** The commit that the branch must be at. Undefined: the branch must not exist yet. */
  readonly expectedSha: string | undefined
  /**
   * The commit that the changes were made on. If it differs from `expectedSha`, the branch belongs to openapi-pages and is reset
   * to this commit.
   */
  readonly baseSha: string
  readonly headline: string
  readonly body: string
  /** Name of the trailer that marks every commit but the last as partial. The last one has `body`. */
  readonly partTrailer: string
  readonly changes: readonly FileChange[]
  /** An unused branch name for the intermediate commits. */
  readonly temporaryBranch: string
  readonly limits?: Partial<ChunkLimits>
}

/**
 * The limits of one request: the size of its contents is before base64. GitHub accepts about 40 MB with contents in base64, and documents no limit on the number of files. 200 has proved
 * reliable.
 */
const defaultLimits = { files: 200, bytes: 20_000_000 }
type ChunkLimits = Readonly<typeof defaultLimits>

/**
 * Commits changes to a branch in one atomic update, signed by GitHub.
 *
 * Makes one commit if one request is enough and the branch is at `baseSha`. Otherwise commits in parts on a temporary branch,
 * then moves the branch and deletes the temporary one in one update. The temporary branch is always deleted.
 *
 * @throws {GitHubError} `protected` when a branch rule refuses it, `forbidden` without `contents: write`.
 */
export async function commitChanges(
  client: GitHubClient,
  repository: RepositoryName,
  options: ChangesToCommit,
): Promise<CommitResult> {
  const { branch, expectedSha, baseSha, headline, body, changes } = options
  const parts = splitChanges(changes, { ...defaultLimits, ...options.limits })
  if (parts.length === 1 && expectedSha === baseSha) {
    return commitOnBranch(client, repository, { branch, expectedHeadSha: baseSha, headline, body, changes })
  }
  const { temporaryBranch } = options
  await createBranch(client, repository, temporaryBranch, baseSha)
  let isGone = false
  try {
    const made = await commitParts(client, repository, options, parts)
    const isMoved = await moveBranches(client, repository, [
      { branch, from: expectedSha, to: made.sha, mayForce: expectedSha !== baseSha },
      { branch: temporaryBranch, from: made.sha, to: undefined, mayForce: true },
    ])
    isGone = isMoved
    return isMoved ? made : { kind: 'stale' }
  } finally {
    if (!isGone) await deleteBranch(client, repository, temporaryBranch).catch(() => undefined)
  }
}

async function commitParts(
  client: GitHubClient,
  repository: RepositoryName,
  { temporaryBranch, baseSha, headline, body, partTrailer }: ChangesToCommit,
  parts: readonly (readonly FileChange[])[],
): Promise<Extract<CommitResult, { kind: 'committed' }>> {
  let sha = baseSha
  let url = ''
  let isVerified = true
  for (const [index, changes] of parts.entries()) {
    const count = `${index + 1}/${parts.length}`
    const isLast = index === parts.length - 1
    const result = await commitOnBranch(client, repository, {
      branch: temporaryBranch,
      expectedHeadSha: sha,
      headline: parts.length === 1 ? headline : `${headline} (${count})`,
      body: isLast ? body : `The last of these ${parts.length} commits completes the update.\n\n${partTrailer}: ${count}`,
      changes,
    })
    if (result.kind === 'stale') {
      throw new GitHubError(
        `Cannot commit on \`${repository.owner}/${repository.repo}\`: \`${temporaryBranch}\` was moved by another process`,
        {
          failure: 'conflict',
          operation: 'commit',
          hint: 'Run again. That temporary branch is reserved for a single run',
        },
      )
    }
    sha = result.sha
    url = result.url
    isVerified &&= result.isVerified
  }
  return { kind: 'committed', sha, url, isVerified }
}

/** The result of a commit. */
type CommitResult =
  | {
      readonly kind: 'committed'
      readonly sha: string
      readonly url: string
      /** Whether GitHub signed it, as it does for apps. */
      readonly isVerified: boolean
    }
  /** The branch has moved. Plan the changes again from its new commit. */
  | { readonly kind: 'stale' }

interface CommitResponse {
  readonly createCommitOnBranch: {
    readonly commit: {
      readonly oid: string
      readonly url: string
      readonly signature: { readonly isValid: boolean } | null
    } | null
  } | null
}

/** `test/real/fake-github.test.ts` validates it against GitHub's schema. */
export const commitMutation = `mutation CommitOnBranch($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid url signature { isValid } } }
}`

/** GitHub refuses requests over about 40 MB; base64 makes contents a third larger. */
const contentLimitBytes = 25_000_000

/**
 * Commits changed files to a branch in one request, signed by GitHub, if the branch is still at the commit that the changes were
 * made on.
 *
 * Paths are relative to the repository. Supports plain text files only: the request has no modes or links.
 *
 * @throws {GitHubError} `forbidden` without `contents: write`, `refused` for more than 25 MB.
 */
export async function commitOnBranch(
  client: GitHubClient,
  repository: RepositoryName,
  commit: Pick<ChangesToCommit, 'branch' | 'headline' | 'changes'> & {
    /** The commit the changes were made on. */
    readonly expectedHeadSha: string
    /** The rest of the message, without the blank line before it. */
    readonly body?: string
  },
): Promise<CommitResult> {
  const { branch, expectedHeadSha, headline, body, changes } = commit
  const name = `${repository.owner}/${repository.repo}`
  const operation = { operation: 'commit', on: `\`${name}\` branch \`${branch}\``, permission: 'contents: write' }
  const written = changes.filter((change) => change.kind !== 'delete')
  const sizeBytes = written.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
  if (sizeBytes > contentLimitBytes) {
    throw new GitHubError(
      `Cannot commit on ${operation.on}: the files have ${sizeBytes} bytes, more than the limit of ${contentLimitBytes} for one commit`,
      {
        failure: 'refused',
        operation: operation.operation,
        hint: 'Run `openapi-pages update` locally and push the result',
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
    // Safe to repeat: the second time, the branch is no longer at the expected commit.
    const answer = await callGitHub(operation, () =>
      client.graphql<CommitResponse>(commitMutation, { input, request: repeatable }),
    )
    const made = answer.createCommitOnBranch?.commit
    if (!made) throw toGitHubError(new Error('GitHub returned no commit'), operation)
    return { kind: 'committed', sha: made.oid, url: made.url, isVerified: made.signature?.isValid ?? false }
  } catch (error) {
    // GitHub reports a moved branch as a GraphQL error with status 200. Other conflicts have another status.
    if (!(error instanceof GitHubError && error.failure === 'conflict' && error.status === 200)) throw error
    return (await findOwnCommit(client, repository, commit)) ?? { kind: 'stale' }
  }
}

/** After a lost response, the newest commit of the branch may be this one. */
async function findOwnCommit(
  client: GitHubClient,
  repository: RepositoryName,
  { branch, expectedHeadSha, headline, body }: Parameters<typeof commitOnBranch>[2],
): Promise<CommitResult | undefined> {
  const tip = await findCommit(client, repository, `refs/heads/${branch}`)
  const message = body ? `${headline}\n\n${body}` : headline
  if (!tip || tip.parents.join(' ') !== expectedHeadSha || tip.message !== message) return undefined
  return { kind: 'committed', sha: tip.sha, url: tip.url, isVerified: tip.isVerified }
}

/** Splits changes, in order, into as few parts as the limits allow. A file over the limit gets its own part. */
export function splitChanges(changes: readonly FileChange[], limits: ChunkLimits): readonly (readonly FileChange[])[] {
  const parts: FileChange[][] = []
  let current: FileChange[] = []
  let currentBytes = 0
  for (const change of changes) {
    const bytes = change.kind === 'delete' ? 0 : Buffer.byteLength(change.content)
    if (current.length > 0 && (current.length >= limits.files || currentBytes + bytes > limits.bytes)) {
      parts.push(current)
      current = []
      currentBytes = 0
    }
    current.push(change)
    currentBytes += bytes
  }
  if (current.length > 0) parts.push(current)
  return parts
}

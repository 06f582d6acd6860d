import { GitHubError } from '../errors.ts'
import type { FileChange } from '../text/file-change.ts'
import { type CommitResult, commitOnBranch } from './commit-on-branch.ts'
import { createBranch, deleteBranch } from './create-branch.ts'
import { splitChanges } from './split-changes.ts'
import type { GitHubClient, RepositoryName } from './types.ts'
import { moveBranches } from './update-branches.ts'

/** Changes and where they go. */
export interface ChangesToCommit {
  readonly branch: string
  /** Where the branch has to be: it is moved from there or not at all. Undefined: it must not be there yet. */
  readonly expectedSha: string | undefined
  /** The commit that the changes were made on. Another than `expectedSha` means that the branch is ours and begins anew here. */
  readonly baseSha: string
  readonly headline: string
  readonly body: string
  /** How parts before the last say that they are ours, as a trailer; the last one has what `body` says. */
  readonly partTrailer: string
  readonly changes: readonly FileChange[]
  /** A name that no branch has. It stands for as long as the parts are made. */
  readonly temporaryBranch: string
  readonly limits?: Partial<ChunkLimits>
}

/** How much goes into one request. */
export interface ChunkLimits {
  readonly files: number
  /** Of contents, before base64. */
  readonly bytes: number
}

/** GitHub takes about 40 MB in one request, contents in base64, and names no number of files; 200 is what others have found to hold. */
const defaultLimits: ChunkLimits = { files: 200, bytes: 20_000_000 }

/**
 * Commits changes to a branch so that it goes from what it was to all of them at once, signed by GitHub.
 *
 * Where one request holds them and the branch is at `baseSha`, that is one commit. Else they are committed in parts on a temporary
 * branch, and one atomic update moves the branch and takes the temporary one away; whatever happens, it does not stay.
 *
 * @throws {GitHubError} `protected` where a rule of the branch refuses it, `forbidden` without `contents: write`.
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
      { branch, from: expectedSha, to: made.sha, isOurs: expectedSha !== baseSha },
      { branch: temporaryBranch, from: made.sha, to: undefined, isOurs: true },
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
        `Cannot commit on \`${repository.owner}/${repository.repo}\`: somebody moved \`${temporaryBranch}\``,
        {
          failure: 'conflict',
          operation: 'commit',
          hint: 'that branch is made for a moment, by this run and for it alone: run again',
        },
      )
    }
    sha = result.sha
    url = result.url
    isVerified &&= result.isVerified
  }
  return { kind: 'committed', sha, url, isVerified }
}

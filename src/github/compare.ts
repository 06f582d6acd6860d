import { foldFilesChanged } from '../status/fold-files-changed.ts'
import type { FilesChanged } from '../status/types.ts'
import { callGitHub, nameRepository } from './call-github.ts'
import type { GitHubClient, RepositoryName } from './types.ts'

/** What changed between two commits as far as GitHub tells. */
export interface Comparison {
  /** Net of everything between, sorted. */
  readonly filesChanged: FilesChanged
  /** A sentence when GitHub's list of files was cut: then more may have changed. */
  readonly truncated: string | undefined
  /** The whole number, however many GitHub lists. */
  readonly commitCount: number
}

/** GitHub REST, "Compare two commits": at most 300 files, on the first page only. */
const fileLimit = 300

/**
 * Asks which files differ between the merge base of two commits and the second of them.
 *
 * After a forced push the two may have parted: then what the first alone had is not listed, and `truncated` says so.
 *
 * @throws {GitHubError} `not-found` where a commit is gone, as after a forced push and some time.
 */
export async function compareCommits(
  client: GitHubClient,
  repository: RepositoryName,
  baseSha: string,
  headSha: string,
): Promise<Comparison> {
  const about = { operation: 'compare commits', on: nameRepository(repository, headSha), permission: 'contents: read' }
  const { data } = await callGitHub(about, () =>
    // One commit a page: the list of commits is not used, the files come with the first page whatever its size.
    client.rest.repos.compareCommitsWithBasehead({ ...repository, basehead: `${baseSha}...${headSha}`, per_page: 1 }),
  )
  const files = data.files ?? []
  const isOf = (...wanted: readonly string[]) =>
    files.filter(({ status }) => wanted.includes(status)).map(({ filename }) => filename)
  const left = files.flatMap(({ status, previous_filename: previous }) => (status === 'renamed' && previous ? [previous] : []))
  const filesChanged = foldFilesChanged([
    { added: isOf('added', 'copied', 'renamed'), modified: isOf('modified', 'changed'), removed: [...isOf('removed'), ...left] },
  ])
  return { filesChanged, truncated: sayTruncated(files.length, data.status), commitCount: data.total_commits }
}

function sayTruncated(fileCount: number, status: string): string | undefined {
  if (fileCount >= fileLimit) return `GitHub lists ${fileLimit} changed files at most; more may have changed`
  if (status === 'diverged')
    return 'The branch was moved to another line of commits; files that only the old one had are not listed'
  if (status === 'behind') return 'The branch was moved back; files that the left-out commits changed are not listed'
  return undefined
}

import { GitHubError } from '../errors.ts'
import { callGitHub, nameRepository } from './call-github.ts'
import type { GitHubClient, RepositoryName } from './types.ts'

/** The files of a commit by name. */
export interface RepositoryListing {
  /** Plain and executable files, relative with `/`, sorted by UTF-16 units; no links and no submodules. */
  readonly paths: readonly string[]
  /** GitHub leaves out what is beyond 100,000 entries or 7 MB. */
  readonly isTruncated: boolean
}

/** Lists the files of a commit without reading them. @throws {GitHubError} */
export async function listRepositoryFiles(
  client: GitHubClient,
  repository: RepositoryName,
  sha: string,
): Promise<RepositoryListing> {
  const about = { operation: 'list files', on: nameRepository(repository, sha), permission: 'contents: read' }
  const { data } = await callGitHub(about, () => client.rest.git.getTree({ ...repository, tree_sha: sha, recursive: 'true' }))
  const isFile = (mode: string | undefined) => mode === '100644' || mode === '100755'
  const paths = data.tree.flatMap(({ path, mode }) => (isFile(mode) && path !== undefined ? [path] : []))
  return { paths: paths.sort(), isTruncated: data.truncated }
}

/**
 * Reads one small file, `undefined` where there is none.
 *
 * @param sha The commit; the tip of the default branch, as GitHub knows it, where absent.
 * @throws {GitHubError} also for a file over 1 MB, of which GitHub sends no content here (`refused`).
 */
export async function readRepositoryFile(
  client: GitHubClient,
  repository: RepositoryName,
  sha: string | undefined,
  path: string,
): Promise<Uint8Array | undefined> {
  const about = { operation: `read \`${path.slice(0, 200)}\``, on: nameRepository(repository, sha), permission: 'contents: read' }
  try {
    const { data } = await callGitHub(about, () =>
      client.rest.repos.getContent({ ...repository, path, ...(sha === undefined ? {} : { ref: sha }) }),
    )
    if (Array.isArray(data) || data.type !== 'file') return undefined
    if (data.encoding !== 'base64') {
      throw new GitHubError(`Cannot ${about.operation} on ${about.on}: it is over 1 MB`, {
        failure: 'refused',
        operation: about.operation,
      })
    }
    return Buffer.from(data.content, 'base64')
  } catch (error) {
    if (error instanceof GitHubError && error.failure === 'not-found') return undefined
    throw error
  }
}

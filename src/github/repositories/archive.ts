import type { Files } from '../../files/files.ts'
import { GitHubError } from '../../text/errors.ts'
import { callGitHub, type GitHubOperation, nameRepository } from '../requests/call-github.ts'
import type { GitHubClient, RepositoryName } from '../requests/types.ts'
import { createArchiveFiles } from './archive-files.ts'
import type { ArchiveSink } from './extract-archive.ts'
import { type ArchiveLimits, defaultArchiveLimits, type ExtractedArchive, extractArchive } from './extract-archive.ts'

/** The readable files of a commit. */
export interface Archive extends ExtractedArchive {
  readonly files: Files
}

/** Maximum number of attempts after lost connections. */
const attempts = 3

/**
 * Downloads the files of a commit and unpacks them into a sink as a stream.
 *
 * @throws {GitHubError} `not-found` when the commit is gone, `refused` for an archive over a limit, `unreachable` after three lost
 * connections.
 */
export async function readArchive(
  client: GitHubClient,
  repository: RepositoryName,
  sha: string,
  sink: ArchiveSink,
  options: {
    readonly limits?: Partial<ArchiveLimits>
    readonly keep?: (path: string, sizeBytes: number) => boolean
    readonly signal?: AbortSignal
  } = {},
): Promise<Archive> {
  const limits = { ...defaultArchiveLimits, ...options.limits }
  const operation: GitHubOperation = {
    operation: 'read archive',
    on: nameRepository(repository, sha),
    permission: 'contents: read',
  }
  const clock = AbortSignal.timeout(limits.timeMs)
  const signal = options.signal ? AbortSignal.any([options.signal, clock]) : clock
  for (let attempt = 1; ; attempt++) {
    try {
      const source = await callGitHub(operation, () => requestTarball(client, repository, sha, signal))
      const archive = await extractArchive(source, sink, { limits, keep: options.keep ?? isReadByUpdate, signal })
      return { ...archive, files: createArchiveFiles(archive, (path) => sink.read(path), { limitBytes: limits.fileBytes }) }
    } catch (error) {
      await sink.clear()
      if (clock.aborted) throw toTimeoutError(operation, limits.timeMs)
      const isLost = error instanceof GitHubError && error.failure === 'unreachable'
      if (!isLost || attempt >= attempts || signal.aborted) throw error
    }
  }
}

/** The files that an update reads: documents, pages and ignore files. A document may have any of these extensions. */
export function isReadByUpdate(path: string): boolean {
  return /\.(json|jsonc|ya?ml|mdx?|markdown|txt)$/i.test(path) || /(^|\/)\.(gitignore|mintignore)$/.test(path)
}

async function requestTarball(
  client: GitHubClient,
  { owner, repo }: RepositoryName,
  sha: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  // GitHub redirects to another host. `fetch` follows without sending the token.
  const { data, status }: { readonly data: unknown; readonly status: number } = await client.request(
    'GET /repos/{owner}/{repo}/tarball/{ref}',
    {
      owner,
      repo,
      ref: sha,
      request: { parseSuccessResponseBody: false, signal },
    },
  )
  if (status !== 200) {
    const message = `Cannot read the archive: GitHub responded with ${status}`
    throw new GitHubError(message, { failure: 'unreachable', operation: 'read archive' })
  }
  return data as AsyncIterable<Uint8Array> // Unparsed, the body is the web stream of `fetch`, which Node can iterate.
}

function toTimeoutError({ operation, on }: GitHubOperation, timeMs: number): GitHubError {
  return new GitHubError(`Cannot ${operation} on ${on}: timed out after ${timeMs} ms`, { failure: 'refused', operation })
}

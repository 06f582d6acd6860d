import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Archive, readArchive } from '../../github/archive.ts'
import { createFolderSink, defaultArchiveLimits } from '../../github/extract-archive.ts'
import type { GitHubClient, RepositoryName } from '../../github/types.ts'

/**
 * Unpacks the archive of a commit into a folder of its own for as long as `work` takes.
 *
 * @throws {GitHubError} @see readArchive
 */
export async function withArchive<Result>(
  options: {
    readonly client: GitHubClient
    readonly repository: RepositoryName
    readonly sha: string
    readonly workFolder: string
    readonly timeMs: number
    readonly signal: AbortSignal
    /** Files that are wanted; those that an update reads where absent. */
    readonly keep?: (path: string, sizeBytes: number) => boolean
  },
  work: (archive: Archive, folder: string) => Promise<Result>,
): Promise<Result> {
  const { client, repository, sha, workFolder, timeMs, signal, keep } = options
  await mkdir(workFolder, { recursive: true, mode: 0o700 })
  const own = await mkdtemp(join(workFolder, 'run-'))
  try {
    const folder = join(own, 'files')
    const archive = await readArchive(client, repository, sha, createFolderSink(folder), {
      limits: { timeMs },
      signal,
      ...(keep && { keep }),
    })
    return await work(archive, folder)
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

/** The bound that the files of an archive were read with. */
export const fileLimitBytes = defaultArchiveLimits.fileBytes

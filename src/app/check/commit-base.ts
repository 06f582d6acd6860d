import { dirname, join } from 'node:path'
import { type Archive, createFolderSink, readArchive } from '../../github/repositories/archives.ts'
import type { Project } from '../../status/types.ts'
import type { StoredUpdate } from '../../store/records/stored-records.ts'
import { GitHubError } from '../../text/errors.ts'
import { clientOf, toJobFailure, toName } from '../base/projects.ts'
import type { RunContext } from '../isolate/run-context.ts'
import { type ComparisonBase, findComparisonBase } from './comparison-base.ts'

/** The base of a commit, for everything that compares with it. It is found and unpacked on demand, each once. */
export interface CommitBase {
  /** Where the base is unpacked. */
  readonly folder: string
  /** @throws {GitHubError} for temporary errors. */
  find(): Promise<ComparisonBase>
  /** Returns the reason if the base cannot be read. @throws {GitHubError} for temporary errors. */
  unpack(sha: string): Promise<Archive | { readonly reason: string }>
}

interface BaseOptions {
  readonly project: Project
  readonly stored: Pick<StoredUpdate, 'update' | 'details'>
  /** Where the commit is unpacked. The base gets a folder beside it. */
  readonly folder: string
  readonly timeMs: number
  readonly signal: AbortSignal
}

/** Prepares the base of a commit. */
export function createCommitBase(context: RunContext, options: BaseOptions): CommitBase {
  const { project, stored } = options
  const folder = join(dirname(options.folder), 'base')
  let found: Promise<ComparisonBase> | undefined
  let unpacked: { readonly sha: string; readonly archive: ReturnType<CommitBase['unpack']> } | undefined
  return {
    folder,
    async find() {
      found ??= findComparisonBase(clientOf(context, project), project, stored)
      return await found
    },
    async unpack(sha) {
      if (unpacked?.sha !== sha) unpacked = { sha, archive: readBaseArchive(context, sha, { ...options, folder }) }
      return await unpacked.archive
    },
  }
}

/** Unpacks the base. Returns the reason if that is not possible. @throws {GitHubError} for temporary errors. */
async function readBaseArchive(
  context: RunContext,
  sha: string,
  { project, folder, timeMs, signal }: BaseOptions,
): Promise<Archive | { readonly reason: string }> {
  try {
    const sink = createFolderSink(folder)
    return await readArchive(clientOf(context, project), toName(project), sha, sink, { limits: { timeMs }, signal })
  } catch (error) {
    const failure = error instanceof GitHubError ? toJobFailure(error) : undefined
    if (!failure || failure.mayPass) throw error
    return { reason: failure.reason.replace(/^Cannot /, 'cannot ') }
  }
}

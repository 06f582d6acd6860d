import { debug } from '@actions/core'
import type { Update } from '../../docs/types.ts'
import { type FollowedSources, followSources, listSources } from '../../docs/update/stored-documents.ts'
import { changedFiles, type Files } from '../../files/files.ts'
import { openRemoteRepositories } from '../../git/remote-repository.ts'
import type { ReportedApiChanges } from '../../github/report/feedback.ts'
import type { DocsInputs, TokenInputs } from '../inputs/inputs.ts'
import type { ActionEvent, RunVariables } from '../inputs/workflow-event.ts'
import type { ActionReport } from '../report/summary.ts'
import { compareWithCommit, toVersions } from './compare-with-base.ts'

export type StoredSource = NonNullable<ReturnType<typeof openConfiguredSources>>

/**
 * Opens the documents that `sources` in the configuration files name. Undefined on pull requests, which are checked with the documents that
 * they contain: the files of a fork must not decide what the token reads.
 */
export function openConfiguredSources(
  { sourcesToken, token, githubToken }: TokenInputs,
  { isPullRequest, isFork, name }: Pick<ActionEvent, 'isPullRequest' | 'isFork' | 'name'>,
  { serverUrl }: Pick<RunVariables, 'serverUrl'>,
) {
  if (isPullRequest || isFork || name === 'merge_group') return undefined
  const remote = openRemoteRepositories({ url: serverUrl, token: sourcesToken ?? token ?? githubToken })
  const repositories = {
    ...remote,
    howToAllow: (repository: string) =>
      sourcesToken === undefined
        ? `Set the input \`sources-token\` to the token of a GitHub App with \`Contents: read\` in \`${repository}\`, or to a fine-grained token with it`
        : `The input \`sources-token\` needs \`Contents: read\` in \`${repository}\``,
  }
  const fetchDocument = async () => ({ kind: 'failed', code: 'url-refused', reason: 'it is a URL' }) as const
  return {
    /** Whether a docs directory stores documents of other repositories. */
    follows: async (root: string, files: Files) => (await listSources(root, files)).sources.length > 0,
    /** Called again for each plan, so that the newest documents are stored. */
    read: async (root: string, files: Files) =>
      await followSources(root, (await listSources(root, files)).sources, repositories, fetchDocument, debug),
    /** Removes temporary files. */
    close: remote.close,
  }
}

interface Directories {
  readonly roots: readonly string[]
  readonly files: Files
}

/** Whether one of the docs directories stores documents of other repositories. */
export async function followsAny(source: StoredSource | undefined, { roots, files }: Directories): Promise<boolean> {
  for (const root of roots) if (await source?.follows(root, files)) return true
  return false
}

/** Reads the documents of other repositories for all docs directories. Undefined if they have none. */
export async function readStored(
  source: StoredSource | undefined,
  { roots, files }: Directories,
): Promise<FollowedSources | undefined> {
  const followed: FollowedSources[] = []
  for (const root of source ? roots : []) {
    if (source && (await source.follows(root, files))) followed.push(await source.read(root, files))
  }
  if (followed.length === 0) return undefined
  return { documents: followed.flatMap(({ documents }) => documents), failures: followed.flatMap(({ failures }) => failures) }
}

/** Leaves out the documents that an update with stored documents does not concern. A docs repository can have dozens. */
export function withConcerned(update: Update): Update {
  const { stored, pages, documents } = update
  if (!stored) return update
  const changed = pages.flatMap(({ kind, document }) => (kind === 'unchanged' ? [] : [document]))
  const concerned = new Set([...stored.map(({ path }) => path), ...changed])
  return { ...update, documents: documents.filter(({ path, valid }) => !valid || concerned.has(path)) }
}

/**
 * Compares the stored documents with the files that they replace, by docs directory. Undefined if no document is replaced.
 *
 * @param baseSha the commit of those files.
 */
export async function compareStored(
  updates: readonly Update[],
  files: Files,
  { directory }: Pick<DocsInputs, 'directory'>,
  baseSha: string,
): Promise<ActionReport['apiChanges']> {
  const found = new Map<string, ReportedApiChanges>()
  for (const { root, stored = [], changes } of updates) {
    if (stored.length === 0) continue
    const storing = changes.filter(({ path }) => stored.some((one) => one.path === path))
    const access = toVersions(files, changedFiles(files, storing))
    const compared = await compareWithCommit(baseSha, { root, documents: [], directory }, access)
    if (!('reason' in compared)) found.set(root, compared)
  }
  return found.size === 0 ? undefined : found
}

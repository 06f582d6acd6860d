import { findRemote, readFirstParent } from '../../git/commit.ts'
import type { Git } from '../../git/git.ts'
import { readFilesChanged } from '../../git/revisions.ts'
import type { FilesChanged } from '../../status/update-record.ts'
import type { OpenGitHub } from './github-access.ts'
import type { ActionEvent } from './workflow-event.ts'

/** The files that an event changed, and where the list comes from. */
export type FilesChangedReport =
  | { readonly way: 'git'; readonly filesChanged: FilesChanged; readonly truncated: undefined }
  /** `truncated` explains that GitHub shortened the list, so more files may have changed. */
  | { readonly way: 'compare'; readonly filesChanged: FilesChanged; readonly truncated: string | undefined }
  /** All files are treated as changed. `reason` is a clause. */
  | { readonly way: 'all'; readonly reason: string }

/**
 * Finds the files that an event changed: with git, which fetches only the previous commit, else with the compare API. If both fail, all
 * files are treated as changed. Never rejects.
 */
export async function findFilesChanged(
  git: Git,
  event: Pick<ActionEvent, 'base' | 'sha'>,
  options: { readonly token: string | undefined; readonly openGitHub: OpenGitHub },
): Promise<FilesChangedReport> {
  const { base, sha } = event
  if (base.kind === 'none') return { way: 'all', reason: base.reason }
  let reason: string
  try {
    const before = base.kind === 'commit' ? base.sha : await readFirstParent(git, sha)
    if (before !== undefined && sha !== undefined) {
      const found = await readFilesChanged(git, await findRemote(git, options.token), before, sha)
      if (found.kind === 'read') return { way: 'git', filesChanged: found.filesChanged, truncated: undefined }
      reason = found.reason
    } else reason = 'the merge commit of the pull request is not checked out'
  } catch (error) {
    reason = toClause(error)
  }
  const [baseSha, headSha] = base.kind === 'commit' ? [base.sha, sha] : [base.baseSha, base.headSha]
  if (headSha === undefined) return { way: 'all', reason }
  try {
    const github = await options.openGitHub()
    if (!github) return { way: 'all', reason }
    const { compareCommits } = await import('../../github/repositories/commits.ts')
    const { filesChanged, truncated } = await compareCommits(github.client, github.repository, baseSha, headSha)
    return { way: 'compare', filesChanged, truncated }
  } catch (error) {
    return { way: 'all', reason: `${reason}; ${toClause(error)}` }
  }
}

function toClause(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.charAt(0).toLowerCase() + message.slice(1)
}

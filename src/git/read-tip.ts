import type { Remote } from './find-remote.ts'
import type { Git } from './git.ts'
import { toGitError } from './to-git-error.ts'

/**
 * The commit that a branch of the remote is at; undefined where the remote has no such branch.
 *
 * @throws {GitError} when the remote cannot be asked.
 */
export async function readTip(git: Git, remote: Remote, branch: string): Promise<string | undefined> {
  const output = await git.run(['ls-remote', remote.name, `refs/heads/${branch}`], { environment: remote.environment })
  if (output.code !== 0) throw toGitError(`read \`${branch}\` of the remote`, output)
  // The pattern also matches the end of longer names.
  const line = output.stdout.split('\n').find((candidate) => candidate.endsWith(`\trefs/heads/${branch}`))
  return line?.split('\t')[0]
}

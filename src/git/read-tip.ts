import type { Remote } from './find-remote.ts'
import type { Git } from './git.ts'
import { readTips } from './read-tips.ts'

/**
 * The commit that a branch of the remote is at; undefined where the remote has no such branch.
 *
 * @throws {GitError} when the remote cannot be asked.
 */
export async function readTip(git: Git, remote: Remote, branch: string): Promise<string | undefined> {
  return (await readTips(git, remote, [branch])).get(branch)
}

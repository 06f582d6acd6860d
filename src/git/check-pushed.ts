import { GitError } from '../errors.ts'
import type { Git } from './git.ts'
import { readHead } from './read-head.ts'

/**
 * Makes sure that moving the work tree elsewhere loses no commit: that the remote has the one it is at.
 *
 * @param knownSha a commit that the remote is known to have, such as that of the event.
 * @throws {GitError} when a step before this one has committed without pushing.
 */
export async function checkPushed(git: Git, knownSha: string | undefined): Promise<void> {
  if ((await readHead(git)) === knownSha) return
  const output = await git.run(['rev-list', '--max-count=1', 'HEAD', '--not', '--remotes'])
  if (output.code === 0 && output.stdout.trim() === '') return
  throw new GitError('Cannot commit: the checkout has a commit that is not on the remote', {
    hint: 'push the commits of the steps before this one first, or let this step run before them',
  })
}

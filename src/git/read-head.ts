import { GitError } from '../errors.ts'
import type { Git } from './git.ts'
import { toGitError } from './to-git-error.ts'

/**
 * The commit that the work tree is at.
 *
 * @throws {GitError} when there is none.
 */
export async function readHead(git: Git): Promise<string> {
  const output = await git.run(['rev-parse', '--verify', 'HEAD^{commit}'])
  if (output.code === 0) return output.stdout.trim()
  if (!/Needed a single revision/.test(output.stderr)) throw toGitError('read the commit of the work tree', output)
  throw new GitError('Cannot commit: the repository has no commit yet', { hint: 'make and push a first commit' })
}

import { GitError } from '../errors.ts'
import type { Remote } from './find-remote.ts'
import type { Git, GitOutput } from './git.ts'
import { toGitError } from './to-git-error.ts'

/**
 * Moves the work tree to the newest commit of a branch. Changes in the tree that are not committed stay; where they would be
 * lost nothing is moved.
 *
 * @throws {GitError} when the branch cannot be fetched, or when it changes a file that has changes here.
 */
export async function moveToTip(git: Git, remote: Remote, branch: string): Promise<void> {
  const shallow = await git.run(['rev-parse', '--is-shallow-repository'])
  // A clone with its whole history must not be cut by a fetch of one commit.
  const depth = shallow.stdout.trim() === 'true' ? ['--depth=1'] : []
  const fetchArgs = ['fetch', '--no-tags', '--no-recurse-submodules', ...depth, remote.name, `refs/heads/${branch}`]
  const fetched = await git.run(fetchArgs, { environment: remote.environment })
  if (fetched.code !== 0) throw toGitError(`fetch \`${branch}\``, fetched)
  const moved = await git.run(['reset', '--keep', 'FETCH_HEAD'], { environment: remote.environment })
  if (moved.code !== 0) throw toMoveError(branch, moved)
}

function toMoveError(branch: string, output: GitOutput): GitError {
  const file = /Entry '([^']+)' not uptodate|'([^']+)' would be overwritten/.exec(output.stderr)
  if (!file) return toGitError(`move to the newest commit of \`${branch}\``, output)
  return new GitError(
    `Cannot move to the newest commit of \`${branch}\`: it changes \`${file[1] ?? file[2]}\`, which has changes here`,
    {
      hint: 'commit or drop the changes of the steps before this one',
    },
  )
}

import { GitError } from '../errors.ts'
import type { AddedFile } from './commit-locally.ts'
import { literalPaths } from './commit-paths.ts'
import type { Remote } from './find-remote.ts'
import type { Git, GitOutput } from './git.ts'
import { toGitError } from './to-git-error.ts'

/**
 * Moves the work tree to the newest commit of a branch. Changes in the tree that are not committed stay; where they would be
 * lost nothing is moved.
 *
 * Only files in `added` that the branch has changed too are replaced by the branch's version.
 *
 * @returns those of the replaced files whose content was another one.
 * @throws {GitError} when the branch cannot be fetched, or when it changes a file that has changes here.
 */
export async function moveToTip(
  git: Git,
  remote: Remote,
  branch: string,
  added: readonly AddedFile[],
): Promise<readonly AddedFile[]> {
  const shallow = await git.run(['rev-parse', '--is-shallow-repository'])
  // A clone with its whole history must not be cut by a fetch of one commit.
  const depth = shallow.stdout.trim() === 'true' ? ['--depth=1'] : []
  const fetchArgs = ['fetch', '--no-tags', '--no-recurse-submodules', ...depth, remote.name, `refs/heads/${branch}`]
  const fetched = await git.run(fetchArgs, { environment: remote.environment })
  if (fetched.code !== 0) throw toGitError(`fetch \`${branch}\``, fetched)
  const replaced = await setAside(git, added)
  const moved = await git.run(['reset', '--keep', 'FETCH_HEAD'], { environment: remote.environment })
  if (moved.code !== 0) throw toMoveError(branch, moved)
  return replaced
}

/** Brings files that differ between this commit and the fetched one to their state in this commit, so that the move can replace them. */
async function setAside(git: Git, added: readonly AddedFile[]): Promise<readonly AddedFile[]> {
  if (added.length === 0) return []
  const differs = await git.run(['diff-tree', '-r', '-z', '--name-only', '--no-renames', 'HEAD', 'FETCH_HEAD'])
  if (differs.code !== 0) throw toGitError('compare the commit of the work tree with the newest one', differs)
  const changedThere = new Set(differs.stdout.split('\0'))
  const contested = added.filter(({ path }) => changedThere.has(path))
  if (contested.length === 0) return []
  const replaced: AddedFile[] = []
  for (const file of contested) if (!(await isSameThere(git, file))) replaced.push(file)
  const listed = await git.run(['ls-tree', '-r', '-z', '--name-only', '--full-tree', 'HEAD'])
  const known = new Set(listed.stdout.split('\0'))
  const steps: [args: string[], paths: string[]][] = [
    [['reset', '--quiet', 'HEAD'], contested.map(({ path }) => path)],
    [['checkout', '--quiet', 'HEAD'], contested.map(({ path }) => path).filter((path) => known.has(path))],
  ]
  for (const [args, paths] of steps) {
    if (paths.length === 0) continue
    const input = paths.map((path) => `${path}\0`).join('')
    const output = await git.run([...args, '--pathspec-from-file=-', '--pathspec-file-nul'], { input, environment: literalPaths })
    if (output.code !== 0) throw toGitError('set files aside that the branch has changed', output)
  }
  const fresh = contested.map(({ path }) => path).filter((path) => !known.has(path))
  if (fresh.length > 0) await git.run(['clean', '--force', '--quiet', '--', ...fresh], { environment: literalPaths })
  return replaced
}

/** Whether the fetched commit has a file as it is in the work tree. */
async function isSameThere(git: Git, { path, bytes }: AddedFile): Promise<boolean> {
  const there = await git.run(['rev-parse', '--verify', '--quiet', `FETCH_HEAD:${path}`])
  if (bytes === undefined || there.code !== 0) return bytes === undefined && there.code !== 0
  const here = await git.run(['hash-object', '--', path])
  return here.stdout.trim() === there.stdout.trim()
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

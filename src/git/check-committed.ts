import { GitError } from '../errors.ts'
import type { FileChange } from '../text/file-change.ts'
import type { AddedFile } from './commit-locally.ts'
import type { Git } from './git.ts'
import { toGitError } from './to-git-error.ts'

/**
 * Makes sure that a commit of these changes, which are not written yet, would hold nothing else but the files added on purpose.
 *
 * @throws {GitError} when one of their files has changes that are not committed.
 */
export async function checkCommitted(
  git: Git,
  { changes, added }: { readonly changes: readonly FileChange[]; readonly added: readonly AddedFile[] },
): Promise<void> {
  const changed = await git.run(['diff', '--name-only', '--no-renames', '-z', 'HEAD'])
  if (changed.code !== 0) throw toGitError('read the changes of the work tree', changed)
  const committed = await git.run(['ls-tree', '-r', '--name-only', '--full-tree', '-z', 'HEAD'])
  if (committed.code !== 0) throw toGitError('read the files of the commit', committed)
  const dirty = new Set(changed.stdout.split('\0'))
  const known = new Set(committed.stdout.split('\0'))
  const wanted = new Set(added.map(({ path }) => path))
  const first = changes.find(
    (change) => !wanted.has(change.path) && (dirty.has(change.path) || (change.kind !== 'add' && !known.has(change.path))),
  )
  if (!first) return
  throw new GitError(`Cannot commit \`${first.path}\`: it has changes that are not committed`, {
    hint: 'commit or drop the changes of the steps before this one; only what openapi-pages writes may be in its commit',
  })
}

import type { Git } from './git.ts'

/**
 * The first parent of a merge commit, also in a clone that is too shallow to have it; undefined where `sha` is no merge, or is not here.
 *
 * @throws {GitError} when git cannot be started.
 */
export async function readFirstParent(git: Git, sha: string | undefined): Promise<string | undefined> {
  if (sha === undefined) return undefined
  // `rev-parse <sha>^1` knows no parent that is cut off; the commit itself names it.
  const { code, stdout } = await git.run(['cat-file', 'commit', sha])
  if (code !== 0) return undefined
  const head = stdout.slice(0, stdout.indexOf('\n\n'))
  const parents = [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent]) => parent)
  return parents.length > 1 ? parents[0] : undefined
}

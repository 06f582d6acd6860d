import { GitError } from '../errors.ts'
import type { Git } from './git.ts'

/**
 * Makes the question which of some paths (relative to the work tree, with `/`) git ignores. Paths that git tracks already
 * are never ignored.
 *
 * Where there is no git, or no work tree, nothing is ignored. Git is started only when there is something to ask.
 */
export function createFindIgnored(git: Git): (paths: readonly string[]) => Promise<readonly string[]> {
  return async (paths) => {
    if (paths.length === 0) return []
    try {
      const input = paths.map((path) => `${path}\0`).join('')
      // Exit code 1 says that none is ignored, 128 that this is no work tree; neither prints a path.
      const { stdout } = await git.run(['check-ignore', '-z', '--stdin'], { input })
      return stdout.split('\0').filter((path) => path !== '')
    } catch (error) {
      if (error instanceof GitError) return []
      throw error
    }
  }
}

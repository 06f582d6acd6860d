import { GitError } from '../errors.ts'
import type { LineEnding } from '../text/file-change.ts'
import type { Git } from './git.ts'

/**
 * Makes the question which line endings `.gitattributes` wants of files in the work tree; a path without a rule is not in the result.
 *
 * Where there is no git, or no work tree, there are no rules.
 */
export function createFindLineEndings(git: Git): (paths: readonly string[]) => Promise<ReadonlyMap<string, LineEnding>> {
  return async (paths) => {
    const found = new Map<string, LineEnding>()
    if (paths.length === 0) return found
    try {
      const input = paths.map((path) => `${path}\0`).join('')
      // For each path: path, attribute, value. `eol` alone implies `text`; where `text` is unset, git converts nothing.
      const { stdout } = await git.run(['check-attr', '-z', '--stdin', 'text', 'eol'], { input })
      const fields = stdout.split('\0')
      const unset = new Set<string>()
      for (let index = 0; index + 2 < fields.length; index += 3) {
        const [path = '', attribute, value] = fields.slice(index, index + 3)
        if (attribute === 'text' && value === 'unset') unset.add(path)
        if (attribute === 'eol' && !unset.has(path) && (value === 'lf' || value === 'crlf')) found.set(path, value)
      }
      return found
    } catch (error) {
      if (error instanceof GitError) return found
      throw error
    }
  }
}

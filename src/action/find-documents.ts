import { join, relative, sep } from 'node:path'
import { ConfigError } from '../errors.ts'
import { isUrl, joinPath } from '../text/relative-path.ts'

/**
 * Finds the documents that the input `openapi` names, relative to the boundary and sorted; addresses stay as they are.
 *
 * A plain path is taken whether or not a file is there, so that its absence is told as every other finding.
 *
 * @throws {ConfigError} when a glob matches nothing.
 */
export async function findDocuments(patterns: readonly string[], boundary: string, root: string): Promise<readonly string[]> {
  const { glob, isDynamicPattern } = await import('tinyglobby')
  const excluded = patterns.filter((pattern) => pattern.startsWith('!'))
  const found = new Set<string>()
  for (const pattern of patterns) {
    if (excluded.includes(pattern)) continue
    if (isUrl(pattern)) found.add(pattern)
    else if (!isDynamicPattern(pattern)) found.add(joinPath(root, pattern))
    else {
      const paths = await glob([pattern, ...excluded], {
        cwd: join(boundary, root),
        absolute: true,
        expandDirectories: false,
        followSymbolicLinks: false,
        ignore: ['**/node_modules/**', '**/.git/**'],
      })
      if (paths.length === 0) {
        throw new ConfigError(`No file matches \`${pattern}\` of the input \`openapi\``, {
          hint: `globs are relative to the working directory, \`${root || '.'}\``,
        })
      }
      for (const path of paths) found.add(relative(boundary, path).split(sep).join('/'))
    }
  }
  return [...found].sort()
}

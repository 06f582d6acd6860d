import { isDocsConfigPath } from '../../docs/project-config.ts'
import { parentPath } from '../../text/relative-path.ts'

/** More would be a mistake, or an attack on the list of projects. */
export const mostDocsRoots = 50

/** Folders whose `docs.json` is there to be tested with, and nobody's documentation; so are those of tools, which begin with a dot. */
const leftOut = new Set(['node_modules', 'test', 'tests', '__tests__', 'fixtures', '__fixtures__', 'testdata', 'vendor'])

/**
 * The docs roots among the files of a repository: every folder with a `docs.json` or `mint.json`, the least deep first, at most `mostDocsRoots`.
 *
 * @param paths Relative to the repository with `/`.
 */
export function findDocsRoots(paths: readonly string[]): { readonly roots: readonly string[]; readonly leftOutCount: number } {
  const found = paths
    .filter(isDocsConfigPath)
    .map(parentPath)
    .filter((root) => !root.split('/').some((step) => step.startsWith('.') || leftOut.has(step.toLowerCase())))
  const depth = (root: string) => (root === '' ? 0 : root.split('/').length)
  const sorted = [...new Set(found)].toSorted((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))
  return { roots: sorted.slice(0, mostDocsRoots), leftOutCount: Math.max(0, sorted.length - mostDocsRoots) }
}

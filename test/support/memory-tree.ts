import type { DocsAccess, UpdateOptions, UpdateWithSources } from '../../src/docs/types.ts'
import { runUpdate } from '../../src/docs/update/run-update.ts'
import type { FileChange } from '../../src/text/plain/source-file.ts'
import { createMemoryFiles } from './memory-files.ts'

/** Text files by path. */
export type Tree = { readonly [path: string]: string }

/** Access to a tree, without network and git. */
export function toAccess(tree: { readonly [path: string]: string | Uint8Array }): DocsAccess {
  return {
    files: createMemoryFiles(tree),
    fetchDocument: async () => ({ kind: 'failed', code: 'url-refused', reason: 'no network in tests' }),
  }
}

/** Plans an update of a tree in memory. */
export function updateTree(tree: Tree, options: Partial<UpdateOptions> = {}): Promise<UpdateWithSources> {
  return runUpdate({ root: '', documents: [], directory: 'api-reference', ...options }, toAccess(tree))
}

/**
 * The tree after changes. Throws if a change was not planned on the current content. A byte order mark is not part of a text and
 * is kept.
 */
export function applyToTree(tree: Tree, changes: readonly FileChange[]): Tree {
  const result = new Map(Object.entries(tree))
  for (const change of changes) {
    const found = result.get(change.path)
    const mark = found?.startsWith('\uFEFF') ? '\uFEFF' : ''
    if (change.kind === 'add' ? found !== undefined : found?.slice(mark.length) !== change.before) {
      throw new Error(`${change.kind} of ${change.path} was planned on something else`)
    }
    if (change.kind === 'delete') result.delete(change.path)
    else result.set(change.path, mark + change.content)
  }
  return Object.fromEntries([...result].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Updates a tree completely. Returns the tree and the plan. */
export async function settle(
  tree: Tree,
  options: Partial<UpdateOptions> = {},
): Promise<{ tree: Tree; update: UpdateWithSources }> {
  const update = await updateTree(tree, options)
  return { tree: applyToTree(tree, update.changes), update }
}

import { formatCount } from '../diagnostic/diagnostic.ts'
import type { FileChange } from '../text/file-change.ts'
import { formatDiff } from './format-diff.ts'
import { formatTree } from './format-tree.ts'
import type { UpdateFormatOptions } from './format-update.ts'

/** Diffs of more files than this are left out; the tree has them all. */
const shownDiffs = 20

/** Shows the files that an update would change: as a tree, and as a diff of each. `''` when there is none. */
export function formatPlan(
  changes: readonly FileChange[],
  { palette, toShown, all }: Omit<UpdateFormatOptions, 'isWritten'>,
): string {
  if (changes.length === 0) return ''
  const tree = formatTree(
    changes.map(({ path, kind }) => ({ path: toShown(path), kind })),
    palette,
  )
  // What is changed says more than what is new, so it comes first where not all is shown.
  const order = { modify: 0, delete: 1, add: 2 } as const
  const inOrder = changes.toSorted((a, b) => order[a.kind] - order[b.kind])
  const shown = all ? inOrder : inOrder.slice(0, shownDiffs)
  const diffs = shown.map((change) => `\n${formatDiff(change, toShown(change.path), palette)}`)
  const left = inOrder.length - shown.length
  if (left > 0) diffs.push(palette.dim(`\n… and the diff of ${formatCount(left, 'more file')} (--all shows them)\n`))
  return `${tree}${diffs.join('')}\n`
}

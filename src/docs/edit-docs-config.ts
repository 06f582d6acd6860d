import type { FileChange } from '../text/file-change.ts'
import { groupBy } from '../text/group-by.ts'
import { editJson, type JsonEdit } from './edit-json.ts'
import type { DocsConfig } from './types.ts'

/** Makes edits of a `docs.json` to the files that it stands in: those of its `$ref`s too, and a `mint.json` in its own shape. */
export function editDocsConfig({ places }: DocsConfig, edits: readonly JsonEdit[]): FileChange[] {
  const byFile = groupBy(
    edits.flatMap((edit) => places.toFileEdits(edit)),
    ({ file }) => file,
  )
  return places.sources.flatMap(({ path, text }): FileChange[] => {
    const own = joinOrders((byFile.get(path) ?? []).map(({ edit }) => edit))
    const content = editJson(text, own)
    return content === text ? [] : [{ kind: 'modify', path, before: text, content }]
  })
}

/** The groups of several tabs stand in one list of a `mint.json`: orders of it that move different elements are one. */
function joinOrders(edits: readonly JsonEdit[]): JsonEdit[] {
  const orders = new Map<string, number[]>()
  const others = edits.filter((edit) => {
    if (edit.kind !== 'reorder') return true
    const before = orders.get(edit.array)
    orders.set(
      edit.array,
      before?.map((index, place) => (index === place ? (edit.order[place] ?? place) : index)) ?? [...edit.order],
    )
    return false
  })
  return [...others, ...[...orders].map(([array, order]): JsonEdit => ({ kind: 'reorder', array, order }))]
}

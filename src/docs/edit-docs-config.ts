import type { FileChange } from '../text/file-change.ts'
import { groupBy } from '../text/group-by.ts'
import { editJson, type JsonEdit } from './edit-json.ts'
import type { DocsConfig } from './types.ts'

/** Makes edits of a `docs.json` to the files that it stands in: those of its `$ref`s too, and a `mint.json` in its own shape. */
export function editDocsConfig({ places }: DocsConfig, edits: readonly JsonEdit[]): FileChange[] {
  const byFile = groupBy(
    edits.map((edit) => places.toFileEdit(edit)),
    ({ file }) => file,
  )
  return places.sources.flatMap(({ path, text }): FileChange[] => {
    const own = (byFile.get(path) ?? []).map(({ edit }) => edit)
    const content = editJson(text, own)
    return content === text ? [] : [{ kind: 'modify', path, before: text, content }]
  })
}

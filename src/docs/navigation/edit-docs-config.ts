import { groupBy } from '../../text/plain/lists.ts'
import type { FileChange } from '../../text/plain/source-file.ts'
import type { DocsConfig } from './docs-config.ts'
import { editJson, type JsonEdit } from './edit-json.ts'

/** Applies edits to all files of a `docs.json`, including `$ref` targets. */
export function editDocsConfig({ sourceMap }: DocsConfig, edits: readonly JsonEdit[]): FileChange[] {
  const byFile = groupBy(
    edits.map((edit) => sourceMap.toFileEdit(edit)),
    ({ file }) => file,
  )
  return sourceMap.sources.flatMap(({ path, text }): FileChange[] => {
    const content = editJson(
      text,
      (byFile.get(path) ?? []).map(({ edit }) => edit),
    )
    return content === text ? [] : [{ kind: 'modify', path, before: text, content }]
  })
}

import { isMap, parseDocument } from 'yaml'
import type { FileChange } from '../source/file-change.ts'
import { groupBy } from '../source/group-by.ts'
import { isObject } from '../source/is-object.ts'
import { editJson, type JsonEdit } from './edit-json.ts'
import type { DocsConfig } from './types.ts'

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

/**
 * Sets `materialize` (or `materialise`, if the file spells it so) in the text of a configuration file, for the division with this label or ID, or for all divisions if `label`
 * is absent. Comments and other settings are preserved.
 *
 * Returns `undefined` if the text has errors and cannot be edited. Pass an empty string for a missing file.
 */
export function setMaterialize(
  text: string,
  syntax: 'yaml' | 'json',
  label: string | undefined,
  value: boolean,
): string | undefined {
  return syntax === 'json' ? setInJson(text, label, value) : setInYaml(text, label, value)
}

function setInYaml(text: string, label: string | undefined, value: boolean): string | undefined {
  const document = parseDocument(text)
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents))) return undefined
  const key = document.has('materialise') ? 'materialise' : 'materialize'
  if (label === undefined) document.set(key, value)
  else if (isMap(document.get(key))) document.setIn([key, label], value)
  else document.set(key, document.createNode({ [label]: value }))
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  return document.toString({ lineWidth: 0, flowCollectionPadding: true }).replaceAll('\n', lineEnd)
}

function setInJson(text: string, label: string | undefined, value: boolean): string | undefined {
  let known: unknown
  try {
    known = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(known)) return undefined
  const key = 'materialise' in known ? 'materialise' : 'materialize'
  if (label === undefined) return editJson(text, [{ kind: 'set', object: '', key, value }])
  if (isObject(known[key])) return editJson(text, [{ kind: 'set', object: `/${key}`, key: label, value }])
  return editJson(text, [{ kind: 'set', object: '', key, value: { [label]: value } }])
}

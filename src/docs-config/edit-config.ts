import { isMap, isSeq, parseDocument } from 'yaml'
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

/** Settings that are added to a configuration file. */
export interface SettingsToAdd {
  readonly rules: Readonly<Record<string, string>>
  readonly ignore: readonly { readonly code: string; readonly path: string }[]
  readonly changes?: { readonly failOn: string }
}

/**
 * Adds settings to the text of a configuration file in YAML. Settings that it has already, comments and the layout are preserved.
 *
 * Returns `undefined` if the text has errors and cannot be edited.
 */
export function addSettings(text: string, { rules, ignore, changes }: SettingsToAdd): string | undefined {
  const document = parseDocument(text)
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents))) return undefined
  const added = [
    ...Object.entries(rules).map(([code, severity]) => ({ path: ['rules', code], value: severity })),
    ...(changes ? [{ path: ['changes', 'failOn'], value: changes.failOn }] : []),
  ].filter(({ path }) => !document.hasIn(path))
  if (added.length === 0 && ignore.length === 0) return text
  for (const { path, value } of added) {
    const parent = document.get(path[0])
    if (parent !== undefined && parent !== null && !isMap(parent)) return undefined
    document.setIn(path, value)
  }
  const entries = document.get('ignore')
  if (ignore.length > 0 && entries !== undefined && !isSeq(entries)) return undefined
  for (const entry of ignore) {
    if (isSeq(document.get('ignore'))) document.addIn(['ignore'], document.createNode(entry))
    else document.set('ignore', document.createNode([entry]))
  }
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  return document.toString({ lineWidth: 0, flowCollectionPadding: true }).replaceAll('\n', lineEnd)
}

import { isMap, parseDocument } from 'yaml'
import type { FileChange } from '../source/file-change.ts'
import { groupBy } from '../source/group-by.ts'
import { isObject } from '../source/is-object.ts'
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

/**
 * Sets `materialise` for one division, by its label or id, in the text of a configuration file, or for all where none is given; comments and everything else stay.
 *
 * Returns `undefined` for a text that cannot be edited since it has faults. An absent file is an empty text.
 */
export function setMaterialise(
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
  if (label === undefined) document.set('materialise', value)
  else if (isMap(document.get('materialise'))) document.setIn(['materialise', label], value)
  else document.set('materialise', document.createNode({ [label]: value }))
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
  if (label === undefined) return editJson(text, [{ kind: 'set', object: '', key: 'materialise', value }])
  if (isObject(known['materialise'])) return editJson(text, [{ kind: 'set', object: '/materialise', key: label, value }])
  return editJson(text, [{ kind: 'set', object: '', key: 'materialise', value: { [label]: value } }])
}

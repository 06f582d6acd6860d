import { isMap, parseDocument } from 'yaml'
import { isObject } from '../text/is-object.ts'
import { editJson } from './edit-json.ts'

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

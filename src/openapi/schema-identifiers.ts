import { isObject } from '../text/is-object.ts'
import { pointerChild } from '../text/json-pointer.ts'
import { limitBounds } from '../text/limits.ts'
import type { WalkedDocument } from './document-set.ts'
import { resolveId } from './resolve-id.ts'

/** Keys whose values are data, so that an `$id` in them names nothing. */
const dataKeys = new Set(['example', 'examples', 'default', 'enum', 'const', 'value', 'dataValue'])

const indexes = new WeakMap<WalkedDocument, Map<string, string>>()

/**
 * The pointer of the schema that a document names by `$id` (an address without fragment), or by `$anchor` or `$dynamicAnchor`
 * (`<id>#<name>`, with an empty id outside every `$id`); of the document itself by `$self`.
 *
 * Descriptions rarely use any of them, so the index is made when the first reference asks for it.
 *
 * @see JSON Schema 2020-12, core, section 8.2
 */
export function findIdentified(document: WalkedDocument, identifier: string): string | undefined {
  let index = indexes.get(document)
  if (!index) {
    index = new Map()
    const top = document.parsed.value
    const self = isObject(top) ? top['$self'] : undefined
    if (typeof self === 'string') index.set(self, '')
    if (/\$(?:id|anchor|dynamicAnchor)\b/.test(document.parsed.source.text)) collectIdentifiers(top, '', '', index, 0)
    indexes.set(document, index)
  }
  return index.get(identifier)
}

function collectIdentifiers(value: unknown, pointer: string, base: string, index: Map<string, string>, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > limitBounds.nesting.most) return
  if (Array.isArray(value)) {
    value.forEach((entry: unknown, position) => {
      collectIdentifiers(entry, pointerChild(pointer, position), base, index, depth + 1)
    })
    return
  }
  if (!isObject(value)) return
  const id = value['$id']
  const own = typeof id === 'string' ? resolveId(base === '' ? undefined : base, id) : base
  if (typeof id === 'string') setOnce(index, own.replace(/#$/, ''), pointer)
  for (const key of ['$anchor', '$dynamicAnchor']) {
    const anchor = value[key]
    if (typeof anchor !== 'string') continue
    setOnce(index, `${own}#${anchor}`, pointer)
    setOnce(index, `#${anchor}`, pointer)
  }
  for (const key of Object.keys(value)) {
    if (!dataKeys.has(key) && !key.startsWith('x-'))
      collectIdentifiers(value[key], pointerChild(pointer, key), own, index, depth + 1)
  }
}

function setOnce(index: Map<string, string>, identifier: string, pointer: string): void {
  if (!index.has(identifier)) index.set(identifier, pointer)
}

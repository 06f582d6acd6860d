import {
  isObject,
  isWithin,
  type JsonObject,
  type Place,
  pointerChild,
  valueAtPointer,
  withWritten,
} from '../../text/json/json-values.ts'
import { isUrl, joinPath, parentPath, relativePath } from '../../text/plain/paths.ts'
import { childPlace, splitReference, toFragment, toMappedReference, toPlaceKey } from '../references/follow-reference.ts'
import { shapeOfField, variantOf } from '../tables/object-tables.ts'
import type { ObjectTable, Shape } from '../walk.ts'
import {
  type BundleState,
  findReference,
  staysInEntryDocument,
  targetPointerOf,
  toBundleReference,
  toPartReference,
} from './bundle-state.ts'
import { copyUnknown, maskKey, maskKeys } from './embed-values.ts'

/** The source and target of a copied value. */
interface CopyPlace {
  readonly file: string
  readonly pointer: string
  /** Its pointer in the bundle. */
  readonly to: string
  /** The pointer of the enclosing schema with an `$id`. */
  readonly resource: string | undefined
}

/**
 * Copies an object and redirects its references to their targets in the bundle. Keys are masked.
 *
 * Values that the tables do not cover are copied unchanged.
 */
export function copyObject(state: BundleState, written: unknown, table: ObjectTable, at: CopyPlace): unknown {
  state.budget.left--
  const value = withWritten(written)
  if (!isObject(value) || state.budget.left < 0) return maskKeys(value)
  const part = at.file === state.entryPath && at.to === at.pointer ? state.partByPointer.get(at.pointer) : undefined
  if (part !== undefined) return toPartReference(part)
  const inside = table.identifies && typeof value['$id'] === 'string' ? { ...at, resource: at.pointer } : at
  const text = value['$ref']
  if (typeof text !== 'string') return copyFields(state, value, table, inside)
  const { $ref: _, ...beside } = value
  const fields = table.reference === 'replaces' ? maskMapping(beside) : copyFields(state, beside, table, inside)
  const target = findReference(state, at.file, text, inside.resource)
  if (!target) return { [maskKey('$ref')]: keepReference(state, text), ...fields }
  const group = state.groups.get(table.key)
  if (group !== undefined) return { [maskKey('$ref')]: toReference(state, text, target, inside, table.key, group), ...fields }
  return copyInPlace(state, text, target, table, fields, at)
}

function toReference(
  state: BundleState,
  text: string,
  target: Place,
  { file, resource }: CopyPlace,
  tableKey: string,
  group: string,
): string {
  // The reference is already valid: within the entry document, or within the enclosing schema with an `$id`.
  if (target.file === file && staysInEntryDocument(state, target)) return text
  if (target.file === file && resource !== undefined && isWithin(target.pointer, resource)) return text
  return toBundleReference(state, target, tableKey, group)
}

/** Inlines the target of a reference. Fields next to the `$ref` override it. Source: OpenAPI 3.2.0, "Path Item Object". */
function copyInPlace(
  state: BundleState,
  text: string,
  target: Place,
  table: ObjectTable,
  beside: JsonObject,
  at: CopyPlace,
): JsonObject {
  if (target.file === state.entryPath && table.key === 'Path Item') {
    return { [maskKey('$ref')]: at.file === state.entryPath ? text : toFragment(target.pointer), ...beside }
  }
  const key = toPlaceKey(target)
  const around = state.open.get(key)
  // The object contains itself.
  if (around !== undefined) return { [maskKey('$ref')]: toFragment(around), ...beside }
  state.open.set(key, at.to)
  if (!state.inlined.has(key)) state.inlined.set(key, at.to)
  const from = { file: target.file, pointer: target.pointer, to: at.to, resource: undefined }
  const copied = copyObject(state, target.value, table, from)
  state.open.delete(key)
  return isObject(copied) ? { ...copied, ...beside } : beside
}

function copyFields(state: BundleState, object: JsonObject, table: ObjectTable, at: CopyPlace): JsonObject {
  const fields = variantOf(table, object)
  const entries = Object.entries(object).map(([key, value]): [string, unknown] => {
    const shape = shapeOfField(fields, key)
    if (mayEmbed(key, value, shape)) {
      return [maskKey(key), copyUnknown(value, { file: at.file, within: [] }, state.embeds, state.budget)]
    }
    const place = { ...at, pointer: pointerChild(at.pointer, key), to: pointerChild(at.to, key) }
    return [maskKey(key), shape ? copyValue(state, value, shape, place) : maskKeys(value)]
  })
  const copied: { [key: string]: unknown } = Object.fromEntries(entries)
  if (table.key === 'Discriminator') retargetMapped(state, copied, object, at)
  if (table.key === 'Link' && typeof object['operationRef'] === 'string') retargetLink(state, copied, object['operationRef'], at)
  if (table.key === 'Example' && typeof object['externalValue'] === 'string') {
    copied['externalValue'] = rebaseUrl(object['externalValue'], at.file, state.entryPath)
  }
  return copied
}

/**
 * Whether a value may contain references to embed: an extension, a mapping in place of a string, or an example that only has a `$ref`.
 */
function mayEmbed(key: string, value: unknown, shape: Shape | undefined): boolean {
  if (shape === undefined) return key.startsWith('x-')
  if (!isObject(value)) return false
  return shape.kind === 'text' || (shape.kind === 'any' && Object.keys(value).join() === '$ref')
}

function copyValue(state: BundleState, value: unknown, shape: Shape, at: CopyPlace): unknown {
  switch (shape.kind) {
    case 'object':
      return shape.table ? copyObject(state, value, shape.table, at) : maskKeys(value)
    case 'list':
      return Array.isArray(value) && shape.inner ? copyList(state, value, shape.inner, at) : maskKeys(value)
    case 'map':
      return shape.table && (shape.inner?.table || shape.inner?.inner)
        ? copyObject(state, value, shape.table, at)
        : maskKeys(value)
    case 'schema-or-boolean':
    case 'schema-or-names':
      return isObject(value) && shape.inner ? copyValue(state, value, shape.inner, at) : maskKeys(value)
    default:
      return maskKeys(value)
  }
}

function copyList(state: BundleState, list: readonly unknown[], inner: Shape, at: CopyPlace): unknown[] {
  return withWritten(list).map((entry: unknown, index) =>
    copyValue(state, entry, inner, {
      ...at,
      pointer: pointerChild(at.pointer, index),
      to: pointerChild(at.to, index),
    }),
  )
}

/** Redirects what a discriminator refers to in other files. */
function retargetMapped(
  state: BundleState,
  copied: { [key: string]: unknown },
  discriminator: JsonObject,
  { file }: CopyPlace,
): void {
  const group = state.groups.get('Schema') ?? ''
  const root = { file: state.entryPath, pointer: '', value: state.documents.get(state.entryPath)?.parsed.value }
  const schemas = childPlace(childPlace(root, 'components'), group)
  const toRetargeted = (value: unknown): unknown => {
    if (typeof value !== 'string') return maskKeys(value)
    const mapped = toMappedReference(value, file, schemas)
    const target = splitReference(mapped.reference, mapped.file)
    const document = target.kind === 'file' && target.path !== state.entryPath ? state.documents.get(target.path) : undefined
    const found = document && target.kind === 'file' ? valueAtPointer(document.parsed.value, target.fragment) : undefined
    if (target.kind === 'file' && found !== undefined)
      return toBundleReference(state, { file: target.path, pointer: target.fragment, value: found }, 'Schema', group)
    if (/[./]/.test(mapped.reference) && !mapped.reference.startsWith('#')) state.keptReferences.add(value)
    return value
  }
  const { mapping, defaultMapping } = discriminator
  if (isObject(mapping))
    copied['mapping'] = Object.fromEntries(Object.entries(mapping).map(([key, value]) => [maskKey(key), toRetargeted(value)]))
  if (defaultMapping !== undefined) copied['defaultMapping'] = toRetargeted(defaultMapping)
}

/** Redirects a link to an operation of another file once its final pointer is known. */
function retargetLink(state: BundleState, link: { [key: string]: unknown }, text: string, { file }: CopyPlace): void {
  const target = splitReference(text, file)
  if (target.kind !== 'file') return
  if (target.path === state.entryPath) {
    link['operationRef'] = toFragment(target.fragment)
    return
  }
  state.deferred.push(() => {
    const to =
      inlinedAt(state, target.path, target.fragment) ?? targetPointerOf(state, { file: target.path, pointer: target.fragment })
    if (to === undefined) state.keptReferences.add(text)
    else link['operationRef'] = toFragment(to)
  })
}

function inlinedAt({ inlined }: BundleState, file: string, pointer: string): string | undefined {
  for (let around = pointer; ; around = around.slice(0, around.lastIndexOf('/'))) {
    const to = inlined.get(toPlaceKey({ file, pointer: around }))
    if (to !== undefined || around === '') return to === undefined ? undefined : to + pointer.slice(around.length)
  }
}

/** Rewrites a relative URL for another base file. */
function rebaseUrl(address: string, from: string, to: string): string {
  if (from === to || isUrl(to) || /^(?:[a-z][a-z0-9+.-]*:|[/#])/i.test(address)) return address
  return relativePath(parentPath(to), joinPath(parentPath(from), address))
}

function keepReference(state: BundleState, text: string): string {
  if (splitReference(text, state.entryPath).kind === 'remote') state.keptReferences.add(text)
  return text
}

function maskMapping(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [maskKey(key), maskKeys(value)]))
}

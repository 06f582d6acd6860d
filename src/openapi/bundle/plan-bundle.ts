import { entriesOf, isObject, type JsonObject, pointerChild, readOwn, setOwn } from '../../text/json/json-values.ts'
import { toPlaceKey } from '../references/follow-reference.ts'
import { componentGroups, objectTable } from '../tables/object-tables.ts'
import type { LoadDocument, OpenApiRelease } from '../types.ts'
import type { WalkedDocument } from '../walk.ts'
import { addPart, type BundleState, findReference, takeSharedNames, toPartReference } from './bundle-state.ts'
import { copyObject } from './copy-object.ts'
import { embedValues, maskKey, maxCopiedValues, putInPlace, renameKeys, unmaskKey } from './embed-values.ts'

/** A description split into parts that a file-joining library can combine. */
export interface BundlePlan {
  /** The entry document with masked keys (see `maskKey`) and `{ "$ref": "part:N" }` in place of each part. */
  readonly entry: JsonObject
  /** The values of `part:0`, `part:1`, …, in the same form. */
  readonly parts: readonly unknown[]
  /** Unique references that stay unchanged because they are remote or unreadable. */
  readonly left: readonly string[]
}

/**
 * Plans one self-contained document for a valid description.
 *
 * Referenced objects of other files move to `components`, once each. Path items, operations and other objects without a component group
 * are inlined. The entry document and all examples keep their content. Discriminator mappings and links to files are redirected, and
 * references in extensions are replaced by their values.
 *
 * @returns `undefined` if the bundle would be infinite or too large.
 */
export async function planBundle(
  documents: ReadonlyMap<string, WalkedDocument>,
  entryPath: string,
  release: OpenApiRelease,
  load: LoadDocument,
  maxValues = maxCopiedValues,
): Promise<BundlePlan | undefined> {
  const root = documents.get(entryPath)?.parsed.value
  if (!isObject(root)) return undefined
  const state: BundleState = {
    documents,
    entryPath,
    release,
    groups: componentGroups(release),
    taken: new Set(),
    targets: new Map(),
    partByPointer: new Map(),
    parts: [],
    added: new Map(),
    inlined: new Map(),
    open: new Map(),
    deferred: [],
    embeds: [],
    budget: { left: maxValues },
    keptReferences: new Set(),
  }
  assignReferencedComponents(state, root)
  takeSharedNames(state)
  const at = { file: entryPath, pointer: '', to: '', resource: undefined }
  const entry = copyObject(state, root, objectTable(release, 'OpenAPI'), at)
  const parts: unknown[] = []
  // Copying a part can add more parts.
  for (let index = 0; index < state.parts.length; index++) {
    const part = state.parts[index]
    if (!part) continue
    const { place, tableKey, pointer } = part
    const from = { file: place.file, pointer: place.pointer, to: pointer, resource: undefined }
    parts.push(copyObject(state, place.value, objectTable(release, tableKey), from))
  }
  for (const settle of state.deferred) settle()
  const { values, left } = await embedValues(state.embeds, entryPath, load, state.budget)
  if (state.budget.left < 0) return undefined
  return {
    entry: withComponents(putInPlace(entry, values), state.added),
    parts: parts.map((part) => putInPlace(part, values)),
    left: [...new Set([...state.keptReferences, ...left])],
  }
}

/** A component that is only a reference to another file becomes the target of that reference. */
function assignReferencedComponents(state: BundleState, root: JsonObject): void {
  const components = root['components']
  if (!isObject(components)) return
  for (const [tableKey, group] of state.groups) {
    const entries = readOwn(components, group)
    if (!isObject(entries)) continue
    for (const [name, value] of Object.entries(entries)) {
      const text = isObject(value) && Object.keys(value).length === 1 ? value['$ref'] : undefined
      const place = typeof text === 'string' ? findReference(state, state.entryPath, text, undefined) : undefined
      if (!place || place.file === state.entryPath || state.targets.has(toPlaceKey(place))) continue
      const pointer = pointerChild(`/components/${group}`, name)
      state.partByPointer.set(pointer, addPart(state, place, tableKey, pointer))
    }
  }
}

/** Adds components to the copied entry document, in the order of their discovery. */
function withComponents(entry: unknown, added: BundleState['added']): JsonObject {
  const root = isObject(entry) ? { ...entry } : {}
  if (added.size === 0) return root
  const components = isObject(root['components']) ? { ...root['components'] } : {}
  for (const [group, names] of added) {
    const entries = [...names].map(([name, part]) => [maskKey(name), toPartReference(part)])
    setOwn(components, group, Object.fromEntries([...entriesOf(readOwn(components, group)), ...entries]))
  }
  return { ...root, components }
}

/** The opposite of `maskKeys`. */
export function unmaskKeys(value: unknown): unknown {
  return renameKeys(value, unmaskKey)
}

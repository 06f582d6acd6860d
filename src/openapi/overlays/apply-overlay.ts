import { hash } from 'node:crypto'
import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isObject, parsePointer, pointerChild, readStep, setOwn, toPointer, withWritten } from '../../text/json/json-values.ts'
import { type Limits, limitHint } from '../../text/plain/limits.ts'
import type { FindOrigin, Origin } from '../../text/plain/source-file.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { nameType, toValueKey } from '../schema/json-schema.ts'
import {
  type NodePath,
  type Overlay,
  type OverlayAction,
  type OverlayOptions,
  type QueryNodes,
  replacesKey,
} from './parse-overlay.ts'

interface ApplyOptions {
  /** The path of the document. */
  readonly path: string
  readonly query: QueryNodes
  readonly onReplaced?: OverlayOptions['onReplaced']
  readonly limits: Limits
}

/** A document with overlays applied. */
interface OverlaidValue {
  readonly value: unknown
  readonly findings: readonly Finding[]
  readonly findOrigin: FindOrigin
}

/** The document while overlays are applied. Values of the original and of overlays are never changed, because aliases share them. */
interface Edited {
  root: unknown
  /** Copies that the current action made, and may change. */
  owned: WeakSet<object>
  readonly origins: WeakMap<object, EntryOrigins>
  /** The number of values that actions may still add. */
  left: number
  readonly findings: Finding[]
  readonly options: ApplyOptions
}

/**
 * Applies overlays in order, and the actions of each in order. An action with a problem is reported and skipped.
 *
 * Lists are concatenated in documents of version 1.0 too, as other tools do, and primitive values can be selected.
 *
 * @see Overlay Specification 1.1.0, "Action Object"
 */
export function applyOverlays(value: unknown, overlays: readonly Overlay[], options: ApplyOptions): OverlaidValue {
  const edited: Edited = {
    root: value,
    owned: new WeakSet(),
    origins: new WeakMap(),
    left: options.limits.values['alias-nodes'],
    findings: [],
    options,
  }
  let step = 0
  for (const { path, actions } of overlays) {
    for (const action of actions) {
      step++
      edited.owned = new WeakSet()
      applyAction(edited, action, { file: path, pointer: action.pointer, isFixed: false, step })
    }
  }
  return {
    value: edited.root,
    findings: edited.findings,
    findOrigin: (pointer) => findOrigin(pointer, edited.root, options.path, (container) => edited.origins.get(container)),
  }
}

function applyAction(edited: Edited, action: OverlayAction, at: AddedOrigin): void {
  const targets = select(edited, action.target, { ...at, pointer: `${at.pointer}/target` })
  if (!targets) return
  if (targets.length === 0) {
    report(edited, at, '/target', {
      code: 'overlay-unmatched',
      message: `Cannot find a value for \`${shorten(action.target)}\`: the action changes nothing`,
    })
    return
  }
  if (action.kind === 'remove') {
    checkReplaced(edited, action, targets, undefined, at)
    removeNodes(edited, targets, at)
  } else if (action.kind === 'update') {
    checkReplaced(edited, action, targets, action.update, at)
    updateNodes(edited, targets, action.update, { ...at, pointer: `${at.pointer}/update` })
  } else {
    const from = { ...at, pointer: `${at.pointer}/copy`, isFixed: true }
    const copied = select(edited, action.copy, from)
    const [source] = copied ?? []
    if (!copied) return
    if (!source || copied.length > 1) {
      const message = `Unexpected ${copied.length} values for \`${shorten(action.copy)}\`, expected exactly one to copy`
      report(edited, from, '', { code: 'overlay-conflict', message })
      return
    }
    const value = valueAt(edited.root, source)
    checkReplaced(edited, action, targets, value, at)
    updateNodes(edited, targets, value, from)
  }
}

/** Reports that an action replaces something else than when a person looked at it last. `update`: the new value, absent for a removal. */
function checkReplaced(
  edited: Edited,
  action: OverlayAction,
  targets: readonly NodePath[],
  update: unknown,
  at: AddedOrigin,
): void {
  const { onReplaced, limits } = edited.options
  if (action.replaces === undefined && !onReplaced) return
  const replaced = targets.map((target) => {
    const current = valueAt(edited.root, target)
    return action.kind === 'remove' ? current : findReplaced(current, update)
  })
  const values = replaced.map((one) => one ?? null)
  if (countValues(replaced, limits.values.nesting, limits.values['alias-nodes']) === Number.POSITIVE_INFINITY) return
  const digest = `sha256:${hash('sha256', toValueKey(values))}`
  const now = shorten(toValueKey(values.length === 1 ? values[0] : values))
  if (replaced.some((one) => one !== undefined)) onReplaced?.(at, digest, now)
  if (action.replaces === undefined || action.replaces === digest) return
  const effect = action.kind === 'remove' ? 'removes it' : `replaces it with \`${shorten(toValueKey(update))}\``
  report(edited, at, `/${replacesKey}`, {
    code: 'overlay-outdated',
    message: `Unexpected \`${now}\` at \`${shorten(action.target)}\`: the document has changed, and the action ${effect}`,
    hint: `Adapt the action, and run \`openapi-pages accept ${at.file}\``,
  })
}

/** What an update replaces in a value: nothing of lists, which become longer. */
function findReplaced(current: unknown, update: unknown): unknown {
  if (Array.isArray(current)) return undefined
  if (!isObject(current) || !isObject(update)) return current
  const found = Object.keys(update).flatMap((key) => {
    const replaced = Object.hasOwn(current, key) ? findReplaced(readStep(current, key), readStep(update, key)) : undefined
    return replaced === undefined ? [] : [[key, replaced] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

function report(
  { findings }: Edited,
  { file, pointer }: AddedOrigin,
  below: string,
  finding: Omit<Finding, 'file' | 'pointer'>,
): void {
  findings.push({ file, pointer: pointer + below, section: 'Overlay Specification 1.1.0, Action Object', ...finding })
}

function select(edited: Edited, query: string, at: AddedOrigin): readonly NodePath[] | undefined {
  const result = edited.options.query(edited.root, query)
  if (result.kind === 'found') return result.paths
  report(edited, at, '', { code: 'overlay-target', message: `Cannot evaluate \`${shorten(query)}\`: ${result.reason}` })
  return undefined
}

/** Removes values. Those inside others are removed first, and entries of a list from its end, so that the other paths stay valid. */
function removeNodes(edited: Edited, targets: readonly NodePath[], at: AddedOrigin): void {
  const sorted = targets.toSorted((a, b) => b.length - a.length || Number(b.at(-1)) - Number(a.at(-1)) || 0)
  for (const path of sorted) {
    const key = path.at(-1)
    if (key === undefined) {
      report(edited, at, '/target', {
        code: 'overlay-conflict',
        message: 'Cannot remove `$`, the whole document',
        hint: 'Select a part of the document',
      })
      continue
    }
    const container = ownAt(edited, path.slice(0, -1))
    if (Array.isArray(container)) {
      listOrigins(edited, container).splice(Number(key), 1)
      container.splice(Number(key), 1)
    } else if (container) Reflect.deleteProperty(container, key)
  }
}

function updateNodes(edited: Edited, targets: readonly NodePath[], update: unknown, from: AddedOrigin): void {
  const kinds = new Set(targets.map((path) => kindOf(valueAt(edited.root, path))))
  if (kinds.size > 1) {
    const message = 'Unexpected values of different types for `target`, expected only mappings, only lists, or only other values'
    report(edited, from, '', { code: 'overlay-conflict', message, hint: 'Use one action for each type' })
    return
  }
  for (const path of targets) {
    const problem = checkSize(edited, path, update)
    if (problem) {
      report(edited, from, '', problem)
      return
    }
    const current = valueAt(edited.root, path)
    const pointer = toPointer(path)
    if (kindOf(current) === 'primitive') replacePrimitive(edited, path, update, from)
    else if (Array.isArray(current) || isObject(update)) merge(edited, ownAt(edited, path), update, from, pointer)
    else reportConflict(edited, from, pointer, current, update)
  }
}

/** Reports an update that would add too many or too deeply nested values. Counts the values that it adds. */
function checkSize(edited: Edited, path: NodePath, update: unknown): Omit<Finding, 'file' | 'pointer'> | undefined {
  const { limits } = edited.options
  edited.left -= countValues(update, limits.values.nesting - path.length, edited.left)
  if (edited.left >= 0) return undefined
  const message = `Cannot apply the action: overlays can add at most ${limits.values['alias-nodes']} values, nested at most ${limits.values.nesting} levels`
  return { code: 'too-complex', message, hint: limitHint('alias-nodes', limits, 'Select fewer values') }
}

/** The number of values inside a value. Infinite if they are nested too deeply or more than `limit`. */
function countValues(value: unknown, depth: number, limit: number): number {
  if (typeof value !== 'object' || value === null) return 1
  if (depth <= 0) return Number.POSITIVE_INFINITY
  let count = 1
  for (const child of Object.values(value)) {
    count += countValues(child, depth - 1, limit - count)
    if (count > limit) return Number.POSITIVE_INFINITY
  }
  return count
}

function replacePrimitive(edited: Edited, path: NodePath, update: unknown, from: AddedOrigin): void {
  const key = path.at(-1)
  const pointer = toPointer(path)
  if (kindOf(update) !== 'primitive' || key === undefined) {
    reportConflict(edited, from, pointer, valueAt(edited.root, path), update)
    return
  }
  const container = ownAt(edited, path.slice(0, -1))
  if (container) setEntry(edited, container, key, update, from)
}

/** Merges an update into a mapping or list that the action may change. `pointer`: of the target in the changed document. */
function merge(edited: Edited, target: object | undefined, update: unknown, from: AddedOrigin, pointer: string): void {
  if (Array.isArray(target)) {
    const origins = listOrigins(edited, target)
    const entries: readonly (readonly [unknown, AddedOrigin])[] = Array.isArray(update)
      ? withWritten(update).map((entry: unknown, index) => [entry, childOrigin(from, index)] as const)
      : [[update, from]]
    for (const [entry, origin] of entries) {
      target.push(entry)
      origins.push(origin)
    }
    return
  }
  if (!target || !isObject(update)) return
  for (const [key, value] of Object.entries(withWritten(update))) {
    const origin = childOrigin(from, key)
    const current = readStep(target, key)
    const at = pointerChild(pointer, key)
    if (!Object.hasOwn(target, key)) setEntry(edited, target, key, value, origin)
    else if (kindOf(current) !== kindOf(value)) reportConflict(edited, origin, at, current, value)
    else if (kindOf(value) === 'primitive') setEntry(edited, target, key, value, origin)
    else {
      const own = ownEntry(edited, target, key)
      if (own) merge(edited, own, value, origin, at)
    }
  }
}

function reportConflict(edited: Edited, from: AddedOrigin, pointer: string, current: unknown, update: unknown): void {
  report(edited, from, '', {
    code: 'overlay-conflict',
    message: `Cannot merge a ${nameKind(update)} into a ${nameKind(current)}`,
    hint: 'Remove the value with an action before, or update it with a value of the same type',
    related: [{ file: edited.options.path, pointer, message: `the ${nameKind(current)}` }],
  })
}

function nameKind(value: unknown): string {
  return kindOf(value) === 'primitive' ? `value (${nameType(value)})` : nameType(value)
}

function kindOf(value: unknown): 'primitive' | 'list' | 'mapping' {
  if (Array.isArray(value)) return 'list'
  return isObject(value) ? 'mapping' : 'primitive'
}

function childOrigin(from: AddedOrigin, key: string | number): AddedOrigin {
  return from.isFixed ? from : { ...from, pointer: pointerChild(from.pointer, key) }
}

/** Sets an entry and its origin. */
function setEntry(edited: Edited, container: object, key: string | number, value: unknown, origin: AddedOrigin): void {
  setOwn(container, key, value)
  if (Array.isArray(container)) {
    listOrigins(edited, container)[Number(key)] = origin
    return
  }
  const known = edited.origins.get(container)
  const entries = known instanceof Map ? known : new Map<string | number, AddedOrigin>()
  edited.origins.set(container, entries.set(key, origin))
}

function listOrigins({ origins }: Edited, list: readonly unknown[]): (AddedOrigin | number)[] {
  const known = origins.get(list)
  if (Array.isArray(known)) return known
  const entries = list.map((_, index) => index)
  origins.set(list, entries)
  return entries
}

/** The mapping or list at a path, as a copy that the action may change. Absent if the path no longer exists. */
function ownAt(edited: Edited, path: NodePath): object | undefined {
  const root = ownValue(edited, edited.root)
  if (root) edited.root = root
  let container = root
  for (const key of path) container = container && ownEntry(edited, container, key)
  return container
}

function ownEntry(edited: Edited, container: object, key: string | number): object | undefined {
  if (!Object.hasOwn(container, key)) return undefined
  const own = ownValue(edited, readStep(container, key))
  if (own) setOwn(container, key, own)
  return own
}

function ownValue({ owned, origins }: Edited, value: unknown): object | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (owned.has(value)) return value
  const copy: object = Array.isArray(value) ? withWritten(value).slice() : { ...withWritten(value) }
  const known = origins.get(value)
  if (known) origins.set(copy, Array.isArray(known) ? known.slice() : new Map(known))
  owned.add(copy)
  return copy
}

function valueAt(root: unknown, path: NodePath): unknown {
  return path.reduce(readStep, root)
}

/** The origin of a value that an action of an overlay added. */
interface AddedOrigin extends Origin {
  /** Whether everything inside the value has the same origin. */
  readonly isFixed: boolean
  /** The number of the action. Later actions take precedence. */
  readonly step: number
}

/** The origins of changed entries: those of a mapping by key, and those of all entries of a list, by position or as an origin. */
type EntryOrigins = Map<string | number, AddedOrigin> | (AddedOrigin | number)[]

/** Finds the origin of a value by its pointer in the changed document. `path` is the path of the document. */
function findOrigin(
  pointer: string,
  root: unknown,
  path: string,
  originsOf: (container: object) => EntryOrigins | undefined,
): Origin {
  let origin: Origin = { file: path, pointer: '' }
  let added: AddedOrigin | undefined
  let value = root
  for (const segment of parsePointer(pointer)) {
    const container = typeof value === 'object' && value !== null ? value : undefined
    const entries = container && originsOf(container)
    const entry = Array.isArray(entries) ? entries[Number(segment)] : entries?.get(segment)
    if (typeof entry === 'object' && !(added?.isFixed && entry.step <= added.step)) {
      added = entry
      origin = { file: entry.file, pointer: entry.pointer }
    } else if (!added?.isFixed) {
      const written = typeof entry === 'number' ? entry : segment
      origin = { file: origin.file, pointer: pointerChild(origin.pointer, written) }
    }
    value = readStep(value, segment)
  }
  return origin
}

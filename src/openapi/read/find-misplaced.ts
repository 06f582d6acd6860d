import type { Finding } from '../../diagnostics/diagnostic.ts'
import {
  isObject,
  type JsonObject,
  parentPointer,
  parsePointer,
  pointerChild,
  valueAtPointer,
} from '../../text/json/json-values.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { expectationAt, shapeIn, shapeInside, toExpectation } from '../tables/object-tables.ts'
import type { Shape, WalkedDocument } from '../walk.ts'

/** A YAML key that is indented too much or too little, or its fields are. */
export interface MisplacedKey {
  readonly file: string
  /** Actual pointer of the key. */
  readonly pointer: string
  readonly key: string
  /** The value is empty because its content is misplaced. */
  readonly isEmpty: boolean
  /** The pointer that the key should have. */
  readonly home: string
  /** Fields next to the key that belong inside it. */
  readonly strays: readonly string[]
  readonly hint: string
  /** Replaces the message of the diagnostic if the key was read as a name. */
  readonly message?: string
}

/** Pointers that something refers to but that do not exist. */
type ListUnresolved = () => ReadonlySet<string>

/**
 * Determines from a diagnostic whether the line of its key has wrong indentation, and where the key belongs.
 *
 * `undefined` if no object around it allows the key.
 */
export function findMisplaced(
  finding: Finding,
  document: WalkedDocument,
  listUnresolved: ListUnresolved,
): MisplacedKey | undefined {
  for (const pointer of finding.code === 'missing-field'
    ? [finding.pointer]
    : [finding.pointer, parentPointer(finding.pointer)]) {
    const key = parsePointer(pointer).at(-1)
    const inside = parentPointer(pointer)
    const parent = valueAtPointer(document.parsed.value, inside)
    if (key === undefined || !isObject(parent) || !Object.hasOwn(parent, key)) continue
    const place: KeyPlace = { file: finding.file, document, pointer, inside, parent, key, value: parent[key], listUnresolved }
    const isOwn = pointer === finding.pointer
    const misplaced = isOwn && finding.code !== 'missing-field' ? findAround(place, finding) : findAmongNames(place)
    if (misplaced) return misplaced
  }
  return undefined
}

interface KeyPlace {
  readonly file: string
  readonly document: WalkedDocument
  readonly pointer: string
  /** The pointer of `parent`. */
  readonly inside: string
  readonly parent: JsonObject
  readonly key: string
  readonly value: unknown
  readonly listUnresolved: ListUnresolved
}

function findAround(place: KeyPlace, { code, hint }: Finding): MisplacedKey | undefined {
  const { document, inside, key, value } = place
  const spot = expectationAt(document, inside)
  const shape = spot && shapeInside(spot, key)
  if (value === null && shape) {
    const strays = listStrays(place, shape)
    if (strays.length > 0) return toEmptiedKey(place, strays)
  }
  if (code === 'wrong-type' && value !== null) return findAmongNames(place)
  // A misspelled field or a field of a later release does not belong to another object.
  const hasSpecificHint = hint !== undefined && !/^(?:Remove it, or prefix|Write `\/|Move .* under `schema`)/.test(hint)
  if (value !== null && hasSpecificHint) return undefined
  const outer = findOuterParent(place)
  if (code === 'unknown-field') return outer ?? findInnerParent(place)
  return spot?.isMap && outer && outer.strays.length > 0 ? outer : undefined
}

function toEmptiedKey({ file, pointer, inside, key }: KeyPlace, names: readonly string[]): MisplacedKey {
  const listed = names.slice(0, 3).map((name) => `\`${shorten(name)}\``)
  const hint = `Indent its entries: ${listed.join(', ')}${names.length > listed.length ? ', …' : ''}`
  return { file, pointer, key, isEmpty: true, home: pointer, strays: names.map((name) => pointerChild(inside, name)), hint }
}

/** Looks for an enclosing object that defines the field and lacks it, or an enclosing mapping of names. */
function findOuterParent(place: KeyPlace): MisplacedKey | undefined {
  const { file, document, pointer, inside, key, value } = place
  for (let at = inside; at !== ''; ) {
    at = parentPointer(at)
    const spot = expectationAt(document, at)
    const around = valueAtPointer(document.parsed.value, at)
    if (!spot || !isObject(around)) continue
    const shape = shapeIn(spot, key)
    const home = pointerChild(at, key)
    if (!shape || Object.hasOwn(around, key)) return undefined
    if (!spot.table && value !== null && !place.listUnresolved().has(home)) continue
    const what = spot.table
      ? `a field of the enclosing ${spot.table.title}`
      : `an entry of \`${shorten(parsePointer(at).at(-1) ?? '')}\``
    const strays = value === null ? listStrays(place, shape) : []
    const places = strays.map((name) => pointerChild(inside, name))
    return { file, pointer, key, isEmpty: value === null, home, strays: places, hint: `Indent it less: it is ${what}` }
  }
  return undefined
}

/** Looks for an earlier sibling that defines the field and lacks it, or a mapping of names that should contain it. */
function findInnerParent(place: KeyPlace): MisplacedKey | undefined {
  const { file, document, pointer, inside, parent, key, value, listUnresolved } = place
  let found: MisplacedKey | undefined
  for (const [name, before] of Object.entries(parent)) {
    if (name === key) break
    if (!isObject(before) || Object.hasOwn(before, key) || Object.hasOwn(before, '$ref')) continue
    const spot = expectationAt(document, pointerChild(inside, name))
    const home = pointerChild(pointerChild(inside, name), key)
    const fits = spot?.table ? shapeIn(spot, key) !== undefined : spot?.isMap && listUnresolved().has(home)
    if (!spot || !fits) continue
    const what = spot.table ? `a field of the ${spot.table.title} above` : `an entry of \`${shorten(name)}\``
    found = { file, pointer, key, isEmpty: value === null, home, strays: [], hint: `Indent it: it is ${what}` }
  }
  return found
}

/** Finds a field that is next to the name of its object in a mapping of names. */
function findAmongNames({ file, document, pointer, inside, parent, key }: KeyPlace): MisplacedKey | undefined {
  const spot = expectationAt(document, inside)
  if (!spot?.isMap || !spot.entries) return undefined
  const entry = toExpectation(spot.entries)
  const keys = Object.keys(parent)
  const name = keys[keys.indexOf(key) - 1]
  const before = name === undefined ? undefined : parent[name]
  if (name === undefined || !entry.table || !shapeIn(entry, key)) return undefined
  if (!isObject(before) || Object.hasOwn(before, key) || Object.hasOwn(before, '$ref')) return undefined
  const home = pointerChild(pointerChild(inside, name), key)
  const hint = `Indent it: it is a field of the ${entry.table.title} above`
  const message = `Unexpected \`${shorten(key)}\` next to \`${shorten(name)}\`, expected inside it`
  return { file, pointer, key, isEmpty: false, home, strays: [pointer], hint, message }
}

/** Lists the keys after an empty key that belong inside it. Numeric keys always come first in a JavaScript object. */
function listStrays({ document, inside, parent, key }: KeyPlace, shape: Shape): string[] {
  const keys = Object.keys(parent)
  const behind = keys.indexOf(key)
  const spot = expectationAt(document, inside)
  const inner = toExpectation(shape)
  return keys.filter((other, index) => {
    if (other === key || (index < behind && !/^\d+$/.test(other))) return false
    if (other === '$ref') return inner.table !== undefined && inner.table.reference !== 'none'
    const isInPlace = spot?.table !== undefined && shapeIn(spot, other) !== undefined
    return !isInPlace && shapeIn(inner, other) !== undefined && shape.kind !== 'list'
  })
}

import type { Api } from '../../model/api.ts'
import { childPlace, hasPlace } from '../../openapi/references/follow-reference.ts'
import { toIsSame } from '../../openapi/schema/json-schema.ts'
import { isWithin, type Place, parentPointer } from '../../text/json/json-values.ts'
import { type NodeBudget, startBudget } from '../../text/plain/limits.ts'
import { compareText, getOrMake } from '../../text/plain/lists.ts'
import {
  type ChangeCode,
  type ChangedOperation,
  type ChangeLevel,
  type ChangePlace,
  type ChangeSubject,
  type CompareOptions,
  compareLevels,
  defaultLevel,
  findCompatibleWay,
  type UnlocatedChange,
} from '../change.ts'
import { isValueChange, toFingerprint, toIdentity } from './fingerprints.ts'
import {
  createNames,
  findReplacement,
  isInsideReplacement,
  nameReplaced,
  type PlaceNames,
  type PlacePair,
  type Replacement,
  toShownPlace,
  viewFromReference,
} from './name-place.ts'

/**
 * How a part is used, as bits. The uses of a part are found by following the edges from each operation.
 */
export const use = {
  /** The data may only narrow, as in a response. Not set: it may only widen. `not` inverts it. */
  narrows: 1,
  /** The API sends the data. */
  sent: 2,
  /** The part belongs to a response. */
  response: 4,
  /** The data is text, as in a parameter or XML, and not JSON. */
  text: 8,
  /** The part belongs to a parameter. */
  parameter: 16,
  /** The part is below the top of the schema. */
  inner: 32,
  /** The part is below a property. */
  property: 4096,
  /** Clients never send the data (`readOnly`). */
  readOnly: 64,
  /** The API never sends the data (`writeOnly`). */
  writeOnly: 128,
  /** The part is a condition (`if`). */
  condition: 256,
  /** The part applies to a value beside other schemas, as `then` does. The properties in it can be declared in those. */
  beside: 512,
  /** The data is XML. */
  xml: 1024,
  /** Every message has the value, so its default has no effect. Each property sets it again. */
  required: 2048,
  /** The data is a form: its properties are texts, except objects, which are JSON. */
  form: 8192,
  /** The part is below a property of a property. */
  nested: 16384,
} as const

/** The bits that differ between a request and its response. */
export const respond = use.narrows | use.sent | use.response

/** One description of a comparison. */
export type Side = Api

/** A difference before its uses are known. Its edge changes the use of the part that has it. */
export interface Difference extends Partial<Edge> {
  readonly code: ChangeCode
  /** Replaces the code where the data is text. */
  readonly codeInText?: ChangeCode | undefined
  /** Replaces the code at the top of a parameter. */
  readonly codeOfParameter?: ChangeCode | undefined
  /** Replaces the code in a property of a parameter. */
  readonly codeInParameter?: ChangeCode | undefined
  /** Replaces the code in data that may only narrow. */
  readonly codeInNarrowed?: ChangeCode | undefined
  /** Replaces the code in a schema that applies to a value beside others. */
  readonly codeBeside?: ChangeCode | undefined
  readonly base: ChangePlace | undefined
  readonly revision: ChangePlace | undefined
  /** Separates differences with the same code and places, such as the names in one list. */
  readonly detail?: string
  /** `at` names the place, such as `` `name` of schema `Pet` ``. */
  readonly message: (at: string) => string
  /** The place that the message names. Default: the revision, or the base if something was removed. */
  readonly at?: Place | undefined
  /** Concerns an operation as a whole, or the document. */
  readonly subject?: ChangeSubject
  readonly hint?: string
  /** The difference only counts in parts with this use. */
  readonly onlyIn?: number
  /** The difference has no effect in parts with this use. It is only listed if it has none anywhere. */
  readonly noEffectIn?: number | undefined
  /** The difference excludes no value and allows no new one, wherever it is. */
  readonly hasNoEffect?: boolean
  /** The replaced component that has the difference. */
  readonly replacement?: Replacement | undefined
}

/** A part of both descriptions that is compared once, such as a component. */
interface Part {
  readonly differences: Difference[]
  readonly edges: Map<Part, Edge[]>
  /** The parts with an edge to this one. */
  readonly users: Part[]
  /** Whether it has a difference, or reaches one. */
  isChanged: boolean
  readonly replacement: Replacement | undefined
}

/** A change of a use: bits are cleared, then inverted, then added. */
interface Edge {
  readonly clear: number
  readonly invert: number
  readonly add: number
}

/** The position of a comparison inside a part. The change applies to the use of the part. */
export interface Scope extends Edge {
  readonly part: Part
}

/** The scope of a part as a whole. */
export function toScope(part: Part): Scope {
  return { part, clear: 0, invert: 0, add: 0 }
}

/** The state of a comparison. */
export interface ComparisonState {
  readonly base: Side
  readonly revision: Side
  readonly options: CompareOptions
  readonly names: PlaceNames
  /** What may still be compared of lists of alternatives, in which each can be compared with each. Then answers are "unknown". */
  readonly budget: NodeBudget
  /** Whether a further pair of schemas may be compared. */
  readonly goesOn: () => boolean
  /** How many questions whether one schema covers another one are open around it. */
  readonly depth: number
  /** Whether two schemas are equal and have no references. */
  readonly isSame: (one: unknown, other: unknown) => boolean
  /**
   * Compares a pair of places once, however often and wherever it is referenced. The pair becomes a part with an edge from the scope.
   * `references` are the places of the references that were followed.
   */
  readonly share: (
    scope: Scope,
    before: readonly Place[],
    after: readonly Place[],
    compareShared: CompareShared,
    references?: PlacePair,
  ) => void
  /** Runs the comparisons that `share` put off. */
  readonly finish: () => void
}

type CompareShared = (scope: Scope) => void

/** Starts a comparison. */
export function startComparison(base: Side, revision: Side, options: CompareOptions): ComparisonState {
  const parts = new Map<string, Part>()
  const waiting: (() => void)[] = []
  const numbers = new Map<unknown, number>()
  const numberOf = ({ value }: Place) => getOrMake(numbers, value, () => numbers.size)
  const keyOf = (places: readonly Place[]) =>
    places.length === 1 && places[0] ? numberOf(places[0]) : places.map(numberOf).join()
  return {
    base,
    revision,
    options,
    names: createNames([base.release, revision.release]),
    budget: startBudget('alternatives'),
    goesOn: () => true,
    depth: 0,
    isSame: toIsSame(),
    share(scope, before, after, compareShared, references) {
      const key = `${keyOf(before)}|${keyOf(after)}`
      let part = parts.get(key)
      const [one, other] = [before[0], after[0]]
      if (part) {
        if (part.replacement && references) addReference(part.replacement, references)
      } else {
        const roots = { base: base.root, revision: revision.root }
        const own = one && other && references && findReplacement(references, { base: one, revision: other }, roots)
        const around = scope.part.replacement
        const isInside = around && isInsideReplacement(around, one, other)
        const created = toPart(own ? { ...own, outer: around } : isInside ? around : undefined)
        part = created
        parts.set(key, part)
        // Put off, so that deep references do not overflow the stack.
        waiting.push(() => compareShared(toScope(created)))
      }
      addEdge(scope, part)
    },
    finish() {
      for (let next = waiting.pop(); next; next = waiting.pop()) next()
    },
  }
}

/** Creates a part without differences. */
export function toPart(replacement?: Replacement): Part {
  return { differences: [], edges: new Map(), users: [], isChanged: false, replacement }
}

/** One reference is named. Of several, only two need to be known. */
function addReference({ targets, references: known }: Replacement, references: PlacePair): void {
  const isOwn = references.base !== targets.base || references.revision !== targets.revision
  if (!isOwn || known.length > 1) return
  const isKnown = known.some(
    ({ base, revision }) => base.value === references.base.value && revision.value === references.revision.value,
  )
  if (!isKnown) known.push(references)
}

function addEdge({ part: from, clear, invert, add }: Scope, part: Part): void {
  const known = from.edges.get(part)
  if (!known) {
    from.edges.set(part, [{ clear, invert, add }])
    part.users.push(from)
  } else if (!known.some((edge) => edge.clear === clear && edge.invert === invert && edge.add === add))
    known.push({ clear, invert, add })
}

/** The same part with a changed use. */
export function within({ part, ...own }: Scope, { clear = 0, invert = 0, add = 0 }: Partial<Edge>): Scope {
  return { part, clear: own.clear | clear, invert: own.invert ^ invert, add: (own.add & ~clear) | add | nestedIn(own.add, add) }
}

function nestedIn(around: number, added: number): number {
  return (around & added & use.property) === 0 ? 0 : use.nested
}

function applyEdge(bits: number, { clear = 0, invert = 0, add = 0 }: Partial<Edge>): number {
  const applied = ((bits & ~clear) ^ invert) | add | nestedIn(bits, add)
  const jsonInForm = use.form | use.nested
  return (applied & jsonInForm) === jsonInForm ? applied & ~use.text : applied
}

/** The place of a field, or that of its owner if the field is missing. */
export function fieldPlace(owner: Place, name: string): Place {
  const field = childPlace(owner, name)
  return field.value === undefined ? owner : field
}

/** The place of a field in both descriptions. */
export function fieldPlaces({ base, revision }: PlacePair, name: string): PlacePair {
  return { base: fieldPlace(base, name), revision: fieldPlace(revision, name) }
}

/** Records a difference. */
export function report({ part, clear, invert, add }: Scope, difference: Difference): void {
  const { replacement } = part
  const isPlain = clear === 0 && invert === 0 && add === 0 && !replacement
  part.differences.push(isPlain ? difference : { ...difference, clear, invert, add, replacement })
}

/** An operation with its part. */
export interface OperationPart {
  readonly operation: ChangedOperation
  readonly part: Part
  /** The use of its request. */
  readonly use: number
  /** The locations of the operation in both descriptions. Differences elsewhere belong to a component. */
  readonly places: readonly ChangePlace[]
}

/** Lists the changes, each with the operations that it affects. */
export function collectChanges(operations: readonly OperationPart[], document: Part, state: ComparisonState): UnlocatedChange[] {
  const found = findUses(operations, document, state.options)
  joinTexts(found)
  return sortChanges([...found.byKey.values()].flatMap((one) => toChanges(one, operations, state)))
}

/** Whether no difference of a part breaks clients that send the data. */
export function breaksNoRequest(part: Part, useOfPart: number, options: CompareOptions): boolean {
  const found = findUses([{ part, use: useOfPart }], toPart(), options)
  return [...found.byKey.values()].every(({ uses }) => [...uses.values()].every(({ level }) => level === 'compatible'))
}

/** Finds the uses of all differences. */
function findUses(
  operations: readonly Pick<OperationPart, 'part' | 'use'>[],
  document: Part,
  options: CompareOptions,
): FoundDifferences {
  markChanged([document, ...operations.map(({ part }) => part)])
  const found: FoundDifferences = { byKey: new Map(), places: new Map() }
  for (const difference of document.differences) addUse(found, difference, 0, undefined, options)
  operations.forEach((operation, index) => {
    const seen = new Map<Part, Set<number>>()
    const open: { readonly part: Part; readonly use: number }[] = [{ part: operation.part, use: operation.use }]
    for (let next = open.pop(); next; next = open.pop()) {
      if (!next.part.isChanged) continue
      const uses = getOrMake(seen, next.part, () => new Set())
      if (uses.has(next.use)) continue
      uses.add(next.use)
      for (const difference of next.part.differences) addUse(found, difference, next.use, index, options)
      for (const [part, edges] of next.part.edges) {
        if (part.isChanged) for (const edge of edges) open.push({ part, use: applyEdge(next.use, edge) })
      }
    }
  })
  return found
}

/** A difference in JSON and in text has one change for each level, although the codes differ. */
function joinTexts({ byKey, places }: FoundDifferences): void {
  for (const { difference, code, uses } of byKey.values()) {
    if (code !== difference.codeInText) continue
    const inJson = byKey.get(`${difference.code} ${places.get(difference)}`)
    if (!inJson || inJson.uses === uses) continue
    for (const [key, use] of uses) {
      if (![...inJson.uses.values()].some(({ level, isUnseen }) => level === use.level && !isUnseen)) continue
      const operations = inJson.uses.get(key)?.operations ?? []
      inJson.uses.set(key, { ...use, operations: new Set([...operations, ...use.operations]) })
      uses.delete(key)
    }
  }
}

/** Marks the parts that have or reach a difference. */
function markChanged(roots: readonly Part[]): void {
  const all = new Set<Part>(roots)
  for (const part of all) for (const used of part.edges.keys()) all.add(used)
  const open = [...all].filter(({ differences }) => differences.length > 0)
  for (let part = open.pop(); part; part = open.pop()) {
    if (part.isChanged) continue
    part.isChanged = true
    open.push(...part.users)
  }
}

interface FoundDifference {
  readonly difference: Difference
  readonly code: ChangeCode
  /** The affected operations by subject and level. */
  readonly uses: Map<string, Uses>
}

interface FoundDifferences {
  /** By code and places, because several schemas can contain the same component. */
  readonly byKey: Map<string, FoundDifference>
  /** The places of each difference as text. One difference can have hundreds of uses. */
  readonly places: Map<Difference, string>
}

interface Uses {
  readonly subject: ChangeSubject
  readonly level: ChangeLevel
  /** The data is never part of the message, or the difference has no effect on it. */
  readonly isUnseen: boolean
  readonly operations: Set<number>
}

function addUse(
  found: FoundDifferences,
  difference: Difference,
  useOfPart: number,
  operation: number | undefined,
  { levels = {} }: CompareOptions,
): void {
  const bits = applyEdge(useOfPart, difference)
  if (difference.onlyIn !== undefined && (bits & difference.onlyIn) === 0) return
  const code = chooseCode(difference, bits)
  const configured = levels[code]
  if (configured === 'off') return
  const unseen = (bits & use.sent) === 0 ? use.readOnly : use.writeOnly
  const isUnseen = (bits & (unseen | (difference.noEffectIn ?? 0))) !== 0
  const byDirection = defaultLevel(code, (bits & use.narrows) === 0 ? 'request' : 'response')
  const level = configured ?? (isUnseen || difference.hasNoEffect ? 'compatible' : byDirection)
  const subject = difference.subject ?? ((bits & use.response) === 0 ? 'request' : 'response')
  const { base, revision, detail } = difference
  const places = getOrMake(found.places, difference, () =>
    JSON.stringify([base?.file, base?.pointer, revision?.file, revision?.pointer, detail]),
  )
  const one = getOrMake(found.byKey, `${code} ${places}`, () => ({ difference, code, uses: new Map() }))
  const useKey = `${subject} ${level} ${isUnseen}`
  const { operations } = getOrMake(one.uses, useKey, () => ({ subject, level, isUnseen, operations: new Set<number>() }))
  if (operation !== undefined) operations.add(operation)
}

function chooseCode(difference: Difference, bits: number): ChangeCode {
  const { codeOfParameter, codeInParameter, codeInText, codeBeside, codeInNarrowed } = difference
  const code = (bits & use.narrows) === 0 ? difference.code : (codeInNarrowed ?? difference.code)
  if ((bits & use.condition) !== 0) return 'constraint-changed'
  if ((bits & use.beside) !== 0 && codeBeside !== undefined) return codeBeside
  if ((bits & use.parameter) !== 0) {
    if ((bits & use.inner) === 0 && codeOfParameter !== undefined) return codeOfParameter
    if ((bits & use.property) !== 0 && codeInParameter !== undefined) return codeInParameter
  }
  // Beside other schemas, and inside `not`, a text counts as its value.
  return (bits & use.text) === 0 || (bits & use.beside) !== 0 ? code : (codeInText ?? code)
}

/**
 * One difference is one change, unless it has different levels in requests and responses. Data that is never sent in one direction is
 * only listed if the other direction has no change.
 */
function toChanges(
  { difference, code, uses }: FoundDifference,
  operations: readonly OperationPart[],
  state: ComparisonState,
): { readonly change: UnlocatedChange; readonly first: number }[] {
  const all = [...uses.values()]
  const seen = all.filter(({ isUnseen }) => !isUnseen)
  const byLevel = new Map<ChangeLevel, { subject: ChangeSubject; operations: Set<number> }>()
  for (const { subject, level, operations: affected } of seen.length > 0 ? seen : all) {
    const merged = byLevel.get(level)
    if (!merged) byLevel.set(level, { subject, operations: new Set(affected) })
    else {
      if (subject === 'request') merged.subject = subject
      for (const index of affected) merged.operations.add(index)
    }
  }
  const { base, revision, at, detail = '', hint = findCompatibleWay(code), replacement } = difference
  const place = at ?? revision ?? base
  const named = place ? nameReplaced(place, state.names, replacement) : ''
  const seenPlaces = [base, revision].map((one) => one && viewFromReference(one, replacement))
  return [...byLevel].map(([level, { subject, operations: affected }]) => {
    const indexes = [...affected].sort((a, b) => a - b)
    const listed = indexes.flatMap((index) => operations[index]?.operation ?? [])
    const [only] = indexes.flatMap((index) => operations[index] ?? [])
    const isOwn = listed.length === 1 && only !== undefined && seenPlaces.some((one) => isInside(one, only.places))
    const owner = isOwn ? only.operation : { method: null, path: null }
    const text = difference.message(named)
    const message = difference.hasNoEffect ? `${text}, without an effect on values` : text
    const identity = toIdentity([code, owner.method, owner.path, subject, named, detail])
    return {
      first: indexes[0] ?? -1,
      change: {
        code,
        level,
        ...owner,
        operations: listed,
        subject,
        message,
        ...(hint === undefined || level === 'compatible' ? {} : { hint }),
        base: base ? toChangePlace(toShownPlace(toExisting(base, state.base), 'base', replacement)) : null,
        revision: revision ? toChangePlace(toShownPlace(toExisting(revision, state.revision), 'revision', replacement)) : null,
        fingerprint: toFingerprint(identity, message),
        ...(isValueChange(message) && { identity }),
      },
    }
  })
}

/** The nearest place around a field that is missing. */
function toExisting(place: ChangePlace | Place, { root }: Side): ChangePlace {
  if (!('value' in place) || place.value !== undefined) return place
  const { file } = place
  let pointer = place.pointer
  do pointer = parentPointer(pointer)
  while (file === root.file && pointer !== '' && !hasPlace(root, pointer))
  return { file, pointer }
}

function toChangePlace({ file, pointer, on }: ChangePlace): ChangePlace {
  return on === undefined ? { file, pointer } : { file, pointer, on }
}

function isInside(place: ChangePlace | undefined, around: readonly ChangePlace[]): boolean {
  return place !== undefined && around.some(({ file, pointer }) => file === place.file && isWithin(place.pointer, pointer))
}

function sortChanges(found: { readonly change: UnlocatedChange; readonly first: number }[]): UnlocatedChange[] {
  return found
    .sort((a, b) => {
      const byPlace = compareText(textOf(a.change), textOf(b.change))
      return compareLevels(a.change, b.change) || a.first - b.first || byPlace
    })
    .map(({ change }) => change)
}

function textOf({ base, revision, code, message }: UnlocatedChange): string {
  const place = base ?? revision
  return `${place?.file}\n${place?.pointer}\n${code}\n${message}`
}

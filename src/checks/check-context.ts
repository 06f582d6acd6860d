import type { Finding } from '../diagnostics/diagnostic.ts'
import type { Api } from '../model/api.ts'
import type { CollectedOperation, ListParameters, PathItemEntry } from '../openapi/read/collect-operations.ts'
import { childPlace, listMapped, listPlaces, mapPlaces, toMappedReference } from '../openapi/references/follow-reference.ts'
import type { CollectedObjects, FindUri, WalkedDocument } from '../openapi/walk.ts'
import type { Place } from '../text/json/json-values.ts'
import { type Suggest, shorten } from '../text/plain/suggest.ts'

/** The input of a check: the walked description with its operations. */
export interface CheckContext extends Omit<Api, 'files'> {
  /** The entries of `paths`. */
  readonly paths: readonly PathItemEntry[]
  readonly operationsOf: ReadonlyMap<PathItemEntry, readonly CollectedOperation[]>
  /** Under `paths`, in page order. */
  readonly operations: readonly CollectedOperation[]
  /** Under `webhooks`. */
  readonly webhookOperations: readonly CollectedOperation[]
  /** In the callbacks of all operations. */
  readonly callbackOperations: readonly CollectedOperation[]
  readonly findUri: FindUri
  /** All parsed files, by path. */
  readonly documents: ReadonlyMap<string, WalkedDocument>
  readonly collected: CollectedObjects
  readonly listParameters: ListParameters
  readonly suggest: Suggest
}

/** A problem that a check reports under its own code. */
export interface CheckProblem extends Omit<Finding, 'code' | 'file' | 'pointer'> {
  /** The object, or the value itself if there is no `key`. */
  readonly at: Pick<Finding, 'file' | 'pointer'>
  /** The field of the object. */
  readonly key?: string | number
  /** Without the edition of the specification. */
  readonly section?: string
}

/** A rule that needs more than one object. Values of the wrong type are skipped, because the walk has already reported them. */
export type Check = (context: CheckContext, report: (problem: CheckProblem) => void) => void

/**
 * One group of `components` of the entry document. Its value is `undefined` if the group is missing.
 *
 * A misspelled `components` or group is used anyway, because the walk has already reported it.
 */
export function findComponents({ root, follow, findUri }: CheckContext, group: string): Place {
  const written = childPlace(follow.end(childPlace(root, 'components')), group)
  const found = written.value === undefined ? findUri(root.file, `#/components/${group}`) : undefined
  return follow.end(found && 'place' in found ? found.place : written)
}

/**
 * Finds the circles that a step leads to, each with its first step again at the end. Searches depth first, with its own stack, because a document can have
 * long chains.
 *
 * @param settled The keys of the steps of earlier searches, so that each circle is found once.
 */
export function findCircles<Step>(
  start: Step,
  keyOf: (step: Step) => unknown,
  listNext: (step: Step) => Step[],
  settled: Set<unknown>,
): Step[][] {
  const first = settled.has(keyOf(start)) ? [] : listNext(start)
  settled.add(keyOf(start))
  // Most lead nowhere.
  if (first.length === 0) return []
  const circles: Step[][] = []
  const path = [{ step: start, waiting: first }]
  const positions = new Map([[keyOf(start), 0]])
  for (let waiting: Step[] | undefined = first; waiting; waiting = path.at(-1)?.waiting) {
    const step = waiting.pop()
    if (step === undefined) {
      const left = path.pop()
      if (left) positions.delete(keyOf(left.step))
      continue
    }
    const key = keyOf(step)
    const position = positions.get(key)
    if (position !== undefined) circles.push([...path.slice(position).map((one) => one.step), step])
    else if (!settled.has(key)) {
      settled.add(key)
      positions.set(key, path.length)
      path.push({ step, waiting: listNext(step) })
    }
  }
  return circles
}

/** The first of some places, whatever their order. */
export function findFirst<Location extends CheckProblem['at']>(places: readonly Location[]): Location {
  return places.reduce((first, one) => (one.file + one.pointer < first.file + first.pointer ? one : first))
}

/** Whether the operations of two paths have a method in common. */
export function shareMethod(first: readonly CollectedOperation[] = [], second: readonly CollectedOperation[] = []): boolean {
  return first.some(({ fields }) => second.some((other) => other.fields.method === fields.method))
}

/** Reports a path that is in conflict with another one. The message says how. */
export function reportPath(
  report: (problem: CheckProblem) => void,
  { name, places: [at] }: PathItemEntry,
  { places: [other] }: PathItemEntry,
  { message, ...problem }: Pick<CheckProblem, 'message' | 'hint' | 'severity'>,
): void {
  if (!at || !other) return
  const related = [{ file: other.file, pointer: other.pointer, on: 'key', message: 'the other path' } as const]
  const text = `Unexpected path \`${shorten(name)}\`: ${message}`
  report({ at, on: 'key', section: 'Paths Object', related, ...problem, message: text })
}

/** The names of schemas in the mappings of discriminators, with what they refer to. `undefined`: a file that is not read, or no schema. */
export function listMappedSchemas(context: CheckContext) {
  const schemas = findComponents(context, 'schemas')
  return context.collected.discriminators.flatMap((schema) =>
    listMapped(childPlace(schema, 'discriminator')).map((at) => {
      const { file, reference } = toMappedReference(at.value, at.file, schemas)
      return { at, schemas, found: context.findUri(file, reference) }
    }),
  )
}

/** Lists the names of all security requirements, first of the document, then of its operations. `place` is the location of the `scopes`. */
export function listRequirements({ root, operations, webhookOperations }: CheckContext) {
  const owners = [root, ...[...operations, ...webhookOperations].map(({ operation }) => operation)]
  return owners
    .flatMap((owner) => listPlaces(owner, 'security'))
    .flatMap((one) => mapPlaces(one, undefined).map((entry) => ({ ...entry, scopes: listPlaces(one, entry.name) })))
}

/** The path items and operations, each path item before its first operation. */
export function listOwners({ operations, webhookOperations }: CheckContext): Place[] {
  return [...operations, ...webhookOperations].flatMap(({ pathItem, operation }, index, all) =>
    all[index - 1]?.pathItem.value === pathItem.value ? [operation] : [pathItem, operation],
  )
}

import { formatCount } from '../../diagnostics/diagnostic.ts'
import { type CollectedOperation, collectOperations, collectPathItems } from '../../openapi/read/collect-operations.ts'
import { formatNumber, getOrMake, lazy } from '../../text/plain/lists.ts'
import { type ClientRecord, countUnknown, isUncertain, type OperationRecord, operationsOf } from '../../traffic/client-file.ts'
import {
  type ChangedOperation,
  type ClientEffect,
  type ComparableDescription,
  type ComparedClient,
  clientEffects,
  defaultLevel,
  toChangedKey,
  type UnlocatedChange,
  type UnlocatedComparison,
} from '../change.ts'
import { judgeRequest, type Verdict } from './judge-request.ts'
import { placeShapes, type Seen, type SeenPlaces } from './place-shapes.ts'

/** The clients of both versions of a document. */
export interface ComparedClients {
  readonly base: readonly ClientRecord[]
  readonly revision: readonly ClientRecord[]
}

/** Adds to each change what it does to the clients: those of the base, and those that only the revision has. */
export function markClients<Compared extends Pick<UnlocatedComparison, 'changes'>>(
  comparison: Compared,
  { base, revision }: ComparedClients,
  sides: Sides,
): Compared {
  const known = new Set(base.map(({ client }) => client))
  const added = revision.filter(({ client }) => !known.has(client))
  const clients = [...base, ...added]
  if (clients.length === 0) return comparison
  const operations = lazy(() => {
    const listed = collectPathItems(sides.base.root, 'paths', sides.base.follow).flatMap((entry) =>
      collectOperations(entry, sides.base.follow),
    )
    return new Map(listed.map((one) => [toChangedKey({ method: one.fields.method, path: one.entry.name }), one]))
  })
  const judged = clients.map((client) => createJudge(client, operationsOf(client, sides.base.root.file), operations, sides))
  const changes = comparison.changes.map((change) => ({ ...change, clients: judged.map((judge) => judge(change)) }))
  const narrowed = base.flatMap(({ client, documents }): ComparedClient[] => {
    const after = revision.find((one) => one.client === client)
    const isSmaller = after && !isCovered(documents, after.documents)
    return !after ? [{ client, state: 'removed' }] : isSmaller ? [{ client, state: 'narrowed' }] : []
  })
  const changed = [...narrowed, ...added.map(({ client }) => ({ client, state: 'added' }) as const)]
  return { ...comparison, changes, ...(changed.length > 0 && { clients: changed }) }
}

/** Whether a part of a record has everything that the other one has, except how often. */
function isCovered(part: unknown, other: unknown): boolean {
  if (part instanceof Map) return other instanceof Map && [...part].every(([key, one]) => isCovered(one, other.get(key)))
  if (part instanceof Set) return other instanceof Set && [...part].every((one) => other.has(one))
  if (Array.isArray(part)) return Array.isArray(other) && other[0] <= part[0] && other[1] >= part[1]
  if (typeof part !== 'object' || part === null) return part === undefined || other !== undefined
  const others = new Map(Object.entries(Object(other)))
  return Object.entries(part).every(([key, one]) => isCovered(one, others.get(key)))
}

interface Sides {
  readonly base: ComparableDescription
  readonly revision: ComparableDescription
}

function createJudge(
  client: ClientRecord,
  block: ReadonlyMap<string, OperationRecord>,
  operations: () => ReadonlyMap<string, CollectedOperation>,
  sides: Sides,
): (change: UnlocatedChange) => ClientEffect {
  const placed = new Map<string, SeenPlaces>()
  const { recorded } = client
  return (change) => {
    const touched = listTouched(change, block)
    const worst = findWorst(
      touched.map(([operation, record]) => {
        const collected = operations().get(toChangedKey(operation))
        const places = collected && getOrMake(placed, toChangedKey(operation), () => placeShapes(collected, record, sides.base))
        return { operation, place: change.base?.pointer ?? null, ...judgeOperation(change, record, places, sides) }
      }),
    )
    if (isUncertain(client) && change.level !== 'compatible' && worst?.effect !== 'hurts') {
      const why =
        recorded.exchanges === 0
          ? 'nothing is recorded'
          : `${formatNumber(countUnknown(recorded))} of ${formatCount(recorded.exchanges, 'exchange')} unknown`
      return { client: client.client, effect: 'unknown', operation: worst?.operation ?? null, place: worst?.place ?? null, why }
    }
    if (!worst) return { client: client.client, effect: 'unused', operation: null, place: null, why: 'never calls it' }
    return { client: client.client, ...worst }
  }
}

function findWorst<One extends Pick<ClientEffect, 'effect'>>(all: readonly One[]): One | undefined {
  return all.toSorted((a, b) => clientEffects.indexOf(a.effect) - clientEffects.indexOf(b.effect))[0]
}

/** The operations of a change that a client calls; of a change of the document, one of all. */
function listTouched(
  { operations, subject }: UnlocatedChange,
  block: ReadonlyMap<string, OperationRecord>,
): [ChangedOperation, OperationRecord][] {
  if (operations.length === 0 && subject === 'document') {
    const [first] = block
    const [method = '', path = ''] = first?.[0].split(' ') ?? []
    return first ? [[{ method: method.toLowerCase(), path }, first[1]]] : []
  }
  return operations.flatMap((operation) => {
    const record = block.get(`${operation.method.toUpperCase()} ${operation.path}`)
    return record ? [[operation, record] as [ChangedOperation, OperationRecord]] : []
  })
}

function judgeOperation(change: UnlocatedChange, record: OperationRecord, places: SeenPlaces | undefined, sides: Sides): Verdict {
  if (
    change.level === 'compatible' &&
    defaultLevel(change.code, 'request') === 'compatible' &&
    defaultLevel(change.code, 'response') === 'compatible'
  )
    return judgeCompatible(change, record, places)
  const { seen, rest } = (change.base && places?.find(change.base)) || { seen: [], rest: '' }
  const isOf = (direction: Seen['direction']) =>
    change.subject === direction || change.subject === 'operation' || defaultLevel(change.code, direction) === change.level
  const relevant = seen.filter(({ direction, kind }) => isOf(direction) || kind === 'operation')
  const worst = findWorst(
    relevant.map((one) =>
      one.direction === 'response' ? judgeResponse(one, record) : judgeRequest({ change, record, seen: one, rest, ...sides }),
    ),
  )
  // Such as what is sent although it is read-only.
  if (worst?.effect === 'hurts' && change.level === 'compatible') return { ...worst, effect: 'may-hurt' }
  if (worst) return worst
  if (change.subject === 'document' || places?.isOpen) return { effect: 'may-hurt', why: 'uses the API' }
  // A list that was empty, or a response that is only sometimes sent.
  if (change.subject === 'response' && record.receives.size > 0) return { effect: 'may-hurt', why: 'may receive it' }
  return { effect: 'unused', why: change.subject === 'response' ? 'never receives it' : 'never sends it' }
}

/** An addition can be what a client already sends, although the document does not have it. */
function judgeCompatible(
  { code, base }: UnlocatedChange,
  { undocumented }: OperationRecord,
  places: SeenPlaces | undefined,
): Verdict {
  const seen = (base && places?.find(base).seen) ?? []
  const isOther = code.endsWith('-parameter-added') ? undocumented > 0 : seen.some(({ shape }) => (shape?.undocumented ?? 0) > 0)
  return isOther && code.endsWith('-added')
    ? { effect: 'may-hurt', why: 'sends what the document does not have' }
    : { effect: 'safe', why: 'calls the operation' }
}

/** What a change of responses does to a client: only `reads` tells for sure. */
function judgeResponse({ kind, shape, name, path }: Seen, { reads, receives }: OperationRecord): Verdict {
  if (kind === 'content' && !shape && [...receives.values()].some(({ body }) => body.size > 0))
    return { effect: 'safe', why: 'receives another media type' }
  if (kind !== 'schema' || path === undefined || path === '' || reads.size === 0)
    return { effect: 'may-hurt', why: `receives ${name}` }
  const isBelow = (inner: string, outer: string) =>
    inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`)
  if ([...reads].some((read) => isBelow(read, path))) return { effect: 'hurts', why: `reads ${name}` }
  if ([...reads].some((read) => isBelow(path, read))) return { effect: 'may-hurt', why: `reads the object with ${name}` }
  return { effect: 'safe', why: `does not read ${name}` }
}

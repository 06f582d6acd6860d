import type { Parameter } from '../model/parameters.ts'
import { findStatus } from '../model/written-values.ts'
import type { Place } from '../text/json/json-values.ts'
import { getOrMake, onceFor } from '../text/plain/lists.ts'
import { baseName } from '../text/plain/paths.ts'
import { createVisitor } from './match-values.ts'
import type { Routed, RoutedExchange } from './route.ts'
import { addVisits, emptyShape, type Shape } from './shapes.ts'
import { describeOperation, readBodyValues, readReceivedHeaders, readSentParameters } from './wire-values.ts'

/** What is known of one client from its recordings. */
export interface ClientRecord {
  readonly client: string
  readonly recorded: RecordedCounts
  /** Operations such as `POST /orders`, by the paths of their documents. */
  readonly documents: Map<string, Map<string, OperationRecord>>
}

/** How much of the recordings is known. */
export interface RecordedCounts {
  /** Exchanges with the APIs of the documents. */
  exchanges: number
  /** Days, such as `2026-03-01`. */
  from?: string | undefined
  to?: string | undefined
  /** Exchanges for which no document has an operation. */
  unmatched: number
  /** Exchanges that cannot be read. */
  unreadable: number
  /** Exchanges with a body that was not recorded, or that cannot be read. */
  missing: number
}

export interface OperationRecord {
  count: number
  last?: string | undefined
  /** By location and name, such as `query sort`. The number of values can be less than that of requests. */
  readonly parameters: Map<string, Shape>
  /** Query parameters that the document does not have. */
  undocumented: number
  /** Requests without a body. */
  withoutBody: number
  /** By media type. */
  readonly sends: Map<string, Shape>
  /** By status code. */
  readonly receives: Map<string, ReceivedRecord>
  /** The properties of responses that the client reads, such as `items[].id`. Empty: unknown. */
  readonly reads: Set<string>
}

export interface ReceivedRecord {
  count: number
  /** The headers that the document has, by name. */
  readonly headers: Map<string, Shape>
  /** By media type. */
  readonly body: Map<string, Shape>
}

/** Above this share of exchanges that are not known, nothing is known for sure. */
const maxUnknown = 0.05

/** Whether too many exchanges of a client are not known. */
export function isUncertain({ recorded }: Pick<ClientRecord, 'recorded'>): boolean {
  return countUnknown(recorded) > recorded.exchanges * maxUnknown || recorded.exchanges === 0
}

export function countUnknown({ unmatched, unreadable, missing }: RecordedCounts): number {
  return unmatched + unreadable + missing
}

export function emptyOperation(): OperationRecord {
  const counts = { undocumented: 0, withoutBody: 0 }
  return { count: 0, last: undefined, parameters: new Map(), ...counts, sends: new Map(), receives: new Map(), reads: new Set() }
}

function emptyReceived(): ReceivedRecord {
  return { count: 0, headers: new Map(), body: new Map() }
}

/** A client without recordings. */
export function emptyClient(client: string): ClientRecord {
  return {
    client,
    recorded: { exchanges: 0, from: undefined, to: undefined, unmatched: 0, unreadable: 0, missing: 0 },
    documents: new Map(),
  }
}

/** Whether a text can be the name of a client, and of its file. */
export function isClientName(text: string): boolean {
  return /^[a-z\d][\w.-]{0,63}$/i.test(text)
}

/** The operations of a document: those of its path, else those of the only one with its name. */
export function operationsOf({ documents }: ClientRecord, document: string): ReadonlyMap<string, OperationRecord> {
  const same = [...documents].filter(([path]) => baseName(path) === baseName(document))
  return documents.get(document) ?? (same.length === 1 ? same[0]?.[1] : undefined) ?? new Map()
}

/** Keeps what a person wrote under `reads` in an earlier record of the client, also of operations that are not recorded any more. */
export function keepReads({ documents }: ClientRecord, earlier: ClientRecord): void {
  for (const [path, operations] of earlier.documents) {
    for (const [name, { reads }] of operations) {
      if (reads.size === 0) continue
      const kept = getOrMake(documents, path, () => new Map<string, OperationRecord>())
      for (const read of reads) getOrMake(kept, name, emptyOperation).reads.add(read)
    }
  }
}

/** Counts exchanges of a client that cannot be read. */
export function addUnreadable({ recorded }: ClientRecord, count: number): void {
  recorded.exchanges += count
  recorded.unreadable += count
}

/** Adds what an exchange tells about a client. Those with other APIs tell nothing. */
export function addExchange({ recorded, documents }: ClientRecord, routed: Routed): void {
  if (routed.kind === 'outside' || routed.kind === 'ignored') return
  recorded.exchanges++
  const day = /^\d{4}-\d\d-\d\d/.exec(routed.exchange.date ?? '')?.[0]
  recorded.from = [recorded.from ?? day, day ?? recorded.from].sort()[0]
  recorded.to = [recorded.to ?? day, day ?? recorded.to].sort()[1]
  if (routed.kind === 'undocumented') recorded.unmatched++
  else if (routed.kind === 'unreadable') recorded.unreadable++
  else {
    const { api, method, path } = routed.operation
    const operations = getOrMake(documents, api.root.file, () => new Map<string, OperationRecord>())
    const record = getOrMake(operations, `${method} ${path}`, emptyOperation)
    record.last = [record.last ?? day, day ?? record.last].sort()[1]
    if (!addToOperation(record, routed)) recorded.missing++
  }
}

const visitorOf = onceFor((api: RoutedExchange['operation']['api']) => createVisitor(api))

/** Adds an exchange to the record of its operation. Returns whether all of it is known. */
function addToOperation(record: OperationRecord, routed: RoutedExchange): boolean {
  const { exchange, operation } = routed
  const { api } = operation
  record.count++
  const add = (shape: Shape, schema: Place | undefined, value: unknown) =>
    addVisits(shape, schema ? visitorOf(api)(schema, value).visits : [])
  const { sent, undocumented } = readSentParameters(routed)
  for (const { parameter, schema, value } of sent)
    add(getOrMake(record.parameters, keyOfParameter(parameter), emptyShape), schema, value)
  record.undocumented += undocumented.length
  const addBody = (bodies: Map<string, Shape>, { mediaType, values }: ReturnType<typeof readBodyValues>) => {
    if (!mediaType) return
    const shape = getOrMake(bodies, mediaType.name, emptyShape)
    for (const { value, schema } of values) add(shape, schema, value)
  }
  const { body, responses } = describeOperation(operation)
  const request = body && readBodyValues(exchange.request, body.content, api)
  if (request) addBody(record.sends, request)
  // Some recorders lose bodies: a request without a required one would have been refused.
  const isMissing = exchange.request.body.kind === 'none' && body?.required
  if (exchange.request.body.kind === 'none' && !body?.required) record.withoutBody++
  const { response } = exchange
  if (!response) return isKnown(request) && !isMissing
  const received = getOrMake(record.receives, String(response.status), emptyReceived)
  received.count++
  const described = findStatus(responses, String(response.status))
  for (const { header, schema, value } of described ? readReceivedHeaders(response, described.headers, api) : [])
    add(getOrMake(received.headers, header.name, emptyShape), schema, value)
  const answer = described && readBodyValues(response, described.content, api)
  if (answer) addBody(received.body, answer)
  for (const path of exchange.reads ?? []) {
    for (const shape of received.body.values()) record.reads.add(nameRead(path, shape))
  }
  record.reads.delete('')
  return isKnown(request) && isKnown(answer) && !isMissing
}

function isKnown(body: ReturnType<typeof readBodyValues> | undefined): boolean {
  return !body || (body.unreadable === undefined && !body.isUnlisted)
}

/** `query sort`. */
export function keyOfParameter({ in: location, name }: Pick<Parameter, 'in' | 'name'>): string {
  return `${location} ${name}`
}

/** A path that a client reads, such as `items[].id`, as far as the document knows it. */
function nameRead(path: readonly (string | number)[], root: Shape): string {
  let name = ''
  let shape: Shape | undefined = root
  for (const step of path) {
    const field: Shape | undefined = shape?.fields.get(String(step))
    if (field) name += name === '' ? String(step) : `.${step}`
    else if (shape?.each) name += '[]'
    else break
    shape = field ?? shape?.each
  }
  return name
}

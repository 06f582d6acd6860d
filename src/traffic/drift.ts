import type { DiagnosticCode, Finding } from '../diagnostics/diagnostic.ts'
import type { Api } from '../model/api.ts'
import type { MediaType } from '../model/content.ts'
import { findStatus } from '../model/written-values.ts'
import { childPlace } from '../openapi/references/follow-reference.ts'
import { type Place, pointerChild } from '../text/json/json-values.ts'
import { getOrMake, listChoices, onceFor } from '../text/plain/lists.ts'
import { shorten } from '../text/plain/suggest.ts'
import type { Exchange, RecordedMessage } from './exchange.ts'
import { createMatcher, type Direction, type ValueDifference } from './match-values.ts'
import type { Routed, RoutedExchange, RoutedOperation } from './route.ts'
import {
  type BodyValues,
  describeOperation,
  readBodyValues,
  readReceivedHeaders,
  readSentParameters,
  type WireValue,
} from './wire-values.ts'

/** What was recorded against one place of a document. */
interface Difference extends ValueDifference {
  readonly code: DiagnosticCode
  readonly isInfo?: boolean | undefined
}

/** How many exchanges were recorded, and the dates of the first and the last one. */
interface Dates {
  count: number
  first: string | undefined
  last: string | undefined
}

/** The exchanges with the same difference. */
interface Recorded extends Dates {
  readonly difference: Difference
  /** A name is only shown if two exchanges have it. */
  readonly place: Exchange['place']
  isRepeated: boolean
}

/** What is kept of an exchange. Its bodies would not fit into memory. */
type Seen = Pick<Exchange, 'place' | 'date'>

/** Differences between recorded traffic and the documents that describe it. */
export interface Drift {
  readonly findings: ReadonlyMap<Api, readonly Finding[]>
  /** Number of exchanges by what they are for. */
  readonly counts: Readonly<Record<Routed['kind'] | 'old', number>>
  /** Why exchanges were not compared, or only in part, by file: each reason with the number of exchanges. */
  readonly unread: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** The file of the first exchange without a date, and the number of all of them. */
  readonly undated: { readonly file: string; readonly count: number } | undefined
}

interface DriftOptions {
  /** Older exchanges are left out: an ISO date. */
  readonly since?: string | undefined
  /** When the version of a document was written. What was only recorded before is an info. */
  readonly versionDateOf?: (api: Api) => string | undefined
}

/** Compares exchanges with the operations that they are for, one after the other. Keeps nothing of their content but names. */
export function startDrift({ since = '', versionDateOf = () => undefined }: DriftOptions = {}) {
  const recorded = new Map<Api, Map<string, Recorded>>()
  const counts = { operation: 0, undocumented: 0, outside: 0, ignored: 0, unreadable: 0, old: 0 }
  const unread = new Map<string, Map<string, number>>()
  const hosts = new Set<string | undefined>()
  const waiting: { readonly host: string | undefined; readonly report: () => void }[] = []
  let undated: { file: string; count: number } | undefined

  const record = (api: Api, { place, date }: Seen, difference: Difference) => {
    const { code, at, message, name } = difference
    const ofApi = getOrMake(recorded, api, () => new Map<string, Recorded>())
    // One finding for a place and keyword, whatever the values are.
    const what = code === 'traffic-response' || code === 'traffic-request' ? '' : message
    const key = message === generalStatus.message ? message : JSON.stringify([code, at.file, at.pointer, what, name])
    const one = getOrMake(ofApi, key, () => ({
      difference,
      count: 0,
      first: undefined,
      last: undefined,
      place,
      isRepeated: false,
    }))
    one.isRepeated ||= one.place !== place
    addDates(one, { count: 1, first: date, last: date })
  }
  const skip = ({ place }: Exchange, reason: string) => {
    const reasons = getOrMake(unread, place.file, () => new Map<string, number>())
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  }
  return {
    add(routed: Routed): void {
      const { kind, exchange } = routed
      if (exchange.date !== undefined && exchange.date < since) {
        counts.old++
        return
      }
      counts[kind]++
      if (exchange.date === undefined) undated = { file: undated?.file ?? exchange.place.file, count: (undated?.count ?? 0) + 1 }
      if (kind === 'unreadable') skip(exchange, routed.reason)
      if (kind === 'undocumented') {
        const [{ api, host }, { place, date }, difference] = [routed, exchange, toUndocumented(routed)]
        waiting.push({ host, report: () => record(api, { place, date }, difference) })
      }
      if (kind !== 'operation') return
      hosts.add(routed.host)
      for (const found of compareExchange(routed)) {
        if (typeof found === 'string') skip(exchange, found)
        else record(routed.operation.api, exchange, found)
      }
    },
    finish(): Drift {
      // Without a server in the document, any host could be that of the API. It is one that other requests fit.
      for (const { host, report } of waiting) if (hosts.has(host)) report()
      const findings = new Map<Api, readonly Finding[]>()
      for (const [api, differences] of recorded) {
        findings.set(api, listFindings([...differences.values()], versionDateOf(api)))
      }
      return { findings, counts, unread, undated }
    },
  }
}

function listFindings(recorded: readonly Recorded[], versionDate: string | undefined): Finding[] {
  const shown = new Map<string, Dates & { readonly difference: Difference; readonly message: string }>()
  for (const one of recorded) {
    const { difference, isRepeated } = one
    const { name, message, code, at } = difference
    const shownName = `\`${shorten(name ?? '')}\``
    const text = message
      .replace('{property}', () => (isRepeated ? `the property ${shownName}` : 'properties'))
      .replace('{field}', () => (isRepeated ? `the field ${shownName}` : 'fields'))
    const key = JSON.stringify([code, at.file, at.pointer, text])
    addDates(
      getOrMake(shown, key, () => ({ difference, message: text, count: 0, first: undefined, last: undefined })),
      one,
    )
  }
  return [...shown.values()].map(({ difference: { code, at, on, hint, isInfo }, message, first, last, count }) => {
    const isOld = last === undefined || last < (versionDate ?? '')
    const when = first === undefined || last === undefined ? 'without date' : `from ${first.slice(0, 10)} to ${last.slice(0, 10)}`
    return {
      code,
      file: at.file,
      pointer: at.pointer,
      message: `${message} (count ${count}, ${when})`,
      hint,
      ...(on && { on }),
      ...((isInfo || isOld) && { severity: 'info' as const }),
    }
  })
}

function addDates(to: Dates, { count, first, last }: Readonly<Dates>): void {
  to.count += count
  to.first = [to.first ?? first, first ?? to.first].sort()[0]
  to.last = [to.last ?? last, last ?? to.last].sort()[1]
}

/** In place of methods that are none: the text could be anything. */
const knownMethod = /^(?:GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE|QUERY)$/

function toUndocumented({ exchange, api, path, within }: Extract<Routed, { kind: 'undocumented' }>): Difference {
  const method = knownMethod.test(exchange.request.method) ? exchange.request.method : 'Other'
  const where = path === undefined ? `below \`${within === '' ? '/' : within}\`` : `to \`${path}\``
  const pointer = path === undefined ? '/paths' : pointerChild('/paths', path)
  const message = `${method} requests ${where} were recorded, but match no operation`
  return { code: 'traffic-undocumented-operation', at: { file: api.root.file, pointer }, on: 'key', message }
}

const matcherOf = onceFor(createMatcher)

/** Lists the differences between an exchange and its operation, and why a part of it cannot be compared. */
function* compareExchange(routed: RoutedExchange): Generator<Difference | string> {
  const { exchange, operation } = routed
  const { response } = exchange
  const { responses } = describeOperation(operation)
  const responsesPlace = childPlace(operation.collected.operation, 'responses')
  // The server decides which requests are right.
  const isAccepted = response !== undefined && response.status >= 200 && response.status < 300
  if (isAccepted) yield* compareRequest(routed)
  // A response to `If-None-Match` has no content.
  if (!response || response.status === 304) return
  const { status } = response
  const described = findStatus(responses, String(status))
  if (described) {
    const isFault = status >= 500
    for (const { header, ...value } of readReceivedHeaders(response, described.headers, operation.api))
      yield* compareValue(value, operation, 'response', `header \`${header.name}\``)
    yield* compareBody(response, described, operation, 'response', isFault)
  } else if (/^(?:401|403|429|5\d\d)$/.test(String(status))) yield { ...generalStatus, at: responsesPlace }
  else if (status < 200 || status > 599) yield 'its status is unknown'
  else {
    const message = `Unexpected status ${status} in recorded responses, expected ${listChoices([...responses.keys()])}`
    yield { code: 'traffic-undocumented-status', at: responsesPlace, on: 'key', message, isInfo: status === 404 }
  }
}

/** One finding for a document: most describe none of these, for no operation. */
const generalStatus = {
  code: 'traffic-undocumented-status',
  on: 'key',
  message: 'Responses with the status 401, 403, 429 or 5xx were recorded, but the operation describes none',
  isInfo: true,
} as const

function* compareRequest(routed: RoutedExchange): Generator<Difference | string> {
  const { exchange, operation } = routed
  const { body } = describeOperation(operation)
  const { sent, omitted, undocumented } = readSentParameters(routed)
  for (const { parameter, ...value } of sent) yield* compareValue(value, operation, 'request', `parameter \`${parameter.name}\``)
  for (const { name, required, in: location, place } of omitted) {
    // Recorders leave out headers, because of credentials in them.
    if (!required || location !== 'query') continue
    const message = `Required parameter \`${name}\` is missing in recorded requests that the server accepted`
    yield { code: 'traffic-request', at: childPlace(place, 'required'), message }
  }
  for (const name of undocumented) {
    const message = 'Recorded requests that the server accepted have {field} in the query that no parameter describes'
    const parameters = childPlace(operation.collected.operation, 'parameters')
    const at = parameters.value === undefined ? operation.collected.operation : parameters
    yield { code: 'traffic-undocumented-field', at, on: 'key', message, name }
  }
  if (!body) return
  if (body.required && exchange.request.body.kind === 'none') yield 'the body was not recorded'
  yield* compareBody(exchange.request, body, operation, 'request', false)
}

function* compareBody(
  message: RecordedMessage,
  { place, content }: { readonly place: Place; readonly content: readonly MediaType[] },
  operation: RoutedOperation,
  direction: Direction,
  isFault: boolean,
): Generator<Difference | string> {
  const { api } = operation
  const { isUnlisted, unreadable, values }: BodyValues = readBodyValues(message, content, api)
  if (unreadable !== undefined) yield unreadable
  if (isUnlisted && !isFault) {
    const recorded = commonTypes.find((one) => message.mediaType?.toLowerCase().startsWith(one))
    const found = recorded === undefined ? 'media type' : `media type \`${recorded}\``
    const expected = listChoices(content.map(({ name }) => name))
    const text = `Unexpected ${found} in recorded ${direction}s, expected ${expected}`
    yield { code: 'traffic-undocumented-media-type', at: childPlace(place, 'content'), on: 'key', message: text }
  }
  for (const value of values) yield* compareValue(value, operation, direction)
}

/** Other media types are not named: they could be anything. */
const commonTypes = [
  'application/json',
  'application/xml',
  'text/xml',
  'text/html',
  'text/plain',
  'application/x-www-form-urlencoded',
]

function* compareValue(
  { value, schema }: WireValue,
  operation: RoutedOperation,
  direction: Direction,
  subject?: string,
): Generator<Difference> {
  if (!schema) return
  for (const difference of matcherOf(operation.api)(schema, value, direction, subject)) {
    const code = difference.name === undefined ? (`traffic-${direction}` as const) : 'traffic-undocumented-field'
    yield { ...difference, code }
  }
}

import { isObject, listOf, numberOf, readOwn } from '../text/json/json-values.ts'
import { decodeBody, readForm, readHeaders, textOf, toDate, toMessage } from './decode-body.ts'
import type { Exchange, RecordedBody, RecordedMessage } from './exchange.ts'

/** Whether a value is a cassette of vcrpy, VCR, betamax or go-vcr. */
export function isCassette(value: unknown): boolean {
  return Array.isArray(listInteractions(value))
}

/**
 * Reads the interactions of a cassette, each `undefined` if it has no URL or status.
 *
 * The recorders are copies of each other: vcrpy, VCR and betamax differ in words, and go-vcr writes `url`, `code` and `form`.
 */
export function* readCassette(file: string, value: unknown): Generator<Exchange | undefined> {
  for (const [index, interaction] of listOf(listInteractions(value)).entries())
    yield readInteraction({ file, index: index + 1 }, interaction)
}

function listInteractions(value: unknown): unknown {
  return readOwn(value, 'interactions') ?? readOwn(value, 'http_interactions')
}

function readInteraction(place: Exchange['place'], interaction: unknown): Exchange | undefined {
  const [request, response] = [readOwn(interaction, 'request'), readOwn(interaction, 'response')]
  const url = textOf(readOwn(request, 'uri') ?? readOwn(request, 'url'))
  const written = readOwn(response, 'status')
  const status = Number.parseInt(
    String(readOwn(response, 'code') ?? readOwn(written, 'code') ?? numberOf(written) ?? written),
    10,
  )
  if (url === undefined || Number.isNaN(status)) return undefined
  const sent = readMessage(request)
  const received = readMessage(response)
  const body = sent.body.kind === 'none' ? readForm(readOwn(request, 'form')) : sent.body
  return {
    place,
    date: toDate(readOwn(interaction, 'recorded_at')) ?? toDate(received.headers.get('date')?.join(', ')),
    request: { ...sent, body: body.kind === 'none' ? sent.body : body, method: toMethod(readOwn(request, 'method')), url },
    response: { ...received, status },
    reads: undefined,
  }
}

/** In upper case. Without one, it is `GET`. */
export function toMethod(written: unknown): string {
  return (textOf(written) ?? 'GET').toUpperCase()
}

function readMessage(written: unknown): RecordedMessage {
  const headers = readHeaders(readOwn(written, 'headers'))
  const parsed = readOwn(written, 'parsed_body')
  const body = parsed === undefined ? readBody(readOwn(written, 'body'), headers) : decodeBody(parsed, headers)
  return toMessage(headers, body)
}

/** A text, bytes, a value, or a mapping with the text in `string` or `base64_string`. */
function readBody(written: unknown, headers: RecordedMessage['headers']): RecordedBody {
  if (!isObject(written) || written instanceof Uint8Array) return decodeBody(written, headers)
  const base64 = textOf(readOwn(written, 'base64_string'))
  if (base64) return decodeBody(base64, headers, 'base64')
  return decodeBody(Object.hasOwn(written, 'string') ? written['string'] : written, headers)
}

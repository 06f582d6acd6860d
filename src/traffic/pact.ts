import { isContainer, isObject, listOf, numberOf, readOwn, readText } from '../text/json/json-values.ts'
import { toMethod } from './cassettes.ts'
import { decodeBody, readFields, readHeaders, toMessage } from './decode-body.ts'
import type { Exchange, RecordedMessage } from './exchange.ts'

/** Whether a value is a contract of Pact, of version 2 to 4. */
export function isPact(value: unknown): boolean {
  return (
    isObject(readOwn(value, 'consumer')) && isObject(readOwn(value, 'provider')) && Array.isArray(readOwn(value, 'interactions'))
  )
}

/**
 * Reads the interactions of a contract. Messages without HTTP are left out.
 *
 * The body of a response is what the client reads, and not what the server sends.
 */
export function* readPact(file: string, value: unknown): Generator<Exchange | undefined> {
  for (const [index, interaction] of listOf(readOwn(value, 'interactions')).entries()) {
    const type = readText(interaction, 'type')
    if (type === undefined || type === 'Synchronous/HTTP') yield readInteraction({ file, index: index + 1 }, interaction)
  }
}

function readInteraction(place: Exchange['place'], interaction: unknown): Exchange | undefined {
  const [request, response] = [readOwn(interaction, 'request'), readOwn(interaction, 'response')]
  const path = readText(request, 'path')
  if (path === undefined) return undefined
  const query = readOwn(request, 'query')
  const fields = [...readFields(query)].map(([name, text]): [string, string] => [name, text])
  const search = isObject(query) ? String(new URLSearchParams(fields)) : query
  const received = readMessage(response)
  const { body } = received
  const expected = body.kind === 'value' ? body.value : undefined
  return {
    place,
    date: undefined,
    request: {
      ...readMessage(request),
      method: toMethod(readOwn(request, 'method')),
      url: typeof search === 'string' && search !== '' ? `${path}?${search}` : path,
    },
    response: { ...received, body: { kind: 'none' }, status: numberOf(readOwn(response, 'status')) ?? 200 },
    reads: expected === undefined ? undefined : listReads(expected),
  }
}

/** Since version 4, the body is in `content`, with its encoding. */
function readMessage(written: unknown): RecordedMessage {
  const headers = readHeaders(readOwn(written, 'headers'))
  const body = readOwn(written, 'body')
  const isWrapped = isObject(body) && Object.hasOwn(body, 'content') && Object.hasOwn(body, 'encoded')
  if (!isWrapped) return toMessage(headers, decodeBody(body, headers))
  const encoding = readOwn(body, 'encoded') === 'base64' ? 'base64' : undefined
  return toMessage(headers, decodeBody(readOwn(body, 'content'), headers, encoding), readText(body, 'contentType'))
}

/** The paths of the values without others inside. All entries of a list are read in the same way. */
function listReads(value: unknown): (readonly (string | number)[])[] {
  if (!isContainer(value) || Object.keys(value).length === 0) return [[]]
  return Object.entries(value).flatMap(([key, inner]) =>
    listReads(inner).map((path) => [Array.isArray(value) ? '*' : key, ...path]),
  )
}

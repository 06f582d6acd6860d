import { isObject, numberOf, readFlag, readOwn, readText } from '../text/json/json-values.ts'
import { toMethod } from './cassettes.ts'
import { decodeBody, readForm, readHeaders, toDate, toMessage } from './decode-body.ts'
import type { Exchange, RecordedBody, RecordedMessage } from './exchange.ts'

/**
 * Reads an entry of a HAR file, or `undefined` if it has no URL. Without a status, as of a canceled request, it has no response.
 *
 * @see HAR 1.2, "entries"
 */
export function readEntry(place: Exchange['place'], entry: unknown): Exchange | undefined {
  const [request, response] = [readOwn(entry, 'request'), readOwn(entry, 'response')]
  const url = readText(request, 'url')
  if (url === undefined) return undefined
  const status = numberOf(readOwn(response, 'status')) ?? 0
  return {
    place,
    date: toDate(readOwn(entry, 'startedDateTime')),
    request: { ...readMessage(request, 'postData', 'bodySize'), method: toMethod(readOwn(request, 'method')), url },
    response: status >= 100 ? { ...readMessage(response, 'content', 'size'), status } : undefined,
    reads: undefined,
  }
}

/** `holder` has the size of a request, `content` that of a response. */
function readMessage(holder: unknown, field: 'postData' | 'content', size: 'bodySize' | 'size'): RecordedMessage {
  const headers = readHeaders(readOwn(holder, 'headers'))
  const content = readOwn(holder, field)
  const sizeBytes = numberOf(readOwn(field === 'content' ? content : holder, size)) ?? 0
  const body = readContent(content, headers)
  const isLost = body.kind === 'none' && sizeBytes > 0
  return toMessage(headers, isLost ? { kind: 'lost', reason: 'the body was not recorded' } : body, readText(content, 'mimeType'))
}

/** Polly.js marks bytes with `_isBinary`, and older releases write them as hexadecimal digits. */
function readContent(content: unknown, headers: RecordedMessage['headers']): RecordedBody {
  const text = readText(content, 'text')
  if (!isObject(content) || !text) return readForm(readOwn(content, 'params'))
  if (readText(content, 'encoding') === 'base64') return decodeBody(text, headers, 'base64')
  const isHex = readFlag(content, '_isBinary') && /^[[\]",\s\da-f]*$/i.test(text)
  return decodeBody(text, headers, isHex ? 'hex' : undefined)
}

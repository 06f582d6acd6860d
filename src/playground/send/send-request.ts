import { say } from '../controls/playground-messages.ts'
import { predictFailure } from '../form/reachable-servers.ts'
import type { HttpRequest, RequestBody } from '../request/http-request.ts'
import type { Failure, ReceivedResponse, Sent, StreamItem } from './sent.ts'

export interface SendOptions {
  readonly request: HttpRequest
  /** Whether to send cookies, a setting of the site. */
  readonly withCookies: boolean
  /** If true, redirects are not followed, because browsers would send headers such as `X-API-Key` to the new server. */
  readonly hasCredentials: boolean
  readonly signal: AbortSignal
  /** The path of the operation's slice, to send the request through the server of the site. */
  readonly slice?: string
  /** Called immediately, and then at most ten times per second. */
  readonly onChange: (sent: Sent) => void
}

/** The most characters of text that are shown. The download is complete. */
const maxText = 16_000_000

/** The most events or lines that are shown, starting from the latest. */
const maxItems = 500

/** Interval between updates, in ms. */
const updateInterval = 100

/** Sends a request and reads its response. Never rejects: failures are a state. */
export async function sendRequest({ request, withCookies, hasCredentials, signal, slice, onChange }: SendOptions): Promise<void> {
  const startedAt = Date.now()
  const start = performance.now()
  const past = () => performance.now() - start
  let received: ReceivedResponse | undefined
  const isRelayed = slice !== undefined
  const report = (state: Sent['state'], failure?: Failure) =>
    onChange({ request, startedAt, state, response: received, failure, isRelayed })
  report('waiting')
  const blocked: string[] = []
  const onViolation = (event: SecurityPolicyViolationEvent) => blocked.push(event.blockedURI)
  document.addEventListener('securitypolicyviolation', onViolation)
  try {
    const failure = isRelayed ? undefined : predictFailure(request.url)
    if (failure) return report('failed', { kind: failure, after: 0 })
    let init: Request
    const sent = toFetchInit(request)
    try {
      init = new Request(request.url, {
        ...sent,
        signal,
        credentials: withCookies ? 'include' : 'omit',
        redirect: hasCredentials ? 'manual' : 'follow',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
      })
    } catch (error) {
      return report('failed', { kind: 'refused', reason: error instanceof Error ? error.message : String(error), after: 0 })
    }
    const response = isRelayed
      ? await (await import('./send-through-relay.ts')).sendThroughServer(init, slice)
      : await fetch(init)
    if (typeof response === 'string') return report('failed', { kind: 'relay', reason: response, after: past() })
    if (response.type === 'opaqueredirect') return report('failed', { kind: 'redirect', after: past() })
    const head = past()
    const mediaType = toMediaType(response.headers.get('content-type'))
    const shared = {
      status: response.status,
      statusText: response.statusText,
      redirectedTo: response.redirected ? response.url : undefined,
      headers: [...response.headers].map(([name, value]) => ({ name, value })),
      mediaType,
      requestSize: toSize(sent.body),
    }
    await readContent(response, past, (content) => {
      received = { ...shared, ...content, time: { head, whole: past() } }
      report(content.body ? 'done' : 'reading')
    })
  } catch {
    if (signal.aborted) return report('failed', { kind: 'stopped', after: past() })
    const after = past()
    if (isRelayed)
      return report('failed', {
        kind: 'relay',
        reason: say('The response was interrupted. This server ends responses after 60 s or 20 MB.'),
        after,
      })
    if (received) return report('failed', { kind: 'broken', after })
    // The browser dispatches the violation event in the next task.
    await new Promise((resolve) => setTimeout(resolve))
    if (blocked.some((uri) => request.url.startsWith(uri))) report('failed', { kind: 'policy', after })
    else if (!navigator.onLine) report('failed', { kind: 'offline', after })
    else report('failed', { kind: 'blocked', withCookies, after })
  } finally {
    document.removeEventListener('securitypolicyviolation', onViolation)
  }
}

/**
 * The method, headers and body for `fetch`. Never throws: `fetch` itself ignores forbidden headers and rejects unsupported requests.
 */
export function toFetchInit({ method, headers, body }: HttpRequest): RequestInit {
  return {
    method,
    headers: headers.map(({ name, value }): [string, string] => [name, toByteText(value)]),
    ...(body && { body: toBody(body) }),
  }
}

/** The media type of a `Content-Type` header, in lower case and without parameters. */
export function toMediaType(contentType: string | null): string | undefined {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() || undefined
}

/** Whether a media type always means a single JSON value. `chooseReading` handles all other types. */
export function isJsonMediaType(mediaType: string | undefined): boolean {
  return mediaType !== undefined && /^application\/(?:(?!.*stream\+)[\w.+-]+\+)?json$/.test(mediaType)
}

/** Bytes of a request body. */
function toSize(body: BodyInit | null | undefined): number {
  return body instanceof Blob ? body.size : new TextEncoder().encode(body ? String(body) : '').length
}

/** How content is shown that is decoded as text. */
const isText = /^(?:events|lines|json|text)$/

type Content = Pick<ReceivedResponse, 'size' | 'reading' | 'text' | 'isCut' | 'items' | 'itemCount' | 'body'>

async function readContent(
  response: Pick<Response, 'headers' | 'body'>,
  past: () => number,
  onContent: (content: Content) => void,
): Promise<void> {
  const mediaType = toMediaType(response.headers.get('content-type'))
  const { chooseReading, createItemReader } = await loadReadingRules(mediaType)
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let reading = chooseReading(mediaType, new Uint8Array())
  let size = 0
  let text = ''
  let isCut = false
  let items: StreamItem[] = []
  let itemCount = 0
  const report = (body?: Blob) => onContent({ size, reading, text, isCut, items, itemCount, body })
  const readItems = createItemReader?.((data, event, id) => {
    itemCount += 1
    items = [...items.slice(1 - maxItems), { number: itemCount, event, id, data, after: past() }]
  })
  const decoder = toDecoder(response.headers.get('content-type'))
  const addText = (piece: string, isLast: boolean) => {
    if (reading === 'events' || reading === 'lines') readItems?.(reading, piece, isLast)
    isCut ||= text.length + piece.length > maxText
    text = (text + piece).slice(0, maxText)
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  report()
  try {
    const reader = response.body?.getReader()
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) break
      if (size === 0 && mediaType !== 'text/event-stream') reading = chooseReading(mediaType, value)
      chunks.push(value)
      size += value.length
      if (isText.test(reading) && !(isCut && reading !== 'events' && reading !== 'lines')) {
        addText(decoder.decode(value, { stream: true }), false)
      }
      timer ??= setTimeout(() => {
        timer = undefined
        report()
      }, updateInterval)
    }
    addText(decoder.decode(), true)
  } finally {
    clearTimeout(timer)
    // Also report an incomplete response. With a binary type, opening the blob URL starts a download.
    report(new Blob(chunks, { type: 'application/octet-stream' }))
  }
}

type ReadingRules = typeof import('./response-content.ts')

/** Loads the rules for media types other than JSON. If they cannot be loaded, only `text/*` is shown. */
async function loadReadingRules(
  mediaType: string | undefined,
): Promise<Pick<ReadingRules, 'chooseReading'> & Partial<Pick<ReadingRules, 'createItemReader'>>> {
  if (isJsonMediaType(mediaType)) return { chooseReading: () => 'json' }
  try {
    return await import('./response-content.ts')
  } catch {
    return { chooseReading: () => (mediaType?.startsWith('text/') ? 'text' : 'binary') }
  }
}

function toDecoder(contentType: string | null): TextDecoder {
  try {
    return new TextDecoder(/charset="?([^\s";]+)/i.exec(contentType ?? '')?.[1])
  } catch {
    return new TextDecoder()
  }
}

function toBody(body: RequestBody): BodyInit {
  switch (body.kind) {
    case 'json':
      return body.text ?? JSON.stringify(body.value) ?? ''
    case 'text':
      return body.text
    case 'form':
      return new URLSearchParams(body.fields.map(({ name, value }) => [name, value]))
    case 'multipart': {
      // The boundary of the code samples could occur in a file. Use lower case, because the type of a blob is lower case.
      const boundary = `form-${Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
      return new Blob(
        body.pieces.map((piece) => (typeof piece === 'string' ? piece.replaceAll(body.boundary, boundary) : toBlob(piece))),
        { type: `${body.mediaType}; boundary=${boundary}` },
      )
    }
    default:
      return toBlob(body.file)
  }
}

/** The selected file; an empty blob if only its name is known. */
function toBlob(file: object): Blob {
  return file instanceof Blob ? file : new Blob([])
}

/** Encodes a header value as UTF-8 bytes, because `fetch` rejects characters beyond Latin-1. Source: Fetch standard, "Headers class". */
function toByteText(value: string): string {
  return Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join('')
}

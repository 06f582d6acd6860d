import type { HttpRequest, RequestBody } from '../../request/http-request.ts'
import { findFailureBefore } from '../reachable-servers.ts'
import type { Answer, Failure, Sent, StreamItem } from './sent.ts'

export interface SendOptions {
  readonly request: HttpRequest
  /** Whether cookies for the server are sent, a setting of the site. */
  readonly withCookies: boolean
  /** Redirects are not followed then, because browsers would send headers such as `X-API-Key` to the new server. */
  readonly hasCredentials: boolean
  readonly signal: AbortSignal
  /** Called with the state now, and then at most ten times per second. */
  readonly onChange: (sent: Sent) => void
}

/** Characters of text that are shown. The download has all of it. */
const maxText = 2_000_000

/** Events or lines that are shown: the latest ones. */
const maxItems = 500

/** Interval between updates, in ms. */
const pace = 100

/** Sends a request and reads its response. Never rejects: failures are reported as a state. */
export async function sendRequest({ request, withCookies, hasCredentials, signal, onChange }: SendOptions): Promise<void> {
  const startedAt = Date.now()
  const start = performance.now()
  const past = () => performance.now() - start
  let answer: Answer | undefined
  const tell = (state: Sent['state'], failure?: Failure) => onChange({ request, startedAt, state, answer, failure })
  tell('waiting')
  const blocked: string[] = []
  const onViolation = (event: SecurityPolicyViolationEvent) => blocked.push(event.blockedURI)
  document.addEventListener('securitypolicyviolation', onViolation)
  try {
    const failure = findFailureBefore(request.url)
    if (failure) return tell('failed', { kind: failure, after: 0 })
    let init: Request
    try {
      init = new Request(request.url, {
        ...toFetchInit(request),
        signal,
        credentials: withCookies ? 'include' : 'omit',
        redirect: hasCredentials ? 'manual' : 'follow',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
      })
    } catch (error) {
      return tell('failed', { kind: 'refused', reason: error instanceof Error ? error.message : String(error), after: 0 })
    }
    const response = await fetch(init)
    if (response.type === 'opaqueredirect') return tell('failed', { kind: 'redirect', after: past() })
    const head = past()
    const mediaType = toMediaType(response.headers.get('content-type'))
    const shared = {
      status: response.status,
      statusText: response.statusText,
      redirectedTo: response.redirected ? response.url : undefined,
      headers: [...response.headers].map(([name, value]) => ({ name, value })),
      mediaType,
    }
    await readContent(response, (content) => {
      answer = { ...shared, ...content, time: { head, whole: past() } }
      tell(content.body ? 'done' : 'reading')
    })
  } catch {
    if (signal.aborted) return tell('failed', { kind: 'stopped', after: past() })
    if (answer) return tell('failed', { kind: 'broken', after: past() })
    const after = past()
    // The violation event is dispatched in the next task.
    await new Promise((resolve) => setTimeout(resolve))
    const kind = blocked.some((uri) => request.url.startsWith(uri)) ? 'policy' : await findFailureAfter(request.url)
    tell('failed', { kind, after })
  } finally {
    document.removeEventListener('securitypolicyviolation', onViolation)
  }
}

/**
 * Method, headers and body of a request for `fetch`, with the selected files. Never throws: `fetch` itself ignores forbidden headers and rejects what
 * browsers do not send.
 */
export function toFetchInit({ method, headers, body }: HttpRequest): RequestInit {
  return {
    method,
    headers: headers.map(({ name, value }): [string, string] => [name, toByteText(value)]),
    ...(body && { body: toBody(body) }),
  }
}

/** The media type of a `Content-Type`, lower case and without parameters. */
export function toMediaType(contentType: string | null): string | undefined {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() || undefined
}

/** Whether a media type is certainly a single JSON value; `chooseReading` decides on all others. */
export function isSurelyJson(mediaType: string | undefined): boolean {
  return mediaType !== undefined && /^application\/(?:(?!.*stream\+)[\w.+-]+\+)?json$/.test(mediaType)
}

/** `fetch` has one error for every failure. A request that needs no CORS permission shows whether the server can be reached at all. */
async function findFailureAfter(url: string): Promise<'offline' | 'hidden' | 'unreachable'> {
  if (!navigator.onLine) return 'offline'
  try {
    const plain = { method: 'HEAD', mode: 'no-cors', credentials: 'omit', referrerPolicy: 'no-referrer' } as const
    await fetch(new URL('/', url), { ...plain, cache: 'no-store', signal: AbortSignal.timeout(5000) })
    return 'hidden'
  } catch {
    return 'unreachable'
  }
}

type Content = Pick<Answer, 'size' | 'reading' | 'text' | 'isCut' | 'items' | 'itemCount' | 'body'>

async function readContent(response: Response, onContent: (content: Content) => void): Promise<void> {
  const mediaType = toMediaType(response.headers.get('content-type'))
  const chooseReading = await loadChoice(mediaType)
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let reading = chooseReading(mediaType, new Uint8Array())
  let size = 0
  let text = ''
  let isCut = false
  let items: StreamItem[] = []
  let itemCount = 0
  const tell = (body?: Blob) => onContent({ size, reading, text, isCut, items, itemCount, body })
  const add = (data: string, event?: string, id?: string) => {
    itemCount += 1
    items = [...items.slice(1 - maxItems), { number: itemCount, event, id, data }]
  }
  const createParser = reading === 'events' ? await loadEventParser() : undefined
  if (reading === 'events' && !createParser) reading = 'text'
  const events = createParser?.({ onEvent: ({ data, event, id }) => add(data, event, id) })
  const decoder = toDecoder(response.headers.get('content-type'))
  let line = ''
  const addText = (piece: string, isLast: boolean) => {
    if (reading === 'events') events?.feed(piece)
    if (reading === 'lines') {
      const found = (line + piece).split(/\r?\n|\x1e/)
      line = isLast ? '' : (found.pop() ?? '')
      for (const one of found) if (one.trim() !== '') add(one)
    }
    isCut ||= text.length + piece.length > maxText
    text = (text + piece).slice(0, maxText)
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  tell()
  try {
    const reader = response.body?.getReader()
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) break
      if (size === 0 && mediaType !== 'text/event-stream') reading = chooseReading(mediaType, value)
      chunks.push(value)
      size += value.length
      if (reading !== 'image' && reading !== 'binary' && !(isCut && reading !== 'events' && reading !== 'lines')) {
        addText(decoder.decode(value, { stream: true }), false)
      }
      timer ??= setTimeout(() => {
        timer = undefined
        tell()
      }, pace)
    }
    addText(decoder.decode(), true)
  } finally {
    clearTimeout(timer)
    // Also for an incomplete response. Binary, so that opening the URL of the blob starts a download.
    tell(new Blob(chunks, { type: 'application/octet-stream' }))
  }
}

type ChooseReading = typeof import('./answer-content.ts').chooseReading

/** JSON needs no further rules. They are loaded for everything else; without them only `text/*` is shown. */
async function loadChoice(mediaType: string | undefined): Promise<ChooseReading> {
  if (isSurelyJson(mediaType)) return () => 'json'
  try {
    return (await import('./answer-content.ts')).chooseReading
  } catch {
    return () => (mediaType?.startsWith('text/') ? 'text' : 'binary')
  }
}

/** Absent if it cannot be loaded: events are shown as text then. */
async function loadEventParser() {
  try {
    return (await import('eventsource-parser')).createParser
  } catch {
    return undefined
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
      // The planned boundary could occur in a file. Lower case, because a blob's type is.
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

/** The selected file; empty for one that is only named. */
function toBlob(file: object): Blob {
  return file instanceof Blob ? file : new Blob([])
}

/** `fetch` requires bytes for characters beyond Latin-1. Source: Fetch standard, "Headers class". */
function toByteText(value: string): string {
  return Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join('')
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isIP } from 'node:net'
import { hostname } from 'node:os'

/** One response of the preview. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export interface PreviewServerOptions {
  readonly host: string
  /** The first port to try; where it is taken, the next ones. 0 for any. */
  readonly port: number
  /** Responds to a decoded path that begins with `/`. Never rejects. */
  readonly answer: (path: string) => Promise<Answer>
}

export interface PreviewServer {
  readonly port: number
  /** Notifies every open page that it may have changed, and those that connect later. */
  readonly announce: (version: string) => void
  readonly close: () => Promise<void>
}

/** Ports after the first that are tried. */
const otherPorts = 20
/** Between signs of life, which keep proxies from closing a quiet connection, in ms. */
const beatMs = 20_000

/** Serves a preview. Refuses other hostnames than those of this machine, against DNS rebinding. */
export async function startPreviewServer({ host, port, answer }: PreviewServerOptions): Promise<PreviewServer> {
  const listeners = new Set<ServerResponse>()
  let version: string | undefined
  const server = createServer((request, response) => {
    const refusal = refuse(request, host)
    if (refusal) return send(request, response, refusal)
    const path = readPath(request.url ?? '/')
    if (path === undefined) return send(request, response, toTextAnswer(400, 'Cannot read this address'))
    if (path === eventsPath) return listen(response)
    void answer(path).then((found) => send(request, response, found))
  })
  const listen = (response: ServerResponse) => {
    response.writeHead(200, { ...commonHeaders, 'Content-Type': 'text/event-stream; charset=utf-8' })
    response.write(version === undefined ? ':\n\n' : `data: ${version}\n\n`)
    listeners.add(response)
    response.on('close', () => listeners.delete(response))
  }
  const beat = setInterval(() => {
    for (const response of listeners) response.write(':\n\n')
  }, beatMs)
  beat.unref()
  await listenOnFreePort(server, host, port)
  return {
    // Of a server that listens to a port this is never a text.
    port: (server.address() as AddressInfo).port,
    announce(next) {
      version = next
      for (const response of listeners) response.write(`data: ${next}\n\n`)
    },
    close() {
      clearInterval(beat)
      for (const response of listeners) response.end()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Where pages hear of changes. */
const eventsPath = '/_preview/events'

async function listenOnFreePort(server: ReturnType<typeof createServer>, host: string, first: number): Promise<void> {
  const last = first === 0 ? 0 : Math.min(65_535, first + otherPorts)
  for (let port = first; ; port++) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port, host, exclusive: true }, () => {
          server.off('error', reject)
          resolve()
        })
      })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || port >= last) throw error // Node's own error.
    }
  }
}

/** Browsers must not cache anything: the next preview may use the same URL. */
const commonHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

function refuse({ method, headers }: IncomingMessage, host: string): Answer | undefined {
  if (!isOwnHost(headers.host, host)) {
    return toTextAnswer(403, `The preview does not answer to the name ${headers.host ?? ''}; start it with --host and this name`)
  }
  return method === 'GET' || method === 'HEAD' ? undefined : toTextAnswer(405, 'Only GET and HEAD')
}

/** IP addresses are safe. A hostname's owner can point it here, so only known names count. */
export function isOwnHost(header: string | undefined, host: string): boolean {
  const name = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec((header ?? '').toLowerCase())
  const asked = name?.[1] ?? name?.[2]
  if (asked === undefined) return false
  return (
    isIP(asked) !== 0 ||
    ['localhost', host.toLowerCase(), hostname().toLowerCase()].includes(asked) ||
    asked.endsWith('.localhost')
  )
}

/** The path of a request, decoded; absent where it is none. A path that climbs is none. */
function readPath(url: string): string | undefined {
  try {
    const path = decodeURIComponent(url.split(/[?#]/, 1)[0] ?? '/')
    const isClean = path.startsWith('/') && !/[\0\\]/.test(path) && !path.split('/').some((step) => step === '..' || step === '.')
    return isClean ? path : undefined
  } catch {
    return undefined
  }
}

export function toTextAnswer(status: number, text: string): Answer {
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: `${text}\n` }
}

function send({ method }: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): void {
  const bytes = Buffer.from(body)
  response.writeHead(status, { ...commonHeaders, ...headers, 'Content-Length': bytes.length })
  response.end(method === 'HEAD' ? undefined : bytes)
}

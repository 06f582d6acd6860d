import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isIP } from 'node:net'
import { hostname } from 'node:os'

/** A response of the preview. */
export interface PreviewResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

interface PreviewServerOptions {
  readonly host: string
  /** The first port to try. If it is in use, the next ones are tried. 0 for any port. */
  readonly port: number
  /** Responds to a decoded path that starts with `/`. Never rejects. */
  readonly answer: (path: string) => Promise<PreviewResponse>
}

interface PreviewServer {
  readonly port: number
  /** Notifies all open pages of a change, and those that connect later. */
  readonly announce: (version: string) => void
  readonly close: () => Promise<void>
}

/** Number of ports to try after the first. */
const extraPorts = 20
/** Interval of keep-alive messages in ms, so that proxies do not close an idle connection. */
const keepAliveMs = 20_000

/** Starts the preview server. Rejects hostnames of other machines, to prevent DNS rebinding. */
export async function startPreviewServer({ host, port, answer }: PreviewServerOptions): Promise<PreviewServer> {
  const listeners = new Set<ServerResponse>()
  let version: string | undefined
  const server = createServer((request, response) => {
    const refusal = refuse(request, host)
    if (refusal) return send(request, response, refusal)
    const path = readPath(request.url ?? '/')
    if (path === undefined) return send(request, response, toTextResponse(400, 'Invalid URL'))
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
  }, keepAliveMs)
  beat.unref()
  await listenOnFreePort(server, host, port)
  return {
    // A TCP server has an address object, never a string.
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

/** The event stream for changes. */
const eventsPath = '/_preview/events'

async function listenOnFreePort(server: ReturnType<typeof createServer>, host: string, first: number): Promise<void> {
  const last = first === 0 ? 0 : Math.min(65_535, first + extraPorts)
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

/** Nothing may be cached, because the next preview can use the same URL. */
const commonHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

function refuse({ method, headers }: IncomingMessage, host: string): PreviewResponse | undefined {
  if (!isAllowedHost(headers.host, host)) {
    return toTextResponse(
      403,
      `The preview does not accept the hostname ${headers.host ?? ''}. Start it with --host and this hostname`,
    )
  }
  return method === 'GET' || method === 'HEAD' ? undefined : toTextResponse(405, 'Only GET and HEAD are allowed')
}

/** IP addresses are safe. A hostname can be pointed here by its owner, so only known names are accepted. */
export function isAllowedHost(header: string | undefined, host: string): boolean {
  const name = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec((header ?? '').toLowerCase())
  const requestedHost = name?.[1] ?? name?.[2]
  if (requestedHost === undefined) return false
  return (
    isIP(requestedHost) !== 0 ||
    ['localhost', host.toLowerCase(), hostname().toLowerCase()].includes(requestedHost) ||
    requestedHost.endsWith('.localhost')
  )
}

/** Decodes the path of a request. Returns `undefined` for an invalid path, or one with `..`. */
function readPath(url: string): string | undefined {
  try {
    const path = decodeURIComponent(url.split(/[?#]/, 1)[0] ?? '/')
    const isClean = path.startsWith('/') && !/[\0\\]/.test(path) && !path.split('/').some((step) => step === '..' || step === '.')
    return isClean ? path : undefined
  } catch {
    return undefined
  }
}

export function toTextResponse(status: number, text: string): PreviewResponse {
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: `${text}\n` }
}

function send({ method }: IncomingMessage, response: ServerResponse, { status, headers, body }: PreviewResponse): void {
  const bytes = Buffer.from(body)
  response.writeHead(status, { ...commonHeaders, ...headers, 'Content-Length': bytes.length })
  response.end(method === 'HEAD' ? undefined : bytes)
}

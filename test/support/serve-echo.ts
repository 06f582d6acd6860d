import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request as it arrived. */
export interface ArrivedRequest {
  readonly method: string
  /** Path and query, byte for byte. */
  readonly target: string
  /** The decoded path segments. */
  readonly path: readonly string[]
  readonly query: readonly (readonly [string, string])[]
  /** Names in lower case, values read as UTF-8. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  /** Names and texts of form fields. */
  readonly fields: readonly (readonly [string, string])[]
}

/** A local server that records requests. Pages of every origin may send requests to it. */
export async function serveEcho(): Promise<{ address: string; arrived: ArrivedRequest[]; close: () => void }> {
  const arrived: ArrivedRequest[] = []
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    if (request.headers['access-control-request-method']) {
      const asked = request.headers['access-control-request-headers']
      if (asked) response.setHeader('access-control-allow-headers', asked)
      response.setHeader('access-control-allow-methods', '*').writeHead(204).end()
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const url = new URL(request.url ?? '/', 'http://localhost')
    const body = Buffer.concat(chunks)
    const headers = new Map(
      Object.entries(request.headers).map(([name, value]) => [name, Buffer.from(String(value), 'latin1').toString('utf8')]),
    )
    const type = headers.get('content-type') ?? ''
    const isForm = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)/.test(type)
    const read = isForm ? new Response(body, { headers: { 'content-type': type } }).formData() : new FormData()
    // Everything but a form is compared as text.
    const form = await Promise.resolve(read).catch(() => new FormData())
    arrived.push({
      method: request.method ?? '',
      target: request.url ?? '',
      path: url.pathname.split('/').slice(1).map(decodeURIComponent),
      query: [...url.searchParams],
      headers,
      body: body.toString('utf8'),
      fields: await Promise.all(
        [...form].map(async ([name, value]) => [name, typeof value === 'string' ? value : await value.text()] as const),
      ),
    })
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // It listens on a port.
  return { address: `http://127.0.0.1:${port}`, arrived, close: () => server.close() }
}

import { randomBytes } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGzip } from 'node:zlib'
import tar from 'tar-stream'
import type { FakeRepository } from './fake-repository.ts'

/**
 * Serves the archives of commits at a separate URL, like `codeload.github.com`: authorized by a signed link, never by a token.
 *
 * Rejects a request with an `Authorization` header, because a token must not leave GitHub's API host.
 */
export class Archives {
  readonly #server: Server
  readonly #links = new Map<string, { repository: FakeRepository; sha: string }>()
  /** Rejected requests, for `assertNoUnexpectedRequests`. */
  readonly refused: string[] = []
  /** Number of bytes after which the next archives are cut off; absent for complete archives. */
  cutAfterBytes: number | undefined

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<Archives> {
    const server = createServer()
    const archives = new Archives(server)
    server.on('request', (request, response) => archives.#serve(request.url ?? '', request.headers.authorization, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return archives
  }

  link(repository: FakeRepository, sha: string): string {
    const token = randomBytes(12).toString('hex')
    this.#links.set(token, { repository, sha })
    const { port } = this.#server.address() as AddressInfo // A listening server has one.
    return `http://127.0.0.1:${port}/${repository.fullName}/legacy.tar.gz/${sha}?token=${token}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #serve(path: string, authorization: string | undefined, response: ServerResponse): void {
    const url = new URL(path, 'http://localhost')
    const link = this.#links.get(url.searchParams.get('token') ?? '')
    if (!link || authorization !== undefined) {
      this.refused.push(`${path} ${authorization === undefined ? 'with an unknown link' : 'with a token'}`)
      response.writeHead(404).end('404: Not Found')
      return
    }
    response.writeHead(200, { 'content-type': 'application/x-gzip' })
    let left = this.cutAfterBytes ?? Number.POSITIVE_INFINITY
    const send = (chunk: Uint8Array) => {
      response.write(left < chunk.length ? chunk.subarray(0, left) : chunk)
      left -= chunk.length
      if (left <= 0) response.destroy()
    }
    const given = link.repository.tarballs.get(link.sha)
    if (given) {
      send(given)
      response.end()
      return
    }
    const gzip = createGzip()
    gzip.on('data', send).on('end', () => response.end())
    gzip.write(toGlobalHeader(link.sha))
    writeTarball(link.repository, link.sha).pipe(gzip)
  }
}

/** The record with the commit ID that git puts first. `tar-stream` can read it but not write it. */
function toGlobalHeader(sha: string): Buffer {
  const header = Buffer.alloc(1024)
  header.write('pax_global_header', 0)
  const fields = ['0000666', '0000000', '0000000', '00000000064', '14000000000']
  header.write(`${fields.join('\0')}\0${' '.repeat(8)}g`, 100)
  header.write('ustar\x0000', 257)
  const sum = header.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  header.write(`52 comment=${sha}\n`, 512)
  return header
}

/** The archive of a commit as GitHub packs it, with one outer folder. */
export function writeTarball(repository: FakeRepository, sha: string): tar.Pack {
  const pack = tar.pack()
  const top = `${repository.owner}-${repository.name}-${sha.slice(0, 7)}`
  pack.entry({ name: `${top}/`, type: 'directory' })
  const folders = new Set<string>()
  const files = [...repository.git.commit(sha).files].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [path, entry] of files) {
    const steps = path.split('/').slice(0, -1)
    for (let count = 1; count <= steps.length; count++) {
      const folder = steps.slice(0, count).join('/')
      if (folders.has(folder)) continue
      folders.add(folder)
      pack.entry({ name: `${top}/${folder}/`, type: 'directory' })
    }
    const name = `${top}/${path}`
    if (entry.mode === '160000') pack.entry({ name: `${name}/`, type: 'directory' })
    else {
      const bytes = Buffer.from(repository.git.blob(entry.sha))
      if (entry.mode === '120000') pack.entry({ name, type: 'symlink', linkname: bytes.toString() })
      else pack.entry({ name, mode: entry.mode === '100755' ? 0o775 : 0o664 }, bytes)
    }
  }
  pack.finalize()
  return pack
}

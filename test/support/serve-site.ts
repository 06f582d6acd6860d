import { readFileSync, statSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

/**
 * Serves a built site below a local path like a static host: folders by their `index.html`, `404.html` for missing files, and the
 * headers in `_headers` for all pages.
 */
export async function serveSite(folder: string, base: string): Promise<{ server: Server; origin: string }> {
  const headers = readHeaders(readFileSync(join(folder, '_headers'), 'utf8'), base)
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname)
    const found = path.startsWith(base) ? findSiteFile(join(folder, path.slice(base.length))) : undefined
    send(response, found ?? join(folder, '404.html'), found ? 200 : 404, headers)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port returns its address as an object. Strings are for pipes.
  const { port } = server.address() as AddressInfo
  return { server, origin: `http://127.0.0.1:${port}` }
}

/** The file that a static host serves for a path: `index.html` for a folder; absent if there is none. */
export function findSiteFile(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isFile()) return path
  const index = join(path, 'index.html')
  return stats?.isDirectory() && statSync(index, { throwIfNoEntry: false })?.isFile() ? index : undefined
}

function send(response: ServerResponse, file: string, status: number, headers: Readonly<Record<string, string>>): void {
  // As in `_headers`.
  const caching = /[/\\]_assets[/\\]/.test(file) ? { 'cache-control': 'public, max-age=31536000, immutable' } : {}
  response.writeHead(status, { ...headers, ...caching, 'content-type': types[extname(file)] ?? 'application/octet-stream' })
  response.end(readFileSync(file))
}

/** The headers of the first block of `_headers`, which applies to everything below the base. */
export function readHeaders(text: string, base: string): Record<string, string> {
  const [first = ''] = text.split('\n\n')
  const [path, ...lines] = first.split('\n')
  if (path !== `${base}*`) throw new Error(`Unexpected ${path} in _headers`)
  return Object.fromEntries(
    lines
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const at = line.indexOf(':')
        return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
      }),
  )
}

import { execFileSync, spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gitConfig } from './repository-template.ts'
import { serve } from './serve.ts'

/**
 * Serves bare repositories below a folder over http, as GitHub does over https. Everyone may read. A push needs the token
 * (otherwise 401), and a token in `readOnly` may not push (403). Returns the origin. `seen` collects each distinct
 * `Authorization`.
 */
export async function serveGit(folder: string, options: { token: string; readOnly?: string; seen?: string[] }): Promise<string> {
  return serve((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const isPush = url.searchParams.get('service') === 'git-receive-pack' || url.pathname.endsWith('/git-receive-pack')
    const authorization = request.headers.authorization ?? ''
    const token = Buffer.from(authorization.replace(/^basic /i, ''), 'base64')
      .toString()
      .split(':')[1]
    if (authorization !== '' && !options.seen?.includes(authorization)) options.seen?.push(authorization)
    // Two headers with this name are joined with a comma, which GitHub rejects with 400.
    if (authorization.includes(',')) return void response.writeHead(400).end('Duplicate header: "Authorization"')
    if (isPush && token !== undefined && token === options.readOnly) return void response.writeHead(403).end('denied')
    if (isPush && token !== options.token) {
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('no')
    }
    runGitBackend(folder, url, isPush, request, response)
  })
}

let backend: string | undefined

/** Handles one request for a bare repository below a folder with git's own HTTP backend. */
export function runGitBackend(
  folder: string,
  url: URL,
  isPush: boolean,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  backend ??= join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend')
  const child = spawn(backend, {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_GLOBAL: gitConfig,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      REMOTE_USER: isPush ? 'someone' : '',
      REQUEST_METHOD: request.method,
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      HTTP_GIT_PROTOCOL: request.headers['git-protocol']?.toString() ?? '',
    },
  })
  request.pipe(child.stdin)
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.on('close', () => {
    const answer = Buffer.concat(chunks)
    const end = answer.indexOf('\r\n\r\n')
    const headers = answer
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': '))
    const status = headers.find(([name]) => name === 'Status')?.[1]
    response.writeHead(Number.parseInt(status ?? '200', 10), Object.fromEntries(headers.filter(([name]) => name !== 'Status')))
    response.end(answer.subarray(end + 4))
  })
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname } from 'node:path'
import { runGitBackend } from '../serve-git.ts'
import type { FakeGitHub } from './fake-github.ts'

/**
 * Serves clones of and pushes to the repositories with a real Git repository, at `/<owner>/<name>.git`. Everyone may read a
 * public one. A push needs a token with `contents: write`. Returns whether the request was one for git.
 */
export function serveGitRequest(github: FakeGitHub, request: IncomingMessage, response: ServerResponse): boolean {
  const url = new URL(request.url ?? '/', github.url)
  const [, fullName, rest = ''] = /^\/([^/]+\/[^/]+?)\.git(\/.*)$/.exec(url.pathname) ?? []
  const repository = fullName === undefined ? undefined : github.findRepository(fullName)
  if (repository?.barePath === undefined) return false
  const isPush = url.searchParams.get('service') === 'git-receive-pack' || url.pathname.endsWith('/git-receive-pack')
  if (url.pathname.endsWith('/git-upload-pack') || url.pathname.endsWith('/git-receive-pack')) {
    github.gitRequests.push(isPush ? 'push' : 'fetch')
  }
  const credentials = Buffer.from((request.headers.authorization ?? '').replace(/^basic /i, ''), 'base64').toString()
  const grant = github.tokens.get(credentials.slice(credentials.indexOf(':') + 1))
  const isInstalled = grant?.installation.repositories.includes(repository) === true
  // Every accepted token can read public repositories.
  const mayRead = isInstalled || (!repository.private && (grant !== undefined || credentials === ''))
  const mayWrite = isInstalled && grant?.installation.permissions['contents'] === 'write'
  if (isPush ? !mayWrite : !mayRead) {
    const status = grant ? 403 : 401
    response.writeHead(status, status === 401 ? { 'www-authenticate': 'Basic realm="GitHub"' } : {})
    response.end(grant ? `Permission to ${repository.fullName}.git denied to ${grant.installation.actor ?? 'the app'}.` : '')
    return true
  }
  const place = new URL(`/${repository.barePath.slice(dirname(repository.barePath).length + 1)}${rest}${url.search}`, github.url)
  runGitBackend(dirname(repository.barePath), place, isPush, request, response)
  return true
}

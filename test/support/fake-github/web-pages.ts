import type { ServerResponse } from 'node:http'
import { escapeHtml } from '../../../src/text/plain/escape-text.ts'
import type { FakeGitHub } from './fake-github.ts'
import type { FakeRepository } from './fake-repository.ts'

/**
 * Serves the pages that links of the app lead to: repositories, refs, commits, pull requests and the lines of files. Visits are
 * not logged, because people make them and not the app. Returns whether the request was one for a page.
 */
export function serveWebPage(github: FakeGitHub, method: string, path: string, response: ServerResponse): boolean {
  if (method !== 'GET') return false
  // Browsers ask for it with every page.
  if (path === '/favicon.ico') {
    response.writeHead(204).end()
    return true
  }
  const [, fullName = '', kind = 'tree', place] =
    /^\/([^/]+\/[^/]+)(?:\/(tree|blob|commit|pull)\/(.+))?$/.exec(decodePath(path)) ?? []
  const repository = github.findRepository(fullName)
  if (!repository || repository.private) return false
  const page = renderPage(repository, findPlace(repository, kind, place ?? repository.defaultBranch))
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(page ?? 'Not Found')
  return true
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

interface Place {
  readonly sha: string
  /** A file. Absent for all files of the commit. */
  readonly path?: string
}

function findPlace(repository: FakeRepository, kind: string, place: string): Place {
  const pull = kind === 'pull' && repository.pullRequests.find(({ number }) => number === Number.parseInt(place, 10))
  if (pull) return { sha: repository.headOf(pull) }
  const [ref = '', ...rest] = kind === 'blob' ? place.split('/') : [place]
  const sha = repository.tip(ref) ?? repository.tags.get(ref)?.sha ?? ref
  return kind === 'blob' ? { sha, path: rest.join('/') } : { sha }
}

/** Returns `undefined` for a file or commit that does not exist. */
function renderPage(repository: FakeRepository, { sha, path }: Place): string | undefined {
  const items = path === undefined ? listFiles(repository, sha) : listLines(repository, sha, path)
  const title = escapeHtml(`${repository.fullName} ${sha.slice(0, 7)} ${path ?? ''}`)
  return (
    items &&
    `<!doctype html><meta charset="utf-8"><title>${title}</title><style>code{white-space:pre}:target{background:gold}</style>
<h1>${title}</h1><p>A page of the fake GitHub.</p><ol>${items.join('')}</ol>`
  )
}

function listLines(repository: FakeRepository, sha: string, path: string): string[] | undefined {
  const text = pathsOf(repository, sha).includes(path) ? repository.readText(sha, path) : undefined
  return text?.split('\n').map((line, index) => `<li id="L${index + 1}"><code>${escapeHtml(line)}</code></li>`)
}

function listFiles(repository: FakeRepository, sha: string): string[] | undefined {
  const paths = pathsOf(repository, sha)
  if (paths.length === 0) return undefined
  return paths.map((path) => {
    const url = `/${repository.fullName}/blob/${sha}/${path.split('/').map(encodeURIComponent).join('/')}`
    return `<li><a href="${escapeHtml(url)}">${escapeHtml(path)}</a></li>`
  })
}

function pathsOf(repository: FakeRepository, sha: string): string[] {
  try {
    return [...repository.git.commit(sha).files.keys()].toSorted()
  } catch {
    return []
  }
}

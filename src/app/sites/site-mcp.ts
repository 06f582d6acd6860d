import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { packageVersion } from '../../docs/config/config-files.ts'
import {
  type AgentChangelog,
  createApiTools,
  createChangesTool,
  createPageTools,
  type SitePages,
} from '../../site/agents/site-tools.ts'
import { openSiteIndex, readSearchScopes, type SearchIndex } from '../../site/search/find-hits.ts'
import type { BuildFiles, ShownSite } from '../../store/sites/stored-sites.ts'
import { encodeUrl } from '../../text/plain/paths.ts'
import type { AppContext } from '../base/app-context.ts'
import { toSiteUrl } from '../base/sites-domain.ts'
import { type Authenticate, findCallerAudience, type RateLimits } from '../http/callers.ts'
import { Problem } from '../http/problem-details.ts'
import { readSiteContent, toFilesKey } from '../publish/site-files.ts'
import { readPath } from '../publish/site-rules.ts'
import { describeMcpServer } from './describe-mcp.ts'
import { findReadableSite, readPassedHost } from './passed-requests.ts'
import { createMayRead, PrivateSiteAccess } from './private-sites.ts'

/** The endpoint for agents, on the hosts of sites. A site can have a page with this path, because pages are never requested with POST. */
const mcpPath = '/mcp'

/** The largest request. Calls of the tools are below 5 kB. */
const maxRequestBytes = 32 * 1024

/** The largest file of a site that is read for agents. */
const maxFileBytes = 32 * 1024 * 1024

/** The cached indexes, by the size of their files. */
const cachedIndexBytes = 96 * 1024 * 1024

/** The documents that describe the endpoint, where programs look for them. */
const discoveryPaths = {
  '/.well-known/mcp': 'endpoints',
  '/.well-known/mcp.json': 'endpoints',
  '/.well-known/mcp/server-card.json': 'card',
  '/.well-known/mcp/server-cards.json': 'cards',
  '/mcp/server-card': 'card',
  '/.well-known/ai-catalog.json': 'catalog',
} as const

/**
 * Whether a request is for the endpoint or a description of it: each POST, and the requests of MCP clients that other servers answer with a stream.
 */
export function isMcpRequest({ url = '', method, headers: { accept = '' } }: IncomingMessage): boolean {
  const [path = ''] = url.split('?', 1)
  if (Object.hasOwn(discoveryPaths, path)) return method === 'GET' || method === 'HEAD'
  if (path !== mcpPath) return false
  return method === 'POST' || method === 'DELETE' || (method === 'GET' && /\btext\/event-stream\b/.test(accept))
}

/**
 * `POST /mcp` on the hosts of sites: search and pages for agents, by the Streamable HTTP transport of the Model Context Protocol, without
 * sessions. On the host of the app, it does not exist.
 *
 * Who may open the site in a browser may use it, and so may the API tokens of the project. All others get the response of a host without a site.
 */
export async function registerSiteMcp(
  server: FastifyInstance,
  context: AppContext,
  {
    authenticate,
    rates,
    openPages,
  }: {
    readonly authenticate: Authenticate
    readonly rates: RateLimits
    readonly openPages: (files: BuildFiles) => StoredPages
  },
): Promise<void> {
  const { store } = context
  const privateAccess = new PrivateSiteAccess(context)
  const mayRead = createMayRead(context, privateAccess)

  const findSite = async (request: FastifyRequest) => {
    const host = readPassedHost(request)
    // Checked before the site is looked up, so that the response to an invalid token is the same for every host.
    const caller = request.headers.authorization === undefined ? undefined : await authenticate(request)
    if (caller) rates.countCaller(caller)
    return await findReadableSite(host, request.raw, { store, mayRead }, (owner) => caller && findCallerAudience(caller, owner))
  }
  await server.register(async (scope) => {
    scope.addHook('onRequest', async (request) => rates.countAddress(request))
    for (const [path, kind] of Object.entries(discoveryPaths)) {
      scope.get(path, async (request, reply) => {
        const { project, isPublic } = await findSite(request)
        const siteUrl = toRequestUrl(context, request)
        const title = toTitle(project)
        const { protocolVersions } = await import('../../site/agents/mcp-server.ts')
        const described = describeMcpServer(kind, { siteUrl, title, isPublic, protocolVersions })
        if (isPublic) reply.header('Access-Control-Allow-Origin', '*')
        return (
          reply
            .header('Cache-Control', isPublic ? 'public, no-cache' : 'private, no-cache')
            .header('Content-Type', described.type)
            // Fastify adds a charset to strings, which these types do not have.
            .send(Buffer.from(`${JSON.stringify(described.content, undefined, 2)}\n`))
        )
      })
    }
  })
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: maxRequestBytes }, (_request, body, done) =>
      done(null, body),
    )
    scope.addHook('onRequest', async (request) => {
      rates.countAddress(request)
      requireOwnOrigin(context, request)
    })
    for (const method of ['GET', 'DELETE'] as const) {
      scope.route({
        method,
        url: mcpPath,
        exposeHeadRoute: false,
        handler: async (request, reply) => {
          readPassedHost(request)
          reply.header('Allow', 'POST')
          throw new Problem('method-not-allowed', 'Use POST. This server has no sessions and no streams')
        },
      })
    }
    scope.post(mcpPath, async (request, reply) => {
      const site = await findSite(request)
      const body = typeof request.body === 'string' ? request.body : ''
      // The current protocol has no batches, and one could contain hundreds of searches.
      if (/^\s*\[/.test(body)) throw new Problem('invalid-request', 'Send one message per request')
      const pages = openPages(site.files)
      const { answerHttp } = await import('../../site/agents/mcp-server.ts')
      const response = await answerHttp(
        {
          name: site.project.subdomain,
          title: toTitle(site.project),
          version: packageVersion,
          instructions: `The documentation at ${toRequestUrl(context, request)}. Find pages with \`search\`, and read them with \`read_page\` or \`get_operation\`.`,
          tools: [...createPageTools(pages), ...createApiTools(pages), createChangesTool(pages.changelogs)],
          onError: (error) => request.log.error({ err: error }, 'A tool for agents failed'),
        },
        new Request(new URL(mcpPath, 'https://site.invalid'), { method: 'POST', headers: toHeaders(request), body }),
      )
      for (const [name, value] of response.headers) reply.header(name, value)
      return reply
        .code(response.status)
        .header('Cache-Control', 'no-store')
        .send(Buffer.from(await response.arrayBuffer()))
    })
  })
}

function toTitle({ owner, repo }: ShownSite['project']): string {
  return `Documentation of ${owner}/${repo}`
}

/** The URL of the requested site, on its own domain if the request uses that. */
function toRequestUrl({ urls }: AppContext, request: FastifyRequest): string {
  const [place, host] = [urls.sites(), readPassedHost(request)]
  if (!place) return ''
  return host.isCustom ? new URL(`${place.protocol}//${request.headers.host}/`).href : toSiteUrl(place, host)
}

/** The headers that the transport reads. */
function toHeaders({ headers }: FastifyRequest): Headers {
  const isRead = (name: string) => name === 'accept' || name === 'content-type' || name.startsWith('mcp-')
  return new Headers(
    Object.entries(headers).flatMap(([name, value]) => (isRead(name) && typeof value === 'string' ? [[name, value]] : [])),
  )
}

/**
 * Rejects requests from web pages of other origins, which could use DNS rebinding or the cookie of a reader. Agents send no `Origin`.
 *
 * Source: Model Context Protocol 2025-11-25, "Transports", security warning.
 *
 * @throws {Problem} `forbidden`.
 */
function requireOwnOrigin({ urls }: AppContext, { headers: { origin, host } }: FastifyRequest): void {
  if (origin !== undefined && origin !== `${urls.sites()?.protocol}//${host}`) {
    throw new Problem('forbidden', 'The request was sent from another site')
  }
}

interface StoredPages extends SitePages {
  readonly changelogs: () => Promise<readonly AgentChangelog[]>
}

/** Reads the pages of stored sites. Builds never change, so indexes are cached. */
export function createStoredPages(
  sites: Pick<AppContext['store']['sites'], 'findFile' | 'readBody'>,
): (files: BuildFiles) => StoredPages {
  const cached = new LRUCache<string, SearchIndex>({ maxSize: cachedIndexBytes })
  return (of) => {
    const readText = async (path: string): Promise<string | undefined> => {
      const file = await sites.findFile(of, path)
      if (!file || file.sizeBytes > maxFileBytes) return undefined
      return (await readSiteContent(sites, file)).toString()
    }
    const readPage = async (route: string, name: string) => {
      const path = readPath(`/${encodeUrl(route)}`)?.path
      return path === undefined ? undefined : await readText(name.replace('*', path === '' ? '' : path))
    }
    const openIndex = async (scope: number) => {
      const key = `${toFilesKey(of)}/${scope}`
      const known = cached.get(key)
      if (known) return known
      let sizeBytes = 1_000
      const index = await openSiteIndex(scope, async (path) => {
        const text = await readText(path)
        sizeBytes += text?.length ?? 0
        return text
      })
      if (index) cached.set(key, index, { size: sizeBytes })
      return index
    }
    return {
      async indexes(route) {
        const html = (await readPage(route, route === '' ? 'index.html' : '*/index.html')) ?? (await readText('index.html')) ?? ''
        const scopes = readSearchScopes(html)
        return (await Promise.all(scopes.map(openIndex))).filter((index) => index !== undefined)
      },
      async markdown(route) {
        // Other Markdown files of the repository are not pages.
        const isPage = await readPage(route, route === '' ? 'index.html' : '*/index.html')
        return isPage === undefined ? undefined : await readPage(route, route === '' ? 'index.md' : '*.md')
      },
      document: (route) => readPage(route, route === '' ? 'index.openapi.json' : '*.openapi.json'),
      async changelogs() {
        const text = await readText('_agents/changes.json')
        // Written by the build.
        return text === undefined ? [] : (JSON.parse(text) as AgentChangelog[])
      },
    }
  }
}

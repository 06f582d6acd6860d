import { packageVersion } from '../../docs/config/config-files.ts'

/** The MCP server of a site. */
interface DescribedServer {
  /** The URL of the site, with a trailing `/`. */
  readonly siteUrl: string
  readonly title: string
  /** Whether clients need no token. */
  readonly isPublic: boolean
  /** Newest first. */
  readonly protocolVersions: readonly string[]
}

/** A document about an MCP server, with its media type. */
interface DiscoveryDocument {
  readonly type: string
  readonly content: object
}

/**
 * Describes the MCP server of a site for programs that know only the site.
 *
 * `endpoints` is what Mintlify serves at `/.well-known/mcp`. `card` and `catalog` follow the extension "Server Cards" of the Model Context Protocol
 * (SEP-2127) and AI Catalog 1.0, `cards` is a list of cards.
 */
export function describeMcpServer(kind: 'endpoints' | 'card' | 'cards' | 'catalog', server: DescribedServer): DiscoveryDocument {
  const { siteUrl, isPublic } = server
  const url = new URL('mcp', siteUrl).href
  const json = 'application/json; charset=utf-8'
  switch (kind) {
    case 'endpoints': {
      const name = isPublic ? 'public' : 'private'
      const endpoint = { url, transport: 'http', authentication: isPublic ? 'none' : 'bearer' }
      const content = { version: packageVersion, transport: 'http', url, servers: [{ name, ...endpoint }] }
      return { type: json, content }
    }
    case 'card':
      return { type: 'application/mcp-server-card+json', content: toCard(url, server) }
    case 'cards':
      return { type: json, content: { servers: [toCard(url, server)] } }
    default: {
      const identifier = `urn:air:${new URL(siteUrl).hostname}:mcp:docs`
      const entry = { identifier, type: 'application/mcp-server-card+json', url: `${url}/server-card` }
      return { type: 'application/ai-catalog+json', content: { specVersion: '1.0', entries: [entry] } }
    }
  }
}

function toCard(url: string, { siteUrl, title, isPublic, protocolVersions }: DescribedServer) {
  const token = {
    name: 'Authorization',
    description: 'An API token of the project.',
    isRequired: true,
    isSecret: true,
    value: 'Bearer {token}',
    variables: { token: { description: 'An API token of the project.', isRequired: true, isSecret: true } },
  }
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    // A reversed host name, so that names do not collide.
    name: `${new URL(siteUrl).hostname.split('.').toReversed().join('.')}/mcp`,
    version: packageVersion,
    title,
    description: 'Searches and reads this documentation, its API operations and schemas.',
    websiteUrl: siteUrl,
    remotes: [
      {
        type: 'streamable-http',
        url,
        supportedProtocolVersions: protocolVersions,
        ...(isPublic ? {} : { headers: [token] }),
      },
    ],
  }
}

import { readSecurity } from '../../../model/security.ts'
import type { SitePage } from '../../plan/types.ts'
import { startOf, toServers } from '../../reference/server-urls.ts'
import type { OperationView } from '../../reference/types.ts'
import type { SiteSource } from '../site-context.ts'
import { readEndpoint } from './endpoint-article.tsx'
import { toPlaygroundDisplay } from './endpoint-bar.tsx'
import { toServerSources, toSource } from './server-sources.ts'

/**
 * The origins that the page of an operation may send requests to, as sorted `connect-src` sources: its servers with all values of their variables, and
 * its token servers. A variable without fixed values at the start of a hostname becomes a wildcard if at least two labels follow it:
 * `https://{tenant}.example.com` becomes `https://*.example.com`. Otherwise, only the default value is allowed.
 *
 * Skips hostnames with characters other than letters, digits, `.` and `-`, so that untrusted documents cannot inject text into the policy. Relative URLs
 * need no source, because every page may send requests to its own site.
 */
export function toConnectSources({ servers, security }: Pick<OperationView, 'servers' | 'security'>): string[] {
  const tokens = security.flat().flatMap(({ scheme }) => {
    if (scheme.type === 'openIdConnect') return [scheme.url]
    if (scheme.type !== 'oauth2') return []
    return [scheme.metadataUrl, ...scheme.flows.flatMap(({ tokenUrl, refreshUrl }) => [tokenUrl, refreshUrl])]
  })
  const found = [...servers.flatMap(toServerSources), ...tokens.map((url) => toSource(url ?? ''))]
  return [...new Set(found.filter((source) => source !== undefined))].sort()
}

/** The connections of all pages of a site. */
interface Connections {
  /** Sources of `connect-src`, sorted. */
  readonly connect: readonly string[]
  /** Whether any operation supports OAuth 2 or OpenID Connect. */
  readonly hasSignIn: boolean
}

/** The most characters of sources in one line of `_headers`. Hosts limit the length of a line. */
const maxLength = 1200

/**
 * Collects the sources of all pages for the site-wide header. Each page also has its own, stricter policy. If the sources do not fit into a line of
 * `_headers`, the header allows all https servers.
 */
export function readConnections(source: Pick<SiteSource, 'context' | 'references'>): Connections {
  const all = new Set<string>()
  let hasSignIn = false
  for (const page of source.context.plan.pages) {
    const found = findConnections(page, source)
    for (const one of found ? toConnectSources(found) : []) all.add(one)
    hasSignIn ||= found?.security.flat().some(({ scheme }) => isSignIn.test(scheme.type)) ?? false
  }
  const sources = [...all].sort()
  const isShort = sources.join(' ').length <= maxLength
  return { connect: isShort ? sources : ['https:', ...sources.filter((one) => one.startsWith('http:')).slice(0, 10)], hasSignIn }
}

const isSignIn = /^(?:oauth2|openIdConnect)$/

/** Reads only the servers and security of a page. A complete operation view would be too slow for every page of a site. */
function findConnections(
  page: SitePage,
  { context, references }: Pick<SiteSource, 'context' | 'references'>,
): Pick<OperationView, 'servers' | 'security'> | undefined {
  const { subject } = page
  if (toPlaygroundDisplay(page, context) !== 'interactive') return undefined
  if (subject.kind === 'endpoint') return readEndpoint(page, subject, context.plan.settings.api.mdx)
  if (subject.kind !== 'operation') return undefined
  const reference = references.get(subject.source)
  const found = reference?.operations.get(subject.target)
  if (!reference || !found) return undefined
  const servers = startOf(toServers([found.operation, found.pathItem, reference.context.root]))
  return { servers, security: readSecurity(found.operation, reference.context) }
}

import { toSecurity, toServers } from '../../reference/servers-security.ts'
import type { OperationView, ServerView } from '../../reference/types.ts'
import type { SiteSource } from '../site-context.ts'
import type { SitePage } from '../types.ts'
import { toEndpointView } from './endpoint-article.tsx'
import { toPlaygroundDisplay } from './endpoint-bar.tsx'

/** The most combinations of server variables that are listed. If there are more, only the default is allowed. */
const maxChoices = 60

/**
 * The origins that the page of an operation may send requests to, as sorted `connect-src` sources: its servers with all values of their variables, and
 * its token servers. A variable without fixed values at the start of a hostname becomes a wildcard if at least two labels follow it:
 * `https://{tenant}.example.com` becomes `https://*.example.com`. Otherwise, only the default value is allowed.
 *
 * Skips hostnames with characters other than letters, digits, `.` and `-`, so that untrusted documents cannot inject text into the policy. Relative URLs
 * need no source, because every page may send requests to its own site.
 */
export function toConnectSources({ servers, security }: Pick<OperationView, 'servers' | 'security'>): string[] {
  const tokens = security
    .flatMap(({ schemes }) => schemes)
    .flatMap(({ scheme }) => {
      if (scheme.type === 'openIdConnect') return [scheme.url]
      if (scheme.type !== 'oauth2') return []
      return [scheme.metadataUrl, ...scheme.flows.flatMap(({ tokenUrl, refreshUrl }) => [tokenUrl, refreshUrl])]
    })
  const found = [...servers.flatMap(toServerSources), ...tokens.map((url) => toSource(url ?? ''))]
  return [...new Set(found.filter((source) => source !== undefined))].sort()
}

function toServerSources({ url, variables }: ServerView): (string | undefined)[] {
  // A source is an origin, so ignore the path.
  const origin = /^[^/]*\/\/[^/?#]*/.exec(url)?.[0] ?? ''
  const used = variables.filter(({ name }) => origin.includes(`{${name}}`))
  const closed = used.filter((variable) => variable.enum.length > 0)
  const number = closed.reduce((product, variable) => product * variable.enum.length, 1)
  const written = closed.reduce(
    (origins, { name, default: preset, enum: choices }) =>
      origins.flatMap((one) => (number > maxChoices ? [preset] : choices).map((choice) => one.replaceAll(`{${name}}`, choice))),
    [origin],
  )
  const open = used.filter((variable) => variable.enum.length === 0)
  return written.flatMap((one) => {
    const preset = toSource(open.reduce((text, { name, default: value }) => text.replaceAll(`{${name}}`, value), one))
    return open.length === 0 ? [preset] : [preset, toWildcard(one)]
  })
}

/** `https://{tenant}-eu.example.com:8443` is `https://*.example.com:8443`, `http://localhost:{port}` is `http://localhost:*`. */
function toWildcard(origin: string): string | undefined {
  const parts = /^(https?:\/\/)([^:]*)(:[^:]*)?$/.exec(origin)
  if (!parts) return undefined
  const [, scheme = '', host = '', port = ''] = parts
  const rest = host.slice(host.lastIndexOf('}') + 1)
  const isOpen = host.includes('{')
  // The wildcard replaces the label that contains the variable. The remaining labels must form a registrable domain.
  const labels = isOpen ? rest.slice(rest.indexOf('.') + 1) : host
  if (isOpen && (!rest.includes('.') || !/^[^.]+\.[^.]+/.test(labels) || /^[\d.]+$/.test(labels))) return undefined
  const anyPort = port.includes('{') ? ':*' : port
  const plain = toSource(`${scheme}${labels}${anyPort === ':*' ? '' : anyPort}`)
  return plain && `${isOpen ? plain.replace('://', '://*.') : plain}${anyPort === ':*' ? ':*' : ''}`
}

/** The origin of a URL; `undefined` if a policy cannot express it, such as IPv6. Source: Content Security Policy Level 3, `host-source`. */
function toSource(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, origin, hostname } = new URL(url)
  return /^https?:$/.test(protocol) && /^[a-z0-9.-]+$/.test(hostname) ? origin : undefined
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
    hasSignIn ||= found?.security.some(({ schemes }) => schemes.some(({ scheme }) => isSignIn.test(scheme.type))) ?? false
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
  if (subject.kind === 'endpoint') return toEndpointView(page, subject, context.plan.settings.api.mdx)
  if (subject.kind !== 'operation') return undefined
  const reference = references.get(subject.source)
  const found = reference?.operations.get(subject.target)
  if (!reference || !found) return undefined
  const servers = toServers([found.operation, found.pathItem, reference.context.root])
  return { servers, security: toSecurity(found.operation, reference.context) }
}

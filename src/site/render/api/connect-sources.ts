import { toSecurity, toServers } from '../../reference/servers-security.ts'
import type { OperationView, ServerView } from '../../reference/types.ts'
import type { SiteSource } from '../site-context.ts'
import type { SitePage } from '../types.ts'
import { toEndpointView } from './endpoint-article.tsx'
import { toPlaygroundDisplay } from './endpoint-bar.tsx'

/** Choices of server variables that are written out; of more, the default alone. */
const maxChoices = 60

/**
 * Where the pages of an operation may send requests to, as sources of `connect-src`: its servers with the choices of their variables, and where
 * tokens come from. Sorted, each once. A variable of any text at the beginning of a host makes a wildcard, as long as two names are left of it:
 * `https://{tenant}.example.com` is `https://*.example.com`. Where there is no such source the default is all that pages may use.
 *
 * Only origins made of letters, digits, `.` and `-` are given, so that no text of a document gets into the policy otherwise. Relative addresses are
 * the site's own, which every page may ask.
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
  // Only what comes before the path counts.
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
  // What is left of the label with the variable is any; the rest has to be a name that somebody owns.
  const labels = isOpen ? rest.slice(rest.indexOf('.') + 1) : host
  if (isOpen && (!rest.includes('.') || !/^[^.]+\.[^.]+/.test(labels) || /^[\d.]+$/.test(labels))) return undefined
  const anyPort = port.includes('{') ? ':*' : port
  const plain = toSource(`${scheme}${labels}${anyPort === ':*' ? '' : anyPort}`)
  return plain && `${isOpen ? plain.replace('://', '://*.') : plain}${anyPort === ':*' ? ':*' : ''}`
}

/** The origin of an address; absent for what a policy has no word for, such as IPv6 addresses. Source: Content Security Policy Level 3, `host-source`. */
function toSource(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, origin, hostname } = new URL(address)
  return /^https?:$/.test(protocol) && /^[a-z0-9.-]+$/.test(hostname) ? origin : undefined
}

/** What all pages of a site together may ask. */
interface Connections {
  /** Sources of `connect-src`, sorted. */
  readonly connect: readonly string[]
  /** Whether readers may sign in by OAuth 2 or OpenID Connect. */
  readonly hasSignIn: boolean
}

/** Characters of one line of `_headers` that hosts read, less what else is in the policy. */
const maxLength = 1200

/**
 * Reads what all pages of a site together may ask, for the one header that they all have; each page carries a policy of its own besides, with its
 * servers alone. Where that is more than a line of `_headers` holds, the header allows all of https.
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

/** Without the rest of the view of an operation, which costs much and of which all of a site's are asked. */
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

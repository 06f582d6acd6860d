import { toSecurity, toServers } from '../../reference/servers-security.ts'
import type { OperationView } from '../../reference/types.ts'
import type { SiteSource } from '../render-site-page.tsx'
import type { SitePage } from '../types.ts'
import { toEndpointView } from './endpoint-article.tsx'
import { toPlaygroundDisplay } from './play-button.tsx'
import { toConnectSources } from './to-connect-sources.ts'

/** What all pages of a site together may ask. */
export interface Connections {
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

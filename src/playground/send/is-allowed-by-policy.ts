/**
 * Whether a Content Security Policy allows requests to an address. Several policies, in one text with commas or in several, all have to: call it
 * for each.
 *
 * Source: Content Security Policy Level 3, 6.7.2 "URL Matching"; paths are not used by our pages and count as any.
 */
export function isAllowedByPolicy(policy: string, address: URL, self: URL): boolean {
  const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/))
  const sources = ['connect-src', 'default-src'].flatMap((name) => {
    const found = directives.find(([first]) => first?.toLowerCase() === name)
    return found ? [found.slice(1)] : []
  })[0]
  return sources?.some((source) => matches(source.toLowerCase(), address, self)) ?? true
}

function matches(source: string, address: URL, self: URL): boolean {
  if (source === "'self'") return address.origin === self.origin
  if (source === '*') return /^(?:https?|wss?):$/.test(address.protocol) || address.protocol === self.protocol
  if (/^[a-z][a-z0-9+.-]*:$/.test(source)) return matchesScheme(source, address)
  const parts = /^(?:([a-z][a-z0-9+.-]*:)\/\/)?(\*|(?:\*\.)?[a-z0-9_.-]+)(?::(\d+|\*))?(?:\/.*)?$/.exec(source)
  if (!parts) return false
  const [, scheme = self.protocol, host = '', port] = parts
  const isHost = host === '*' || (host.startsWith('*.') ? address.hostname.endsWith(host.slice(1)) : address.hostname === host)
  const ownPort = address.port || (address.protocol === 'https:' ? '443' : '80')
  const isPort = port === '*' || ownPort === (port ?? (scheme === 'https:' || address.protocol === 'https:' ? '443' : '80'))
  return matchesScheme(scheme, address) && isHost && isPort
}

/** `http:` allows `https:` too. */
function matchesScheme(scheme: string, { protocol }: URL): boolean {
  return scheme === protocol || (scheme === 'http:' && protocol === 'https:')
}

/**
 * Whether a source of a Content Security Policy allows a URL. `self` is the URL of the page.
 *
 * Source: Content Security Policy Level 3, 6.7.2 "URL Matching". Ignores paths, because the generated policies have none.
 */
export function matchesSource(source: string, url: URL, self: URL): boolean {
  if (source === "'self'") return url.origin === self.origin
  if (source === '*') return /^(?:https?|wss?):$/.test(url.protocol) || url.protocol === self.protocol
  if (/^[a-z][a-z0-9+.-]*:$/.test(source)) return matchesScheme(source, url)
  const parts = /^(?:([a-z][a-z0-9+.-]*:)\/\/)?(\*|(?:\*\.)?[a-z0-9_.-]+)(?::(\d+|\*))?(?:\/.*)?$/.exec(source)
  if (!parts) return false
  const [, scheme = self.protocol, host = '', port] = parts
  const isHost = host === '*' || (host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host)
  const ownPort = url.port || (url.protocol === 'https:' ? '443' : '80')
  const isPort = port === '*' || ownPort === (port ?? (scheme === 'https:' || url.protocol === 'https:' ? '443' : '80'))
  return matchesScheme(scheme, url) && isHost && isPort
}

/** `http:` also allows `https:`. */
function matchesScheme(scheme: string, { protocol }: URL): boolean {
  return scheme === protocol || (scheme === 'http:' && protocol === 'https:')
}

import type { PlaygroundServer, PlaygroundValues } from './types.ts'

/**
 * The absolute URL of a server without a trailing slash: variables are replaced by the typed values, else by their defaults, and a relative URL is
 * resolved against `base`, the URL of the page. Absent if it is not an HTTP URL.
 */
export function toServerUrl(
  server: PlaygroundServer,
  variables: Readonly<Record<string, string>>,
  base: string,
): string | undefined {
  const filled = server.url.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = server.variables.find((one) => one.name === name)
    return (Object.hasOwn(variables, name) ? variables[name] : undefined) || variable?.default || whole
  })
  if (!URL.canParse(filled, base)) return undefined
  const { protocol, origin, pathname, username, password } = new URL(filled, base)
  // User names and passwords in URLs are sent by some browsers and shown by all.
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return undefined
  return origin + decodeBraces(pathname).replace(/(?<!\/)\/+$/, '')
}

/** The selected server: one of the operation's, or a typed URL. */
export function chooseServer(
  servers: readonly PlaygroundServer[],
  { index, variables }: PlaygroundValues['server'],
): PlaygroundServer {
  if (index === servers.length) return { url: variables[typedServer] ?? '', description: undefined, variables: [] }
  return servers[index] ?? servers[0] ?? { url: '/', description: undefined, variables: [] }
}

/** The key of a typed URL among the values of variables; no variable has this name. */
export const typedServer = ''

/** Keeps variables without a value as written, for samples. */
function decodeBraces(path: string): string {
  return path.replaceAll('%7B', '{').replaceAll('%7D', '}')
}

/** Why a browser will refuse to send a request to a URL, as far as that is known in advance. */
export function findFailureBefore(url: string): 'mixed' | 'policy' | undefined {
  const to = new URL(url)
  // Browsers trust servers on the same machine.
  const isOwn = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(to.hostname)
  if (location.protocol === 'https:' && to.protocol === 'http:' && !isOwn) return 'mixed'
  return isAllowedHere(to) ? undefined : 'policy'
}

/** Whether the Content Security Policy of this page allows requests to a URL. */
export function isAllowedHere(url: URL): boolean {
  const policies = document.querySelectorAll<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy"]')
  return [...policies].every(({ content }) => isAllowedByPolicy(content, url, new URL(location.href)))
}

/**
 * Whether a Content Security Policy allows requests to a URL. If there are several policies, all of them have to: call it for each.
 *
 * Source: Content Security Policy Level 3, 6.7.2 "URL Matching"; paths are ignored, because our pages do not use them.
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

/** `http:` also allows `https:`. */
function matchesScheme(scheme: string, { protocol }: URL): boolean {
  return scheme === protocol || (scheme === 'http:' && protocol === 'https:')
}

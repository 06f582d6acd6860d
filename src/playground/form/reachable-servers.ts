import { readOwn } from '../../text/json/json-values.ts'
import { say } from '../controls/playground-messages.ts'
import type { PlaygroundValues } from '../controls/types.ts'
import { matchesSource } from '../request/match-source.ts'
import { type DescribedServer, unnamedServer } from '../request/read-operation.ts'

/**
 * The absolute URL of a server, without a trailing slash. Variables are replaced with the reader's values or their defaults, and a relative URL is
 * resolved against `base`, the URL of the page. `undefined` if the result is not an HTTP URL.
 */
export function toServerUrl(
  server: DescribedServer,
  variables: Readonly<Record<string, string>>,
  base: string,
): string | undefined {
  const filled = server.url.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = server.variables.find((one) => one.name === name)
    return readOwn(variables, name) || variable?.default || whole
  })
  if (!URL.canParse(filled, base)) return undefined
  const { protocol, origin, pathname, username, password } = new URL(filled, base)
  // Reject credentials in URLs: every browser shows them and some send them.
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return undefined
  // Variables without a value keep their braces, for code samples.
  return (
    origin +
    pathname
      .replaceAll('%7B', '{')
      .replaceAll('%7D', '}')
      .replace(/(?<!\/)\/+$/, '')
  )
}

/** The selected server: one of the operation's servers, or a custom URL. */
export function chooseServer(
  servers: readonly DescribedServer[],
  { index, variables }: PlaygroundValues['server'],
): DescribedServer {
  if (index === servers.length) return unnamedServer(variables[customServer] ?? '')
  return servers[index] ?? servers[0] ?? unnamedServer('/')
}

/** The key of the custom URL among the server variables. No variable has this name. */
export const customServer = ''

/** Why a browser would block a request to a URL, if this is known before sending. */
export function predictFailure(url: string): 'mixed' | 'policy' | undefined {
  const to = new URL(url)
  // Browsers allow http for servers on the same machine.
  const isOwn = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(to.hostname)
  if (location.protocol === 'https:' && to.protocol === 'http:' && !isOwn) return 'mixed'
  return isAllowedHere(to) ? undefined : 'policy'
}

/** A sentence about a failure that `predictFailure` returned. */
export function explainBlock(failure: 'mixed' | 'policy', host: string): string {
  return failure === 'mixed'
    ? say('This page uses https but `{host}` uses http, so browsers block the request.', host)
    : say('This site can send requests only to the servers in its OpenAPI documents, and `{host}` is not one of them.', host)
}

/** Whether the Content Security Policy of this page allows requests to a URL. */
export function isAllowedHere(url: URL): boolean {
  const policies = document.querySelectorAll<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy"]')
  return [...policies].every(({ content }) => isAllowedByPolicy(content, url, new URL(location.href)))
}

/** Whether a Content Security Policy allows requests to a URL. If a page has several policies, all of them must allow it. */
export function isAllowedByPolicy(policy: string, url: URL, self: URL): boolean {
  const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/))
  const find = (name: string) => directives.find(([first]) => first?.toLowerCase() === name)?.slice(1)
  const sources = find('connect-src') ?? find('default-src')
  return sources?.some((source) => matchesSource(source.toLowerCase(), url, self)) ?? true
}

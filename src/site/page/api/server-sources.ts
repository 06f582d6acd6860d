import { findServers } from '../../../model/servers.ts'
import { collectOperations, collectPathItems } from '../../../openapi/read/collect-operations.ts'
import { toFollowReference } from '../../../openapi/references/follow-reference.ts'
import { matchesSource } from '../../../playground/request/match-source.ts'
import type { ServerView } from '../../reference/types.ts'

/** The most combinations of server variables that are listed. If there are more, only the default is allowed. */
const maxChoices = 60

/** The operations of a document with one path, such as a slice. */
export function readOnlyPath(document: unknown) {
  // What is needed here has no references.
  const follow = toFollowReference(() => undefined)
  const api = { root: { file: '', pointer: '', value: document }, release: '3.2', follow } as const
  const [item] = collectPathItems(api.root, 'paths', follow)
  return { api, operations: item ? collectOperations(item, follow) : [] }
}

/**
 * Whether a URL belongs to a server of an operation: the page may send requests to its origin, and its path starts with the path of the server.
 *
 * @param slice The part of an OpenAPI document that describes the operation, from a built site. Untrusted.
 */
export function isServerOfSlice(slice: unknown, method: string, url: URL): boolean {
  const { api, operations } = readOnlyPath(slice)
  const asked = operations.filter(({ fields }) => [method, method.toLowerCase()].includes(fields.method))
  const servers = asked.flatMap(({ operation, pathItem }) => findServers([operation, pathItem, api.root]))
  return servers.some(
    (server) =>
      isBelow(url, server.url) &&
      toServerSources(server).some((source) => source !== undefined && matchesSource(source, url, url)),
  )
}

/** Whether the path of a URL starts with that of a server, up to its first variable. */
function isBelow({ pathname }: URL, serverUrl: string): boolean {
  const [path = '', ...variables] = serverUrl.replace(/^[^/]*\/\/[^/?#]*|[?#].*$/gs, '').split('{')
  const start = new URL(`/${path.replace(/^\/+/, '')}`, 'https://any.invalid').pathname
  if (variables.length > 0) return pathname.startsWith(start)
  const folder = start.replace(/(?<!\/)\/+$/, '')
  return pathname === folder || pathname.startsWith(`${folder}/`)
}

/** The `connect-src` sources of a server; `undefined` for those that a policy cannot express. */
export function toServerSources({ url, variables }: ServerView): (string | undefined)[] {
  // A source is an origin, so ignore the path.
  const origin = /^[^/]*\/\/[^/?#]*/.exec(url)?.[0] ?? ''
  const used = variables.filter(({ name }) => origin.includes(`{${name}}`))
  const closed = used.filter((variable) => variable.enum.length > 0)
  const number = closed.reduce((product, variable) => product * variable.enum.length, 1)
  const written = closed.reduce(
    (origins, { name, default: preset = '', enum: choices }) =>
      origins.flatMap((one) => (number > maxChoices ? [preset] : choices).map((choice) => one.replaceAll(`{${name}}`, choice))),
    [origin],
  )
  const open = used.filter((variable) => variable.enum.length === 0)
  return written.flatMap((one) => {
    const preset = toSource(open.reduce((text, { name, default: value = '' }) => text.replaceAll(`{${name}}`, value), one))
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
export function toSource(url: string): string | undefined {
  const parsed = URL.parse(url)
  return parsed && /^https?:$/.test(parsed.protocol) && /^[a-z0-9.-]+$/.test(parsed.hostname) ? parsed.origin : undefined
}

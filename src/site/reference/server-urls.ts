import { findServers, resolveServerUrl, type Server } from '../../model/servers.ts'
import type { Place } from '../../text/json/json-values.ts'
import type { ServerView } from './types.ts'

/**
 * The servers of the nearest object with any: the operation, the path item, or the document.
 *
 * Without servers, OpenAPI defaults to `/`, the host of the document. It is known only for a document from a URL, so the list is
 * empty for others.
 */
export function toServers(owners: readonly Place[]): ServerView[] {
  const servers = findServers(owners)
  const url = resolveServerUrl('/', owners.at(-1)?.file ?? '')
  if (servers.length > 0 || url === '/') return servers.map(toServer)
  return [{ url, name: undefined, description: undefined, variables: [] }]
}

/** A server with a URL for readers: a relative URL in a document from a URL is resolved against that document, not the page. */
export function toServer({ place, url, ...server }: Server): ServerView {
  return { ...server, url: resolveServerUrl(url, place.file) }
}

/** The most servers, security requirements and links of an operation. All operations can share a list, and each repeats it. */
export const maxShared = 100

/** The start of a list of an operation. An item that changes the meaning of the others stays. */
export function startOf<Item>(list: readonly Item[], isNeeded: (item: Item) => boolean = () => false): readonly Item[] {
  const start = list.slice(0, maxShared)
  const needed = start.some(isNeeded) ? undefined : list.find(isNeeded)
  return needed === undefined ? start : [...start.slice(0, -1), needed]
}

/** The host of requests in samples if the OpenAPI document does not name it. */
export const placeholderServer = 'https://api.example.com'

/** The URL of a server with the default values of its variables, without a trailing slash, and with a scheme if it has a host. It may be relative. */
export function toServerUrl({ url, variables }: Pick<ServerView, 'url' | 'variables'>): string {
  const filled = url.replace(
    /\{([^{}]+)\}/g,
    (whole, name: string) => variables.find((one) => one.name === name)?.default || whole,
  )
  return filled.replace(/^\/\/(?=[^/])/, 'https://').replace(/(?<!\/)\/+$/, '')
}

/** The URL of a server for samples, which need a host: a relative URL gets a placeholder. */
export function toSampleServer(server: Pick<ServerView, 'url' | 'variables'> | undefined): string {
  const url = server ? toServerUrl(server) : ''
  return isRelativeServer(url) ? `${placeholderServer}${url === '' || url.startsWith('/') ? '' : '/'}${url}` : url
}

/** Whether the URL of a server has no host. A URL that starts with a variable can have one. */
export function isRelativeServer(url: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|\/\/|\{)/i.test(url)
}

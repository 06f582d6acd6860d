import type { SiteHost } from '../../store/stored-sites.ts'

/** Where sites are: below one domain, at the scheme and port of the app. */
export interface SitesPlace {
  /** `sites.example.com`; `localhost` in development. */
  readonly domain: string
  /** Host of the app itself, without a port: never that of a site, whatever a project is called. */
  readonly appHost: string
  /** `https:`, and `:3000` or `''`. */
  readonly protocol: string
  readonly port: string
}

/**
 * Where the sites of this server are; `undefined` where it hosts none: switched off, or it has an address of the internet and nobody said which
 * domain is for them.
 *
 * @param domain the setting: a name, `off`, or not given.
 * @param ownPort the port that the server itself listens on.
 */
export function findSitesPlace(domain: string | undefined, baseUrl: string, ownPort: number): SitesPlace | undefined {
  const { hostname, protocol, port } = new URL(baseUrl)
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
  const chosen = domain ?? (isLocal ? 'localhost' : 'off')
  if (chosen === 'off') return undefined
  // What GitHub reaches by a tunnel, the browser on this machine reaches without one.
  if (chosen === 'localhost' && !isLocal) return { domain: chosen, appHost: hostname, protocol: 'http:', port: `:${ownPort}` }
  return { domain: chosen, appHost: hostname, protocol, port: port === '' ? '' : `:${port}` }
}

/** The address of a site, with its final `/`. */
export function toSiteUrl({ domain, protocol, port }: SitesPlace, host: SiteHost): string {
  return `${protocol}//${toLabel(host)}.${domain}${port}/`
}

function toLabel({ subdomain, preview }: SiteHost): string {
  if (!preview) return subdomain
  return preview.kind === 'commit' ? `${subdomain}--${preview.sha.slice(0, 12)}` : `${subdomain}--pr-${preview.pullNumber}`
}

/** Whom the host of a request means. */
export type HostReading =
  | { readonly kind: 'app' }
  | { readonly kind: 'site'; readonly host: SiteHost }
  /** A name below the domain of the sites that no site can have. */
  | { readonly kind: 'nothing' }

/** Reads the `Host` header. What is no name at all is the app's to refuse. */
export function readHost(header: string | undefined, { domain, appHost }: SitesPlace): HostReading {
  const [, name] = /^([a-z0-9.-]+?)\.?(?::\d{1,5})?$/.exec(header?.toLowerCase() ?? '') ?? []
  if (name === undefined || name === appHost) return { kind: 'app' }
  if (!name.endsWith(`.${domain}`)) return name === domain && domain !== 'localhost' ? { kind: 'nothing' } : { kind: 'app' }
  const label = name.slice(0, -domain.length - 1)
  const match = /^([a-z0-9]+(?:-[a-z0-9]+)*)(?:--(?:([0-9a-f]{12})|pr-([1-9]\d{0,8})))?$/.exec(label)
  const [, subdomain = '', sha, pullNumber] = match ?? []
  // `xn--…` is a name of another script, and of most endings none that can be in an address.
  if (!match || label.length > 63 || label.startsWith('xn--')) return { kind: 'nothing' }
  if (sha !== undefined) return { kind: 'site', host: { subdomain, preview: { kind: 'commit', sha } } }
  if (pullNumber !== undefined)
    return { kind: 'site', host: { subdomain, preview: { kind: 'pull', pullNumber: Number(pullNumber) } } }
  return { kind: 'site', host: { subdomain } }
}

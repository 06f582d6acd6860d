import type { SiteHost } from '../../store/sites/stored-sites.ts'

/** The parent domain of the sites, with the scheme and port of the app. */
export interface SitesPlace {
  /** `sites.example.com`; `localhost` in development. */
  readonly domain: string
  /** Host of the app, without a port. No site can have this host. */
  readonly appHost: string
  /** `https:`, and `:3000` or `''`. */
  readonly protocol: string
  readonly port: string
}

/**
 * Determines the domain of the sites. Returns `undefined` if hosting is off, or if the server has a public URL and no domain is set.
 *
 * @param domain The setting: a domain name, `off`, or unset.
 * @param ownPort The port that the server listens on.
 */
export function findSitesPlace(domain: string | undefined, baseUrl: string, ownPort: number): SitesPlace | undefined {
  const { hostname, protocol, port } = new URL(baseUrl)
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
  const chosen = domain ?? (isLocal ? 'localhost' : 'off')
  if (chosen === 'off') return undefined
  // GitHub uses the tunnel at `baseUrl`, but browsers on this machine connect directly.
  if (chosen === 'localhost' && !isLocal) return { domain: chosen, appHost: hostname, protocol: 'http:', port: `:${ownPort}` }
  return { domain: chosen, appHost: hostname, protocol, port: port === '' ? '' : `:${port}` }
}

/** The URL of a site, with a trailing `/`. */
export function toSiteUrl({ domain, protocol, port }: SitesPlace, host: SiteHost): string {
  return `${protocol}//${toLabel(host)}.${domain}${port}/`
}

function toLabel({ subdomain, preview }: SiteHost): string {
  if (!preview) return subdomain
  return preview.kind === 'commit' ? `${subdomain}--${preview.sha.slice(0, 12)}` : `${subdomain}--pr-${preview.pullNumber}`
}

/** The target of a request by its host. */
export type HostReading =
  | { readonly kind: 'app' }
  | { readonly kind: 'site'; readonly host: SiteHost }
  /** A subdomain that no site can have. */
  | { readonly kind: 'nothing' }

/** Parses the `Host` header. The app rejects invalid names. */
export function readHost(header: string | undefined, { domain, appHost }: SitesPlace): HostReading {
  const [, name] = /^([a-z0-9.-]+?)\.?(?::\d{1,5})?$/.exec(header?.toLowerCase() ?? '') ?? []
  if (name === undefined || name === appHost) return { kind: 'app' }
  if (!name.endsWith(`.${domain}`)) return name === domain && domain !== 'localhost' ? { kind: 'nothing' } : { kind: 'app' }
  const label = name.slice(0, -domain.length - 1)
  const match = /^([a-z0-9]+(?:-[a-z0-9]+)*)(?:--(?:([0-9a-f]{12})|pr-([1-9]\d{0,8})))?$/.exec(label)
  const [, subdomain = '', sha, pullNumber] = match ?? []
  // `xn--…` is Punycode, which is often invalid in a URL.
  if (!match || label.length > 63 || label.startsWith('xn--')) return { kind: 'nothing' }
  if (sha !== undefined) return { kind: 'site', host: { subdomain, preview: { kind: 'commit', sha } } }
  if (pullNumber !== undefined)
    return { kind: 'site', host: { subdomain, preview: { kind: 'pull', pullNumber: Number(pullNumber) } } }
  return { kind: 'site', host: { subdomain } }
}

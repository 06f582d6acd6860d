import { Resolver } from 'node:dns/promises'
import type { SiteDomain } from '../../store/domain-store.ts'
import type { SitesPlace } from './sites-domain.ts'

/** Reads DNS records. Rejects if there are none. */
export type DomainResolver = Pick<Resolver, 'resolveTxt' | 'resolveCname'>

export function createDomainResolver(): DomainResolver {
  return new Resolver({ timeout: 3_000, tries: 2 })
}

/** Whether a project may use a name as its custom domain: a public name outside the app and the domain of the sites. */
export function isCustomDomain(name: string, { domain, appHost }: SitesPlace): boolean {
  const isName = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/.test(name)
  return isName && name !== appHost && name !== domain && !name.endsWith(`.${domain}`) && !name.endsWith('.localhost')
}

/** Reads a custom domain from a `Host` header; `undefined` for the app, an IP address or a site on the domain of the sites. */
export function readCustomDomain(header: string | undefined, place: SitesPlace): string | undefined {
  const name = (header ?? '')
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '')
  return isCustomDomain(name, place) ? name : undefined
}

/** The DNS records that a domain needs. */
export function toDnsRecords({ domain, token }: SiteDomain, subdomain: string, place: SitesPlace) {
  return {
    txt: { name: `_openapi-pages.${domain}`, value: `openapi-pages=${token}` },
    cname: { name: domain, value: `${subdomain}.${place.domain}` },
  }
}

/** Compares the DNS records of a domain with the expected ones. Returns what is wrong, or `undefined`. */
export async function findDnsMistake(
  resolver: DomainResolver,
  { txt, cname }: ReturnType<typeof toDnsRecords>,
): Promise<string | undefined> {
  const [texts, names] = await Promise.all([
    resolver.resolveTxt(txt.name).catch(() => []),
    resolver.resolveCname(cname.name).catch(() => []),
  ])
  // A long value is split into strings.
  if (!texts.some((parts) => parts.join('') === txt.value)) return `No TXT record of ${txt.name} has the value ${txt.value}`
  if (!names.some((name) => name.toLowerCase().replace(/\.$/, '') === cname.value)) {
    return `The CNAME record of ${cname.name} does not point to ${cname.value}`
  }
  return undefined
}

import { Resolver } from 'node:dns/promises'
import type { SiteDomain } from '../../store/sites/stored-sites.ts'
import type { SitesPlace } from '../base/sites-domain.ts'

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

type DnsCheck =
  | { readonly kind: 'correct' }
  | { readonly kind: 'wrong'; readonly mistake: string }
  /** A server did not respond, or responded with a temporary error. */
  | { readonly kind: 'unknown'; readonly reason: string }

/** Compares the DNS records of a domain with the expected ones. */
export async function checkDns(resolver: DomainResolver, { txt, cname }: ReturnType<typeof toDnsRecords>): Promise<DnsCheck> {
  const [texts, names] = await Promise.all([
    resolver.resolveTxt(txt.name).catch(toMissing),
    resolver.resolveCname(cname.name).catch(toMissing),
  ])
  // A long value is split into strings.
  if (Array.isArray(texts) && !texts.some((parts) => parts.join('') === txt.value)) {
    return { kind: 'wrong', mistake: `No TXT record of ${txt.name} has the value ${txt.value}` }
  }
  if (Array.isArray(names) && !names.some((name) => name.toLowerCase().replace(/\.$/, '') === cname.value)) {
    return { kind: 'wrong', mistake: `The CNAME record of ${cname.name} does not point to ${cname.value}` }
  }
  const failed = [texts, names].find((result) => !Array.isArray(result))
  return failed === undefined ? { kind: 'correct' } : { kind: 'unknown', reason: String(failed) }
}

/** No records if the name or the record does not exist; otherwise the error. Source: Node.js, `dns`, "Error codes". */
function toMissing(error: unknown): readonly never[] | string {
  // Errors of the resolver have a code.
  const { code } = error instanceof Error ? (error as { code?: unknown }) : {}
  return code === 'ENODATA' || code === 'ENOTFOUND' ? [] : typeof code === 'string' ? code : 'unknown error'
}

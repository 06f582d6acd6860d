import { Resolver } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { SiteDomain } from '../../store/sites/stored-sites.ts'
import { codeOf } from '../../text/errors.ts'
import type { AppContext, AppPart } from '../base/app-context.ts'
import { readHost, type SitesPlace } from '../base/sites-domain.ts'
import { typed } from '../http/browser-requests.ts'
import type { RateLimits } from '../http/callers.ts'
import { Problem } from '../http/problem-details.ts'

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
  const code = codeOf(error) ?? 'unknown error'
  return code === 'ENODATA' || code === 'ENOTFOUND' ? [] : code
}

const CertificateQuery = Type.Object({ domain: Type.String({ maxLength: 253 }) })

/**
 * `/sites/certificate?domain=…`: whether a proxy should request a certificate for a hostname. Sends 200 for the app, the sites on their
 * domain, and verified custom domains, otherwise 404. Only questions about custom domains are limited, because they need the store.
 */
export function registerCertificateCheck(server: FastifyInstance, context: AppContext, limits: RateLimits): void {
  typed(server).get('/sites/certificate', { schema: { querystring: CertificateQuery } }, async (request, reply) => {
    const place = context.urls.sites()
    const name = request.query.domain.toLowerCase()
    if (!place) throw new Problem('not-found')
    if (name !== place.appHost && readHost(name, place).kind !== 'site') {
      limits.countCertificate(request)
      const isKnown = isCustomDomain(name, place) && (await context.store.domains.findSubdomain(name)) !== undefined
      if (!isKnown) throw new Problem('not-found')
    }
    return reply.type('text/plain').send('ok')
  })
}

const defaultDomainCheckTimes = {
  /** How often to look for domains that are due. */
  everyMs: 300_000,
  /** The time between two checks of a domain. */
  recheckMs: 24 * 3_600_000,
  /** Maximum number of domains for each look, which spreads the checks. */
  atOnce: 20,
}
type DomainCheckTimes = Readonly<typeof defaultDomainCheckTimes>

/** How long a domain with wrong DNS records is still served. */
export const domainGraceDays = 7

/** Checks the DNS records of verified domains once a day, because a domain can expire or get another owner. */
export function createDomainChecksPart(
  times: DomainCheckTimes = defaultDomainCheckTimes,
): (context: AppContext, tools: { readonly resolver: DomainResolver }) => AppPart {
  return (context, { resolver }) => {
    return {
      async lead(signal) {
        while (!signal.aborted) {
          await checkDueDomains(context, resolver, times, signal).catch((error: unknown) => {
            if (!signal.aborted) context.log.warn({ err: error }, 'Cannot check the custom domains')
          })
          await sleep(times.everyMs, undefined, { signal }).catch(() => undefined)
        }
      },
    }
  }
}

/** Checks the domains that are due, one after the other. */
export async function checkDueDomains(
  { store, log, now, urls }: AppContext,
  resolver: DomainResolver,
  { recheckMs, atOnce }: Pick<DomainCheckTimes, 'recheckMs' | 'atOnce'>,
  signal: AbortSignal,
): Promise<void> {
  const place = urls.sites()
  if (!place) return
  const due = await store.domains.listDue(new Date(now().getTime() - recheckMs).toISOString(), atOnce)
  for (const { domain, subdomain } of due) {
    if (signal.aborted) return
    const check = await checkDns(resolver, toDnsRecords(domain, subdomain, place))
    const outcome = await store.domains.recordCheck(domain, check.kind, domainGraceDays * 24 * 3_600_000)
    const fields = { domain: domain.domain, projectId: domain.projectId }
    if (check.kind === 'wrong') log.warn({ ...fields, reason: check.mistake }, 'The DNS records of a custom domain are wrong')
    if (check.kind === 'unknown') log.info({ ...fields, reason: check.reason }, 'Cannot read the DNS records of a custom domain')
    if (outcome === 'lapsed') log.warn(fields, 'A custom domain is no longer served')
  }
}

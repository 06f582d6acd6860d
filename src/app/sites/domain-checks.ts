import { setTimeout as sleep } from 'node:timers/promises'
import type { AppContext, AppPart } from '../base/app-context.ts'
import { checkDns, toDnsRecords } from './custom-domains.ts'

interface DomainCheckTimes {
  /** How often to look for domains that are due. */
  readonly everyMs: number
  /** The time between two checks of a domain. */
  readonly recheckMs: number
  /** Maximum number of domains for each look, which spreads the checks. */
  readonly atOnce: number
}

const defaultDomainCheckTimes: DomainCheckTimes = { everyMs: 300_000, recheckMs: 24 * 3_600_000, atOnce: 20 }

/** How long a domain with wrong DNS records is still served. */
export const domainGraceDays = 7

/** Checks the DNS records of verified domains once a day, because a domain can expire or get another owner. */
export function createDomainChecksPart(times: DomainCheckTimes = defaultDomainCheckTimes): (context: AppContext) => AppPart {
  return (context) => {
    return {
      async lead(signal) {
        while (!signal.aborted) {
          await checkDueDomains(context, times, signal).catch((error: unknown) => {
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
  { store, resolver, log, now, sitesPlace }: Pick<AppContext, 'store' | 'resolver' | 'log' | 'now' | 'sitesPlace'>,
  { recheckMs, atOnce }: Pick<DomainCheckTimes, 'recheckMs' | 'atOnce'>,
  signal: AbortSignal,
): Promise<void> {
  const place = sitesPlace()
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

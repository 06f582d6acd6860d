import { type Finding, formatCount } from '../../diagnostics/diagnostic.ts'
import type { ExternalLink } from '../../site/make/links/docs-links.ts'
import { isObject } from '../../text/json/json-values.ts'
import { forEachLimited, groupBy } from '../../text/plain/lists.ts'
import type { LinkState, RequestLinkOptions } from './request-link.ts'

/** Requests at the same time, in total and to one host. */
const mostRequests = 16
const mostRequestsPerHost = 2
/** Further links are not checked. */
const mostLinks = 5_000
const linkTimeoutMs = 10_000
const totalTimeoutMs = 5 * 60_000
/** How long a found link is not asked for again. */
const keptMs = 24 * 60 * 60_000

/** The links that were found earlier: the time in milliseconds since 1970 by URL. */
export type FoundLinks = Readonly<Record<string, number>>

export interface ExternalCheckOptions {
  readonly request: (url: string, options: Pick<RequestLinkOptions, 'signal' | 'timeoutMs'>) => Promise<LinkState>
  readonly found: FoundLinks
  readonly now: number
  readonly onProgress?: ((done: number, all: number) => void) | undefined
}

/**
 * Asks for each external link, and reports those that do not exist. A link that was found within the last day is not asked for again.
 *
 * @returns `note`: what could not be checked, as a sentence; absent if everything was.
 */
export async function checkExternalLinks(links: readonly ExternalLink[], options: ExternalCheckOptions) {
  const { found, now } = options
  const fresh = Object.fromEntries(Object.entries(found).filter(([, at]) => at <= now && now - at < keptMs))
  const urls = [...new Set(links.map(({ url }) => url))]
  const asked = urls.filter((url) => !Object.hasOwn(fresh, url)).slice(0, mostLinks)
  const states = await requestAll(asked, options)
  const isOffline = ![...states.values()].some(
    ({ kind, isUnresolved }) => kind === 'found' || (kind === 'missing' && !isUnresolved),
  )
  const isMissing = ({ kind, isUnresolved }: LinkState) => kind === 'missing' && !(isUnresolved && isOffline)
  const findings = links.flatMap(({ url, place }): Finding[] => {
    const state = states.get(url)
    if (!state || !isMissing(state)) return []
    return [{ code: 'link-external', message: `Cannot open the link to \`${url}\`: ${state.reason}`, ...place }]
  })
  const unknown = urls.filter((url) => {
    const state = states.get(url)
    return !Object.hasOwn(fresh, url) && (!state || (state.kind !== 'found' && !isMissing(state)))
  })
  const [first] = unknown
  const why = first === undefined ? undefined : (states.get(first)?.reason ?? `more than ${mostLinks} links`)
  const note =
    why === undefined
      ? undefined
      : `${formatCount(unknown.length, 'external link')} could not be checked, such as ${first} (${why})`
  const opened = Object.fromEntries(asked.filter((url) => states.get(url)?.kind === 'found').map((url) => [url, now]))
  return { findings, ...(note !== undefined && { note }), found: { ...fresh, ...opened } }
}

async function requestAll(
  urls: readonly string[],
  { request, onProgress }: ExternalCheckOptions,
): Promise<ReadonlyMap<string, LinkState>> {
  const states = new Map<string, LinkState>()
  const signal = AbortSignal.timeout(totalTimeoutMs)
  const lanes = [...groupBy(urls, (url) => new URL(url).host).values()].flatMap((ofHost) =>
    Array.from({ length: mostRequestsPerHost }, (_, lane) =>
      ofHost.filter((_url, index) => index % mostRequestsPerHost === lane),
    ),
  )
  await forEachLimited(lanes, mostRequests, async (lane) => {
    for (const url of lane) {
      states.set(url, await request(url, { signal, timeoutMs: linkTimeoutMs }))
      onProgress?.(states.size, urls.length)
    }
  })
  return states
}

/** Reads the links that were found earlier. Throws for anything else. */
export function parseFoundLinks(text: string): FoundLinks {
  const value: unknown = JSON.parse(text)
  if (!isObject(value) || Object.values(value).some((at) => typeof at !== 'number')) throw new Error('Expected times by URL')
  return value as FoundLinks
}

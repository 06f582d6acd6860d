import type { IncomingMessage } from 'node:http'
import { type BuildFiles, filesFor, type ShownSite, type SiteHost, type SiteOwner } from '../../store/sites/stored-sites.ts'
import type { AppContext } from '../base/app-context.ts'
import { Problem } from '../http/problem-details.ts'
import type { MayRead, SiteReader } from './private-sites.ts'

/** The host of a site. `isCustom` means a domain of the site. */
type PassedHost = SiteHost & { readonly isCustom: boolean }

const hosts = new WeakMap<IncomingMessage, PassedHost>()

/** Marks a request to a host of a site as one that a route of the app answers: for agents, or the relay of the playground. */
export function passToApp(request: IncomingMessage, host: SiteHost, isCustom: boolean): void {
  hosts.set(request, { ...host, isCustom })
}

/**
 * The host of a request that `passToApp` marked.
 *
 * @throws {Problem} `not-found` for all other requests, so that these routes do not exist on the host of the app.
 */
export function readPassedHost({ raw }: { readonly raw: IncomingMessage }): PassedHost {
  const host = hosts.get(raw)
  if (!host) throw new Problem('not-found')
  return host
}

/** A site, with the files that its reader gets. */
interface ReadableSite extends ShownSite, Pick<SiteOwner, 'isPublic'> {
  readonly files: BuildFiles
}

/**
 * The site of a host, for those who may read it: a visitor, or a caller that `findCaller` finds.
 *
 * @throws {Problem} `not-found` for all others, as for a host without a site.
 */
export async function findReadableSite(
  host: PassedHost,
  request: IncomingMessage,
  { store, mayRead }: Pick<AppContext, 'store'> & { readonly mayRead: MayRead },
  findCaller: (owner: SiteOwner) => SiteReader | undefined = () => undefined,
): Promise<ReadableSite> {
  const owner = await store.sites.findOwner(host)
  // Private sites have only the URL of the app.
  if (host.isCustom && !owner.isPublic) throw new Problem('not-found')
  const reader = findCaller(owner) ?? (await mayRead(owner, request, host))
  const site = 'answer' in reader ? undefined : await store.sites.findShown(host)
  if (!site || 'answer' in reader) throw new Problem('not-found')
  return { ...site, isPublic: owner.isPublic, files: filesFor(site.build, reader.audience) }
}

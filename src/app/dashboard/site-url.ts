import type { SiteHost } from '../../store/site-types.ts'
import type { AppContext } from '../app-context.ts'

/** Where a host of a site is reached: below the host of the app. */
export function toSiteUrl({ baseUrl }: Pick<AppContext, 'baseUrl'>, { subdomain, preview }: SiteHost): string {
  const suffix =
    preview === undefined ? '' : preview.kind === 'commit' ? `--${preview.sha.slice(0, 12)}` : `--pr-${preview.pullNumber}`
  const { protocol, host } = new URL(baseUrl())
  return `${protocol}//${subdomain}${suffix}.${host}/`
}

import type { Project, UpdateStatus } from '../../status/types.ts'
import type { UpdateDetails } from '../../store/types.ts'
import type { AppContext } from '../app-context.ts'
import { toSiteUrl } from '../sites/sites-domain.ts'

/** Where the site that was built for a record is looked at, whatever the project's own address shows; `undefined` where none was built. */
export function toCommitSite(
  { sitesPlace }: Pick<AppContext, 'sitesPlace'>,
  { update, details, project }: { readonly update: UpdateStatus; readonly details: UpdateDetails; readonly project: Project },
): string | undefined {
  const place = sitesPlace()
  if (!details.site || !place) return undefined
  return toSiteUrl(place, { subdomain: project.subdomain, preview: { kind: 'commit', sha: update.commit.sha } })
}

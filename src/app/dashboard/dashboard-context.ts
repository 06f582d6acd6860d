import type { Project } from '../../status/types.ts'
import { isPublicSite, type SiteBuild, type SiteHost } from '../../store/stored-sites.ts'
import type { StoredUpdate } from '../../store/update-rows.ts'
import type { AppContext } from '../app-context.ts'
import type { Person } from '../people/people.ts'
import type { Access } from '../people/read-access.ts'
import { toEntrance } from '../sites/site-door.ts'

/** One request of a person: who asks, and what they may see. */
export interface Visit {
  readonly context: AppContext
  readonly person: Person
  readonly access: Access
  readonly now: Date
  /** Where a host of a site is reached; `undefined` where this server hosts none. */
  siteUrl(host: SiteHost): string | undefined
}

/** `owner/repo (root/)`. */
export function toProjectName({ owner, repo, root }: Project): string {
  return `${owner}/${repo}${root ? ` (${root}/)` : ''}`
}

export function toProjectPath({ id }: Pick<Project, 'id'>): string {
  return `/projects/${encodeURIComponent(id)}`
}

export function toUpdatePath({ update }: StoredUpdate): string {
  return `/projects/${encodeURIComponent(update.projectId)}/updates/${encodeURIComponent(update._id)}`
}

/** First line of the commit message; the commit itself where there is none. */
export function toSubject({ update }: StoredUpdate): string {
  return update.commit.message.trim().split('\n', 1)[0] || `Commit ${update.commit.sha.slice(0, 7)}`
}

/** `#482` of a pull request, else the name of the branch or tag. */
export function toRefName({ update, details }: StoredUpdate): string {
  if (details.pullNumber !== undefined) return `#${details.pullNumber}`
  return update.commit.ref.replace(/^refs\/(heads|tags)\//, '')
}

/** What a link to a site of the project leads to: of a private one its door, which lets in whoever sees this page. */
export function toVisitUrl(project: Project, url: string): string {
  return isPublicSite(project) ? url : toEntrance(url)
}

/** Where the build of an update is looked at: the project's own address while it shows it, else the commit's. */
export function toBuildHost({ subdomain }: Project, { sha, isPublished }: SiteBuild): SiteHost {
  return isPublished ? { subdomain } : { subdomain, preview: { kind: 'commit', sha } }
}

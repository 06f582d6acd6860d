import type { Project } from '../../../status/update-record.ts'
import type { StoredUpdate } from '../../../store/records/stored-records.ts'
import type { PublishedSite } from '../../../store/sites/stored-sites.ts'
import type { AppContext } from '../../base/app-context.ts'
import { Ago, CommitLink, DescriptionList, Icon, IsolatedText, LinkButton, OptionalLink } from '../pages/elements.tsx'
import { hostOf } from '../pages/formats.ts'
import { ActionForm } from '../pages/forms.tsx'
import { mayDo } from '../people/people.ts'
import { toSubject, toUpdatePath, toVisitUrl, type Visit } from './visit.ts'

/** The published site of a project, with the update that built it. */
export interface ProductionSite {
  readonly published: PublishedSite
  readonly stored: StoredUpdate
}

/** The production site of a project; `undefined` if nothing is published. */
export async function findProduction({ store }: AppContext, { id }: Project): Promise<ProductionSite | undefined> {
  const published = await store.sites.findPublished(id)
  const stored = published && (await store.statuses.find(published.build.statusId))
  return stored && { published, stored }
}

interface ProductionProps {
  readonly visit: Visit
  readonly project: Project
  readonly production: ProductionSite
  /** Whether the site shows the newest commit of the default branch, so that another run deploys it again. */
  readonly isNewest: boolean
}

/** Production as one block: the screenshot, the domain, the commit with its author, and the actions. */
export function ProductionCard({ visit, project, production, isNewest }: ProductionProps) {
  const { published, stored } = production
  const { publishedAt, publishedBy } = published
  const url = visit.siteUrl({ subdomain: project.subdomain })
  const href = url && toVisitUrl(project, url)
  const by = publishedBy.startsWith('github:') ? ` by ${publishedBy.slice('github:'.length)}` : ''
  return (
    <article class="card production" aria-labelledby="production">
      <SitePicture visit={visit} project={project} stored={stored} />
      <div class="about">
        <h2 id="production">Production</h2>
        <DescriptionList
          class="values"
          rows={[
            ['Domain', href ? <a href={href}>{hostOf(url)}</a> : 'This server does not host sites'],
            ['Commit', <LinkedSubject visit={visit} project={project} stored={stored} />],
            ['Author', <bdi>{stored.update.author}</bdi>],
            [
              'Published',
              <>
                <Ago time={publishedAt} now={visit.now} />
                {by}
              </>,
            ],
          ]}
        />
        <ErrorsNote site={production} />
        <div class="acts">
          {href && (
            <LinkButton href={href} kind="main">
              <Icon name="external" />
              Visit
            </LinkButton>
          )}
          <LinkButton href={toUpdatePath(stored)}>View update</LinkButton>
          {isNewest && project.enabled && mayDo(visit.access, project, 'write') && (
            <ActionForm action={`${toUpdatePath(stored)}/rerun`} label="Deploy again" icon="retry" />
          )}
        </div>
      </div>
    </article>
  )
}

/** Says that the published commit has errors, if it has. */
export function ErrorsNote({ site: { published, stored } }: { readonly site: ProductionSite }) {
  if (published.build.status !== 'failure') return null
  return (
    <p class="note is-warning">
      The published commit <a href={toUpdatePath(stored)}>has errors</a>.
    </p>
  )
}

interface SubjectProps {
  readonly visit: Visit
  readonly project: Project
  readonly stored: StoredUpdate
}

/** The short SHA of a commit as a link to GitHub, and its subject. */
export function LinkedSubject({ visit, project: { owner, repo }, stored }: SubjectProps) {
  const { sha } = stored.update.commit
  return (
    <>
      <CommitLink href={`${visit.context.config.githubUrl}/${owner}/${repo}/commit/${sha}`} sha={sha} />{' '}
      <IsolatedText text={toSubject(stored)} />
    </>
  )
}

interface SitePictureProps {
  readonly visit: Visit
  readonly project: Project
  /** The update that built the site; `undefined` if there is no site. */
  readonly stored: StoredUpdate | undefined
}

/** The screenshot of the production site in the theme of the page, or why there is none. */
export function SitePicture({ visit, project, stored }: SitePictureProps) {
  const { screenshotLight, screenshotDark } = stored?.update ?? {}
  if (screenshotLight === undefined || screenshotDark === undefined)
    return <p class="picture is-missing">{describeMissing(stored)}</p>
  const url = visit.siteUrl({ subdomain: project.subdomain })
  const alt = `Screenshot of ${url ? hostOf(url) : 'the site'}`
  return (
    <div class="picture">
      <OptionalLink href={url && toVisitUrl(project, url)}>
        <img class="light" src={screenshotLight} alt={alt} loading="lazy" />
        <img class="dark" src={screenshotDark} alt={alt} loading="lazy" />
      </OptionalLink>
    </div>
  )
}

function describeMissing(stored: StoredUpdate | undefined): string {
  if (!stored) return 'No site yet'
  switch (stored.details.pictures) {
    case 'awaited':
    case 'begun':
      return 'Taking the screenshot'
    case 'failed':
      return 'The screenshot failed'
    default:
      return 'No screenshot'
  }
}

import type { ComponentChildren } from 'preact'
import type { Project } from '../../../status/update-record.ts'
import type { StoredToken, UpdateSummary } from '../../../store/records/stored-records.ts'
import { isPublicSite, type SiteBuild } from '../../../store/sites/stored-sites.ts'
import type { Store } from '../../../store/store.ts'
import { toProjectName } from '../../base/projects.ts'
import { Breadcrumb, CursorPager, DescriptionList, Heading, IsolatedText, LinkButton, Pager } from '../pages/elements.tsx'
import { formatBytes, formatDuration, hostOf, toRefName } from '../pages/formats.ts'
import { apiChangesId } from '../pages/update-links.ts'
import { mayDo } from '../people/people.ts'
import { FirstSteps } from './first-steps.tsx'
import { ProductionCard, type ProductionSite } from './production-site.tsx'
import { PublishedTag, UpdateActions } from './project-actions.tsx'
import { ShareForm } from './share-links.tsx'
import { ProjectCrumbs } from './side-bar.tsx'
import { type UpdateItem, UpdateList } from './update-list.tsx'
import { type MarkedUpdate, toBuildHost, toProjectPath, toSubject, toUpdatePath, toVisitUrl, type Visit } from './visit.ts'

interface ProjectPageProps {
  readonly visit: Visit
  readonly project: Project
  readonly production: ProductionSite | undefined
  /** From the report of the latest successful update of the default branch. */
  readonly operationCount: number | undefined
  /** OpenAPI documents in the report of the newest update of the default branch, if there is no site. */
  readonly documents: readonly string[]
  readonly summary: UpdateSummary
  readonly refs: { readonly updates: readonly MarkedUpdate[]; readonly count: number }
  readonly updates: { readonly updates: readonly MarkedUpdate[]; readonly nextCursor?: string }
  /** The newest commits of the default branch with API changes. */
  readonly changes: Awaited<ReturnType<Store['apiChanges']['list']>>
  /** Links to the changelogs of the production site. */
  readonly changelogs: ComponentChildren
  /** Site builds of all updates on this page, by commit. */
  readonly builds: ReadonlyMap<string, SiteBuild>
  readonly cursor: string | undefined
  /** Share links of a private site. */
  readonly links: readonly StoredToken[]
  readonly notice: ComponentChildren
}

export function ProjectContent(props: ProjectPageProps) {
  const { visit, project, notice, updates, builds, cursor } = props
  return (
    <>
      <Breadcrumb items={[<a href="/projects">Projects</a>]} />
      {notice}
      <div data-part="head">
        <Head {...props} />
        <Facts {...props} />
      </div>
      <section data-part="branches">
        <Branches {...props} />
      </section>
      <section data-part="changes">
        <Changes {...props} />
      </section>
      <section data-part="updates">
        <Heading id="updates" label="Updates" />
        {updates.updates.length === 0 ? (
          <p class="empty">No updates yet. Push to the repository to start one.</p>
        ) : (
          <UpdateList
            items={updates.updates.map((stored) => {
              const build = builds.get(stored.update.commit.sha)
              return {
                stored,
                tags: <PublishedTag stored={stored} build={build} />,
                action: <UpdateActions visit={visit} project={project} stored={stored} build={build} />,
              }
            })}
            now={visit.now}
          />
        )}
        <CursorPager path={toProjectPath(project)} cursor={cursor} nextCursor={updates.nextCursor} list="updates" />
      </section>
      {!project.enabled && (
        <p class="note is-warning">Updates are off for this project. Turn them on in its settings to process pushes again.</p>
      )}
    </>
  )
}

function Head({ visit, project, production, refs, documents, links }: ProjectPageProps) {
  const newest = refs.updates.find(({ update }) => update.commit.ref === `refs/heads/${project.defaultBranch}`)
  const isHosted = visit.siteUrl({ subdomain: project.subdomain }) !== undefined
  return (
    <>
      <div class="title">
        <h1>{toProjectName(project)}</h1>
        <span class="acts">
          {mayDo(visit.access, project, 'admin') && <LinkButton href={`${toProjectPath(project)}/settings`}>Settings</LinkButton>}
        </span>
      </div>
      {production ? (
        <ProductionCard
          visit={visit}
          project={project}
          production={production}
          isNewest={newest?.update.commit.sha === production.published.build.sha}
        />
      ) : (
        <>
          <p class="lead">{project.hasDocsConfig ? 'No site yet.' : 'Checks only: the repository has no docs.json.'}</p>
          {isHosted && <FirstSteps start={{ project, latest: newest, documents }} />}
        </>
      )}
      {production && isHosted && !isPublicSite(project) && mayDo(visit.access, project, 'write') && (
        <ShareForm project={project} links={links} />
      )}
    </>
  )
}

function Facts({ production, operationCount, summary }: ProjectPageProps) {
  const published = production?.published
  const { ended, succeeded, isCut, medianMs } = summary
  const share = ended === 0 ? '' : `, ${Math.floor((succeeded / ended) * 100)}% succeeded`
  const rows: [string, string][] = []
  if (published) rows.push(['Pages', published.build.pageCount.toLocaleString('en-US')])
  if (operationCount !== undefined) rows.push(['Operations', operationCount.toLocaleString('en-US')])
  rows.push(['Last 30 days', `${ended.toLocaleString('en-US')}${isCut ? '+' : ''} ${ended === 1 ? 'update' : 'updates'}${share}`])
  if (medianMs !== undefined) rows.push(['Median time to result', formatDuration(medianMs)])
  if (published) rows.push(['Size', formatBytes(published.build.sizeBytes)])
  return <DescriptionList class="facts" rows={rows} />
}

function Branches({ visit, project, refs: { updates, count }, builds }: ProjectPageProps) {
  return (
    <>
      <Heading id="branches" label="Branches and previews" count={count} />
      {count === 0 ? (
        <p class="empty">Branches appear here after their first push.</p>
      ) : (
        <BranchList visit={visit} project={project} updates={updates} builds={builds} />
      )}
      {count > updates.length && (
        <nav class="pager" aria-label="All branches">
          <LinkButton href={`${toProjectPath(project)}/branches`}>Show all {count.toLocaleString('en-US')}</LinkButton>
        </nav>
      )}
    </>
  )
}

function Changes({ visit, project, changes, changelogs }: ProjectPageProps) {
  return (
    <>
      <Heading id="changes" label="API changes" />
      {changelogs}
      <ChangedCommits commits={changes?.commits ?? []} project={project} now={visit.now} />
      {changes?.nextCursor !== undefined && (
        <nav class="pager" aria-label="All API changes">
          <LinkButton href={`${toProjectPath(project)}/changes`}>Show all</LinkButton>
        </nav>
      )}
    </>
  )
}

interface BranchListProps extends Pick<ProjectPageProps, 'visit' | 'project' | 'builds'> {
  /** The latest update of each branch. */
  readonly updates: readonly MarkedUpdate[]
}

/** Branches with their latest update and a link to their site. */
function BranchList({ visit, project, updates, builds }: BranchListProps) {
  const items = updates.map((stored) => toBranchItem(visit, project, stored, builds.get(stored.update.commit.sha)))
  return <UpdateList items={items} now={visit.now} />
}

function toBranchItem(visit: Visit, project: Project, stored: MarkedUpdate, build: SiteBuild | undefined): UpdateItem {
  const { author, summary, status, endedAt } = stored.update
  const { pullNumber } = stored.details
  const name = pullNumber === undefined ? toRefName(stored) : `${toRefName(stored)} ${toSubject(stored)}`
  const url =
    build &&
    visit.siteUrl(
      pullNumber === undefined || build.isPublished
        ? toBuildHost(project, build)
        : { subdomain: project.subdomain, preview: { kind: 'pull', pullNumber } },
    )
  if (endedAt === undefined) {
    const note = (
      <>
        <bdi>{author}</bdi>, <IsolatedText text={summary || 'waiting in the queue'} />
      </>
    )
    return { stored, title: name, note, action: <BranchLink href={toUpdatePath(stored)} label="View progress" name={name} /> }
  }
  const note = url && status === 'success' ? hostOf(url) : <IsolatedText text={summary} />
  const action = url ? (
    <BranchLink href={toVisitUrl(project, url)} label="Visit" name={name} />
  ) : (
    status === 'failure' && <BranchLink href={toUpdatePath(stored)} label="View details" name={name} />
  )
  return { stored, title: name, note, action }
}

interface BranchLinkProps {
  readonly href: string
  readonly label: string
  /** The branch, for screen readers. */
  readonly name: string
}

function BranchLink({ href, label, name }: BranchLinkProps) {
  return (
    <LinkButton href={href}>
      {label}
      <span class="hidden"> {name}</span>
    </LinkButton>
  )
}

interface BranchesContentProps extends BranchListProps {
  readonly count: number
  readonly page: number
  readonly pages: number
}

/** The page with all branches. */
export function BranchesContent({ count, page, pages, ...list }: BranchesContentProps) {
  const { project, updates } = list
  return (
    <>
      <ProjectCrumbs project={project} />
      <h1>Branches and previews</h1>
      <section data-part="branches">
        <Heading id="branches" label="All" count={count} />
        {updates.length === 0 ? <p class="empty">No branches on this page.</p> : <BranchList {...list} />}
        <Pager path={`${toProjectPath(project)}/branches`} page={page} pages={pages} />
      </section>
    </>
  )
}

const levelStates = { breaking: 'failure', risky: 'warning', compatible: 'success', accepted: 'info' } as const
const levels = ['breaking', 'risky', 'compatible', 'accepted'] as const

interface ChangedCommitsProps {
  readonly commits: NonNullable<ProjectPageProps['changes']>['commits']
  readonly project: Project
  readonly now: Date
}

/** Commits with the number of their API changes by level. */
function ChangedCommits({ commits, project, now }: ChangedCommitsProps) {
  if (commits.length === 0) {
    return (
      <p class="empty">
        Commits of <bdi>{project.defaultBranch}</bdi> that change the API for its clients appear here.
      </p>
    )
  }
  const items = commits.map(({ stored, counts }) => ({
    stored: { ...stored, isBreaking: counts.breaking > 0 },
    anchor: apiChangesId,
    note: (
      <>
        <span class="mono">{stored.update.commit.sha.slice(0, 7)}</span> by <bdi>{stored.update.author}</bdi>
      </>
    ),
    tags: levels
      .filter((level) => counts[level] > 0)
      .map((level) => (
        <span class={`tag is-${levelStates[level]}`}>
          {counts[level].toLocaleString('en-US')} {level}
        </span>
      )),
  }))
  return <UpdateList items={items} now={now} />
}

interface ChangesContentProps extends Pick<ProjectPageProps, 'visit' | 'project' | 'cursor' | 'changelogs'> {
  readonly history: NonNullable<ProjectPageProps['changes']>
}

/** The page with all commits of the default branch that changed the API. */
export function ChangesContent({ visit, project, history, cursor, changelogs }: ChangesContentProps) {
  return (
    <>
      <ProjectCrumbs project={project} />
      <h1>API changes</h1>
      <p class="lead">
        Commits of <bdi>{project.defaultBranch}</bdi> that changed the API for its clients.
      </p>
      {changelogs}
      <section data-part="changes">
        <Heading id="changes" label="Commits" />
        <ChangedCommits commits={history.commits} project={project} now={visit.now} />
        <CursorPager path={`${toProjectPath(project)}/changes`} cursor={cursor} nextCursor={history.nextCursor} list="changes" />
      </section>
    </>
  )
}

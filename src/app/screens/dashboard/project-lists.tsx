import type { ComponentChildren } from 'preact'
import type { Project } from '../../../status/types.ts'
import type { ChangedCommit } from '../../../store/records/stored-records.ts'
import type { SiteBuild } from '../../../store/sites/stored-sites.ts'
import type { Store } from '../../../store/store.ts'
import { toProjectName } from '../../base/projects.ts'
import { Breadcrumb, CursorPager, Heading, IsolatedText, LinkButton, Pager } from '../pages/elements.tsx'
import { hostOf } from '../pages/formats.ts'
import { apiChangesId } from '../pages/update-links.ts'
import { type UpdateItem, UpdateList } from './update-list.tsx'
import {
  type MarkedUpdate,
  toBuildHost,
  toProjectPath,
  toRefName,
  toSubject,
  toUpdatePath,
  toVisitUrl,
  type Visit,
} from './visit.ts'

/** The links from the projects page to a page of a project. */
export function ProjectCrumbs({ project }: { readonly project: Project }) {
  return <Breadcrumb items={listProjectCrumbs(project)} />
}

export function listProjectCrumbs(project: Project): readonly ComponentChildren[] {
  return [<a href="/projects">Projects</a>, <a href={toProjectPath(project)}>{toProjectName(project)}</a>]
}

interface BranchListProps {
  readonly visit: Visit
  readonly project: Project
  /** The latest update of each branch. */
  readonly updates: readonly MarkedUpdate[]
  /** Their site builds, by commit. */
  readonly builds: ReadonlyMap<string, SiteBuild>
}

/** Branches with their latest update and a link to their site. */
export function BranchList({ visit, project, updates, builds }: BranchListProps) {
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
  readonly commits: readonly ChangedCommit[]
  readonly project: Project
  readonly now: Date
}

/** Commits with the number of their API changes by level. */
export function ChangedCommits({ commits, project, now }: ChangedCommitsProps) {
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

interface ChangesContentProps {
  readonly visit: Visit
  readonly project: Project
  readonly history: NonNullable<Awaited<ReturnType<Store['apiChanges']['list']>>>
  readonly cursor: string | undefined
  /** Links to the changelogs of the production site. */
  readonly changelogs: ComponentChildren
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

import type { ComponentChildren } from 'preact'
import { formatCount } from '../../../diagnostics/diagnostic.ts'
import type { Project, UpdateState } from '../../../status/update-record.ts'
import type { StoredUpdate } from '../../../store/records/stored-records.ts'
import { toProjectName } from '../../base/projects.ts'
import { Ago, CursorPager, Heading, Icon, IsolatedText, LinkButton, Pager, Submit } from '../pages/elements.tsx'
import { hostOf, stateLabels, toMark, toRefName } from '../pages/formats.ts'
import { FirstSteps } from './first-steps.tsx'
import { ErrorsNote, LinkedSubject, type ProductionSite, SitePicture } from './production-site.tsx'
import { UpdateList } from './update-list.tsx'
import { type MarkedUpdate, toProjectPath, toSubject, toUpdatePath, toVisitUrl, type Visit } from './visit.ts'

interface ListedProject {
  readonly project: Project
  /** The newest update of the default branch. */
  readonly latest: MarkedUpdate | undefined
  /** The newest update of another branch. */
  readonly preview: MarkedUpdate | undefined
  readonly previewCount: number
  /** The published site. */
  readonly site: ProductionSite | undefined
}

interface ProjectsContentProps {
  readonly visit: Visit
  /** Projects on this page. */
  readonly projects: readonly ListedProject[]
  /** Number of projects that the user may read, and that match the filter. */
  readonly counts: { readonly all: number; readonly found: number }
  readonly filter: ListFilter
  readonly page: number
  readonly pages: number
  /** Where to install the app on repositories, if known. */
  readonly installUrl: string | undefined
  /** Whether the user may restore a deleted project. Only read without projects. */
  readonly hasDeleted: boolean
}

export function ProjectsContent({ visit, projects, counts, filter, page, pages, installUrl, hasDeleted }: ProjectsContentProps) {
  if (counts.all === 0) return <NoProjects person={visit.person} installUrl={installUrl} hasDeleted={hasDeleted} />
  return (
    <>
      <div class="title">
        <h1>Projects</h1>
        {installUrl !== undefined && (
          <LinkButton href={installUrl} kind="main">
            Add project
          </LinkButton>
        )}
      </div>
      <FilterForm path="/projects" filter={filter} />
      <section data-part="projects">
        <Heading id="projects" label={Object.keys(filter.given).length > 0 ? 'Results' : 'All'} count={counts.found} />
        {counts.found === 0 ? (
          <p class="empty">
            No matching projects. <a href="/projects">Show all</a>
          </p>
        ) : (
          <ul class="cards">
            {projects.map((listed) => (
              <ProjectItem visit={visit} listed={listed} />
            ))}
          </ul>
        )}
        <Pager path="/projects" page={page} pages={pages} query={filter.given} />
        <DeletedLink />
      </section>
    </>
  )
}

/** What the lists of projects and updates show. */
export interface ListFilter {
  /** The parameters that are given, for links to other pages of the list. */
  readonly given: Readonly<Partial<Record<'q' | 'owner', string>>> & { readonly state?: UpdateState }
  /** The organizations to choose from. */
  readonly owners: readonly string[]
}

function FilterForm({ path, filter: { given, owners } }: { readonly path: string; readonly filter: ListFilter }) {
  const states = Object.entries({ ...stateLabels, failure: 'Only failures' })
  return (
    <form class="field" method="get" action={path} role="search">
      <label for="q">
        Repository or subdomain
        <input id="q" name="q" type="search" value={given.q} maxLength={100} autocomplete="off" />
      </label>
      {owners.length > 1 && (
        <Choice name="owner" label="Organization" chosen={given.owner} options={owners.map((owner) => [owner, owner])} />
      )}
      <Choice name="state" label="State" chosen={given.state} options={states} />
      <Submit>Filter</Submit>
    </form>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly label: string
  readonly chosen: string | undefined
  readonly options: readonly (readonly [value: string, label: string])[]
}

function Choice({ name, label, chosen, options }: ChoiceProps) {
  return (
    <label for={name}>
      {label}
      <select id={name} name={name}>
        <option value="">All</option>
        {options.map(([value, text]) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

function ProjectItem({ visit, listed }: { readonly visit: Visit; readonly listed: ListedProject }) {
  const { project, latest, preview, previewCount, site } = listed
  const mark = toMark(latest?.update.status ?? 'queued', latest?.isBreaking ?? false)
  const url = site && visit.siteUrl({ subdomain: project.subdomain })
  const href = url && toVisitUrl(project, url)
  const shown = site?.stored ?? latest
  return (
    <li class={`card is-${mark.name}`}>
      <SitePicture visit={visit} project={project} stored={site?.stored} />
      <div class="about">
        <h3>
          <Icon name={mark.name} />
          <span>
            {latest && <span class="hidden">{mark.label}: </span>}
            <a href={toProjectPath(project)}>{toProjectName(project)}</a>
          </span>
        </h3>
        {(project.private || !project.enabled) && (
          <p class="tags">
            {project.private && <span class="tag">Private</span>}
            {!project.enabled && <span class="tag">Off</span>}
          </p>
        )}
        <p>{href ? <a href={href}>{hostOf(url)}</a> : describeNoSite(project)}</p>
        {shown && (
          <p>
            <LinkedSubject visit={visit} project={project} stored={shown} /> by <bdi>{shown.update.author}</bdi>
            {site && (
              <>
                , published <Ago time={site.published.publishedAt} now={visit.now} />
              </>
            )}
          </p>
        )}
        {site && <ErrorsNote site={site} />}
        {latest && latest.update.commit.sha !== shown?.update.commit.sha && <LatestNote latest={latest} />}
        {preview && <PreviewNote preview={preview} count={previewCount} />}
        {href && (
          <p class="acts">
            <LinkButton href={href}>
              Visit<span class="hidden"> {hostOf(url)}</span>
            </LinkButton>
          </p>
        )}
      </div>
    </li>
  )
}

function describeNoSite({ hasDocsConfig, defaultBranch }: Project): ComponentChildren {
  if (!hasDocsConfig) return 'Checks only: no docs.json'
  return (
    <>
      No site of <bdi>{defaultBranch}</bdi> yet
    </>
  )
}

/** The newest commit of the default branch, if the site shows another one: `main: failure, Rename the nodes`. */
function LatestNote({ latest }: { readonly latest: MarkedUpdate }) {
  const mark = toMark(latest.update.status, latest.isBreaking)
  return (
    <p class={`state-line is-${mark.name}`}>
      <Icon name={mark.name} />
      <bdi>{toRefName(latest)}</bdi>: {mark.label.toLowerCase()},{' '}
      <a href={toUpdatePath(latest)}>
        <IsolatedText text={toSubject(latest)} />
      </a>
    </p>
  )
}

/** `Preview #482: in progress, 2 more previews`. */
function PreviewNote({ preview, count }: { readonly preview: MarkedUpdate; readonly count: number }) {
  const mark = toMark(preview.update.status, preview.isBreaking)
  return (
    <p class={`state-line is-${mark.name}`}>
      <Icon name={mark.name} />
      Preview{' '}
      <a href={toUpdatePath(preview)}>
        <bdi>{toRefName(preview)}</bdi>
      </a>
      : {mark.label.toLowerCase()}
      {count > 1 && `, ${formatCount(count - 1, 'more preview')}`}
    </p>
  )
}

interface NoProjectsProps extends Pick<ProjectsContentProps, 'installUrl' | 'hasDeleted'> {
  readonly person: Visit['person']
}

function NoProjects({ person: { login, issuer }, installUrl, hasDeleted }: NoProjectsProps) {
  if (issuer !== 'github') {
    return (
      <>
        <h1>Projects</h1>
        <p class="empty">
          {login} has signed in with {issuer}, which opens documentation sites. Projects are for people who sign in with GitHub.
        </p>
      </>
    )
  }
  return (
    <>
      <h1>No projects yet</h1>
      <p class="lead">Three steps lead from a repository to its documentation site.</p>
      <FirstSteps />
      {installUrl !== undefined && (
        <p class="acts">
          <LinkButton href={installUrl} kind="main">
            Continue on GitHub
          </LinkButton>
        </p>
      )}
      <p class="empty">
        {login} has not been granted access to any connected repository. A public repository appears here only if you have been
        granted access to it.
      </p>
      {hasDeleted && <DeletedLink />}
    </>
  )
}

function DeletedLink() {
  return (
    <p class="empty">
      <a href="/projects/deleted">Deleted projects</a>
    </p>
  )
}

interface UpdatesContentProps {
  readonly list: { readonly updates: readonly MarkedUpdate[]; readonly nextCursor?: string }
  /** Names of the projects, by ID. */
  readonly names: ReadonlyMap<string, string>
  readonly cursor: string | undefined
  readonly filter: ListFilter
  readonly now: Date
}

export function UpdatesContent({ list, names, cursor, filter, now }: UpdatesContentProps) {
  const hasFilter = Object.keys(filter.given).length > 0
  const items = list.updates.map((stored) => ({
    stored,
    note: <ProjectNote stored={stored} name={names.get(stored.update.projectId) ?? ''} />,
  }))
  return (
    <>
      <h1>Updates</h1>
      <FilterForm path="/updates" filter={filter} />
      <section data-part="updates">
        <Heading id="updates" label="Latest" />
        {items.length === 0 ? (
          <p class="empty">
            {hasFilter ? 'No matching updates.' : 'No updates yet. Push to one of your repositories to start one.'}
          </p>
        ) : (
          <UpdateList items={items} now={now} />
        )}
        <CursorPager path="/updates" cursor={cursor} nextCursor={list.nextCursor} list="updates" query={filter.given} />
      </section>
    </>
  )
}

function ProjectNote({ stored, name }: { readonly stored: StoredUpdate; readonly name: string }) {
  const { commit, author } = stored.update
  return (
    <>
      {name}: {toRefName(stored)}, <span class="mono">{commit.sha.slice(0, 7)}</span> by {author}
    </>
  )
}

import { formatCount } from '../../diagnostics/diagnostic.ts'
import type { Project } from '../../status/types.ts'
import type { UpdateList as ListedUpdates } from '../../store/status-store.ts'
import type { StoredUpdate } from '../../store/update-rows.ts'
import { Ago, CursorPager, Heading, Icon, IsolatedText, LinkButton, Pager } from '../pages/elements.tsx'
import { hostOf, stateLabels } from '../pages/formats.ts'
import { toProjectName } from '../run/run-context.ts'
import { UpdateList } from './update-list.tsx'
import { toProjectPath, toRefName, toSubject, toUpdatePath, toVisitUrl, type Visit } from './visit.ts'

interface ListedProject {
  readonly project: Project
  /** The newest update of the default branch. */
  readonly production: StoredUpdate | undefined
  /** The newest update of another branch. */
  readonly preview: StoredUpdate | undefined
  readonly previewCount: number
  /** Whether a site is published. */
  readonly hasSite: boolean
}

interface ProjectsContentProps {
  readonly visit: Visit
  /** Projects on this page. */
  readonly projects: readonly ListedProject[]
  /** Number of projects that the user may read, and that match the search. */
  readonly counts: { readonly all: number; readonly found: number }
  readonly search: string
  readonly page: number
  readonly pages: number
  /** Where to install the app on repositories, if known. */
  readonly installUrl: string | undefined
}

export function ProjectsContent({ visit, projects, counts, search, page, pages, installUrl }: ProjectsContentProps) {
  if (counts.all === 0) return <NoProjects login={visit.person.login} installUrl={installUrl} />
  return (
    <>
      <div class="title">
        <h1>Projects</h1>
        {installUrl !== undefined && (
          <span class="acts">
            <a class="button" href={installUrl}>
              Add project
            </a>
          </span>
        )}
      </div>
      <form class="field" method="get" action="/projects" role="search">
        <label for="q">
          Repository or subdomain
          <input id="q" name="q" type="search" value={search} maxLength={100} autocomplete="off" />
        </label>
        <button class="button quiet" type="submit">
          Search
        </button>
      </form>
      <section data-part="projects">
        <Heading id="projects" label={search ? 'Results' : 'All'} count={counts.found} />
        {counts.found === 0 ? (
          <p class="empty">
            No matching projects. <a href="/projects">Show all</a>
          </p>
        ) : (
          <ul class="list">
            {projects.map((listed) => (
              <ProjectItem visit={visit} listed={listed} />
            ))}
          </ul>
        )}
        <Pager path="/projects" page={page} pages={pages} query={search ? { q: search } : {}} />
        <DeletedLink />
      </section>
    </>
  )
}

function ProjectItem({ visit, listed }: { readonly visit: Visit; readonly listed: ListedProject }) {
  const { project, production, preview, previewCount, hasSite } = listed
  const state = production?.update.status ?? 'queued'
  const site = visit.siteUrl({ subdomain: project.subdomain })
  return (
    <li class={`is-${state}`}>
      <Icon name={state} />
      <span>
        {production && <span class="hidden">{stateLabels[state]}: </span>}
        <a href={toProjectPath(project)}>{toProjectName(project)}</a>
        {project.private && <span class="tag">Private</span>}
        {!project.enabled && <span class="tag">Off</span>}
        <small>
          {production ? (
            <>
              <bdi>{toRefName(production)}</bdi>: <IsolatedText text={toSubject(production)} />
            </>
          ) : (
            `No updates of ${project.defaultBranch} yet`
          )}
        </small>
        {preview && <PreviewNote preview={preview} count={previewCount} />}
      </span>
      {production ? <Ago time={production.update.createdAt} now={visit.now} /> : <span class="when" />}
      <span class="action">
        {hasSite && site && (
          <LinkButton href={toVisitUrl(project, site)}>
            Visit<span class="hidden"> {hostOf(site)}</span>
          </LinkButton>
        )}
      </span>
    </li>
  )
}

/** `Preview #482: in progress, 2 more previews`. */
function PreviewNote({ preview, count }: { readonly preview: StoredUpdate; readonly count: number }) {
  const { status } = preview.update
  return (
    <small class={`preview is-${status}`}>
      <Icon name={status} />
      Preview{' '}
      <a href={toUpdatePath(preview)}>
        <bdi>{toRefName(preview)}</bdi>
      </a>
      : {stateLabels[status].toLowerCase()}
      {count > 1 && `, ${formatCount(count - 1, 'more preview')}`}
    </small>
  )
}

function NoProjects({ login, installUrl }: { readonly login: string; readonly installUrl: string | undefined }) {
  return (
    <>
      <h1>No projects yet</h1>
      <p class="lead">
        {login} has not been granted access to any connected repository. Install the app on a repository to create its project. A
        public repository appears here only if you have been granted access to it.
      </p>
      {installUrl !== undefined && (
        <p class="acts">
          <a class="button" href={installUrl}>
            Install the app on a repository
          </a>
        </p>
      )}
      <DeletedLink />
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
  readonly list: ListedUpdates
  /** Names of the projects, by ID. */
  readonly names: ReadonlyMap<string, string>
  readonly cursor: string | undefined
  readonly now: Date
}

export function UpdatesContent({ list, names, cursor, now }: UpdatesContentProps) {
  const items = list.updates.map((stored) => ({
    stored,
    note: <ProjectNote stored={stored} name={names.get(stored.update.projectId) ?? ''} />,
  }))
  return (
    <>
      <h1>Updates</h1>
      <section data-part="updates">
        <Heading id="updates" label="Latest" />
        {items.length === 0 ? (
          <p class="empty">No updates yet. Push to one of your repositories to start one.</p>
        ) : (
          <UpdateList items={items} now={now} />
        )}
        <CursorPager path="/updates" cursor={cursor} nextCursor={list.nextCursor} list="updates" />
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

import { type Static, Type } from 'typebox'
import { type GitHubApp, readApp } from '../../../github/apps/github-app.ts'
import type { Project } from '../../../status/update-record.ts'
import { GitHubError } from '../../../text/errors.ts'
import type { AppContext } from '../../base/app-context.ts'
import { toProjectName } from '../../base/projects.ts'
import type { Pages } from '../../http/browser-requests.ts'
import { Problem } from '../../http/problem-details.ts'
import { stateLabels } from '../pages/formats.ts'
import { type ListFilter, ProjectsContent, UpdatesContent } from './list-pages.tsx'
import { findProduction } from './production-site.tsx'
import { sendDashboardPage, sideBar } from './side-bar.tsx'
import { listProjects, listRestorable, markBreaking, type OpenVisit, revalidatePage } from './visit.ts'

const projectsPerPage = 50
const updatesPerPage = 20

const FilterQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 100 })),
  owner: Type.Optional(Type.String({ maxLength: 100 })),
  state: Type.Optional(Type.Enum(['', ...Object.keys(stateLabels)], { type: 'string' })),
})
const ProjectsQuery = Type.Interface([FilterQuery], {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
})
const UpdatesQuery = Type.Interface([FilterQuery], {
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
})

/** `/projects` and `/updates`: everything that the user may read. */
export function registerLists(pages: Pages, context: AppContext, openVisit: OpenVisit): void {
  pages.get('/projects', { schema: { querystring: ProjectsQuery } }, async (request, reply) => {
    const visit = await openVisit(request)
    const all = await listProjects(visit)
    const ids = all.map(({ id }) => id)
    const etag = await revalidatePage(visit, { request, reply, read: () => context.store.overviews.readStamp(ids) })
    if (etag === undefined) return reply
    const filter = toFilter(all, request.query)
    const found = await sortByUpdate(context, all.filter(createMatch(filter)), filter)
    const pageCount = Math.max(1, Math.ceil(found.length / projectsPerPage))
    const page = Math.min(request.query.page ?? 1, pageCount)
    const shown = found.slice((page - 1) * projectsPerPage, page * projectsPerPage)
    const appUrl = await findAppUrl(context)
    const projects = await Promise.all(
      shown.map(async (project) => ({
        project,
        ...(await readLatest(context, project)),
        site: await findProduction(context, project),
      })),
    )
    const content = (
      <ProjectsContent
        visit={visit}
        projects={projects}
        counts={{ all: all.length, found: found.length }}
        filter={filter}
        page={page}
        pages={pageCount}
        installUrl={appUrl === undefined ? undefined : `${appUrl}/installations/new`}
        hasDeleted={all.length === 0 && (await listRestorable(visit)).length > 0}
      />
    )
    return sendDashboardPage(reply, { visit, title: 'Projects', section: 'projects', aside: undefined, content, etag })
  })

  pages.get('/updates', { schema: { querystring: UpdatesQuery } }, async (request, reply) => {
    const visit = await openVisit(request)
    const { cursor } = request.query
    const projects = await listProjects(visit)
    const ids = projects.map(({ id }) => id)
    const etag = await revalidatePage(visit, { request, reply, read: () => context.store.overviews.readStamp(ids) })
    if (etag === undefined) return reply
    const filter = toFilter(projects, request.query)
    const matching = projects.filter(createMatch(filter)).map(({ id }) => id)
    const list = await context.store.statuses.list(matching, { limit: updatesPerPage, cursor, status: filter.given.state })
    if (!list) throw new Problem('not-found')
    const names = new Map(projects.map((project) => [project.id, toProjectName(project)]))
    const updates = await markBreaking(context, list.updates)
    const content = <UpdatesContent list={{ ...list, updates }} names={names} cursor={cursor} filter={filter} now={visit.now} />
    const aside = await sideBar(visit, { projects, current: undefined })
    return sendDashboardPage(reply, { visit, title: 'Updates', section: 'updates', aside, content, etag })
  })
}

function toFilter(projects: readonly Project[], { q, owner, state }: Static<typeof FilterQuery>): ListFilter {
  const given = Object.entries({ q: q?.trim(), owner, state }).filter(([, value]) => value)
  return { given: Object.fromEntries(given), owners: [...new Set(projects.map((project) => project.owner))] }
}

/** Returns a function that finds the projects of an organization with all words of a text in their names. */
function createMatch({ given: { q = '', owner } }: ListFilter): (project: Project) => boolean {
  const words = q.toLowerCase().split(/\s+/)
  return (project) => {
    const name = `${toProjectName(project)} ${project.subdomain}`.toLowerCase()
    return (owner === undefined || project.owner === owner) && words.every((word) => name.includes(word))
  }
}

/** The projects whose default branch is in the state, if one is wanted. Those with the newest updates come first. */
async function sortByUpdate(
  { store }: AppContext,
  projects: readonly Project[],
  filter: ListFilter,
): Promise<readonly Project[]> {
  const status = filter.given.state
  const newest = await store.overviews.listNewest()
  const toId = ({ id }: Project) => newest.get(id)?.updateId ?? ''
  const found = projects.filter(({ id }) => !status || newest.get(id)?.status === status)
  return found.sort((a, b) => toId(b).localeCompare(toId(a)))
}

/** The newest updates of the default branch and of the other branches. */
async function readLatest(context: AppContext, { id, defaultBranch }: Project) {
  const ref = `refs/heads/${defaultBranch}`
  const { updates: found, count } = await context.store.overviews.listRefs(id, { limit: 2, first: ref })
  const updates = await markBreaking(context, found)
  const latest = updates.find(({ update }) => update.commit.ref === ref)
  return {
    latest,
    preview: updates.find(({ update }) => update.commit.ref !== ref),
    previewCount: count - (latest ? 1 : 0),
  }
}

/** The URL of the app on GitHub, if known. */
async function findAppUrl({ github }: AppContext): Promise<string | undefined> {
  const known = github.credentials?.appUrl
  if (known !== undefined || !github.app) return known
  const cached = appUrls.get(github.app)
  if (cached !== undefined) return cached
  const app = await readApp(github.app.client).catch((error: unknown) => {
    // Show the page without the install button.
    if (error instanceof GitHubError) return undefined
    throw error
  })
  if (app) appUrls.set(github.app, app.htmlUrl)
  return app?.htmlUrl
}

const appUrls = new WeakMap<GitHubApp, string>()

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { type GitHubApp, readApp } from '../../../github/apps/github-app.ts'
import type { Project } from '../../../status/update-record.ts'
import { GitHubError } from '../../../text/errors.ts'
import type { AppContext } from '../../base/app-context.ts'
import { toProjectName } from '../../base/projects.ts'
import { Problem } from '../../http/problem-details.ts'
import { ProjectsContent, UpdatesContent } from './list-pages.tsx'
import { findProduction } from './production-site.tsx'
import { sendDashboardPage, sideBar } from './side-bar.tsx'
import { listProjects, listRestorable, markBreaking, revalidatePage, type Visit } from './visit.ts'

const projectsPerPage = 50
const updatesPerPage = 20

const ProjectsQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 100 })),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
})
const UpdatesQuery = Type.Object({ cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })) })

/** `/projects` and `/updates`: everything that the user may read. */
export function registerLists(
  pages: FastifyInstance,
  context: AppContext,
  openVisit: (request: FastifyRequest) => Promise<Visit>,
): void {
  pages.get(
    '/projects',
    { schema: { querystring: ProjectsQuery } },
    async (request: FastifyRequest<{ Querystring: Static<typeof ProjectsQuery> }>, reply) => {
      const visit = await openVisit(request)
      const all = await listProjects(visit)
      const ids = all.map(({ id }) => id)
      const etag = await revalidatePage(visit, { request, reply, read: () => context.store.overviews.readStamp(ids) })
      if (etag === undefined) return reply
      const search = (request.query.q ?? '').trim()
      const words = search.toLowerCase().split(/\s+/)
      const found = all.filter((project) => {
        const name = `${toProjectName(project)} ${project.subdomain}`.toLowerCase()
        return words.every((word) => name.includes(word))
      })
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
          search={search}
          page={page}
          pages={pageCount}
          installUrl={appUrl === undefined ? undefined : `${appUrl}/installations/new`}
          hasDeleted={all.length === 0 && (await listRestorable(visit)).length > 0}
        />
      )
      return sendDashboardPage(reply, { visit, title: 'Projects', section: 'projects', aside: undefined, content, etag })
    },
  )

  pages.get(
    '/updates',
    { schema: { querystring: UpdatesQuery } },
    async (request: FastifyRequest<{ Querystring: Static<typeof UpdatesQuery> }>, reply) => {
      const visit = await openVisit(request)
      const { cursor } = request.query
      const projects = await listProjects(visit)
      const ids = projects.map(({ id }) => id)
      const etag = await revalidatePage(visit, { request, reply, read: () => context.store.overviews.readStamp(ids) })
      if (etag === undefined) return reply
      const list = await context.store.overviews.list(ids, { limit: updatesPerPage, cursor })
      if (!list) throw new Problem('not-found')
      const names = new Map(projects.map((project) => [project.id, toProjectName(project)]))
      const updates = await markBreaking(context, list.updates)
      const content = <UpdatesContent list={{ ...list, updates }} names={names} cursor={cursor} now={visit.now} />
      const aside = await sideBar(visit, { projects, current: undefined })
      return sendDashboardPage(reply, { visit, title: 'Updates', section: 'updates', aside, content, etag })
    },
  )
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

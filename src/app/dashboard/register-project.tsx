import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { type Static, Type } from 'typebox'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import type { Project } from '../../status/types.ts'
import type { PublishedSite, SiteBuild } from '../../store/sites/stored-sites.ts'
import type { StoredUpdate } from '../../store/update-rows.ts'
import type { AppContext } from '../app-context.ts'
import { Problem } from '../http/problem-details.ts'
import { matchesETag, parseWait, toETag, waitForChange } from '../http/waiting.ts'
import { ChangelogLinks } from '../pages/api-changes-section.tsx'
import { LinkButton } from '../pages/elements.tsx'
import { formatBytes, hostOf } from '../pages/formats.ts'
import { mayStillChange, toChangedPagesLinks } from '../pages/register-pages.ts'
import { sendPage } from '../pages/send-page.ts'
import { renderUpdatePage } from '../pages/update-page.tsx'
import { toProjectName } from '../run/run-context.ts'
import { toPageUrl } from '../run/site/built-site.ts'
import { readStoredChanges } from '../stored-changes.ts'
import { readReport } from '../stored-report.ts'
import { sendDashboardPage, toFrame } from './dashboard-page.tsx'
import { Notice, UpdateActions } from './project-actions.tsx'
import { BranchesContent, ChangesContent, listProjectCrumbs } from './project-lists.tsx'
import { ProjectContent } from './project-page.tsx'
import { projectSideBar } from './side-bar.tsx'
import {
  findProject,
  revalidatePage,
  setPersonalHeaders,
  toBuildHost,
  toProjectPath,
  toRefName,
  toVisitUrl,
  type Visit,
} from './visit.ts'

const commitsPerPage = 20
const commitsShown = 5
const branchesPerPage = 50
const branchesShown = 8
const updatesPerPage = 20
const summaryMs = 30 * 24 * 3_600_000

const BranchesQuery = Type.Object({ page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })) })
const ChangesQuery = Type.Object({ cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })) })
const NoticeQuery = Type.Object({
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  notice: Type.Optional(Type.String({ maxLength: 20 })),
  before: Type.Optional(Type.String({ pattern: '^[0-9a-f]{40}$' })),
})

interface ProjectParameters {
  readonly projectId: string
}

interface UpdateParameters extends ProjectParameters {
  readonly statusId: string
}

/** The pages of a project, its branches, and one update. */
export function registerProject(
  pages: FastifyInstance,
  context: AppContext,
  visit: (request: FastifyRequest) => Promise<Visit>,
): void {
  /** Undefined if the response was sent, because the browser's copy of the page is current. */
  const openProjectPage = async (request: FastifyRequest<{ Params: ProjectParameters }>, reply: FastifyReply) => {
    const asked = await visit(request)
    const project = await findProject(asked, request.params.projectId)
    const etag = await revalidatePage(asked, { request, reply, read: () => readProjectStamp(context, project) })
    return etag === undefined ? undefined : { asked, project, etag }
  }

  pages.get(
    '/projects/:projectId',
    { schema: { querystring: NoticeQuery } },
    async (
      request: FastifyRequest<{ Params: ProjectParameters; Querystring: Static<typeof NoticeQuery> }>,
      reply: FastifyReply,
    ) => {
      const opened = await openProjectPage(request, reply)
      if (!opened) return reply
      const { asked, project, etag } = opened
      const { store } = context
      const { cursor, notice: name, before } = request.query
      const [published, summary, refs, updates, changes] = await Promise.all([
        store.sites.findPublished(project.id),
        store.overviews.summarize(project.id, new Date(asked.now.getTime() - summaryMs).toISOString()),
        store.overviews.listRefs(project.id, { limit: branchesShown, first: toDefaultRef(project) }),
        store.statuses.list(project.id, { limit: updatesPerPage, ...(cursor !== undefined && { cursor }) }),
        store.apiChanges.list(project.id, { ref: toDefaultRef(project), limit: commitsShown }),
      ])
      if (!updates) throw new Problem('not-found')
      const content = (
        <ProjectContent
          visit={asked}
          project={project}
          published={published}
          operationCount={await countOperations(context, project)}
          summary={summary}
          refs={refs}
          updates={updates}
          changes={changes}
          changelogs={await productionChangelogs(asked, project, published)}
          builds={await findBuilds(context, project, [...refs.updates, ...updates.updates])}
          cursor={cursor}
          links={await store.links.list(project.id)}
          notice={<Notice project={project} name={name} before={before} />}
        />
      )
      const aside = await projectSideBar(asked, project)
      return sendDashboardPage(reply, { visit: asked, title: toProjectName(project), section: 'projects', aside, content, etag })
    },
  )

  pages.get(
    '/projects/:projectId/branches',
    { schema: { querystring: BranchesQuery } },
    async (
      request: FastifyRequest<{ Params: ProjectParameters; Querystring: Static<typeof BranchesQuery> }>,
      reply: FastifyReply,
    ) => {
      const opened = await openProjectPage(request, reply)
      if (!opened) return reply
      const { asked, project, etag } = opened
      const { page = 1 } = request.query
      const offset = (page - 1) * branchesPerPage
      const asks = { limit: branchesPerPage, offset, first: toDefaultRef(project) }
      const { updates, count } = await context.store.overviews.listRefs(project.id, asks)
      const builds = await findBuilds(context, project, updates)
      const content = (
        <BranchesContent
          visit={asked}
          project={project}
          updates={updates}
          builds={builds}
          count={count}
          page={page}
          pages={Math.ceil(count / branchesPerPage)}
        />
      )
      const aside = await projectSideBar(asked, project)
      return sendDashboardPage(reply, {
        visit: asked,
        title: `Branches · ${toProjectName(project)}`,
        section: 'projects',
        aside,
        content,
        etag,
      })
    },
  )

  pages.get(
    '/projects/:projectId/changes',
    { schema: { querystring: ChangesQuery } },
    async (
      request: FastifyRequest<{ Params: ProjectParameters; Querystring: Static<typeof ChangesQuery> }>,
      reply: FastifyReply,
    ) => {
      const opened = await openProjectPage(request, reply)
      if (!opened) return reply
      const { asked, project, etag } = opened
      const { cursor } = request.query
      const history = await context.store.apiChanges.list(project.id, {
        ref: toDefaultRef(project),
        limit: commitsPerPage,
        cursor,
      })
      if (!history) throw new Problem('not-found')
      const changelogs = await productionChangelogs(asked, project, await context.store.sites.findPublished(project.id))
      const content = <ChangesContent visit={asked} project={project} history={history} cursor={cursor} changelogs={changelogs} />
      const aside = await projectSideBar(asked, project)
      const title = `API changes · ${toProjectName(project)}`
      return sendDashboardPage(reply, { visit: asked, title, section: 'projects', aside, content, etag })
    },
  )

  pages.get(
    '/projects/:projectId/updates/:statusId',
    { schema: { querystring: NoticeQuery } },
    async (
      request: FastifyRequest<{ Params: UpdateParameters; Querystring: Static<typeof NoticeQuery> }>,
      reply: FastifyReply,
    ) => {
      const asked = await visit(request)
      const project = await findProject(asked, request.params.projectId)
      let stored = await findUpdate(context, project, request.params.statusId)
      const { prefer, 'if-none-match': known } = request.headers
      const seconds = typeof prefer === 'string' ? parseWait(prefer) : 0
      if (mayStillChange(stored, context.now()) && seconds > 0 && known !== undefined && matchesETag(known, toETag(stored))) {
        const changed = await waitForChange(context, request, stored, { seconds, of: 'revision' })
        if (!changed) throw new Problem('not-found')
        stored = changed
      }
      setPersonalHeaders(reply)
      // After the end, the available actions depend on more than the record, so its ETag does not cover the page.
      const etag = toETag(stored)
      const moving = mayStillChange(stored, context.now())
      if (moving) {
        reply.header('ETag', etag)
        if (known !== undefined && matchesETag(known, etag)) return reply.code(304).send()
      }
      const { sha } = stored.update.commit
      const build = await context.store.sites.find(project.id, sha)
      const url = build && asked.siteUrl(toBuildHost(project, build))
      const report = await readReport(context.store, stored)
      const aside = await projectSideBar(asked, project)
      const html = renderUpdatePage({
        stored,
        project,
        report,
        apiChanges: readStoredChanges(await context.store.apiChanges.find(stored.update._id)),
        githubUrl: context.config.githubUrl,
        etag,
        mayStillChange: moving,
        changedPages: toChangedPagesLinks(context, stored, project),
        dashboard: {
          newerUpdate: await findNewerUpdate(context, project, stored),
          frame: toFrame(asked, 'projects', aside),
          crumbs: [...listProjectCrumbs(project), toRefName(stored)],
          notice: <Notice project={project} name={request.query.notice} before={request.query.before} />,
          actions: (
            <>
              {url && <LinkButton href={toVisitUrl(project, url)}>Visit</LinkButton>}
              <UpdateActions visit={asked} project={project} stored={stored} build={build} />
            </>
          ),
          facts: build ? buildFacts(project, build, url) : [],
        },
      })
      return sendPage(reply, html, 200, '')
    },
  )
}

function toDefaultRef({ defaultBranch }: Project): string {
  return `refs/heads/${defaultBranch}`
}

function buildFacts(
  project: Project,
  build: SiteBuild,
  url: string | undefined,
): readonly (readonly [string, ComponentChildren])[] {
  return [
    ...(url === undefined ? [] : [['Site', <a href={toVisitUrl(project, url)}>{hostOf(url)}</a>] as const]),
    ['Size', `${formatBytes(build.sizeBytes)}, ${formatCount(build.pageCount, 'page')}`],
  ]
}

/** @throws {Problem} `not-found` if the project has no such update. */
export async function findUpdate({ store }: AppContext, project: Project, statusId: string): Promise<StoredUpdate> {
  const stored = await store.statuses.find(statusId)
  if (stored?.update.projectId !== project.id) throw new Problem('not-found')
  return stored
}

/** A string that changes whenever the content of the project pages changes. */
async function readProjectStamp({ store }: AppContext, project: Project): Promise<string> {
  const [updates, published, links] = await Promise.all([
    store.overviews.readStamp([project.id]),
    store.sites.findPublished(project.id),
    store.links.list(project.id),
  ])
  const shown = [published?.build.id, published?.publishedAt, project.enabled, project.subdomain]
  return [updates, ...shown, ...links.map(({ id }) => id)].join('\n')
}

/** Site builds of the updates, by commit. */
async function findBuilds(
  { store }: AppContext,
  project: Project,
  updates: readonly StoredUpdate[],
): Promise<ReadonlyMap<string, SiteBuild>> {
  const shas = [...new Set(updates.map(({ update }) => update.commit.sha))]
  const builds = await Promise.all(shas.map((sha) => store.sites.find(project.id, sha)))
  return new Map(builds.flatMap((build) => (build ? [[build.sha, build]] : [])))
}

/** Links to the changelogs of the production site. */
async function productionChangelogs(
  { context, siteUrl }: Visit,
  project: Project,
  published: PublishedSite | undefined,
): Promise<ComponentChildren> {
  const site = siteUrl({ subdomain: project.subdomain })
  if (!published || site === undefined) return undefined
  const stored = await context.store.statuses.find(published.build.statusId)
  const page = (route: string) => toVisitUrl(project, toPageUrl(site, route))
  return <ChangelogLinks changelogs={stored?.details.site?.changelogs ?? []} page={page} />
}

/** The number of operations in the latest successful report of the default branch. */
async function countOperations({ store }: AppContext, { id, defaultBranch }: Project): Promise<number | undefined> {
  const last = await store.statuses.findLastSuccess(id, `refs/heads/${defaultBranch}`)
  const report = last && (await readReport(store, last))
  return report?.documents.reduce((sum, { operationCount }) => sum + operationCount, 0)
}

/** The URL of the update of the commit that overtook an update. */
async function findNewerUpdate(
  { store }: AppContext,
  project: Project,
  { update, details }: StoredUpdate,
): Promise<string | undefined> {
  const { overtakenBy: sha } = details
  const found = sha === undefined ? undefined : await store.statuses.list(project.id, { ref: update.commit.ref, sha, limit: 1 })
  const newer = found?.updates[0]?.update
  return newer && `${toProjectPath(project)}/updates/${newer._id}`
}

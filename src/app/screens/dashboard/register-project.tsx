import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { type Static, Type } from 'typebox'
import { formatCount } from '../../../diagnostics/diagnostic.ts'
import type { Project } from '../../../status/update-record.ts'
import type { StoredUpdate } from '../../../store/records/stored-records.ts'
import type { SiteBuild } from '../../../store/sites/stored-sites.ts'
import type { AppContext } from '../../base/app-context.ts'
import { toProjectName } from '../../base/projects.ts'
import { readReport } from '../../base/stored-report.ts'
import { toCommitBranch } from '../../github-events/report/report-run.ts'
import type { Pages } from '../../http/browser-requests.ts'
import { Problem } from '../../http/problem-details.ts'
import { matchesETag, toETag } from '../../http/waiting.ts'
import { toPageUrl } from '../../publish/built-site.ts'
import { ChangelogLinks } from '../pages/api-changes-section.tsx'
import { LinkButton } from '../pages/elements.tsx'
import { formatBytes, hostOf, toRefName } from '../pages/formats.ts'
import { mayStillChange, readUpdatePage, waitIfCurrent } from '../pages/register-pages.ts'
import { sendPage } from '../pages/send-page.ts'
import { renderUpdatePage } from '../pages/update-page.tsx'
import { findProduction, type ProductionSite } from './production-site.tsx'
import { Notice, PublishedTag, UpdateActions } from './project-actions.tsx'
import { BranchesContent, ChangesContent, ProjectContent } from './project-page.tsx'
import { listProjectCrumbs, projectSideBar, sendDashboardPage, toFrame } from './side-bar.tsx'
import {
  findProject,
  markBreaking,
  type OpenVisit,
  ProjectPath,
  revalidatePage,
  setPersonalHeaders,
  toBuildHost,
  toProjectPath,
  toVisitUrl,
  type Visit,
} from './visit.ts'

const commitsPerPage = 20
const commitsShown = 5
const branchesPerPage = 50
const branchesShown = 8
const updatesPerPage = 20
const summaryMs = 30 * 24 * 3_600_000

/** Each page reads some of them. */
const ProjectQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  notice: Type.Optional(Type.String({ maxLength: 20 })),
  before: Type.Optional(Type.String({ pattern: '^[0-9a-f]{40}$' })),
})

type ProjectQuery = Static<typeof ProjectQuery>

export const UpdatePath = Type.Interface([ProjectPath], { statusId: Type.String() })

/** The pages of a project, its branches, and one update. */
export function registerProject(pages: Pages, openVisit: OpenVisit): void {
  const register = (path: string, page: ProjectPage) =>
    pages.get(
      `/projects/:projectId${path}`,
      { schema: { params: ProjectPath, querystring: ProjectQuery } },
      async (request, reply) => sendProjectPage(await openVisit(request), request, reply, page),
    )
  register('', { part: undefined, read: readProjectContent })
  register('/branches', { part: 'Branches', read: readBranchesContent })
  register('/changes', { part: 'API changes', read: readChangesContent })
  pages.get(
    '/projects/:projectId/updates/:statusId',
    { schema: { params: UpdatePath, querystring: ProjectQuery } },
    async (request, reply) => sendUpdatePage(await openVisit(request), request, reply),
  )
}

interface ProjectPage {
  /** The part of the project that the page shows, for its title. */
  readonly part: string | undefined
  readonly read: (visit: Visit, project: Project, query: ProjectQuery) => Promise<ComponentChildren>
}

/** Sends a page of a project, or 304 if the browser's copy is current. */
async function sendProjectPage(
  visit: Visit,
  request: FastifyRequest<{ Params: Static<typeof ProjectPath>; Querystring: ProjectQuery }>,
  reply: FastifyReply,
  { part, read }: ProjectPage,
): Promise<FastifyReply> {
  const project = await findProject(visit, request.params.projectId)
  const etag = await revalidatePage(visit, { request, reply, read: () => readProjectStamp(visit.context, project) })
  if (etag === undefined) return reply
  const content = await read(visit, project, request.query)
  const aside = await projectSideBar(visit, project)
  const title = part === undefined ? toProjectName(project) : `${part} · ${toProjectName(project)}`
  return sendDashboardPage(reply, { visit, title, section: 'projects', aside, content, etag })
}

async function readProjectContent(visit: Visit, project: Project, query: ProjectQuery): Promise<ComponentChildren> {
  const { context, now } = visit
  const { store } = context
  const { cursor, notice: name, before } = query
  const [production, summary, refs, updates, changes] = await Promise.all([
    findProduction(context, project),
    store.overviews.summarize(project.id, new Date(now.getTime() - summaryMs).toISOString()),
    store.overviews.listRefs(project.id, { limit: branchesShown, first: toDefaultRef(project) }),
    store.statuses.list(project.id, { limit: updatesPerPage, cursor }),
    store.apiChanges.list(project.id, { ref: toDefaultRef(project), limit: commitsShown }),
  ])
  if (!updates) throw new Problem('not-found')
  return (
    <ProjectContent
      visit={visit}
      project={project}
      production={production}
      operationCount={await countOperations(context, project)}
      summary={summary}
      documents={production ? [] : await listDocuments(context, project, refs.updates)}
      refs={{ ...refs, updates: await markBreaking(context, refs.updates) }}
      updates={{ ...updates, updates: await markBreaking(context, updates.updates) }}
      changes={changes}
      changelogs={productionChangelogs(visit, project, production)}
      builds={await findBuilds(context, project, [...refs.updates, ...updates.updates])}
      cursor={cursor}
      links={await store.tokens.listLinks(project.id)}
      notice={<Notice project={project} name={name} before={before} />}
    />
  )
}

async function readBranchesContent(visit: Visit, project: Project, { page = 1 }: ProjectQuery): Promise<ComponentChildren> {
  const { context } = visit
  const { updates, count } = await context.store.overviews.listRefs(project.id, {
    limit: branchesPerPage,
    offset: (page - 1) * branchesPerPage,
    first: toDefaultRef(project),
  })
  return (
    <BranchesContent
      visit={visit}
      project={project}
      updates={await markBreaking(context, updates)}
      builds={await findBuilds(context, project, updates)}
      count={count}
      page={page}
      pages={Math.ceil(count / branchesPerPage)}
    />
  )
}

async function readChangesContent(visit: Visit, project: Project, { cursor }: ProjectQuery): Promise<ComponentChildren> {
  const { store } = visit.context
  const history = await store.apiChanges.list(project.id, { ref: toDefaultRef(project), limit: commitsPerPage, cursor })
  if (!history) throw new Problem('not-found')
  const changelogs = productionChangelogs(visit, project, await findProduction(visit.context, project))
  return <ChangesContent visit={visit} project={project} history={history} cursor={cursor} changelogs={changelogs} />
}

/** Sends the page of an update, or 304 if the browser's copy of a page that may still change is current. */
async function sendUpdatePage(
  visit: Visit,
  request: FastifyRequest<{ Params: Static<typeof UpdatePath>; Querystring: ProjectQuery }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { context } = visit
  const { store } = context
  const project = await findProject(visit, request.params.projectId)
  const found = await findUpdate(context, project, request.params.statusId)
  const stored = await waitIfCurrent(context, visit.waiters, request, found)
  if (!stored) throw new Problem('not-found')
  setPersonalHeaders(reply)
  // After the end, the available actions depend on more than the record, so its ETag does not cover the page.
  const etag = toETag(stored)
  if (mayStillChange(stored, context.now())) {
    reply.header('ETag', etag)
    if (matchesETag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  }
  const build = await store.sites.find(project.id, stored.update.commit.sha)
  const url = build && visit.siteUrl(toBuildHost(project, build))
  const shown = await readUpdatePage(context, stored, project)
  const isBreaking = shown.apiChanges?.kind === 'compared' && shown.apiChanges.counts.breaking > 0
  const canAccept = isBreaking && !stored.details.overtaken && toCommitBranch(stored.update.commit.ref, project) !== undefined
  const html = renderUpdatePage({
    ...shown,
    dashboard: {
      newerUpdate: await findNewerUpdate(context, project, stored),
      frame: toFrame(visit, 'projects', await projectSideBar(visit, project, true)),
      crumbs: [...listProjectCrumbs(project), toRefName(stored)],
      notice: <Notice project={project} name={request.query.notice} before={request.query.before} />,
      actions: (
        <>
          {url && <LinkButton href={toVisitUrl(project, url)}>Visit</LinkButton>}
          <UpdateActions visit={visit} project={project} stored={stored} canAccept={canAccept} build={build} />
        </>
      ),
      tags: <PublishedTag stored={stored} build={build} />,
      facts: build ? buildFacts(project, build, url) : [],
    },
  })
  return sendPage(reply, html, 200, '')
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
    store.tokens.listLinks(project.id),
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
function productionChangelogs({ siteUrl }: Visit, project: Project, production: ProductionSite | undefined): ComponentChildren {
  const site = siteUrl({ subdomain: project.subdomain })
  if (!production || site === undefined) return undefined
  const page = (route: string) => toVisitUrl(project, toPageUrl(site, route))
  return <ChangelogLinks site={production.stored.details.site} page={page} />
}

/** The number of operations in the latest successful report of the default branch. */
async function countOperations({ store }: AppContext, { id, defaultBranch }: Project): Promise<number | undefined> {
  const last = await store.statuses.findNewest(id, { ref: `refs/heads/${defaultBranch}`, status: 'success' })
  const report = last && (await readReport(store, last))
  return report?.documents.reduce((sum, { operationCount }) => sum + operationCount, 0)
}

/** The OpenAPI documents that the newest update of the default branch checked. */
async function listDocuments(
  { store }: AppContext,
  project: Project,
  latest: readonly StoredUpdate[],
): Promise<readonly string[]> {
  const newest = latest.find(({ update }) => update.commit.ref === toDefaultRef(project))
  const report = newest && (await readReport(store, newest))
  return report?.documents.map(({ path }) => path) ?? []
}

/** The URL of the update of the commit that overtook an update. */
async function findNewerUpdate(
  { store }: AppContext,
  project: Project,
  { update, details }: StoredUpdate,
): Promise<string | undefined> {
  const { overtakenBy: sha } = details
  const newer = sha === undefined ? undefined : await store.statuses.findNewest(project.id, { ref: update.commit.ref, sha })
  return newer && `${toProjectPath(project)}/updates/${newer.update._id}`
}

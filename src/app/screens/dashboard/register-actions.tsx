import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Project } from '../../../status/update-record.ts'
import { GitHubError } from '../../../text/errors.ts'
import { toStatusId } from '../../api/update-routes.ts'
import type { AppContext } from '../../base/app-context.ts'
import { toProjectName } from '../../base/projects.ts'
import { toTask } from '../../base/tasks.ts'
import { approvePreview } from '../../github-events/report/check-buttons.ts'
import { planRerun } from '../../github-events/webhooks/plan-check.ts'
import { type Pages, requireOwnPage } from '../../http/browser-requests.ts'
import { Problem } from '../../http/problem-details.ts'
import { publishSite } from '../../publish/publish-site.ts'
import { toSiteLink } from '../../sites/private-sites.ts'
import { findUpdate, UpdatePath } from './register-project.tsx'
import { LinkContent, linkDays } from './share-links.tsx'
import { projectSideBar, sendDashboardPage } from './side-bar.tsx'
import {
  confirmAccess,
  findProject,
  type OpenVisit,
  ProjectPath,
  type ProjectRequest,
  toProjectPath,
  toUpdatePath,
  type Visit,
} from './visit.ts'

const PublishBody = Type.Object({ sha: Type.String({ pattern: '^[0-9a-f]{40}$' }) })
const LinkBody = Type.Object({
  days: Type.Enum(linkDays.map(String), { type: 'string' }),
  sha: Type.Optional(Type.String({ pattern: '^[0-9a-f]{40}$' })),
})

const LinkPath = Type.Interface([ProjectPath], { linkId: Type.String() })

/** The forms of the dashboard. Each POST redirects to a page that confirms the action. */
export function registerActions(pages: Pages, context: AppContext, openVisit: OpenVisit): void {
  const authorize: Authorize = async (request) => {
    requireOwnPage(context, request)
    const visit = await openVisit(request)
    return { visit, project: await findProject(visit, request.params.projectId, 'write') }
  }
  registerUpdateForms(pages, context, authorize)
  registerSiteForms(pages, context, authorize)
}

/** Authorizes a form with the access of the visit, and finds its project. */
type Authorize = (request: ProjectRequest) => Promise<{ readonly visit: Visit; readonly project: Project }>

/** Runs the check of a commit again, accepts its changes, and approves previews of forks. */
function registerUpdateForms(pages: Pages, context: AppContext, authorize: Authorize): void {
  const findOwnUpdate = async (request: FastifyRequest<{ Params: Static<typeof UpdatePath> }>) => {
    const { visit, project } = await authorize(request)
    const stored = await findUpdate(context, project, request.params.statusId)
    if (!project.enabled) throw new Problem('unprocessable', 'Updates are off for this project. Turn them on in its settings')
    return { visit, project, stored }
  }

  pages.post('/projects/:projectId/updates/:statusId/rerun', { schema: { params: UpdatePath } }, async (request, reply) => {
    const { visit, project, stored } = await findOwnUpdate(request)
    const { login } = visit.person
    const updates = await planRerun(context, { stored, project }, `requested by ${login}`, 'dashboard')
    const audit = {
      actor: `github:${login}`,
      action: 'update.rerun',
      subject: stored.update._id,
      detail: stored.update.commit.sha,
    }
    const statusId = toStatusId(await context.store.accept({ updates, audit: [audit] }))
    request.log.info({ statusId, projectId: project.id, login }, 'Requested a re-run')
    return reply.redirect(`${toProjectPath(project)}/updates/${statusId}`, 303)
  })

  pages.post(
    '/projects/:projectId/updates/:statusId/approve-preview',
    { schema: { params: UpdatePath } },
    async (request, reply) => {
      const { visit, project, stored } = await findOwnUpdate(request)
      const { login, userId: id } = visit.person
      // Permissions are cached for a minute, so ask GitHub again before hosting a commit from a fork.
      const approval = await approvePreview(context, { stored, project, person: { login, id }, source: 'dashboard' }).catch(
        (error: unknown) => {
          if (!(error instanceof GitHubError)) throw error
          request.log.warn({ reason: error.message }, 'Cannot verify the permissions of the approver of a preview')
          throw new Problem('unavailable', 'GitHub is unreachable', { headers: { 'Retry-After': '10' } })
        },
      )
      if (approval.kind === 'refused') throw new Problem('unprocessable', approval.reason)
      return reply.redirect(`${toProjectPath(project)}/updates/${approval.statusId ?? stored.update._id}`, 303)
    },
  )

  pages.post(
    '/projects/:projectId/updates/:statusId/accept-changes',
    { schema: { params: UpdatePath } },
    async (request, reply) => {
      const { visit, project, stored } = await findOwnUpdate(request)
      const { login, userId } = visit.person
      // Like the button of the check. The task asks GitHub for the access again.
      const button = { statusId: stored.update._id, login, userId }
      const { store } = context
      await store.accept({ tasks: [toTask(store.newId(), 'accept-changes', project.installationId, button)] })
      return reply.redirect(`${toUpdatePath(stored)}?notice=accepting`, 303)
    },
  )
}

/** Publishes a site, and creates and revokes links to it. */
function registerSiteForms(pages: Pages, context: AppContext, authorize: Authorize): void {
  const { store } = context
  /** Also confirms the access with GitHub. */
  const confirm = async (request: ProjectRequest) => {
    const { visit, project } = await authorize(request)
    return { visit, project: await confirmAccess(visit, project, 'write') }
  }

  pages.post('/projects/:projectId/publish', { schema: { params: ProjectPath, body: PublishBody } }, async (request, reply) => {
    const { visit, project } = await confirm(request)
    const { sha } = request.body
    const before = await store.sites.findPublished(project.id)
    const result = await publishSite(context, project, sha, `github:${visit.person.login}`)
    if (result.kind === 'not-found') throw new Problem('unprocessable', 'The site of this commit is no longer stored')
    request.log.info(
      { projectId: project.id, headSha: sha, outcome: result.kind, login: visit.person.login },
      'Published manually',
    )
    const query = new URLSearchParams({ notice: result.kind })
    if (before && before.build.sha !== sha) query.set('before', before.build.sha)
    return reply.redirect(`${toProjectPath(project)}?${query}`, 303)
  })

  pages.post('/projects/:projectId/link', { schema: { params: ProjectPath, body: LinkBody } }, async (request, reply) => {
    const { visit, project } = await confirm(request)
    const { days, sha } = request.body
    const build = sha === undefined ? undefined : await store.sites.find(project.id, sha)
    if (sha !== undefined && !build) throw new Problem('unprocessable', 'The site of this commit is no longer stored')
    const site = visit.siteUrl({ subdomain: project.subdomain, ...(sha !== undefined && { preview: { kind: 'commit', sha } }) })
    if (site === undefined) throw new Problem('unprocessable', 'This server does not host sites')
    const until = new Date(visit.now.getTime() + Number(days) * 24 * 3_600_000)
    const { login } = visit.person
    const grant = { scope: 'link', projectId: project.id, host: new URL(site).host } as const
    const link = { grant, name: `Created by ${login}`, expiresAt: until.toISOString() }
    const made = await store.tokens.create(link, `github:${login}`)
    if (!made) throw new Problem('not-found', 'No such project')
    const aside = await projectSideBar(visit, project)
    const title = `Link · ${toProjectName(project)}`
    const content = <LinkContent project={project} url={toSiteLink(site, made.token)} until={until} />
    return sendDashboardPage(reply, { visit, title, section: 'projects', aside, content })
  })

  pages.post('/projects/:projectId/links/:linkId/revoke', { schema: { params: LinkPath } }, async (request, reply) => {
    const { visit, project } = await authorize(request)
    // A link that is already revoked needs no error.
    await store.tokens.revoke(request.params.linkId, `github:${visit.person.login}`, project.id)
    return reply.redirect(`${toProjectPath(project)}?notice=link-revoked`, 303)
  })
}

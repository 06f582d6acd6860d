import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { GitHubError } from '../../errors.ts'
import { isSubdomain } from '../../status/subdomain.ts'
import type { AppContext } from '../app-context.ts'
import { Problem } from '../http/problem-details.ts'
import { toStatusId } from '../http/update-routes.ts'
import { requireOwnPage } from '../people/require-own-page.ts'
import { toQuotaUses } from '../quotas.ts'
import { approvePreview } from '../run/check-buttons.ts'
import { toSiteLink } from '../sites/site-link.ts'
import { planRerun } from '../webhooks/plan-check.ts'
import { toProjectName, toProjectPath, type Visit } from './dashboard-context.ts'
import { linkContent, linkDays } from './link-page.ts'
import { notice } from './notices.ts'
import { findUpdate } from './read-project.ts'
import { sendDashboardPage } from './send-dashboard-page.ts'
import { settingsContent } from './settings-page.ts'
import { projectSideBar } from './side-bar.ts'
import { findProject } from './start-visit.ts'

const PublishBody = Type.Object({ sha: Type.String({ pattern: '^[0-9a-f]{40}$' }) })
const SettingsBody = Type.Object({
  subdomain: Type.String({ maxLength: 100 }),
  enabled: Type.Enum(['yes', 'no'], { type: 'string' }),
  siteAccess: Type.Optional(Type.Enum(['repository', 'public'], { type: 'string' })),
})
const LinkBody = Type.Object({
  days: Type.Enum(linkDays.map(String), { type: 'string' }),
  sha: Type.Optional(Type.String({ pattern: '^[0-9a-f]{40}$' })),
})
const NoticeQuery = Type.Object({ notice: Type.Optional(Type.String({ maxLength: 20 })) })

interface ProjectParameters {
  readonly projectId: string
}

/** The forms of the dashboard: run again, publish, settings. Each is a POST that leads to a page with what was done. */
export function registerActions(
  pages: FastifyInstance,
  context: AppContext,
  visit: (request: FastifyRequest) => Promise<Visit>,
): void {
  const { store } = context
  /** Who sent a form, and the project that it is about. */
  const begin = async (request: FastifyRequest<{ Params: ProjectParameters }>, wanted: 'write' | 'admin') => {
    requireOwnPage(context, request)
    const asked = await visit(request)
    return { asked, project: await findProject(asked, request.params.projectId, wanted) }
  }

  pages.post(
    '/projects/:projectId/updates/:statusId/rerun',
    async (request: FastifyRequest<{ Params: ProjectParameters & { statusId: string } }>, reply: FastifyReply) => {
      const { asked, project } = await begin(request, 'write')
      const stored = await findUpdate(context, project, request.params.statusId)
      if (!project.enabled) throw new Problem('unprocessable', 'The project is switched off in its settings')
      const { login } = asked.person
      const plan = await planRerun(context, { stored, project }, login, 'dashboard')
      const audit = {
        actor: `github:${login}`,
        action: 'update.rerun',
        subject: stored.update._id,
        detail: stored.update.commit.sha,
      }
      const statusId = toStatusId(await store.accept({ ...plan, audit: [audit] }))
      request.log.info({ statusId, projectId: project.id, login }, 'Update run again')
      return reply.redirect(`${toProjectPath(project)}/updates/${statusId}`, 303)
    },
  )

  pages.post(
    '/projects/:projectId/updates/:statusId/approve-preview',
    async (request: FastifyRequest<{ Params: ProjectParameters & { statusId: string } }>, reply: FastifyReply) => {
      const { asked, project } = await begin(request, 'write')
      const stored = await findUpdate(context, project, request.params.statusId)
      if (!project.enabled) throw new Problem('unprocessable', 'The project is switched off in its settings')
      const { login, userId: id } = asked.person
      // What the person may do is remembered for a minute: GitHub is asked again before a fork's commit is hosted.
      const approval = await approvePreview(context, { stored, project, person: { login, id }, source: 'dashboard' }).catch(
        (error: unknown) => {
          if (!(error instanceof GitHubError)) throw error
          request.log.warn({ reason: error.message }, 'Cannot check who approves a preview')
          throw new Problem('unavailable', 'GitHub cannot be asked now', { headers: { 'Retry-After': '10' } })
        },
      )
      if (approval.kind === 'refused') throw new Problem('unprocessable', approval.reason)
      return reply.redirect(`${toProjectPath(project)}/updates/${approval.statusId ?? stored.update._id}`, 303)
    },
  )

  pages.post(
    '/projects/:projectId/publish',
    { schema: { body: PublishBody } },
    async (request: FastifyRequest<{ Params: ProjectParameters; Body: Static<typeof PublishBody> }>, reply: FastifyReply) => {
      const { asked, project } = await begin(request, 'write')
      const { sha } = request.body
      const before = await store.sites.findPublished(project.id)
      const result = await store.sites.publish(project.id, sha, `github:${asked.person.login}`)
      if (result.kind === 'not-found') throw new Problem('unprocessable', 'The site of this commit is not kept any more')
      request.log.info(
        { projectId: project.id, headSha: sha, outcome: result.kind, login: asked.person.login },
        'Published by hand',
      )
      const query = new URLSearchParams({ notice: result.kind })
      if (before && before.build.sha !== sha) query.set('before', before.build.sha)
      return reply.redirect(`${toProjectPath(project)}?${query}`, 303)
    },
  )

  pages.post(
    '/projects/:projectId/link',
    { schema: { body: LinkBody } },
    async (request: FastifyRequest<{ Params: ProjectParameters; Body: Static<typeof LinkBody> }>, reply: FastifyReply) => {
      const { asked, project } = await begin(request, 'write')
      const { days, sha } = request.body
      const build = sha === undefined ? undefined : await store.sites.find(project.id, sha)
      if (sha !== undefined && !build) throw new Problem('unprocessable', 'The site of this commit is not kept any more')
      const site = asked.siteUrl({ subdomain: project.subdomain, ...(sha !== undefined && { preview: { kind: 'commit', sha } }) })
      if (site === undefined) throw new Problem('unprocessable', 'This server hosts no sites')
      const until = new Date(asked.now.getTime() + Number(days) * 24 * 3_600_000)
      const secret = randomBytes(24).toString('base64url')
      const link = { host: new URL(site).host, projectId: project.id, expiresAt: until.toISOString() }
      await store.links.create(secret, link, `github:${asked.person.login}`)
      const aside = await projectSideBar(asked, project)
      const title = `Link · ${toProjectName(project)}`
      return sendDashboardPage(reply, {
        visit: asked,
        title,
        section: 'projects',
        aside,
        content: linkContent(project, { url: toSiteLink(site, secret), until }),
      })
    },
  )

  pages.post(
    '/projects/:projectId/links/:linkId/revoke',
    async (request: FastifyRequest<{ Params: ProjectParameters & { linkId: string } }>, reply: FastifyReply) => {
      const { asked, project } = await begin(request, 'write')
      // Gone already is as good.
      await store.links.revoke(project.id, request.params.linkId, `github:${asked.person.login}`)
      return reply.redirect(`${toProjectPath(project)}?notice=link-revoked`, 303)
    },
  )

  pages.get(
    '/projects/:projectId/settings',
    { schema: { querystring: NoticeQuery } },
    async (
      request: FastifyRequest<{ Params: ProjectParameters; Querystring: Static<typeof NoticeQuery> }>,
      reply: FastifyReply,
    ) => {
      const asked = await visit(request)
      const project = await findProject(asked, request.params.projectId, 'admin')
      return await sendSettings(context, reply, asked, {
        project,
        values: project,
        mistake: undefined,
        notice: request.query.notice,
      })
    },
  )

  pages.post(
    '/projects/:projectId/settings',
    { schema: { body: SettingsBody } },
    async (request: FastifyRequest<{ Params: ProjectParameters; Body: Static<typeof SettingsBody> }>, reply: FastifyReply) => {
      const { asked, project } = await begin(request, 'admin')
      const { subdomain: given, enabled, siteAccess = project.siteAccess } = request.body
      const values = { subdomain: given.trim().toLowerCase(), enabled: enabled === 'yes', siteAccess }
      const refuse = (mistake: string) => sendSettings(context, reply, asked, { project, values, mistake, notice: undefined })
      if (values.subdomain !== project.subdomain && !isSubdomain(values.subdomain)) {
        return await refuse(
          'Use lower-case letters, digits and single `-`, at most 49; names such as `www` and `api` are reserved',
        )
      }
      const result = await store.projects.set(project.id, values, `github:${asked.person.login}`)
      if (result.kind === 'subdomain-taken') return await refuse('Another project has this subdomain')
      if (result.kind === 'not-found') throw new Problem('not-found')
      return reply.redirect(`${toProjectPath(project)}/settings?notice=saved`, 303)
    },
  )
}

type Shown = Omit<Parameters<typeof settingsContent>[1], 'notice' | 'quotas'> & { readonly notice: string | undefined }

async function sendSettings(
  context: AppContext,
  reply: FastifyReply,
  visit: Visit,
  { notice: name, ...shown }: Shown,
): Promise<FastifyReply> {
  const { project, mistake } = shown
  const aside = await projectSideBar(visit, project)
  const { installationId } = project
  const quotas = installationId === undefined ? [] : toQuotaUses(context, await context.store.usage.read(installationId))
  const content = settingsContent(visit, { ...shown, quotas, notice: notice(project, name, undefined) })
  const title = `Settings · ${toProjectName(project)}`
  return sendDashboardPage(reply, {
    visit,
    title,
    section: 'projects',
    aside,
    content,
    status: mistake === undefined ? 200 : 422,
  })
}

import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ComponentChild, h } from 'preact'
import { type Static, Type } from 'typebox'
import { GitHubError } from '../../errors.ts'
import { isSubdomain } from '../../status/subdomain.ts'
import type { Project } from '../../status/types.ts'
import type { AppContext } from '../app-context.ts'
import { Problem } from '../http/problem-details.ts'
import { toStatusId } from '../http/update-routes.ts'
import { breadcrumb } from '../pages/elements.ts'
import { requireOwnPage } from '../people/browser-requests.ts'
import { type QuotaUse, toQuotaUses } from '../quotas.ts'
import { approvePreview } from '../run/check-buttons.ts'
import { toProjectName } from '../run/run-context.ts'
import { toSiteLink } from '../sites/private-sites.ts'
import { planRerun } from '../webhooks/plan-check.ts'
import { linkContent, linkDays, notice } from './project-page.ts'
import { findUpdate } from './register-project.ts'
import { hostOf, projectSideBar } from './side-bar.ts'
import { findProject, sendDashboardPage, toProjectPath, type Visit } from './visit.ts'

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

/** The forms of the dashboard. Each POST redirects to a page that confirms the action. */
export function registerActions(
  pages: FastifyInstance,
  context: AppContext,
  visit: (request: FastifyRequest) => Promise<Visit>,
): void {
  const { store } = context
  /** Authorizes a form and finds its project. */
  const authorize = async (request: FastifyRequest<{ Params: ProjectParameters }>, wanted: 'write' | 'admin') => {
    requireOwnPage(context, request)
    const asked = await visit(request)
    return { asked, project: await findProject(asked, request.params.projectId, wanted) }
  }

  pages.post(
    '/projects/:projectId/updates/:statusId/rerun',
    async (request: FastifyRequest<{ Params: ProjectParameters & { statusId: string } }>, reply: FastifyReply) => {
      const { asked, project } = await authorize(request, 'write')
      const stored = await findUpdate(context, project, request.params.statusId)
      if (!project.enabled) throw new Problem('unprocessable', 'Updates are off for this project. Turn them on in its settings')
      const { login } = asked.person
      const plan = await planRerun(context, { stored, project }, login, 'dashboard')
      const audit = {
        actor: `github:${login}`,
        action: 'update.rerun',
        subject: stored.update._id,
        detail: stored.update.commit.sha,
      }
      const statusId = toStatusId(await store.accept({ ...plan, audit: [audit] }))
      request.log.info({ statusId, projectId: project.id, login }, 'Requested a re-run')
      return reply.redirect(`${toProjectPath(project)}/updates/${statusId}`, 303)
    },
  )

  pages.post(
    '/projects/:projectId/updates/:statusId/approve-preview',
    async (request: FastifyRequest<{ Params: ProjectParameters & { statusId: string } }>, reply: FastifyReply) => {
      const { asked, project } = await authorize(request, 'write')
      const stored = await findUpdate(context, project, request.params.statusId)
      if (!project.enabled) throw new Problem('unprocessable', 'Updates are off for this project. Turn them on in its settings')
      const { login, userId: id } = asked.person
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
    '/projects/:projectId/publish',
    { schema: { body: PublishBody } },
    async (request: FastifyRequest<{ Params: ProjectParameters; Body: Static<typeof PublishBody> }>, reply: FastifyReply) => {
      const { asked, project } = await authorize(request, 'write')
      const { sha } = request.body
      const before = await store.sites.findPublished(project.id)
      const result = await store.sites.publish(project.id, sha, `github:${asked.person.login}`)
      if (result.kind === 'not-found') throw new Problem('unprocessable', 'The site of this commit is no longer stored')
      request.log.info(
        { projectId: project.id, headSha: sha, outcome: result.kind, login: asked.person.login },
        'Published manually',
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
      const { asked, project } = await authorize(request, 'write')
      const { days, sha } = request.body
      const build = sha === undefined ? undefined : await store.sites.find(project.id, sha)
      if (sha !== undefined && !build) throw new Problem('unprocessable', 'The site of this commit is no longer stored')
      const site = asked.siteUrl({ subdomain: project.subdomain, ...(sha !== undefined && { preview: { kind: 'commit', sha } }) })
      if (site === undefined) throw new Problem('unprocessable', 'This server does not host sites')
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
      const { asked, project } = await authorize(request, 'write')
      // A link that is already revoked needs no error.
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
      const { asked, project } = await authorize(request, 'admin')
      const { subdomain: given, enabled, siteAccess = project.siteAccess } = request.body
      const values = { subdomain: given.trim().toLowerCase(), enabled: enabled === 'yes', siteAccess }
      const refuse = (mistake: string) => sendSettings(context, reply, asked, { project, values, mistake, notice: undefined })
      if (values.subdomain !== project.subdomain && !isSubdomain(values.subdomain)) {
        return await refuse('Use up to 49 lowercase letters, digits and single hyphens. Names such as www and api are reserved')
      }
      const result = await store.projects.set(project.id, values, `github:${asked.person.login}`)
      if (result.kind === 'subdomain-taken') return await refuse('Another project already uses this subdomain')
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

interface SettingsPage {
  readonly project: Project
  /** The submitted values, or those of the project. */
  readonly values: { readonly subdomain: string; readonly enabled: boolean; readonly siteAccess: Project['siteAccess'] }
  /** Why the subdomain was rejected. */
  readonly mistake: string | undefined
  readonly notice: ComponentChild
  /** Quota usage of the installation; empty if there is no installation. */
  readonly quotas: readonly QuotaUse[]
}

function settingsContent(visit: Visit, { project, values, mistake, notice, quotas }: SettingsPage): ComponentChild {
  const path = toProjectPath(project)
  const url = visit.siteUrl({ subdomain: project.subdomain })
  return [
    breadcrumb([h('a', { href: '/projects' }, 'Projects'), h('a', { href: path }, toProjectName(project))]),
    h('h1', null, 'Settings'),
    notice,
    h(
      'form',
      { class: 'settings', method: 'post', action: `${path}/settings` },
      h(
        'div',
        { class: 'field' },
        h(
          'label',
          { for: 'subdomain' },
          'Subdomain',
          h('input', {
            id: 'subdomain',
            name: 'subdomain',
            value: values.subdomain,
            required: true,
            maxLength: 63,
            autocomplete: 'off',
            spellcheck: false,
            'aria-describedby': mistake === undefined ? 'subdomain-hint' : 'subdomain-mistake subdomain-hint',
            ...(mistake !== undefined && { 'aria-invalid': 'true' }),
          }),
        ),
      ),
      mistake !== undefined && h('p', { class: 'mistake', id: 'subdomain-mistake' }, mistake),
      h(
        'p',
        { class: 'hint', id: 'subdomain-hint' },
        `${url ? `The site is at ${hostOf(url)}. ` : ''}If you change the subdomain, the old URL stops working.`,
      ),
      project.private &&
        h(
          'fieldset',
          null,
          h('legend', null, 'Who can read the site'),
          choice(
            'siteAccess',
            'repository',
            values.siteAccess,
            'People who can read the repository',
            'They sign in with GitHub.',
          ),
          choice('siteAccess', 'public', values.siteAccess, 'Everyone', 'Includes previews of branches and pull requests.'),
        ),
      h(
        'fieldset',
        null,
        h('legend', null, 'Updates'),
        choice('enabled', 'yes', values.enabled ? 'yes' : 'no', 'On', 'Check every push and build its site.'),
        choice('enabled', 'no', values.enabled ? 'yes' : 'no', 'Off', 'Ignore pushes. The published site stays online.'),
      ),
      h(
        'p',
        { class: 'acts' },
        h('button', { class: 'button', type: 'submit' }, 'Save'),
        h('a', { class: 'button quiet', href: path }, 'Cancel'),
      ),
    ),
    quotas.length > 0 && quotaList(quotas),
  ]
}

function quotaList(quotas: readonly QuotaUse[]): ComponentChild {
  return h(
    'section',
    { 'data-part': 'quotas' },
    h('h2', null, 'Quotas of this installation'),
    h('p', { class: 'hint' }, 'Shared by all projects of this installation of the GitHub App.'),
    h(
      'dl',
      null,
      quotas.flatMap(({ name, text, exceeded }) => [
        h('dt', null, name),
        h('dd', null, text, exceeded !== undefined && h('p', { class: 'mistake' }, `Quota exceeded. ${exceeded}`)),
      ]),
    ),
  )
}

function choice(name: string, value: string, chosen: string, label: string, note: string): ComponentChild {
  return h(
    'label',
    { class: 'choice' },
    h('input', { type: 'radio', name, value, checked: value === chosen }),
    h('span', null, label, h('small', null, note)),
  )
}

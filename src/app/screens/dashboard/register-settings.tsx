import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { listCollaborators } from '../../../github/apps/users.ts'
import { isSubdomain } from '../../../status/subdomain.ts'
import type { Project } from '../../../status/update-record.ts'
import { listReaders } from '../../../store/sites/stored-sites.ts'
import { GitHubError } from '../../../text/errors.ts'
import { readOwn } from '../../../text/json/json-values.ts'
import { parseSource } from '../../../text/parse-source.ts'
import type { AppContext } from '../../base/app-context.ts'
import { clientOf, toName, toProjectName } from '../../base/projects.ts'
import { toQuotaUses } from '../../base/quotas.ts'
import { toTask } from '../../base/tasks.ts'
import { type Pages, requireOwnPage } from '../../http/browser-requests.ts'
import { Problem } from '../../http/problem-details.ts'
import { readConfigFile } from '../../publish/fork-previews.ts'
import { checkDns, type DomainResolver, isCustomDomain, toDnsRecords } from '../../sites/custom-domains.ts'
import { mayDo } from '../people/people.ts'
import { Notice } from './project-actions.tsx'
import { type ConfigFile, DeletedProjects, SettingsContent, type SettingsPageProps } from './settings-page.tsx'
import { projectSideBar, sendDashboardPage } from './side-bar.tsx'
import {
  confirmAccess,
  findProject,
  listRestorable,
  type OpenVisit,
  ProjectPath,
  type ProjectRequest,
  toProjectPath,
  type Visit,
} from './visit.ts'

const SettingsBody = Type.Object({
  subdomain: Type.String({ maxLength: 100 }),
  enabled: Type.Enum(['yes', 'no'], { type: 'string' }),
  siteAccess: Type.Optional(Type.Enum(['repository', 'public'], { type: 'string' })),
})
const DeleteBody = Type.Object({ confirm: Type.String({ maxLength: 300 }) })
const DomainBody = Type.Object({ domain: Type.String({ maxLength: 300 }) })
const PreviewsBody = Type.Object({ maxPreviews: Type.String({ maxLength: 20 }), previewDays: Type.String({ maxLength: 20 }) })
const NoticeQuery = Type.Object({ notice: Type.Optional(Type.String({ maxLength: 20 })) })

type Confirm = ReturnType<typeof createConfirm>

/** `/projects/{projectId}/settings`, the deletion of a project, and `/projects/deleted`. Each needs admin access. */
export function registerSettings(pages: Pages, context: AppContext, resolver: DomainResolver, openVisit: OpenVisit): void {
  const { store } = context
  const confirm = createConfirm(context, openVisit)

  pages.get(
    '/projects/:projectId/settings',
    { schema: { params: ProjectPath, querystring: NoticeQuery } },
    async (request, reply) => {
      const visit = await openVisit(request)
      const project = await findProject(visit, request.params.projectId, 'admin')
      const notice = <Notice project={project} name={request.query.notice} />
      return await sendSettings(context, reply, visit, { project, values: project, mistake: undefined, notice })
    },
  )

  pages.post('/projects/:projectId/settings', { schema: { params: ProjectPath, body: SettingsBody } }, async (request, reply) => {
    const { project, actor, back, refuse } = await confirm(request, reply)
    const { subdomain: given, enabled, siteAccess = project.siteAccess } = request.body
    const issuers = (context.config.oidcIssuers ?? []).map(({ name }) => name)
    const values = {
      subdomain: given.trim().toLowerCase(),
      enabled: enabled === 'yes',
      siteAccess,
      issuers: issuers.filter((name) => readOwn(request.body, `issuer-${name}`) === 'yes'),
    }
    if (values.subdomain !== project.subdomain && !isSubdomain(values.subdomain)) {
      const rules = 'Use up to 49 lowercase letters, digits and single hyphens. Names such as www and api are reserved'
      return await refuse({ subdomain: rules }, values)
    }
    const result = await store.projects.set(project.id, values, actor)
    if (result.kind === 'subdomain-taken') {
      return await refuse({ subdomain: 'Another project already uses this subdomain' }, values)
    }
    if (result.kind === 'not-found') throw new Problem('not-found')
    return back()
  })

  pages.post('/projects/:projectId/previews', { schema: { params: ProjectPath, body: PreviewsBody } }, async (request, reply) => {
    const { project, actor, back, refuse } = await confirm(request, reply)
    const { sitePreviews, sitePreviewDays } = context.config
    const maxPreviews = readLimit(request.body.maxPreviews, 0, sitePreviews)
    const previewDays = readLimit(request.body.previewDays, 1, sitePreviewDays)
    if (maxPreviews.mistake !== undefined || previewDays.mistake !== undefined) {
      const previews = { values: request.body, maxPreviews: maxPreviews.mistake, previewDays: previewDays.mistake }
      return await refuse({ previews })
    }
    const values = { maxPreviews: maxPreviews.value, previewDays: previewDays.value }
    if ((await store.projects.set(project.id, values, actor)).kind === 'not-found') throw new Problem('not-found')
    return back()
  })

  registerDomain(pages, context, resolver, confirm)
  registerDeletion(pages, context, confirm, openVisit)
}

/** Authorizes a form, and confirms the access with GitHub. */
function createConfirm(context: AppContext, openVisit: OpenVisit) {
  return async (request: ProjectRequest, reply: FastifyReply) => {
    requireOwnPage(context, request)
    const visit = await openVisit(request)
    const project = await confirmAccess(visit, await findProject(visit, request.params.projectId, 'admin'), 'admin')
    const back = () => reply.redirect(`${toProjectPath(project)}/settings?notice=saved`, 303)
    const refuse = (mistake: SettingsPageProps['mistake'], values: SettingsPageProps['values'] = project) =>
      sendSettings(context, reply, visit, { project, values, mistake, notice: undefined })
    return { visit, project, actor: `github:${visit.person.login}`, back, refuse }
  }
}

/** The form that deletes a project, and the list of deleted ones with a form to restore each. */
function registerDeletion(pages: Pages, context: AppContext, confirm: Confirm, openVisit: OpenVisit): void {
  const { store } = context
  pages.post('/projects/:projectId/delete', { schema: { params: ProjectPath, body: DeleteBody } }, async (request, reply) => {
    const { visit, project, actor, refuse } = await confirm(request, reply)
    if (request.body.confirm.trim() !== toProjectName(project)) {
      return await refuse({ confirm: `Enter ${toProjectName(project)} to delete this project` })
    }
    await store.projects.remove(project.id, actor)
    request.log.info({ projectId: project.id, login: visit.person.login }, 'Deleted a project')
    return reply.redirect('/projects/deleted', 303)
  })

  pages.get('/projects/deleted', async (request, reply) => {
    const visit = await openVisit(request)
    const content = <DeletedProjects projects={await listRestorable(visit)} />
    return sendDashboardPage(reply, { visit, title: 'Deleted projects', section: 'projects', aside: undefined, content })
  })

  pages.post('/projects/:projectId/restore', { schema: { params: ProjectPath } }, async (request, reply) => {
    requireOwnPage(context, request)
    const visit = await openVisit(request)
    const deleted = (await store.projects.listDeleted()).find(({ id }) => id === request.params.projectId)
    if (!deleted || !mayDo(visit.access, deleted, 'read')) throw new Problem('not-found')
    const project = await confirmAccess(visit, deleted, 'admin')
    const { id, repositoryId, owner, repo, installationId } = project
    if (!(await store.projects.restore(id, `github:${visit.person.login}`))) throw new Problem('not-found')
    const payload = { repositoryId, owner, repo, ...(installationId === undefined ? {} : { installationId }) }
    await store.accept({ tasks: [toTask(store.newId(), 'confirm', installationId, payload)] })
    return reply.redirect(toProjectPath(project), 303)
  })
}

/** Reads a limit of previews; `null` for an empty field. */
function readLimit(text: string, min: number, max: number) {
  const digits = text.trim()
  if (digits === '') return { value: null }
  const value = /^\d{1,6}$/.test(digits) ? Number(digits) : Number.NaN
  if (value >= min && value <= max) return { value }
  return { mistake: `Enter a whole number from ${min} to ${max.toLocaleString('en-US')}, or nothing` }
}

/** The forms of the custom domain. */
function registerDomain(pages: Pages, context: AppContext, resolver: DomainResolver, confirm: Confirm): void {
  const { store } = context
  const open = async (...form: Parameters<Confirm>) => {
    const confirmed = await confirm(...form)
    const place = context.urls.sites()
    if (!place) throw new Problem('unprocessable', 'This server does not host sites')
    return { ...confirmed, place }
  }

  pages.post('/projects/:projectId/domain', { schema: { params: ProjectPath, body: DomainBody } }, async (request, reply) => {
    const { project, place, actor, back, refuse } = await open(request, reply)
    const domain = request.body.domain.trim().toLowerCase()
    if (!isCustomDomain(domain, place))
      return await refuse({ domain: 'Enter a domain such as docs.example.com, without https://' })
    await store.domains.set(project.id, domain, actor)
    return back()
  })

  pages.post('/projects/:projectId/domain/verify', { schema: { params: ProjectPath } }, async (request, reply) => {
    const { project, place, actor, back, refuse } = await open(request, reply)
    const domain = await store.domains.find(project.id)
    if (!domain) throw new Problem('unprocessable', 'This project has no custom domain')
    const check = await checkDns(resolver, toDnsRecords(domain, project.subdomain, place))
    if (check.kind === 'wrong') return await refuse({ dns: check.mistake })
    if (check.kind === 'unknown') return await refuse({ dns: `The DNS did not respond (${check.reason}). Try again in a minute` })
    await store.domains.verify(domain, actor)
    return back()
  })

  pages.post('/projects/:projectId/domain/remove', { schema: { params: ProjectPath } }, async (request, reply) => {
    const { project, actor, back } = await open(request, reply)
    await store.domains.remove(project.id, actor)
    return back()
  })
}

type Shown = Pick<SettingsPageProps, 'project' | 'values' | 'mistake' | 'notice'>

async function sendSettings(context: AppContext, reply: FastifyReply, visit: Visit, shown: Shown): Promise<FastifyReply> {
  const { project, mistake } = shown
  const { installationId } = project
  const [aside, usage, domain, configFile, members, people] = await Promise.all([
    projectSideBar(visit, project),
    // Until the app knows of a transfer, the project has the installation of another account.
    installationId !== undefined && visit.access.installations.has(installationId)
      ? context.store.usage.read(installationId)
      : undefined,
    context.store.domains.find(project.id),
    unlessUnreachable(context, () => readSettings(context, project)),
    unlessUnreachable(context, () => listCollaborators(clientOf(context, project), toName(project))),
    context.store.sessions.listPeople(),
  ])
  const quotas = usage === undefined ? [] : toQuotaUses(context, usage)
  const readers = listReaders(project, people)
  const content = <SettingsContent visit={visit} {...shown} {...{ quotas, domain, configFile, members, readers }} />
  const title = `Settings · ${toProjectName(project)}`
  const status = mistake === undefined ? 200 : 422
  return sendDashboardPage(reply, { visit, title, section: 'projects', aside, content, status })
}

/** Shows the page without this part if GitHub does not respond. */
async function unlessUnreachable<Value>({ log }: AppContext, read: () => Promise<Value>): Promise<Value | 'unreachable'> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error
    log.warn({ reason: error.message }, 'Cannot read a part of the settings page')
    return 'unreachable'
  }
}

/** The settings in the configuration file on the default branch; `undefined` if there is no file. @throws {GitHubError} */
async function readSettings(context: AppContext, project: Project): Promise<ConfigFile | undefined> {
  const source = await readConfigFile(context, project)
  return source && { path: source.path, value: (await parseSource(source)).value }
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ComponentChild, h } from 'preact'
import { type Static, Type } from 'typebox'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import { GitHubError } from '../../errors.ts'
import type { GitHubApp } from '../../github/github-app.ts'
import { readApp } from '../../github/installations.ts'
import type { Project } from '../../status/types.ts'
import type { StoredUpdate } from '../../store/update-rows.ts'
import type { AppContext } from '../app-context.ts'
import { Problem } from '../http/problem-details.ts'
import { heading, icon, inlineCode, stateLabels } from '../pages/elements.ts'
import { toProjectName } from '../run/run-context.ts'
import { ago, cursorPager, pager, updateList } from './dashboard-elements.ts'
import { hostOf, sideBar } from './side-bar.ts'
import {
  listProjects,
  revalidatePage,
  sendDashboardPage,
  toProjectPath,
  toRefName,
  toSubject,
  toUpdatePath,
  toVisitUrl,
  type Visit,
} from './visit.ts'

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
  visit: (request: FastifyRequest) => Promise<Visit>,
): void {
  pages.get(
    '/projects',
    { schema: { querystring: ProjectsQuery } },
    async (request: FastifyRequest<{ Querystring: Static<typeof ProjectsQuery> }>, reply) => {
      const asked = await visit(request)
      const all = await listProjects(asked)
      const ids = all.map(({ id }) => id)
      const etag = await revalidatePage(asked, { request, reply, read: () => context.store.overviews.readStamp(ids) })
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
      const content = projectsContent(asked, {
        projects: await Promise.all(
          shown.map(async (project) => ({
            project,
            ...(await readLatest(context, project)),
            hasSite: (await context.store.sites.findPublished(project.id)) !== undefined,
          })),
        ),
        counts: { all: all.length, found: found.length },
        search,
        page,
        pages: pageCount,
        installUrl: appUrl === undefined ? undefined : `${appUrl}/installations/new`,
      })
      const aside = all.length === 0 ? undefined : await sideBar(asked, { projects: all, current: undefined })
      return sendDashboardPage(reply, { visit: asked, title: 'Projects', section: 'projects', aside, content, etag })
    },
  )

  pages.get(
    '/updates',
    { schema: { querystring: UpdatesQuery } },
    async (request: FastifyRequest<{ Querystring: Static<typeof UpdatesQuery> }>, reply) => {
      const asked = await visit(request)
      const { cursor } = request.query
      const projects = await listProjects(asked)
      const ids = projects.map(({ id }) => id)
      const etag = await revalidatePage(asked, { request, reply, read: () => context.store.overviews.readStamp(ids) })
      if (etag === undefined) return reply
      const list = await context.store.overviews.list(ids, { limit: updatesPerPage, cursor })
      if (!list) throw new Problem('not-found')
      const names = new Map(projects.map((project) => [project.id, toProjectName(project)]))
      const content = [
        h('h1', null, 'Updates'),
        h(
          'section',
          { 'data-part': 'updates' },
          heading('updates', 'Latest'),
          list.updates.length === 0
            ? h('p', { class: 'empty' }, 'No updates yet. Push to one of your repositories to start one.')
            : updateList(
                list.updates.map((stored) => ({ stored, note: projectNote(stored, names.get(stored.update.projectId)) })),
                asked.now,
              ),
          cursorPager('/updates', { cursor, nextCursor: list.nextCursor }),
        ),
      ]
      const aside = await sideBar(asked, { projects, current: undefined })
      return sendDashboardPage(reply, { visit: asked, title: 'Updates', section: 'updates', aside, content, etag })
    },
  )
}

function projectNote(stored: StoredUpdate, name: string | undefined): ComponentChild {
  const { commit, author } = stored.update
  return [`${name ?? ''}: ${toRefName(stored)}, `, h('span', { class: 'mono' }, commit.sha.slice(0, 7)), ` by ${author}`]
}

/** The newest updates of the default branch and of the other branches. */
async function readLatest({ store }: AppContext, { id, defaultBranch }: Project) {
  const ref = `refs/heads/${defaultBranch}`
  const { updates, count } = await store.overviews.listRefs(id, { limit: 2, first: ref })
  const production = updates.find(({ update }) => update.commit.ref === ref)
  return {
    production,
    preview: updates.find(({ update }) => update.commit.ref !== ref),
    previewCount: count - (production ? 1 : 0),
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

interface ProjectItem {
  readonly project: Project
  /** The newest update of the default branch. */
  readonly production: StoredUpdate | undefined
  /** The newest update of another branch. */
  readonly preview: StoredUpdate | undefined
  readonly previewCount: number
  /** Whether a site is published. */
  readonly hasSite: boolean
}

interface ProjectsPage {
  /** Projects on this page. */
  readonly projects: readonly ProjectItem[]
  /** Number of projects that the user may read, and that match the search. */
  readonly counts: { readonly all: number; readonly found: number }
  readonly search: string
  readonly page: number
  readonly pages: number
  /** Where to install the app on repositories, if known. */
  readonly installUrl: string | undefined
}

function projectsContent(visit: Visit, options: ProjectsPage): ComponentChild {
  const { counts, search, projects, page, pages, installUrl } = options
  if (counts.all === 0) return noProjects(visit, options)
  return [
    h(
      'div',
      { class: 'title' },
      h('h1', null, 'Projects'),
      installUrl !== undefined && h('span', { class: 'acts' }, h('a', { class: 'button', href: installUrl }, 'Add project')),
    ),
    h(
      'form',
      { class: 'field', method: 'get', action: '/projects', role: 'search' },
      h(
        'label',
        { for: 'q' },
        'Repository or subdomain',
        h('input', { id: 'q', name: 'q', type: 'search', value: search, maxLength: 100, autocomplete: 'off' }),
      ),
      h('button', { class: 'button quiet', type: 'submit' }, 'Search'),
    ),
    h(
      'section',
      { 'data-part': 'projects' },
      heading('projects', search ? 'Results' : 'All', counts.found),
      counts.found === 0
        ? h('p', { class: 'empty' }, 'No matching projects. ', h('a', { href: '/projects' }, 'Show all'))
        : h(
            'ul',
            { class: 'list' },
            projects.map((item) => projectItem(visit, item)),
          ),
      pager('/projects', { page, pages, ...(search && { q: search }) }),
      h('p', { class: 'empty' }, h('a', { href: '/projects/deleted' }, 'Deleted projects')),
    ),
  ]
}

function projectItem(
  { now, siteUrl }: Visit,
  { project, production, preview, previewCount, hasSite }: ProjectItem,
): ComponentChild {
  const state = production?.update.status ?? 'queued'
  const site = siteUrl({ subdomain: project.subdomain })
  return h(
    'li',
    { class: `is-${state}` },
    icon(state),
    h(
      'span',
      null,
      production && h('span', { class: 'hidden' }, `${stateLabels[state]}: `),
      h('a', { href: toProjectPath(project) }, toProjectName(project)),
      project.private && h('span', { class: 'tag' }, 'Private'),
      !project.enabled && h('span', { class: 'tag' }, 'Off'),
      h(
        'small',
        null,
        production
          ? [h('bdi', null, toRefName(production)), ': ', h('bdi', null, inlineCode(toSubject(production)))]
          : `No updates of ${project.defaultBranch} yet`,
      ),
      preview && previewNote(preview, previewCount),
    ),
    production ? ago(production.update.createdAt, now) : h('span', { class: 'when' }),
    h(
      'span',
      { class: 'action' },
      hasSite &&
        site &&
        h(
          'a',
          { class: 'button quiet', href: toVisitUrl(project, site) },
          'Visit',
          h('span', { class: 'hidden' }, ` ${hostOf(site)}`),
        ),
    ),
  )
}

/** `Preview #482: in progress, 2 more previews`. */
function previewNote(preview: StoredUpdate, count: number): ComponentChild {
  const { status } = preview.update
  return h(
    'small',
    { class: `preview is-${status}` },
    icon(status),
    'Preview ',
    h('a', { href: toUpdatePath(preview) }, h('bdi', null, toRefName(preview))),
    `: ${stateLabels[status].toLowerCase()}${count > 1 ? `, ${formatCount(count - 1, 'more preview')}` : ''}`,
  )
}

function noProjects({ person }: Visit, { installUrl }: ProjectsPage): ComponentChild {
  return [
    h('h1', null, 'No projects yet'),
    h(
      'p',
      { class: 'lead' },
      `${person.login} has not been granted access to any connected repository. Install the app on a repository to create its project. ` +
        'A public repository appears here only if you have been granted access to it.',
    ),
    installUrl !== undefined &&
      h('p', { class: 'acts' }, h('a', { class: 'button', href: installUrl }, 'Install the app on a repository')),
    h('p', { class: 'empty' }, h('a', { href: '/projects/deleted' }, 'Deleted projects')),
  ]
}

import { type ComponentChild, h } from 'preact'
import type { Project } from '../../status/types.ts'
import type { StoredUpdate } from '../../store/update-rows.ts'
import { heading } from '../pages/heading.ts'
import { icon } from '../pages/icons.ts'
import { stateWords } from '../pages/words.ts'
import { ago } from './ago.ts'
import { toProjectName, toProjectPath, toRefName, toSubject, toVisitUrl, type Visit } from './dashboard-context.ts'
import { pager } from './pager.ts'
import { hostOf } from './side-bar.ts'

interface ProjectItem {
  readonly project: Project
  readonly latest: StoredUpdate | undefined
  /** Its own address shows something. */
  readonly hasSite: boolean
}

export interface ProjectsPage {
  /** Those of this page. */
  readonly projects: readonly ProjectItem[]
  /** All that the person may see, and those that the search leaves. */
  readonly counts: { readonly all: number; readonly found: number }
  readonly search: string
  readonly page: number
  readonly pages: number
  /** Where the app is installed on repositories; absent where it is not known. */
  readonly installUrl: string | undefined
}

export function projectsContent(visit: Visit, options: ProjectsPage): ComponentChild {
  const { counts, search, projects, page, pages } = options
  if (counts.all === 0) return noProjects(visit, options)
  return [
    h('h1', null, 'Projects'),
    h(
      'form',
      { class: 'field', method: 'get', action: '/projects', role: 'search' },
      h(
        'label',
        { for: 'q' },
        'Repository or address',
        h('input', { id: 'q', name: 'q', type: 'search', value: search, maxLength: 100, autocomplete: 'off' }),
      ),
      h('button', { class: 'button quiet', type: 'submit' }, 'Find'),
    ),
    h(
      'section',
      { 'data-part': 'projects' },
      heading('projects', search ? 'Found' : 'All', counts.found),
      counts.found === 0
        ? h('p', { class: 'empty' }, 'No project of yours has this in its name. ', h('a', { href: '/projects' }, 'Show all'))
        : h(
            'ul',
            { class: 'list' },
            projects.map((item) => projectItem(visit, item)),
          ),
      pager('/projects', { page, pages, ...(search && { q: search }) }),
    ),
  ]
}

function projectItem({ now, siteUrl }: Visit, { project, latest, hasSite }: ProjectItem): ComponentChild {
  const state = latest?.update.status ?? 'queued'
  const site = siteUrl({ subdomain: project.subdomain })
  return h(
    'li',
    { class: `is-${state}` },
    icon(state),
    h(
      'span',
      null,
      latest && h('span', { class: 'hidden' }, `${stateWords[state]}: `),
      h('a', { href: toProjectPath(project) }, toProjectName(project)),
      project.private && h('span', { class: 'tag' }, 'Private'),
      !project.enabled && h('span', { class: 'tag' }, 'Off'),
      h(
        'small',
        null,
        latest
          ? [h('bdi', null, toSubject(latest)), ' (', h('bdi', null, toRefName(latest)), ')']
          : 'No update yet: it comes with the next push',
      ),
    ),
    latest ? ago(latest.update.createdAt, now) : h('span', { class: 'when' }),
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

function noProjects({ person }: Visit, { installUrl }: ProjectsPage): ComponentChild {
  return [
    h('h1', null, 'No projects yet'),
    h(
      'p',
      { class: 'lead' },
      `${person.login} has been given access to no repository that this server documents. A project comes by itself when the app is ` +
        'installed on a repository; that its code is public is not enough to see it here.',
    ),
    installUrl !== undefined &&
      h('p', { class: 'acts' }, h('a', { class: 'button', href: installUrl }, 'Install the app on a repository')),
  ]
}

import { type ComponentChild, h } from 'preact'
import type { Project } from '../../status/types.ts'
import type { StoredUpdate } from '../../store/update-rows.ts'
import { icon, inlineCode, stateLabels } from '../pages/elements.ts'
import { toProjectName } from '../run/run-context.ts'
import { toAgo } from './dashboard-elements.ts'
import { listProjects, toProjectPath, toRefName, toSubject, toUpdatePath, type Visit } from './visit.ts'

/** The full list is on the projects page. */
const shownProjects = 12
const shownUpdates = 5

/** The side bar of a project page. */
export async function projectSideBar(visit: Visit, project: Project): Promise<ComponentChild> {
  return await sideBar(visit, { projects: await listProjects(visit), current: project })
}

/** Lists the user's projects and their latest updates. */
export async function sideBar(
  { context, now, siteUrl }: Visit,
  { projects, current }: { projects: readonly Project[]; current: Project | undefined },
): Promise<ComponentChild> {
  const first = projects.slice(0, shownProjects)
  const isListed = first.some(({ id }) => id === current?.id)
  const shown = current && !isListed ? [current, ...first.slice(0, -1)] : first
  const production = await Promise.all(
    shown.map(({ id, defaultBranch }) => context.store.statuses.list(id, { ref: `refs/heads/${defaultBranch}`, limit: 1 })),
  )
  const updates = await context.store.overviews.list(
    projects.map(({ id }) => id),
    { limit: shownUpdates },
  )
  return [
    h(
      'section',
      null,
      h('h2', null, 'Projects'),
      h(
        'ul',
        null,
        shown.map((project, index) => {
          const state = production[index]?.updates[0]?.update.status
          const url = siteUrl({ subdomain: project.subdomain })
          const note = !project.hasDocsConfig ? 'Checks only: no docs.json' : url ? hostOf(url) : project.subdomain
          const isCurrent = project.id === current?.id
          return entry({ href: toProjectPath(project), title: toProjectName(project), note, state, isCurrent })
        }),
        projects.length > shown.length &&
          h('li', null, h('a', { href: '/projects' }, `All ${projects.length.toLocaleString('en-US')} projects`)),
      ),
    ),
    updates &&
      updates.updates.length > 0 &&
      h(
        'section',
        null,
        h('h2', null, 'Latest updates'),
        h(
          'ul',
          null,
          updates.updates.map((stored) =>
            entry({
              href: toUpdatePath(stored),
              title: toSubject(stored),
              note: [h('bdi', null, toRefName(stored)), `, ${toAgo(stored.update.createdAt, now)}`],
              state: stored.update.status,
              isCurrent: false,
            }),
          ),
        ),
      ),
  ]
}

interface Entry {
  readonly href: string
  readonly title: string
  readonly note: ComponentChild
  readonly state: StoredUpdate['update']['status'] | undefined
  readonly isCurrent: boolean
}

function entry({ href, title, note, state, isCurrent }: Entry): ComponentChild {
  return h(
    'li',
    { class: `is-${state ?? 'queued'}` },
    h(
      'a',
      { href, ...(isCurrent && { 'aria-current': 'page' }) },
      icon(state ?? 'queued'),
      state && h('span', { class: 'hidden' }, `${stateLabels[state]}: `),
      h('span', null, h('bdi', null, inlineCode(title)), h('small', null, note)),
    ),
  )
}

/** A URL without its scheme and trailing slash. */
export function hostOf(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '')
}

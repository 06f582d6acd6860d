import { type ComponentChild, h } from 'preact'
import type { Project } from '../../status/types.ts'
import type { StoredLink } from '../../store/session-store.ts'
import { breadcrumb } from '../pages/breadcrumb.ts'
import { icon } from '../pages/icons.ts'
import { count, formatDate } from '../pages/words.ts'
import { actionForm } from './action-form.ts'
import { toProjectName, toProjectPath } from './dashboard-context.ts'

/** How long a link may be good, in days. */
export const linkDays = [1, 7, 30] as const

/** Makes a link for people who cannot read the repository, and takes back those that were made. */
export function linkForm(project: Project, links: readonly StoredLink[]): ComponentChild {
  return h(
    'details',
    { class: 'fold', 'data-fold': 'share' },
    h('summary', null, icon('turn'), 'Share with people who cannot read the repository'),
    h(
      'form',
      { class: 'field', method: 'post', action: `${toProjectPath(project)}/link` },
      h(
        'label',
        { for: 'days' },
        'Good for',
        h(
          'select',
          { id: 'days', name: 'days' },
          linkDays.map((days) => h('option', { value: days, selected: days === 7 }, count(days, 'day'))),
        ),
      ),
      h('button', { class: 'button quiet', type: 'submit' }, 'Make a link'),
    ),
    links.length > 0 &&
      h(
        'ul',
        { class: 'list', 'aria-label': 'Links that let somebody in' },
        links.map((link) => linkItem(project, link)),
      ),
  )
}

function linkItem(project: Project, { id, host, createdBy, createdAt, expiresAt }: StoredLink): ComponentChild {
  const by = createdBy.replace(/^github:/, '')
  return h(
    'li',
    null,
    icon('leave'),
    h('span', null, host, h('small', null, `Made by ${by} on ${formatDate(createdAt)}`)),
    h('time', { class: 'when numeric', dateTime: expiresAt }, `until ${formatDate(expiresAt)}`),
    h(
      'span',
      { class: 'action' },
      actionForm({
        action: `${toProjectPath(project)}/links/${id}/revoke`,
        label: 'Revoke',
        of: `the link by ${by} until ${formatDate(expiresAt)}`,
      }),
    ),
  )
}

/** The link that was made; this is its only appearance. */
export function linkContent(project: Project, { url, until }: { url: string; until: Date }): ComponentChild {
  const path = toProjectPath(project)
  return [
    breadcrumb([h('a', { href: '/projects' }, 'Projects'), h('a', { href: path }, toProjectName(project))]),
    h('h1', null, 'Link to the site'),
    h(
      'p',
      { class: 'lead' },
      `Whoever has it can read this site until ${formatDate(until.toISOString())}. It is not shown again; on the page of the project it can be revoked.`,
    ),
    h(
      'div',
      { class: 'field' },
      h('label', { for: 'link' }, 'Link', h('input', { id: 'link', value: url, readOnly: true, class: 'mono' })),
      h('a', { class: 'button quiet', href: url }, 'Open'),
    ),
  ]
}

import { type ComponentChild, h } from 'preact'
import type { Project } from '../../status/types.ts'
import { breadcrumb } from '../pages/breadcrumb.ts'
import { icon } from '../pages/icons.ts'
import { count, formatDate } from '../pages/words.ts'
import { toProjectName, toProjectPath } from './dashboard-context.ts'

/** How long a link may be good, in days. */
export const linkDays = [1, 7, 30] as const

/** Makes a link for people without an account that can read the repository. */
export function linkForm(project: Project, sha?: string): ComponentChild {
  return h(
    'details',
    { class: 'fold', 'data-fold': 'share' },
    h('summary', null, icon('turn'), 'Share with people who cannot read the repository'),
    h(
      'form',
      { class: 'field', method: 'post', action: `${toProjectPath(project)}/link` },
      sha !== undefined && h('input', { type: 'hidden', name: 'sha', value: sha }),
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
      `Whoever has it can read this site until ${formatDate(until.toISOString())}. It is not shown again.`,
    ),
    h(
      'div',
      { class: 'field' },
      h('label', { for: 'link' }, 'Link', h('input', { id: 'link', value: url, readOnly: true, class: 'mono' })),
      h('a', { class: 'button quiet', href: url }, 'Open'),
    ),
  ]
}

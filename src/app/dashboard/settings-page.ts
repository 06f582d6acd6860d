import { type ComponentChild, h } from 'preact'
import type { Project } from '../../status/types.ts'
import { breadcrumb } from '../pages/breadcrumb.ts'
import type { QuotaUse } from '../quotas.ts'
import { toProjectName, toProjectPath, type Visit } from './dashboard-context.ts'
import { hostOf } from './side-bar.ts'

export interface SettingsPage {
  readonly project: Project
  /** As they were given; those of the project where nothing was. */
  readonly values: { readonly subdomain: string; readonly enabled: boolean; readonly siteAccess: Project['siteAccess'] }
  /** Why the subdomain was not taken. */
  readonly mistake: string | undefined
  readonly notice: ComponentChild
  /** What the installation uses of its quotas; empty where there is no installation. */
  readonly quotas: readonly QuotaUse[]
}

export function settingsContent(visit: Visit, { project, values, mistake, notice, quotas }: SettingsPage): ComponentChild {
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
        `${url ? `The site is at ${hostOf(url)}. ` : ''}After a change the old address shows nothing.`,
      ),
      project.private &&
        h(
          'fieldset',
          null,
          h('legend', null, 'Who may read the site'),
          choice('siteAccess', 'repository', values.siteAccess, 'Those who can read the repository', 'They sign in with GitHub.'),
          choice('siteAccess', 'public', values.siteAccess, 'Everybody', 'Also the previews of branches and pull requests.'),
        ),
      h(
        'fieldset',
        null,
        h('legend', null, 'Updates'),
        choice('enabled', 'yes', values.enabled ? 'yes' : 'no', 'On', 'Each push is checked and its site built.'),
        choice('enabled', 'no', values.enabled ? 'yes' : 'no', 'Off', 'Pushes make no updates; the site stays as it is.'),
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
    h('p', { class: 'hint' }, 'All projects of one installation of the GitHub App share them.'),
    h(
      'dl',
      null,
      quotas.flatMap(({ name, text, exceeded }) => [
        h('dt', null, name),
        h('dd', null, text, exceeded !== undefined && h('p', { class: 'mistake' }, `Quota used up. ${exceeded}`)),
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

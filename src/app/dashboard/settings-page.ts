import { type ComponentChild, h } from 'preact'
import { isObject } from '../../source/is-object.ts'
import { toFileLinks } from '../pages/diagnostics-section.ts'
import { breadcrumb } from '../pages/elements.ts'
import type { QuotaUse } from '../quotas.ts'
import { toProjectName } from '../run/run-context.ts'
import { domainSection } from './domain-section.ts'
import { choice, definitions, type SettingsPage, textField } from './settings-elements.ts'
import { hostOf } from './side-bar.ts'
import { toProjectPath, type Visit } from './visit.ts'

export function settingsContent(visit: Visit, page: SettingsPage): ComponentChild {
  const { project, notice, quotas } = page
  const path = toProjectPath(project)
  return [
    breadcrumb([h('a', { href: '/projects' }, 'Projects'), h('a', { href: path }, toProjectName(project))]),
    h('h1', null, 'Settings'),
    notice,
    siteForm(visit, page),
    domainSection(visit, page),
    configSection(visit, page),
    previewSection(visit, page),
    membersSection(visit, page),
    quotas.length > 0 && quotaList(quotas),
    dangerZone(page),
  ]
}

function siteForm(visit: Visit, { project, values, mistake }: SettingsPage): ComponentChild {
  const path = toProjectPath(project)
  const url = visit.siteUrl({ subdomain: project.subdomain })
  const hint = `${url ? `The site is at ${hostOf(url)}. ` : ''}If you change the subdomain, the old URL stops working.`
  return h(
    'form',
    { class: 'settings', method: 'post', action: `${path}/settings` },
    textField({ name: 'subdomain', label: 'Subdomain', value: values.subdomain, hint, mistake: mistake?.subdomain }),
    project.private &&
      h(
        'fieldset',
        null,
        h('legend', null, 'Who can read the site'),
        choice('siteAccess', 'repository', values.siteAccess, 'People who can read the repository', 'They sign in with GitHub.'),
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
  )
}

const shownSettings = 100

/** Every setting in the configuration file, with its value and a link to the file. */
function configSection({ context }: Visit, { project, configFile }: SettingsPage): ComponentChild {
  const { owner, repo, defaultBranch } = project
  const links = toFileLinks(`${context.config.githubUrl}/${owner}/${repo}`, defaultBranch)
  const rows = configFile === undefined || configFile === 'unreachable' ? [] : listSettings(configFile.value)
  return h(
    'section',
    { 'data-part': 'config' },
    h('h2', null, 'Configuration file'),
    configFile === 'unreachable'
      ? h('p', { class: 'empty' }, unreachable)
      : configFile === undefined
        ? h(
            'p',
            { class: 'empty' },
            `${defaultBranch} has no `,
            h('code', null, 'openapi-pages.config.yaml'),
            ', so every setting has its default.',
          )
        : [
            h(
              'p',
              { class: 'hint' },
              'These settings come from ',
              h('a', { href: links.file(configFile.path) }, configFile.path),
              ` on ${defaultBranch}. Change them there. All other settings have their defaults.`,
            ),
            definitions(
              rows.slice(0, shownSettings).map(([name, value]) => [h('code', null, name), h('bdi', { class: 'mono' }, value)]),
            ),
            rows.length > shownSettings && h('p', { class: 'empty' }, `… and ${rows.length - shownSettings} more`),
          ],
  )
}

/** Flattens the mappings of a file to two levels: `github.check` and its value as JSON. */
function listSettings(value: unknown): readonly (readonly [name: string, value: string])[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, own]) =>
    isObject(own)
      ? Object.entries(own).map(([name, inner]) => [`${key}.${name}`.slice(0, 100), toText(inner)] as const)
      : [[key.slice(0, 100), toText(own)] as const],
  )
}

function toText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** Previews and retention. The server limits what a project may set. */
function previewSection({ context }: Visit, { project, mistake }: SettingsPage): ComponentChild {
  const { maxPreviews, previewDays } = project
  const [count, days] = [limitOf(context.config.sitePreviews, maxPreviews), limitOf(context.config.sitePreviewDays, previewDays)]
  const wrong = mistake?.previews
  const values = wrong?.values ?? { maxPreviews: toField(maxPreviews), previewDays: toField(previewDays) }
  const rule = 'Leave it empty to use the limit of the server.'
  return h(
    'section',
    { 'data-part': 'previews' },
    h('h2', null, 'Previews and retention'),
    definitions([
      ['Previews kept', `${count.value === 0 ? 'None' : toNumber(count.value)} (${toSource(count, 'SITE_PREVIEWS')})`],
      ['Deleted after', `${toNumber(days.value)} days (${toSource(days, 'SITE_PREVIEW_DAYS')}). The published site is kept`],
      ['Deleted projects', 'Can be restored for 30 days'],
    ]),
    context.config.sitePreviews === 0
      ? h('p', { class: 'hint' }, 'The operator of this server has turned previews off.')
      : h(
          'form',
          { class: 'settings', method: 'post', action: `${toProjectPath(project)}/previews` },
          textField({
            name: 'maxPreviews',
            label: 'Number of previews',
            value: values.maxPreviews,
            hint: `From 0, which turns previews off, to ${toNumber(context.config.sitePreviews)}. Earlier versions of the site count too. ${rule}`,
            mistake: wrong?.maxPreviews,
            isNumber: true,
          }),
          textField({
            name: 'previewDays',
            label: 'Days to keep a preview',
            value: values.previewDays,
            hint: `From 1 to ${toNumber(context.config.sitePreviewDays)}. ${rule}`,
            mistake: wrong?.previewDays,
            isNumber: true,
          }),
          h('p', { class: 'acts' }, h('button', { class: 'button quiet', type: 'submit' }, 'Save previews')),
        ),
  )
}

interface Limit {
  readonly value: number
  readonly source: 'server' | 'project' | 'capped'
  readonly server: number
}

/** The limit that applies. The server may have lowered its limit since the project set its own. */
function limitOf(server: number, own: number | undefined): Limit {
  const source = own === undefined ? 'server' : own > server ? 'capped' : 'project'
  return { value: Math.min(server, own ?? server), source, server }
}

function toSource({ source, server }: Limit, setting: string): string {
  if (source === 'project') return `set for this project, the server allows ${toNumber(server)}`
  return source === 'server' ? `set by the server, ${setting}` : `limited by the server, ${setting}`
}

function toField(value: number | undefined): string {
  return value === undefined ? '' : String(value)
}

function toNumber(value: number): string {
  return value.toLocaleString('en-US')
}

const may = {
  read: 'can see the site and its updates',
  write: 'can publish, run updates again, approve previews and share links',
  admin: 'can change these settings and delete the project',
} as const

function membersSection({ context }: Visit, { project, members }: SettingsPage): ComponentChild {
  const { owner, repo } = project
  const levels = ['admin', 'write', 'read'] as const
  return h(
    'section',
    { 'data-part': 'members' },
    h('h2', null, 'Members'),
    h(
      'p',
      { class: 'hint' },
      'Everyone with access to the repository is a member. ',
      h('a', { href: `${context.config.githubUrl}/${owner}/${repo}/settings/access` }, 'Change access on GitHub'),
      '.',
    ),
    members === 'unreachable'
      ? h('p', { class: 'empty' }, unreachable)
      : definitions(
          levels.flatMap((level) =>
            members
              .filter((member) => member.level === level)
              .map(({ login, role }) => [h('bdi', null, login), `${role}: ${may[level]}`] as const),
          ),
        ),
    members !== 'unreachable' && members.length === 100 && h('p', { class: 'empty' }, 'The first 100 are shown.'),
  )
}

const unreachable = 'GitHub did not respond. Reload the page in a moment.'

function dangerZone({ project, mistake }: SettingsPage): ComponentChild {
  const name = toProjectName(project)
  return h(
    'section',
    { class: 'danger' },
    h('h2', null, 'Delete the project'),
    h(
      'p',
      { class: 'hint' },
      'The site goes offline at once, and pushes are ignored. Nothing changes on GitHub. An admin can ',
      h('a', { href: '/projects/deleted' }, 'restore the project'),
      ' for 30 days.',
    ),
    h(
      'form',
      { class: 'settings', method: 'post', action: `${toProjectPath(project)}/delete` },
      textField({ name: 'confirm', label: 'Name of the project', value: '', hint: `Enter ${name}.`, mistake: mistake?.confirm }),
      h('p', { class: 'acts' }, h('button', { class: 'button danger', type: 'submit' }, 'Delete the project')),
    ),
  )
}

function quotaList(quotas: readonly QuotaUse[]): ComponentChild {
  return h(
    'section',
    { 'data-part': 'quotas' },
    h('h2', null, 'Quotas of this installation'),
    h('p', { class: 'hint' }, 'Shared by all projects of this installation of the GitHub App.'),
    definitions(
      quotas.map(({ name, text, exceeded }) => [
        name,
        [text, exceeded !== undefined && h('p', { class: 'mistake' }, `Quota exceeded. ${exceeded}`)],
      ]),
    ),
  )
}

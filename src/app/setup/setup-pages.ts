import { type ComponentChild, h } from 'preact'
import type { Credentials } from '../credentials.ts'
import { renderPage } from '../pages/layout.ts'
import { canDeliver } from './can-deliver.ts'
import { appPermissions, permissionReasons, toManifest } from './manifest.ts'

export interface SetupPageOptions {
  readonly baseUrl: string
  readonly githubUrl: string
  readonly key: string
  /** Organization that is to own the app; `''` for the person's own account. */
  readonly owner: string
  readonly state: string
}

/** The page that makes the GitHub App in one click. Works without script. */
export function renderSetupPage({ baseUrl, githubUrl, key, owner, state }: SetupPageOptions): string {
  const target = owner
    ? `${githubUrl}/organizations/${encodeURIComponent(owner)}/settings/apps/new`
    : `${githubUrl}/settings/apps/new`
  return renderPage({
    title: 'Set up · openapi-pages',
    mainClass: 'plain',
    children: [
      h('h1', null, 'Connect to GitHub'),
      h(
        'p',
        { class: 'lead' },
        'One click makes a GitHub App that belongs to you. Its keys go into the data folder of this server and nowhere else.',
      ),
      canDeliver(githubUrl, baseUrl) ? createForm(target, baseUrl, state, owner) : unreachableNote(baseUrl),
      h(
        'form',
        { class: 'field', method: 'get', action: '/setup' },
        h('input', { type: 'hidden', name: 'key', value: key }),
        h(
          'label',
          { for: 'owner' },
          'Organization that owns the app; empty for your own account',
          h('input', {
            id: 'owner',
            name: 'owner',
            value: owner,
            maxLength: 39,
            pattern: '[A-Za-z0-9][A-Za-z0-9\\-]*',
            autocomplete: 'off',
          }),
        ),
        h('button', { class: 'button quiet', type: 'submit' }, 'Use'),
      ),
      h('h2', null, 'What it asks for'),
      h(
        'table',
        null,
        h(
          'tbody',
          null,
          Object.entries(permissionReasons).map(([name, reason]) => permissionRow(name, reason)),
        ),
      ),
      h(
        'p',
        { class: 'empty' },
        'It reads repositories and writes checks. It pushes nothing: pages are committed by the Action.',
      ),
    ],
  })
}

function createForm(target: string, baseUrl: string, state: string, owner: string): ComponentChild {
  return h(
    'form',
    { method: 'post', action: `${target}?state=${encodeURIComponent(state)}` },
    h('input', { type: 'hidden', name: 'manifest', value: JSON.stringify(toManifest(baseUrl)) }),
    h('button', { class: 'button', type: 'submit' }, owner ? `Create the GitHub App for ${owner}` : 'Create the GitHub App'),
  )
}

function unreachableNote(baseUrl: string): ComponentChild {
  return h(
    'p',
    { class: 'note is-warning' },
    'GitHub cannot deliver to ',
    h('code', null, baseUrl),
    '. Start the server again with ',
    h('code', null, 'BASE_URL'),
    ' set to the address that it has on the internet, such as ',
    h('code', null, 'https://pages.example.com'),
    ', or to that of a tunnel to it.',
  )
}

function permissionRow(name: string, reason: string): ComponentChild {
  // The reasons have the same keys as the permissions; `Object.entries` forgets that.
  const access = appPermissions[name as keyof typeof appPermissions]
  return h('tr', null, h('th', { scope: 'row' }, `${name.replaceAll('_', ' ')}: ${access}`), h('td', null, reason))
}

/** Where GitHub asks which repositories an app is installed on. */
export function toInstallUrl(appUrl: string): string {
  return `${appUrl}/installations/new`
}

/** Shown once the keys are stored: what is left is to install the app on repositories. */
export function renderCreatedPage({ appUrl }: Credentials): string {
  return renderPage({
    title: 'Connected · openapi-pages',
    mainClass: 'plain',
    children: [
      h('h1', null, 'The GitHub App is yours'),
      h(
        'p',
        { class: 'lead' },
        'Its keys are stored and the server works with them already. Install it on a repository: from its next push on there is an update here, and a site.',
      ),
      appUrl !== undefined &&
        /^https?:\/\//.test(appUrl) &&
        h('p', null, h('a', { class: 'button', href: toInstallUrl(appUrl) }, 'Install it on repositories')),
      h('p', null, 'Then: ', h('a', { href: '/projects' }, 'your projects'), ', where you sign in with GitHub.'),
      h('p', { class: 'empty' }, 'Back up the data folder: the keys are in `github-app.json`, and GitHub shows them only once.'),
    ],
  })
}

/** GitHub did not give the keys. */
export function renderSetupFailurePage(reason: string, again: string): string {
  return renderPage({
    title: 'Not connected · openapi-pages',
    mainClass: 'plain',
    children: [
      h('h1', null, 'The GitHub App is not connected'),
      h('p', { class: 'lead' }, `${reason}.`),
      h('p', null, h('a', { class: 'button', href: again }, 'Start again')),
    ],
  })
}

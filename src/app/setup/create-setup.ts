import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ComponentChild, h } from 'preact'
import { type Static, Type } from 'typebox'
import { GitHubError } from '../../errors.ts'
import { convertManifest, type NewApp } from '../../github/github-app.ts'
import { isObject } from '../../source/is-object.ts'
import { type Credentials, writeCredentials } from '../app-config.ts'
import type { AppContext, RegisterRoutes } from '../app-context.ts'
import { Problem } from '../http/problem-details.ts'
import { renderPage } from '../pages/layout.ts'
import { sendPage } from '../pages/send-page.ts'
import { equalSecrets } from '../signed-links.ts'
import { appPermissions, canDeliver, permissionReasons, toManifest } from './manifest.ts'

const SetupQuery = Type.Object({
  key: Type.Optional(Type.String({ maxLength: 100 })),
  owner: Type.Optional(Type.String({ maxLength: 39, pattern: '^([A-Za-z0-9][A-Za-z0-9-]*)?$' })),
})
const CreatedQuery = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 200, pattern: '^[A-Za-z0-9_-]+$' })),
  state: Type.Optional(Type.String({ maxLength: 100 })),
})

/** In the data folder: the URL of the setup page, where no terminal shows it. */
const setupFileName = 'setup-url.txt'

/** Writes the URL of the setup page for the owner of the data folder alone (mode 0600). @returns The path of the file. */
export function writeSetupUrl(dataDir: string, url: string): string {
  const path = join(dataDir, setupFileName)
  // A file that is there keeps its mode, and a link would be followed.
  rmSync(path, { force: true })
  writeFileSync(path, `${url}\n`, { mode: 0o600, flag: 'wx' })
  return path
}

/** There is nothing more to set up. */
export function removeSetupUrl(dataDir: string): void {
  rmSync(join(dataDir, setupFileName), { force: true })
}

/** GitHub keeps the code for an hour, so a state that is older is of no use. */
const stateLifetimeMs = 3600_000

interface Setup {
  readonly routes: RegisterRoutes
  /** Address of the page with its key, on the address of the server. */
  url(): string
}

/**
 * The setup page: makes the GitHub App in one click and stores its keys; the server goes on without a restart.
 *
 * The key of the page is new at each start and in no log; without it, and once the keys are there, nothing is here.
 */
export function createSetup(context: AppContext, connect: (credentials: Credentials) => Promise<void>): Setup {
  const key = randomBytes(24).toString('base64url')
  const states = new Map<string, number>()
  const { config, log } = context
  const requireOpen = () => {
    if (context.github.credentials) throw new Problem('not-found')
  }
  const routes: RegisterRoutes = (server: FastifyInstance) => {
    server.get(
      '/setup',
      { schema: { querystring: SetupQuery } },
      async (request: FastifyRequest<{ Querystring: Static<typeof SetupQuery> }>, reply: FastifyReply) => {
        requireOpen()
        if (!equalSecrets(request.query.key ?? '', key)) throw new Problem('not-found')
        const state = randomBytes(24).toString('base64url')
        const now = context.now().getTime()
        for (const [old, madeAt] of states) if (now - madeAt > stateLifetimeMs) states.delete(old)
        states.set(state, now)
        const owner = request.query.owner ?? ''
        const html = renderSetupPage({ baseUrl: context.baseUrl(), githubUrl: config.githubUrl, key, owner, state })
        return sendPage(reply, html, 200, config.githubUrl)
      },
    )
    server.get(
      '/setup/created',
      { schema: { querystring: CreatedQuery } },
      async (request: FastifyRequest<{ Querystring: Static<typeof CreatedQuery> }>, reply: FastifyReply) => {
        requireOpen()
        const { code, state = '' } = request.query
        const madeAt = states.get(state)
        // Good once: a second use is a replay.
        states.delete(state)
        if (code === undefined || madeAt === undefined || context.now().getTime() - madeAt > stateLifetimeMs)
          throw new Problem('not-found')
        const converted = await convertManifest(code, { apiUrl: config.githubApiUrl }).catch((error: unknown) => error)
        if (converted instanceof GitHubError) {
          log.error({ reason: converted.message }, 'Cannot set up the GitHub App')
          return sendPage(reply, renderSetupFailurePage(toWords(converted, config.githubApiUrl), `/setup?key=${key}`), 502)
        }
        if (!isNewApp(converted)) throw converted
        requireOpen()
        const { id: appId, privateKey, webhookSecret, htmlUrl: appUrl, clientId, clientSecret } = converted
        const credentials = { appId, privateKey, webhookSecret, appUrl, oauth: { clientId, clientSecret } }
        writeCredentials(config.dataDir, credentials)
        removeSetupUrl(config.dataDir)
        await connect(credentials)
        log.info({ appId, appUrl, ...(appUrl && { next: `install it at ${toInstallUrl(appUrl)}` }) }, 'GitHub App set up')
        return sendPage(reply, renderCreatedPage(credentials))
      },
    )
  }
  return { routes, url: () => `${context.baseUrl()}/setup?key=${key}` }
}

function isNewApp(value: unknown): value is NewApp {
  return isObject(value) && 'privateKey' in value
}

/** For the person at the page; never a part of GitHub's answer. */
function toWords({ failure }: GitHubError, githubApiUrl: string): string {
  if (failure === 'not-found' || failure === 'invalid') return 'GitHub does not know the code: it is good once and for an hour'
  return `${githubApiUrl} did not answer as expected. Check that this server can reach it`
}

interface SetupPageOptions {
  readonly baseUrl: string
  readonly githubUrl: string
  readonly key: string
  /** Organization that is to own the app; `''` for the person's own account. */
  readonly owner: string
  readonly state: string
}

/** The page that makes the GitHub App in one click. Works without script. */
function renderSetupPage({ baseUrl, githubUrl, key, owner, state }: SetupPageOptions): string {
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
function toInstallUrl(appUrl: string): string {
  return `${appUrl}/installations/new`
}

/** Shown once the keys are stored: what is left is to install the app on repositories. */
function renderCreatedPage({ appUrl }: Credentials): string {
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
function renderSetupFailurePage(reason: string, again: string): string {
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

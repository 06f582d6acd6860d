import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { writeSetupUrl } from '../../../src/app/setup/create-setup.ts'
import { appEvents, appPermissions, toManifest } from '../../../src/app/setup/manifest.ts'
import { isObject } from '../../../src/source/is-object.ts'
import { startFakeGitHub } from '../../support/fake-github/fake-github.ts'
import { startTestApp } from '../support/test-app.ts'

const html = { Accept: 'text/html' }

async function start(env: Record<string, string> = {}) {
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const app = await startTestApp(onTestFinished, {
    env: { GITHUB_URL: github.url, BASE_URL: 'https://pages.example.com', ...env },
  })
  const setup = new URL(app.setupUrl ?? '')
  const open = (query = '') => app.api(`${setup.pathname}${setup.search}${query}`, { headers: html })
  return { github, app, setup, open }
}

/** What the browser would post: the address of the form and the manifest in it. */
function readForm(page: string): { action: URL; manifest: Record<string, unknown>; state: string } {
  const decode = (text = '') => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const action = new URL(decode(/<form method="post" action="([^"]+)"/.exec(page)?.[1]))
  const manifest: unknown = JSON.parse(decode(/name="manifest" value="([^"]+)"/.exec(page)?.[1]))
  return { action, manifest: isObject(manifest) ? manifest : {}, state: action.searchParams.get('state') ?? '' }
}

describe('the setup page', () => {
  test('one click makes the app, stores its keys closed, and the server goes on without a restart', async () => {
    const { github, app, open } = await start()
    expect(app.context.github.app).toBeUndefined()
    // As `serve` does without a terminal, over a file that others can read.
    writeFileSync(join(app.dataDir, 'setup-url.txt'), 'of an earlier start', { mode: 0o644 })
    const setupFile = writeSetupUrl(app.dataDir, app.setupUrl ?? '')
    expect([readFileSync(setupFile, 'utf8'), statSync(setupFile).mode & 0o777]).toEqual([`${app.setupUrl}\n`, 0o600])
    const page = await open()
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${github.url}`)
    const { action, manifest, state } = readForm(page.text)
    expect(action.href).toContain(`${github.url}/settings/apps/new?state=`)
    const code = github.confirmManifest(manifest)
    const created = await app.api(`/setup/created?code=${code}&state=${state}`, { headers: html })
    expect([created.status, created.text]).toEqual([200, expect.stringContaining('/installations/new')])
    const path = join(app.dataDir, 'github-app.json')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const made = github.registeredApps[0]
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ appId: made?.id, webhookSecret: made?.webhookSecret })
    expect(app.context.github.app?.appId).toBe(made?.id)
    expect(existsSync(setupFile)).toBe(false)
    expect(app.context.github.credentials?.webhookSecret).toBe(made?.webhookSecret)
    expect(app.logLines.join('')).not.toContain(made?.webhookSecret)
    github.assertNoUnexpectedRequests()
  })

  test('once done, nothing is there any more', async () => {
    const { github, app, open } = await start()
    const { manifest, state } = readForm((await open()).text)
    await app.api(`/setup/created?code=${github.confirmManifest(manifest)}&state=${state}`, { headers: html })
    expect((await open()).status).toBe(404)
    expect(
      (await app.api(`/setup/created?code=${github.confirmManifest(manifest)}&state=${state}`, { headers: html })).status,
    ).toBe(404)
  })

  test('an organization can own the app', async () => {
    const { github, open } = await start()
    const { action } = readForm((await open('&owner=acme-inc')).text)
    expect(action.href).toContain(`${github.url}/organizations/acme-inc/settings/apps/new`)
    expect((await open('&owner=%22%3E%3Cscript%3E')).status).toBe(400)
  })

  test.each([
    ['without its key', () => '/setup'],
    ['with another key', () => `/setup?key=${'a'.repeat(32)}`],
    ['with a key of another length', () => '/setup?key=a'],
    ['back from GitHub without a state', () => '/setup/created?code=abc'],
    ['back from GitHub with a state of somebody else', () => '/setup/created?code=abc&state=forged'],
    ['back from GitHub without a code', (state: string) => `/setup/created?state=${state}`],
  ])('%s: 404, and GitHub is not asked', async (_name, path) => {
    const { app, github, open } = await start()
    const { state } = readForm((await open()).text)
    expect((await app.api(path(state), { headers: html })).status).toBe(404)
    expect(github.requests).toEqual([])
  })

  test('a state is good once, and for an hour', async () => {
    let time = Date.now()
    const github = await startFakeGitHub()
    onTestFinished(() => github.close())
    const app = await startTestApp(onTestFinished, { env: { GITHUB_URL: github.url }, now: () => new Date(time) })
    const setup = new URL(app.setupUrl ?? '')
    const state = async () => readForm((await app.api(`/setup${setup.search}`, { headers: html })).text).state
    const used = await state()
    expect((await app.api(`/setup/created?code=unknown&state=${used}`, { headers: html })).status).toBe(502)
    expect((await app.api(`/setup/created?code=unknown&state=${used}`, { headers: html })).status).toBe(404)
    const old = await state()
    time += 3_700_000
    expect((await app.api(`/setup/created?code=unknown&state=${old}`, { headers: html })).status).toBe(404)
  })

  test('a code that GitHub does not know: the reason and a way back', async () => {
    const { app, open } = await start()
    const { state } = readForm((await open()).text)
    const page = await app.api(`/setup/created?code=unknown&state=${state}`, { headers: html })
    expect([page.status, page.text]).toEqual([502, expect.stringContaining('it is good once and for an hour')])
    expect(page.text).toContain('href="/setup?key=')
    expect(app.context.github.app).toBeUndefined()
  })

  test('where GitHub cannot deliver, the page says so instead of making an app that hears nothing', async () => {
    const app = await startTestApp(onTestFinished)
    const { pathname, search } = new URL(app.setupUrl ?? '')
    const { text } = await app.api(`${pathname}${search}`, { headers: html })
    expect(text).toContain('BASE_URL')
    expect(text).not.toContain('name="manifest"')
  })

  test('there is none where the keys are given', async () => {
    const github = await startFakeGitHub()
    onTestFinished(() => github.close())
    const { id, privateKey, webhookSecret } = github.app
    const app = await startTestApp(onTestFinished, {
      env: { GITHUB_APP_ID: String(id), GITHUB_PRIVATE_KEY: privateKey, GITHUB_WEBHOOK_SECRET: webhookSecret },
    })
    expect(app.setupUrl).toBeUndefined()
    expect((await app.api('/setup', { headers: html })).status).toBe(404)
  })
})

describe('the manifest', () => {
  test('app.yml at the root is the manifest of the setup page', () => {
    const file: unknown = parse(readFileSync(join(import.meta.dirname, '../../../app.yml'), 'utf8'))
    const {
      redirect_url: _redirect,
      callback_urls: _callbacks,
      setup_url: _setup,
      hook_attributes: _hook,
      ...manifest
    } = toManifest('https://pages.example.com') as Record<string, unknown>
    expect(file).toEqual(manifest)
  })

  test('it asks for what the app needs and no more', () => {
    expect(appPermissions).toEqual({
      checks: 'write',
      contents: 'read',
      merge_queues: 'read',
      metadata: 'read',
      pull_requests: 'write',
      statuses: 'write',
    })
    expect([...appEvents]).toEqual(['check_run', 'check_suite', 'merge_group', 'pull_request', 'push', 'repository'])
  })
})

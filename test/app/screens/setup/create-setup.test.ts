import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { appEvents, appPermissions, toManifest } from '../../../../src/app/base/manifest.ts'
import { writeSetupUrl } from '../../../../src/app/screens/setup/create-setup.ts'
import { toOwnPath } from '../../../../src/files/boundary.ts'
import { isObject } from '../../../../src/text/json/json-values.ts'
import { startFakeGitHub } from '../../../support/fake-github/fake-github.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { startTestApp } from '../../support/test-app.ts'

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

/** Reads the action URL and the manifest that a browser would submit. */
function readForm(page: string): { action: URL; manifest: Record<string, unknown>; state: string } {
  const decode = (text = '') => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const action = new URL(decode(/<form method="post" action="([^"]+)"/.exec(page)?.[1]))
  const manifest: unknown = JSON.parse(decode(/name="manifest" value="([^"]+)"/.exec(page)?.[1]))
  return { action, manifest: isObject(manifest) ? manifest : {}, state: action.searchParams.get('state') ?? '' }
}

describe('the setup page', () => {
  test('creates the app and stores its keys privately, without a restart', async () => {
    const { github, app, open } = await start()
    expect(app.context.github.app).toBeUndefined()
    // As `serve` does without a terminal, over an existing file that others can read.
    writeFileSync(join(app.dataDir, 'setup-url.txt'), 'of an earlier start', { mode: 0o644 })
    const setupFile = writeSetupUrl(toOwnPath(app.dataDir), app.setupUrl ?? '')
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

  test('has the same URL after a restart, until the setup', async () => {
    const dataDir = makeTemporaryFolder()
    const { app } = await start({ DATA_DIR: dataDir })
    const keyFile = join(dataDir, 'setup.key')
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    await app.stop()
    const second = await start({ DATA_DIR: dataDir })
    expect(second.setup.search).toBe(new URL(app.setupUrl ?? '').search)
    const { manifest, state } = readForm((await second.open()).text)
    const code = second.github.confirmManifest(manifest)
    expect((await second.app.api(`/setup/created?code=${code}&state=${state}`, { headers: html })).status).toBe(200)
    expect(existsSync(keyFile)).toBe(false)
  })

  test('returns 404 after the setup', async () => {
    const { github, app, open } = await start()
    const { manifest, state } = readForm((await open()).text)
    await app.api(`/setup/created?code=${github.confirmManifest(manifest)}&state=${state}`, { headers: html })
    expect((await open()).status).toBe(404)
    expect(
      (await app.api(`/setup/created?code=${github.confirmManifest(manifest)}&state=${state}`, { headers: html })).status,
    ).toBe(404)
  })

  test('creates the app for an organization', async () => {
    const { github, open } = await start()
    const { action, manifest } = readForm((await open('&owner=acme-inc')).text)
    expect(manifest['public']).toBe(false)
    expect(readForm((await open('&accounts=several')).text).manifest['public']).toBe(true)
    expect(action.href).toContain(`${github.url}/organizations/acme-inc/settings/apps/new`)
    expect((await open('&owner=%22%3E%3Cscript%3E')).status).toBe(400)
  })

  test.each([
    ['without its key', () => '/setup'],
    ['with another key', () => `/setup?key=${'a'.repeat(32)}`],
    ['with a key of another length', () => '/setup?key=a'],
    ['on return from GitHub without a state', () => '/setup/created?code=abc'],
    ['on return from GitHub with a forged state', () => '/setup/created?code=abc&state=forged'],
    ['on return from GitHub without a code', (state: string) => `/setup/created?state=${state}`],
  ])('returns 404 %s, without a request to GitHub', async (_name, path) => {
    const { app, github, open } = await start()
    const { state } = readForm((await open()).text)
    expect((await app.api(path(state), { headers: html })).status).toBe(404)
    expect(github.requests).toEqual([])
  })

  test('accepts a state once, within an hour', async () => {
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

  test('explains a rejected code and links back to the setup page', async () => {
    const { app, open } = await start()
    const { state } = readForm((await open()).text)
    const page = await app.api(`/setup/created?code=unknown&state=${state}`, { headers: html })
    expect([page.status, page.text]).toEqual([502, expect.stringContaining('expires after an hour')])
    expect(page.text).toContain('href="/setup?key=')
    expect(app.context.github.app).toBeUndefined()
  })

  test('offers no setup if GitHub cannot deliver webhooks', async () => {
    const app = await startTestApp(onTestFinished)
    const { pathname, search } = new URL(app.setupUrl ?? '')
    const { text } = await app.api(`${pathname}${search}`, { headers: html })
    expect(text).toContain('BASE_URL')
    expect(text).not.toContain('name="manifest"')
  })

  test('does not exist if the credentials are configured', async () => {
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
  test('equals app.yml in the root directory', () => {
    const file: unknown = parse(readFileSync(join(import.meta.dirname, '../../../../app.yml'), 'utf8'))
    const {
      redirect_url: _redirect,
      callback_urls: _callbacks,
      setup_url: _setup,
      hook_attributes: _hook,
      ...manifest
    } = toManifest('https://pages.example.com', false) as Record<string, unknown>
    expect(file).toEqual(manifest)
  })

  test('requests only the required permissions and events', () => {
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

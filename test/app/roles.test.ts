import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig, writeCredentials } from '../../src/app/base/config/app-config.ts'
import { webhookPath } from '../../src/app/base/manifest.ts'
import { isSignedLink, readLinkKey, toSignedLink } from '../../src/app/base/signed-links.ts'
import { createLog } from '../../src/app/base/telemetry/create-log.ts'
import { createWebhooksPart } from '../../src/app/github-events/webhooks/webhooks-part.ts'
import { createRunPart } from '../../src/app/jobs/run-part.ts'
import { defaultQueueTimes } from '../../src/app/jobs/work-queue.ts'
import { type RunningApp, startApp } from '../../src/app/start/start-app.ts'
import { toOwnPath } from '../../src/files/boundary.ts'
import { toAppSettings } from '../support/fake-github/app-settings.ts'
import { type FakeGitHub, startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { fastPace } from '../support/github-app.ts'
import { hasPostgres, startTestDatabases } from '../support/postgres.ts'
import { docsConfig, validDocument } from './support/connected-app.ts'
import { startTestApp } from './support/test-app.ts'

const baseUrl = 'https://pages.example.com'
const html = { headers: { Accept: 'text/html' } }

/** Starts one process of a server. Its data directory is its own, as on another machine. */
async function startProcess(
  databaseUrl: string,
  github: FakeGitHub,
  {
    role,
    env = toAppSettings(github),
    dataDir,
    logLines = [],
  }: { role: string; env?: Record<string, string>; dataDir?: string; logLines?: string[] },
): Promise<RunningApp & { readonly dataDir: string }> {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'app-role-'))
  const given = {
    DATA_DIR: folder,
    PORT: '0',
    DATABASE_URL: databaseUrl,
    DATABASE_CONNECTIONS: '4',
    BASE_URL: baseUrl,
    ROLE: role,
  }
  const config = await readConfig({ ...given, SITES_DOMAIN: 'off', CHROMIUM_PATH: 'off', GITHUB_URL: github.url, ...env })
  const app = await startApp({
    config,
    log: createLog({ level: 'info', format: 'json', write: (line) => logLines.push(line) }),
    parts: [createWebhooksPart(), createRunPart({ ...defaultQueueTimes, pollMs: 25 })],
    pace: { ...fastPace, writesPerMinute: 10_000, writesPerHour: 100_000 },
  })
  onTestFinished(async () => {
    await app.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return { ...app, dataDir: folder }
}

async function startGitHub(): Promise<FakeGitHub> {
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  return github
}

const statusOf = async (app: RunningApp, path: string) => (await fetch(`${app.address}${path}`, html)).status

describe.skipIf(!hasPostgres)('processes with one PostgreSQL database', () => {
  const databases = startTestDatabases()
  afterAll(() => databases.stop())
  const createDatabase = async () => await databases.createDatabase()

  test('web processes receive webhooks and workers run the updates', async () => {
    const github = await startGitHub()
    const database = await createDatabase()
    const web = await startProcess(database, github, { role: 'web' })
    github.webhookUrl = `${web.address}${webhookPath}`
    const repository = github.createRepository('acme/api', { files: { 'docs.json': docsConfig, 'openapi.yaml': validDocument } })
    const { delivery } = await repository.push({ files: { 'a.mdx': 'a' } })
    expect(delivery.status).toBe(202)
    // Nothing runs yet: the task that looks for the project waits.
    expect(await web.context.store.queue.stats()).toMatchObject({ leased: 0 })
    const worker = await startProcess(database, github, { role: 'worker' })
    const project = await vi.waitUntil(async () => (await web.context.store.projects.list())[0], 120_000)
    const update = await vi.waitUntil(async () => {
      const [newest] = (await web.context.store.statuses.list(project.id, { limit: 1 }))?.updates ?? []
      return newest?.update.endedAt === undefined ? undefined : newest.update
    }, 120_000)
    expect(update.status).toBe('success')

    expect(await Promise.all(['/healthz', '/readyz', '/metrics'].map((path) => statusOf(worker, path)))).toEqual([200, 200, 401])
    for (const path of ['/projects', '/v1/openapi.json', `/v1/project/update-status/${update._id}`, webhookPath, '/setup'])
      expect([path, await statusOf(worker, path)]).toEqual([path, 404])
    const page = toSignedLink(worker.context.urls.linkKey, web.address, update._id, new Date())
    expect((await fetch(page)).status).toBe(200)
    expect(readdirSync(web.dataDir)).not.toContain('link.key')
  })

  test('any process can serve a step of the setup, and all of them notice its end', async () => {
    const github = await startGitHub()
    const database = await createDatabase()
    const [first, second, worker] = await Promise.all(
      ['web', 'web', 'worker'].map((role) => startProcess(database, github, { role, env: {} })),
    )
    if (!first || !second || !worker) throw new Error('A process is missing')
    expect([second.setupUrl, worker.setupUrl]).toEqual([first.setupUrl, undefined])
    const setup = new URL(first.setupUrl ?? '')
    const page = await (await fetch(`${second.address}${setup.pathname}${setup.search}`, html)).text()
    expect(page).toContain('stored only in the database')
    const state = /\?state=([^"&]+)/.exec(page)?.[1] ?? ''
    const code = github.confirmManifest({})
    const created = await fetch(`${first.address}/setup/created?code=${code}&state=${state}`, html)
    expect([created.status, await created.text()]).toEqual([200, expect.stringContaining('table <code>secrets</code>')])
    const appId = github.registeredApps[0]?.id
    // The second process rejects the page before it has noticed.
    expect(await statusOf(second, `${setup.pathname}${setup.search}`)).toBe(404)
    await vi.waitUntil(() => [first, second, worker].every((app) => app.context.github.app?.appId === appId), 120_000)
    expect(readdirSync(first.dataDir)).not.toContain('github-app.json')
    const later = await startProcess(database, github, { role: 'web', env: {} })
    expect([later.setupUrl, later.context.github.app?.appId]).toEqual([undefined, appId])
  })

  test('takes over the keys of a data directory, which all processes then use', async () => {
    const github = await startGitHub()
    const database = await createDatabase()
    const dataDir = mkdtempSync(join(tmpdir(), 'app-role-'))
    const key = readLinkKey(toOwnPath(dataDir))
    const { id: appId, privateKey, webhookSecret } = github.app
    writeCredentials(toOwnPath(dataDir), { appId, privateKey, webhookSecret })
    await startProcess(database, github, { role: 'web', env: {}, dataDir })
    const other = await startProcess(database, github, { role: 'web', env: {} })
    expect([other.setupUrl, other.context.github.credentials?.appId]).toEqual([undefined, appId])
    const { searchParams } = new URL(toSignedLink(key, baseUrl, 'an-update', new Date()))
    const link = { expires: searchParams.get('expires') ?? '', signature: searchParams.get('signature') ?? '' }
    expect(isSignedLink(other.context.urls.linkKey, { statusId: 'an-update', ...link }, new Date())).toBe(true)
  })

  test('a worker without a GitHub App logs one line while it cannot read the database', async () => {
    const database = await createDatabase()
    const logLines: string[] = []
    await startProcess(database, await startGitHub(), { role: 'worker', env: {}, logLines })
    const client = new pg.Client(database)
    await client.connect()
    onTestFinished(() => client.end())
    await client.query('alter table secrets rename to lost_secrets')
    const about = () =>
      logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes('look for the credentials of the GitHub App'))
    await vi.waitUntil(() => about().length > 0, 120_000)
    // It looks every 2 s.
    await sleep(5_000)
    await client.query('alter table lost_secrets rename to secrets')
    await vi.waitUntil(() => about().some(({ msg }) => msg.endsWith(' again')), 120_000)
    expect(about()).toMatchObject([
      { level: 'error', msg: expect.stringMatching(/^Cannot look/), failures: 1 },
      { level: 'info', msg: expect.stringMatching(/^Can look .* again$/) },
    ])
  })

  test('uses the OAuth client of the settings with the stored credentials', async () => {
    const github = await startGitHub()
    const dataDir = mkdtempSync(join(tmpdir(), 'app-role-'))
    const { id: appId, privateKey, webhookSecret } = github.app
    writeFileSync(join(dataDir, 'github-app.json'), JSON.stringify({ appId, privateKey, webhookSecret }))
    const env = { GITHUB_CLIENT_ID: 'Iv1.a', GITHUB_CLIENT_SECRET: 'a-secret' }
    const app = await startProcess(await createDatabase(), github, { role: 'all', env, dataDir })
    expect(app.context.github.credentials?.oauth).toEqual({ clientId: 'Iv1.a', clientSecret: 'a-secret' })
  })
})

test('a stopping process is not ready, and accepts requests until the delay has passed', async () => {
  const app = await startTestApp(onTestFinished, { env: { STOP_DELAY_SECONDS: '2' } })
  expect(await statusOf(app, '/readyz')).toBe(200)
  const stopped = app.stop()
  expect([await statusOf(app, '/readyz'), await statusOf(app, '/healthz')]).toEqual([503, 200])
  await stopped
  await expect(statusOf(app, '/healthz')).rejects.toThrow('fetch failed')
})

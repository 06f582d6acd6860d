import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'node:util'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../../src/app/base/config/app-config.ts'
import { openKeyFiles } from '../../../src/app/base/config/server-keys.ts'
import { databaseFileName } from '../../../src/app/base/open-store.ts'
import { main } from '../../../src/app/main.ts'
import { openPostgresStore, openSqliteStore } from '../../../src/store/store.ts'
import { startFakeGitHub } from '../../support/fake-github/fake-github.ts'
import { canStartPostgres, startPostgres } from '../../support/postgres.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { addProject, addToken } from '../support/test-app.ts'

async function run(env: Record<string, string>, ...args: string[]) {
  const lines: Record<'log' | 'error', string[]> = { log: [], error: [] }
  const spies = (['log', 'error'] as const).map((method) =>
    vi.spyOn(console, method).mockImplementation((...values) => void lines[method].push(format(...values))),
  )
  try {
    const code = await main(args, { DATA_DIR: join(makeTemporaryFolder(), 'data'), CHROMIUM_PATH: 'off', ...env })
    return { code, stdout: lines.log.join('\n'), stderr: lines.error.join('\n') }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

describe.skipIf(!canStartPostgres)('commands with DATABASE_URL', () => {
  const server = canStartPostgres ? startPostgres() : undefined
  afterAll(() => server?.stop())
  const createDatabase = async () => (await server?.createDatabase()) ?? ''

  test('read and change the database', async () => {
    const url = await createDatabase()
    const store = await openPostgresStore({ url })
    onTestFinished(() => store.close())
    const project = await addProject(store)
    const env = { DATABASE_URL: url }
    expect(await run(env, 'project', 'list')).toMatchObject({ code: 0, stdout: expect.stringContaining(project.id) })
    expect(await run(env, 'project', 'set', project.id, '--disable')).toMatchObject({ code: 0 })
    expect((await store.projects.find(project.id))?.enabled).toBe(false)
    const { id } = await addToken(store, { scope: 'read', projectId: project.id })
    expect(await run(env, 'token', 'list')).toMatchObject({ code: 0, stdout: expect.stringContaining(id) })
    expect(await run(env, 'token', 'revoke', id)).toMatchObject({ code: 0 })
    const created = await run(env, 'token', 'create', '--project', project.id, '--name', 'ci')
    expect([created.code, created.stdout]).toEqual([0, expect.stringContaining('opk_')])
  })

  test('`backup` names the tools of PostgreSQL and leaves no directory', async () => {
    const folder = join(makeTemporaryFolder(), 'backup')
    const { code, stderr } = await run({ DATABASE_URL: await createDatabase() }, 'backup', folder)
    expect([code, stderr]).toEqual([2, expect.stringMatching(/cannot back up a store in PostgreSQL[\s\S]*pg_dump/)])
    expect(existsSync(folder)).toBe(false)
  })

  test('`backup --mark-restored` marks the database for the next start', async () => {
    const url = await createDatabase()
    const store = await openPostgresStore({ url })
    onTestFinished(() => store.close())
    const { code, stdout } = await run({ DATABASE_URL: url }, 'backup', '--mark-restored')
    expect([code, stdout]).toEqual([0, expect.stringContaining('Marked the database as restored')])
    expect(Date.parse((await store.notes.read('backup-of')) ?? '')).toBeGreaterThan(Date.now() - 60_000)
    expect(await run({ DATABASE_URL: url }, 'backup', 'today', '--mark-restored')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unexpected argument today with --mark-restored'),
    })
  })

  test('`migrate-store` copies a stopped store with the keys of its directory, once', async () => {
    const dataDir = makeTemporaryFolder()
    const store = await openSqliteStore({ path: join(dataDir, databaseFileName) })
    const project = await addProject(store)
    const key = openKeyFiles(await readConfig({ DATA_DIR: dataDir })).linkKey
    const env = { DATA_DIR: dataDir, DATABASE_URL: await createDatabase() }
    expect(await run(env, 'migrate-store')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/cannot open the store .*: another process uses it[\s\S]*Stop the server/),
    })
    await store.close()
    const { code, stdout } = await run(env, 'migrate-store')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/ projects +1 row [\s\S]*\n✔ Copied and compared \d+ rows \(/)])
    expect((await run(env, 'project', 'list')).stdout).toContain(project.id)
    const target = await openPostgresStore({ url: env.DATABASE_URL })
    onTestFinished(() => target.close())
    expect(await target.secrets.read('link-key')).toBe(key.toString('hex'))
    expect(await run(env, 'migrate-store')).toMatchObject({ code: 2, stderr: expect.stringContaining('already has rows') })
  })

  test('`reconcile` uses the GitHub App that the setup page stored', async () => {
    const github = await startFakeGitHub()
    onTestFinished(() => github.close())
    const url = await createDatabase()
    const store = await openPostgresStore({ url })
    onTestFinished(() => store.close())
    const env = { DATABASE_URL: url, GITHUB_URL: github.url }
    expect((await run(env, 'reconcile')).stderr).toContain('no GitHub App yet')
    const { id: appId, privateKey, webhookSecret } = github.app
    await store.secrets.keep('github-app', JSON.stringify({ appId, privateKey, webhookSecret }))
    expect(await run(env, 'reconcile')).toMatchObject({ code: 0, stdout: expect.stringContaining('no differences') })
  })
})

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openPostgresDatabase } from '../../src/store/postgres/postgres-database.ts'
import { openPostgresStore } from '../../src/store/store.ts'
import { docsConfig, validDocument } from '../app/support/connected-app.ts'
import { addToken } from '../app/support/test-app.ts'
import { type AppProcess, startAppProcess } from '../support/app-process.ts'
import { untilDelivered, untilIdle } from '../support/app-scenario.ts'
import { bundleNewerApp } from '../support/bundled-programs.ts'
import { startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { hasPostgres, startTestDatabases } from '../support/postgres.ts'
import { startReadyProxy } from '../support/ready-proxy.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

describe.skipIf(!hasPostgres)('two processes of each role', () => {
  let databases: ReturnType<typeof startTestDatabases> | undefined
  beforeAll(() => {
    databases = startTestDatabases()
  })
  afterAll(() => databases?.stop())

  test('are replaced by those of a newer version, one after another under load, without a failed request or a lost delivery', async () => {
    // Nothing else happens in this process while it bundles, so that connections that are open could time out.
    const newer = bundleNewerApp()
    const url = (await databases?.createDatabase()) ?? ''
    const github = await startFakeGitHub({ rateLimit: 1_000_000 })
    onTestFinished(() => github.close())
    const proxy = await startReadyProxy()
    const folder = makeTemporaryFolder()
    const running = new Set<AppProcess>()
    onTestFinished(() => {
      for (const { child } of running) child.kill('SIGKILL')
    })
    let count = 0
    const start = async (role: 'web' | 'worker', program?: string) => {
      // No process is killed, so that only a busy machine could exceed a short lease.
      const lease = { OPENAPI_PAGES_LEASE_MS: '20000' }
      const env = { DATABASE_URL: url, DATABASE_CONNECTIONS: '4', BASE_URL: 'http://pages.example.com', ROLE: role, ...lease }
      const app = await startAppProcess(github, join(folder, String(count++)), { env, ...(program !== undefined && { program }) })
      running.add(app)
      // The processes are behind the proxy.
      github.webhookUrl = `${proxy.url}/api/github/webhooks`
      if (role === 'web') await proxy.add(app.address)
      return app
    }
    const stop = async (app: AppProcess) => {
      // As `preStop` on Kubernetes: the proxy stops first.
      proxy.remove(app.address)
      await sleep(300)
      app.child.kill('SIGTERM')
      expect(await app.ended).toBe(0)
      running.delete(app)
    }
    const first = [await start('web'), await start('web'), await start('worker'), await start('worker')] as const

    const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }
    const repositories = ['acme/api', 'acme/sdk', 'globex/pets'].map((name) => github.createRepository(name, { files }))
    const push = async (index: number) => {
      const repository = repositories[index % repositories.length]
      if (!repository) throw new Error('No repository')
      const commit = repository.commit({ files: { 'a.mdx': `${index}` } })
      const { status } = await github.deliver('push', repository.pushPayload(commit))
      return { status, sha: commit.after }
    }
    for (const index of repositories.keys()) expect((await push(index)).status).toBe(202)
    await untilDelivered(github, url)
    const { updates: known } = await untilIdle(url)
    const store = await openPostgresStore({ url, connections: 2 })
    const { text: token } = await addToken(store, { scope: 'admin' })
    await store.close()

    const failed: string[] = []
    const pushed: string[] = []
    let polls = 0
    let isLoading = true
    const pushes = (async () => {
      for (let index = 10; isLoading; index++) {
        const { status, sha } = await push(index)
        if (status !== 202) failed.push(`webhook: ${status}`)
        pushed.push(sha)
        await sleep(200)
      }
    })()
    const reads = (async () => {
      for (; isLoading; polls++) {
        const id = known[polls % known.length]?.update._id
        const headers = { Authorization: `Bearer ${token}` }
        const status = await fetch(`${proxy.url}/v1/project/update-status/${id}`, { headers }).then(
          (response) => response.arrayBuffer().then(() => response.status),
          String,
        )
        if (status !== 200) failed.push(`status: ${status}`)
        await sleep(50)
      }
    })()
    for (const [index, old] of first.entries()) {
      await start(index < 2 ? 'web' : 'worker', newer)
      await stop(old)
    }
    await sleep(500)
    isLoading = false
    await Promise.all([pushes, reads])

    expect(failed).toEqual([])
    expect(polls).toBeGreaterThan(50)
    await untilDelivered(github, url)
    const { updates } = await untilIdle(url)
    const ended = new Map(updates.map(({ update }) => [update.commit.sha, update]))
    expect(pushed.length).toBeGreaterThan(10)
    const others = pushed.filter((sha) => ended.get(sha)?.status !== 'success')
    expect(others.map((sha) => [sha, ended.get(sha)?.summary])).toEqual([])
    // A newer process did the steps of its schema.
    const { database, close } = openPostgresDatabase(url, { connections: 1 })
    expect((await sql`select id from regions`.execute(database)).rows).toEqual([{ id: 'eu' }])
    await close()
    // Each commit has one check, which is completed.
    for (const repository of repositories) {
      const checks = repository.checkRuns.map(({ headSha, status }) => `${headSha} ${status}`)
      expect(new Set(checks).size).toBe(checks.length)
      expect(repository.checkRuns.every(({ status }) => status === 'completed')).toBe(true)
    }
    console.log(`${pushed.length} webhooks and ${polls} status requests while 4 processes were replaced, none failed`)
  })
})

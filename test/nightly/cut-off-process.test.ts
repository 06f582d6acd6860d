import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openPostgresStore } from '../../src/store/store.ts'
import { askSite, siteFrame } from '../app/support/sites.ts'
import { addProject, addToken, addUpdate, startTestApp } from '../app/support/test-app.ts'
import { hasPostgres, startTestDatabases } from '../support/postgres.ts'
import { type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.ts'
import { putSite } from '../support/put-site.ts'

const failures = [
  [
    'its connections never answer',
    (proxy: PostgresProxy) => {
      proxy.silence()
      proxy.silencesNew = true
    },
  ],
  [
    'its connections are reset and refused',
    (proxy: PostgresProxy) => {
      proxy.refusesNew = true
      proxy.reset('')
    },
  ],
] as const

describe.skipIf(!hasPostgres)('a web process that is cut off from the database', () => {
  const databases = startTestDatabases()
  afterAll(() => databases.stop())

  test.each(failures)(
    'shows nothing that another process has withdrawn, and responds to every request, while %s',
    async (_kind, begin) => {
      const url = await databases.createDatabase()
      const other = await openPostgresStore({ url, connections: 2 })
      onTestFinished(() => other.close())
      const proxy = await startPostgresProxy(url)
      const env = { SITES_DOMAIN: 'sites.test', BASE_URL: 'https://pages.test', DATABASE_URL: proxy.url, ROLE: 'web' }
      const app = await startTestApp(onTestFinished, { env })
      const project = await addProject(other)
      await putSite(other, project, { ...siteFrame, 'index.html': 'start', 'llms.txt': 'pages' })
      const { _id } = await addUpdate(other, project)
      const token = await addToken(other, { scope: 'read', projectId: project.id })
      const site = `${project.subdomain}.sites.test`
      const headers = { Authorization: `Bearer ${token.text}` }
      const ask = async (host: string, path: string) => (await askSite(app.address, host, path, { headers })).status
      const askAll = () =>
        Promise.all([
          ask(site, '/'),
          ask(site, '/llms.txt'),
          ask('pages.test', `/v1/project/update-status/${_id}`),
          ask('pages.test', '/readyz'),
          ask('pages.test', '/healthz'),
        ])
      const serving = [200, 200, 200, 200, 200]
      await vi.waitFor(async () => expect(await askAll()).toEqual(serving), { timeout: 120_000, interval: 50 })
      // From the memory of the process.
      expect(await askAll()).toEqual(serving)
      begin(proxy)
      await other.projects.apply([{ kind: 'tighten', repositoryId: project.repositoryId }])
      // Waits until no process uses what it knew before.
      await other.tokens.revoke(token.id, 'test')
      expect(await askAll()).toEqual([503, 503, 503, 503, 200])
      proxy.silencesNew = false
      proxy.refusesNew = false
      await vi.waitFor(async () => expect(await ask('pages.test', '/readyz')).toBe(200), { timeout: 120_000, interval: 100 })
      expect(await askAll()).toEqual([404, 404, 401, 200, 200])
    },
  )
})

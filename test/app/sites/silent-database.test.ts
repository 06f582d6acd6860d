import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { createServer } from '../../../src/app/start/server.ts'
import { hasPostgres, startTestDatabases } from '../../support/postgres.ts'
import { startPostgresProxy } from '../../support/postgres-proxy.ts'
import { putSite } from '../../support/put-site.ts'
import { askSite, siteFrame } from '../support/sites.ts'
import { addProject, startTestApp } from '../support/test-app.ts'

describe.skipIf(!hasPostgres)('a site while the database never answers', () => {
  const databases = startTestDatabases()
  afterAll(() => databases.stop())

  test('responds with 503 and Retry-After', async () => {
    const proxy = await startPostgresProxy(await databases.createDatabase())
    const env = { SITES_DOMAIN: 'sites.test', BASE_URL: 'https://pages.test', DATABASE_URL: proxy.url }
    const app = await startTestApp(onTestFinished, { env })
    const project = await addProject(app.store)
    await putSite(app.store, project, { ...siteFrame, 'index.html': 'start' })
    // Nothing of the site is in its memory.
    const server = await createServer(app.context, app.tools, { siteLimitMs: 50 })
    const address = await server.listen({ port: 0, host: '127.0.0.1' })
    const hosts = [`${project.subdomain}.sites.test`, 'docs.example.com']
    const ask = (host: string) => askSite(address, host, '/')
    proxy.silence()
    proxy.silencesNew = true
    const replies = await Promise.all(hosts.map(ask))
    expect(replies.map(({ status, headers }) => [status, headers['retry-after']])).toEqual([
      [503, '5'],
      [503, '5'],
    ])
    proxy.cut()
    await server.close()
  })
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type KyselyPlugin, type RootOperationNode, SqliteQueryCompiler } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createSiteServer } from '../../../src/app/sites/site-server.ts'
import { createProcessLocks } from '../../../src/store/database/holds.ts'
import type { OpenedDatabase } from '../../../src/store/database/store-database.ts'
import { openSqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts'
import { createStore } from '../../../src/store/store.ts'
import { endUpdate, startPeopleApp, toSha } from '../support/people-app.ts'
import { askSite } from '../support/sites.ts'

/** The site server with a store that records each statement. */
async function start() {
  const app = await startPeopleApp()
  const { project } = await app.addRepository('acme/plans', { reader: 'read' }, { private: true })
  const { project: open } = await app.addRepository('acme/open', { reader: 'read' })
  const site = { 'index.html': 'The plans', 'guide/index.html': 'The guide' }
  await endUpdate(app.store, project, { sha: toSha('1'), site })
  await app.store.accept({ pullHeads: [{ projectId: project.id, pullNumber: 7, sha: toSha('1') }] })
  await endUpdate(app.store, open, { sha: toSha('2'), site })

  const statements: string[] = []
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      // Plugins receive each query before it is compiled.
      statements.push(new SqliteQueryCompiler().compileQuery(node as RootOperationNode, queryId).sql)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const database = openSqliteDatabase(join(app.app.context.config.dataDir, 'openapi-pages.sqlite'))
  const recorded: OpenedDatabase = {
    database: {
      write: () => Promise.reject(new Error('Unexpected write')),
      reader: database.reader.withPlugin(recorder),
      readVersion: database.versions.read,
      untilNoticed: async () => undefined,
      leaseNow: async () => Date.now(),
    },
    limits: undefined,
    locks: createProcessLocks(),
    runLong: (work) => work(),
    backup: async () => undefined,
    close: async () => undefined,
  }
  const { context, tools } = app.app
  const place = context.urls.sites()
  if (!place) throw new Error('No sites are hosted')
  const { sites, passes, tokens } = createStore(recorded, {})
  const serve = createSiteServer({ ...context, store: { ...context.store, sites, passes, tokens } }, tools.metrics, place)
  const server = createServer((request, response) => {
    serve(request, response, () => response.writeHead(421).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve))
    await database.close()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = async (label: string, path: string, options: { method?: string; headers?: Record<string, string> } = {}) => {
    statements.length = 0
    const { status, headers, text } = await askSite(address, `${label}.localhost`, path, options)
    const { date: _date, ...own } = headers
    // Challenges are random.
    return { status, headers: { ...own, 'set-cookie': own['set-cookie'] !== undefined }, text, statements: [...statements] }
  }
  return { ask, project, open }
}

const secret = 'A'.repeat(43)
const html = { Accept: 'text/html' }

test('a private site and a name without a site run the same statements and return the same response', async () => {
  const { ask, project, open } = await start()
  const ends = ['', `--${toSha('1').slice(0, 12)}`, '--pr-7']
  const requests = [
    { path: '/', headers: html },
    { path: '/guide/', headers: {} },
    { path: '/none', headers: html, method: 'HEAD' },
    { path: '/', headers: html, method: 'POST' },
    { path: `/?openapi-pages-link=opk_${secret}`, headers: html },
    { path: '/', headers: { Cookie: `openapi-pages-link=opk_${secret}` } },
    { path: '/', headers: { Cookie: `openapi-pages-site=${secret}` } },
    { path: `/_openapi-pages/enter?code=${secret}`, headers: { Cookie: `openapi-pages-site=${secret}` } },
  ]
  for (const end of ends) {
    for (const { path, ...options } of requests) {
      const about = `${end} ${options.method ?? 'GET'} ${path} ${JSON.stringify(options.headers)}`
      // Repeat the request, because caches must not make a difference either.
      for (let time = 0; time < 3; time++) {
        const there = await ask(`${project.subdomain}${end}`, path, options)
        const none = await ask(`${'n'.repeat(project.subdomain.length)}${end}`, path, options)
        expect(there, about).toEqual(none)
        expect(there.statements.length, about).toBeGreaterThanOrEqual(1)
        expect([403, 404], about).toContain(there.status)
      }
    }
  }
  // The recorder shows that a public site is cached.
  expect((await ask(open.subdomain, '/')).status).toBe(200)
  expect((await ask(open.subdomain, '/')).statements).toEqual([])
})

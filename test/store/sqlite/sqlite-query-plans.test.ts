import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProcessLocks } from '../../../src/store/database/holds.ts'
import { migrate } from '../../../src/store/database/migrations.ts'
import type { OpenedDatabase } from '../../../src/store/database/store-database.ts'
import type { Tables } from '../../../src/store/database/tables.ts'
import { publicFilesOf } from '../../../src/store/sites/stored-sites.ts'
import { prepareSqlite } from '../../../src/store/sqlite/node-sqlite.ts'
import { createStore, type Store } from '../../../src/store/store.ts'
import { fillStore } from '../../support/fill-store.ts'
import { isSoak } from '../../support/properties.ts'
import { publishPush, pushAndClaim, stageSite } from '../site-fixture.ts'
import { addProject, newPush, startOfTests, toRunning, toSha } from '../store-fixture.ts'

// Records and explains every statement that the store runs. None may scan a growing table.

/** 1,000,000 in the soak. SQLite plans without reading the rows, so fewer rows give the same plans. */
const rows = isSoak ? 1_000_000 : 2_000

const folder = mkdtempSync(join(tmpdir(), 'openapi-pages-plans-'))
const statements = new Map<string, readonly unknown[]>()
const connection = new DatabaseSync(join(folder, 'store.sqlite'))
const database = new Kysely<Tables>({
  dialect: new SqliteDialect({
    database: { close: () => connection.close(), prepare: (text) => prepareSqlite(connection, text) },
  }),
  log: (event) => {
    const text = event.query.sql
    if (/^(?:select|update|delete|insert)/.test(text)) statements.set(text, event.query.parameters)
  },
})

beforeAll(async () => {
  connection.exec('pragma synchronous = OFF')
  await migrate(database, 'now')
  statements.clear()
})

afterAll(async () => {
  await database.destroy()
  rmSync(folder, { recursive: true, force: true })
})

test(`never scans a growing table (${rows} records)`, async () => {
  const project = fillStore(connection, rows)
  let bytes = 0
  let reads = 0
  const now = () => startOfTests
  const opened: OpenedDatabase = {
    database: {
      write: (work) => database.transaction().execute(work),
      reader: database,
      readVersion: () => ++reads,
      untilNoticed: async () => undefined,
      leaseNow: async () => startOfTests,
    },
    limits: undefined,
    locks: createProcessLocks(),
    runLong: (work) => work(),
    backup: async () => undefined,
    close: async () => undefined,
  }
  const limits = { maxRunErrors: 1, maxPreviews: 1, keepUnusedMs: -1 }
  const store = createStore(opened, { now, randomBytes: (count) => new Uint8Array(count).fill(++bytes), limits })
  const push = (sha: number) => newPush(store, project, { now, sha, before: sha - 1 })
  const ref = 'refs/heads/main'

  await useSites(store, now)
  fillFiles(rows)
  for (let sha = 1; sha <= 60; sha++) {
    await store.accept({
      delivery: { id: `d${sha}`, event: 'push' },
      updates: [push(sha)],
      idempotency: { projectId: project.id, key: `k${sha}`, bodyHash: 'x' },
    })
  }
  await store.accept({
    updates: [{ ...push(1), once: 'head' }],
    tasks: [{ id: store.newId(), name: 'x', installationId: 1, payload: '{}' }],
  })
  for (let index = 0; index < 20; index++) {
    const job = await store.queue.claim({ worker: 'w', leaseMs: index < 18 ? 60_000 : 0 })
    if (!job) break
    await store.queue.heartbeat(job.lease, 60_000)
    if (job.kind === 'run' && index % 2) await store.queue.save(job.lease, toRunning(job))
    if (job.kind === 'run') await store.queue.retry(job.lease, { reason: 'x' })
    else if (index % 2) await store.queue.complete(job.lease, { isAccepted: true })
    else await store.queue.release(job.lease)
  }
  await store.queue.claim({ worker: 'w', leaseMs: 0 })
  await store.queue.recover()
  await store.queue.stats()
  const sha = 'a'.repeat(40)
  for (const filter of [
    {},
    { ref },
    { sha },
    { status: 'success' },
    { ref, status: 'failure' },
    { ref, sha, status: 'queued' },
  ] as const) {
    const page = await store.statuses.list(project.id, { ...filter, limit: 1 })
    await store.statuses.list(project.id, { ...filter, ...(page?.nextCursor ? { cursor: page.nextCursor } : {}) })
  }
  await store.statuses.findNewest(project.id, { ref, status: 'success' })
  await store.statuses.findForTip({ projectId: project.id, ref, sha: toSha(1) })
  const [first] = (await store.statuses.list(project.id, { limit: 1 }))?.updates ?? []
  await store.statuses.find(first?.update._id ?? '')
  await store.statuses.findReport(first?.update._id ?? '')
  await store.apiChanges.find(first?.update._id ?? '')
  const changed = await store.apiChanges.list(project.id, { ref, limit: 1 })
  await store.apiChanges.list(project.id, { ref, limit: 1, cursor: changed?.nextCursor })
  await store.statuses.addDetails(first?.update._id ?? '', { checkRunId: 1 })
  await store.deliveries.findMissing(['d1', 'd2', 'x'])
  const made = await store.tokens.create(
    { grant: { scope: 'read', projectId: project.id }, name: 'x', expiresAt: '2099-01-01T00:00:00.000Z' },
    'cli',
  )
  await store.tokens.check(made?.token ?? '')
  await store.tokens.revoke(made?.stored.id ?? '', 'cli')
  await useSessions(store)
  const { nextCursor: cursor } = (await store.statuses.list([project.id], { limit: 1 })) ?? {}
  await store.statuses.list([project.id], { limit: 1, cursor })
  await store.overviews.listRefs(project.id, { limit: 5 })
  await store.overviews.summarize(project.id, '2026-01-01T00:00:00.000Z')
  await store.overviews.readStamp([project.id])
  const before = new Map(statements)
  statements.clear()
  const asked = [store.usage.list(), store.usage.readStoredBytes(), store.sites.sizes(), store.queue.listGroups()]
  await Promise.all([...asked, store.usage.read(7), store.overviews.listNewest()])
  // Scrapes, pages and builds read totals.
  expect([...statements.keys()].filter((text) => /site_(?:files|contents)/.test(text))).toEqual([])
  for (const [text, parameters] of before) statements.set(text, parameters)
  await store.prune()
  const facts = {
    installationId: 9,
    repositoryId: 9,
    owner: 'o',
    repo: 'r',
    root: '',
    hasDocsConfig: true,
    defaultBranch: 'main',
    private: false,
  }
  await store.projects.apply([
    { kind: 'upsert', project: facts },
    { kind: 'tighten', repositoryId: 9 },
    { kind: 'tighten-all' },
    { kind: 'delete-repository', repositoryId: 9 },
    {
      kind: 'confirm-repository',
      repositoryId: 9,
      values: { installationId: 8, owner: 'o', repo: 'r', defaultBranch: 'main', private: false },
      tightened: 1,
      restore: true,
    },
    { kind: 'detach-repository', repositoryId: 9 },
  ])
  await store.projects.findRepository(9)
  await store.projects.listRepositories()
  await store.projects.listDeleted()
  await store.projects.restore('prj_none', 'cli')
  await store.projects.set(project.id, { maxPreviews: 1, previewDays: 1 }, 'cli')
  await store.sites.collect()
  await store.domains.set(project.id, 'docs.example.com', 'cli')
  const domain = await store.domains.find(project.id)
  if (domain) await store.domains.verify(domain, 'cli')
  await store.domains.listDue('2099-01-01T00:00:00.000Z', 10)
  if (domain) await store.domains.recordCheck(domain, 'wrong', 0)
  await store.domains.findSubdomain('docs.example.com')
  await store.notes.write('app-id', '1')
  await store.notes.read('app-id')
  await store.notes.writeLook(9, '')
  await store.notes.readLooks()

  expect(statements.size).toBeGreaterThan(50)
  const walks: string[] = []
  for (const [text, parameters] of statements) {
    // Rows of `explain query plan`.
    const plan = prepareSqlite(connection, `explain query plan ${text}`).all(parameters) as PlanRow[]
    const repeated = new Set(plan.filter(({ detail }) => detail.startsWith('CORRELATED')).map(({ id }) => id))
    for (const { parent, detail } of plan) {
      const isWalk = /^SCAN|USE TEMP B-TREE/.test(detail) && !allowed.some((pattern) => pattern.test(detail))
      // All due jobs, for each of them.
      const isWalkPerRow = repeated.has(parent) && /\((?:state=\? AND )?\w+[<>]\?\)$/.test(detail)
      if (isWalk || isWalkPerRow) walks.push(`${detail}\n    ${text}`)
    }
  }
  expect(walks).toEqual([])
  const { rows: counted } = await sql<{ count: number }>`select count(*) as count from updates`.execute(database)
  expect(counted[0]?.count).toBeGreaterThanOrEqual(rows)
})

/** Builds of all projects with 1,000 files each, of which most have the same content. */
function fillFiles(count: number): void {
  const builds = Math.ceil(count / 1_000)
  connection.exec(`
    with recursive build (n) as (select 1 union all select n + 1 from build where n < ${builds})
    insert into site_builds select 'b' || n, printf('prj_%024x', n % 100), 'u' || n, n, 'refs/heads/b' || n, 'whole', 1000, 1000, 9000, '2026-01-01', '[]' from build;
    with recursive file (n) as (select 0 union all select n + 1 from file where n < 999)
    insert into site_files select site_builds.id, 'public', n || '.html', n || iif(n % 30 = 0, site_builds.id, '')
    from site_builds cross join file where site_builds.id like 'b%' and update_id like 'u%'`)
}

interface PlanRow {
  readonly id: number
  readonly parent: number
  readonly detail: string
}

async function useSessions(store: Store): Promise<void> {
  const octocat = { userId: 1, login: 'octocat', issuer: 'github', subject: '1', groups: [] }
  const person = { ...octocat, sealedTokens: 'x', expiresAt: '2099-01-01T00:00:00.000Z' }
  await store.sessions.create('secret', person)
  const session = await store.sessions.find('secret')
  if (session) await store.sessions.replaceTokens(session, 'y')
  if (session) await store.sessions.recordGroups(session, ['github:acme/docs'])
  const place = { host: 'a.example', projectId: 'prj_1' }
  const until = { challenge: 'c', expiresAt: person.expiresAt, passExpiresAt: person.expiresAt }
  await store.passes.createCode('code', { ...place, ...until, sessionId: session?.id ?? '' })
  await store.passes.redeem('code', { host: place.host, challenge: 'c', secret: 'pass' })
  await store.passes.check('pass', place)
  const grant = { scope: 'link', ...place } as const
  const made = await store.tokens.create({ grant, name: 'Created by octocat', expiresAt: person.expiresAt }, 'cli')
  await store.tokens.checkLink(made?.token ?? '', place)
  await store.tokens.listLinks(place.projectId)
  await store.tokens.revoke(made?.stored.id ?? '', 'cli', place.projectId)
  await store.sessions.end(session?.id ?? '')
  await store.accept({ endSessionsOf: [1] })
}

async function useSites(store: Store, now: () => number): Promise<void> {
  const site = await addProject(store, { installationId: 7, repositoryId: 7, repo: 'site' })
  for (const sha of [1, 2, 3, 1]) {
    const { buildId } = await publishPush(store, site, { now, sha, texts: { 'index.html': `${sha}` } })
    await store.sites.findFile(publicFilesOf({ id: buildId }), 'index.html')
    await store.sites.listFiles(publicFilesOf({ id: buildId }))
    for await (const _part of store.sites.readBody('x', 'br'));
  }
  const open = await pushAndClaim(store, site, { now, sha: 4 })
  await stageSite(store, site, open, { 'index.html': 'x' })
  const sha = toSha(3)
  await store.accept({ pullHeads: [{ projectId: site.id, pullNumber: 1, sha }] })
  await store.sites.publish(site.id, sha, 'cli', { ref: 'refs/heads/main', sha })
  await store.queue.yieldToTip(open.lease, sha)
  await store.sites.findEarlier(site.id, 'refs/heads/main')
  await store.sites.findEarlier(site.id, 'refs/heads/new')
  for (const preview of [undefined, { kind: 'commit', sha } as const, { kind: 'pull', pullNumber: 1 } as const])
    await store.sites.findShown({ subdomain: site.subdomain, ...(preview && { preview }) })
  await store.sites.list(site.id, { ref: 'refs/heads/main', before: 'f' })
  await store.sites.sizes()
  await store.sites.collect()
  await store.projects.apply([{ kind: 'delete-project', projectId: site.id }])
  await store.sites.collect()
}

const allowed = [
  // One row per installation. `updates_open` contains only records that have not ended.
  /^SCAN queue_turns/,
  /^SCAN updates USING (?:COVERING )?INDEX updates_open$/,
  // The statistics of the queue.
  /^SCAN jobs USING COVERING INDEX jobs_/,
  /^SCAN schema_version/,
  // One row.
  /^SCAN site_totals/,
  // The rows of one write, not the stored ones.
  /^SCAN (?:\d+-ROW VALUES CLAUSE|CONSTANT ROW)$/,
  // One row per project and per repository, read every hour. Projects contain no records.
  /^SCAN projects$/,
  /^SCAN repository_looks$/,
  /^SCAN site_sizes$/,
]

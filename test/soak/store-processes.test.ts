import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqliteStore, type Store } from '../../src/store/store.ts'
import { addProject, listOpen } from '../store/store-fixture.ts'
import { compileCache } from '../support/compile-cache.ts'
import { runsOr } from '../support/properties.ts'
import { putSite } from '../support/put-site.ts'

/** Number of kills in the last test. */
const kills = runsOr(3, 100)

let folder = ''
let path = ''
const children: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-pages-store-'))
  path = join(folder, 'store.sqlite')
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

interface StoreProcess {
  readonly child: ChildProcess
  /** Complete lines that the process has printed so far. */
  lines(): readonly string[]
  readonly ended: Promise<number | null>
}

function start(role: 'writer' | 'worker', name: string, count = 1_000_000): StoreProcess {
  const script = join(import.meta.dirname, '../support/store-process.ts')
  const child = spawn(process.execPath, [script, path, '100', role, name, String(count)], {
    env: { ...process.env, ...compileCache },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let said = ''
  let complaints = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString()
  })
  const ended = once(child, 'close').then(([code]) => {
    if (code) throw new Error(`${name} ended with ${code}: ${complaints}`)
    return child.exitCode
  })
  // A process may fail long before the test checks it.
  ended.catch(() => {})
  return {
    child,
    lines: () =>
      said
        .slice(0, said.lastIndexOf('\n') + 1)
        .split('\n')
        .slice(0, -1),
    ended,
  }
}

/** Every record and delivery that a process reported as accepted exists. */
async function expectAccepted(store: Store, lines: readonly string[]): Promise<number> {
  const accepted = lines.filter((line) => line.startsWith('accepted ')).map((line) => line.split(' '))
  for (const [, statusId = ''] of accepted) expect((await store.statuses.find(statusId))?.update._id).toBe(statusId)
  expect(await store.deliveries.findMissing(accepted.map(([, , delivery = '']) => delivery))).toEqual([])
  return accepted.length
}

function expectWhole(): void {
  const database = new DatabaseSync(path, { readOnly: true })
  expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  const counts = database
    .prepare(
      `select (select count(*) from updates) as updates, (select count(*) from deliveries) as deliveries,
         (select count(*) from updates where ended_at is null and id not in (select id from jobs where kind = 'run')) as openWithoutJob,
         (select count(*) from jobs where kind = 'run' and id not in (select id from updates where ended_at is null)) as runsWithoutOpen`,
    )
    .get()
  database.close()
  expect(counts).toMatchObject({ openWithoutJob: 0, runsWithoutOpen: 0 })
  // A record and its delivery are one transaction.
  const { updates, deliveries } = counts as { updates: number; deliveries: number }
  expect(updates).toBe(deliveries)
}

test('waits for a store that another process is creating', async () => {
  // Reads and locks a file without a write-ahead log for a moment. SQLite does not wait for one by itself.
  const source = `
    import { DatabaseSync } from 'node:sqlite'
    const database = new DatabaseSync(${JSON.stringify(path)})
    database.exec('create table a (b); begin; select * from a; insert into a values (1)')
    process.send('holds')
    setTimeout(() => { database.exec('drop table a; commit'); process.disconnect() }, 300)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  children.push(child)
  expect((await once(child, 'message'))[0]).toBe('holds')
  const store = await openSqliteStore({ path })
  expect(await store.projects.list()).toEqual([])
  await store.close()
})

test('sees changes of a project by another process soon, and its own immediately', async () => {
  const [store, other] = [await openSqliteStore({ path }), await openSqliteStore({ path })]
  try {
    const project = await addProject(store)
    await putSite(store, project, { 'index.html': 'a page' })
    const find = async (subdomain: string) => (await store.sites.findShown({ subdomain }))?.project.id
    expect(await find(project.subdomain)).toBe(project.id)
    await other.projects.set(project.id, { subdomain: 'theirs' }, 'cli')
    await expect.poll(() => find('theirs')).toBe(project.id)
    await expect.poll(() => find(project.subdomain)).toBeUndefined()
    await store.projects.set(project.id, { subdomain: 'ours' }, 'cli')
    expect(await find('theirs')).toBeUndefined()
  } finally {
    await store.close()
    await other.close()
  }
})

test('loses nothing when two processes create and write a store at the same time', async () => {
  const first = start('writer', 'a', 0)
  const second = start('writer', 'b', 0)
  const opened = await Promise.allSettled([first.ended, second.ended])
  // Both have created or found the tables. Only the project is missing.
  for (const result of opened)
    expect(result).toMatchObject({ reason: { message: expect.stringContaining('No project of repository') } })
  const store = await openSqliteStore({ path })
  await addProject(store)
  const writers = [start('writer', 'a', 150), start('writer', 'b', 150)]
  await Promise.all(writers.map(({ ended }) => ended))
  for (const { lines } of writers) expect(await expectAccepted(store, lines())).toBe(150)
  // Each has a run and a wanted check.
  expect((await store.queue.stats()).waiting).toBe(600)
  expectWhole()
  await store.close()
})

test('rejects a revoked token in another process soon', async () => {
  const store = await openSqliteStore({ path })
  const made = await store.tokens.create({ grant: { scope: 'admin' }, name: 'ci', expiresAt: '2099-01-01T00:00:00.000Z' }, 'test')
  if (!made) throw new Error('not made')
  const source = `
    import { openSqliteStore } from ${JSON.stringify(join(import.meta.dirname, '../../src/store/store.ts'))}
    const store = await openSqliteStore({ path: ${JSON.stringify(path)} })
    process.on('message', async (token) => process.send((await store.tokens.check(token)).kind))
    process.send('ready')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  children.push(child)
  const next = async () => (await once(child, 'message'))[0] as string
  const check = async () => {
    const answer = next()
    child.send(made.token)
    return await answer
  }
  expect(await next()).toBe('ready')
  expect([await check(), await check(), await check()]).toEqual(['valid', 'valid', 'valid'])
  await store.tokens.revoke(made.stored.id, 'test')
  await expect.poll(check).toBe('revoked')
  await store.close()
})

test(`finds every acknowledged row again after kill -9 at a random time (${kills} times)`, async () => {
  const store = await openSqliteStore({ path })
  await addProject(store)
  await store.close()
  const said: string[] = []
  let acknowledged = 0
  for (let kill = 0; kill < kills; kill++) {
    const running = [start('writer', `writer-${kill}`), start('worker', `worker-${kill}`)]
    // A random time between the first row and the middle of the work.
    const wanted = Math.floor(Math.random() * 40)
    while (running.every(({ child }) => child.exitCode === null) && (running[0]?.lines().length ?? 0) < wanted) await pause(2)
    await pause(Math.random() * 60)
    for (const { child } of running) child.kill('SIGKILL')
    await Promise.all(running.map(({ ended }) => ended))
    const lines = running.flatMap(({ lines: all }) => all())
    said.push(...lines)
    const again = await openSqliteStore({ path })
    acknowledged += await expectAccepted(again, lines)
    await again.close()
    expectWhole()
  }
  const all = await openSqliteStore({ path })
  expect(await expectAccepted(all, said)).toBe(acknowledged)
  // Everything that was open ends.
  const last = start('worker', 'last')
  await last.ended
  expect(await listOpen(all)).toEqual([])
  expect(await all.queue.stats()).toEqual({ waiting: 0, leased: 0, refused: 0, delayed: 0 })
  // An acknowledged end is final, and nothing ends twice.
  const finished = [...said, ...last.lines()].filter((line) => line.startsWith('finished '))
  const ids = finished.map((line) => line.split(' ')[1] ?? '')
  expect(new Set(ids).size).toBe(ids.length)
  for (const line of finished) {
    const [, id = ''] = line.split(' ')
    expect((await all.statuses.find(id))?.update.summary).toBe(line.slice(`finished ${id} `.length))
  }
  expectWhole()
  await all.close()
})

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

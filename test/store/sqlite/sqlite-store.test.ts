import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openSqliteStore, type Store } from '../../../src/store/store.ts'
import { describeUpdates } from '../store-contract.ts'
import { addProject, createClock, listOpen, newPush, type OpenStore, toCreatedId } from '../store-fixture.ts'

const opened: Store[] = []
const folders: string[] = []

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

async function open(path: string, options: Parameters<OpenStore>[0]): Promise<Store> {
  const store = await openSqliteStore({ path, ...options })
  opened.push(store)
  return store
}

describe('SQLite: updates', () =>
  describeUpdates(async (options) => {
    const folder = mkdtempSync(join(tmpdir(), 'openapi-pages-store-'))
    folders.push(folder)
    const path = join(folder, 'store.sqlite')
    return { store: await open(path, options), openAgain: () => open(path, options) }
  }))

test('opens a backup made during writes with the same rows', async () => {
  const clock = createClock()
  const folder = mkdtempSync(join(tmpdir(), 'openapi-pages-store-'))
  folders.push(folder)
  const store = await open(join(folder, 'store.sqlite'), { now: clock.now })
  const backupPath = join(folder, 'backup.sqlite')
  const project = await addProject(store)
  const ids: string[] = []
  const add = async (count: number) => {
    for (let index = 0; index < count; index++) {
      ids.push(
        toCreatedId(
          await store.accept({
            delivery: { id: `d${ids.length}`, event: 'push' },
            updates: [newPush(store, project, { now: clock.now, once: 'always' })],
          }),
        ),
      )
    }
  }
  await add(20)
  const token = await store.tokens.create(
    { grant: { scope: 'admin' }, name: 'ci', expiresAt: '2099-01-01T00:00:00.000Z' },
    'test',
  )
  const before = await Promise.all(ids.map((id) => store.statuses.find(id)))
  await Promise.all([store.backup(backupPath), add(20)])
  await expect(store.backup(backupPath)).rejects.toThrow('the file already exists')
  const copy = await open(backupPath, { now: clock.now })
  expect(await Promise.all(ids.slice(0, 20).map((id) => copy.statuses.find(id)))).toEqual(before)
  expect(await copy.projects.list()).toEqual(await store.projects.list())
  expect(await copy.tokens.check(token?.token ?? '')).toMatchObject({ kind: 'valid' })
  expect(await copy.deliveries.findMissing(['d19'])).toEqual([])
  // A record that was written during the copy is in it with its run and its check, or not at all.
  expect((await copy.queue.stats()).waiting).toBe(2 * (await listOpen(copy)).length)
  expect(await copy.queue.recover()).toEqual([])
})

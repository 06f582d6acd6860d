import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { StatusWaiters } from '../../../src/app/http/waiting.ts'
import type { StatusStore } from '../../../src/store/records/status-store.ts'
import { openPostgresStore, type Store } from '../../../src/store/store.ts'
import { hasPostgres, startTestDatabases } from '../../support/postgres.ts'
import { addProject, addUpdate, finishNext, startNext, startTestApp } from '../support/test-app.ts'

const minute = { timeoutMs: 60_000, signal: new AbortController().signal } as const

/** Counts the queries of the waiters. */
function countQueries(statuses: StatusStore) {
  const queries: string[] = []
  const counted: StatusStore = {
    ...statuses,
    readRevisions: (ids) => {
      queries.push(`revisions of ${ids.length}`)
      return statuses.readRevisions(ids)
    },
    find: (id) => {
      queries.push('record')
      return statuses.find(id)
    },
  }
  const waiters = new StatusWaiters(counted)
  onTestFinished(() => waiters.close())
  return { waiters, queries }
}

async function addQueued(store: Store, count = 1) {
  const project = await addProject(store)
  const stored = []
  for (let index = 0; index < count; index++) {
    const found = await store.statuses.find((await addUpdate(store, project))._id)
    if (!found) throw new Error('The record was not stored')
    stored.push(found)
  }
  return { project, stored }
}

test('answers a thousand requests for one record with a few queries', async () => {
  const { store } = await startTestApp(onTestFinished)
  const { stored } = await addQueued(store)
  const { waiters, queries } = countQueries(store.statuses)
  const [record] = stored
  if (!record) throw new Error('No record')
  const waiting = Array.from({ length: 1_000 }, () => waiters.wait(record, { of: 'state', ...minute }))
  await expect.poll(() => queries).toEqual(['revisions of 1'])
  const { update } = await startNext(store)
  const answers = await Promise.all(waiting)
  expect(new Set(answers.map((answer) => answer?.update.status))).toEqual(new Set([update.status]))
  expect(queries.filter((query) => query === 'record')).toHaveLength(1)
  // One at the beginning, and one for each of the two commits that start a record.
  expect(queries.length - 1).toBeLessThanOrEqual(3)
})

test('reads the revisions of all waiting requests with one query, and releases those of the changed record', async () => {
  const { store } = await startTestApp(onTestFinished)
  const { stored } = await addQueued(store, 3)
  const { waiters, queries } = countQueries(store.statuses)
  const waiting = stored.map((record) => waiters.wait(record, { of: 'revision', ...minute }))
  await expect.poll(() => queries).toEqual(['revisions of 3'])
  const { update } = await startNext(store)
  const first = await Promise.race(waiting)
  expect(first?.update).toEqual(update)
  expect(waiters.size).toBe(2)
  expect(new Set(queries)).toEqual(new Set(['revisions of 3', 'record']))
})

test('notices a change between reading the record and waiting', async () => {
  const { store } = await startTestApp(onTestFinished)
  const { stored } = await addQueued(store, 2)
  const { waiters, queries } = countQueries(store.statuses)
  const running = await startNext(store)
  const early = stored.find(({ update }) => update._id === running.update._id)
  const other = stored.find((record) => record !== early)
  if (!early || !other) throw new Error('No record')
  void waiters.wait(other, { of: 'state', ...minute })
  await expect.poll(() => queries.length).toBeGreaterThan(0)
  expect((await waiters.wait(early, { of: 'state', ...minute }))?.update.status).toBe('in_progress')
})

test('releases the requests for a record whose project was deleted', async () => {
  const { store } = await startTestApp(onTestFinished)
  const { project, stored } = await addQueued(store)
  const { waiters } = countQueries(store.statuses)
  const [record] = stored
  if (!record) throw new Error('No record')
  const waiting = waiters.wait(record, { of: 'state', ...minute })
  await store.projects.apply([{ kind: 'delete-project', projectId: project.id }])
  expect(await waiting).toBeUndefined()
})

describe.skipIf(!hasPostgres)('with PostgreSQL', () => {
  const databases = startTestDatabases()
  afterAll(() => databases.stop())

  async function open() {
    const url = await databases.createDatabase()
    const [web, worker] = [await openPostgresStore({ url }), await openPostgresStore({ url })]
    onTestFinished(async () => {
      await web.close()
      await worker.close()
    })
    const { stored } = await addQueued(web)
    const [record] = stored
    if (!record) throw new Error('No record')
    return { web, worker, record }
  }

  test('answers a request for a record that another process starts and ends', async () => {
    const { web, worker, record } = await open()
    const { waiters } = countQueries(web.statuses)
    const starting = waiters.wait(record, { of: 'state', ...minute })
    const running = await startNext(worker)
    const started = await starting
    expect(started?.update).toEqual(running.update)
    const ending = started && waiters.wait(started, { of: 'state', ...minute })
    await finishNext(worker, running, { status: 'success', summary: 'Valid.' })
    expect((await ending)?.update).toMatchObject({ status: 'success', summary: 'Valid.' })
  })
})

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { databaseFileName } from '../../src/app/base/open-store.ts'
import type { StoredUpdate } from '../../src/store/records/stored-records.ts'
import { openPostgresStore, openSqliteStore, type Store } from '../../src/store/store.ts'
import type { FakeGitHub } from './fake-github/fake-github.ts'
import type { FakeRepository } from './fake-github/fake-repository.ts'

/** Opening a store takes as long as many questions to it, on a machine that should leave its time to the app. */
const askEveryMs = 50

/** Only ends what hangs: on a busy machine, everything takes longer. */
const patienceMs = 600_000

/** Every record of a data folder, oldest first, and the number of remaining jobs. */
export async function readStore(dataDir: string): Promise<{ updates: readonly StoredUpdate[]; jobs: number }> {
  return await withStore(dataDir, async (store) => ({ updates: await listUpdates(store), jobs: await countJobs(store) }))
}

/** Waits until every webhook from GitHub is stored, redelivering it as often as necessary. */
export async function untilDelivered(github: FakeGitHub, dataDir: string): Promise<void> {
  await withStore(dataDir, async (store) => {
    const giveUpAt = performance.now() + patienceMs
    for (;;) {
      const missing = await store.deliveries.findMissing(github.deliveries.map(({ guid }) => guid))
      if (missing.length === 0) return
      if (performance.now() > giveUpAt) throw new Error(`${missing.length} deliveries did not arrive: ${missing.join(', ')}`)
      await sleep(askEveryMs)
    }
  })
}

/** Waits until no job is left. Returns the time that it took and the records. */
export async function untilIdle(dataDir: string): Promise<{ ms: number; updates: readonly StoredUpdate[] }> {
  const startedAt = performance.now()
  return await withStore(dataDir, async (store) => {
    for (;;) {
      const jobs = await countJobs(store)
      const ms = performance.now() - startedAt
      if (jobs === 0) {
        const updates = await listUpdates(store)
        // The app may have accepted one of them after the count.
        if ((await countJobs(store)) === 0) return { ms, updates }
      }
      if (ms > patienceMs) {
        const open = (await listUpdates(store)).filter(({ update }) => update.endedAt === undefined)
        const ids = open.map(({ update }) => update._id).join(', ')
        throw new Error(`${jobs} jobs are left after ${Math.round(ms)} ms; open: ${ids}`)
      }
      await sleep(askEveryMs)
    }
  })
}

/** @param place A data folder, or the URL of a PostgreSQL database. */
export async function withStore<Value>(place: string, work: (store: Store) => Promise<Value>): Promise<Value> {
  const store = place.startsWith('postgres:')
    ? await openPostgresStore({ url: place, connections: 2 })
    : await openSqliteStore({ path: join(place, databaseFileName) })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function countJobs({ queue }: Store): Promise<number> {
  const { waiting, leased } = await queue.stats()
  return waiting + leased
}

async function listUpdates(store: Store): Promise<StoredUpdate[]> {
  const updates: StoredUpdate[] = []
  for (const { id } of await store.projects.list()) {
    for (let cursor: string | undefined; ; ) {
      const page = await store.statuses.list(id, { limit: 100, ...(cursor === undefined ? {} : { cursor }) })
      updates.push(...(page?.updates ?? []))
      cursor = page?.nextCursor
      if (cursor === undefined) break
    }
  }
  return updates.toSorted((a, b) => (a.update._id < b.update._id ? -1 : 1))
}

/**
 * Checks the conditions of an idle app, whatever was killed before. Every push in the list has its record, all records have ended,
 * and every check has its conclusion. No record has two checks, and no pull request has two comments.
 */
export function expectSettled(
  github: FakeGitHub,
  repositories: readonly FakeRepository[],
  updates: readonly StoredUpdate[],
  acknowledged: readonly string[],
): void {
  const known = new Set(updates.map(({ update }) => update.commit.sha))
  expect(acknowledged.filter((sha) => !known.has(sha))).toEqual([])
  expect(updates.filter(({ update }) => update.endedAt === undefined).map(({ update }) => update._id)).toEqual([])
  const runs = repositories.flatMap(({ checkRuns }) => checkRuns)
  expect(runs.filter(({ status }) => status !== 'completed').map(({ externalId }) => externalId)).toEqual([])
  const ids = runs.map(({ externalId }) => externalId)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(updates.filter(({ update }) => !ids.includes(update._id)).map(({ update }) => update._id)).toEqual([])
  for (const run of runs) {
    const places = run.annotations.map(({ path, start_line: line, message }) => `${path}:${line} ${message}`)
    expect(places.length).toBe(new Set(places).size)
  }
  for (const { comments, pullRequests, fullName } of repositories) {
    for (const { number } of pullRequests) {
      const ours = comments.filter(({ issueNumber, author }) => issueNumber === number && author === `${github.app.slug}[bot]`)
      expect(ours.length, `comments on ${fullName}#${number}`).toBeLessThanOrEqual(1)
    }
  }
  github.assertNoUnexpectedRequests()
}

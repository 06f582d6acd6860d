import { expect, test } from 'vitest'
import { LeaseLostError, withLease } from '../../src/store/database/holds.ts'
import { publicFilesOf } from '../../src/store/sites/stored-sites.ts'
import { hashOf, stageSite, toContent } from './site-fixture.ts'
import { addProject, claimUpdate, createClock, newPush, type OpenStore } from './store-fixture.ts'

const leaseMs = 30_000

export function describeLeases(openStore: OpenStore): void {
  async function open() {
    const clock = createClock()
    const { store } = await openStore({ now: clock.now })
    const project = await addProject(store)
    await store.accept({ updates: [newPush(store, project, { now: clock.now })] })
    return { store, project, clock, job: await claimUpdate(store) }
  }

  test('tells the worker how long its lease lasts, which is shorter at the end of the longest run', async () => {
    const { store, clock, job } = await open()
    const beat = async (ms: number) => {
      clock.advance(ms)
      return await store.queue.heartbeat(job.lease, leaseMs)
    }
    for (let minute = 1; minute < 15; minute++) expect(await beat(60_000)).toBe(leaseMs)
    expect(await beat(50_000)).toBe(10_000)
    expect(await beat(9_999)).toBe(1)
    expect(await beat(1)).toBe(0)
  })

  test('rejects every write of a job whose lease was lost, in the same transaction', async () => {
    const { store, project, clock, job } = await open()
    const { _id: statusId, commit } = job.stored.update
    const buildId = await withLease(job.lease, () => stageSite(store, project, job, { 'index.html': 'one' }))
    await withLease(job.lease, () => store.statuses.addDetails(statusId, { changeCount: 1 }))
    clock.advance(leaseMs)
    await store.queue.recover()
    const late: Readonly<Record<string, () => Promise<unknown>>> = {
      details: () => store.statuses.addDetails(statusId, { changeCount: 2 }),
      contents: () => store.sites.addContents([toContent('two')]),
      renewal: () => store.sites.findMissing([hashOf('one')]),
      build: () => store.sites.stage({ projectId: project.id, statusId, ...commit, pageCount: 1, fileCount: 1, sizeBytes: 1 }),
      files: () => store.sites.addFiles(publicFilesOf({ id: buildId }), [{ path: 'two.html', hash: hashOf('one') }]),
      publication: () => store.sites.publish(project.id, commit.sha, 'test'),
      screenshots: () => {
        const picture = { content: toContent('light'), url: 'https://example.com/light' }
        return store.sites.addScreenshots(statusId, { light: picture, dark: picture })
      },
      audit: () => store.audit.add({ actor: 'test', action: 'update.regenerate', subject: statusId, detail: '' }),
      work: () => store.accept({ updates: [newPush(store, project, { now: clock.now, sha: 2 })] }),
      project: () => store.projects.apply([{ kind: 'detach-repository', repositoryId: project.repositoryId }]),
      note: () => store.notes.write('app-id', '7'),
    }
    for (const [name, write] of Object.entries(late)) {
      await expect(withLease(job.lease, write), name).rejects.toThrow(LeaseLostError)
    }
    expect((await store.statuses.find(statusId))?.details.changeCount).toBe(1)
    expect(await store.sites.listFiles(publicFilesOf({ id: buildId }))).toHaveLength(1)
    expect(await store.projects.find(project.id)).toEqual(project)
    expect(await store.queue.stats()).toMatchObject({ waiting: 1, leased: 0 })
    expect(await store.audit.list()).toEqual([])
    expect(await store.notes.read('app-id')).toBeUndefined()
  })

  test('lets the next attempt write while the earlier one cannot', async () => {
    const { store, clock, job } = await open()
    const { _id: statusId } = job.stored.update
    clock.advance(leaseMs)
    const next = await claimUpdate(store)
    const [late, current] = await Promise.allSettled([
      withLease(job.lease, () => store.statuses.addDetails(statusId, { changeCount: 1 })),
      withLease(next.lease, () => store.statuses.addDetails(statusId, { changeCount: 2 })),
    ])
    expect([late.status, current.status]).toEqual(['rejected', 'fulfilled'])
    expect((await store.statuses.find(statusId))?.details.changeCount).toBe(2)
  })

  test('counts the CPU time of a lost attempt', async () => {
    const { store, clock, job } = await open()
    clock.advance(leaseMs)
    await store.queue.recover()
    await withLease(job.lease, () => store.usage.addCpuTime(1, 500))
    expect(await store.usage.read(1)).toMatchObject({ cpuMs: 500 })
  })
}

import { describe, expect, test } from 'vitest'
import { finishUpdate, type Project } from '../../src/status/update-record.ts'
import type { UpdateDetails } from '../../src/store/records/stored-records.ts'
import { finishWithSite, publishPush, pushAndClaim, readSite, stageSite } from './site-fixture.ts'
import {
  addProject,
  claimUpdate,
  createClock,
  newPush,
  type OpenStore,
  toCreatedId,
  toRunning,
  toSha,
  type UpdateJob,
} from './store-fixture.ts'

const main = 'refs/heads/main'

/** Which commit of a branch is run and shown, whatever the order in which pushes arrive. */
export function describeTips(openStore: OpenStore): void {
  async function open() {
    const clock = createClock()
    const { store } = await openStore({ now: clock.now, limits: { maxWaitingPerBranch: 3 } })
    const project = await addProject(store)
    const queue = async (sha: number, more: { once?: 'tip' | 'always'; ref?: string } = {}) =>
      toCreatedId(await store.accept({ updates: [newPush(store, project, { now: clock.now, sha, once: 'always', ...more })] }))
    const find = (sha: number, ref = main) => store.statuses.findForTip({ projectId: project.id, ref, sha: toSha(sha) })
    const end = async (
      job: UpdateJob,
      {
        status = 'success',
        isTip = true,
        details = {},
      }: { status?: 'success' | 'failure'; isTip?: boolean; details?: Partial<UpdateDetails> } = {},
    ) => {
      const ended = finishUpdate(toRunning(job), { status, summary: 'Checked.', endedAt: new Date(clock.now()).toISOString() })
      await store.queue.finish(job.lease, ended, { isTip, details })
      await store.queue.complete(job.lease)
    }
    const build = async (job: UpdateJob, text: string) => {
      const buildId = await stageSite(store, project, job, { 'index.html': text })
      await finishWithSite(store, job, { buildId, publish: true }, clock.now)
    }
    const shown = async () => {
      const site = await store.sites.findShown({ subdomain: project.subdomain })
      return site && (await readSite(store, site.build.id))['index.html']
    }
    return { store, project, clock, queue, find, end, build, shown }
  }

  const changeDefaultBranch = async (
    { store, project }: Pick<Awaited<ReturnType<typeof open>>, 'store' | 'project'>,
    defaultBranch: string,
  ) => {
    const { repositoryId, installationId = 1, owner, repo }: Project = project
    const values = { installationId, owner, repo, private: true, defaultBranch }
    await store.projects.apply([{ kind: 'confirm-repository', repositoryId, values, tightened: 0, restore: false }])
  }

  describe('the record of a tip', () => {
    test('is one that has not ended, or that ran for the tip', async () => {
      const { queue, find, end, store } = await open()
      expect(await find(1)).toBeUndefined()
      const id = await queue(1)
      expect(await find(1)).toBe(id)
      await end(await claimUpdate(store))
      expect(await find(1)).toBe(id)
    })

    test('is not one that was overtaken, never ran, or was reported by the Action', async () => {
      const { queue, find, end, store } = await open()
      await queue(1)
      await end(await claimUpdate(store), { isTip: false, details: { overtaken: true, overtakenBy: toSha(2) } })
      expect(await find(1)).toBeUndefined()
      await queue(3)
      await end(await claimUpdate(store), { isTip: false, details: { trigger: 'report' } })
      expect(await find(3)).toBeUndefined()
      const [first] = [await queue(4), await queue(5), await queue(6), await queue(7)]
      expect((await store.statuses.find(first ?? ''))?.details).toMatchObject({ overtaken: true, overtakenBy: toSha(7) })
      expect(await find(4)).toBeUndefined()
    })

    test('is not one for which the site was decided before the branch moved on and back', async () => {
      const { queue, find, end, store } = await open()
      for (const sha of [1, 2]) {
        await queue(sha)
        await end(await claimUpdate(store))
      }
      expect([await find(1), await find(2)].map((id) => id === undefined)).toEqual([true, false])
    })

    test('is one that failed, because the same commit would fail again', async () => {
      const { queue, find, end, store } = await open()
      const failed = await queue(1)
      await end(await claimUpdate(store), { status: 'failure' })
      await queue(2)
      await end(await claimUpdate(store))
      expect(await find(1)).toBe(failed)
    })

    test('is not one of another branch, if the branch is now the default branch', async () => {
      const opened = await open()
      const { queue, find, end, store } = opened
      await queue(1)
      await end(await claimUpdate(store))
      const topic = await queue(2, { ref: 'refs/heads/topic' })
      await end(await claimUpdate(store), { isTip: false })
      expect(await find(2, 'refs/heads/topic')).toBe(topic)
      await changeDefaultBranch(opened, 'topic')
      expect(await find(2, 'refs/heads/topic')).toBeUndefined()
    })

    test('is that of another branch with the same commit, when a branch is created', async () => {
      const { find, end, queue, store, project, clock } = await open()
      const id = await queue(1)
      const create = () =>
        store.accept({ updates: [newPush(store, project, { now: clock.now, sha: 1, before: 0, ref: 'refs/heads/release' })] })
      for (const isEnded of [false, true]) {
        expect(await create()).toMatchObject({ updates: [{ outcome: 'same-push', statusId: id }] })
        if (!isEnded) await end(await claimUpdate(store))
      }
      expect(await find(1, 'refs/heads/release')).toBe(id)
    })

    test('is not done without its site, once the server may build one', async () => {
      const { end, queue, store, project } = await open()
      const id = await queue(1)
      await store.notes.writeLook(project.repositoryId, '2026-11-20T07:00:00Z')
      await end(await claimUpdate(store), { isTip: true, details: { noSite: 'quota' } })
      // Storage may become free.
      expect((await store.notes.readLooks()).size).toBe(0)
      const tip = { projectId: project.id, ref: main, sha: toSha(1) }
      expect(await store.statuses.findForTip({ ...tip, overcome: ['hosting', 'previews'] })).toBe(id)
      expect(await store.statuses.findForTip({ ...tip, overcome: ['quota'] })).toBeUndefined()
    })

    test('is not an earlier one with a site, if the branch moved on and back without one', async () => {
      const { end, queue, store, project } = await open()
      for (const sha of [1, 2]) {
        await queue(sha)
        await end(await claimUpdate(store))
      }
      const again = await queue(1)
      await end(await claimUpdate(store), { details: { noSite: 'hosting' } })
      const tip = { projectId: project.id, ref: main, sha: toSha(1) }
      expect(await store.statuses.findForTip(tip)).toBe(again)
      expect(await store.statuses.findForTip({ ...tip, overcome: ['hosting'] })).toBeUndefined()
    })

    test('begins again if its branch became the default branch meanwhile', async () => {
      const opened = await open()
      const { store, clock, queue } = opened
      const id = await queue(1, { ref: 'refs/heads/topic' })
      const job = await claimUpdate(store)
      await changeDefaultBranch(opened, 'topic')
      const endedAt = new Date(clock.now()).toISOString()
      const ended = finishUpdate(toRunning(job), { status: 'success', summary: 'Checked.', endedAt })
      expect(await store.queue.finish(job.lease, ended, { isPreview: true })).toBe(false)
      const again = await claimUpdate(store)
      expect(again.stored.update).toMatchObject({ _id: id })
      expect(again.stored.update.logs.at(-1)).toBe('Checked again: the branch has become the default branch')
      expect(await store.queue.finish(again.lease, ended, { isPreview: false, isTip: true })).toBe(true)
    })

    test('is compared again after updates of its repository were dropped from the queue', async () => {
      const { queue, store, project } = await open()
      await store.notes.writeLook(project.repositoryId, '2026-11-20T07:00:00Z')
      for (const sha of [1, 2, 3]) await queue(sha)
      expect((await store.notes.readLooks()).size).toBe(1)
      await queue(4)
      expect((await store.notes.readLooks()).size).toBe(0)
    })
  })

  test('a pull request shows the head that GitHub changed last, whichever webhook arrives last', async () => {
    const { store, project, clock } = await open()
    const texts = (text: string) => ({ 'index.html': text })
    for (const sha of [1, 2]) {
      await publishPush(store, project, { now: clock.now, sha, ref: 'refs/heads/topic', publish: false, texts: texts(`${sha}`) })
    }
    const shown = async () => (await store.sites.findByPull(project.id, 7))?.sha
    const head = (sha: number, second: number) => ({
      projectId: project.id,
      pullNumber: 7,
      sha: toSha(sha),
      updatedAt: `2026-11-20T06:59:0${second}Z`,
    })
    await store.accept({ pullHeads: [head(2, 2)] })
    await store.accept({ pullHeads: [head(1, 1)] })
    expect(await shown()).toBe(toSha(2))
    // The branch moves back, and the webhooks before are sent again.
    await store.accept({ pullHeads: [head(1, 3)] })
    await store.accept({ pullHeads: [head(2, 2), head(1, 1)] })
    expect(await shown()).toBe(toSha(1))
  })

  describe('the site', () => {
    test('follows the branch, although the record of an older commit is newer', async () => {
      const { store, project, queue, build, end, shown } = await open()
      const tip = await queue(2, { once: 'tip' })
      const older = await queue(1)
      const first = await claimUpdate(store)
      expect(first.lease.jobId).toBe(older)
      // The run finds out from GitHub that another commit is the tip.
      expect(await store.queue.yieldToTip(first.lease, toSha(2))).toBe(true)
      const second = await claimUpdate(store)
      expect([second.lease.jobId, second.validationOnly]).toEqual([tip, false])
      await build(second, 'two')
      const third = await claimUpdate(store)
      expect([third.lease.jobId, third.validationOnly]).toEqual([older, true])
      expect(await store.queue.yieldToTip(third.lease, toSha(2))).toBe(false)
      await end(third, { isTip: false, details: { overtaken: true } })
      expect(await shown()).toBe('two')
      // The branch moves back, and its record is older than the one that was published.
      await publishPush(store, project, { now: () => 0, sha: 1, texts: { 'index.html': 'one' } })
      expect(await shown()).toBe('one')
    })

    test('is that of an older record, if the branch moved back to its commit while it waited', async () => {
      const { store, project, clock, build, shown } = await open()
      const older = await pushAndClaim(store, project, { now: clock.now, sha: 1 })
      await store.queue.release(older.lease)
      await publishPush(store, project, { now: clock.now, sha: 2, texts: { 'index.html': 'two' } })
      expect(await shown()).toBe('two')
      await build(await claimUpdate(store), 'one')
      expect(await shown()).toBe('one')
    })

    test('ignores a branch that is no longer the default branch when the run ends', async () => {
      const opened = await open()
      const { store, project, clock, build, find, shown } = opened
      const running = await pushAndClaim(store, project, { now: clock.now, sha: 2 })
      await changeDefaultBranch(opened, 'trunk')
      const texts = { 'index.html': 'three' }
      await publishPush(store, project, { now: clock.now, sha: 3, ref: 'refs/heads/trunk', texts })
      await build(running, 'two')
      expect(await shown()).toBe('three')
      expect(await find(3, 'refs/heads/trunk')).toBeDefined()
    })

    test('is the tip of a new default branch, although a person published another commit and the branch before had the same tip', async () => {
      const opened = await open()
      const { store, project, clock, find, shown } = opened
      const push = (sha: number, text: string, ref = main) =>
        publishPush(store, project, { now: clock.now, sha, ref, texts: { 'index.html': text } })
      await push(1, 'one')
      await push(2, 'two')
      await store.sites.publish(project.id, toSha(1), 'github:octocat', { ref: main, sha: toSha(2) })
      const publishByPush = async (branch: string) => {
        await push(2, branch, `refs/heads/${branch}`)
        expect(await shown()).toBe(branch)
        expect(await find(2, `refs/heads/${branch}`)).toBeDefined()
        await store.sites.publish(project.id, toSha(1), 'github:octocat', { ref: `refs/heads/${branch}`, sha: toSha(2) })
        expect(await shown()).toBe('one')
      }
      await changeDefaultBranch(opened, 'topic')
      await publishByPush('topic')
      // The app finds the repository again.
      await addProject(store, { defaultBranch: 'trunk' })
      await publishByPush('trunk')
    })

    test('that a person published stays until the branch moves, whenever its tip is built', async () => {
      const { store, project, clock, queue, build, shown } = await open()
      const push = (sha: number, text: string) =>
        publishPush(store, project, { now: clock.now, sha, texts: { 'index.html': text } })
      await push(1, 'one')
      await push(2, 'two')
      await store.sites.publish(project.id, toSha(1), 'github:octocat', { ref: main, sha: toSha(3) })
      // The webhook of the tip at that time arrives later.
      await push(3, 'three')
      expect(await shown()).toBe('one')
      const again = newPush(store, project, { now: clock.now, sha: 3, once: 'always' })
      await store.accept({ updates: [{ ...again, details: { trigger: 'rerun' } }] })
      await build(await claimUpdate(store), 'three again')
      expect(await shown()).toBe('three again')
      await store.sites.publish(project.id, toSha(1), 'github:octocat', { ref: main, sha: toSha(3) })
      await queue(4)
      await build(await claimUpdate(store), 'four')
      expect(await shown()).toBe('four')
      await store.sites.publish(project.id, toSha(1), 'github:octocat', { ref: main, sha: toSha(4) })
      // The branch moved on, without a webhook, and back to the commit that it had when the person published.
      const texts = { 'index.html': 'four again' }
      await publishPush(store, project, { now: clock.now, sha: 4, before: 5, texts })
      expect(await shown()).toBe('four again')
    })
  })
}

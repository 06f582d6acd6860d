import { describe, expect, test } from 'vitest'
import { finishUpdate } from '../../src/status/update-record.ts'
import type { StoreLimits } from '../../src/store/database/store-database.ts'
import { filesFor, publicFilesOf, sitePartBytes } from '../../src/store/sites/stored-sites.ts'
import { finishWithSite, hashOf, publishPush, pushAndClaim, readSite, readText, stageSite, toContent } from './site-fixture.ts'
import { addProject, claimUpdate, createClock, newPush, type OpenStore, toRunning, toSha } from './store-fixture.ts'

type PushMore = Partial<Pick<Parameters<typeof publishPush>[2], 'ref' | 'publish' | 'status'>>

const main = 'refs/heads/main'
const hour = 3_600_000

export function describeSites(openStore: OpenStore): void {
  async function open(limits: Partial<StoreLimits> = {}) {
    const clock = createClock()
    const opened = await openStore({ now: clock.now, limits })
    const { store } = opened
    const project = await addProject(store)
    const push = (sha: number, texts: Record<string, string>, more: PushMore = {}) =>
      publishPush(store, project, { now: clock.now, sha, texts, ...more })
    const shown = async () => {
      const site = await store.sites.findShown({ subdomain: project.subdomain })
      return site && (await readSite(store, site.build.id))
    }
    return { ...opened, clock, project, push, shown }
  }

  test('ends the previews of a ref, and deletes updates after two years, but keeps the published site with its update', async () => {
    const { store, project, push, shown, clock } = await open()
    await push(1, { 'index.html': 'one' })
    await push(2, { 'index.html': 'two' }, { ref: 'refs/heads/topic' })
    const listUpdates = async () => (await store.statuses.list(project.id))?.updates.map(({ update }) => update.commit.sha)
    clock.advance(1)
    for (const ref of [main, 'refs/heads/topic']) await store.sites.dropPreviews(project.id, ref)
    expect((await store.sites.list(project.id)).map(({ sha }) => sha)).toEqual([toSha(1)])
    clock.advance(729 * 24 * hour)
    await store.prune()
    expect(await listUpdates()).toEqual([toSha(2), toSha(1)])
    clock.advance(2 * 24 * hour)
    await store.prune()
    expect(await listUpdates()).toEqual([toSha(1)])
    expect(await shown()).toEqual({ 'index.html': 'one' })
  })

  test('keeps the files of audiences apart, and deletes all of them with their build', async () => {
    const { store, project, clock } = await open()
    const staff = { name: 'staff', groups: ['internal'] }
    const trial = { name: 'trial', groups: ['trial'] }
    const texts = { public: 'for all', staff: 'for staff', trial: 'for all' }
    await store.sites.addContents([...new Set(Object.values(texts))].map(toContent))
    const job = await pushAndClaim(store, project, { now: clock.now, sha: 1 })
    const { _id: statusId, commit } = job.stored.update
    const counts = { pageCount: 1, fileCount: 3, sizeBytes: 23, audiences: [staff, trial] }
    const buildId = await store.sites.stage({ projectId: project.id, statusId, sha: commit.sha, ref: main, ...counts })
    if (buildId === undefined) throw new Error('not staged')
    for (const [audience, text] of Object.entries(texts)) {
      await store.sites.addFiles({ buildId, audience }, [{ path: 'index.html', hash: hashOf(text) }])
    }
    await finishWithSite(store, job, { buildId, publish: true, audiences: [staff, trial] }, clock.now)
    const build = (await store.sites.findPublished(project.id))?.build
    if (!build) throw new Error('not published')
    const read = async (audience: typeof staff | undefined) =>
      (await store.sites.findFile(filesFor(build, audience), 'index.html'))?.hash
    expect([await read(undefined), await read(staff), await read(trial)]).toEqual(Object.values(texts).map(hashOf))
    // With other groups, it is another audience.
    expect(await read({ ...staff, groups: ['internal', 'trial'] })).toBe(hashOf('for all'))
    expect(await store.sites.findFile({ buildId, audience: 'other' }, 'index.html')).toBeUndefined()
    // @ts-expect-error A build is not enough to name a file.
    expect(() => store.sites.findFile({ buildId }, 'index.html')).toBeTypeOf('function')

    await store.projects.remove(project.id, 'test')
    clock.advance(31 * 24 * hour)
    await store.prune()
    await store.sites.collect()
    clock.advance(2 * hour)
    await store.sites.collect()
    expect(await store.sites.sizes()).toMatchObject({ builds: 0, contents: 0, storedBytes: 0 })
  })

  test('readers have the audiences of the tip from the end of its run, with an audit line', async () => {
    const { store, project, clock } = await open()
    const audiencesOf = async () => (await store.sites.findOwner({ subdomain: project.subdomain })).audiences
    const staff = { name: 'staff', groups: ['internal'] }
    let sha = 0
    const end = async (given: NonNullable<Parameters<typeof finishWithSite>[2]['audiences']> | undefined, ref = main) => {
      const job = await pushAndClaim(store, project, { now: clock.now, sha: ++sha, ref })
      const buildId = await stageSite(store, project, job, { 'index.html': `${sha}` })
      const before = await audiencesOf()
      const publish = ref === main
      await finishWithSite(store, job, { buildId, publish, ...(given && { audiences: given }) }, clock.now)
      return [before, await audiencesOf()]
    }
    expect(await end([staff])).toEqual([[], [staff]])
    // A configuration that was not read, another branch, and the same again.
    for (const [given, ref] of [
      [undefined, main],
      [[], 'refs/heads/topic'],
      [[staff], main],
    ] as const) {
      expect(await end(given, ref)).toEqual([[staff], [staff]])
    }
    expect(await end('none')).toEqual([[staff], []])
    const lines = (await store.audit.list()).filter(({ action }) => action === 'site.audiences')
    expect(lines.map(({ actor, subject, detail }) => [actor, subject, detail])).toEqual([
      ['push', project.id, `${toSha(5)}: none`],
      ['push', project.id, `${toSha(1)}: ${JSON.stringify([staff])}`],
    ])
  })

  test('hides a build until its record ends', async () => {
    const { store, project, clock, shown } = await open()
    const job = await pushAndClaim(store, project, { now: clock.now, sha: 1 })
    const buildId = await stageSite(store, project, job, { 'index.html': 'one' })
    expect(await shown()).toBeUndefined()
    expect(await store.sites.find(project.id, toSha(1))).toBeUndefined()
    expect(await store.sites.list(project.id)).toEqual([])

    expect(await finishWithSite(store, job, { buildId, publish: true }, clock.now)).toBe(true)
    expect(await shown()).toEqual({ 'index.html': 'one' })
    const build = { id: buildId, projectId: project.id, statusId: job.stored.update._id, sha: toSha(1), ref: main }
    const sizes = {
      pageCount: 1,
      fileCount: 1,
      sizeBytes: 3,
      createdAt: '2026-11-20T07:00:00.000Z',
      status: 'success',
      isPublished: true,
      audiences: [],
    }
    expect(await store.sites.list(project.id)).toEqual([{ ...build, ...sizes }])
    expect(await store.sites.findPublished(project.id)).toEqual({
      build: { ...build, ...sizes },
      publishedAt: '2026-11-20T07:00:00.000Z',
      publishedBy: 'push',
    })
  })

  test('stores each content once', async () => {
    const { store, project, push, clock } = await open()
    await push(1, { 'index.html': 'one', 'logo.txt': 'same' })
    const before = await store.sites.sizes()
    expect(before).toEqual({ builds: 1, contents: 2, sizeBytes: 7, storedBytes: 7 })
    await push(2, { 'index.html': 'two', 'logo.txt': 'same', 'copy.txt': 'same' })
    const other = await addProject(store, { repositoryId: 200 })
    await publishPush(store, other, { now: clock.now, sha: 3, texts: { 'index.html': 'one' } })
    expect(await store.sites.sizes()).toEqual({ builds: 3, contents: 3, sizeBytes: 10, storedBytes: 10 })
    await store.sites.addContents([toContent('one')])
    expect((await store.sites.sizes()).contents).toBe(3)
    const stored = await store.usage.readStoredBytes()
    expect([project, other].map(({ id }) => stored.get(id))).toEqual([10, 3])
    expect(await store.usage.list()).toMatchObject([{ installationId: 1, storedBytes: 13 }])
  })

  test('returns large bodies in parts, from any part', async () => {
    const { store } = await open()
    const text = `${'a'.repeat(sitePartBytes)}${'b'.repeat(sitePartBytes)}c`
    for (const body of [text, 'd'.repeat(sitePartBytes), '']) {
      await store.sites.addContents([toContent(body)])
      expect(await readText(store, hashOf(body))).toBe(body)
    }
    const rest: string[] = []
    for await (const part of store.sites.readBody(hashOf(text), 'identity', 1)) rest.push(Buffer.from(part).toString())
    expect(rest.join('')).toBe(text.slice(sitePartBytes))
    expect(await store.sites.readBody(hashOf(text), 'br')[Symbol.asyncIterator]().next()).toMatchObject({ done: true })
    expect(await store.sites.findMissing([hashOf(text), hashOf('no')])).toEqual([hashOf('no')])
  })

  test('keeps one build of a commit that is built again, and keeps it published', async () => {
    const { store, project, push, shown } = await open()
    await push(1, { 'index.html': 'one' })
    await push(1, { 'index.html': 'again' }, { ref: 'refs/heads/feature', publish: false })
    expect(await shown()).toEqual({ 'index.html': 'again' })
    expect(await store.sites.list(project.id)).toHaveLength(1)
    expect((await store.sites.sizes()).builds).toBe(1)
  })

  test('publishes a commit with errors until one succeeds, or if a person publishes it', async () => {
    const { store, project, push, shown } = await open()
    const failing = { publish: 'until-success', status: 'failure' } as const
    await push(1, { 'index.html': 'first, with errors' }, failing)
    expect(await shown()).toEqual({ 'index.html': 'first, with errors' })
    await push(2, { 'index.html': 'newer errors' }, failing)
    expect(await shown()).toEqual({ 'index.html': 'newer errors' })
    await push(3, { 'index.html': 'sound' })
    await push(4, { 'index.html': 'errors again' }, failing)
    expect(await shown()).toEqual({ 'index.html': 'sound' })
    expect((await store.sites.list(project.id)).map(({ sha, status }) => [sha, status])).toEqual([
      [toSha(4), 'failure'],
      [toSha(3), 'success'],
      [toSha(2), 'failure'],
      [toSha(1), 'failure'],
    ])
    // The published commit was run again and now has errors: it stays published.
    await push(3, { 'index.html': 'no longer sound' }, failing)
    expect(await shown()).toEqual({ 'index.html': 'sound' })
    expect((await store.sites.sizes()).builds).toBe(4)

    await store.sites.publish(project.id, toSha(4), 'github:octocat')
    await push(5, { 'index.html': 'more errors' }, failing)
    expect(await shown()).toEqual({ 'index.html': 'errors again' })
    await push(6, { 'index.html': 'errors, as the project wants it' }, { ...failing, publish: 'always' })
    expect(await shown()).toEqual({ 'index.html': 'errors, as the project wants it' })
  })

  test('keeps a rollback until the next push', async () => {
    const { store, project, clock, push, shown } = await open()
    await push(1, { 'index.html': 'one' })
    await push(2, { 'index.html': 'two' })
    const waiting = await pushAndClaim(store, project, { now: clock.now, sha: 3 })
    clock.advance(1000)
    const tip = { ref: main, sha: toSha(3) }
    expect(await store.sites.publish(project.id, toSha(1), 'github:octocat', tip)).toMatchObject({
      kind: 'published',
      site: {
        build: { sha: toSha(1), isPublished: true },
        publishedAt: '2026-11-20T07:00:01.000Z',
        publishedBy: 'github:octocat',
      },
    })
    expect(await shown()).toEqual({ 'index.html': 'one' })
    expect(await store.sites.publish(project.id, toSha(1), 'cli')).toMatchObject({ kind: 'unchanged' })
    expect(await store.sites.publish(project.id, toSha(9), 'cli')).toEqual({ kind: 'not-found' })
    const [line] = await store.audit.list()
    expect(line).toMatchObject({ actor: 'github:octocat', action: 'site.publish', subject: project.id, detail: toSha(1) })

    const buildId = await stageSite(store, project, waiting, { 'index.html': 'three' })
    await finishWithSite(store, waiting, { buildId, publish: true }, clock.now)
    expect(await shown()).toEqual({ 'index.html': 'one' })
    await push(4, { 'index.html': 'four' })
    expect(await shown()).toEqual({ 'index.html': 'four' })
  })

  test.for([
    { rollback: 'before', expected: 'three' },
    { rollback: 'after', expected: 'one' },
  ])(
    'a push that gets its site later, because hosting was off, meets a rollback $rollback it',
    async ({ rollback, expected }) => {
      const { store, project, clock, push, shown } = await open()
      await push(1, { 'index.html': 'one' })
      await push(2, { 'index.html': 'two' })
      const rollBack = (sha: number) => store.sites.publish(project.id, toSha(1), 'cli', { ref: main, sha: toSha(sha) })
      if (rollback === 'before') await rollBack(2)
      const job = await pushAndClaim(store, project, { now: clock.now, sha: 3 })
      const endedAt = new Date(clock.now()).toISOString()
      const ended = finishUpdate(toRunning(job), { status: 'success', summary: 'Checked.', endedAt })
      await store.queue.finish(job.lease, ended, { isTip: true, details: { noSite: 'hosting' } })
      await store.queue.complete(job.lease)
      if (rollback === 'after') await rollBack(3)
      const found = newPush(store, project, { now: clock.now, sha: 3, once: 'always' })
      await store.accept({ updates: [{ ...found, details: { trigger: 'catch-up' } }] })
      const again = await claimUpdate(store)
      const buildId = await stageSite(store, project, again, { 'index.html': 'three' })
      await finishWithSite(store, again, { buildId, publish: true }, clock.now)
      expect(await shown()).toEqual({ 'index.html': expected })
    },
  )

  test('a push that runs again after a later one of its commit got no site replaces a rollback before both', async () => {
    const { store, project, clock, push, shown } = await open()
    await push(1, { 'index.html': 'one' })
    await push(2, { 'index.html': 'two' })
    await store.sites.publish(project.id, toSha(1), 'cli', { ref: main, sha: toSha(2) })
    const interrupted = await pushAndClaim(store, project, { now: clock.now, sha: 3 })
    await store.queue.retry(interrupted.lease, { reason: '502 Bad Gateway' })
    const later = await pushAndClaim(store, project, { now: clock.now, sha: 3 })
    const endedAt = new Date(clock.now()).toISOString()
    const ended = finishUpdate(toRunning(later), { status: 'success', summary: 'Checked.', endedAt })
    await store.queue.finish(later.lease, ended, { isTip: true, details: { noSite: 'hosting' } })
    await store.queue.complete(later.lease)
    clock.advance(60_000)
    const again = await claimUpdate(store)
    expect(again.stored.update._id).toBe(interrupted.stored.update._id)
    const buildId = await stageSite(store, project, again, { 'index.html': 'three' })
    await finishWithSite(store, again, { buildId, publish: true }, clock.now)
    expect(await shown()).toEqual({ 'index.html': 'three' })
  })

  test('finds the site of a host', async () => {
    const { store, project, push } = await open()
    const other = await addProject(store, { repositoryId: 200 })
    await push(1, { 'index.html': 'one' })
    await push(2, { 'index.html': 'two' }, { ref: 'refs/heads/feature', publish: false })
    const { subdomain } = project
    const shaOf = async (preview: NonNullable<Parameters<typeof store.sites.findShown>[0]['preview']>, of = subdomain) =>
      (await store.sites.findShown({ subdomain: of, preview }))?.build.sha
    const short = (sha: number) => toSha(sha).slice(0, 12)
    // All of these begin with the same digits. The newest one is found.
    expect(await shaOf({ kind: 'commit', sha: short(1) })).toBe(toSha(2))
    expect(await shaOf({ kind: 'commit', sha: toSha(1) })).toBe(toSha(1))
    for (const sha of ['0', '0'.repeat(11), '%', `${toSha(1)}0`, 'x'.repeat(12)])
      expect(await shaOf({ kind: 'commit', sha })).toBeUndefined()
    expect(await shaOf({ kind: 'commit', sha: toSha(1) }, other.subdomain)).toBeUndefined()

    const head = { projectId: project.id, pullNumber: 7 }
    expect(await shaOf({ kind: 'pull', pullNumber: 7 })).toBeUndefined()
    await store.accept({ pullHeads: [{ ...head, sha: toSha(1) }] })
    expect(await shaOf({ kind: 'pull', pullNumber: 7 })).toBe(toSha(1))
    // The build of its newest commit does not exist yet, or failed.
    await store.accept({
      pullHeads: [
        { ...head, sha: toSha(3) },
        { projectId: 'prj_none', pullNumber: 1, sha: toSha(1) },
      ],
    })
    expect(await shaOf({ kind: 'pull', pullNumber: 7 })).toBe(toSha(1))
    await store.accept({ pullHeads: [{ ...head, sha: toSha(2) }] })
    expect(await shaOf({ kind: 'pull', pullNumber: 7 })).toBe(toSha(2))
    await store.accept({ pullHeads: [{ ...head, sha: toSha(1) }] })
    expect((await store.sites.findByPull(project.id, 7))?.sha).toBe(toSha(1))
    expect(await shaOf({ kind: 'pull', pullNumber: 8 })).toBeUndefined()
    expect(await store.sites.findShown({ subdomain: 'unknown' })).toBeUndefined()

    await store.projects.set(project.id, { subdomain: 'moved' }, 'cli')
    expect(await store.sites.findShown({ subdomain })).toBeUndefined()
    expect((await store.sites.findShown({ subdomain: 'moved' }))?.project.id).toBe(project.id)
  })

  test('finds the build that the next one continues from', async () => {
    const { store, project, clock, push } = await open()
    expect(await store.sites.findEarlier(project.id, main)).toBeUndefined()
    await push(1, { 'index.html': 'one' })
    const job = await pushAndClaim(store, project, { now: clock.now, sha: 2 })
    const buildId = await stageSite(store, project, job, { 'index.html': 'two', 'a/b.txt': 'b' })
    await finishWithSite(store, job, { buildId, publish: true, memory: Buffer.from('remembered') }, clock.now)
    for (const ref of [main, 'refs/heads/new']) {
      const earlier = await store.sites.findEarlier(project.id, ref)
      expect([earlier?.build.id, Buffer.from(earlier?.memory ?? []).toString()]).toEqual([buildId, 'remembered'])
    }
    expect(await store.sites.listFiles(publicFilesOf({ id: buildId }))).toEqual([
      { path: 'a/b.txt', hash: hashOf('b'), sizeBytes: 1, bodies: { identity: 1 } },
      { path: 'index.html', hash: hashOf('two'), sizeBytes: 3, bodies: { identity: 3 } },
    ])
    expect((await store.sites.findFile(publicFilesOf({ id: buildId }), 'a/b.txt'))?.hash).toBe(hashOf('b'))
    for (const path of ['', 'A/b.txt', 'a/b.txt/', '../index.html'])
      expect(await store.sites.findFile(publicFilesOf({ id: buildId }), path)).toBeUndefined()
  })

  describe('publishing only complete builds', () => {
    test('rejects a build with missing files or of another record', async () => {
      const { store, project, clock, shown } = await open()
      const job = await pushAndClaim(store, project, { now: clock.now, sha: 1 })
      const { _id: statusId, commit } = job.stored.update
      await store.sites.addContents([toContent('one')])
      const counts = { pageCount: 1, fileCount: 2, sizeBytes: 3 }
      const buildId = await store.sites.stage({ projectId: project.id, statusId, sha: commit.sha, ref: main, ...counts })
      if (buildId === undefined) throw new Error('not staged')
      await store.sites.addFiles(publicFilesOf({ id: buildId }), [{ path: 'index.html', hash: hashOf('one') }])
      await expect(finishWithSite(store, job, { buildId, publish: true }, clock.now)).rejects.toThrow('only 1 of its 2 files')
      expect((await store.statuses.find(statusId))?.update.status).toBe('queued')
      await expect(store.sites.addFiles(publicFilesOf({ id: buildId }), [{ path: 'a', hash: hashOf('none') }])).rejects.toThrow(
        '1 of their contents are not stored',
      )

      const other = await pushAndClaim(store, project, { now: clock.now, sha: 2, ref: 'refs/heads/b' })
      await expect(finishWithSite(store, other, { buildId, publish: true }, clock.now)).rejects.toThrow(
        'does not belong to update',
      )
      expect(await shown()).toBeUndefined()
    })

    test('rejects a build after its lease was lost', async () => {
      const { store, project, clock, push, shown } = await open()
      await push(1, { 'index.html': 'one' })
      const lost = await pushAndClaim(store, project, { now: clock.now, sha: 2 })
      const half = await stageSite(store, project, lost, { 'index.html': 'half' })
      clock.advance(60_000)
      await store.queue.recover()
      const again = await claimUpdate(store)
      expect(await finishWithSite(store, lost, { buildId: half, publish: true }, clock.now)).toBe(false)
      expect(await shown()).toEqual({ 'index.html': 'one' })
      const buildId = await stageSite(store, project, again, { 'index.html': 'two' })
      await finishWithSite(store, again, { buildId, publish: true }, clock.now)
      expect(await shown()).toEqual({ 'index.html': 'two' })
      clock.advance(2 * hour)
      expect(await store.sites.collect()).toMatchObject({ builds: 1, contents: 1 })
      expect(await shown()).toEqual({ 'index.html': 'two' })
    })

    test('rejects a build after its project was deleted', async () => {
      const { store, project, clock } = await open()
      const job = await pushAndClaim(store, project, { now: clock.now, sha: 1 })
      const buildId = await stageSite(store, project, job, { 'index.html': 'one' })
      await store.projects.apply([{ kind: 'delete-project', projectId: project.id }])
      expect(await finishWithSite(store, job, { buildId, publish: true }, clock.now)).toBe(false)
      const counts = { pageCount: 0, fileCount: 0, sizeBytes: 0 }
      const late = { projectId: project.id, statusId: job.stored.update._id, sha: toSha(1), ref: main, ...counts }
      expect(await store.sites.stage(late)).toBeUndefined()
    })
  })

  describe('collection', () => {
    test('deletes all data of a deleted project and nothing else', async () => {
      const keepDeletedMs = 1_000
      const { store, project, clock, push } = await open({ keepDeletedMs })
      const other = await addProject(store, { repositoryId: 200 })
      await push(1, { 'index.html': 'mine', 'logo.txt': 'same' })
      const kept = await publishPush(store, other, {
        now: clock.now,
        sha: 2,
        texts: { 'index.html': 'theirs', 'logo.txt': 'same' },
      })
      await store.projects.apply([{ kind: 'delete-project', projectId: project.id }])
      expect(await store.sites.findShown({ subdomain: project.subdomain })).toBeUndefined()
      expect(await store.sites.collect()).toEqual({ builds: 0, contents: 0, storedBytes: 0 })
      clock.advance(keepDeletedMs + 1)
      await store.prune()
      expect(await store.sites.list(project.id)).toEqual([])
      // Contents are checked after an hour.
      expect(await store.sites.collect()).toEqual({ builds: 1, contents: 0, storedBytes: 0 })
      clock.advance(hour + 1)
      expect(await store.sites.collect()).toEqual({ builds: 0, contents: 1, storedBytes: 4 })
      expect(await readSite(store, kept.buildId)).toEqual({ 'index.html': 'theirs', 'logo.txt': 'same' })
      expect(await store.sites.sizes()).toEqual({ builds: 1, contents: 2, sizeBytes: 10, storedBytes: 10 })
      expect(await store.sites.findMissing([hashOf('mine')])).toEqual([hashOf('mine')])
      expect(await store.usage.readStoredBytes()).toEqual(new Map([[other.id, 10]]))
    })

    test('deletes previews that are too many or too old, but never the published site', async () => {
      const { store, project, clock, push, shown } = await open({ maxPreviews: 2, keepPreviewsMs: 10 * hour })
      await push(1, { 'index.html': 'one' })
      for (const sha of [2, 3, 4]) await push(sha, { 'index.html': `preview ${sha}` }, { ref: 'refs/heads/b', publish: false })
      const shas = async () => (await store.sites.list(project.id)).map(({ sha }) => sha)
      expect(await shas()).toEqual([toSha(4), toSha(3), toSha(1)])
      await store.accept({ pullHeads: [{ projectId: project.id, pullNumber: 1, sha: toSha(3) }] })
      clock.advance(11 * hour)
      await store.sites.collect()
      expect(await shas()).toEqual([toSha(1)])
      clock.advance(hour + 1)
      await store.sites.collect()
      expect(await shown()).toEqual({ 'index.html': 'one' })
      expect(await store.sites.sizes()).toEqual({ builds: 1, contents: 1, sizeBytes: 3, storedBytes: 3 })
      expect(await store.usage.readStoredBytes()).toEqual(new Map([[project.id, 3]]))
      expect(await store.sites.collect()).toEqual({ builds: 0, contents: 0, storedBytes: 0 })
    })

    test('keeps fewer previews for a project with lower limits, and never more than the server allows', async () => {
      const { store, project, clock, push, shown } = await open({ maxPreviews: 3, keepPreviewsMs: 10 * 24 * hour })
      const other = await addProject(store, { repositoryId: 200 })
      const preview = { ref: 'refs/heads/b', publish: false }
      const shas = async (id = project.id) => (await store.sites.list(id)).map(({ sha }) => sha)
      const set = async (maxPreviews: number | null, previewDays: number | null) =>
        await store.projects.set(project.id, { maxPreviews, previewDays }, 'github:boss')
      await push(1, { 'index.html': 'one' })
      for (const sha of [2, 3, 4]) {
        await push(sha, { 'index.html': `preview ${sha}` }, preview)
        await publishPush(store, other, { now: clock.now, sha, texts: { 'index.html': `other ${sha}` }, ...preview })
      }
      const others = await shas(other.id)
      expect(await set(2, 5)).toMatchObject({ kind: 'set', project: { maxPreviews: 2, previewDays: 5 } })
      expect(await store.projects.find(project.id)).toMatchObject({ maxPreviews: 2, previewDays: 5 })
      await store.sites.collect()
      expect(await shas()).toEqual([toSha(4), toSha(3), toSha(1)])
      await push(5, { 'index.html': 'preview 5' }, preview)
      expect(await shas()).toEqual([toSha(5), toSha(4), toSha(1)])
      await set(9, 5)
      for (const sha of [6, 7, 8]) await push(sha, { 'index.html': `preview ${sha}` }, preview)
      expect(await shas()).toEqual([toSha(8), toSha(7), toSha(6), toSha(1)])
      clock.advance(5 * 24 * hour + 1)
      await store.sites.collect()
      expect(await shas()).toEqual([toSha(1)])
      await set(0, null)
      await push(9, { 'index.html': 'preview 9' }, preview)
      expect([await shas(), await shown()]).toEqual([[toSha(1)], { 'index.html': 'one' }])
      expect(await set(null, null)).toMatchObject({ project: expect.not.objectContaining({ maxPreviews: expect.anything() }) })
      expect(await shas(other.id)).toEqual(others)
    })

    test('keeps contents that a build is about to use', async () => {
      const { store, clock, project, shown } = await open()
      await store.sites.addContents([toContent('one'), toContent('two')])
      clock.advance(hour + 1)
      expect(await store.sites.findMissing([hashOf('one')])).toEqual([])
      expect(await store.sites.collect()).toMatchObject({ contents: 1 })
      const job = await pushAndClaim(store, project, { now: clock.now, sha: 1 })
      const buildId = await stageSite(store, project, job, { 'index.html': 'one' })
      clock.advance(hour / 2)
      expect(await store.sites.collect()).toEqual({ builds: 0, contents: 0, storedBytes: 0 })
      await finishWithSite(store, job, { buildId, publish: true }, clock.now)
      clock.advance(hour + 1)
      expect(await store.sites.collect()).toEqual({ builds: 0, contents: 0, storedBytes: 0 })
      expect(await shown()).toEqual({ 'index.html': 'one' })
    })
  })

  test('sets screenshots on the record, does not list them as site files, and deletes them with the site', async () => {
    const { store, clock, push, project } = await open({ maxPreviews: 0 })
    await push(1, { 'index.html': 'one' })
    const [build] = await store.sites.list(project.id)
    const statusId = build?.statusId ?? ''
    const pictures = {
      light: { content: toContent('bright'), url: 'https://pages.test/light.png' },
      dark: { content: toContent('dim'), url: 'https://pages.test/dark.png' },
    }
    expect(await store.sites.findScreenshot(statusId, 'dark')).toBeUndefined()
    expect((await store.statuses.findRecent(statusId))?.update).not.toHaveProperty('screenshot')
    expect(await store.sites.addScreenshots(statusId, pictures)).toBe(true)
    const shown = await store.statuses.find(statusId)
    expect(await store.statuses.findRecent(statusId)).toEqual(shown)
    const [screenshot, screenshotDark] = [pictures.light.url, pictures.dark.url]
    expect(shown?.update).toMatchObject({ screenshot, screenshotLight: screenshot, screenshotDark, status: 'success' })
    expect(JSON.parse(shown?.json ?? '')).toEqual(shown?.update)
    const picture = await store.sites.findScreenshot(statusId, 'dark')
    expect(picture && (await readText(store, picture.hash))).toBe('dim')
    expect(await store.sites.listFiles(publicFilesOf({ id: build?.id ?? '' }))).toHaveLength(1)

    // Taken only once, and not for a record without a site.
    expect(await store.sites.addScreenshots(statusId, pictures)).toBe(false)
    expect((await store.statuses.find(statusId))?.revision).toBe(shown?.revision)
    expect(await store.sites.addScreenshots(store.newId(), pictures)).toBe(false)

    await push(2, { 'index.html': 'two' })
    expect(await store.sites.findScreenshot(statusId, 'light')).toBeUndefined()
    clock.advance(2 * hour)
    await store.sites.collect()
    const left = await store.statuses.find(statusId)
    expect(left?.update).not.toHaveProperty('screenshot')
    expect(left?.update).not.toHaveProperty('screenshotDark')
    expect(left?.revision).toBe((shown?.revision ?? 0) + 1)
    // The record of another commit stays as it was.
    const [other] = await store.sites.list(project.id)
    expect((await store.statuses.find(other?.statusId ?? ''))?.update).toMatchObject({ commit: { sha: toSha(2) } })
    clock.advance(2 * hour)
    await store.sites.collect()
    expect((await store.sites.sizes()).contents).toBe(1)
  })

  test('keeps the screenshots of a record when a killed attempt is cleaned up', async () => {
    const { store, project, clock } = await open()
    const killed = await pushAndClaim(store, project, { now: clock.now, sha: 1 })
    await stageSite(store, project, killed, { 'index.html': 'half' })
    clock.advance(hour)
    await store.queue.recover()
    const again = await claimUpdate(store)
    const buildId = await stageSite(store, project, again, { 'index.html': 'whole' })
    await finishWithSite(store, again, { buildId, publish: true }, clock.now)
    const statusId = again.stored.update._id
    const picture = { content: toContent('bright'), url: 'https://pages.test/light.png' }
    await store.sites.addScreenshots(statusId, { light: picture, dark: picture })
    clock.advance(2 * hour)
    expect(await store.sites.collect()).toMatchObject({ builds: 1 })
    expect((await store.statuses.find(statusId))?.update.screenshot).toBe(picture.url)
  })
}

/** What takes many rows, for the databases. A bucket only adds a request for each content. */
export function describeManyContents(openStore: OpenStore): void {
  test('does not block the process with many contents', async () => {
    const { store } = await openStore({ now: Date.now })
    let turns = 0
    let isDone = false
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await store.sites.addContents(Array.from({ length: 1_000 }, (_, index) => toContent(`content ${index}`)))
    isDone = true
    expect(turns).toBeGreaterThanOrEqual(10)
    expect(await store.sites.sizes()).toMatchObject({ contents: 1_000, storedBytes: 10_890 })
  })

  test('deletes a site of many files in steps', async () => {
    const clock = createClock()
    const { store } = await openStore({ now: clock.now, limits: { maxPreviews: 0 } })
    const project = await addProject(store)
    const texts = Object.fromEntries(Array.from({ length: 1_010 }, (_, index) => [`${index}.html`, `page ${index % 510}`]))
    await publishPush(store, project, { now: clock.now, sha: 1, texts })
    await publishPush(store, project, { now: clock.now, sha: 2, texts: { 'index.html': 'two' } })
    expect((await store.sites.list(project.id)).map(({ sha }) => sha)).toEqual([toSha(2)])
    expect(await store.sites.collect()).toMatchObject({ builds: 1 })
    clock.advance(hour + 1)
    expect(await store.sites.collect()).toMatchObject({ contents: 510 })
    expect(await store.sites.sizes()).toMatchObject({ builds: 1, contents: 1 })
  })
}

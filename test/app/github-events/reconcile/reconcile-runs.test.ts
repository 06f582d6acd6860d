import { describe, expect, test } from 'vitest'
import { toInstallationRepositoriesEvent } from '../../../support/fake-github/payloads.ts'
import { compare, files, start } from './reconcile-fixture.ts'

test('finds the docs of a repository that was removed during the first look, and added again', async () => {
  const connected = await start()
  const { github, store, idle, installation } = connected
  const added = github.createRepository('acme/sdk', { files })
  await store.notes.writeLook(added.id, added.pushedAt)
  await github.deliver('installation_repositories', toInstallationRepositoriesEvent(github, installation, 'added', [added]))
  await idle()
  expect((await store.projects.list()).map(({ repo }) => repo)).toEqual(['api', 'sdk'])
})

describe('a run', () => {
  test('queues the tip of its branch if the webhook of the tip was lost', async () => {
    const connected = await start()
    const { github, repository } = connected
    const arrived = repository.commit({ files: { 'a.mdx': 'b' } })
    const lost = repository.commit({ files: { 'a.mdx': 'c' } })
    await github.deliver('push', repository.pushPayload(arrived))
    const [older, tip] = (await connected.idle()).slice(-2)
    expect(older).toMatchObject({ update: { commit: { sha: arrived.after } }, details: { overtakenBy: lost.after } })
    expect(tip).toMatchObject({ update: { commit: { sha: lost.after }, source: 'internal', status: 'success' } })
    expect(tip?.update.endedAt).not.toBe(undefined)
    expect((older?.update.endedAt ?? '') >= (tip?.update.endedAt ?? '')).toBe(true)
    expect(repository.checkRuns.map(({ headSha, status }) => [headSha, status]).slice(-2)).toEqual(
      expect.arrayContaining([
        [arrived.after, 'completed'],
        [lost.after, 'completed'],
      ]),
    )
  })

  test('does not publish a commit that is no longer the tip of the default branch', async () => {
    const connected = await start()
    const { github, repository } = connected
    const late = repository.commit({ files: { 'a.mdx': 'b' } })
    const newer = await repository.push({ files: { 'a.mdx': 'c' } })
    await connected.idle()
    await github.deliver('push', repository.pushPayload(late))
    const all = await connected.idle()
    expect(all.at(-1)).toMatchObject({ update: { commit: { sha: late.after } }, details: { overtaken: true } })
    expect(all.at(-1)?.update.logs).toContain(`Not published: main is at ${newer.sha.slice(0, 7)}`)
    expect((await compare(connected)).changes).toEqual([])
    expect(all.find(({ update }) => update.commit.sha === newer.sha)?.details.overtaken).toBeUndefined()
  })

  test('makes a repository public only after GitHub confirms it', async () => {
    const connected = await start()
    const { github, store, repository } = connected
    await store.projects.apply([{ kind: 'tighten', repositoryId: repository.id }])
    github.fault({ route: 'GET /repositories/{repository_id}', status: 500, times: 8 })
    await repository.push({ files: { 'a.mdx': 'b' } })
    expect(await store.projects.list()).toMatchObject([{ private: true }])
    await connected.idle()
    expect(await store.projects.list()).toMatchObject([{ private: false }])
  })

  test('ends with the reason if the repository no longer exists, and its project is deleted', async () => {
    const connected = await start()
    const { github, store, repository, installation } = connected
    const payload = repository.pushPayload(repository.commit({ files: { 'a.mdx': 'b' } }))
    repository.private = true
    installation.repositories.splice(0)
    await github.deliver('push', payload)
    await connected.idle()
    expect(await store.projects.list()).toEqual([])
    expect(await store.projects.listDeleted()).toHaveLength(1)
  })
})

describe('periodically', () => {
  test('compares again without a restart or a webhook', async () => {
    const { github, store, repository } = await start({ reconcile: { everyMs: 50 } })
    await expect.poll(() => github.requestsTo('GET /app/installations').length).toBeGreaterThan(1)
    repository.private = true
    await expect.poll(async () => await store.projects.list()).toMatchObject([{ private: true }])
  })

  test('looks again soon at a repository that GitHub refused, long before the next comparison', async () => {
    const connected = await start()
    const { github, repository } = connected
    // As if there had been no push: GitHub has no date.
    repository.pushedAt = ''
    await compare(connected)
    github.createRepository('acme/sdk', { files })
    const routes = [
      ['GET /repos/{owner}/{repo}/branches', 403],
      ['GET /repos/{owner}/{repo}/git/trees/{tree_sha}', 404],
    ] as const
    // The first request of an installation that is not found is sent again with a new token.
    for (const [route, status] of routes) github.fault({ route, status, times: status === 403 ? 1 : 2 })
    const { store } = await connected.restart({ reconcile: { everyMs: 3_600_000, retryMs: 50 } })
    await expect.poll(async () => (await store.projects.list()).map(({ repo }) => repo)).toEqual(['api', 'sdk'])
    const listAnswers = () => routes.map(([route]) => github.requestsTo(route).map(({ status }) => status))
    const expected = [expect.stringContaining('403 200'), expect.stringContaining('404 200')]
    await expect.poll(() => listAnswers().map((answers) => answers.join(' '))).toEqual(expected)
  })
})

describe('at start', () => {
  test('public sites of an outdated store stay private until GitHub confirms that they are public', async () => {
    let time = Date.now()
    const now = () => new Date(time)
    const reconcileTimes = { everyMs: 3_600_000, retryMs: 50 }
    const connected = await start({ now, reconcile: reconcileTimes })
    await connected.app.stop()
    const { github } = connected
    github.fault({ route: 'GET /app/installations', status: 404, times: 3 })
    time += 3_600_000
    const restarted = await connected.restart({ now })
    // GitHub rejected the first comparison, so sites stay private until a comparison completes.
    expect(restarted.logLines.join('')).toContain('Public sites are private')
    await expect.poll(async () => await restarted.store.projects.list()).toMatchObject([{ private: false }])
    expect(github.requestsTo('GET /app/installations').filter(({ status }) => status === 404)).toHaveLength(3)
    // A restart without a gap keeps sites public.
    const again = await restarted.restart({ now })
    expect(again.logLines.join('')).not.toContain('Public sites are private')
  })
})

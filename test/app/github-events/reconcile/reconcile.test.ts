import { describe, expect, test, vi } from 'vitest'
import { toPullRequestEvent, toRepositoryEvent } from '../../../support/fake-github/payloads.ts'
import { endUpdate, toSha } from '../../support/people-app.ts'
import { compare, files, start } from './reconcile-fixture.ts'

describe('comparing with GitHub', () => {
  test('changes nothing if nothing was missed, and lists branches again only in a full comparison', async () => {
    const connected = await start()
    const { github } = connected
    expect(await compare(connected)).toMatchObject({ changes: [], failures: [], isComplete: true, repositories: 1 })
    const listed = github.requestsTo('GET /repos/{owner}/{repo}/branches').length
    await compare(connected, { isFull: false })
    expect(github.requestsTo('GET /repos/{owner}/{repo}/branches')).toHaveLength(listed)
  })

  test('updates name, visibility, default branch and installation', async () => {
    const connected = await start()
    const { github, store, repository, project } = connected
    repository.commit({ files: { b: 'b' }, branch: 'trunk' })
    Object.assign(repository, { name: 'renamed', private: true, defaultBranch: 'trunk' })
    expect((await compare(connected, { isDryRun: true })).changes).toEqual([
      'private acme/renamed',
      'renamed acme/renamed',
      'default-branch acme/renamed',
      'update acme/renamed',
    ])
    expect(await store.projects.list()).toEqual([project])
    const first = await compare(connected)
    expect(first.changes).toContain('private acme/renamed')
    expect(await store.projects.list()).toMatchObject([
      { id: project.id, repo: 'renamed', private: true, defaultBranch: 'trunk' },
    ])
    await connected.idle()
    expect((await compare(connected)).changes).toEqual([])
    repository.private = false
    expect((await compare(connected)).changes).toEqual(['public acme/renamed'])
    expect(await store.projects.list()).toMatchObject([{ private: false }])
    github.assertNoUnexpectedRequests()
  })

  test('queues one update with one check for the tip of a branch after a lost webhook', async () => {
    const connected = await start()
    const { github, repository } = connected
    await repository.push({ files: { 'b.mdx': 'b' }, branch: 'topic' })
    await connected.idle()
    const lost = repository.commit({ files: { 'a.mdx': 'b' } })
    const onTopic = repository.commit({ files: { 'b.mdx': 'c' }, branch: 'topic' })
    // A branch without updates gets its first one from a push.
    repository.commit({ files: { 'c.mdx': 'c' }, branch: 'old' })
    expect((await compare(connected)).changes).toEqual(['update acme/api', 'update acme/api'])
    const all = await connected.idle()
    expect(all.slice(-2).map(({ update }) => [update.commit.sha, update.source, update.status])).toEqual([
      [lost.after, 'internal', 'success'],
      [onTopic.after, 'internal', 'success'],
    ])
    expect((await compare(connected)).changes).toEqual([])
    // The webhook arrives late.
    await github.deliver('push', repository.pushPayload(lost))
    expect(await connected.idle()).toHaveLength(all.length)
    expect(repository.checkRuns.filter(({ headSha }) => headSha === lost.after)).toHaveLength(1)
  })

  test('queues an update for a branch that moved back to an earlier commit', async () => {
    const connected = await start()
    const { repository } = connected
    const back = repository.tipOf('main')
    await repository.push({ files: { 'a.mdx': 'b' } })
    await connected.idle()
    repository.moveBranch('main', back)
    expect((await compare(connected)).changes).toEqual(['update acme/api'])
    const all = await connected.idle()
    expect(all.at(-1)?.update.commit.sha).toBe(back)
    expect((await compare(connected)).changes).toEqual([])
  })

  test.each([
    ['the webhook of the change', true],
    ['a run that reads the repository', false],
  ] as const)('runs the tip of a new default branch after %s', async (_title, isDelivered) => {
    const connected = await start()
    const { github, repository, project, store } = connected
    const trunk = await repository.push({ files: { b: 'b' }, branch: 'trunk' })
    await connected.idle()
    repository.defaultBranch = 'trunk'
    if (isDelivered) await github.deliver('repository', toRepositoryEvent(github, repository, 'edited'))
    else await repository.push({ files: { c: 'c' }, branch: 'topic' })
    await connected.idle()
    const ofTrunk = (await connected.updates()).filter(({ update }) => update.commit.sha === trunk.sha)
    expect(ofTrunk.map(({ update }) => [update.source, update.status])).toEqual([
      ['github-app-installation', 'success'],
      ['internal', 'success'],
    ])
    const tip = { projectId: project.id, ref: 'refs/heads/trunk', sha: trunk.sha }
    expect(await store.statuses.findForTip(tip)).toBe(ofTrunk.at(-1)?.update._id)
    expect((await compare(connected)).changes).toEqual([])
  })

  test('finds pushes that were ignored while the project was off', async () => {
    const connected = await start()
    const { repository, store, project } = connected
    await compare(connected)
    await store.projects.set(project.id, { enabled: false }, 'cli')
    const missed = await repository.push({ files: { 'a.mdx': 'b' } })
    await compare(connected, { isFull: false })
    await store.projects.set(project.id, { enabled: true }, 'cli')
    expect((await compare(connected, { isFull: false })).changes).toEqual(['update acme/api'])
    expect((await connected.idle()).at(-1)?.update.commit.sha).toBe(missed.sha)
  })

  test('runs tips and pull requests from forks without a site again once the server hosts sites', async () => {
    const connected = await start()
    const { github, repository } = connected
    const fork = github.createRepository('mallory/api', { forkOf: repository, installed: false })
    for (const branch of ['open', 'closed']) {
      fork.commit({ branch, files: { 'b.mdx': branch } })
      const pull = repository.openPullRequest({ head: branch, headRepository: fork })
      await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
      if (branch === 'closed') pull.state = 'closed'
    }
    await connected.idle()
    expect((await compare(connected, { isDryRun: true })).changes).toEqual([])
    const hosting = await connected.restart({ env: { SITES_DOMAIN: 'localhost' } })
    expect((await compare(hosting)).changes).toEqual(['update acme/api', 'update acme/api'])
    expect((await hosting.idle()).slice(-2).map(({ update }) => [update.commit.ref, update.source, update.status])).toEqual([
      ['refs/heads/main', 'internal', 'success'],
      ['refs/pull/1/head', 'internal', 'success'],
    ])
    expect((await compare(hosting)).changes).toEqual([])
  })

  test('adds the repositories of an installation after a lost webhook', async () => {
    const connected = await start()
    const { github, store } = connected
    github.createRepository('globex/pets', { files })
    github.createRepository('globex/empty')
    expect((await compare(connected)).changes).toEqual(['found globex/pets'])
    expect((await connected.idle()).map(({ update }) => update.source)).toEqual(['github-app-installation', 'internal'])
    expect((await store.projects.list()).map(({ owner, repo }) => `${owner}/${repo}`)).toEqual(['acme/api', 'globex/pets'])
    expect((await compare(connected)).changes).toEqual([])
  })

  test('runs a push before the first updates of many new repositories', async () => {
    const { github, repository, restart } = await start({ env: { RUNS_AT_ONCE: '1' } })
    const busy = await restart({ withoutRuns: true })
    for (const name of ['one', 'two', 'three']) github.createRepository(`acme/${name}`, { files })
    expect((await compare(busy)).changes).toHaveLength(3)
    const { sha } = await repository.push({ files: { 'b.mdx': 'b' }, branch: 'topic' })
    const all = await (await busy.restart({ withoutRuns: false })).idle()
    const byEnd = all.toSorted((a, b) => (a.update.endedAt < b.update.endedAt ? -1 : 1)).slice(1)
    expect(byEnd[0]?.update.commit.sha).toBe(sha)
    expect(byEnd.map(({ details }) => details.trigger)).toEqual(['push', 'catch-up', 'catch-up', 'catch-up'])
  })

  test('leaves writes of the hour to pushes while many new repositories are updated', async () => {
    const { github, repository, restart } = await start()
    const connected = await restart({ writesPerHour: 20 })
    const others = Array.from({ length: 12 }, (_value, index) => github.createRepository(`acme/api-${index}`, { files }))
    await compare(connected)
    const checksOfOthers = () => others.flatMap(({ checkRuns }) => checkRuns).length
    const seen: number[] = []
    // Bulk work has stopped if nothing changes for a while.
    await vi.waitFor(
      () => {
        seen.push(checksOfOthers())
        expect(seen.slice(-10)).toEqual(Array<number>(10).fill(checksOfOthers()))
        expect(checksOfOthers()).toBeGreaterThan(5)
      },
      { timeout: 120_000, interval: 100 },
    )
    expect(checksOfOthers()).toBeLessThanOrEqual(15)
    const { sha } = await repository.push({ files: { 'b.mdx': 'b' }, branch: 'topic' })
    const findCheck = () => repository.checkRuns.find(({ headSha }) => headSha === sha)
    await vi.waitFor(() => expect(findCheck()).toMatchObject({ status: 'completed' }), { timeout: 120_000 })
  })

  test('deletes projects of deleted repositories, and restores them when they return', async () => {
    const connected = await start()
    const { store, repository, installation, project } = connected
    const before = await connected.idle()
    installation.repositories.splice(0)
    expect((await compare(connected)).changes).toEqual(['deleted acme/api'])
    expect(await store.projects.list()).toEqual([])
    expect((await compare(connected)).changes).toEqual([])
    installation.repositories.push(repository)
    expect((await compare(connected)).changes).toEqual(['restored acme/api'])
    expect(await store.projects.list()).toEqual([project])
    expect(await connected.idle()).toEqual(before)
  })

  test('checks and comments on pull requests that were opened while the app was not installed', async () => {
    const connected = await start()
    const { github, repository, installation } = connected
    await repository.push({ files: { 'openapi.yaml': 'openapi: 3.1.0\n' }, branch: 'topic' })
    const before = await connected.idle()
    expect(before.at(-1)?.update.status).toBe('failure')
    installation.repositories.splice(0)
    expect((await compare(connected)).changes).toEqual(['deleted acme/api'])
    const pull = repository.openPullRequest({ head: 'topic', author: 'ada' })
    const fork = github.createRepository('ada/api', { forkOf: repository, installed: false })
    const { after } = fork.commit({ files: { 'openapi.yaml': 'openapi: 3.1.0\n' }, branch: 'idea' })
    repository.openPullRequest({ head: 'idea', headRepository: fork, author: 'ada' })
    installation.repositories.push(repository)
    expect((await compare(connected)).changes).toEqual(['restored acme/api', 'update acme/api'])
    expect((await connected.idle()).slice(before.length).map(({ update }) => update.commit.sha)).toEqual([after])
    const commented = repository.comments.map(({ issueNumber }) => issueNumber)
    expect(commented.toSorted()).toEqual([pull.number, pull.number + 1])
    expect((await compare(connected)).changes).toEqual([])
    github.assertNoUnexpectedRequests()
  })

  test('ends the previews of deleted branches and of closed pull requests from forks', async () => {
    const connected = await start()
    const { github, repository, project } = connected
    const stopped = await connected.restart({ withoutRuns: true })
    const fork = github.createRepository('ada/api', { forkOf: repository, installed: false })
    fork.commit({ files: { 'a.mdx': 'b' }, branch: 'topic' })
    const pull = repository.openPullRequest({ head: 'topic', headRepository: fork, author: 'ada' })
    repository.commit({ files: { 'a.mdx': 'c' }, branch: 'kept/head' })
    const refs = ['refs/heads/main', 'refs/heads/kept/head', 'refs/heads/gone', `refs/pull/${pull.number}/head`]
    for (const [index, ref] of refs.entries()) {
      await endUpdate(stopped.store, project, { sha: toSha(`${index}`), ref, site: { 'index.html': 'a' } })
    }
    const listRefs = async () => new Set((await stopped.store.sites.list(project.id)).map(({ ref }) => ref))
    await compare(stopped)
    expect(await listRefs()).toEqual(new Set(refs.filter((ref) => ref !== 'refs/heads/gone')))
    pull.state = 'closed'
    await compare(stopped)
    expect(await listRefs()).toEqual(new Set(refs.slice(0, 2)))
  })

  test('recognizes an account that reinstalled the app', async () => {
    const connected = await start()
    const { github, store, repository, installation, project } = connected
    installation.deleted = true
    const again = github.createInstallation('acme')
    again.repositories.push(repository)
    repository.installation = again
    expect((await compare(connected)).changes).toEqual(['installation acme/api'])
    expect(await store.projects.list()).toEqual([{ ...project, installationId: again.id }])
  })

  test('makes sites private while their installation is suspended, and deletes nothing', async () => {
    const connected = await start()
    const { store, installation, project } = connected
    installation.suspended = true
    expect((await compare(connected)).changes).toEqual(['private acme/api'])
    expect(await store.projects.list()).toEqual([{ ...project, private: true }])
    expect((await compare(connected)).changes).toEqual([])
    installation.suspended = false
    expect((await compare(connected)).changes).toEqual(['public acme/api'])
  })

  test('changes nothing about an unreachable installation', async () => {
    const connected = await start()
    const { github, store, installation, project } = connected
    const other = github.createRepository('globex/pets', { files })
    installation.repositories.splice(0)
    github.fault({ route: 'GET /installation/repositories', status: 404 })
    const result = await compare(connected)
    expect(result).toMatchObject({ isComplete: false, changes: ['found globex/pets'] })
    expect(result.failures).toHaveLength(1)
    expect(await store.projects.find(project.id)).toEqual(project)
    expect(other.installation?.id).not.toBe(installation.id)
  })

  test('does not fail for a repository without commits', async () => {
    const connected = await start()
    connected.github.createRepository('acme/empty', { files })
    connected.github.fault({ route: 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}', status: 409 })
    expect(await compare(connected)).toMatchObject({ changes: [], failures: [], repositories: 2 })
  })

  test('deletes nothing after the server switched to another GitHub App', async () => {
    const connected = await start()
    const { store, installation, project } = connected
    await compare(connected)
    await store.notes.write('app-id', '1')
    installation.deleted = true
    expect((await compare(connected)).changes).toEqual(['detached acme/api'])
    const { installationId: _none, ...rest } = project
    expect(await store.projects.list()).toEqual([rest])
    expect((await compare(connected)).changes).toEqual([])
  })

  test('distinguishes repositories that took over the name of another one', async () => {
    const connected = await start()
    const { github, store, repository, project } = connected
    repository.name = 'old-api'
    const impostor = github.createRepository('acme/api', { files: { 'README.md': 'Plans' }, private: true })
    // No event reported the new name, so the run reads the repository by ID.
    const { sha } = await repository.push({ files: { 'a.mdx': 'b' } })
    const all = await connected.idle()
    expect(all.at(-1)?.update).toMatchObject({ status: 'success', commit: { sha } })
    expect(await store.projects.find(project.id)).toEqual({ ...project, repo: 'old-api' })
    expect(repository.checkRuns.filter(({ headSha }) => headSha === sha)).toMatchObject([{ status: 'completed' }])
    expect(impostor.checkRuns).toEqual([])
  })
})

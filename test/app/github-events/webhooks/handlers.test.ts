import { describe, expect, test } from 'vitest'
import type { FakeRepository } from '../../../support/fake-github/fake-repository.ts'
import {
  toCheckRunEvent,
  toCheckSuiteEvent,
  toInstallationEvent,
  toInstallationRepositoriesEvent,
  toMergeGroupEvent,
  toPullRequestEvent,
  toPush,
  toRepositoryEvent,
} from '../../../support/fake-github/payloads.ts'
import { addProjectOf, connectApp, docsConfig, validDocument } from '../../support/connected-app.ts'

const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }

async function connect(withoutRuns = true) {
  const connected = await connectApp({ withoutRuns })
  const repository = connected.github.createRepository('acme/api', { files })
  // Without runs, nothing confirms the installation with GitHub.
  if (withoutRuns) await addProjectOf(connected, repository)
  return { ...connected, repository }
}

describe('push', () => {
  test('creates the project and the record of a new repository', async () => {
    const { store, idle, repository } = await connect(false)
    const { sha, push } = await repository.push({ files: { 'a.mdx': 'a' }, message: 'docs: add a', author: 'hubot' })
    const [stored] = await idle()
    const [project] = await store.projects.list()
    expect(project).toMatchObject({ owner: 'acme', repo: 'api', root: '', defaultBranch: 'main', private: false })
    expect(stored?.update).toMatchObject({
      projectId: project?.id,
      status: 'success',
      author: 'hubot',
      authorInfo: { name: 'hubot', avatarUrl: expect.stringContaining('/avatars/'), githubUserId: expect.any(Number) },
      source: 'github-app-installation',
      subdomain: project?.subdomain,
      commit: {
        sha,
        ref: 'refs/heads/main',
        message: 'docs: add a',
        filesChanged: { added: ['a.mdx'], modified: [], removed: [] },
      },
    })
    expect(stored?.details).toMatchObject({ trigger: 'push', before: push.before })
  })

  test.each([
    ['source code only', { 'README.md': 'a', 'package.json': '{}' }, 'acme/api'],
    ['other data', { 'deploy/app.yaml': 'kind: Deployment\n' }, 'acme/api'],
    ['documents in an ignored repository', files, 'acme/sandbox-1'],
  ])('writes and downloads nothing for a repository with %s', async (_what, content, name) => {
    const { github, store, idle } = await connectApp({ env: { IGNORED_REPOSITORIES: 'other/api, acme/Sandbox-*' } })
    const repository = github.createRepository(name, { files: content })
    await repository.push({ files: { 'a.txt': 'a' }, branch: 'topic' })
    const pull = repository.openPullRequest({ head: 'topic' })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
    await idle()
    expect([await store.projects.list(), repository.checkRuns]).toEqual([[], []])
    expect(github.requestsTo('GET /repos/{owner}/{repo}/tarball/{ref}')).toEqual([])
  })

  test('creates the project of a document that only its content tells', async () => {
    const { github, store, idle } = await connectApp()
    const repository = github.createRepository('acme/api', { files: { 'src/pets.yaml': validDocument } })
    await repository.push({ files: { 'a.txt': 'a' } })
    expect(await idle()).toHaveLength(1)
    expect(await store.projects.list()).toHaveLength(1)
  })

  test('does not give the account of the pusher to the author of the commit', async () => {
    const { github, updates, repository } = await connect()
    const push = { ...repository.commit({ files: { 'a.mdx': 'a' }, author: 'ada' }), pusher: 'octocat' }
    await github.deliver('push', toPush(github, repository, push))
    const [stored] = await updates()
    expect(stored?.update).toMatchObject({ author: 'ada' })
    expect(stored?.update.authorInfo).toEqual({ name: 'ada' })
  })

  test('combines the changed files of all commits', async () => {
    const { github, updates, repository } = await connect()
    const before = repository.tipOf('main')
    repository.commit({ files: { 'new.mdx': '1', 'gone.mdx': '1', 'openapi.yaml': null } })
    repository.commit({ files: { 'new.mdx': '2', 'gone.mdx': null, 'openapi.yaml': validDocument, 'docs.json': '{}' } })
    const after = repository.tipOf('main')
    const push = { ref: 'refs/heads/main', before, after, forced: false, pusher: 'octocat' }
    await github.deliver('push', toPush(github, repository, push))
    const [stored] = await updates()
    expect(stored?.update.commit.filesChanged).toEqual({
      added: ['new.mdx'],
      modified: ['docs.json', 'openapi.yaml'],
      removed: [],
    })
  })

  test.each([
    ['a tag', (repository: FakeRepository) => ({ ...repository.commit({ files: { a: 'a' } }), ref: 'refs/tags/v1' })],
    [
      'the branch of a merge queue',
      (repository: FakeRepository) => repository.commit({ files: { a: 'a' }, branch: 'gh-readonly-queue/main/pr-1-a' }),
    ],
    [
      'a branch that is deleted',
      (repository: FakeRepository) => {
        repository.commit({ files: { a: 'a' }, branch: 'old' })
        return repository.deleteBranch('old')
      },
    ],
  ])('creates no record for %s', async (_name, move) => {
    const { github, updates, repository } = await connect()
    const { status } = await github.deliver('push', repository.pushPayload(move(repository)))
    expect(status).toBe(202)
    expect(await updates()).toEqual([])
  })

  test('creates no record if updates are off', async () => {
    const { store, updates, repository } = await connect()
    await repository.push({ files: { a: 'a' } })
    const [project] = await store.projects.list()
    await store.projects.set(project?.id ?? '', { enabled: false }, 'test')
    const { delivery } = await repository.push({ files: { a: 'b' } })
    expect(delivery.status).toBe(202)
    expect(await updates()).toHaveLength(1)
  })

  test('recognizes a renamed repository after missed events', async () => {
    const { store, idle, repository } = await connect(false)
    await repository.push({ files: { a: 'a' } })
    await idle()
    repository.name = 'renamed'
    repository.private = true
    await repository.push({ files: { a: 'b' } })
    await idle()
    expect(await store.projects.list()).toMatchObject([{ repo: 'renamed', private: true }])
  })
})

describe('pull_request', () => {
  test('creates no second record for a pushed head', async () => {
    const { github, updates, repository } = await connect()
    await repository.push({ files: { a: 'a' }, branch: 'topic' })
    const pull = repository.openPullRequest({ head: 'topic' })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
    expect((await updates()).map(({ update }) => update.commit.ref)).toEqual(['refs/heads/topic'])
  })

  test('creates no record if the push event follows', async () => {
    const { github, updates, repository } = await connect()
    await repository.push({ files: { a: 'a' }, branch: 'topic' })
    const pull = repository.openPullRequest({ head: 'topic' })
    const push = repository.commit({ files: { a: 'b' }, branch: 'topic' })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'synchronize', pull, push.before))
    await github.deliver('push', repository.pushPayload(push))
    expect((await updates()).map(({ details }) => details.trigger)).toEqual(['push', 'push'])
  })

  test('creates a record for a branch that is older than the installation', async () => {
    const { github, updates, repository } = await connect()
    const { after } = repository.commit({ files: { a: 'a' }, branch: 'topic' })
    const pull = repository.openPullRequest({ head: 'topic' })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
    expect((await updates()).map(({ update }) => [update.commit.ref, update.commit.sha])).toEqual([['refs/heads/topic', after]])
  })

  test('creates a record for a head in a fork', async () => {
    const { github, updates, repository } = await connect()
    const fork = github.createRepository('mallory/api', { forkOf: repository, installed: false })
    const { after } = fork.commit({ files: { a: 'a' }, branch: 'topic' })
    const pull = repository.openPullRequest({ head: 'topic', headRepository: fork, author: 'mallory' })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
    const [stored] = await updates()
    expect(stored?.update).toMatchObject({
      author: 'mallory',
      authorInfo: { githubUserId: expect.any(Number) },
      commit: { sha: after, ref: 'refs/pull/1/head' },
    })
    expect(stored?.details).toMatchObject({ trigger: 'pull_request', pullNumber: 1, before: repository.tipOf('main') })
  })
})

test('creates a record and a check for a merge group', async () => {
  const { github, idle, repository } = await connect(false)
  const { after } = repository.commit({ files: { 'a.mdx': 'a' }, branch: 'gh-readonly-queue/main/pr-1-a' })
  await github.deliver('merge_group', toMergeGroupEvent(github, repository, 'gh-readonly-queue/main/pr-1-a', 'main'))
  const [stored] = await idle()
  expect(stored?.update.commit).toMatchObject({
    sha: after,
    ref: 'refs/heads/gh-readonly-queue/main/pr-1-a',
    filesChanged: { added: ['a.mdx'], modified: [], removed: [] },
  })
  expect(repository.checkRuns).toMatchObject([{ headSha: after, status: 'completed', conclusion: 'success' }])
})

describe('a re-run', () => {
  test('of a check creates a new record and a new check', async () => {
    const { github, idle, repository } = await connect(false)
    const { sha } = await repository.push({ files: { 'a.mdx': 'a' } })
    const [first] = await idle()
    const [run] = repository.checkRuns
    if (!first || !run) throw new Error('No check')
    await github.deliver('check_run', toCheckRunEvent(github, repository, run, { action: 'rerequested' }, 'hubot'))
    const [, second, ...more] = await idle()
    expect(more).toEqual([])
    expect(second?.update).toMatchObject({ status: 'success', source: 'internal', commit: first.update.commit })
    expect(second?.update.logs[0]).toBe(`Re-run of ${first.update._id}, requested by hubot`)
    expect(second?.details).toMatchObject({ trigger: 'rerun' })
    expect(repository.checkRuns.map(({ externalId, headSha }) => [externalId, headSha])).toEqual([
      [first.update._id, sha],
      [second?.update._id, sha],
    ])
  })

  test('of a suite does the same for every project', async () => {
    const { github, idle, repository } = await connect(false)
    const { sha } = await repository.push({ files: { 'sdk/docs.json': docsConfig, 'sdk/openapi.yaml': validDocument } })
    expect(await idle()).toHaveLength(2)
    await github.deliver('check_suite', toCheckSuiteEvent(github, repository, sha, 'hubot'))
    const all = await idle()
    expect(all.map(({ details }) => details.trigger)).toEqual(['push', 'push', 'rerun', 'rerun'])
    expect(repository.checkRuns.map(({ name }) => name).sort()).toEqual([
      'openapi-pages',
      'openapi-pages',
      'openapi-pages (sdk/)',
      'openapi-pages (sdk/)',
    ])
  })

  test('of a check with the record of another repository is ignored', async () => {
    const { github, idle, repository } = await connect(false)
    await repository.push({ files: { 'a.mdx': 'a' } })
    const [first] = await idle()
    const other = github.createRepository('acme/other', { files })
    const { sha } = await other.push({ files: { 'a.mdx': 'a' } })
    await idle()
    const [run] = other.checkRuns
    if (!first || !run) throw new Error('No check')
    const forged = { ...run, externalId: first.update._id }
    await github.deliver('check_run', toCheckRunEvent(github, other, forged, { action: 'rerequested' }, 'mallory'))
    expect(await idle()).toHaveLength(2)
    expect(other.checkRuns.map(({ headSha }) => headSha)).toEqual([sha])
  })
})

describe('installations and repositories', () => {
  test('a new installation creates projects with a first update', async () => {
    const { github, idle, store, repository } = await connect(false)
    github.createRepository('acme/empty')
    const { installation } = repository
    if (!installation) throw new Error('Not installed')
    await github.deliver('installation', toInstallationEvent(github, installation, 'created'))
    const all = await idle()
    expect(all.map(({ update }) => [update.status, update.source, update.commit.sha])).toEqual([
      ['success', 'internal', repository.tipOf('main')],
    ])
    expect(await store.projects.list()).toMatchObject([{ repo: 'api', root: '', hasDocsConfig: true }])
    expect(repository.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'success' }])
  })

  test('a deleted installation deletes its projects', async () => {
    const { github, idle, store, repository } = await connect(false)
    await repository.push({ files: { 'a.mdx': 'a' } })
    const [stored] = await idle()
    const { installation } = repository
    if (!installation) throw new Error('Not installed')
    installation.deleted = true
    await github.deliver('installation', toInstallationEvent(github, installation, 'deleted'))
    await idle()
    expect(await store.projects.list()).toEqual([])
    expect(await store.statuses.find(stored?.update._id ?? '')).toBeUndefined()
  })

  test('repositories can be added to and removed from an installation', async () => {
    const { github, idle, store, repository } = await connect(false)
    const { installation } = repository
    if (!installation) throw new Error('Not installed')
    await github.deliver(
      'installation_repositories',
      toInstallationRepositoriesEvent(github, installation, 'added', [repository]),
    )
    expect(await idle()).toHaveLength(1)
    installation.repositories.splice(0)
    await github.deliver(
      'installation_repositories',
      toInstallationRepositoriesEvent(github, installation, 'removed', [repository]),
    )
    await idle()
    expect(await store.projects.list()).toEqual([])
  })

  test('repositories can be renamed, transferred, and made private or public', async () => {
    const { github, store, idle, repository } = await connect(false)
    await repository.push({ files: { a: 'a' } })
    await idle()
    const [before] = await store.projects.list()
    repository.name = 'renamed'
    await github.deliver('repository', toRepositoryEvent(github, repository, 'renamed'))
    await idle()
    expect(await store.projects.list()).toMatchObject([
      { id: before?.id, owner: 'acme', repo: 'renamed', subdomain: before?.subdomain },
    ])
    repository.owner = 'globex'
    await github.deliver('repository', toRepositoryEvent(github, repository, 'transferred'))
    repository.private = true
    await github.deliver('repository', toRepositoryEvent(github, repository, 'privatized'))
    await idle()
    expect(await store.projects.list()).toMatchObject([{ id: before?.id, owner: 'globex', private: true }])
    repository.private = false
    await github.deliver('repository', toRepositoryEvent(github, repository, 'publicized'))
    await idle()
    expect(await store.projects.list()).toMatchObject([{ id: before?.id, private: false }])
  })

  test('a deleted repository deletes its projects', async () => {
    const { github, store, idle, repository } = await connect(false)
    await repository.push({ files: { a: 'a' } })
    await idle()
    const event = toRepositoryEvent(github, repository, 'deleted')
    github.removeRepository(repository)
    await github.deliver('repository', event)
    await idle()
    expect(await store.projects.list()).toEqual([])
    expect(await store.queue.stats()).toMatchObject({ leased: 0 })
  })
})

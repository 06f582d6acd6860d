import { beforeEach, describe, expect, test } from 'vitest'
import { convertManifest, GitHubApp, listFailedDeliveries, readApp, redeliver } from '../../src/github/apps/github-app.ts'
import { mayWrite } from '../../src/github/apps/users.ts'
import { commitOnBranch } from '../../src/github/repositories/branches.ts'
import { compareCommits, findCommit, listRepositoryFiles, readRepositoryFile } from '../../src/github/repositories/commits.ts'
import { listOpenPullRequests } from '../../src/github/repositories/pull-requests.ts'
import type { GitHubClient } from '../../src/github/requests/github-client.ts'
import { startCheckedGitHub } from '../support/fake-github/checked-github.ts'
import type { FakeGitHub } from '../support/fake-github/fake-github.ts'
import type { FakeRepository } from '../support/fake-github/fake-repository.ts'
import { createGitHubApp, fastPace } from '../support/github-app.ts'
import { failureOf } from '../support/github-failure.ts'

const name = { owner: 'acme', repo: 'api' }

let github: FakeGitHub
let repository: FakeRepository
let app: GitHubApp
let client: GitHubClient
beforeEach(async () => {
  github = await startCheckedGitHub({
    permissions: { contents: 'write', metadata: 'read', checks: 'write', pull_requests: 'write' },
  })
  repository = github.createRepository('acme/api', { files: { 'a.yaml': 'a', 'b.yaml': 'b', 'c.yaml': 'c' } })
  app = createGitHubApp(github)
  client = app.installation(repository.installation?.id ?? 0)
})

describe('comparing two commits', () => {
  const tip = () => repository.tipOf('main')
  const filesOf = (from: number, to: number) =>
    Object.fromEntries(
      Array.from({ length: to - from }, (_, index) => [`f/${String(from + index).padStart(4, '0')}.yaml`, `${index}`]),
    )

  test('lists the net changes of all commits', async () => {
    const base = tip()
    repository.commit({ files: { 'd.yaml': 'd', 'e.yaml': 'e', 'a.yaml': 'A' } })
    repository.commit({ files: { 'd.yaml': null, 'b.yaml': null, 'moved/c.yaml': 'c', 'c.yaml': null } })
    expect(await compareCommits(client, name, base, tip())).toEqual({
      mergeBaseSha: base,
      listsAllFiles: true,
      filesChanged: { added: ['e.yaml', 'moved/c.yaml'], modified: ['a.yaml'], removed: ['b.yaml', 'c.yaml'] },
      truncated: undefined,
    })
  })

  test('reports that more files may have changed at GitHub’s limit of 300', async () => {
    const base = tip()
    repository.commit({ files: filesOf(0, 299) })
    expect((await compareCommits(client, name, base, tip())).truncated).toBeUndefined()
    repository.commit({ files: filesOf(299, 350) })
    const { filesChanged, truncated, listsAllFiles } = await compareCommits(client, name, base, tip())
    expect(listsAllFiles).toBe(false)
    expect(filesChanged.added).toHaveLength(300)
    expect(truncated).toBe('GitHub lists at most 300 changed files. More files may have changed')
  })

  test('counts more than 250 commits', async () => {
    const base = tip()
    for (let count = 0; count < 260; count++) repository.commit({ files: { 'a.yaml': `${count}` } })
    const comparison = await compareCommits(client, name, base, tip())
    expect(comparison).toMatchObject({ filesChanged: { modified: ['a.yaml'] }, truncated: undefined })
  })

  test('reports after a force push that older files are not listed', async () => {
    const start = tip()
    repository.commit({ files: { 'old.yaml': 'x' } })
    const before = tip()
    const push = repository.commit({ files: { 'new.yaml': 'y' }, parent: start })
    expect(push.forced).toBe(true)
    const comparison = await compareCommits(client, name, before, push.after)
    expect(comparison.filesChanged).toEqual({ added: ['new.yaml'], modified: [], removed: [] })
    expect(comparison).toMatchObject({ mergeBaseSha: start, listsAllFiles: true })
    expect(comparison.truncated).toMatch(/^The branch was force-pushed/)
    expect((await compareCommits(client, name, push.after, start)).truncated).toMatch(
      /^The branch was reset to an earlier commit/,
    )
  })

  test('returns no changes for equal commits', async () => {
    expect(await compareCommits(client, name, tip(), tip())).toEqual({
      mergeBaseSha: tip(),
      listsAllFiles: true,
      filesChanged: { added: [], modified: [], removed: [] },
      truncated: undefined,
    })
  })

  test('a commit that is gone is not found', async () => {
    expect(await failureOf(compareCommits(client, name, 'e'.repeat(40), tip()))).toMatchObject({
      failure: 'not-found',
      status: 404,
    })
  })
})

describe('reading commits, pull requests and files', () => {
  test('finds a commit by branch, ref and ID', async () => {
    const sha = repository.tipOf('main')
    const authorInfo = { name: 'octocat', avatarUrl: expect.stringContaining('/avatars/'), githubUserId: expect.any(Number) }
    const by = { author: 'octocat', authorInfo }
    const url = `${repository.webUrl}/commit/${sha}`
    const commit = { sha, url, message: 'Start', by, parents: [], isVerified: false, verification: 'unsigned' }
    expect(await findCommit(client, name, 'main')).toEqual(commit)
    expect(await findCommit(client, name, 'refs/heads/main')).toEqual(commit)
    expect(await findCommit(client, name, sha)).toEqual(commit)
    expect(await findCommit(client, name, 'f'.repeat(40))).toBeUndefined()
    expect(await findCommit(client, name, 'refs/heads/none')).toBeUndefined()
    expect(await findCommit(client, { owner: 'acme', repo: 'none' }, 'main')).toBeUndefined()
    await expect(findCommit(client, { owner: 'acme', repo: 'none' }, sha)).rejects.toMatchObject({ failure: 'not-found' })
  })

  test('finds a branch with slashes', async () => {
    const { after } = repository.commit({ branch: 'feature/a b', files: { 'd.yaml': 'd' } })
    expect(await findCommit(client, name, 'refs/heads/feature/a b')).toMatchObject({ sha: after })
  })

  test('lists open pull requests of a branch, without those of a fork with the same name', async () => {
    const { after } = repository.commit({ branch: 'change', files: { 'd.yaml': 'd' } })
    const fork = github.createRepository('mallory/api', { forkOf: repository, installed: false })
    fork.commit({ branch: 'change', files: { 'd.yaml': 'evil' } })
    repository.openPullRequest({ head: 'change', headRepository: fork })
    const pull = repository.openPullRequest({ head: 'change' })
    expect(await listOpenPullRequests(client, name, 'change')).toEqual([
      {
        number: pull.number,
        url: `${repository.webUrl}/pull/${pull.number}`,
        body: '',
        headSha: after,
        headRef: 'change',
        isSameRepository: true,
        baseRef: 'main',
        baseSha: repository.tip('main'),
      },
    ])
    expect((await listOpenPullRequests(client, name)).map(({ isSameRepository }) => isSameRepository)).toEqual([true, false])
    pull.state = 'closed'
    expect(await listOpenPullRequests(client, name, 'change')).toEqual([])
  })

  test('lists the files of a commit without links and submodules', async () => {
    repository.commit({
      files: {
        'x/run.sh': { content: '', mode: '100755' },
        'x/link': { content: 'run.sh', mode: '120000' },
        'x/module': { content: 'f'.repeat(40), mode: '160000' },
      },
    })
    expect(await listRepositoryFiles(client, name, repository.tipOf('main'))).toEqual({
      paths: ['a.yaml', 'b.yaml', 'c.yaml', 'x/run.sh'],
      isTruncated: false,
    })
  })

  test('reads one file at a commit', async () => {
    const first = repository.tipOf('main')
    repository.commit({ files: { 'a.yaml': 'new', 'deep/ü b.yaml': 'deep' } })
    const read = async (sha: string, path: string) => {
      const bytes = await readRepositoryFile(client, name, sha, path)
      return bytes && Buffer.from(bytes).toString()
    }
    expect(await read(first, 'a.yaml')).toBe('a')
    expect(await read(repository.tipOf('main'), 'a.yaml')).toBe('new')
    expect(await read(repository.tipOf('main'), 'deep/ü b.yaml')).toBe('deep')
    expect(await read(first, 'none.yaml')).toBeUndefined()
  })
})

describe('the permission to use a button', () => {
  test.each([
    ['admin', true],
    ['maintain', true],
    ['write', true],
    ['triage', false],
    ['read', false],
    ['none', false],
  ] as const)('%s: %s', async (permission, expected) => {
    github.account('hubot')
    repository.setPermission('hubot', permission)
    expect(await mayWrite(client, name, { login: 'hubot' })).toBe(expected)
  })

  test('is denied to unknown users', async () => {
    expect(await mayWrite(client, name, { login: 'outsider' })).toBe(false)
  })

  test('fails when GitHub is unreachable', async () => {
    github.fault({ route: 'GET /repos/{owner}/{repo}/collaborators/{username}/permission', status: 500, times: 9 })
    expect(await failureOf(mayWrite(client, name, { login: 'octocat' }))).toMatchObject({ failure: 'unavailable' })
    github.faults.length = 0
  })
})

describe('"Regenerate" commits to the branch', () => {
  const commit = (expectedHeadSha: string, over: object = {}) =>
    commitOnBranch(client, name, {
      branch: 'change',
      expectedHeadSha,
      headline: 'docs: regenerate the API pages',
      body: 'Openapi-Pages-Source: 1234',
      changes: [
        { kind: 'add', path: 'api-reference/ü.mdx', content: '---\ntitle: Ü\n---\n' },
        { kind: 'modify', path: 'a.yaml', before: 'a', content: 'A' },
        { kind: 'delete', path: 'b.yaml', before: 'b' },
      ],
      ...over,
    })

  test('makes one signed commit with all changes', async () => {
    const { after } = repository.commit({ branch: 'change', files: { 'd.yaml': 'd' } })
    const result = await commit(after)
    const sha = repository.tipOf('change')
    expect(result).toEqual({ kind: 'committed', sha, url: `https://github.test/acme/api/commit/${sha}`, isVerified: true })
    expect(repository.git.commit(sha)).toMatchObject({
      parents: [after],
      author: 'openapi-pages[bot]',
      message: 'docs: regenerate the API pages\n\nOpenapi-Pages-Source: 1234',
    })
    expect(repository.readText(sha, 'api-reference/ü.mdx')).toBe('---\ntitle: Ü\n---\n')
    expect(repository.readText(sha, 'a.yaml')).toBe('A')
    expect(repository.readText(sha, 'b.yaml')).toBeUndefined()
    expect(repository.readText(sha, 'd.yaml')).toBe('d')
  })

  test('reports a moved branch and does not change it', async () => {
    const { after } = repository.commit({ branch: 'change', files: { 'd.yaml': 'd' } })
    repository.commit({ branch: 'change', files: { 'd.yaml': 'moved' } })
    const before = repository.tipOf('change')
    expect(await commit(after)).toEqual({ kind: 'stale' })
    expect(repository.tipOf('change')).toBe(before)
  })

  test('names the missing permission `contents: write`', async () => {
    const { after } = repository.commit({ branch: 'change', files: { 'd.yaml': 'd' } })
    if (repository.installation) repository.installation.permissions = { contents: 'read', metadata: 'read' }
    const error = await failureOf(commit(after))
    expect(error).toMatchObject({
      failure: 'forbidden',
      hint: 'Grant the app `contents: write`, then have the account owner accept the new permission',
    })
    expect(error.message).toBe('Cannot commit on `acme/api` branch `change`: Resource not accessible by integration')
  })

  test('reports a deleted branch as not found, and a deleted path as invalid', async () => {
    const { after } = repository.commit({ branch: 'change', files: { 'd.yaml': 'd' } })
    const gone = { changes: [{ kind: 'delete', path: 'none.yaml', before: '' }] }
    expect(await failureOf(commit(after, gone))).toMatchObject({ failure: 'invalid' })
    repository.deleteBranch('change')
    expect(await failureOf(commit(after))).toMatchObject({ failure: 'not-found' })
  })

  test('does not send more than GitHub’s limit per request', async () => {
    const { after } = repository.commit({ branch: 'change', files: { 'd.yaml': 'd' } })
    const changes = [{ kind: 'add', path: 'large.mdx', content: 'x'.repeat(25_000_001) }]
    expect(await failureOf(commit(after, { changes }))).toMatchObject({ failure: 'refused' })
    expect(github.requestsTo('POST /graphql')).toEqual([])
  })

  test('makes no second commit when the response is lost', async () => {
    const { after } = repository.commit({ branch: 'change', files: { 'd.yaml': 'd' } })
    github.fault({ route: 'POST /graphql', cut: 'after' })
    expect(await commit(after)).toMatchObject({ kind: 'committed', sha: repository.tipOf('change'), isVerified: true })
    expect(repository.git.commit(repository.tipOf('change')).parents).toEqual([after])
    expect(github.requestsTo('POST /graphql')).toHaveLength(2)
  })
})

describe('failed deliveries', () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const lose = (minutes: number, guid: string) =>
    github.deliver('push', repository.pushPayload(repository.commit({ files: { 'a.yaml': guid } })), {
      lost: true,
      guid,
      deliveredAt: minutesAgo(minutes),
    })

  test('are listed once each, oldest first, since a time, over all pages', async () => {
    for (let count = 0; count < 130; count++) await lose(600 - count, `lost-${count}`)
    await lose(10, 'lost-5')
    const failed = await listFailedDeliveries(app.client, minutesAgo(590))
    expect(failed.map(({ deliveryId }) => deliveryId)).toEqual([
      ...Array.from({ length: 119 }, (_, index) => `lost-${index + 11}`),
      'lost-5',
    ])
    expect(failed[0]).toMatchObject({ event: 'push', statusCode: 502 })
  })

  test('are omitted if a later attempt succeeded', async () => {
    const { createServer } = await import('node:http')
    const bodies: string[] = []
    const server = createServer((request, response) => {
      bodies.push(String(request.headers['x-github-delivery']))
      request.resume().on('end', () => response.end())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    await lose(5, 'one')
    await lose(4, 'two')
    github.webhookUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
    const [first] = await listFailedDeliveries(app.client, minutesAgo(60))
    if (!first) throw new Error('nothing failed')
    await redeliver(app.client, first)
    await github.settled()
    expect(bodies).toEqual(['one'])
    expect((await listFailedDeliveries(app.client, minutesAgo(60))).map(({ deliveryId }) => deliveryId)).toEqual(['two'])
    await new Promise((resolve) => server.close(resolve))
  })

  test('are reported as not found after GitHub deleted them', async () => {
    await lose(5, 'one')
    const [first] = await listFailedDeliveries(app.client, minutesAgo(60))
    if (!first) throw new Error('nothing failed')
    const error = await failureOf(redeliver(app.client, { ...first, id: 1 }))
    expect(error.message).toBe('Cannot redeliver webhook on `push` `one`: 404 Not Found')
  })
})

describe('the app manifest', () => {
  test('exchanges its code for credentials once', async () => {
    const code = github.confirmManifest({ name: 'Docs of Acme', hook_attributes: { url: 'https://docs.example.com/webhooks' } })
    const keys = await convertManifest(code, { apiUrl: github.url })
    expect(keys.privateKey).toContain('BEGIN RSA PRIVATE KEY')
    expect(github.webhookUrl).toBe('https://docs.example.com/webhooks')
    const fresh = new GitHubApp({ appId: keys.id, privateKey: keys.privateKey, apiUrl: github.url, pace: fastPace })
    expect(await readApp(fresh.client)).toMatchObject({ events: github.app.events })
    const error = await failureOf(convertManifest(code, { apiUrl: github.url }))
    expect(error.message).toBe('Cannot create the app from its manifest on GitHub: 404 Not Found')
  })
})

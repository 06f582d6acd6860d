import { beforeEach, describe, expect, test } from 'vitest'
import { type ChangesToCommit, commitChanges, splitChanges } from '../../../src/github/repositories/branches.ts'
import { findCommit, hasNewerRun, listCommitsSince } from '../../../src/github/repositories/commits.ts'
import { closePullRequest, createPullRequest, findPullRequest } from '../../../src/github/repositories/pull-requests.ts'
import { createTokenClient, type GitHubClient } from '../../../src/github/requests/github-client.ts'
import type { FileChange } from '../../../src/text/plain/source-file.ts'
import { startCheckedGitHub } from '../../support/fake-github/checked-github.ts'
import type { FakeGitHub } from '../../support/fake-github/fake-github.ts'
import type { FakeRepository } from '../../support/fake-github/fake-repository.ts'
import { fastPace } from '../../support/github-app.ts'
import { failureOf } from '../../support/github-failure.ts'

const name = { owner: 'acme', repo: 'docs' }
let github: FakeGitHub
let repository: FakeRepository
let client: GitHubClient

beforeEach(async () => {
  github = await startCheckedGitHub()
  repository = github.createRepository('acme/docs')
  client = clientWith({ contents: 'write', pull_requests: 'write', actions: 'read' })
})

function clientWith(permissions: { [name: string]: 'read' | 'write' }): GitHubClient {
  return createTokenClient({ token: github.createJobToken(repository, permissions), apiUrl: github.url, pace: fastPace })
}

function pages(count: number, content = 'x'): FileChange[] {
  return Array.from({ length: count }, (_, index) => ({ kind: 'add', path: `api/${index}.mdx`, content: `${content}${index}` }))
}

function commit(changes: readonly FileChange[], more: Partial<ChangesToCommit> = {}, by = client) {
  const tip = repository.tip('main')
  return commitChanges(by, name, {
    branch: 'main',
    expectedSha: tip,
    baseSha: tip ?? '',
    headline: 'docs: pages',
    body: 'Words.\n\nOpenapi-Pages-Source: abc',
    partTrailer: 'Openapi-Pages-Part',
    temporaryBranch: 'temporary/1',
    changes,
    limits: { files: 3 },
    ...more,
  })
}

const branches = () => [...repository.branches.keys()].sort()
const filesAt = (branch: string) => [...repository.git.commit(repository.tipOf(branch)).files.keys()].sort()

describe('commits through the API', () => {
  test('makes one signed commit by the bot of the token if one request is enough', async () => {
    const before = repository.tipOf('main')
    const result = await commit(pages(3))
    expect(result).toEqual({ kind: 'committed', sha: repository.tipOf('main'), url: expect.any(String), isVerified: true })
    const made = repository.git.commit(repository.tipOf('main'))
    expect([made.parents, made.author, made.committer, made.message]).toEqual([
      [before],
      'github-actions[bot]',
      'GitHub',
      'docs: pages\n\nWords.\n\nOpenapi-Pages-Source: abc',
    ])
    expect(github.requests).toHaveLength(1)
    expect(await findCommit(client, name, made.sha)).toMatchObject({ isVerified: true, verification: 'valid' })
  })

  test('commits in parts on a temporary branch otherwise, and moves the branch once', async () => {
    const before = repository.tipOf('main')
    const seen: string[] = []
    github.fault({ route: 'POST /graphql', times: 4, meanwhile: () => seen.push(repository.tipOf('main')) })
    const result = await commit(pages(8))
    expect(result.kind).toBe('committed')
    const messages = repository.git.commitsBetween(before, repository.tipOf('main')).map(({ message }) => message)
    expect(messages.map((message) => message.split('\n')[0])).toEqual([
      'docs: pages (1/3)',
      'docs: pages (2/3)',
      'docs: pages (3/3)',
    ])
    expect(messages.map((message) => message.split('\n').at(-1))).toEqual([
      'Openapi-Pages-Part: 1/3',
      'Openapi-Pages-Part: 2/3',
      'Openapi-Pages-Source: abc',
    ])
    expect(filesAt('main')).toHaveLength(9)
    expect(seen).toEqual([before, before, before, before])
    expect(branches()).toEqual(['main'])
  })

  test('deletes the temporary branch after every failure, without moving the branch', async () => {
    const before = repository.tipOf('main')
    github.fault({ route: 'POST /graphql', after: 1, status: 403, body: { message: 'Resource not accessible' } })
    expect(await failureOf(commit(pages(8)))).toMatchObject({ failure: 'forbidden', permission: 'contents: write' })
    expect([branches(), repository.tipOf('main')]).toEqual([['main'], before])
  })

  test('never overwrites another commit, even one between the last part and the move', async () => {
    github.fault({ route: 'GET /repos/{owner}/{repo}', meanwhile: () => repository.commit({ files: { 'x.md': 'mine' } }) })
    expect(await commit(pages(8))).toEqual({ kind: 'stale' })
    expect(filesAt('main')).toEqual(['README.md', 'x.md'])
    expect(branches()).toEqual(['main'])
  })

  test('resets a branch that it manages, only from the expected commit', async () => {
    const base = repository.tipOf('main')
    const own = repository.commit({ branch: 'ours', files: { 'old.mdx': 'old' } }).after
    expect((await commit(pages(1), { branch: 'ours', expectedSha: own, baseSha: base })).kind).toBe('committed')
    expect(filesAt('ours')).toEqual(['README.md', 'api/0.mdx'])
    const foreign = repository.commit({ branch: 'ours', files: { 'x.md': 'by Pat' } }).after
    expect((await commit(pages(2), { branch: 'ours', expectedSha: own, baseSha: base })).kind).toBe('stale')
    expect(repository.tipOf('ours')).toBe(foreign)
  })

  test('creates a missing branch, unless another process was faster', async () => {
    const base = repository.tipOf('main')
    const fresh = { branch: 'ours', expectedSha: undefined, baseSha: base }
    expect((await commit(pages(1), fresh)).kind).toBe('committed')
    expect((await commit(pages(2), fresh)).kind).toBe('stale')
    expect(filesAt('ours')).toEqual(['README.md', 'api/0.mdx'])
  })

  test('takes effect once when the response to any request is lost', async () => {
    const routes = ['POST /repos/{owner}/{repo}/git/refs', 'POST /graphql', 'POST /graphql', 'POST /graphql']
    for (const [index, route] of routes.entries()) {
      const before = repository.tipOf('main')
      github.fault({ route, cut: 'after', after: Math.max(0, index - 1) })
      expect((await commit(pages(5, `${index}-`), { temporaryBranch: `temporary/${index}` })).kind).toBe('committed')
      expect(repository.git.commitsBetween(before, repository.tipOf('main'))).toHaveLength(2)
      expect(branches()).toEqual(['main'])
    }
  })

  test('recognizes a branch rule in each wording', async () => {
    const rules = [
      { kind: 'classic', reason: 'At least 1 approving review is required by reviewers with write access.' },
      { kind: 'ruleset', reason: 'Changes must be made through a pull request.' },
    ] as const
    for (const rule of rules) {
      for (const changes of [pages(1), pages(5)]) {
        repository.rules.set('main', rule)
        const failure = await failureOf(commit(changes))
        expect([failure.failure, failure.message.endsWith(`: ${rule.reason.slice(0, -1)}`)]).toEqual(['protected', true])
        expect(branches()).toEqual(['main'])
        repository.rules.clear()
      }
    }
    repository.rules.set('*', { kind: 'ruleset', reason: 'Cannot create ref due to creations being restricted.' })
    expect((await failureOf(commit(pages(5)))).failure).toBe('protected')
  })

  test('waits for `retry-after`, and fails with the time if that is too long', async () => {
    github.fault({ route: 'POST /graphql', status: 429, headers: { 'retry-after': '0' } })
    expect((await commit(pages(1))).kind).toBe('committed')
    github.fault({
      route: 'POST /graphql',
      status: 403,
      headers: { 'retry-after': '600' },
      body: { message: 'You have exceeded a secondary rate limit.' },
      times: 9,
    })
    const failure = await failureOf(commit(pages(2)))
    expect([failure.failure, failure.retryAfterMs]).toEqual(['rate-limited', 600_000])
  })

  test.each([
    [401, {}, 'unauthorized'],
    [404, {}, 'not-found'],
    [409, { message: 'Git Repository is empty.' }, 'conflict'],
    [422, { message: 'Invalid request' }, 'invalid'],
    [503, {}, 'unavailable'],
  ])('explains a %i', async (status, body, failure) => {
    github.fault({ route: 'POST /graphql', status, body, times: 9 })
    expect((await failureOf(commit(pages(1)))).failure).toBe(failure)
  })
})

describe('splits changes', () => {
  test('splits by files and by bytes, in order and completely', () => {
    const changes: FileChange[] = [...pages(450), { kind: 'delete', path: 'gone.mdx', before: '' }]
    const byFiles = splitChanges(changes, { files: 200, bytes: 1e9 })
    expect(byFiles.map((part) => part.length)).toEqual([200, 200, 51])
    expect(byFiles.flat()).toEqual(changes)
    const large = ['a', 'b', 'c'].map((path): FileChange => ({ kind: 'add', path, content: path.repeat(60) }))
    expect(splitChanges(large, { files: 200, bytes: 120 }).map((part) => part.length)).toEqual([2, 1])
    expect(splitChanges(large, { files: 200, bytes: 10 }).map((part) => part.length)).toEqual([1, 1, 1])
  })
})

describe('a pull request', () => {
  test('is found by its head and never opened twice', async () => {
    repository.commit({ branch: 'ours', files: { 'a.mdx': 'a' } })
    const pull = { head: 'ours', base: 'main', title: 'docs', body: 'x' }
    expect(await findPullRequest(client, name, pull)).toBeUndefined()
    const made = await createPullRequest(client, name, pull)
    expect([made.isNew, made.pull.number]).toEqual([true, 1])
    expect(await createPullRequest(client, name, pull)).toMatchObject({ isNew: false, pull: { number: 1, body: 'x' } })
    await closePullRequest(client, name, { number: 1, body: 'y', reason: 'Done.' })
    expect(await findPullRequest(client, name, pull)).toBeUndefined()
    expect(repository.comments.map(({ body }) => body)).toEqual(['Done.'])
    expect(repository.pullRequests.map(({ state, body }) => [state, body])).toEqual([['closed', 'y']])
  })

  test('is opened once when the response is lost', async () => {
    repository.commit({ branch: 'ours', files: { 'a.mdx': 'a' } })
    github.fault({ route: 'POST /repos/{owner}/{repo}/pulls', cut: 'after' })
    expect(await createPullRequest(client, name, { head: 'ours', base: 'main', title: 'docs', body: 'x' })).toMatchObject({
      isNew: false,
      pull: { number: 1 },
    })
    expect(repository.pullRequests).toHaveLength(1)
  })

  test('needs its own permission, which the error names', async () => {
    repository.commit({ branch: 'ours', files: { 'a.mdx': 'a' } })
    const by = clientWith({ contents: 'write', pull_requests: 'read' })
    const failure = await failureOf(createPullRequest(by, name, { head: 'ours', base: 'main', title: 'docs', body: 'x' }))
    expect([failure.failure, failure.permission]).toEqual(['forbidden', 'pull_requests: write'])
  })
})

test('lists the commits of a branch that its base lacks', async () => {
  const base = repository.tipOf('main')
  await commit(pages(1), { branch: 'ours', expectedSha: undefined, baseSha: base })
  const head = repository.commit({ branch: 'ours', files: { 'x.md': 'x' }, author: 'pat', message: 'Mine' }).after
  const commits = await listCommitsSince(client, name, base, head)
  expect(commits?.map(({ message, authorName, committerEmail }) => [message.split('\n')[0], authorName, committerEmail])).toEqual(
    [
      ['docs: pages', 'github-actions[bot]', 'noreply@github.com'],
      ['Mine', 'pat', 'pat@users.noreply.github.com'],
    ],
  )
})

test('finds a newer run of a commit, and returns undefined without permission', async () => {
  const sha = repository.tipOf('main')
  const run = { workflow: 'docs.yml', sha, runNumber: 7 }
  expect(await hasNewerRun(client, name, run)).toBe(false)
  const add = (number: number, status: 'queued' | 'completed', conclusion: string | null) =>
    repository.workflowRuns.push({ id: number, workflow: 'docs.yml', number, branch: 'main', sha, status, conclusion })
  add(6, 'queued', null)
  add(8, 'completed', 'cancelled')
  expect(await hasNewerRun(client, name, run)).toBe(false)
  add(9, 'queued', null)
  expect(await hasNewerRun(client, name, run)).toBe(true)
  expect(await hasNewerRun(clientWith({ contents: 'write' }), name, run)).toBeUndefined()
})

import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOpenGitHub, findFilesChanged } from '../../../src/action/inputs/github-access.ts'
import type { ActionEvent } from '../../../src/action/inputs/workflow-event.ts'
import { openTrustedGit } from '../../../src/git/git.ts'
import { type FakeGitHub, startFakeGitHub } from '../../support/fake-github/fake-github.ts'
import { type GitRemote, git, makeGitRemote } from '../../support/git-remote.ts'

let github: FakeGitHub
let remote: GitRemote
let before: string
let after: string
beforeEach(async () => {
  github = await startFakeGitHub()
  remote = makeGitRemote({ 'kept.txt': 'a', 'old.txt': 'b', 'ä ö\t".yaml': 'c' })
  before = remote.tip()
  remote.push({ 'between.txt': 'x' })
  after = remote.push({ 'between.txt': null, 'kept.txt': 'changed', 'old.txt': null, 'new.txt': 'b', 'ä ö\t".yaml': 'd' })
})
afterEach(async () => {
  github.assertNoUnexpectedRequests()
  await github.close()
})

const net = { added: ['new.txt'], modified: ['kept.txt', 'ä ö\t".yaml'], removed: ['old.txt'] }

function find(checkout: string, base: ActionEvent['base'], sha: string, token?: string) {
  const environment = { GITHUB_API_URL: github.url, GITHUB_REPOSITORY: 'acme/docs' }
  const openGitHub = createOpenGitHub({ githubToken: token }, environment)
  return findFilesChanged(openTrustedGit(checkout), { base, sha }, { token: undefined, openGitHub })
}

test('finds the files of a push with git in a shallow clone, with any file names', async () => {
  const checkout = remote.checkOut()
  expect(await find(checkout, { kind: 'commit', sha: before }, after)).toEqual({
    way: 'git',
    filesChanged: net,
    truncated: undefined,
  })
  expect(git(checkout, 'rev-parse', 'HEAD')).toBe(after)
  expect(git(checkout, 'status', '--porcelain')).toBe('')
})

test('does not make a full clone shallow', async () => {
  const checkout = remote.checkOut()
  git(checkout, 'fetch', '--quiet', '--unshallow')
  const forced = remote.push({ 'x.txt': 'x' }, 'other')
  expect(await find(checkout, { kind: 'commit', sha: forced }, after)).toMatchObject({
    way: 'git',
    filesChanged: { removed: ['x.txt'] },
  })
  expect(git(checkout, 'rev-parse', '--is-shallow-repository')).toBe('false')
  expect(git(checkout, 'rev-list', '--count', 'HEAD')).toBe('3')
})

test('compares a pull request with the first parent of its merge commit', async () => {
  const head = remote.push({ 'topic.txt': 't' }, 'topic')
  const base = remote.push({ 'later.txt': 'l' })
  const merge = git(remote.path, 'merge-tree', '--write-tree', base, head)
  const sha = git(remote.path, 'commit-tree', merge, '-p', base, '-p', head, '-m', 'Merge')
  git(remote.path, 'update-ref', 'refs/pull/1/merge', sha)
  const checkout = remote.checkOut()
  git(checkout, 'fetch', '--quiet', '--depth=1', 'origin', 'refs/pull/1/merge')
  git(checkout, 'checkout', '--quiet', '--detach', 'FETCH_HEAD')
  expect(await find(checkout, { kind: 'pull-request', baseSha: before, headSha: head }, sha)).toEqual({
    way: 'git',
    filesChanged: { added: ['topic.txt'], modified: [], removed: [] },
    truncated: undefined,
  })
})

test('uses the compare API for a deleted commit, and reports a shortened list', async () => {
  const repository = github.createRepository('acme/docs')
  const base = repository.commit({ files: { 'a.txt': 'a' } })
  const files = Object.fromEntries(Array.from({ length: 301 }, (_, index) => [`file-${index}.txt`, 'x']))
  const head = repository.commit({ files })
  const token = github.createJobToken(repository, { contents: 'read' })
  const found = await find(remote.checkOut(), { kind: 'commit', sha: base.after }, head.after, token)
  expect(found).toMatchObject({
    way: 'compare',
    truncated: 'GitHub lists at most 300 changed files. More files may have changed',
  })
  expect(found.way === 'compare' && found.filesChanged.added).toHaveLength(300)
  expect(github.requests.map(({ method }) => method)).toEqual(['GET'])
})

test.each([
  ['a new branch', { kind: 'none', reason: 'the branch is new' } as const, 'the branch is new'],
  [
    'a commit that is nowhere',
    { kind: 'commit', sha: 'd'.repeat(40) } as const,
    'cannot fetch `ddddddd`: the remote has no such commit',
  ],
  [
    'another commit than the merge',
    { kind: 'pull-request', baseSha: 'd'.repeat(40), headSha: 'e'.repeat(40) } as const,
    'the merge commit of the pull request is not checked out',
  ],
])('%s: treats all files as changed and gives the reason', async (_, base, reason) => {
  expect(await find(remote.checkOut(), base, after)).toEqual({ way: 'all', reason })
})

test('reports both reasons if GitHub fails too', async () => {
  const repository = github.createRepository('acme/docs')
  const token = github.createJobToken(repository, {})
  const found = await find(remote.checkOut(), { kind: 'commit', sha: 'd'.repeat(40) }, after, token)
  expect(found).toMatchObject({ way: 'all' })
  expect(found.way === 'all' && found.reason).toMatch(
    /^cannot fetch `ddddddd`: the remote has no such commit; cannot compare commits on `acme\/docs`/,
  )
})

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askGit } from '../../src/git/commit.ts'
import { toGitError } from '../../src/git/git.ts'
import { makeHistory } from '../support/git-history.ts'
import { makeGitRemote } from '../support/git-remote.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

/** Messages of git and servers, shortened from real runs. */
test.each([
  [
    `remote: error: GH013: Repository rule violations found for refs/heads/main.
remote: Review all repository rules at https://github.com/acme/docs/rules?ref=refs%2Fheads%2Fmain
remote:
remote: - Changes must be made through a pull request.
remote:
remote: - Required status check "build" is expected.
To https://github.com/acme/docs
 ! [remote rejected] HEAD -> main (push declined due to repository rule violations)`,
    'a branch rule rejected it (GH013): Changes must be made through a pull request; Required status check "build" is expected',
    'mode: check',
  ],
  [
    `remote: error: GH006: Protected branch update failed for refs/heads/main.
remote: error: Changes must be made through a pull request.
 ! [remote rejected] HEAD -> main (protected branch hook declined)`,
    'a branch rule rejected it (GH006): Changes must be made through a pull request',
    'token',
  ],
  [
    `remote: Permission to acme/docs.git denied to github-actions[bot].
fatal: unable to access 'https://github.com/acme/docs/': The requested URL returned error: 403`,
    'the credentials have no write access (403)',
    'Dependabot',
  ],
  [
    `fatal: could not read Username for 'https://github.com': terminal prompts disabled`,
    'the checkout has no credentials, or the server rejected them',
    'persist-credentials',
  ],
  [
    `remote: Invalid username or token.\nfatal: Authentication failed for 'https://github.com/acme/docs/'`,
    'the checkout has no credentials, or the server rejected them',
    'token',
  ],
  [
    `git@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.`,
    'the checkout has no credentials, or the server rejected them',
    'token',
  ],
  [
    `remote: Repository not found.\nfatal: repository 'https://github.com/acme/no/' not found`,
    'the repository does not exist, or the credentials have no access to it',
    'git remote -v',
  ],
  [
    `fatal: unable to access 'https://github.com/acme/docs/': Could not resolve host: github.com`,
    `the server cannot be reached: unable to access 'https://github.com/acme/docs/': Could not resolve host: github.com`,
    'Run again',
  ],
  [
    `remote: GitLab: You are not allowed to push code to protected branches on this project.\n ! [remote rejected] HEAD -> main (pre-receive hook declined)`,
    'a branch rule rejected it',
    'bypass',
  ],
  [
    `remote: Commits need a ticket.\n ! [remote rejected] HEAD -> main (pre-receive hook declined)`,
    'a server hook rejected it: Commits need a ticket.',
    'hook',
  ],
  [
    `fatal: detected dubious ownership in repository at '/repository'`,
    'the checkout belongs to another user',
    'safe.directory "$PWD"',
  ],
  ['fatal: the receiving end does not support push options', 'the server accepts no push options', 'Use `--push-to` instead'],
  [`fatal: not a git repository (or any of the parent directories): .git`, 'this is not a Git work tree', 'actions/checkout'],
  [`fatal: couldn't find remote ref refs/heads/x`, 'the remote has no such branch', 'branch'],
  [
    `fatal: Unable to create '/repository/.git/index.lock': File exists.`,
    'another git process is running in this work tree',
    'index.lock',
  ],
  [`warning: hm\nerror: something new`, 'something new', 'Git documentation'],
  ['', 'git exited with code 128', 'Git documentation'],
])('%s', (stderr, reason, hint) => {
  const error = toGitError('push to `main`', { code: 128, text: stderr })
  expect(error.message).toContain(`Cannot push to \`main\`: ${reason}`)
  expect(error.hint).toContain(hint)
})

test('shows no passwords or tokens', () => {
  const stderr = `fatal: unable to access 'https://x-access-token:ghs_abcDEF123@github.com/acme/docs/': Authorization: basic c2VjcmV0
error: token github_pat_11AAA_bbb and ghp_0123456789`
  const { message } = toGitError('push', { code: 1, text: `error: ${stderr.replaceAll('\n', ' ')}` })
  expect(message).not.toMatch(/abcDEF|c2VjcmV0|11AAA|0123456789/)
})

test.each([
  ['an API token of the app', 'opk_A1b2C3d4E5f6G7h8', 'opk_***'],
  ['a JSON Web Token', 'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiIxMjM0NSJ9.c2lnbmF0dXJl', '*** (JWT)'],
  ['a private key', '-----BEGIN RSA PRIVATE KEY----- MIIE -----END RSA PRIVATE KEY-----', '*** (private key)'],
])('masks %s in a server message', (_title, secret, shown) => {
  const { message } = toGitError('push', { code: 1, text: `error: refused ${secret}` })
  expect(message).toBe(`Cannot push: refused ${shown}`)
})

test('finds ignored paths, even with special characters', async () => {
  const checkout = makeGitRemote({ '.gitignore': '/api/*\n!/api/keep*\n*.log\n', 'docs.json': '{}' }).checkOut()
  const paths = ['api/a.mdx', 'api/keep.mdx', 'docs.json', 'api/ü "x"\n.mdx', 'a.log', 'guide.mdx']
  const value = ['api/a.mdx', 'api/ü "x"\n.mdx', 'a.log']
  expect(await askGit(checkout).findIgnored(paths)).toEqual({ kind: 'known', value })
})

test('does not report a tracked path as ignored', async () => {
  const remote = makeGitRemote({ 'api/a.mdx': 'A' })
  remote.push({ '.gitignore': 'api/\n' })
  const answer = await askGit(remote.checkOut()).findIgnored(['api/a.mdx', 'api/b.mdx'])
  expect(answer).toEqual({ kind: 'known', value: ['api/b.mdx'] })
})

test('needs no Git to know that nothing is ignored or left out, outside of a work tree and for no paths', async () => {
  const folder = makeTemporaryFolder({ '.gitignore': '*' })
  const checkout = makeGitRemote({ 'docs.json': '{}' }).checkOut()
  const path = process.env['PATH']
  process.env['PATH'] = folder
  try {
    const nothing = { kind: 'known', value: [] }
    expect(await askGit(folder).findIgnored(['a.mdx'])).toEqual(nothing)
    expect(await askGit(folder).findLeftOut('')).toEqual(nothing)
    expect(await askGit(checkout).findIgnored([])).toEqual(nothing)
    expect(await askGit(checkout).findIgnored(['a.mdx'])).toMatchObject({
      kind: 'unknown',
      hint: expect.stringContaining('Install'),
    })
  } finally {
    process.env['PATH'] = path
  }
})

test('the dates of files and lines are known, none, or unknown', async () => {
  const files = { 'tests/a.har': '{}', 'openapi.yaml': 'openapi: 3.1.0\ninfo:\n' }
  const history = makeHistory()
  const git = askGit(history.folder)
  const none = [
    { kind: 'known', value: new Map() },
    { kind: 'known', value: undefined },
  ]
  const unborn = [await git.findDates(['tests']), await git.findLineDate('openapi.yaml', 1)]
  const shallow = askGit(makeGitRemote(files).checkOut())
  const cut = [await shallow.findDates(['tests']), await shallow.findLineDate('openapi.yaml', 1)]
  expect([unborn, cut]).toEqual([none, none])
  history.commit(files)
  const value = '2026-01-01T12:00:00.000Z'
  expect(await git.findDates(['tests'])).toEqual({ kind: 'known', value: new Map([['tests/a.har', value]]) })
  expect(await git.findLineDate('openapi.yaml', 2)).toEqual({ kind: 'known', value })
  expect(await git.findLineDate('openapi.yaml', 9)).toEqual(none[1])
  expect(await git.findLineDate('other.yaml', 1)).toEqual(none[1])
  rmSync(join(history.folder, '.git/objects'), { recursive: true })
  mkdirSync(join(history.folder, '.git/objects'))
  for (const answer of [await git.findDates(['tests']), await git.findLineDate('openapi.yaml', 2)])
    expect(answer).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('Cannot read the date') })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { GitHubEvent } from '../../scripts/run-as-github.mjs'
import { type ActionRun, makeExampleRemote, readActionFile, runAction } from '../support/action-harness.ts'
import { type FakeGitHub, startFakeGitHub } from '../support/fake-github/fake-github.ts'
import type { FakeRepository } from '../support/fake-github/fake-repository.ts'
import type { Permissions } from '../support/fake-github/types.ts'
import { type GitRemote, git } from '../support/git-remote.ts'
import { readTree } from '../support/read-tree.ts'

let github: FakeGitHub
let repository: FakeRepository
beforeEach(async () => {
  github = await startFakeGitHub()
  repository = github.createRepository('acme/docs')
  repository.commit({ branch: 'topic', files: { 'a.txt': 'a' } })
  repository.openPullRequest({ head: 'topic' })
})
afterEach(async () => {
  github.assertNoUnexpectedRequests()
  await github.close()
})

const broken = "openapi: 3.1.0\ninfo: {title: x, version: '1'}\npaths: {}\nx: 1\n"
const number = () => repository.pullRequests[0]?.number ?? 0
const writes = () => github.requests.filter(({ method }) => method !== 'GET')

/** A remote where a branch is to be merged, and a clone of the merge as GitHub checks it out. */
function makeMerge(files: { [path: string]: string }): {
  remote: GitRemote
  checkout: string
  head: string
  base: string
  sha: string
} {
  const remote = makeExampleRemote('petstore')
  const base = remote.tip()
  const head = remote.push(files, 'topic')
  const sha = git(remote.path, 'commit-tree', `${head}^{tree}`, '-p', base, '-p', head, '-m', 'Merge')
  git(remote.path, 'update-ref', 'refs/pull/1/merge', sha)
  const checkout = remote.checkOut()
  git(checkout, 'fetch', '--quiet', '--depth=1', 'origin', 'refs/pull/1/merge')
  git(checkout, 'checkout', '--quiet', '--detach', 'FETCH_HEAD')
  return { remote, checkout, head, base, sha }
}

interface Options {
  name?: string
  from?: string
  permissions?: Permissions
  inputs?: { [name: string]: string }
  environment?: { [name: string]: string }
}

async function run(
  files: { [path: string]: string },
  options: Options = {},
): Promise<{ run: ActionRun; remote: GitRemote; tips: string; base: string; head: string }> {
  const { remote, checkout, head, base, sha } = makeMerge(files)
  const tips = git(remote.path, 'for-each-ref')
  const payload = {
    pull_request: {
      number: number(),
      state: 'open',
      head: { ref: 'topic', sha: head, repo: { full_name: options.from ?? 'acme/docs' } },
      base: { sha: base },
    },
    repository: { full_name: 'acme/docs' },
  }
  const event: GitHubEvent = {
    name: options.name ?? 'pull_request',
    ref: `refs/pull/${number()}/merge`,
    headRef: 'topic',
    sha,
    payload,
  }
  const token = github.createJobToken(repository, options.permissions ?? { contents: 'read', pull_requests: 'write' })
  const result = await runAction(checkout, {
    temporaryFolder: remote.folder,
    event,
    inputs: { 'github-token': token, ...options.inputs },
    environment: { GITHUB_API_URL: `${github.url}/api/v3`, ...options.environment },
  })
  expect(result.text + result.summary + result.report).not.toContain(token)
  return { run: result, remote, tips, base, head }
}

test('comments on an error once, and writes nothing in the second run', async () => {
  const first = await run({ 'openapi.yaml': broken })
  expect([first.run.code, first.run.outputs['error-count']]).toEqual([1, '1'])
  expect(repository.comments).toHaveLength(1)
  expect(repository.comments[0]?.body).toContain(
    `[\`openapi.yaml:4\`](https://github.com/acme/docs/blob/${first.head}/openapi.yaml?plain=1#L4)`,
  )
  expect(repository.comments[0]?.body).toContain('[details](https://github.com/acme/docs/actions/runs/1/attempts/1)')
  expect(first.run.summary).toContain(
    '<sub>Changed by this pull request (according to Git): 1 of 1 OpenAPI document, no other files.</sub>',
  )
  await run({ 'openapi.yaml': broken })
  expect(repository.comments).toMatchObject([{ edits: 0 }])
})

test('only reports diagnostics on a pull request from a fork', async () => {
  const readOnly: Permissions = { contents: 'read', pull_requests: 'read' }
  const wrong = await run({ 'openapi.yaml': broken }, { from: 'mallory/docs', permissions: readOnly, inputs: { mode: 'commit' } })
  expect(wrong.run.code).toBe(1)
  const annotations = wrong.run.commands.map(({ name, properties }) => `${name} ${properties['file']} ${properties['title']}`)
  // The document also lost its operations and its server.
  expect([...new Set(annotations)]).toEqual([
    'notice undefined undefined',
    'error openapi.yaml unknown-field',
    'warning openapi.yaml breaking: operation-removed',
    'warning openapi.yaml breaking: webhook-removed',
    'warning openapi.yaml risky: server-removed',
  ])
  expect(wrong.run.summary).toContain('### API pages: 1 error in `openapi.yaml`')
  const fine = await run({ 'note.txt': 'x' }, { from: 'mallory/docs', permissions: readOnly, inputs: { mode: 'commit' } })
  expect(fine.run.code).toBe(0)
  expect([writes(), git(fine.remote.path, 'for-each-ref')]).toEqual([[], fine.tips])
})

test('writes nothing on a push by Dependabot', async () => {
  const { remote, checkout } = makeMerge({ 'note.txt': 'x' })
  const token = github.createJobToken(repository, { contents: 'read' })
  const tips = git(remote.path, 'for-each-ref')
  const result = await runAction(checkout, {
    temporaryFolder: remote.folder,
    event: {
      name: 'push',
      ref: 'refs/heads/dependabot/x',
      payload: { before: '0'.repeat(40), repository: { full_name: 'acme/docs' } },
    },
    inputs: { 'github-token': token },
    environment: { GITHUB_API_URL: github.url, GITHUB_ACTOR: 'dependabot[bot]' },
  })
  expect([result.code, result.outputs['committed'], result.outputs['changed']]).toEqual([0, 'false', 'true'])
  expect(result.summary).toContain('Check only: Dependabot runs get a read-only token.')
  expect([github.requests, git(remote.path, 'for-each-ref')]).toEqual([[], tips])
})

test('writes nothing for pull_request_target with the head of a fork, and reports why', async () => {
  const inputs = { mode: 'commit', branch: 'main' }
  const result = await run({ 'note.txt': 'x' }, { name: 'pull_request_target', from: 'mallory/docs', inputs })
  expect([result.run.code, result.run.outputs['committed']]).toEqual([0, 'false'])
  expect(result.run.commands.map(({ name, data }) => [name, data])).toEqual([
    [
      'notice',
      'Check only: this pull request comes from the fork `mallory/docs`, and the token of `pull_request_target` could write to this repository.',
    ],
  ])
  expect([writes(), git(result.remote.path, 'for-each-ref')]).toEqual([[], result.tips])
})

test('writes the report file and SARIF also after a failure', async () => {
  const { run: result, remote } = await run({ 'openapi.yaml': broken }, { inputs: { 'sarif-file': 'out/pages.sarif' } })
  expect(Object.keys(result.outputs).sort()).toEqual(Object.keys(readActionFile().outputs).sort())
  expect(JSON.parse(result.report)).toMatchObject({
    version: 1,
    changed: false,
    mode: 'check',
    filesChanged: { way: 'git', added: [], modified: ['openapi.yaml'], removed: [] },
    diagnostics: [{ code: 'unknown-field', file: 'openapi.yaml', line: 4 }],
    roots: [{ root: '.', changed: false }],
    failures: [],
  })
  const sarif = JSON.parse(readFileSync(join(remote.folder, 'checkout-1/out/pages.sarif'), 'utf8'))
  expect(sarif).toMatchObject({ version: '2.1.0', runs: [{ results: [{ ruleId: 'unknown-field' }] }] })
  const refused = await run({ 'note.txt': 'x' }, { inputs: { mode: 'chek' } })
  expect(JSON.parse(refused.run.report)).toMatchObject({ failures: [{ message: expect.stringContaining('Unexpected `chek`') }] })
})

test('rejects a file outside the workspace', async () => {
  const { run: result } = await run({ 'note.txt': 'x' }, { inputs: { 'sarif-file': '../out.sarif' } })
  expect(result.code).toBe(1)
  expect(result.commands.find(({ name }) => name === 'error')?.data).toContain(
    'Unexpected `../out.sarif` for the input `sarif-file`',
  )
})

test('rejects an existing document as SARIF file before the run', async () => {
  const remote = makeExampleRemote('petstore')
  const checkout = remote.checkOut()
  const before = readTree(checkout)
  const result = await runAction(checkout, { temporaryFolder: remote.folder, inputs: { 'sarif-file': 'openapi.yaml' } })
  expect(result.code).toBe(1)
  expect(result.commands.map(({ data }) => data)).toEqual([
    'Unexpected `openapi.yaml` for the input `sarif-file`, expected a new file or an existing SARIF file\nUse a path such as `openapi-pages.sarif`',
  ])
  expect(readTree(checkout)).toEqual(before)
  expect(result.outputs).toMatchObject({ committed: 'false' })
})

test('continues without the permission to comment, and names it', async () => {
  const { run: result } = await run({ 'openapi.yaml': broken }, { permissions: { contents: 'read', pull_requests: 'read' } })
  expect(result.code).toBe(1)
  expect(result.commands.map(({ name }) => name).filter((name) => name !== 'warning')).toEqual(['error'])
  for (const text of [result.text, result.summary])
    expect(text).toContain('`permissions: { contents: read, pull-requests: write }`')
})

import { beforeEach, expect, test } from 'vitest'
import { createOpenGitHub } from '../../../src/action/inputs/github-access.ts'
import type { ActionEvent } from '../../../src/action/inputs/workflow-event.ts'
import { commentOnPullRequest } from '../../../src/action/report/comment-on-pull-request.ts'
import type { Update } from '../../../src/docs/types.ts'
import { toOwnPath } from '../../../src/files/boundary.ts'
import { startCheckedGitHub } from '../../support/fake-github/checked-github.ts'
import type { FakeGitHub } from '../../support/fake-github/fake-github.ts'
import type { FakeRepository } from '../../support/fake-github/fake-repository.ts'
import type { FakePullRequest, Permissions } from '../../support/fake-github/types.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { makeDiagnostic, makeReport } from './example-report.ts'

let github: FakeGitHub
let repository: FakeRepository
let pull: FakePullRequest
beforeEach(async () => {
  github = await startCheckedGitHub()
  repository = github.createRepository('acme/docs')
  repository.commit({ branch: 'topic', files: { 'openapi.yaml': 'openapi: 3.1.0\n' } })
  pull = repository.openPullRequest({ head: 'topic' })
})

const headSha = 'a'.repeat(40)
const writer: Permissions = { contents: 'read', pull_requests: 'write' }

function makeEvent(more: Partial<ActionEvent> = {}): ActionEvent {
  return {
    name: 'pull_request',
    ref: `refs/pull/${pull.number}/merge`,
    branch: 'topic',
    sha: 'f'.repeat(40),
    isPullRequest: true,
    isFork: false,
    forkName: undefined,
    isReadOnly: false,
    isDeleted: false,
    isClosed: false,
    pullNumber: pull.number,
    defaultBranch: undefined,
    base: { kind: 'pull-request', baseSha: 'b'.repeat(40), headSha },
    ...more,
  }
}

interface Options {
  event?: Partial<ActionEvent>
  permissions?: Permissions
  comment?: 'failure' | 'never'
  boundary?: string
  actor?: string
  plannedAt?: string
}

async function comment(updates: readonly Partial<Update>[], options: Options = {}): Promise<string | undefined> {
  const token = github.createJobToken(repository, options.permissions ?? writer, options.actor)
  const environment = { GITHUB_API_URL: `${github.url}/api/v3`, GITHUB_REPOSITORY: 'acme/docs' }
  const open = createOpenGitHub({ githubToken: token }, environment)
  const made = updates.map((update) => makeReport({}, update).update).filter((update) => update !== undefined)
  const report = makeReport({
    mode: 'check',
    boundary: toOwnPath(options.boundary ?? makeTemporaryFolder()),
    updates: made,
    ...(options.plannedAt === undefined ? {} : { plannedAt: options.plannedAt }),
  })
  return commentOnPullRequest({ comment: options.comment }, makeEvent(options.event), pull.number, report, open)
}

const wrong = { diagnostics: [makeDiagnostic(), makeDiagnostic({ severity: 'warning' })] }
const bodies = () => repository.comments.map(({ body }) => body.split('\n').slice(1).join('\n'))
const writes = () => github.requests.filter(({ method, route }) => method !== 'GET' && route !== 'POST /graphql').length

test('creates one comment, edits it only on changes, and resolves it once the errors are fixed', async () => {
  expect(await comment([wrong])).toBeUndefined()
  expect(await comment([wrong])).toBeUndefined()
  expect(writes()).toBe(1)
  expect(repository.comments).toMatchObject([{ author: 'github-actions[bot]', edits: 0 }])
  expect(bodies()[0]).toMatchInlineSnapshot(`
    "**API documentation: 1 error, 1 warning** in \`openapi.yaml\` · [details](https://github.com/acme/docs/actions/runs/7/attempts/1)

    | location | problem |
    |---|---|
    | [\`openapi.yaml:14\`](https://github.com/acme/docs/blob/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/openapi.yaml?plain=1#L14) | Unexpected field \`sumary\` in an Operation Object. Did you mean \`summary\`? |

    Found in \`aaaaaaa\`. This comment is updated when the problems change."
  `)
  await comment([{ diagnostics: [makeDiagnostic({ file: 'other.yaml' })] }])
  expect(repository.comments).toMatchObject([{ edits: 1 }])
  await comment([{}])
  expect(bodies()).toEqual(['**API documentation: fixed** in aaaaaaa. 1 error from aaaaaaa is resolved.'])
  await comment([{}])
  expect(writes()).toBe(3)
})

test('does not comment without errors', async () => {
  await comment([{}])
  await comment([{ diagnostics: [makeDiagnostic({ severity: 'warning' })] }])
  expect(github.requests.map(({ route }) => route)).toEqual(
    Array(2).fill('GET /repos/{owner}/{repo}/issues/{issue_number}/comments'),
  )
})

test('creates one comment per docs directory', async () => {
  await comment([{ ...wrong, root: 'a' }, { root: 'b' }, { ...wrong, root: 'c' }])
  expect(repository.comments).toHaveLength(2)
  await comment([{ root: 'a' }, { root: 'b' }, { ...wrong, root: 'c' }])
  expect(repository.comments.map(({ edits }) => edits)).toEqual([1, 0])
})

test('finds its comment among 250 others and ignores a copied marker', async () => {
  await comment([wrong])
  const [ours] = repository.comments
  for (let count = 0; count < 250; count++) repository.addComment(pull.number, 'octocat', `Comment ${count}`)
  repository.addComment(pull.number, 'mallory', ours?.body ?? '')
  repository.comments.push(...repository.comments.splice(0, 1))
  await comment([{}])
  expect(repository.comments.filter(({ edits }) => edits > 0).map(({ id }) => id)).toEqual([ours?.id])
})

test('does not comment if the app does, and deletes the later of two concurrent comments', async () => {
  await comment([wrong])
  const [ours] = repository.comments
  const marker = (ours?.body ?? '').split('\n')[0] ?? ''
  repository.comments.length = 0
  repository.addComment(pull.number, 'openapi-pages[bot]', `${marker}\nBy the app`)
  expect(await comment([{ diagnostics: [makeDiagnostic({ file: 'other.yaml' })] }])).toBe(
    'No comment added: `openapi-pages[bot]` already has an openapi-pages comment on pull request #1',
  )
  expect(await comment([{}])).toBeUndefined()
  expect(bodies()).toEqual(['By the app'])
  repository.addComment(pull.number, 'github-actions[bot]', `${marker}\nBy the Action, later`)
  await comment([wrong])
  expect(bodies()).toEqual(['By the app'])
})

test('names the author of the old comment after a change of the token, and still comments on other docs directories', async () => {
  await comment([{ ...wrong, root: 'a' }])
  expect(
    await comment(
      [
        { ...wrong, root: 'a' },
        { ...wrong, root: 'b' },
      ],
      { actor: 'docs-bot[bot]' },
    ),
  ).toBe(
    'No comment added: `github-actions[bot]` already has an openapi-pages comment on pull request #1. If this workflow used another token before, delete that comment',
  )
  expect(repository.comments.map(({ author }) => author)).toEqual(['github-actions[bot]', 'docs-bot[bot]'])
})

test('comments as the owner of the token', async () => {
  await comment([wrong], { actor: 'octocat' })
  await comment([{}], { actor: 'octocat' })
  expect(repository.comments).toMatchObject([{ author: 'octocat', edits: 1 }])
})

test('sends no request with a read-only token', async () => {
  const fork = { isFork: true, isReadOnly: true, forkName: 'mallory/docs' }
  expect(await comment([wrong], { event: fork, permissions: { pull_requests: 'read' } })).toBeUndefined()
  expect(github.requests).toEqual([])
})

test('does not report errors of the base for pull_request_target', async () => {
  await comment([wrong], { event: { name: 'pull_request_target', isFork: true } })
  expect(github.requests).toEqual([])
})

test('does not comment if the head of a fork is checked out', async () => {
  const plannedAt = headSha
  await comment([wrong], { event: { name: 'pull_request_target', isFork: true }, plannedAt })
  expect(github.requests).toEqual([])
  await comment([wrong], { event: { name: 'pull_request_target' }, plannedAt })
  expect(repository.comments).toHaveLength(1)
})

test('names the missing permission and the alternative', async () => {
  expect(await comment([wrong], { permissions: { contents: 'read', pull_requests: 'read' } })).toBe(
    'Cannot write comment on `acme/docs#1`: 403 Resource not accessible by integration. Give the job `permissions: { pull-requests: write }`, or set `comment: never`',
  )
  expect(repository.comments).toEqual([])
})

test('does not comment with `comment: never`, or `comment: off` in the configuration', async () => {
  await comment([wrong], { comment: 'never' })
  const folder = makeTemporaryFolder({ 'openapi-pages.config.yaml': 'github: {comment: off}\n' })
  await comment([wrong], { boundary: folder })
  expect(github.requests).toEqual([])
  await comment([wrong], { boundary: folder, comment: 'failure' })
  expect(repository.comments).toHaveLength(1)
})

test('does not comment on a closed pull request', async () => {
  await comment([wrong], { event: { isClosed: true } })
  expect(github.requests).toEqual([])
})

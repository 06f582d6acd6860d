import { beforeEach, describe, expect, test } from 'vitest'
import { type Feedback, toCommentKey } from '../../../src/github/report/feedback.ts'
import { syncComment } from '../../../src/github/repositories/pull-requests.ts'
import type { GitHubClient } from '../../../src/github/requests/github-client.ts'
import { makeDiagnostic } from '../../support/diagnostics.ts'
import { startCheckedGitHub } from '../../support/fake-github/checked-github.ts'
import type { FakeGitHub } from '../../support/fake-github/fake-github.ts'
import type { FakeRepository } from '../../support/fake-github/fake-repository.ts'
import type { FakePullRequest } from '../../support/fake-github/types.ts'
import { createGitHubApp } from '../../support/github-app.ts'
import { failureOf } from '../../support/github-failure.ts'
import { makeFeedback } from '../report/example-feedback.ts'

const createRoute = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'
const editRoute = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}'
const name = { owner: 'acme', repo: 'api' }
const key = toCommentKey('')

let github: FakeGitHub
let repository: FakeRepository
let pull: FakePullRequest
let client: GitHubClient
beforeEach(async () => {
  github = await startCheckedGitHub()
  repository = github.createRepository('acme/api')
  repository.commit({ branch: 'change', files: { 'openapi.yaml': 'openapi: 3.1.0\n' } })
  pull = repository.openPullRequest({ head: 'change' })
  client = createGitHubApp(github).installation(repository.installation?.id ?? 0)
})

const sync = (feedback: Feedback, projectKey = key) =>
  syncComment(client, name, { pullNumber: pull.number, key: projectKey, author: { kind: 'app', appId: github.app.id }, feedback })
const failure = (lines: readonly number[], headSha = 'a'.repeat(40)) =>
  makeFeedback({ headSha, webUrl: repository.webUrl, diagnostics: lines.map((line) => makeDiagnostic({ line })) })
const success = (headSha = 'b'.repeat(40)): Feedback => failure([], headSha)
const writes = () => [...github.requestsTo(createRoute), ...github.requestsTo(editRoute)].length

describe('keeping one comment', () => {
  test('writes no comment without errors', async () => {
    expect(await sync(success())).toEqual({ kind: 'none' })
    expect(repository.comments).toEqual([])
  })

  test('creates a comment on errors, edits it when they change, and marks it as fixed', async () => {
    const created = await sync(failure([14]))
    expect(created.kind).toBe('created')
    expect(await sync(failure([14], 'c'.repeat(40)))).toEqual({ kind: 'unchanged' })
    expect(writes()).toBe(1)
    expect(await sync(failure([14, 80]))).toEqual({ kind: 'edited' })
    expect(await sync(success())).toEqual({ kind: 'edited' })
    expect(repository.comments).toMatchObject([{ edits: 2, author: 'openapi-pages[bot]' }])
    expect(repository.comments[0]?.body).toContain('**API documentation: fixed** in bbbbbbb. 2 errors from aaaaaaa are resolved.')
    expect(await sync(success('d'.repeat(40)))).toEqual({ kind: 'unchanged' })
    expect(await sync(failure([3]))).toEqual({ kind: 'edited' })
    expect(repository.comments).toHaveLength(1)
  })

  test('finds its comment on the third page', async () => {
    for (let count = 0; count < 150; count++) repository.addComment(pull.number, 'octocat', `Comment ${count}`)
    await sync(failure([14]))
    for (let count = 0; count < 120; count++) repository.addComment(pull.number, 'octocat', `Later ${count}`)
    expect((await sync(failure([15]))).kind).toBe('edited')
    expect(repository.comments.filter(({ body }) => body.includes('openapi-pages:v1'))).toHaveLength(1)
  })

  test('ignores a copy of the marker by an unknown user', async () => {
    repository.addComment(pull.number, 'mallory', `<!-- openapi-pages:v1 key=${key} digest=${'0'.repeat(64)} -->\nAll is well`)
    expect((await sync(failure([14]))).kind).toBe('created')
    expect(repository.comments).toMatchObject([{ author: 'mallory', edits: 0 }, { author: 'openapi-pages[bot]' }])
  })

  test.each([
    ['github-actions[bot]', 'NONE'],
    ['release-bot[bot]', 'CONTRIBUTOR'],
    ['octocat', 'MEMBER'],
  ])('writes no comment next to the comment of the Action, written as %s (%s)', async (author, association) => {
    repository.addComment(
      pull.number,
      author,
      `<!-- openapi-pages:v1 key=${key} digest=${'0'.repeat(64)} -->\nBy the Action`,
      association,
    )
    expect(await sync(failure([14]))).toEqual({ kind: 'left-to-other', otherAuthor: author })
    expect(await sync(success())).toEqual({ kind: 'left-to-other', otherAuthor: author })
    expect(repository.comments).toHaveLength(1)
    expect(writes()).toBe(0)
  })

  test('keeps one comment per project', async () => {
    await sync(failure([14]), toCommentKey('docs'))
    await sync(failure([14]), toCommentKey('guides'))
    await sync(failure([15]), toCommentKey('docs'))
    expect(repository.comments.map(({ edits }) => edits)).toEqual([1, 0])
  })

  test('does not write a comment twice when the response is lost', async () => {
    github.fault({ route: createRoute, cut: 'after' })
    expect(await sync(failure([14]))).toEqual({ kind: 'created' })
    expect(repository.comments).toHaveLength(1)
  })

  test('repeats an edit when the response is lost', async () => {
    await sync(failure([14]))
    github.fault({ route: editRoute, cut: 'after' })
    expect((await sync(failure([15]))).kind).toBe('edited')
    expect(repository.comments).toHaveLength(1)
  })

  test.each([404, 410])('does not believe that a comment is gone because of %i for its edit', async (status) => {
    await sync(failure([14]))
    github.fault({ route: editRoute, status, body: { message: 'Not this time' } })
    expect(await failureOf(sync(success()))).toMatchObject({ failure: 'not-found' })
    expect((await sync(success())).kind).toBe('edited')
    expect(repository.comments).toHaveLength(1)
  })

  test('reports a locked conversation', async () => {
    github.fault({ route: createRoute, status: 403, body: { message: 'Unable to create comment because issue is locked.' } })
    const error = await failureOf(sync(failure([14])))
    expect(error.message).toBe('Cannot write comment on `acme/api#1`: 403 Unable to create comment because issue is locked')
    expect(error).toMatchObject({ failure: 'forbidden', permission: 'pull_requests: write' })
  })
})

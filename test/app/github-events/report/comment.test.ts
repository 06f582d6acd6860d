import { expect, test } from 'vitest'
import { toCommentKey } from '../../../../src/github/report/feedback.ts'
import type { FakeRepository } from '../../../support/fake-github/fake-repository.ts'
import { toPullRequestEvent } from '../../../support/fake-github/payloads.ts'
import { settle } from '../../../support/memory-tree.ts'
import { tinyDocs, tinyDocument } from '../../../support/tiny-docs.ts'
import { brokenDocument, connectApp, docsConfig, validDocument } from '../../support/connected-app.ts'

const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }

async function connect() {
  const connected = await connectApp()
  const repository = connected.github.createRepository('acme/api', { files })
  const { github } = connected
  /** Opens a pull request with these files. */
  const open = async (changed: Record<string, string>) => {
    await repository.push({ files: changed, branch: 'topic' })
    const pull = repository.openPullRequest({ head: 'topic' })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
    await connected.idle()
    return pull
  }
  return { ...connected, repository, open }
}

const bodies = ({ comments }: FakeRepository) => comments.map(({ body }) => body)

test('does not comment if there are no problems', async () => {
  const { open, repository } = await connect()
  await open({ 'a.mdx': 'a' })
  expect(bodies(repository)).toEqual([])
})

test('comments once on errors, edits the comment only when they change, and resolves it', async () => {
  const { github, idle, open, repository } = await connect()
  const pull = await open({ 'openapi.yaml': brokenDocument })
  expect(bodies(repository)).toHaveLength(1)
  expect(bodies(repository)[0]).toContain('**API documentation: 1 error**')
  const push = async (changed: Record<string, string>) => {
    const { push } = await repository.push({ files: changed, branch: 'topic' })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'synchronize', pull, push.before))
    await idle()
  }
  // The same error in another commit does not change the comment.
  await push({ 'b.mdx': 'b' })
  expect(repository.comments).toMatchObject([{ edits: 0 }])
  await push({ 'openapi.yaml': brokenDocument.replace('description: All', 'descripton: All') })
  expect(repository.comments).toMatchObject([{ edits: 1 }])
  await push({ 'openapi.yaml': validDocument })
  expect(repository.comments).toMatchObject([{ edits: 2 }])
  expect(bodies(repository)[0]).toContain('**API documentation: fixed**')
  await push({ 'c.mdx': 'c' })
  expect(repository.comments).toMatchObject([{ edits: 2 }])
})

test('comments that an update was stopped, because it would remove many pages', async () => {
  const { tree } = await settle(tinyDocs(Array.from({ length: 12 }, (_, index) => `List ${index}`)) as Record<string, string>)
  const { open, repository } = await connect()
  const sources = 'sources: [{ repository: acme/other, path: openapi.json }]\n'
  await open({ ...tree, 'openapi-pages.config.yaml': sources, 'openapi.json': tinyDocument('List 0', 'List 1') })
  expect(bodies(repository)).toEqual([expect.stringContaining('10 of 12 pages of `API` would be removed')])
})

test('comments on errors of a commit that was pushed before its pull request was opened', async () => {
  const { github, idle, repository } = await connect()
  await repository.push({ files: { 'openapi.yaml': brokenDocument }, branch: 'topic' })
  await idle()
  expect(bodies(repository)).toEqual([])
  const pull = repository.openPullRequest({ head: 'topic' })
  await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
  await idle()
  expect(bodies(repository)).toHaveLength(1)
})

test('comments on a pull request from a fork', async () => {
  const { github, idle, repository } = await connect()
  const fork = github.createRepository('mallory/api', { forkOf: repository, installed: false })
  const { after } = fork.commit({ files: { 'openapi.yaml': brokenDocument }, branch: 'topic', message: 'docs: change' })
  const pull = repository.openPullRequest({ head: 'topic', headRepository: fork, author: 'mallory' })
  await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
  const [stored] = await idle()
  expect(stored?.update.commit).toMatchObject({
    message: 'docs: change',
    filesChanged: { added: [], modified: ['openapi.yaml'], removed: [] },
  })
  expect(repository.checkRuns).toMatchObject([{ headSha: after, conclusion: 'failure' }])
  expect(repository.comments).toMatchObject([{ issueNumber: pull.number }])
})

test('does not comment with `comment: off`', async () => {
  const { open, repository } = await connect()
  await open({ 'openapi.yaml': brokenDocument, 'openapi-pages.config.yaml': 'github: { comment: off }\n' })
  expect(bodies(repository)).toEqual([])
})

test('does not comment if the Action did', async () => {
  const { github, idle, repository } = await connect()
  await repository.push({ files: { 'openapi.yaml': brokenDocument }, branch: 'topic' })
  await idle()
  const pull = repository.openPullRequest({ head: 'topic' })
  const marker = `<!-- openapi-pages:v1 key=${toCommentKey('')} digest=abcdef -->`
  repository.addComment(pull.number, 'github-actions[bot]', `${marker}\n**API documentation: 1 error**`)
  await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
  await idle()
  expect(repository.comments).toMatchObject([{ author: 'github-actions[bot]', edits: 0 }])
})

test('comments only for the latest update of a branch', async () => {
  const { github, idle, repository } = await connect()
  await repository.push({ files: { a: 'a' }, branch: 'topic' })
  const pull = repository.openPullRequest({ head: 'topic' })
  await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
  await idle()
  await Promise.all([
    repository.push({ files: { 'openapi.yaml': brokenDocument }, branch: 'topic' }),
    repository.push({ files: { 'openapi.yaml': validDocument }, branch: 'topic' }),
  ])
  const all = await idle()
  expect(all.map(({ update }) => update.status)).toEqual(['success', 'failure', 'success'])
  expect(bodies(repository).filter((body) => body.includes('1 error**'))).toEqual([])
})

test('ends the update although the conversation is locked', async () => {
  const { github, idle, repository } = await connect()
  github.fault({
    route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
    status: 403,
    times: Number.POSITIVE_INFINITY,
  })
  await repository.push({ files: { a: 'a' }, branch: 'topic' })
  const pull = repository.openPullRequest({ head: 'topic' })
  await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
  await repository.push({ files: { 'openapi.yaml': brokenDocument }, branch: 'topic' })
  await idle()
  expect(repository.checkRuns.at(-1)).toMatchObject({ status: 'completed', conclusion: 'failure' })
})

test('resolves the comment when the invalid document is deleted', async () => {
  const { github, idle, open, repository } = await connect()
  await open({ 'openapi.yaml': brokenDocument })
  const before = repository.tipOf('topic')
  const push = repository.commit({ files: { 'openapi.yaml': null, 'docs.json': null }, branch: 'topic' })
  expect(push.before).toBe(before)
  await github.deliver('push', repository.pushPayload(push))
  const all = await idle()
  expect(all.at(-1)?.update.summary).toMatch(/^Nothing to check/)
  expect(bodies(repository)).toHaveLength(1)
  expect(bodies(repository)[0]).toContain('**API documentation: fixed**')
})

import { describe, expect, test } from 'vitest'
import { toPullRequestEvent, toPush } from '../../support/fake-github/payloads.ts'
import { addProjectOf, type ConnectOptions, connectApp, docsConfig, validDocument } from '../support/connected-app.ts'

const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }

const withoutOperations = validDocument.replace(/paths:[\s\S]*/, 'paths: {}\n')
const withNewOperation = `${validDocument}  /owners:\n    get: { summary: List owners, responses: { '200': { description: Owners. } } }\n`

async function connect(options: ConnectOptions & { files?: Record<string, string> } = {}) {
  const connected = await connectApp(options)
  const repository = connected.github.createRepository('acme/api', { files: options.files ?? files })
  const { store } = connected
  const last = async () => {
    const stored = (await connected.idle()).at(-1)
    if (!stored) throw new Error('No update')
    const found = await store.apiChanges.find(stored.update._id)
    const changes = found?.kind === 'compared' ? { ...found, baseSha: stored.details.apiBase } : found
    const line = stored.update.logs.find((one) => /API changes|not compared/.test(one))
    return { ...stored, changes, line }
  }
  return { ...connected, repository, last }
}

const none = { breaking: 0, risky: 0, compatible: 0, accepted: 0 }

describe('the base of a comparison', () => {
  test('is the previous commit on the default branch', async () => {
    const { repository, last } = await connect()
    const before = repository.tipOf('main')
    await repository.push({ files: { 'openapi.yaml': withoutOperations } })
    const { changes, line, update } = await last()
    expect(line).toBe(`API changes since ${before.slice(0, 7)}: 1 breaking`)
    expect(update.status).toBe('success')
    expect(changes).toMatchObject({
      kind: 'compared',
      baseSha: before,
      counts: { ...none, breaking: 1 },
    })
  })

  test('is the merge base with the default branch on a new branch, for all its pushes', async () => {
    const { repository, last } = await connect()
    const base = repository.tipOf('main')
    await repository.push({ files: { 'openapi.yaml': withoutOperations }, branch: 'topic' })
    expect((await last()).changes).toMatchObject({ baseSha: base, counts: { breaking: 1 } })
    await repository.push({ files: { 'openapi.yaml': withNewOperation } })
    await repository.push({ files: { 'guide.mdx': 'Pets' }, branch: 'topic' })
    expect((await last()).changes).toMatchObject({ baseSha: base, counts: { ...none, breaking: 1 } })
  })

  test('is the merge base with the branch that a pull request merges into', async () => {
    const { repository, last } = await connect()
    await repository.push({ files: { 'openapi.yaml': withNewOperation }, branch: 'next' })
    const base = repository.tipOf('next')
    await repository.push({ files: { 'openapi.yaml': withNewOperation }, branch: 'topic', parent: base })
    repository.openPullRequest({ head: 'topic', base: 'next' })
    await repository.push({ files: { 'openapi.yaml': validDocument }, branch: 'topic' })
    expect((await last()).changes).toMatchObject({ baseSha: base, counts: { ...none, breaking: 1 } })
  })

  test('is found again if a pull request into another branch is opened later, or gets another target branch', async () => {
    const { github, repository, last } = await connect()
    const main = repository.tipOf('main')
    await repository.push({ files: { 'openapi.yaml': withNewOperation }, branch: 'next' })
    const next = repository.tipOf('next')
    await repository.push({ files: { 'openapi.yaml': validDocument }, branch: 'topic', parent: next })
    expect((await last()).changes).toMatchObject({ baseSha: main, counts: none })
    const pull = repository.openPullRequest({ head: 'topic', base: 'next' })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
    const second = await last()
    expect(second.changes).toMatchObject({ baseSha: next, counts: { ...none, breaking: 1 } })
    expect(second.update.logs).toContainEqual(expect.stringMatching(/^Re-run of .+, for the target of pull request #1$/))
    expect(repository.checkRuns.at(-1)?.output.title).toContain('1 breaking API change')
    expect(repository.comments).toMatchObject([{ body: expect.stringContaining('operation-removed') }])
    pull.base = 'main'
    const edited = { ...toPullRequestEvent(github, repository, 'reopened', pull), action: 'edited' }
    await github.deliver('pull_request', { ...edited, changes: { title: { from: 'Old' } } })
    expect((await last()).update._id).toBe(second.update._id)
    await github.deliver('pull_request', { ...edited, changes: { base: { ref: { from: 'next' }, sha: { from: next } } } })
    expect((await last()).changes).toMatchObject({ baseSha: main, counts: none })
    expect(repository.comments).toMatchObject([{ body: expect.stringContaining('resolved') }])
  })

  test('is found again if a pull request into another branch is opened while the commit is being compared', async () => {
    const { github, repository, last, store, updates } = await connect()
    const main = repository.tipOf('main')
    await repository.push({ files: { 'openapi.yaml': withNewOperation }, branch: 'next' })
    const next = repository.tipOf('next')
    await last()
    const route = 'GET /repos/{owner}/{repo}/tarball/{ref}'
    const openPull = async () => {
      // The base of the first run is known: its archive is being read.
      const running = (await updates()).at(-1)?.update._id ?? ''
      const pull = repository.openPullRequest({ head: 'topic', base: 'next' })
      await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
      await expect.poll(async () => (await store.statuses.find(running))?.details.changedPull).toBe(pull.number)
    }
    github.fault({ route, meanwhile: () => github.fault({ route, meanwhile: openPull }) })
    const files = { 'openapi.yaml': validDocument.replace('All pets', 'The pets') }
    await repository.push({ files, branch: 'topic', parent: next })
    const rerun = await last()
    expect(rerun.changes).toMatchObject({ baseSha: next, counts: { ...none, breaking: 1 } })
    expect(rerun.update.logs).toContainEqual(expect.stringMatching(/^Re-run of .+, for the target of pull request #1$/))
    const [, first] = (await updates()).map(({ details }) => details.apiBase)
    expect([first, rerun.details.apiBase]).toEqual([main, next])
    expect(repository.comments).toMatchObject([{ body: expect.stringContaining('operation-removed') }])
    expect(await updates()).toHaveLength(3)
  })

  test('is not looked for again if a pull request into the default branch is opened later', async () => {
    const { github, repository, last } = await connect()
    await repository.push({ files: { 'openapi.yaml': withoutOperations }, branch: 'topic' })
    const first = await last()
    const pull = repository.openPullRequest({ head: 'topic' })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
    expect((await last()).update._id).toBe(first.update._id)
  })

  test('is the parent of the first commit on a default branch without a previous one', async () => {
    const { github, repository, last } = await connect()
    const base = repository.tipOf('main')
    const push = repository.commit({ files: { 'openapi.yaml': withoutOperations } })
    await github.deliver('push', toPush(github, repository, { ...push, before: '0'.repeat(40) }))
    expect((await last()).changes).toMatchObject({ baseSha: base, counts: { ...none, breaking: 1 } })
  })

  test('is the previous commit after a force push of the default branch', async () => {
    const { repository, last } = await connect()
    const first = repository.tipOf('main')
    await repository.push({ files: { 'openapi.yaml': withNewOperation } })
    const base = repository.tipOf('main')
    await repository.push({ files: { 'guide.mdx': 'Pets' }, parent: first })
    expect((await last()).changes).toMatchObject({ baseSha: base, counts: { ...none, breaking: 1 } })
  })
})

describe('a comparison', () => {
  test('is skipped if no changed file concerns a document', async () => {
    const { github, repository, last } = await connect()
    await repository.push({ files: { 'guide.mdx': 'Pets' } })
    const { changes, line } = await last()
    expect(changes).toMatchObject({ kind: 'compared', counts: none })
    expect(line).toMatch(/^API changes since [0-9a-f]{7}: none$/)
    expect(github.requestsTo('GET /repos/{owner}/{repo}/tarball/{ref}')).toHaveLength(1)
  })

  test('covers the documents of a repository without docs.json', async () => {
    const { repository, last } = await connect({ files: { 'api/a.yaml': validDocument, 'api/b.yaml': validDocument } })
    await repository.push({ files: { 'api/b.yaml': withNewOperation } })
    expect((await last()).changes).toMatchObject({
      counts: { ...none, compatible: 1 },
    })
  })

  test('is not made in a repository without documents', async () => {
    const { github, store, repository, last } = await connect({ files: { 'README.md': 'a' } })
    await addProjectOf({ store }, repository)
    await repository.push({ files: { 'README.md': 'b' } })
    expect((await last()).changes).toBeUndefined()
    expect(github.requestsTo('GET /repos/{owner}/{repo}/tarball/{ref}')).toHaveLength(1)
  })

  test('does not fail the update if the base no longer exists', async () => {
    const { github, repository, last } = await connect()
    github.fault({ route: 'GET /repos/{owner}/{repo}/tarball/{ref}', status: 404, after: 1 })
    await repository.push({ files: { 'openapi.yaml': withoutOperations } })
    const { update, changes, line } = await last()
    expect(update.status).toBe('success')
    expect(changes).toMatchObject({ kind: 'unavailable', reason: expect.stringMatching(/^cannot read archive on `acme\/api`@`/) })
    expect(line).toMatch(/^The API changes could not be compared: cannot read archive/)
    expect(repository.checkRuns).toMatchObject([{ conclusion: 'success' }])
    expect(repository.checkRuns[0]?.output.summary).toContain('The API changes could not be compared')
  })

  test('does not report all operations as removed if docs.json cannot be read', async () => {
    const { repository, last } = await connect()
    await repository.push({ files: { 'docs.json': '{' } })
    expect((await last()).changes).toEqual({
      kind: 'unavailable',
      reason: 'the `docs.json` of the commit cannot be read',
    })
  })

  test('fails the check, but not the update, with `changes.failOn`', async () => {
    const config = 'changes: { failOn: breaking }\n'
    const { repository, last } = await connect({ files: { ...files, 'openapi-pages.config.yaml': config } })
    await repository.push({ files: { 'openapi.yaml': withNewOperation } })
    expect((await last()).update.status).toBe('success')
    await repository.push({ files: { 'openapi.yaml': withoutOperations } })
    const { update } = await last()
    expect(update.status).toBe('success')
    expect(update.logs).toContain('The check fails because of `changes.failOn: breaking`')
    expect(repository.checkRuns.map(({ conclusion }) => conclusion)).toEqual(['success', 'failure'])
  })

  test('uses the settings of the base repository for a fork', async () => {
    const config = 'changes: { failOn: breaking }\n'
    const { github, repository, last } = await connect({ files: { ...files, 'openapi-pages.config.yaml': config } })
    const fork = github.createRepository('mallory/api', { forkOf: repository, installed: false })
    const own = 'changes: { failOn: never, levels: { operation-removed: off } }\n'
    fork.commit({ files: { 'openapi.yaml': withoutOperations, 'openapi-pages.config.yaml': own }, branch: 'topic' })
    const pull = repository.openPullRequest({ head: 'topic', headRepository: fork, author: 'mallory' })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
    const { changes } = await last()
    expect(changes).toMatchObject({ baseSha: repository.tipOf('main'), counts: { breaking: 1 } })
    expect(repository.checkRuns).toMatchObject([{ conclusion: 'failure' }])
  })

  test('is repeated with the same base after a crash, although the branch was merged meanwhile', async () => {
    const { github, repository, last } = await connect()
    const base = repository.tipOf('main')
    const merge = () => repository.moveBranches([{ branch: 'main', from: base, to: repository.tipOf('topic') }])
    github.fault({ route: 'GET /repos/{owner}/{repo}/tarball/{ref}', status: 502, after: 1, times: 4, meanwhile: merge })
    await repository.push({ files: { 'openapi.yaml': withoutOperations }, branch: 'topic' })
    expect((await last()).changes).toMatchObject({ baseSha: base })
  })
})

describe('a pull request with API changes', () => {
  async function open() {
    const connected = await connect()
    const { github, repository } = connected
    await repository.push({ files: { 'openapi.yaml': withoutOperations }, branch: 'topic' })
    await connected.last()
    const pull = repository.openPullRequest({ head: 'topic' })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
    return { ...connected, stored: await connected.last() }
  }

  test('shows them in the check, its annotations and the comment', async () => {
    const { repository } = await open()
    const [run] = repository.checkRuns
    expect(run).toMatchObject({ conclusion: 'success' })
    expect(run?.output.title).toContain('1 breaking API change')
    expect(run?.output.summary).toContain('`GET /pets`')
    expect(run?.annotations).toMatchObject([{ path: 'openapi.yaml', annotation_level: 'warning' }])
    expect(repository.comments).toHaveLength(1)
    expect(repository.comments[0]?.body).toContain('operation-removed')
  })

  test('counts them on the page of the update, with a link to the base', async () => {
    const { repository, app, last } = await connect()
    const base = repository.tipOf('main')
    const hostile = validDocument.replace(
      'tags: [Pets]',
      "tags: [Pets]\n      parameters: [{ name: '<img src=x>', in: query, required: true, schema: {} }]",
    )
    await repository.push({ files: { 'openapi.yaml': hostile } })
    await last()
    const link = new URL(repository.checkRuns[0]?.detailsUrl ?? '')
    const html = await (await fetch(`${app.address}${link.pathname}${link.search}`)).text()
    expect(html).toContain('id="api-changes"')
    expect(html).not.toContain('<img src=x>')
    expect(html).toContain(`/commit/${base}`)
  })
})

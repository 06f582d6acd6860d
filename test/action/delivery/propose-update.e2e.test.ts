import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { explainFailure } from '../../../src/action/report/summary.ts'
import { git } from '../../support/git-remote.ts'
import { makeGitHubRemote, runInProcess } from '../../support/github-remote.ts'
import { branchesOf, expectNoFailure, head, makePets, page, pagesIn, writesOf } from '../../support/pets-remote.ts'
import { tinyDocs, tinyDocument } from '../../support/tiny-docs.ts'

describe('a pull request', () => {
  const proposal = { mode: 'pull-request' } as const
  const defaultPullRequest = {
    headBranch: 'openapi-pages/<branch>',
    title: undefined,
    body: '',
    labels: [],
    assignees: [],
    reviewers: [],
    isDraft: false,
  }

  test('is opened once, updated on changes, and closed once the base is up to date', async () => {
    const at = await makePets()
    const first = await runInProcess(at, at.checkOut(), proposal)
    expectNoFailure(first)
    expect(first.delivery).toMatchObject({ operation: 'pull-request-created', branch: head, isVerified: true })
    const [pull] = at.repository.pullRequests
    expect([pull?.title, pull?.base, pull?.head, pull?.author]).toEqual([
      'docs: update API pages',
      'main',
      head,
      'github-actions[bot]',
    ])
    expect(pull?.body).toMatch(/^<!-- openapi-pages:v1 pull-request head=[0-9a-f]{40} changes=[0-9a-f]{64} -->\n/)
    expect(pull?.body).toContain('`api-reference/list-pets.mdx`')
    expect([pagesIn(at), pagesIn(at, head)]).toEqual([[], [page]])

    const writes = writesOf(at)
    at.remote.push({ 'guide.mdx': 'nothing to do with it' })
    const same = await runInProcess(at, at.checkOut(), proposal)
    expect([same.delivery?.operation, same.delivery?.pullRequest?.number]).toEqual(['pull-request-unchanged', 1])
    expect(writesOf(at)).toBe(writes)

    at.remote.push({ 'openapi.json': tinyDocument('List cats') })
    const next = await runInProcess(at, at.checkOut(), proposal)
    expect([next.delivery?.operation, next.delivery?.commitSha]).toEqual(['pull-request-updated', at.remote.tip(head)])
    expect(pagesIn(at, head)).toEqual(['api-reference/list-cats.mdx', 'guide.mdx'])
    expect(at.remote.log('%P', head)).toBe(at.remote.tip())
    expect(pull?.body).toContain('list-cats.mdx')

    git(at.remote.path, 'update-ref', 'refs/heads/main', at.remote.tip(head))
    at.remote.push({ 'guide.mdx': 'after the merge' })
    const done = await runInProcess(at, at.checkOut(), proposal)
    expect([done.delivery?.operation, done.delivery?.pullRequest?.number]).toEqual(['pull-request-closed', 1])
    expect([pull?.state, branchesOf(at)]).toEqual(['closed', ['main']])
    expect(at.repository.comments.map(({ body }) => body)).toEqual(['The API pages of `main` are up to date.'])
    expect(at.repository.pullRequests).toHaveLength(1)
    const requests = at.github.requests.length
    expect((await runInProcess(at, at.checkOut(), proposal)).delivery?.operation).toBe('none')
    expect(at.github.requests.length).toBe(requests)
  })

  test('is closed if another run updated the base, unless the base has new commits', async () => {
    const at = await makePets()
    await runInProcess(at, at.checkOut(), proposal)
    await runInProcess(at, at.checkOut(), { mode: 'commit', onProtected: 'fail' })
    expect([at.repository.pullRequests[0]?.state, branchesOf(at)]).toEqual(['open', ['main', head]])
    const stale = at.checkOut()
    at.remote.push({ 'openapi.json': tinyDocument('List cats') })
    expect((await runInProcess(at, stale, proposal)).delivery?.operation).toBe('none')
    git(at.remote.path, 'update-ref', 'refs/heads/main', git(stale, 'rev-parse', 'HEAD'))
    const done = await runInProcess(at, at.checkOut(), proposal)
    expect([done.delivery?.operation, done.delivery?.pullRequest?.number]).toEqual(['pull-request-closed', 1])
    expect([at.repository.pullRequests[0]?.state, branchesOf(at)]).toEqual(['closed', ['main']])
  })

  test('works the same with git, and the work tree is at the base afterwards', async () => {
    const at = await makePets()
    const inputs = { ...proposal, commitMethod: 'git', token: at.token() } as const
    const checkout = at.checkOut()
    expectNoFailure(await runInProcess(at, checkout, inputs))
    expect(git(checkout, 'rev-parse', 'HEAD')).toBe(at.remote.tip())
    expect(git(checkout, 'status', '--porcelain')).toBe('')
    at.remote.push({ 'openapi.json': tinyDocument('List cats') })
    const next = await runInProcess(at, at.checkOut(), inputs)
    expect(next.delivery?.operation).toBe('pull-request-updated')
    expect([pagesIn(at, head), at.remote.log('%P', head)]).toEqual([['api-reference/list-cats.mdx'], at.remote.tip()])
  })

  test('keeps commits of users on its branch and reports them', async () => {
    const at = await makePets()
    await runInProcess(at, at.checkOut(), proposal)
    const foreign = at.remote.push({ [page]: 'better words' }, head)
    at.remote.push({ 'openapi.json': tinyDocument('List cats') })
    for (const files of [{}, { 'openapi.json': tinyDocument() }]) {
      at.remote.push(files)
      const report = await runInProcess(at, at.checkOut(), proposal)
      expectNoFailure(report)
      expect(report.delivery).toMatchObject({ operation: 'pull-request-kept', pullRequest: { number: 1 } })
      expect(report.delivery?.notes[0]).toContain(foreign.slice(0, 7))
      expect([at.remote.tip(head), at.repository.pullRequests[0]?.state]).toEqual([foreign, 'open'])
    }
  })

  test('keeps an amended commit, and a commit pushed during the update', async () => {
    const at = await makePets()
    await runInProcess(at, at.checkOut(), proposal)
    const person = join(at.remote.folder, 'person')
    git(person, 'fetch', '--quiet', 'origin', head)
    git(person, 'reset', '--quiet', '--hard', 'FETCH_HEAD')
    writeFileSync(join(person, page), 'amended')
    git(person, 'commit', '--quiet', '--all', '--amend', '--no-edit')
    git(person, 'push', '--quiet', '--force', 'origin', `HEAD:refs/heads/${head}`)
    at.remote.push({ 'openapi.json': tinyDocument('List cats') })
    expect((await runInProcess(at, at.checkOut(), proposal)).delivery?.operation).toBe('pull-request-kept')
    expect(at.remote.read(page, head)).toBe('amended')

    const other = await makePets()
    await runInProcess(other, other.checkOut(), proposal)
    other.remote.push({ 'openapi.json': tinyDocument('List cats') })
    other.github.fault({ route: 'GET /repos/{owner}/{repo}', meanwhile: () => other.remote.push({ 'x.md': 'mine' }, head) })
    expect((await runInProcess(other, other.checkOut(), proposal)).delivery?.operation).toBe('pull-request-kept')
    expect(other.remote.read('x.md', head)).toBe('mine')
    expect(branchesOf(other)).toEqual(['main', head])
  })

  test('keeps its description if a user opened it', async () => {
    const at = await makePets()
    await runInProcess(at, at.checkOut(), proposal)
    const [ours] = at.repository.pullRequests
    if (ours) ours.state = 'closed'
    const theirs = at.repository.openPullRequest({ head, title: 'Mine', body: 'My words', author: 'pat' })
    at.remote.push({ 'openapi.json': tinyDocument('List cats') })
    const report = await runInProcess(at, at.checkOut(), proposal)
    expect(report.delivery).toMatchObject({ operation: 'pull-request-updated', pullRequest: { number: theirs.number } })
    expect([theirs.title, theirs.body]).toEqual(['Mine', 'My words'])
    at.remote.push({ 'openapi.json': tinyDocument() })
    expect((await runInProcess(at, at.checkOut(), proposal)).delivery?.operation).toBe('pull-request-kept')
    expect(theirs.state).toBe('open')
  })

  test('has the requested title, text, labels, assignees and reviewers, is a draft, and is signed off', async () => {
    const at = await makePets()
    for (const login of ['pat', 'kim', 'lee']) at.repository.setPermission(login, 'write')
    at.repository.teams.add('docs')
    const pullRequest = {
      ...defaultPullRequest,
      headBranch: 'docs/<branch>-pages',
      title: 'Update the reference',
      body: '**Please** review.',
      labels: ['documentation', 'needs review'],
      assignees: ['pat'],
      reviewers: ['kim', 'lee', 'acme/docs'],
      isDraft: true,
    }
    const inputs = { ...proposal, pullRequest, signoff: true }
    const first = await runInProcess(at, at.checkOut(), inputs)
    expectNoFailure(first)
    expect(first.delivery).toMatchObject({ operation: 'pull-request-created', branch: 'docs/main-pages', warnings: [] })
    const [pull] = at.repository.pullRequests
    expect(pull).toMatchObject({
      title: 'Update the reference',
      head: 'docs/main-pages',
      labels: ['documentation', 'needs review'],
      assignees: ['pat'],
      reviewers: ['kim', 'lee'],
      teamReviewers: ['docs'],
      isDraft: true,
    })
    expect(pull?.body).toMatch(/-->\n\*\*Please\*\* review\.\n\nUpdates the API pages of `main`/)
    expect(at.remote.log('%B', 'docs/main-pages')).toMatch(
      /\nSigned-off-by: github-actions\[bot\] <41898282\+github-actions\[bot\]@users\.noreply\.github\.com>\n*$/,
    )

    // An update adds labels again, but requests no review again.
    at.remote.push({ 'openapi.json': tinyDocument('List cats') })
    pull?.labels.splice(0)
    const next = await runInProcess(at, at.checkOut(), { ...inputs, pullRequest: { ...pullRequest, title: 'Another title' } })
    expect(next.delivery?.operation).toBe('pull-request-updated')
    expect(pull).toMatchObject({ title: 'Another title', labels: pullRequest.labels, reviewers: ['kim', 'lee'] })
    const own = await runInProcess(at, at.checkOut(), inputs, { branch: 'docs/main-pages', ref: 'refs/heads/docs/main-pages' })
    expect(own.note).toContain('is the head branch of a pull request')
  })

  test('is opened with warnings if GitHub refuses labels, people or drafts', async () => {
    const at = await makePets()
    at.repository.setPermission('kim', 'write')
    at.repository.hasDrafts = false
    at.github.fault({
      route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels',
      status: 403,
      body: { message: 'Resource not accessible by integration' },
    })
    const people = { labels: ['x'], assignees: ['kim', 'guest'], reviewers: ['kim', 'guest', 'acme/none'], isDraft: true }
    const report = await runInProcess(at, at.checkOut(), { ...proposal, pullRequest: { ...defaultPullRequest, ...people } })
    expectNoFailure(report)
    expect(report.delivery?.operation).toBe('pull-request-created')
    expect(report.delivery?.warnings.map((line) => line.replace(/ on `acme\/docs` #1: .*\. (?=Give|Name)/, ' … '))).toEqual([
      'The pull request is not a draft, because GitHub offers no drafts in this repository',
      'The pull request has no labels. Cannot add labels … Give the job `permissions: { contents: write, pull-requests: write }`',
      '`guest` cannot be assigned to the pull request. Name users who can write to this repository',
      'The pull request has no review request for `guest`. Cannot request reviewers … Name collaborators of this repository other than the author',
      'The pull request has no review request for `acme/none`. Cannot request reviewers … Name a team that can read this repository, and set the input `token` to a token that can read teams',
    ])
    expect(at.repository.pullRequests[0]).toMatchObject({ isDraft: false, assignees: ['kim'], reviewers: ['kim'] })
  })

  test('is not opened again after a user closed it, until the changes differ', async () => {
    const at = await makePets()
    await runInProcess(at, at.checkOut(), proposal)
    const [first] = at.repository.pullRequests
    if (first) first.state = 'closed'
    at.repository.deleteBranch(head)
    at.remote.push({ 'guide.mdx': 'nothing to do with it' })
    const writes = writesOf(at)
    const declined = await runInProcess(at, at.checkOut(), proposal)
    expectNoFailure(declined)
    expect(declined.delivery).toMatchObject({
      operation: 'pull-request-declined',
      pullRequest: { number: 1 },
      commitSha: undefined,
    })
    expect([writesOf(at), branchesOf(at)]).toEqual([writes, ['main']])
    at.remote.push({ 'openapi.json': tinyDocument('List cats') })
    const next = await runInProcess(at, at.checkOut(), proposal)
    expect([next.delivery?.operation, next.delivery?.pullRequest?.number]).toEqual(['pull-request-created', 2])
  })

  test('is opened again for the same changes if it was merged, or closed by a run', async () => {
    const at = await makePets()
    await runInProcess(at, at.checkOut(), proposal)
    at.remote.push({ 'openapi.json': null, 'docs.json': '{"name": "Docs", "navigation": {"pages": []}}\n' })
    expect((await runInProcess(at, at.checkOut(), proposal)).delivery?.operation).toBe('pull-request-closed')
    at.remote.push(tinyDocs(['List pets']))
    const again = await runInProcess(at, at.checkOut(), proposal)
    expect([again.delivery?.operation, again.delivery?.pullRequest?.number]).toEqual(['pull-request-created', 2])
    const second = at.repository.pullRequests[1]
    if (second) Object.assign(second, { state: 'closed', isMerged: true })
    at.repository.deleteBranch(head)
    expect((await runInProcess(at, at.checkOut(), proposal)).delivery).toMatchObject({ pullRequest: { number: 3 } })
  })

  test("never changes a user's branch with the name of its head branch", async () => {
    const at = await makePets()
    const inputs = { ...proposal, pullRequest: { ...defaultPullRequest, headBranch: 'develop' } }
    git(at.remote.path, 'branch', 'develop', 'main')
    const kept = at.remote.tip('develop')
    at.remote.push({ 'guide.mdx': 'newer than that branch' })
    expect((await runInProcess(at, at.checkOut(), inputs)).delivery?.operation).toBe('pull-request-kept')
    await runInProcess(at, at.checkOut(), { mode: 'commit', pullRequest: inputs.pullRequest })
    expect([at.remote.tip('develop'), at.repository.pullRequests]).toEqual([kept, []])
    const same = { ...proposal, pullRequest: { ...defaultPullRequest, headBranch: 'main' } }
    expect((await runInProcess(at, at.checkOut(), same)).note).toContain('is the head branch')
  })

  test('is not closed while a document has errors', async () => {
    const at = await makePets()
    await runInProcess(at, at.checkOut(), proposal)
    at.remote.push({ 'openapi.json': '{"openapi": "3.1.0", "info": 7, "paths": {}}\n' })
    const report = await runInProcess(at, at.checkOut(), proposal)
    expect([report.delivery?.operation, at.repository.pullRequests[0]?.state]).toEqual(['none', 'open'])
  })

  test("escapes text from documents and stays within GitHub's limit", async () => {
    const titles = ['@octocat <img src=x> | `x`', '::error::x']
    const at = await makeGitHubRemote(
      tinyDocs([...titles, ...Array.from({ length: 1_200 }, (_, index) => `List ${index} ${'x'.repeat(60)}`)]),
    )
    expectNoFailure(await runInProcess(at, at.checkOut(), proposal))
    const body = at.repository.pullRequests[0]?.body ?? ''
    // Inside of code nothing has a meaning.
    expect(body.replaceAll(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)|\]\([^)]*\)/g, '')).not.toMatch(/@octocat|<img/)
    expect(Buffer.byteLength(body)).toBeLessThan(65_000)
    expect(body).toMatch(/… and \d[\d,]* more pages/)
  })

  test('requires a token and names the missing permission', async () => {
    const at = await makePets()
    const without = await runInProcess(at, at.checkOut(), { ...proposal, githubToken: undefined })
    expect(explainFailure(without.failures[0]).message).toBe('Cannot open a pull request: the token is missing')
    const reading = await runInProcess(at, at.checkOut(), {
      ...proposal,
      githubToken: at.token({ contents: 'write', pull_requests: 'read' }),
    })
    expect(explainFailure(reading.failures[0], reading.access)).toMatchObject({
      message: expect.stringContaining('403 Resource not accessible by integration'),
      hint: expect.stringContaining('`permissions: { contents: write, pull-requests: write }`'),
    })
    const again = await runInProcess(at, at.checkOut(), proposal)
    expect([again.delivery?.operation, at.repository.pullRequests.length]).toEqual(['pull-request-created', 1])
  })

  test('is not opened for its own head branch or a temporary branch', async () => {
    const at = await makePets()
    const event = (branch: string) => ({ branch, ref: `refs/heads/${branch}` })
    const own = await runInProcess(at, at.checkOut(), proposal, event(head))
    const temporary = await runInProcess(at, at.checkOut(), {}, event('openapi-pages-temporary/77-1-ab'))
    expect([own.note, temporary.note].map((note) => note?.slice(0, 42))).toEqual([
      'Nothing to do: `openapi-pages/main` is the',
      'Nothing to do: `openapi-pages-temporary/77',
    ])
    expect(at.github.requests).toEqual([])
  })
})

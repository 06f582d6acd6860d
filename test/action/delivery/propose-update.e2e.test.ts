import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { explainFailure } from '../../../src/action/action-report.ts'
import { git } from '../../support/git-remote.ts'
import { makeGitHubRemote, runInProcess } from '../../support/github-remote.ts'
import { branchesOf, expectNoFailure, head, makePets, page, pagesIn, writesOf } from '../../support/pets-remote.ts'
import { tinyDocs, tinyDocument } from '../../support/tiny-docs.ts'

describe('a pull request', () => {
  const proposal = { mode: 'pull-request' } as const

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
    expect(explainFailure(reading.failures[0])).toMatchObject({
      message: expect.stringContaining('403 Resource not accessible by integration'),
      hint: expect.stringContaining('`permissions: pull-requests: write`'),
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

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { explainFailure } from '../../../src/action/report/summary.ts'
import { git } from '../../support/git-remote.ts'
import { makeGitHubRemote, runInProcess } from '../../support/github-remote.ts'
import {
  branchesOf,
  expectNoFailure,
  graphql,
  makePets,
  messageOf,
  page,
  pagesIn,
  readsOf,
  writesOf,
} from '../../support/pets-remote.ts'
import { readTree } from '../../support/read-tree.ts'
import { tinyDocs, tinyDocument } from '../../support/tiny-docs.ts'

describe('a commit created by the API', () => {
  test('is signed, has the pushed commit as parent, and is checked out', async () => {
    const at = await makePets()
    const before = at.remote.tip()
    const checkout = at.checkOut()
    const report = await runInProcess(at, checkout)
    expectNoFailure(report)
    expect(report.delivery).toMatchObject({ operation: 'committed', commitSha: at.remote.tip(), isVerified: true, notes: [] })
    expect(at.remote.log('%P|%an|%cn')).toBe(`${before}|github-actions[bot]|GitHub`)
    expect(messageOf(at)).toMatch(
      /^docs: update API pages\n\n1 page added, 1 added to the navigation\.\n\nOpenapi-Pages-Source: [0-9a-f]{64}$/,
    )
    expect(pagesIn(at)).toEqual([page])
    expect(git(checkout, 'rev-parse', 'HEAD')).toBe(at.remote.tip())
    expect(git(checkout, 'status', '--porcelain')).toBe('')
    expect([writesOf(at), readsOf(at)]).toEqual([1, 1])
  })

  test('has the same files as a push, including filters and byte order marks', async () => {
    const files = tinyDocs(['List pets'])
    const attributes = { '.gitattributes': 'api-reference/*.mdx text eol=crlf\n' }
    const withMark = { ...files, ...attributes, 'docs.json': `\uFEFF${files['docs.json']}` }
    const trees = []
    for (const commitMethod of ['api', 'git'] as const) {
      const at = await makeGitHubRemote(withMark)
      const checkout = at.checkOut()
      expectNoFailure(await runInProcess(at, checkout, { commitMethod, token: at.token() }))
      trees.push(git(at.remote.path, 'rev-parse', 'main^{tree}'))
      expect(at.remote.read('docs.json')?.startsWith('\uFEFF')).toBe(true)
    }
    expect(trees[0]).toBe(trees[1])
  })

  test('rejects executable files and links', async () => {
    const at = await makePets()
    const person = join(at.remote.folder, 'person')
    git(person, 'update-index', '--chmod=+x', 'docs.json')
    git(person, 'commit', '--quiet', '--message=Executable')
    git(person, 'push', '--quiet', 'origin', 'HEAD:main')
    const checkout = at.checkOut()
    const [tree, tip] = [readTree(checkout), at.remote.tip()]
    const report = await runInProcess(at, checkout)
    expect(report.failures.map((failure) => explainFailure(failure))).toEqual([
      {
        message: 'Cannot commit `docs.json` through the API: it is executable, and the API would remove that mode',
        hint: 'Use `commit-method: git`, or replace it with a plain file. The GitHub API writes only plain files',
      },
    ])
    expect([readTree(checkout), at.remote.tip(), git(checkout, 'status', '--porcelain')]).toEqual([tree, tip, ''])
    const pushed = await runInProcess(at, checkout, { commitMethod: 'git', token: at.token() })
    expectNoFailure(pushed)
    expect(git(at.remote.path, 'ls-tree', 'main', 'docs.json')).toMatch(/^100755/)
  })

  test('is authored by the owner of the token, with another committer as co-author', async () => {
    const at = await makePets()
    await runInProcess(at, at.checkOut(), { committer: { name: 'Docs Bot', email: 'docs@example.com' } })
    expect([at.remote.log('%an'), messageOf(at).split('\n').at(-1)]).toEqual([
      'github-actions[bot]',
      'Co-authored-by: Docs Bot <docs@example.com>',
    ])
    expect((await runInProcess(at, at.checkOut())).delivery?.operation).toBe('none')
    expect(at.github.requestsTo(graphql)).toHaveLength(1)
  })

  test('fails the run if `require-signed` is set and GitHub did not sign it', async () => {
    const at = await makePets()
    at.repository.signsCommits = false
    const report = await runInProcess(at, at.checkOut(), { requireSigned: true })
    expect(report.delivery).toMatchObject({ operation: 'committed', isVerified: false, commitSha: at.remote.tip() })
    expect(report.failures.map((failure) => explainFailure(failure).message)).toEqual([
      `The new commit \`${at.remote.tip().slice(0, 7)}\` is not verified, but \`require-signed\` is set`,
    ])
    const pets = await makePets()
    const pushed = await runInProcess(pets, pets.checkOut(), { requireSigned: true, commitMethod: 'git', token: pets.token() })
    expect(pushed.delivery?.isVerified).toBe(false)
    expect(pushed.failures).toHaveLength(1)
  })

  test('is replaced by a push without a token or for another remote, unless it must be signed', async () => {
    const at = await makePets()
    const checkout = at.remote.checkOut()
    const report = await runInProcess(at, checkout, { requireSigned: true })
    expect(report.failures.map((failure) => explainFailure(failure).message)).toEqual([
      `Cannot create a signed commit, required by \`require-signed\`: the remote \`origin\` is not on ${at.github.url}`,
    ])
    const pushed = await runInProcess(at, checkout, { githubToken: undefined })
    expect(pushed.delivery?.notes).toEqual([
      "The commit was pushed with Git and is not signed, because GitHub's API is not available: the token is missing.",
    ])
    expect(pushed.delivery).toMatchObject({ operation: 'committed', commitSha: at.remote.tip() })
    expect(at.github.requests).toEqual([])
  })

  test('moves the branch once for many pages, within 14 requests', async () => {
    const at = await makeGitHubRemote(tinyDocs(Array.from({ length: 405 }, (_, index) => `List ${index}`)))
    const before = at.remote.tip()
    const report = await runInProcess(at, at.checkOut())
    expectNoFailure(report)
    expect(git(at.remote.path, 'log', '--format=%s', `${before}..main`).split('\n')).toEqual([
      'docs: update API pages (3/3)',
      'docs: update API pages (2/3)',
      'docs: update API pages (1/3)',
    ])
    expect(pagesIn(at)).toHaveLength(405)
    expect(branchesOf(at)).toEqual(['main'])
    expect(at.github.requests.length).toBeLessThanOrEqual(14)
    const again = await runInProcess(at, at.checkOut())
    expect(again.delivery?.operation).toBe('none')
  })

  test('creates a missing branch if requested', async () => {
    const at = await makePets()
    const report = await runInProcess(at, at.checkOut(), { base: 'docs/next' })
    expectNoFailure(report)
    expect(pagesIn(at, 'docs/next')).toEqual([page])
    expect([pagesIn(at), branchesOf(at)]).toEqual([[], ['docs/next', 'main']])
  })
})

describe('several docs directories', () => {
  const files = { ...tinyDocs(['List pets'], 'a/docs/'), ...tinyDocs(['List cats'], 'b/docs/') }

  test('produce one commit and one result each', async () => {
    const at = await makeGitHubRemote(files)
    const report = await runInProcess(at, at.checkOut())
    expectNoFailure(report)
    expect(git(at.remote.path, 'rev-list', '--count', 'main')).toBe('2')
    expect(pagesIn(at)).toEqual(['a/docs/api-reference/list-pets.mdx', 'b/docs/api-reference/list-cats.mdx'])
    expect(report.updates.map(({ root, changes }) => [root, changes.length > 0])).toEqual([
      ['a/docs', true],
      ['b/docs', true],
    ])
    expect(report.update?.pages.map(({ path }) => path)).toEqual(pagesIn(at))
    expect((await runInProcess(at, at.checkOut())).delivery?.operation).toBe('none')
  })

  test('are updated even if another one has errors', async () => {
    const at = await makeGitHubRemote({ ...files, 'a/docs/openapi.json': '{"openapi": "3.1.0", "info": 7, "paths": {}}\n' })
    const report = await runInProcess(at, at.checkOut())
    expect(report.delivery?.operation).toBe('committed')
    expect(pagesIn(at)).toEqual(['b/docs/api-reference/list-cats.mdx'])
    expect(report.update?.diagnostics.map(({ file }) => file)).toContain('a/docs/openapi.json')
  })

  test('can use documents elsewhere in the repository', async () => {
    const docs = tinyDocs([], 'docs/')
    const at = await makeGitHubRemote({
      'docs/docs.json': (docs['docs/docs.json'] ?? '').replace('openapi.json', '../services/pets/openapi.json'),
      'services/pets/openapi.json': tinyDocument('List pets'),
    })
    const report = await runInProcess(at, at.checkOut())
    expectNoFailure(report)
    expect(pagesIn(at)).toEqual(['docs/api-reference/list-pets.mdx'])
    expect(at.remote.read('docs/api-reference/list-pets.mdx')).toContain('../services/pets/openapi.json GET /list-pets')
  })

  test('that generate the same file are an error', async () => {
    const at = await makeGitHubRemote({ ...tinyDocs(['List pets']), ...tinyDocs(['List pets'], 'api-reference/') })
    const nested = (tinyDocs([], '')['docs.json'] ?? '').replace('"openapi.json"', '{"source": "openapi.json", "directory": "."}')
    at.remote.push({ 'api-reference/docs.json': nested })
    const report = await runInProcess(at, at.checkOut(), { roots: ['.', 'api-reference'] })
    expect(explainFailure(report.failures[0]).message).toBe(
      'Cannot update `api-reference/list-pets.mdx`: the docs directories `.` and `api-reference` both generate it',
    )
  })
})

test('commits to the head of a pull request if requested', async () => {
  const at = await makePets()
  at.remote.push({ 'openapi.json': tinyDocument('List pets', 'List dogs') }, 'topic')
  const event = { isPullRequest: true, name: 'pull_request', branch: 'topic', ref: 'refs/pull/1/merge' }
  const report = await runInProcess(at, at.checkOut('topic'), { mode: 'commit' }, event)
  expectNoFailure(report)
  expect([pagesIn(at, 'topic').length, pagesIn(at).length]).toEqual([2, 0])
  expect(readFileSync(join(at.remote.path, 'HEAD'), 'utf8')).toContain('main')
})

import { describe, expect, test } from 'vitest'
import { explainFailure } from '../../../src/action/report/summary.ts'
import { git } from '../../support/git-remote.ts'
import { allPermissions, type GitHubRemote, runInProcess } from '../../support/github-remote.ts'
import { expectNoFailure, graphql, makePets, page, pagesIn, writesOf } from '../../support/pets-remote.ts'
import { tinyDocument } from '../../support/tiny-docs.ts'

describe('if the branch moves meanwhile', () => {
  test.each(['api', 'git'] as const)(
    'generates again from its newest commit, from a depth-1 clone (%s)',
    async (commitMethod) => {
      const at = await makePets()
      const checkout = at.checkOut()
      at.remote.push({ 'openapi.json': tinyDocument('List pets', 'List dogs'), 'guide.mdx': 'mine' })
      const report = await runInProcess(at, checkout, { commitMethod, token: at.token() })
      expectNoFailure(report)
      expect(pagesIn(at)).toEqual(['api-reference/list-dogs.mdx', page, 'guide.mdx'])
      expect(git(at.remote.path, 'log', '-1', '--format=%s', 'main^')).toBe('A change by Pat')
    },
  )

  test('also if it moves during the commit', async () => {
    const at = await makePets()
    at.github.fault({
      route: graphql,
      meanwhile: () => at.remote.push({ 'openapi.json': tinyDocument('List cats') }),
    })
    const report = await runInProcess(at, at.checkOut())
    expectNoFailure(report)
    expect(pagesIn(at)).toEqual(['api-reference/list-cats.mdx'])
    expect(git(at.remote.path, 'log', '--format=%an', 'main').split('\n')).toEqual(['github-actions[bot]', 'Pat', 'Pat'])
  })

  test('gives up after five attempts without changing the branch', async () => {
    const at = await makePets()
    let count = 0
    at.github.fault({ route: graphql, times: 99, meanwhile: () => at.remote.push({ 'guide.mdx': String(++count) }) })
    const report = await runInProcess(at, at.checkOut())
    expect(report.failures.map((failure) => explainFailure(failure).message)).toEqual([
      'Cannot push to `main`: it moved 5 times while the pages were generated',
    ])
    expect(pagesIn(at)).toEqual(['guide.mdx'])
  })

  test('creates one commit if the response is lost', async () => {
    const at = await makePets()
    at.github.fault({ route: graphql, cut: 'after' })
    const report = await runInProcess(at, at.checkOut())
    expect(report.delivery).toMatchObject({ operation: 'committed', commitSha: at.remote.tip() })
    expect(git(at.remote.path, 'rev-list', '--count', 'main')).toBe('2')
  })
})

describe('a newer run', () => {
  const addRun = (at: GitHubRemote, number: number, sha: string) =>
    at.repository.workflowRuns.push({
      id: number,
      workflow: 'docs.yml',
      number,
      branch: 'main',
      sha,
      status: 'queued',
      conclusion: null,
    })

  test.each(['commit', 'pull-request'] as const)(
    'does the work where the documents are others: superseded, a success (%s)',
    async (mode) => {
      const at = await makePets()
      const checkout = at.checkOut()
      const tip = at.remote.push({ 'openapi.json': tinyDocument('List cats') })
      addRun(at, 8, tip)
      const report = await runInProcess(at, checkout, { mode })
      expectNoFailure(report)
      expect([report.delivery?.operation, report.update]).toEqual(['superseded', undefined])
      expect([at.remote.tip(), writesOf(at)]).toEqual([tip, 0])
    },
  )

  test.each<[string, (at: GitHubRemote, tip: string) => void, string, { [name: string]: 'read' | 'write' }]>([
    ['there is only an older one', (at, tip) => addRun(at, 6, tip), tinyDocument('List cats'), allPermissions],
    ['it is for another commit', (at) => addRun(at, 8, 'f'.repeat(40)), tinyDocument('List cats'), allPermissions],
    ['the token may not ask', (at, tip) => addRun(at, 8, tip), tinyDocument('List cats'), { contents: 'write' }],
    ['the documents are the same', (at, tip) => addRun(at, 8, tip), tinyDocument('List pets'), allPermissions],
  ])('is ignored if %s', async (_, prepare, document, permissions) => {
    const at = await makePets()
    const checkout = at.checkOut()
    prepare(at, at.remote.push({ 'openapi.json': document, 'guide.mdx': 'mine' }))
    const report = await runInProcess(at, checkout, { githubToken: at.token(permissions) })
    expect(report.delivery?.operation).toBe('committed')
  })
})

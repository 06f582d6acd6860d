import { describe, expect, test } from 'vitest'
import { explainFailure } from '../../../src/action/report/summary.ts'
import { git } from '../../support/git-remote.ts'
import { runInProcess } from '../../support/github-remote.ts'
import {
  branchesOf,
  expectNoFailure,
  graphql,
  head,
  makePets,
  page,
  pagesIn,
  protectedByRule,
} from '../../support/pets-remote.ts'
import { readTree } from '../../support/read-tree.ts'

describe('a protected branch', () => {
  test.each(['api', 'git'] as const)('opens a pull request that names the rule (%s)', async (commitMethod) => {
    const at = await makePets()
    at.repository.rules.set('main', protectedByRule)
    at.remote.setHook(
      'update',
      `[ "$1" != refs/heads/main ] || { echo 'error: GH013: Repository rule violations found for refs/heads/main.' >&2
       echo '- ${protectedByRule.reason}' >&2; exit 1; }`,
    )
    const tip = at.remote.tip()
    const report = await runInProcess(at, at.checkOut(), {
      commitMethod,
      token: at.token(),
      commitMessage: 'docs: pages [skip ci]',
    })
    expectNoFailure(report)
    expect(report.delivery).toMatchObject({ operation: 'pull-request-created', pullRequest: { number: 1 } })
    expect(report.delivery?.notes[0]).toMatch(/: Changes must be made through a pull request[^.]*\.$/)
    expect([at.remote.tip(), pagesIn(at, head), at.remote.log('%s', head)]).toEqual([tip, [page], 'docs: pages'])
    const again = await runInProcess(at, at.checkOut(), { commitMethod, token: at.token() })
    expect([again.delivery?.operation, at.repository.pullRequests.length]).toEqual(['pull-request-unchanged', 1])
  })

  test('fails the run if requested, or if no token can open a pull request', async () => {
    const at = await makePets()
    at.repository.rules.set('main', { kind: 'classic', reason: 'At least 1 approving review is required.' })
    const report = await runInProcess(at, at.checkOut(), { onProtected: 'fail' })
    expect(explainFailure(report.failures[0])).toEqual({
      message: expect.stringMatching(/: At least 1 approving review is required$/),
      hint: expect.stringContaining('`on-protected: pull-request`'),
    })
    expect(at.repository.pullRequests).toEqual([])
  })

  test('names all permissions that the mode needs at once', async () => {
    const at = await makePets()
    at.repository.rules.set('main', protectedByRule)
    const run = async (permissions: { [name: string]: 'read' | 'write' }, more = {}) => {
      const githubToken = at.github.createJobToken(at.repository, permissions)
      const report = await runInProcess(at, at.checkOut(), { githubToken, ...more })
      return explainFailure(report.failures[0], report.access).hint
    }
    const both = '`permissions: { contents: write, pull-requests: write }`'
    for (const permissions of [
      { contents: 'read' },
      { contents: 'write' },
      { contents: 'write', 'pull-requests': 'read' },
    ] as const)
      expect(await run(permissions), JSON.stringify(permissions)).toContain(`Give the job ${both}`)
    const token = at.github.createJobToken(at.repository, { contents: 'write' }, 'app')
    expect(await run({ contents: 'write' }, { token })).toContain(`Give the token in the input \`token\` the access of ${both}`)
    expect(await run({ contents: 'write' }, { onProtected: 'fail' })).toContain('`on-protected: pull-request`')
  })

  test('closes the pull request once commits are allowed again', async () => {
    const at = await makePets()
    at.repository.rules.set('main', protectedByRule)
    await runInProcess(at, at.checkOut())
    at.repository.rules.clear()
    const report = await runInProcess(at, at.checkOut())
    expect(report.delivery?.operation).toBe('committed')
    expect([at.repository.pullRequests[0]?.state, branchesOf(at)]).toEqual(['closed', ['main']])
  })
})

describe('explains errors from GitHub', () => {
  test.each<[string, number, object, { [name: string]: string }, string, string]>([
    [
      '403',
      403,
      { message: 'Resource not accessible by integration' },
      {},
      '403 Resource not accessible',
      'Give the job `permissions: { contents: write, pull-requests: write }`',
    ],
    ['401', 401, { message: 'Bad credentials' }, {}, '401 Bad credentials', 'Check the input `token`'],
    [
      '404',
      404,
      { message: 'Not Found' },
      {},
      '404 Not Found',
      'Give the job `permissions: { contents: write, pull-requests: write }`',
    ],
    ['409', 409, { message: 'Git Repository is empty.' }, {}, '409 Git Repository is empty', 'Run the job again'],
    ['422', 422, { message: 'Validation Failed' }, {}, '422 Validation Failed', 'Report this bug'],
    ['503', 503, {}, {}, '503', 'githubstatus.com'],
    ['429', 429, { message: 'slow down' }, { 'retry-after': '900' }, '429 slow down', 'Run the job again in 900 s'],
    [
      'a limit',
      403,
      { message: 'You have exceeded a secondary rate limit' },
      { 'retry-after': '61' },
      'secondary rate limit',
      'Run the job again in 61 s',
    ],
  ])('%s', async (_, status, body, headers, message, hint) => {
    const at = await makePets()
    const checkout = at.checkOut()
    const tree = readTree(checkout)
    at.github.fault({ route: graphql, status, body, headers, times: 9 })
    const report = await runInProcess(at, checkout)
    const said = explainFailure(report.failures[0], report.access)
    expect([said.message.includes(message), said.hint?.includes(hint), said]).toEqual([true, true, said])
    expect([readTree(checkout), git(checkout, 'status', '--porcelain')]).toEqual([tree, ''])
  })

  test('if Actions may not open pull requests', async () => {
    const at = await makePets()
    const body = { message: 'GitHub Actions is not permitted to create or approve pull requests.' }
    at.github.fault({ route: 'POST /repos/{owner}/{repo}/pulls', status: 403, body })
    const report = await runInProcess(at, at.checkOut(), { mode: 'pull-request' })
    expect(explainFailure(report.failures[0]).hint).toContain('Allow GitHub Actions to create and approve pull requests')
  })

  test('and waits if GitHub requests a short delay', async () => {
    const at = await makePets()
    at.github.fault({ route: graphql, status: 429, headers: { 'retry-after': '1' } })
    expect((await runInProcess(at, at.checkOut())).delivery?.operation).toBe('committed')
  })
})

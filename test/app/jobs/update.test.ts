import { describe, expect, test } from 'vitest'
import { toPullRequestEvent } from '../../support/fake-github/payloads.ts'
import {
  addProjectOf,
  brokenDocument,
  type ConnectOptions,
  connectApp,
  docsConfig,
  validDocument,
} from '../support/connected-app.ts'

const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }

async function connect(options: ConnectOptions & { files?: Record<string, string> } = {}) {
  const connected = await connectApp(options)
  const repository = connected.github.createRepository('acme/api', { files: options.files ?? files })
  return { ...connected, repository }
}
describe('docs directories', () => {
  test('a push creates one record and one check per docs directory', async () => {
    const { idle, repository, store } = await connect({
      files: {
        'docs/docs.json': docsConfig,
        'docs/openapi.yaml': validDocument,
        'sdk/docs.json': docsConfig,
        'sdk/openapi.yaml': brokenDocument,
        'test/fixtures/docs.json': docsConfig,
      },
    })
    const { sha } = await repository.push({ files: { a: 'a' } })
    const all = await idle()
    expect(all.map(({ update }) => [update.status, update.commit.sha])).toEqual([
      ['success', sha],
      ['failure', sha],
    ])
    expect((await store.projects.list()).map(({ root, hasDocsConfig }) => [root, hasDocsConfig])).toEqual([
      ['docs', true],
      ['sdk', true],
    ])
    // The first check was created before the docs directories were known.
    expect(repository.checkRuns.map(({ name, conclusion }) => [name, conclusion])).toEqual([
      ['openapi-pages', 'success'],
      ['openapi-pages (sdk/)', 'failure'],
    ])
    await repository.push({ files: { a: 'b' } })
    expect((await idle()).map(({ update }) => update.status)).toEqual(['success', 'failure', 'success', 'failure'])
    expect(
      repository.checkRuns
        .slice(2)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['openapi-pages (docs/)', 'openapi-pages (sdk/)'])
  })

  test('a pull request from a fork creates no projects', async () => {
    const { github, idle, repository, store } = await connect({ files: { 'README.md': 'a' } })
    const fork = github.createRepository('mallory/api', { forkOf: repository, installed: false })
    fork.commit({ files: { 'evil/docs.json': docsConfig }, branch: 'topic' })
    const pull = repository.openPullRequest({ head: 'topic', headRepository: fork, author: 'mallory' })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
    await idle()
    expect((await store.projects.list()).map(({ root }) => root)).toEqual([''])
  })

  test('the first push to another branch uses the docs directories of the default branch', async () => {
    const { idle, repository, store } = await connect({
      files: { 'docs/docs.json': docsConfig, 'docs/openapi.yaml': validDocument },
    })
    await repository.push({ files: { 'docs/openapi.yaml': brokenDocument }, branch: 'topic' })
    const [stored] = await idle()
    expect(stored?.update.summary).toMatch(/^Failed: 1 error in docs\/openapi\.yaml/)
    expect((await store.projects.list()).map(({ root }) => root)).toEqual(['docs'])
  })
})

describe('the changed files of a push', () => {
  test('are requested if GitHub truncated them, and the logs state what is missing', async () => {
    const { github, idle, repository } = await connect()
    const many = Object.fromEntries(Array.from({ length: 3_100 }, (_, index) => [`pages/${index}.txt`, 'a']))
    const { push } = await repository.push({ files: many })
    const [stored] = await idle()
    expect(stored?.update.commit.filesChanged.added).toHaveLength(3_000)
    expect(stored?.details.filesTruncated).toBe(true)
    expect(stored?.update.logs.join('\n')).toMatch(/GitHub truncated the file lists/)
    expect(stored?.update.logs.join('\n')).toMatch(/at most 300 changed files/)
    expect(github.requestsTo('GET /repos/{owner}/{repo}/compare/{basehead}')[0]?.url).toContain(push.before)
    expect(repository.checkRuns[0]?.output.summary).toContain('may be incomplete')
  })

  test('are complete for a pull request from a fork', async () => {
    const { github, idle, repository } = await connect()
    const fork = github.createRepository('mallory/api', { forkOf: repository, installed: false })
    fork.commit({ files: { b: 'b' }, branch: 'topic' })
    const pull = repository.openPullRequest({ head: 'topic', headRepository: fork, author: 'mallory' })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
    const [stored] = await idle()
    expect(stored?.update.commit.filesChanged).toEqual({ added: ['b'], modified: [], removed: [] })
    expect(stored?.details.filesTruncated).toBe(false)
    expect(repository.checkRuns[0]?.output.summary).not.toContain('incomplete')
  })

  test('come from a comparison after a forced push', async () => {
    const { github, idle, repository } = await connect()
    const base = repository.tipOf('main')
    await repository.push({ files: { a: 'a' } })
    const { push } = await repository.push({ files: { b: 'b' }, parent: base })
    expect(push.forced).toBe(true)
    const [, stored] = await idle()
    expect(stored?.update.commit.filesChanged).toEqual({ added: ['b'], modified: [], removed: [] })
    expect(stored?.update.logs.join('\n')).toMatch(/The branch was force-pushed/)
    expect(github.requestsTo('GET /repos/{owner}/{repo}/compare/{basehead}').length).toBeGreaterThan(0)
  })
})

test('the logs list the changes since the last successful update of the branch', async () => {
  const { idle, repository } = await connect()
  const good = await repository.push({ files: { 'a.mdx': 'a' } })
  await idle()
  await repository.push({ files: { 'openapi.yaml': brokenDocument } })
  await idle()
  await repository.push({ files: { 'b.mdx': 'b' } })
  const all = await idle()
  const sinceOf = (index: number) => all[index]?.update.logs.find((line) => /^(Since|No earlier)/.test(line))
  expect(sinceOf(0)).toBe('No earlier update of this branch succeeded')
  expect(sinceOf(1)).toBe(
    `Since ${good.sha.slice(0, 7)}, the last successful update of this branch: 0 files added, 1 modified, 0 removed`,
  )
  // Includes the changes of the failed push.
  expect(sinceOf(2)).toBe(
    `Since ${good.sha.slice(0, 7)}, the last successful update of this branch: 1 file added, 1 modified, 0 removed`,
  )
})

test('supersedes the oldest of too many queued pushes to a branch', async () => {
  const connected = await connect({ withoutRuns: true })
  const { repository } = connected
  await addProjectOf(connected, repository)
  for (let index = 0; index < 53; index++) await repository.push({ files: { 'README.md': String(index) } })
  const { idle } = await connected.restart({ withoutRuns: false })
  const all = await idle()
  const newest = repository.tipOf('main').slice(0, 7)
  const notRun = all.filter(({ update }) => update.summary.startsWith('Not run'))
  expect(notRun.map(({ update }) => update.status)).toEqual(['failure', 'failure', 'failure'])
  expect(notRun).toEqual(all.slice(0, 3))
  expect(notRun.at(-1)?.update.summary).toBe(`Not run: superseded by ${newest}.`)
  for (const { update } of all.slice(3)) expect(update.status).toBe('success')
  expect(repository.checkRuns).toHaveLength(53)
  for (const run of repository.checkRuns) expect(run.status).toBe('completed')
  const { update } = all[0] ?? {}
  expect(repository.checkRuns.find(({ externalId }) => externalId === update?._id)).toMatchObject({
    conclusion: 'neutral',
    output: { title: update?.summary },
  })
})

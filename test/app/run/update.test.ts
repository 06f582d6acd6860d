import { describe, expect, test } from 'vitest'
import { isObject } from '../../../src/source/is-object.ts'
import { changedDocument, makeAdoptedDocs } from '../../support/adopted-docs.ts'
import { toPullRequestEvent } from '../../support/fake-github/payloads.ts'
import { brokenDocument, type ConnectOptions, connectApp, docsConfig, validDocument } from '../support/connected-app.ts'

const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }

async function connect(options: ConnectOptions & { files?: Record<string, string> } = {}) {
  const connected = await connectApp(options)
  const repository = connected.github.createRepository('acme/api', { files: options.files ?? files })
  return { ...connected, repository }
}

describe('every head gets a check, and every check ends', () => {
  test('documents that are in order', async () => {
    const { idle, repository } = await connect()
    await repository.push({ files: { 'a.mdx': 'a' } })
    const [stored] = await idle()
    expect(stored?.update).toMatchObject({ status: 'success', summary: 'Valid: 1 document, 1 operation. 1 page would change.' })
    expect(stored?.update.logs).toContain('openapi.yaml: OpenAPI 3.1.0, 1 operation, valid')
    expect(repository.checkRuns).toMatchObject([
      {
        name: 'openapi-pages',
        externalId: stored?.update._id,
        status: 'completed',
        conclusion: 'success',
        annotations: [],
        // `contents: write` is not granted.
        actions: [],
        output: { title: '1 document valid, 1 page would change' },
      },
    ])
  })

  test('pages that were adopted', async () => {
    const { idle, repository } = await connect({ files: await makeAdoptedDocs() })
    await repository.push({ files: { 'a.txt': 'a' } })
    await idle()
    await repository.push({ files: { 'openapi.yaml': changedDocument } })
    await idle()
    expect(repository.checkRuns.map(({ output }) => output.title)).toEqual([
      '1 document valid',
      '1 document valid, 3 pages would change',
    ])
  })

  test('documents with an error', async () => {
    const { idle, repository, app } = await connect()
    const { sha } = await repository.push({ files: { 'openapi.yaml': brokenDocument } })
    const [stored] = await idle()
    const summary = 'Failed: 1 error in openapi.yaml (first at 8:7: Unexpected field `sumary` in an Operation Object).'
    expect(stored?.update).toMatchObject({ status: 'failure', summary })
    const [run] = repository.checkRuns
    expect(run).toMatchObject({ headSha: sha, conclusion: 'failure', output: { title: '1 error in 1 of 1 document' } })
    expect(run?.annotations).toMatchObject([
      { path: 'openapi.yaml', start_line: 8, annotation_level: 'failure', title: 'unknown-field' },
    ])
    // The link of the check opens the page of the record.
    const link = new URL(run?.detailsUrl ?? '')
    const page = await fetch(`${app.address}${link.pathname}${link.search}`)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('sumary')
  })

  test('the check is there before the update has its turn', async () => {
    const { github, idle, repository } = await connect({ env: { RUNS_AT_ONCE: '1' } })
    // The first run holds the only worker at its archive.
    github.fault({ route: 'GET /repos/{owner}/{repo}/tarball/{ref}', delayMs: 400 })
    await repository.push({ files: { a: 'a' } })
    await repository.push({ files: { a: 'b' } })
    await idle()
    const routes = github.requests.map(({ route }) => route)
    const created = routes.lastIndexOf('POST /repos/{owner}/{repo}/check-runs')
    const archives = routes.flatMap((route, index) => (route === 'GET /repos/{owner}/{repo}/tarball/{ref}' ? [index] : []))
    expect(archives).toHaveLength(2)
    expect(created).toBeLessThan(archives[1] ?? 0)
    expect(
      github.requestsTo('POST /repos/{owner}/{repo}/check-runs').map(({ body }) => isObject(body) && body['status']),
    ).toEqual(['queued', 'queued'])
  })

  test('nothing to check is said and lets a required check pass', async () => {
    const { idle, repository } = await connect({ files: { 'README.md': 'a' } })
    await repository.push({ files: { 'README.md': 'b' } })
    const [stored] = await idle()
    expect(stored?.update).toMatchObject({
      status: 'success',
      summary: 'Nothing to check: this repository has no `docs.json` and no OpenAPI document at this commit.',
    })
    expect(repository.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'skipped' }])
    expect(repository.checkRuns[0]?.output.summary).toContain('Nothing to check')
  })

  test('all findings are annotations, 50 a request', async () => {
    const paths = Array.from(
      { length: 620 },
      (_, index) => `  /p${index}:\n    get:\n      sumary: a\n      responses: { '200': { description: a } }\n`,
    )
    const document = `openapi: 3.1.0\ninfo: { title: a, version: '1' }\npaths:\n${paths.join('')}`
    const { github, idle, repository } = await connect()
    await repository.push({ files: { 'openapi.yaml': document } })
    await idle()
    const [run] = repository.checkRuns
    expect(run?.annotations).toHaveLength(620)
    expect(new Set(run?.annotations.map(({ start_line: line }) => line)).size).toBe(620)
    const patches = github.requestsTo('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}')
    expect(patches.length).toBeGreaterThanOrEqual(13)
    expect(run?.output.summary?.length).toBeLessThan(65_535)
  })

  test('a repository without a docs.json is one project whose checks validate only', async () => {
    const { idle, repository, store } = await connect({
      files: { 'api/openapi.yaml': validDocument, 'api/v2.yaml': validDocument },
    })
    await repository.push({ files: { 'api/v2.yaml': brokenDocument } })
    const [stored] = await idle()
    expect(stored?.update).toMatchObject({ status: 'failure' })
    expect(stored?.update.summary).toMatch(/^Failed: 1 error in api\/v2\.yaml/)
    await repository.push({ files: { 'api/v2.yaml': validDocument } })
    const [, second] = await idle()
    expect(second?.update.summary).toBe('Valid: 2 documents, 2 operations.')
    expect(await store.projects.list()).toMatchObject([{ root: '', hasDocsConfig: false }])
  })

  test('a commit that is gone ends with the reason', async () => {
    const { github, idle, repository } = await connect()
    github.fault({ route: 'GET /repos/{owner}/{repo}/tarball/{ref}', status: 404 })
    await repository.push({ files: { a: 'a' } })
    const [stored] = await idle()
    expect(stored?.update.status).toBe('failure')
    expect(stored?.update.summary).toMatch(/^Failed: Cannot read archive on `acme\/api`@`[0-9a-f]{7}`: 404/)
    expect(repository.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }])
  })

  test('a GitHub in trouble is asked again, and the update is told once it is back', async () => {
    const { github, idle, repository } = await connect({ env: { RUNS_AT_ONCE: '1' } })
    github.fault({ route: 'POST /repos/{owner}/{repo}/check-runs', cut: 'after' })
    github.fault({ route: 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', status: 502, times: 2 })
    await repository.push({ files: { 'openapi.yaml': brokenDocument } })
    const [stored] = await idle()
    expect(stored?.update.status).toBe('failure')
    expect(repository.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }])
    expect(repository.checkRuns).toHaveLength(1)
    expect(repository.checkRuns[0]?.annotations).toHaveLength(1)
  })

  test('annotations that GitHub does not take do not keep the check from its end', async () => {
    const { github, idle, repository } = await connect()
    github.fault({
      route: 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}',
      status: 422,
      body: { message: 'Invalid request' },
    })
    await repository.push({ files: { 'openapi.yaml': brokenDocument } })
    await idle()
    expect(repository.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure', annotations: [] }])
    expect(repository.checkRuns[0]?.output.summary).toContain('GitHub refused the annotations')
  })

  test('checks that the app may not write do not keep the record from its end', async () => {
    const { idle, repository, logLines } = await connect({ github: { permissions: { contents: 'read', metadata: 'read' } } })
    await repository.push({ files: { a: 'a' } })
    const [stored] = await idle()
    expect(stored?.update.status).toBe('success')
    expect(repository.checkRuns).toEqual([])
    expect(logLines.join('')).toContain('checks: write')
  })
})

describe('docs roots', () => {
  test('one push makes one record and one check for each docs root', async () => {
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
    // The first check was made before anybody knew.
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

  test('a pull request of a stranger makes no project', async () => {
    const { github, idle, repository, store } = await connect({ files: { 'README.md': 'a' } })
    const fork = github.createRepository('mallory/api', { forkOf: repository, installed: false })
    fork.commit({ files: { 'evil/docs.json': docsConfig }, branch: 'topic' })
    const pull = repository.openPullRequest({ head: 'topic', headRepository: fork, author: 'mallory' })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
    await idle()
    expect((await store.projects.list()).map(({ root }) => root)).toEqual([''])
  })

  test('the first push to another branch learns the docs roots from the default branch', async () => {
    const { idle, repository, store } = await connect({
      files: { 'docs/docs.json': docsConfig, 'docs/openapi.yaml': validDocument },
    })
    await repository.push({ files: { 'docs/openapi.yaml': brokenDocument }, branch: 'topic' })
    const [stored] = await idle()
    expect(stored?.update.summary).toMatch(/^Failed: 1 error in docs\/openapi\.yaml/)
    expect((await store.projects.list()).map(({ root }) => root)).toEqual(['docs'])
  })
})

describe('files of a push', () => {
  test('lists that GitHub cut are asked for, and what it does not list is said', async () => {
    const { github, idle, repository } = await connect()
    const many = Object.fromEntries(Array.from({ length: 3_100 }, (_, index) => [`pages/${index}.txt`, 'a']))
    const { push } = await repository.push({ files: many })
    const [stored] = await idle()
    expect(stored?.update.commit.filesChanged.added).toHaveLength(300)
    expect(stored?.details.filesTruncated).toBe(true)
    expect(stored?.update.logs.join('\n')).toMatch(/cut by a limit of GitHub/)
    expect(stored?.update.logs.join('\n')).toMatch(/300 changed files at most/)
    expect(github.requestsTo('GET /repos/{owner}/{repo}/compare/{basehead}')[0]?.url).toContain(push.before)
    expect(repository.checkRuns[0]?.output.summary).toContain('may not be complete')
  })

  test('a forced push is compared', async () => {
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

test('what changed is told from the last update of the branch that succeeded', async () => {
  const { idle, repository } = await connect()
  const good = await repository.push({ files: { 'a.mdx': 'a' } })
  await idle()
  await repository.push({ files: { 'openapi.yaml': brokenDocument } })
  await idle()
  await repository.push({ files: { 'b.mdx': 'b' } })
  const all = await idle()
  const sinceOf = (index: number) => all[index]?.update.logs.find((line) => /^(Since|No earlier)/.test(line))
  expect(sinceOf(0)).toBe('No earlier update of this branch succeeded: everything is checked')
  expect(sinceOf(1)).toBe(
    `Since ${good.sha.slice(0, 7)}, the last update of this branch that succeeded: 0 files added, 1 modified, 0 removed`,
  )
  // The failed push is in it.
  expect(sinceOf(2)).toBe(
    `Since ${good.sha.slice(0, 7)}, the last update of this branch that succeeded: 1 file added, 1 modified, 0 removed`,
  )
})

describe('the configuration in the repository', () => {
  test('a mistake is an annotation on its line', async () => {
    const { idle, repository } = await connect()
    await repository.push({
      files: { 'openapi-pages.config.yaml': 'unlisted: report\ngithub:\n  check: failure\n  coment: off\n' },
    })
    const [stored] = await idle()
    expect(stored?.update.status).toBe('failure')
    expect(repository.checkRuns[0]?.annotations).toMatchObject([
      {
        path: 'openapi-pages.config.yaml',
        start_line: 4,
        title: 'unknown-field',
        message:
          'Unexpected setting `coment` in `github`, expected `check`, `comment`, `commit-status`, `deployment`, `forkPreviews`\ndid you mean `comment`?',
      },
    ])
  })

  test('`check: neutral` shows errors and holds nothing back', async () => {
    const { idle, repository } = await connect()
    await repository.push({
      files: { 'openapi-pages.config.yaml': 'github: { check: neutral }\n', 'openapi.yaml': brokenDocument },
    })
    const [stored] = await idle()
    expect(stored?.update.status).toBe('failure')
    expect(repository.checkRuns).toMatchObject([{ conclusion: 'neutral' }])
    expect(repository.checkRuns[0]?.annotations).toHaveLength(1)
  })

  test('`check: off` checks nothing and says so', async () => {
    const { idle, repository } = await connect()
    await repository.push({ files: { 'openapi-pages.config.yaml': 'github: { check: off }\n', 'openapi.yaml': brokenDocument } })
    const [stored] = await idle()
    expect(stored?.update).toMatchObject({
      status: 'success',
      summary: 'Nothing checked: `github.check` is `off` in the configuration file.',
    })
    expect(repository.checkRuns).toMatchObject([{ conclusion: 'skipped', annotations: [] }])
  })

  test('it counts without a docs.json too', async () => {
    const { idle, repository } = await connect({ files: { 'openapi.yaml': brokenDocument } })
    await repository.push({ files: { 'openapi-pages.config.yaml': 'github: { check: neutrl }\n' } })
    await idle()
    expect(repository.checkRuns[0]?.annotations.map(({ path }) => path).sort()).toEqual([
      'openapi-pages.config.yaml',
      'openapi.yaml',
    ])
  })
})

test('of too many pushes to a branch the oldest are not run, and their checks say so', async () => {
  const connected = await connect({ withoutRuns: true, files: { 'README.md': 'a' } })
  const { repository } = connected
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
    conclusion: 'failure',
    output: { title: update?.summary },
  })
})

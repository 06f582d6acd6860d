import { describe, expect, test } from 'vitest'
import { isObject } from '../../../src/text/json/json-values.ts'
import { changedDocument, makeAdoptedDocs } from '../../support/adopted-docs.ts'
import { settle } from '../../support/memory-tree.ts'
import { tinyDocs, tinyDocument } from '../../support/tiny-docs.ts'
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
describe('the check of a commit', () => {
  test('succeeds for valid documents', async () => {
    const { idle, repository } = await connect()
    await repository.push({ files: { 'a.mdx': 'a' } })
    const [stored] = await idle()
    expect(stored?.update).toMatchObject({ status: 'success', summary: 'Valid: 1 document, 1 operation.' })
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
        // The repository has no generated pages, so none of them would change.
        output: { title: '1 document valid' },
      },
    ])
  })

  test('succeeds for adopted pages', async () => {
    const { idle, repository } = await connect({ files: await makeAdoptedDocs() })
    await repository.push({ files: { 'a.txt': 'a' } })
    await idle()
    await repository.push({ files: { 'openapi.yaml': changedDocument } })
    await idle()
    expect(repository.checkRuns.map(({ output }) => output.title)).toEqual([
      '1 document valid',
      '1 document valid, 3 pages would change, 2 breaking API changes',
    ])
  })

  test('stops an update that would remove many pages of a document of another repository', async () => {
    const titles = Array.from({ length: 12 }, (_, index) => `List ${index}`)
    const { tree } = await settle(tinyDocs(titles) as Record<string, string>)
    const config = 'sources: [{ repository: acme/other, path: openapi.json }]\n'
    const { app, idle, repository } = await connect({ files: { ...tree, 'openapi-pages.config.yaml': config } })
    await repository.push({ files: { 'openapi.json': tinyDocument('List 0', 'List 1') } })
    const [stored] = await idle()
    const line = '10 of 12 pages of `API` would be removed'
    expect(stored?.update).toMatchObject({ status: 'failure', summary: expect.stringContaining(line) })
    const [run] = repository.checkRuns
    expect(run?.annotations).toContainEqual(
      expect.objectContaining({ title: 'mass-removal', message: expect.stringContaining(line) }),
    )
    expect(run).toMatchObject({ conclusion: 'failure' })
    const link = new URL(run?.detailsUrl ?? '')
    const page = await (await fetch(`${app.address}${link.pathname}${link.search}`)).text()
    expect(page).toContain('mass-removal')

    await repository.push({ files: { 'openapi-pages.config.yaml': `${config}update: { remove: true }\n` } })
    const [, confirmed] = await idle()
    expect(confirmed?.update.status).toBe('success')
  })

  test('fails for an invalid document', async () => {
    const { idle, repository, app } = await connect()
    const { sha } = await repository.push({ files: { 'openapi.yaml': brokenDocument } })
    const [stored] = await idle()
    const summary = 'Failed: 1 error in openapi.yaml (first error at 8:7: Unexpected field `sumary` in an Operation Object).'
    expect(stored?.update).toMatchObject({ status: 'failure', summary })
    const [run] = repository.checkRuns
    expect(run).toMatchObject({ headSha: sha, conclusion: 'failure', output: { title: '1 error in 1 of 1 document' } })
    expect(run?.annotations).toMatchObject([
      { path: 'openapi.yaml', start_line: 8, annotation_level: 'failure', title: 'unknown-field' },
    ])
    // The details link of the check opens the update page.
    const link = new URL(run?.detailsUrl ?? '')
    const page = await fetch(`${app.address}${link.pathname}${link.search}`)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('sumary')
  })

  test('is created while the update is queued', async () => {
    const { github, idle, repository } = await connect({ env: { RUNS_AT_ONCE: '1' } })
    // The first run blocks the only worker.
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

  test('is skipped if there is nothing to check, so that a required check passes', async () => {
    const { idle, store, repository } = await connect({ files: { 'README.md': 'a' } })
    await addProjectOf({ store }, repository)
    await repository.push({ files: { 'README.md': 'b' } })
    const [stored] = await idle()
    expect(stored?.update).toMatchObject({
      status: 'success',
      summary: 'Nothing to check: this repository has no `docs.json` and no OpenAPI document at this commit.',
    })
    expect(repository.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'skipped' }])
    expect(repository.checkRuns[0]?.output.summary).toContain('Nothing to check')
  })

  test('annotates all problems, with 50 annotations per request', async () => {
    const paths = Array.from(
      { length: 620 },
      (_, index) => `  /p${index}:\n    get:\n      sumary: a\n      responses: { '200': { description: a } }\n`,
    )
    const document = `openapi: 3.1.0\ninfo: { title: a, version: '1' }\npaths:\n${paths.join('')}`
    const { github, idle, repository } = await connect()
    const conclude = 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}'
    github.fault({ route: conclude, status: 403, body: { message: 'Not this time' } })
    await repository.push({ files: { 'openapi.yaml': document } })
    await idle()
    await expect.poll(() => repository.checkRuns).toMatchObject([{ conclusion: 'failure' }])
    // The stored results are complete, so that nothing is checked again for the second report: only the commit and the one before.
    expect(github.requestsTo('GET /repos/{owner}/{repo}/tarball/{ref}')).toHaveLength(2)
    const [run] = repository.checkRuns
    // The removed operation is another annotation.
    const problems = run?.annotations.filter(({ title }) => title === 'unknown-field')
    expect(problems).toHaveLength(620)
    expect(new Set(problems?.map(({ start_line: line }) => line)).size).toBe(620)
    const patches = github.requestsTo(conclude)
    expect(patches.length).toBeGreaterThanOrEqual(13)
    expect(run?.output.summary?.length).toBeLessThan(65_535)
  })

  test('only validates the documents of a repository without docs.json', async () => {
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

  test('fails with the reason if the commit no longer exists', async () => {
    const { github, idle, repository } = await connect()
    const missing = { tarball: 404, commits: 422 }
    for (const [path, status] of Object.entries(missing))
      github.fault({ route: `GET /repos/{owner}/{repo}/${path}/{ref}`, status, times: Number.POSITIVE_INFINITY })
    await repository.push({ files: { a: 'a' } })
    const [stored] = await idle()
    expect(stored?.update.summary).toMatch(/^Failed: Cannot read commit [0-9a-f]{7} of `acme\/api`: GitHub does not have it\.$/)
    expect(repository.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }])
  })

  test('is retried after GitHub outages', async () => {
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

  test('ends without annotations if GitHub rejects them', async () => {
    const { github, idle, repository } = await connect()
    github.fault({
      route: 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}',
      // A run that takes longer first sets the check to "in progress", without annotations.
      when: (body) => JSON.stringify(body).includes('"annotations":[{'),
      times: Number.POSITIVE_INFINITY,
      status: 422,
      body: { message: 'Invalid request' },
    })
    await repository.push({ files: { 'openapi.yaml': brokenDocument } })
    await idle()
    expect(repository.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure', annotations: [] }])
    expect(repository.checkRuns[0]?.output.summary).toContain('GitHub rejected the annotations')
  })

  test('does not keep the record from ending if the app may not write checks', async () => {
    const { idle, repository, logLines } = await connect({ github: { permissions: { contents: 'read', metadata: 'read' } } })
    await repository.push({ files: { a: 'a' } })
    const [stored] = await idle()
    expect(stored?.update.status).toBe('success')
    expect(repository.checkRuns).toEqual([])
    expect(logLines.join('')).toContain('checks: write')
  })
})

describe('the configuration in the repository', () => {
  test('has its errors annotated on their lines', async () => {
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
          'Unexpected setting `coment` in `github`, expected `check`, `comment`, `commit-status`, `deployment` or `forkPreviews`\nDid you mean `comment`?',
      },
    ])
  })

  test('`check: neutral` shows errors without blocking', async () => {
    const { idle, repository } = await connect()
    await repository.push({
      files: { 'openapi-pages.config.yaml': 'github: { check: neutral }\n', 'openapi.yaml': brokenDocument },
    })
    const [stored] = await idle()
    expect(stored?.update.status).toBe('failure')
    expect(repository.checkRuns).toMatchObject([{ conclusion: 'neutral' }])
    expect(repository.checkRuns[0]?.annotations).toHaveLength(1)
  })

  test('`check: off` disables the check', async () => {
    const { idle, repository } = await connect()
    await repository.push({ files: { 'openapi-pages.config.yaml': 'github: { check: off }\n', 'openapi.yaml': brokenDocument } })
    const [stored] = await idle()
    expect(stored?.update).toMatchObject({
      status: 'success',
      summary: 'Nothing checked: `github.check` is `off` in the configuration file.',
    })
    expect(repository.checkRuns).toMatchObject([{ conclusion: 'skipped', annotations: [] }])
  })

  test('applies without a docs.json too', async () => {
    const { idle, repository } = await connect({ files: { 'openapi.yaml': brokenDocument } })
    await repository.push({ files: { 'openapi-pages.config.yaml': 'github: { check: neutrl }\n' } })
    await idle()
    expect(repository.checkRuns[0]?.annotations.map(({ path }) => path).sort()).toEqual([
      'openapi-pages.config.yaml',
      'openapi.yaml',
    ])
  })
})

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toCommentKey } from '../../src/github/report/feedback.ts'
import { parseCommentMarker } from '../../src/github/report/render-comment.ts'
import { makeExampleRemote, projectFolder, readActionFile } from '../support/action-harness.ts'
import { fixPull, isWrite, makeActionRepository, openPull } from '../support/action-repository.ts'
import { startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { git, makeGitRemote } from '../support/git-remote.ts'
import { eventsOf, readWorkflow, runWorkflow, type Workflow } from '../support/run-workflow.ts'
import { serve } from '../support/serve.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const folder = join(projectFolder, 'examples/workflows')
const names = readdirSync(folder).sort()
const read = (name: string) => readWorkflow(readFileSync(join(folder, name), 'utf8'))

describe('example workflows', () => {
  test.each(names)('%s is valid, pinned, documented, and has permissions and a timeout', (name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    const workflow = read(name)
    expect(eventsOf(workflow)).not.toContain('pull_request_target')
    expect(Object.keys(workflow.permissions ?? {}).length).toBeGreaterThan(0)
    const inputs = Object.keys(readActionFile().inputs)
    for (const job of Object.values(workflow.jobs)) {
      expect(job).toMatchObject({ 'runs-on': 'ubuntu-latest', 'timeout-minutes': expect.any(Number) })
      for (const step of job.steps) {
        if (step.uses === undefined) continue
        const [action = '', version = ''] = step.uses.split('@')
        // Our own action has no release to pin yet.
        if (action === 'openapi-pages/openapi-pages') expect(inputs).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})))
        else expect(version).toMatch(/^[0-9a-f]{40}$/)
      }
    }
    // The version follows the commit as a comment.
    for (const [line] of text.matchAll(/uses: (?!openapi-pages).*/g)) expect(line).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    expect(text).toMatch(/^# \S/)
    expect(readFileSync(join(projectFolder, 'docs/action.md'), 'utf8')).toContain(`examples/workflows/${name}`)
  })
})

/** A repository with the document of the petstore, and a private one with its docs, for the workflow of the first. */
async function makeDocsRepositories() {
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const docs = makeExampleRemote('petstore')
  const api = makeGitRemote({ 'openapi.yaml': docs.read('openapi.yaml') ?? '' })
  const repository = github.createRepository('acme/api', { bare: api.path })
  const docsRepository = github.createRepository('acme/docs', { bare: docs.path, private: true })
  git(api.path, 'update-ref', 'refs/pull/1/merge', api.tip())
  return {
    github,
    api,
    docs: { remote: docs, repository: docsRepository },
    run: async (workflow: Workflow, event: { readonly name: string; readonly headRef?: string; readonly payload?: object }) => {
      const ref = event.name === 'push' ? 'refs/heads/main' : 'refs/pull/1/merge'
      const payload = { repository: { full_name: 'acme/api', default_branch: 'main' }, ...event.payload }
      const [job] = await runWorkflow(workflow, {
        github,
        repository,
        folder: api.folder,
        event: { ref, sha: api.tip(), ...event, payload },
        secrets: { DOCS_APP_PRIVATE_KEY: 'key' },
        variables: { DOCS_APP_CLIENT_ID: 'id' },
      })
      if (!job) throw new Error('No job of the workflow ran')
      github.assertNoUnexpectedRequests()
      return job
    },
  }
}

const needs = (name: string) => read(name).permissions
/** Without the permission for branches whose rules reject commits. */
const needsUnprotected = (name: string) => {
  const { 'pull-requests': _, ...others } = { ...needs(name) }
  return others
}

describe('permissions equal those that a run uses', () => {
  test('push.yml', async () => {
    const place = await makeActionRepository()
    const first = await place.run(read('push.yml'), { name: 'push' })
    expect(first).toMatchObject({ failed: false, runs: [{ outputs: { committed: 'true', 'pages-added': '8' } }] })
    expect(first.used).toEqual(needsUnprotected('push.yml'))
    expect(place.remote.read('api-reference/pets/list-pets.mdx')).toContain('openapi.yaml GET /pets')
    const second = await place.run(read('push.yml'), { name: 'push' })
    expect([second.used, second.runs[0]?.outputs['changed']]).toEqual([{ contents: 'read' }, 'false'])
  })

  test('push.yml on a protected branch', async () => {
    const place = await makeActionRepository()
    place.repository.rules.set('main', { kind: 'ruleset', reason: 'Changes must be made through a pull request.' })
    const job = await place.run(read('push.yml'), { name: 'push' })
    expect(job).toMatchObject({ failed: false, runs: [{ outputs: { operation: 'pull-request-created' } }] })
    expect(job.used).toEqual(needs('push.yml'))
  })

  test('pull-request.yml', async () => {
    const place = await makeActionRepository()
    const { event } = openPull(place, 'here')
    const job = await place.run(read('pull-request.yml'), event)
    expect(job).toMatchObject({ failed: true, runs: [{ outputs: { 'error-count': '1' } }] })
    expect(job.used).toEqual(needs('pull-request.yml'))
    expect(place.repository.comments.map(({ author }) => author)).toEqual(['github-actions[bot]'])
    const again = await place.run(read('pull-request.yml'), event)
    expect([again.calls.filter(isWrite), place.repository.comments.length]).toEqual([[], 1])
  })

  test('fork-check.yml and fork-comment.yml', async () => {
    const place = await makeActionRepository()
    const { event, sha } = openPull(place, 'fork')
    const check = await place.run(read('fork-check.yml'), event)
    expect(check).toMatchObject({ failed: true, runs: [{ outputs: { 'error-count': '1' } }] })
    expect([check.used, check.calls.filter(isWrite)]).toEqual([needs('fork-check.yml'), []])
    // For forks, GitHub does not send the pull request of the run.
    const ended = (headSha: string, conclusion = 'failure') => {
      const run = { id: 7, event: 'pull_request', conclusion, head_sha: headSha, head_branch: 'topic', pull_requests: [] }
      const repository = { full_name: 'mallory/docs', owner: { login: 'mallory' } }
      return { name: 'workflow_run', payload: { workflow_run: { ...run, head_repository: repository } } }
    }
    const comment = await place.run(read('fork-comment.yml'), ended(sha))
    expect([comment.failed, comment.used]).toEqual([false, needs('fork-comment.yml')])
    const comments = () => place.repository.comments.map(({ author, body, edits }) => ({ author, body, edits }))
    expect(comments()).toEqual([
      {
        author: 'github-actions[bot]',
        body: expect.stringMatching(
          /^<!-- openapi-pages:v1 key=[0-9a-f]{12} digest=[0-9a-f]{64} -->\n\*\*1 error in the API documents\*\*\n\n- ` openapi\.yaml:18 ` `` Unexpected field `sumary`/,
        ),
        edits: 0,
      },
    ])
    // A repeated run and a run for an outdated commit add no comment. A fix updates the comment once.
    await place.run(read('fork-comment.yml'), ended(sha))
    await place.run(read('fork-comment.yml'), ended('b'.repeat(40)))
    expect(comments()).toHaveLength(1)
    const fixed = fixPull(place)
    expect((await place.run(read('fork-check.yml'), { ...event, sha: fixed })).failed).toBe(false)
    await place.run(read('fork-comment.yml'), ended(fixed))
    expect(comments()).toMatchObject([
      { body: expect.stringMatching(/ -->\nAll errors in the API documents are fixed\.$/), edits: 1 },
    ])
    // A canceled check has no report, so no job runs.
    await expect(place.run(read('fork-comment.yml'), ended(sha, 'cancelled'))).rejects.toThrow('No job of the workflow ran')
  })

  test('fork-comment.yml adds no comment if the app already comments', async () => {
    const place = await makeActionRepository()
    const { event, sha } = openPull(place, 'fork')
    const marker = `<!-- openapi-pages:v1 key=${toCommentKey('')} digest=${'0'.repeat(64)} -->`
    place.repository.addComment(1, 'openapi-pages[bot]', `${marker}\nBy the app`)
    await place.run(read('fork-check.yml'), event)
    const run = { id: 7, event: 'pull_request', conclusion: 'failure', head_sha: sha, head_branch: 'topic', pull_requests: [] }
    const head = { full_name: 'mallory/docs', owner: { login: 'mallory' } }
    const ended = { name: 'workflow_run', payload: { workflow_run: { ...run, head_repository: head } } }
    await place.run(read('fork-comment.yml'), ended)
    expect(place.repository.comments).toHaveLength(1)
    place.repository.comments.length = 0
    await place.run(read('fork-comment.yml'), ended)
    expect(parseCommentMarker(place.repository.comments[0]?.body ?? '')?.key).toBe(toCommentKey(''))
  })

  test('monorepo.yml', async () => {
    const files = (root: string) => {
      const remote = makeExampleRemote('petstore')
      return {
        [`${root}/docs.json`]: remote.read('docs.json') ?? '',
        [`${root}/openapi.yaml`]: remote.read('openapi.yaml') ?? '',
      }
    }
    const place = await makeActionRepository({
      ...files('packages/a/docs'),
      ...files('packages/b/docs'),
      ...files('packages/c-internal/docs'),
    })
    const job = await place.run(read('monorepo.yml'), { name: 'push' })
    expect(job).toMatchObject({ failed: false, runs: [{ outputs: { committed: 'true', 'pages-added': '16' } }] })
    expect(job.used).toEqual(needsUnprotected('monorepo.yml'))
    expect(place.remote.read('packages/b/docs/api-reference/pets/list-pets.mdx')).toBeDefined()
    expect(place.remote.read('packages/c-internal/docs/openapi-pages.lock.json')).toBeUndefined()
  })

  test.each([
    ['protected-branch.yml', { name: 'push' }],
    ['schedule.yml', { name: 'schedule' }],
    ['release.yml', { name: 'release', ref: 'refs/tags/v1.2.3', payload: { action: 'published' } }],
  ])('%s', async (name, event) => {
    const place = await makeActionRepository()
    const before = place.remote.tip()
    git(place.remote.path, 'tag', 'v1.2.3', before)
    const job = await place.run(read(name), event)
    expect(job).toMatchObject({ failed: false, runs: [{ outputs: { operation: 'pull-request-created', 'pages-added': '8' } }] })
    expect(job.used).toEqual(needs(name))
    expect(place.repository.pullRequests).toMatchObject([{ state: 'open', base: 'main', head: 'openapi-pages/main' }])
    expect([place.remote.tip(), place.remote.read('openapi-pages.lock.json', 'openapi-pages/main')]).toEqual([
      before,
      expect.any(String),
    ])
    // The next run updates this pull request and opens no other.
    await place.run(read(name), event)
    expect(place.repository.pullRequests).toHaveLength(1)
  })

  test('update-docs-repository.yml', async () => {
    const { github, docs, api, run } = await makeDocsRepositories()
    const workflow = read('update-docs-repository.yml')
    const push = await run(workflow, { name: 'push' })
    expect(push).toMatchObject({ failed: false, runs: [{ outputs: { operation: 'pull-request-created', 'pages-added': '8' } }] })
    expect(push.used).toEqual(needs('update-docs-repository.yml'))
    expect(docs.repository.pullRequests).toMatchObject([
      { state: 'open', base: 'main', head: 'openapi-pages/from/acme/api/main', author: 'docs-app[bot]' },
    ])
    const pull = (fullName: string) => ({
      pull_request: { number: 1, state: 'open', head: { repo: { full_name: fullName }, sha: api.tip() } },
    })
    const event = (fullName: string) => ({ name: 'pull_request', headRef: 'topic', payload: pull(fullName) })
    const writes = github.requests.length
    const here = await run(workflow, event('acme/api'))
    expect(here).toMatchObject({ failed: false, runs: [{ summary: expect.stringContaining('`acme/docs`: 8 pages change') }] })
    const fork = await run(workflow, event('mallory/api'))
    expect(fork).toMatchObject({
      failed: false,
      runs: [{ summary: expect.stringContaining('Pull requests from forks get no secrets') }],
    })
    expect([github.requests.length, docs.repository.pullRequests.length, here.used]).toEqual([writes, 1, { contents: 'read' }])
  })

  test('follow-document.yml', async () => {
    const place = await makeActionRepository({
      'openapi-pages.config.yaml': 'sources:\n  - { repository: acme/api, path: openapi.yaml }\n',
    })
    const api = makeGitRemote({
      'openapi.yaml': (place.remote.read('openapi.yaml') ?? '').replace('summary: List pets', 'summary: List all pets'),
    })
    place.github.createRepository('acme/api', { bare: api.path, private: true })
    const secrets = { secrets: { SOURCES_APP_PRIVATE_KEY: 'key' }, variables: { SOURCES_APP_CLIENT_ID: 'id' } }
    const events = [
      { name: 'repository_dispatch', payload: { action: 'openapi' } },
      { name: 'schedule' },
      { name: 'workflow_dispatch' },
    ]
    for (const [index, event] of events.entries()) {
      const job = await place.run(read('follow-document.yml'), event, secrets)
      const operation = index === 0 ? 'pull-request-created' : 'pull-request-unchanged'
      expect(job).toMatchObject({ failed: false, runs: [{ outputs: { operation } }] })
      if (index === 0) expect(job.used).toEqual(needs('follow-document.yml'))
    }
    expect(place.remote.read('openapi.yaml', 'openapi-pages/main')).toBe(api.read('openapi.yaml'))
  })

  test('report-to-app.yml', async () => {
    const place = await makeActionRepository()
    const url = await serve((request, response) => {
      response.writeHead(request.headers.authorization?.startsWith('Bearer ey') ? 201 : 401).end('{"statusId":"u1"}')
    })
    const job = await place.run(read('report-to-app.yml'), { name: 'push' }, { variables: { OPENAPI_PAGES_URL: url } })
    expect(job).toMatchObject({ failed: false, runs: [{ outputs: { 'status-id': 'u1' } }] })
    expect(job.used).toEqual(needsUnprotected('report-to-app.yml'))
  })
})

test('github-pages.yml builds the site of a repository that has only an OpenAPI document', async () => {
  const document = readFileSync(join(projectFolder, 'examples/petstore/openapi.yaml'), 'utf8')
  const checkout = makeTemporaryFolder({ 'openapi.yaml': document, '.github/workflows/pages.yml': '' })
  // As the step before installs it.
  const installed = makeTemporaryFolder()
  symlinkSync(join(projectFolder, 'bin/openapi-pages.cjs'), join(installed, 'openapi-pages'))
  const steps = read('github-pages.yml').jobs['build']?.steps ?? []
  const build = steps.find(({ run }) => run?.includes(' build . '))
  const PATH = [installed, process.env['PATH']].join(delimiter)
  const env = { ...process.env, PATH, BASE_URL: 'https://acme.example/pets' }
  execFileSync('bash', ['-e', '-c', build?.run ?? ''], { cwd: checkout, env, stdio: 'pipe' })
  expect(steps.at(-1)?.with).toEqual({ path: 'site' })
  expect(readFileSync(join(checkout, 'site/pets/list-pets/index.html'), 'utf8')).toContain(
    'https://acme.example/pets/pets/list-pets',
  )
})

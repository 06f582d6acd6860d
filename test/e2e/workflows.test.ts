import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeExampleRemote, projectFolder, readActionFile } from '../support/action-harness.ts'
import { type FakeGitHub, startFakeGitHub } from '../support/fake-github/fake-github.ts'
import type { FakeRepository } from '../support/fake-github/fake-repository.ts'
import { type FileContents, type GitRemote, git } from '../support/git-remote.ts'
import { eventsOf, type JobResult, readWorkflow, runWorkflow } from '../support/run-workflow.ts'
import { serve } from '../support/serve.ts'

const folder = join(projectFolder, 'examples/workflows')
const names = readdirSync(folder).sort()
const read = (name: string) => readWorkflow(readFileSync(join(folder, name), 'utf8'))

interface Place {
  readonly github: FakeGitHub
  readonly repository: FakeRepository
  readonly remote: GitRemote
  /** Runs an example for an event. */
  run(
    name: string,
    event: {
      readonly name: string
      readonly ref?: string
      readonly headRef?: string
      readonly sha?: string
      readonly payload?: object
    },
    more?: { readonly variables?: { readonly [name: string]: string } },
  ): Promise<JobResult>
}

/** A repository on a GitHub of our own, with the petstore in it or other files. */
async function makePlace(files?: FileContents): Promise<Place> {
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const remote = makeExampleRemote('petstore', files)
  const repository = github.createRepository('acme/docs', { bare: remote.path })
  const artifacts = new Map<string, string>()
  return {
    github,
    repository,
    remote,
    run: async (name, event, more) => {
      const full = { ref: 'refs/heads/main', sha: remote.tip(), payload: {}, ...event }
      const payload = { repository: { full_name: 'acme/docs' }, ...full.payload }
      const [job] = await runWorkflow(read(name), {
        github,
        repository,
        folder: remote.folder,
        artifacts,
        ...more,
        event: { ...full, payload },
      })
      if (!job) throw new Error(`No job of ${name} ran`)
      // What it asks for is refused nowhere, and asked of what GitHub has.
      github.assertNoUnexpectedRequests()
      return job
    },
  }
}

/** A pull request of the repository, or of a fork, that breaks the document; as GitHub tells a workflow of it. */
function openPull({ remote, repository, github }: Place, from: 'here' | 'fork') {
  const broken = (remote.read('openapi.yaml') ?? '').replace('summary:', 'sumary:')
  const sha = remote.push({ 'openapi.yaml': broken }, 'topic')
  git(remote.path, 'update-ref', 'refs/pull/1/merge', sha)
  const fork = from === 'fork' ? github.createRepository('mallory/docs', { bare: remote.path, installed: false }) : undefined
  const pull = repository.openPullRequest({ head: 'topic', ...(fork && { headRepository: fork }) })
  const fullName = fork?.fullName ?? repository.fullName
  const head = { ref: 'topic', sha, repo: { full_name: fullName } }
  const payload = { number: 1, pull_request: { number: pull.number, state: 'open', head, base: { sha: remote.tip() } } }
  return { sha, event: { name: 'pull_request', ref: 'refs/pull/1/merge', headRef: 'topic', sha, payload } }
}

/** Mends the document of a pull request. */
function mendPull({ remote }: Place): string {
  const sha = remote.push({ 'openapi.yaml': remote.read('openapi.yaml') ?? '' }, 'topic')
  git(remote.path, 'update-ref', 'refs/pull/1/merge', sha)
  return sha
}

const isWrite = (call: string) => !/^(GET|GraphQL viewer)/.test(call)

describe('every example of a workflow', () => {
  test.each(names)('requirement 22: %s is one that GitHub reads, pinned, bounded, and asks for no more than it says', (name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    const workflow = read(name)
    expect(eventsOf(workflow)).not.toContain('pull_request_target')
    expect(Object.keys(workflow.permissions ?? {}).length).toBeGreaterThan(0)
    const inputs = Object.keys(readActionFile().inputs)
    for (const job of Object.values(workflow.jobs)) {
      expect(job).toMatchObject({ 'runs-on': 'ubuntu-latest', 'timeout-minutes': expect.any(Number) })
      for (const step of job.steps) {
        const [action = '', version = ''] = (step.uses ?? '').split('@')
        // Ours has a commit only once it is released.
        if (action === 'openapi-pages/openapi-pages') expect(inputs).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})))
        else expect(version).toMatch(/^[0-9a-f]{40}$/)
      }
    }
    // A sha says little to a person.
    for (const [line] of text.matchAll(/uses: (?!openapi-pages).*/g)) expect(line).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    expect(text).toMatch(/^# \S/)
    expect(readFileSync(join(projectFolder, 'docs/workflows.md'), 'utf8')).toContain(`examples/workflows/${name}`)
  })
})

const needs = (name: string) => read(name).permissions

describe('requirement 22: permissions are those that the calls of a run need', () => {
  test('push.yml', async () => {
    const place = await makePlace()
    const first = await place.run('push.yml', { name: 'push' })
    expect(first).toMatchObject({ failed: false, runs: [{ outputs: { committed: 'true', 'pages-added': '8' } }] })
    expect(first.used).toEqual(needs('push.yml'))
    expect(place.remote.read('api-reference/pets/list-pets.mdx')).toContain('openapi.yaml GET /pets')
    const second = await place.run('push.yml', { name: 'push' })
    expect([second.used, second.runs[0]?.outputs['changed']]).toEqual([{ contents: 'read' }, 'false'])
  })

  test('pull-request.yml', async () => {
    const place = await makePlace()
    const { event } = openPull(place, 'here')
    const job = await place.run('pull-request.yml', event)
    expect(job).toMatchObject({ failed: true, runs: [{ outputs: { 'error-count': '1' } }] })
    expect(job.used).toEqual(needs('pull-request.yml'))
    expect(place.repository.comments.map(({ author }) => author)).toEqual(['github-actions[bot]'])
    const again = await place.run('pull-request.yml', event)
    expect([again.calls.filter(isWrite), place.repository.comments.length]).toEqual([[], 1])
  })

  test('fork-check.yml and fork-comment.yml', async () => {
    const place = await makePlace()
    const { event, sha } = openPull(place, 'fork')
    const check = await place.run('fork-check.yml', event)
    expect(check).toMatchObject({ failed: true, runs: [{ outputs: { 'error-count': '1' } }] })
    expect([check.used, check.calls.filter(isWrite)]).toEqual([needs('fork-check.yml'), []])
    // GitHub does not say which pull request the run of a fork was for.
    const ended = (headSha: string) => {
      const run = { id: 7, event: 'pull_request', head_sha: headSha, head_branch: 'topic', pull_requests: [] }
      const repository = { full_name: 'mallory/docs', owner: { login: 'mallory' } }
      return { name: 'workflow_run', payload: { workflow_run: { ...run, head_repository: repository } } }
    }
    const comment = await place.run('fork-comment.yml', ended(sha))
    expect([comment.failed, comment.used]).toEqual([false, needs('fork-comment.yml')])
    const said = () => place.repository.comments.map(({ author, body, edits }) => ({ author, body, edits }))
    expect(said()).toEqual([
      {
        author: 'github-actions[bot]',
        body: expect.stringMatching(
          /^<!-- openapi-pages:fork -->\n\*\*1 error in the API documents\*\*\n\n- ` openapi\.yaml:18 ` `` Unexpected field `sumary`/,
        ),
        edits: 0,
      },
    ])
    // The same again is no second comment; a push meanwhile has a run of its own; one that mends it is told once.
    await place.run('fork-comment.yml', ended(sha))
    await place.run('fork-comment.yml', ended('b'.repeat(40)))
    expect(said()).toHaveLength(1)
    const mended = mendPull(place)
    expect((await place.run('fork-check.yml', { ...event, sha: mended })).failed).toBe(false)
    await place.run('fork-comment.yml', ended(mended))
    expect(said()).toMatchObject([{ body: '<!-- openapi-pages:fork -->\nThe API documents are in order now.', edits: 1 }])
  })

  test('monorepo.yml', async () => {
    const files = (root: string) => {
      const remote = makeExampleRemote('petstore')
      return {
        [`${root}/docs.json`]: remote.read('docs.json') ?? '',
        [`${root}/openapi.yaml`]: remote.read('openapi.yaml') ?? '',
      }
    }
    const place = await makePlace({
      ...files('packages/a/docs'),
      ...files('packages/b/docs'),
      ...files('packages/c-internal/docs'),
    })
    const job = await place.run('monorepo.yml', { name: 'push' })
    expect(job).toMatchObject({ failed: false, runs: [{ outputs: { committed: 'true', 'pages-added': '16' } }] })
    expect(job.used).toEqual(needs('monorepo.yml'))
    expect(place.remote.read('packages/b/docs/api-reference/pets/list-pets.mdx')).toBeDefined()
    expect(place.remote.read('packages/c-internal/docs/openapi-pages.lock.json')).toBeUndefined()
  })

  test('report-to-app.yml', async () => {
    const place = await makePlace()
    const url = await serve((request, response) => {
      response.writeHead(request.headers.authorization?.startsWith('Bearer ey') ? 201 : 401).end('{"statusId":"u1"}')
    })
    const job = await place.run('report-to-app.yml', { name: 'push' }, { variables: { OPENAPI_PAGES_URL: url } })
    expect(job).toMatchObject({ failed: false, runs: [{ outputs: { 'status-id': 'u1' } }] })
    expect(job.used).toEqual(needs('report-to-app.yml'))
  })
})

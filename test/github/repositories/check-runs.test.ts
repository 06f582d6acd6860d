import { beforeEach, describe, expect, test } from 'vitest'
import { renderCheckSummary } from '../../../src/github/report/feedback.ts'
import {
  type CheckOutcome,
  concludeCheckRun,
  createCheckRun,
  startCheckRun,
  takeOverCheckRun,
  toAnnotations,
} from '../../../src/github/repositories/check-runs.ts'
import type { GitHubClient } from '../../../src/github/requests/github-client.ts'
import { makeDiagnostic } from '../../support/diagnostics.ts'
import { startCheckedGitHub } from '../../support/fake-github/checked-github.ts'
import type { FakeGitHub } from '../../support/fake-github/fake-github.ts'
import type { FakeRepository } from '../../support/fake-github/fake-repository.ts'
import { createGitHubApp, toWantedCheck } from '../../support/github-app.ts'
import { failureOf } from '../../support/github-failure.ts'
import { makeFeedback } from '../report/example-feedback.ts'

const createRoute = 'POST /repos/{owner}/{repo}/check-runs'
const updateRoute = 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}'
const name = { owner: 'acme', repo: 'api' }

let github: FakeGitHub
let repository: FakeRepository
let client: GitHubClient
beforeEach(async () => {
  github = await startCheckedGitHub()
  repository = github.createRepository('acme/api')
  client = createGitHubApp(github).installation(repository.installation?.id ?? 0)
})

const wanted = (externalId?: string) => toWantedCheck(repository, externalId)
const outcome = (over: Partial<CheckOutcome> = {}): CheckOutcome => ({
  conclusion: 'success',
  title: '3 documents valid',
  summary: 'All is well',
  annotations: [],
  actions: [],
  completedAt: '2026-11-20T07:15:03Z',
  ...over,
})
const manyAnnotations = (count: number) =>
  toAnnotations(Array.from({ length: count }, (_, index) => makeDiagnostic({ line: index + 1 })))

describe('the check of a commit', () => {
  test('is created as queued with the statusId and the link to the record', async () => {
    const made = await createCheckRun(client, name, wanted())
    expect(made).toEqual({
      id: repository.checkRuns[0]?.id,
      name: 'openapi-pages',
      externalId: 'status-1',
      appId: github.app.id,
      status: 'queued',
      conclusion: undefined,
      annotationCount: 0,
      title: null,
      summary: null,
    })
    expect(github.requestsTo(createRoute)[0]?.body).toMatchObject({
      head_sha: repository.tipOf('main'),
      status: 'queued',
      external_id: 'status-1',
      details_url: 'https://docs.example.com/updates/status-1',
    })
  })

  test.each(['success', 'failure', 'neutral', 'skipped'] as const)('ends as %s', async (conclusion) => {
    const { id } = await createCheckRun(client, name, wanted())
    await startCheckRun(client, name, id, '2026-11-20T07:15:01Z')
    expect(repository.checkRuns[0]).toMatchObject({ status: 'in_progress', startedAt: '2026-11-20T07:15:01Z', conclusion: null })
    await concludeCheckRun(client, name, id, outcome({ conclusion, summary: 'No OpenAPI document changed' }))
    expect(repository.checkRuns).toMatchObject([
      {
        status: 'completed',
        conclusion,
        completedAt: '2026-11-20T07:15:03Z',
        output: { title: '3 documents valid', summary: 'No OpenAPI document changed' },
      },
    ])
  })

  test('sends 5,000 annotations once each, in order, 50 at a time, with the conclusion in the last request', async () => {
    const { id } = await createCheckRun(client, name, wanted())
    const diagnostics = Array.from({ length: 5_000 }, (_, index) => makeDiagnostic({ line: index + 1 }))
    const summary = renderCheckSummary(makeFeedback({ diagnostics }))
    const app = createGitHubApp(github, { writesPerMinute: 1_000 })
    const fast = app.installation(repository.installation?.id ?? 0)
    await concludeCheckRun(fast, name, id, outcome({ conclusion: 'failure', annotations: toAnnotations(diagnostics), summary }))
    const updates = github.requestsTo(updateRoute)
    expect(updates).toHaveLength(100)
    expect(updates.slice(0, -1).every(({ body }) => !('conclusion' in (body as object)))).toBe(true)
    expect(updates.at(-1)?.body).toMatchObject({ conclusion: 'failure', status: 'completed' })
    const [run] = repository.checkRuns
    expect(run?.annotations.map(({ start_line }) => start_line)).toEqual(Array.from({ length: 5_000 }, (_, index) => index + 1))
    expect(run).toMatchObject({ status: 'completed', conclusion: 'failure' })
  })

  test.each([0, 1, 49, 50, 51, 100, 101])('%i annotations', async (count) => {
    const { id } = await createCheckRun(client, name, wanted())
    await concludeCheckRun(client, name, id, outcome({ annotations: manyAnnotations(count) }))
    expect(repository.checkRuns[0]?.annotations).toHaveLength(count)
    expect(repository.checkRuns[0]?.status).toBe('completed')
    expect(github.requestsTo(updateRoute)).toHaveLength(Math.max(1, Math.ceil(count / 50)))
  })

  test('continues after the existing annotations on a second attempt', async () => {
    const { id } = await createCheckRun(client, name, wanted())
    github.fault({ route: updateRoute, after: 2, status: 422, body: { message: 'no' } })
    const annotations = manyAnnotations(230)
    await failureOf(concludeCheckRun(client, name, id, outcome({ annotations })))
    expect(repository.checkRuns[0]?.annotations).toHaveLength(100)
    await concludeCheckRun(client, name, id, outcome({ annotations }))
    expect(repository.checkRuns[0]?.annotations.map(({ start_line }) => start_line)).toEqual(
      annotations.map((one) => one.start_line),
    )
    expect(repository.checkRuns[0]?.status).toBe('completed')
  })

  test('adds no annotation twice when the connection is lost after the write', async () => {
    const { id } = await createCheckRun(client, name, wanted())
    github.fault({ route: updateRoute, cut: 'after', after: 1 })
    github.fault({ route: updateRoute, cut: 'before', after: 2 })
    github.fault({ route: updateRoute, cut: 'during', after: 3 })
    const annotations = manyAnnotations(260)
    const conclude = () => concludeCheckRun(client, name, id, outcome({ conclusion: 'failure', annotations }))
    for (let lost = 0; lost < 4; lost++) await conclude().catch(() => undefined)
    await conclude()
    expect(repository.checkRuns[0]?.annotations.map(({ start_line }) => start_line)).toEqual(
      annotations.map((one) => one.start_line),
    )
    expect(repository.checkRuns[0]).toMatchObject({ status: 'completed', conclusion: 'failure' })
  })

  test('does not change a check that already has the conclusion', async () => {
    const { id } = await createCheckRun(client, name, wanted())
    await concludeCheckRun(client, name, id, outcome())
    await concludeCheckRun(client, name, id, outcome())
    expect(github.requestsTo(updateRoute)).toHaveLength(1)
  })

  test('sends a button within GitHub’s limits', async () => {
    const { id } = await createCheckRun(client, name, wanted())
    const action = { label: 'Regenerate', description: 'Commit the changed pages to this branch', identifier: 'regenerate' }
    await concludeCheckRun(client, name, id, outcome({ actions: [action] }))
    expect(repository.checkRuns[0]?.actions).toEqual([action])
  })
})

describe('creating a check only once', () => {
  test('finds the check of the first attempt among all pages of checks', async () => {
    for (let count = 0; count < 130; count++) await createCheckRun(fast(), name, wanted(`other-${count}`))
    const first = await createCheckRun(fast(), name, wanted('mine'))
    for (let count = 0; count < 130; count++) await createCheckRun(fast(), name, wanted(`later-${count}`))
    const find = (id: string) => takeOverCheckRun(client, name, { ...wanted(id), appId: github.app.id }, async () => true)
    expect(await find('mine')).toEqual(first)
    expect(repository.checkRuns).toHaveLength(261)
    expect(await find('none')).toBeUndefined()
  })

  test('creates a second check with the new statusId for a re-run', async () => {
    await concludeCheckRun(
      client,
      name,
      (await createCheckRun(client, name, wanted('status-1'))).id,
      outcome({ annotations: manyAnnotations(3) }),
    )
    await createCheckRun(client, name, wanted('status-2'))
    expect(repository.checkRuns.map(({ externalId, annotations }) => [externalId, annotations.length])).toEqual([
      ['status-1', 3],
      ['status-2', 0],
    ])
  })

  const fast = () => {
    cached ??= createGitHubApp(github, { writesPerMinute: 1_000 })
    return cached.installation(repository.installation?.id ?? 0)
  }
  let cached: ReturnType<typeof createGitHubApp> | undefined
  beforeEach(() => {
    cached = undefined
  })
})

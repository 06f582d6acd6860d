import { describe, expect, test } from 'vitest'
import type { Store } from '../../../../src/store/store.ts'
import {
  brokenDocument,
  type ConnectedApp,
  type ConnectOptions,
  connectApp,
  docsConfig,
  validDocument,
} from '../../support/connected-app.ts'

const conclude = 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}'
const create = 'POST /repos/{owner}/{repo}/check-runs'

async function connect(options?: ConnectOptions) {
  const connected = await connectApp(options)
  const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }
  return { ...connected, repository: connected.github.createRepository('acme/api', { files }) }
}

const readRefused = async ({ store }: ConnectedApp) => (await store.queue.stats()).refused

describe('what GitHub refuses', () => {
  test.for([
    { status: 403, route: conclude },
    { status: 404, route: conclude },
    { status: 410, route: conclude },
    { status: 422, route: conclude },
    { status: 403, route: create },
    { status: 422, route: create },
  ])('with $status for $route is kept, and written later', async ({ status, route }, { expect }) => {
    let accepted = 0
    const toWorkerStore = (store: Store): Store => {
      const complete: Store['queue']['complete'] = (lease, options) => {
        if (options?.isAccepted) accepted += 1
        return store.queue.complete(lease, options)
      }
      return { ...store, queue: { ...store.queue, complete } }
    }
    const connected = await connect({ toWorkerStore })
    const { github, idle, repository } = connected
    const refused = { route, status, body: { message: 'Not this time' }, times: Number.POSITIVE_INFINITY }
    github.fault(refused)
    const { sha } = await repository.push({ files: { 'a.mdx': 'a' } })
    const [stored] = await idle()
    expect(stored?.update).toMatchObject({ commit: { sha }, status: 'success' })
    await expect.poll(() => readRefused(connected)).toBeGreaterThan(0)
    expect(repository.checkRuns.map((run) => run.status)).toEqual(route === create ? [] : ['queued'])
    expect(connected.logLines.join('')).toContain(`${status} Not this time`)
    const before = accepted
    expect(before).toBeLessThanOrEqual(route === create ? 0 : 1)
    github.faults.splice(0)
    // Without a webhook or a comparison.
    await expect.poll(() => repository.checkRuns).toMatchObject([{ conclusion: 'success' }])
    const readStats = () => connected.store.queue.stats()
    await expect.poll(readStats).toEqual({ waiting: 0, leased: 0, refused: 0, delayed: 0 })
    expect(accepted).toBeGreaterThan(before)
  })

  test('does not keep the rest from being written', async () => {
    const connected = await connect()
    const { github, idle, repository } = connected
    github.fault({ route: create, status: 404, times: Number.POSITIVE_INFINITY })
    repository.commit({ branch: 'topic', files: { 'a.mdx': 'a' } })
    repository.openPullRequest({ head: 'topic' })
    await repository.push({ branch: 'topic', files: { 'openapi.yaml': 'openapi: 3.1.0\n' } })
    await idle()
    await expect.poll(() => repository.comments).toHaveLength(1)
    expect(repository.checkRuns).toEqual([])
  })

  test('of the annotations of a check does not keep it open, and they follow', async () => {
    const { github, idle, repository } = await connect()
    github.fault({ route: conclude, status: 422, body: { message: 'Invalid annotation' }, times: 1 })
    await repository.push({ files: { 'openapi.yaml': brokenDocument } })
    await idle()
    await expect.poll(() => repository.checkRuns).toMatchObject([{ conclusion: 'failure' }])
    await expect.poll(() => repository.checkRuns[0]?.annotations.length).toBeGreaterThan(0)
    expect(repository.checkRuns[0]?.output.summary).not.toContain('GitHub rejected')
  })

  test('is given up when the commit was missing twice', async () => {
    const connected = await connect()
    const { github, idle, repository, logLines } = connected
    github.fault({ route: create, status: 422, body: { message: 'No commit found for SHA' }, times: Number.POSITIVE_INFINITY })
    github.fault({ route: 'GET /repos/{owner}/{repo}/commits/{ref}', status: 422, times: 1 })
    await repository.push({ files: { 'a.mdx': 'a' } })
    await idle()
    const countLooks = () => github.requestsTo('GET /repos/{owner}/{repo}/commits/{ref}').length
    await expect.poll(countLooks).toBeGreaterThan(2)
    expect(logLines.join('')).not.toContain('Ended a promise')
    github.fault({ route: 'GET /repos/{owner}/{repo}/commits/{ref}', status: 422, times: Number.POSITIVE_INFINITY })
    await expect.poll(() => logLines.join('')).toContain('Ended a promise')
    await expect.poll(() => readRefused(connected)).toBe(0)
  })
})

test.for([
  [404, 2],
  [502, 7],
  [403, 7],
] as const)('a commit whose files GitHub answers with %d %d times is checked later', async ([status, times], { expect }) => {
  const { github, idle, repository } = await connect()
  github.fault({ route: 'GET /repos/{owner}/{repo}/tarball/{ref}', status, times })
  await repository.push({ files: { 'a.mdx': 'a' } })
  expect((await idle()).map(({ update }) => update.status)).toEqual(['success'])
  await expect.poll(() => repository.checkRuns).toMatchObject([{ conclusion: 'success' }])
})

test.for([
  'GET /repos/{owner}/{repo}/tarball/{ref}',
  'GET /repos/{owner}/{repo}/git/ref/{ref}',
  'GET /repositories/{repository_id}',
])('what GitHub does not show right after a push is read again: %s', async (route, { expect }) => {
  const { github, idle, repository, store } = await connect()
  await repository.push({ files: { 'a.mdx': 'a' } })
  await idle()
  github.fault({ route, status: 404, times: 2 })
  // By its name, the repository is not found either.
  github.fault({ route: 'GET /repos/{owner}/{repo}/installation', status: 404 })
  await repository.push({ files: { 'a.mdx': 'b' } })
  const ended = (await idle()).at(-1)
  expect(ended).toMatchObject({ update: { status: 'success' } })
  expect(ended?.details.overtaken).toBeUndefined()
  expect(await store.projects.listDeleted()).toEqual([])
  expect(repository.checkRuns.map(({ conclusion }) => conclusion)).toEqual(['success', 'success'])
})

import { beforeEach, expect, test } from 'vitest'
import type { GitHubApp } from '../../../src/github/apps/github-app.ts'
import { createCheckRun, startCheckRun, takeOverCheckRun } from '../../../src/github/repositories/check-runs.ts'
import { type GitHubClient, type RequestFence, withRequestFence } from '../../../src/github/requests/github-client.ts'
import { startCheckedGitHub } from '../../support/fake-github/checked-github.ts'
import type { FakeGitHub } from '../../support/fake-github/fake-github.ts'
import type { FakeRepository } from '../../support/fake-github/fake-repository.ts'
import { createGitHubApp, toWantedCheck } from '../../support/github-app.ts'

const createRoute = 'POST /repos/{owner}/{repo}/check-runs'
const name = { owner: 'acme', repo: 'api' }

let github: FakeGitHub
let repository: FakeRepository
let app: GitHubApp
let client: GitHubClient
beforeEach(async () => {
  github = await startCheckedGitHub()
  repository = github.createRepository('acme/api')
  app = createGitHubApp(github, { spacingMs: 200 })
  client = app.installation(repository.installation?.id ?? 0)
})

const wanted = (externalId?: string) => toWantedCheck(repository, externalId)

/** A fence that a test closes, as when the lease is lost. */
function createFence() {
  const lost = new AbortController()
  let isOpen = true
  let confirmations = 0
  const fence: RequestFence = {
    signal: lost.signal,
    async confirm() {
      confirmations++
      if (!isOpen) throw new Error('the lease was lost')
    },
  }
  return {
    fence,
    confirmations: () => confirmations,
    /** From here, `confirm` rejects, but nothing has noticed yet. */
    close: () => {
      isOpen = false
    },
    abort: () => lost.abort(new Error('the lease was lost')),
  }
}

test('confirms before each write, and never before a read', async () => {
  const { fence, confirmations } = createFence()
  await withRequestFence(fence, async () => {
    await createCheckRun(client, name, wanted())
    expect(confirmations()).toBe(1)
    await takeOverCheckRun(client, name, { ...wanted(), appId: github.app.id }, async () => true)
    expect(confirmations()).toBe(1)
  })
})

test('sends no write after a lease was lost, and keeps the rest of the app working', async () => {
  const { fence, close } = createFence()
  const { id } = await createCheckRun(client, name, wanted())
  close()
  await withRequestFence(fence, async () => {
    await expect(createCheckRun(client, name, wanted('status-2'))).rejects.toThrow('the lease was lost')
    await expect(startCheckRun(client, name, id, '2026-11-20T07:15:03Z')).rejects.toThrow('the lease was lost')
  })
  expect(repository.checkRuns.map(({ externalId, status }) => [externalId, status])).toEqual([['status-1', 'queued']])
  await createCheckRun(client, name, wanted('status-3'))
  expect(repository.checkRuns).toHaveLength(2)
})

test('confirms a write again that waited for the rate limit', async () => {
  const { fence, close } = createFence()
  await createCheckRun(client, name, wanted())
  const late = withRequestFence(fence, () => createCheckRun(client, name, wanted('status-2')))
  close()
  await expect(late).rejects.toThrow('the lease was lost')
  expect(repository.checkRuns).toHaveLength(1)
})

test('aborts a request in flight and the wait for the rate limit', async () => {
  const { fence, abort } = createFence()
  github.fault({ route: createRoute, meanwhile: abort, delayMs: 600_000 })
  // A request that goes on would exceed the time limit of tests.
  const work = withRequestFence(fence, () =>
    Promise.allSettled(['status-1', 'status-2'].map((id) => createCheckRun(client, name, wanted(id)))),
  )
  expect((await work).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(github.requestsTo(createRoute)).toHaveLength(1)
})

test('needs every fence around the work', async () => {
  const outer = createFence()
  const inner = createFence()
  outer.close()
  const work = withRequestFence(outer.fence, () => withRequestFence(inner.fence, () => createCheckRun(client, name, wanted())))
  await expect(work).rejects.toThrow('the lease was lost')
  expect(repository.checkRuns).toEqual([])
})

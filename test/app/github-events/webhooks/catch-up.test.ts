import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { defaultCatchUpTimes, toWait } from '../../../../src/app/github-events/webhooks/catch-up.ts'
import type { FakeRepository } from '../../../support/fake-github/fake-repository.ts'
import { newCheckRun } from '../../../support/fake-github/feedback-routes.ts'
import { toCheckSuiteEvent, toPullRequestEvent } from '../../../support/fake-github/payloads.ts'
import type { FakeCheckRun } from '../../../support/fake-github/types.ts'
import { addProjectOf, type ConnectedApp, connectApp, docsConfig, validDocument } from '../../support/connected-app.ts'
import { addToken } from '../../support/test-app.ts'

const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }
const redeliverRoute = 'POST /app/hook/deliveries/{delivery_id}/attempts'

async function until(what: () => Promise<boolean> | boolean): Promise<void> {
  const giveUpAt = performance.now() + 20_000
  while (!(await what())) {
    if (performance.now() > giveUpAt) throw new Error('It did not happen')
    await sleep(10)
  }
}

test('requests deliveries that were missed while the server was offline', async () => {
  const connected = await connectApp({ withoutRuns: true })
  const { github } = connected
  const repository = github.createRepository('acme/api', { files })
  await addProjectOf(connected, repository)
  await connected.app.stop()
  const missed = repository.commit({ files: { 'a.mdx': 'a' } })
  const delivery = await github.deliver('push', repository.pushPayload(missed), { guid: 'missed-1' })
  expect(delivery.status).toBe(0)
  const { updates } = await connected.restart()
  await until(async () => (await updates()).length === 1)
  expect((await updates())[0]?.update.commit.sha).toBe(missed.after)
  await github.settled()
  expect(github.requestsTo(redeliverRoute)).toHaveLength(1)
})

test('requests all deliveries since the last comparison, however long ago that was', async () => {
  let time = Date.now()
  const now = () => new Date(time)
  const connected = await connectApp({ withoutRuns: true, now })
  const { github, store } = connected
  const repository = github.createRepository('acme/api', { files })
  await addProjectOf(connected, repository)
  await until(async () => (await store.notes.read('deliveries-compared-until')) !== undefined)
  await connected.app.stop()
  const missed = repository.commit({ files: { 'a.mdx': 'a' } })
  const deliveredAt = new Date(time + 3_600_000).toISOString()
  await github.deliver('push', repository.pushPayload(missed), { lost: true, deliveredAt })
  time += 2 * 86_400_000
  const { updates } = await connected.restart()
  await until(async () => (await updates()).length === 1)
  expect((await updates())[0]?.update.commit.sha).toBe(missed.after)
  await github.settled()
})

test('does not request deliveries that arrived, are not handled, or are no longer available', async () => {
  const connected = await connectApp({ withoutRuns: true, catchUp: { everyMs: 30 } })
  const { github } = connected
  const repository = github.createRepository('acme/api', { files })
  await repository.push({ files: { 'a.mdx': 'a' } })
  const payload = repository.pushPayload(repository.commit({ files: { 'a.mdx': 'b' } }))
  await github.deliver('star', { action: 'created' }, { lost: true })
  await github.deliver('pull_request', { action: 'labeled' }, { lost: true })
  const longAgo = new Date(Date.now() - 8 * 86_400_000).toISOString()
  await github.deliver('push', payload, { lost: true, deliveredAt: longAgo })
  const before = github.requestsTo('GET /app/hook/deliveries').length
  await until(() => github.requestsTo('GET /app/hook/deliveries').length > before + 2)
  expect(github.requestsTo(redeliverRoute)).toEqual([])
})

test('requests a failing delivery with increasing delays', async () => {
  const connected = await connectApp({ withoutRuns: true, catchUp: { everyMs: 10, spacingMs: 150 } })
  const { github } = connected
  // An invalid payload without a repository.
  await github.deliver('push', { ref: 'refs/heads/main', deleted: false }, { guid: 'bad-1' })
  await until(() => github.requestsTo(redeliverRoute).length === 4)
  const times = github.requestsTo(redeliverRoute).map(({ at }) => at)
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0))
  expect(gaps[0]).toBeGreaterThan(90)
  expect(gaps[1]).toBeGreaterThan(220)
  expect(gaps[2]).toBeGreaterThan(480)
  await github.settled()
})

test('retries if GitHub is unreachable', async () => {
  const connected = await connectApp({ withoutRuns: true, catchUp: { everyMs: 30 } })
  const { github } = connected
  const repository = github.createRepository('acme/api', { files })
  await addProjectOf(connected, repository)
  await until(() => github.requestsTo('GET /app/hook/deliveries').length > 0)
  github.fault({ route: 'GET /app/hook/deliveries', status: 404, times: 3 })
  await github.deliver('push', repository.pushPayload(repository.commit({ files: { a: 'a' } })), { lost: true })
  await until(async () => (await connected.updates()).length === 1)
  await github.settled()
})

test('requests deliveries acknowledged after the restored backup, without creating second checks', async () => {
  const connected = await connectApp({})
  const { github, store, dataDir } = connected
  const repository = github.createRepository('acme/api', { files })
  await repository.push({ files: { 'a.mdx': 'a' } })
  await connected.idle()
  const backup = join(dataDir, 'backup.sqlite')
  await store.backup(backup)
  const lost = await repository.push({ files: { 'a.mdx': 'b' } })
  expect(lost.delivery.status).toBe(202)
  const before = (await connected.idle()).map(({ update }) => update.commit.sha)
  expect(before).toContain(lost.sha)
  await connected.app.stop()
  for (const suffix of ['-wal', '-shm']) rmSync(join(dataDir, `openapi-pages.sqlite${suffix}`), { force: true })
  renameSync(backup, join(dataDir, 'openapi-pages.sqlite'))
  const restored = await connected.restart()
  await until(async () => (await restored.updates()).some(({ update }) => update.commit.sha === lost.sha))
  await github.settled()
  const all = await restored.idle()
  expect(all.map(({ update }) => update.commit.sha)).toEqual(before)
  expect(repository.checkRuns.filter(({ headSha }) => headSha === lost.sha)).toMatchObject([
    { status: 'completed', externalId: all.at(-1)?.update._id },
  ])
})

test.each<[string, (connected: ConnectedApp, repository: FakeRepository) => Promise<unknown>]>([
  [
    'a pull request is opened',
    async ({ github }, repository) => {
      const pull = repository.openPullRequest({ head: 'topic' })
      await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
    },
  ],
  [
    'a branch is created',
    async ({ github }, repository) => {
      const moved = repository.moveBranch('copy', repository.tipOf('topic'))
      await github.deliver('push', { ...repository.pushPayload(moved), commits: [] })
    },
  ],
  [
    'the API is called',
    async ({ app, store }, repository) => {
      const [{ id: projectId } = { id: '' }] = await store.projects.list()
      const { text } = await addToken(store, { scope: 'write', projectId })
      const response = await fetch(`${app.address}/v1/project/update/${projectId}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${text}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ref: 'refs/heads/topic', sha: repository.tipOf('topic') }),
      })
      expect(response.status).toBe(202)
    },
  ],
])('a commit whose record was lost keeps its check when %s, and those of other apps', async (_title, happens) => {
  const connected = await connectApp()
  const { github } = connected
  const repository = github.createRepository('acme/api', { files })
  await addProjectOf(connected, repository)
  const { after: headSha } = repository.commit({ files: { 'a.mdx': 'a' }, branch: 'topic' })
  addCheck(connected, repository, { headSha, externalId: 'lost' })
  addCheck(connected, repository, { headSha, externalId: 'of the other app', appId: github.app.id + 1 })
  await happens(connected, repository)
  const [stored] = await connected.idle()
  expect(stored?.update.commit.sha).toBe(headSha)
  expect(repository.checkRuns).toMatchObject([
    { status: 'completed', externalId: stored?.update._id },
    { status: 'queued', externalId: 'of the other app' },
  ])
})

function addCheck(
  { github }: ConnectedApp,
  repository: FakeRepository,
  check: Pick<FakeCheckRun, 'headSha' | 'externalId' | 'appId'>,
) {
  repository.checkRuns.push(newCheckRun({ id: github.nextId(), suiteId: github.nextId(), name: 'openapi-pages', ...check }))
}

test('a re-run takes over the check of an earlier re-run whose record was lost', async () => {
  const connected = await connectApp()
  const { github } = connected
  const repository = github.createRepository('acme/api', { files })
  await addProjectOf(connected, repository)
  const { sha: headSha } = await repository.push({ files: { 'a.mdx': 'a' } })
  await connected.idle()
  addCheck(connected, repository, { headSha, externalId: 'lost' })
  await github.deliver('check_suite', toCheckSuiteEvent(github, repository, headSha, 'ada'))
  const [first, second] = await connected.idle()
  expect(second?.details.trigger).toBe('rerun')
  expect(repository.checkRuns).toMatchObject([
    { status: 'completed', externalId: first?.update._id },
    { status: 'completed', externalId: second?.update._id },
  ])
})

test('a record that was queued at the time of the backup keeps its later check', async () => {
  const connected = await connectApp({ withoutRuns: true })
  const { github, store, dataDir } = connected
  const repository = github.createRepository('acme/api', { files })
  await addProjectOf(connected, repository)
  await repository.push({ files: { 'a.mdx': 'a' } })
  const backup = join(dataDir, 'backup.sqlite')
  await store.backup(backup)
  const running = await connected.restart({ withoutRuns: false })
  const [stored] = await running.idle()
  await running.app.stop()
  for (const suffix of ['-wal', '-shm']) rmSync(join(dataDir, `openapi-pages.sqlite${suffix}`), { force: true })
  renameSync(backup, join(dataDir, 'openapi-pages.sqlite'))
  const restored = await running.restart({ reconcile: {} })
  expect(await restored.idle()).toMatchObject([{ update: { _id: stored?.update._id, status: 'success' } }])
  expect(repository.checkRuns).toMatchObject([{ externalId: stored?.update._id, status: 'completed' }])
})

test('two records of one commit take over different checks after a restored backup', async () => {
  const connected = await connectApp({ withoutRuns: true })
  const { github, store, dataDir } = connected
  const repository = github.createRepository('acme/api', { files })
  await addProjectOf(connected, repository)
  // A new branch at a known commit would show its check.
  repository.moveBranch('topic', repository.tipOf('main'))
  const backup = join(dataDir, 'backup.sqlite')
  await store.backup(backup)
  const running = await connected.restart({ withoutRuns: false })
  const { sha } = await repository.push({ files: { 'a.mdx': 'a' } })
  await running.idle()
  await github.deliver('push', repository.pushPayload(repository.moveBranch('topic', sha)))
  await running.idle()
  const checks = () => repository.checkRuns.filter(({ headSha }) => headSha === sha)
  expect(checks()).toHaveLength(2)
  await running.app.stop()
  for (const suffix of ['-wal', '-shm']) rmSync(join(dataDir, `openapi-pages.sqlite${suffix}`), { force: true })
  renameSync(backup, join(dataDir, 'openapi-pages.sqlite'))
  // Both would see the same checks.
  github.fault({ route: 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs', delayMs: 1_000, times: 2 })
  const restored = await running.restart()
  await until(async () => (await restored.updates()).length === 2)
  const records = (await restored.idle()).map(({ update }) => update._id)
  expect(
    checks()
      .map(({ externalId }) => externalId)
      .sort(),
  ).toEqual(records.sort())
  await github.settled()
})

/** Two updates run at once by default. */
const many = ['missed-1', 'missed-2', 'missed-3', 'missed-4']

test.for([
  { what: 'the updates of earlier ones wait', isValid: true },
  { what: 'earlier ones do not arrive', isValid: false },
])('requests further deliveries later while $what', async ({ isValid }) => {
  const spacingMs = 300
  const connected = await connectApp({ withoutRuns: true, catchUp: { everyMs: 600_000, spacingMs } })
  const { github } = connected
  const repository = github.createRepository('acme/api', { files })
  await addProjectOf(connected, repository)
  await connected.app.stop()
  for (const guid of many) {
    const payload = repository.pushPayload(repository.commit({ files: { 'a.mdx': guid } }))
    await github.deliver('push', isValid ? payload : { ref: 'refs/heads/main', deleted: false }, { guid })
  }
  await connected.restart()
  await until(() => github.requestsTo(redeliverRoute).length >= many.length)
  const times = github.requestsTo(redeliverRoute).map(({ at }) => at)
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0))
  expect(gaps[1]).toBeGreaterThan(spacingMs * 0.8)
  expect(gaps[2]).toBeGreaterThan(spacingMs * 0.8)
  await github.settled()
})

test('waits longer before each request for the same delivery, up to a limit', () => {
  const waits = [0, 1, 2, 6, 200].map((tries) => toWait(tries, defaultCatchUpTimes) / 60_000)
  expect(waits).toEqual([0.5, 1, 2, 20, 20])
})

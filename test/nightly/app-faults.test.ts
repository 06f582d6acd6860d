import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { appPermissions } from '../../src/app/base/manifest.ts'
import { brokenDocument, docsConfig, validDocument } from '../app/support/connected-app.ts'
import { startAppProcess } from '../support/app-process.ts'
import { expectSettled, untilDelivered, untilIdle } from '../support/app-scenario.ts'
import type { CrashPoint } from '../support/crash-points.ts'
import { type FakeGitHub, startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { toPullRequestEvent } from '../support/fake-github/payloads.ts'
import type { FakeGitHubOptions } from '../support/fake-github/types.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }
const archiveRoute = 'GET /repos/{owner}/{repo}/tarball/{ref}'

async function prepare(options: FakeGitHubOptions = {}) {
  const github = await startFakeGitHub(options)
  onTestFinished(() => github.close())
  const dataDir = makeTemporaryFolder()
  const start = async (env: Readonly<Record<string, string>> = {}) => {
    const app = await startAppProcess(github, dataDir, { env })
    onTestFinished(() => void app.child.kill('SIGKILL'))
    return app
  }
  return { github, dataDir, start, repository: github.createRepository('acme/api', { files }) }
}

async function untilArchiveIsAsked(github: FakeGitHub): Promise<void> {
  while (github.requestsTo(archiveRoute).length === 0) await sleep(5)
}

/** Each point, with how often it is reached before the process dies there. */
const points: readonly (readonly [CrashPoint, number])[] = [
  ['webhook.received', 1],
  ['webhook.accepted', 1],
  ['webhook.accepted', 2],
  ['job.claimed', 1],
  ['job.claimed', 2],
  ['check.created', 1],
  ['check.remembered', 1],
  ['run.started', 1],
  ['run.archived', 1],
  ['run.checked', 1],
  ['run.finished', 1],
  ['report.concluded', 1],
  ['report.commented', 1],
  ['job.completed', 1],
  ['job.completed', 2],
]

describe('kill -9 at every step of a run', () => {
  test.each(points)('at %s, time %i, loses nothing and reports nothing twice', async (point, count) => {
    const { github, dataDir, start, repository } = await prepare()
    const firstSha = repository.tipOf('main')
    const first = await start({ OPENAPI_PAGES_FAULT: `${point}:${count}` })
    // A pull request with a mistake: its push, then its opening.
    const push = repository.commit({ files: { 'openapi.yaml': brokenDocument }, branch: 'topic' })
    await github.deliver('push', repository.pushPayload(push))
    const pull = repository.openPullRequest({ head: 'topic' })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
    expect(await first.ended).toBe('SIGKILL')

    const second = await start()
    // What was not written down is in GitHub's list, and is asked for again.
    await untilDelivered(github, dataDir)
    await github.settled()
    await second.untilCompared()
    const { updates: all } = await untilIdle(dataDir)
    expectSettled(github, [repository], all, [push.after])
    // The reconciler also checks the commit that the default branch had before any webhook arrived.
    const updates = all.filter(({ update }) => update.commit.sha !== firstSha)
    const checkRuns = repository.checkRuns.filter(({ headSha }) => headSha !== firstSha)
    expect(updates).toMatchObject([{ update: { status: 'failure', commit: { sha: push.after } } }])
    expect(updates[0]?.update.summary).toMatch(/^Failed: 1 error in openapi\.yaml/)
    expect(checkRuns).toMatchObject([{ conclusion: 'failure', externalId: updates[0]?.update._id }])
    expect(checkRuns[0]?.annotations).toHaveLength(1)
    expect(repository.comments.map(({ edits }) => edits)).toEqual([0])
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  })
})

const surfacePoints: readonly CrashPoint[] = ['commit-status.remembered', 'commit-status.set', 'deployment.set']

test.each(surfacePoints)('creates commit status and deployment once if killed at %s', async (point) => {
  const { dataDir, start, repository } = await prepare({ permissions: { ...appPermissions, deployments: 'write' } })
  // Another URL would be another link, and reported.
  const env = { BASE_URL: 'http://pages.test' }
  const first = await start({ ...env, OPENAPI_PAGES_FAULT: point })
  await repository.push({ files: { 'openapi-pages.config.yaml': 'github: { commit-status: true, deployment: true }\n' } })
  expect(await first.ended).toBe('SIGKILL')
  await start(env)
  const { updates } = await untilIdle(dataDir)
  expect(updates).toMatchObject([{ update: { status: 'success' } }])
  expect(repository.commitStatuses.map(({ state }) => state)).toEqual(['success'])
  expect(repository.deployments.map(({ statuses }) => statuses.map(({ state }) => state))).toEqual([['success']])
})

test('a graceful stop waits for the current run', async () => {
  const { github, dataDir, start, repository } = await prepare()
  const app = await start()
  github.fault({ route: archiveRoute, delayMs: 500 })
  await repository.push({ files: { a: 'a' } })
  await untilArchiveIsAsked(github)
  app.child.kill('SIGTERM')
  expect(await app.ended).toBe(0)
  // The next process shows the result on GitHub. It does not check the commit again.
  await start()
  const { updates } = await untilIdle(dataDir)
  expectSettled(github, [repository], updates, [])
  expect(updates).toMatchObject([{ update: { status: 'success' } }])
  expect(github.requestsTo(archiveRoute)).toHaveLength(1)
})

test('resumes an unfinished run at the next start', async () => {
  const { github, dataDir, start, repository } = await prepare()
  const app = await start({ STOP_TIMEOUT_SECONDS: '2' })
  // A stop that waits for it would exceed the time limit of tests.
  github.fault({ route: archiveRoute, delayMs: 600_000 })
  await repository.push({ files: { a: 'a' } })
  await untilArchiveIsAsked(github)
  app.child.kill('SIGTERM')
  expect(await app.ended).toBe(0)
  await start()
  const { updates } = await untilIdle(dataDir)
  expect(updates).toMatchObject([{ update: { status: 'success' } }])
  expect(updates[0]?.update.logs.join('\n')).not.toMatch(/was lost|failed/)
})

test('shows more diagnostics than are stored, after the process has ended', async () => {
  const { github, dataDir, start, repository } = await prepare()
  const first = await start({ OPENAPI_PAGES_FAULT: 'run.finished' })
  const paths = Array.from(
    { length: 620 },
    (_, index) => `  /p${index}: { get: { sumary: a, responses: { '200': { description: a } } } }\n`,
  )
  const document = `openapi: 3.1.0\ninfo: { title: a, version: '1' }\npaths:\n${paths.join('')}`
  await repository.push({ files: { 'openapi.yaml': document } })
  expect(await first.ended).toBe('SIGKILL')
  await start()
  await untilDelivered(github, dataDir)
  const { updates } = await untilIdle(dataDir)
  expectSettled(github, [repository], updates, [])
  expect(repository.checkRuns).toMatchObject([{ conclusion: 'failure' }])
  // The others are about API changes.
  const errors = repository.checkRuns[0]?.annotations.filter((annotation) => annotation.annotation_level === 'failure')
  expect(errors).toHaveLength(620)
})

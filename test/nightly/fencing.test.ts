import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { brokenDocument, docsConfig, validDocument } from '../app/support/connected-app.ts'
import { type AppProcess, startAppProcess } from '../support/app-process.ts'
import { expectSettled, untilIdle } from '../support/app-scenario.ts'
import { type FakeGitHub, startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { hasPostgres, startTestDatabases } from '../support/postgres.ts'
import { startPostgresProxy } from '../support/postgres-proxy.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

/** What a worker says that must not go on. It depends on what ended first: its lease, or the connection with its lock. */
const givenUp = /Another attempt has the job|The connection to PostgreSQL that held a lock was lost/
const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }

const archiveRoute = 'GET /repos/{owner}/{repo}/tarball/{ref}'

/** Requests of a worker, in the order of a run. The first and the last one are sent under a lock. */
const points = {
  'while it creates a check': 'POST /repos/{owner}/{repo}/check-runs',
  'before it concludes a check': 'GET /repos/{owner}/{repo}/check-runs/{check_run_id}',
  'before it comments': 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
} as const

describe.skipIf(!hasPostgres)('a worker that lost its job', () => {
  const databases = startTestDatabases()
  afterAll(() => databases.stop())

  async function prepare() {
    const url = await databases.createDatabase()
    const github = await startFakeGitHub({ rateLimit: 1_000_000 })
    onTestFinished(() => github.close())
    const dataDir = makeTemporaryFolder()
    const start = async (env: Readonly<Record<string, string>> = {}) => {
      const app = await startAppProcess(github, dataDir, { env: { DATABASE_URL: url, ...env } })
      onTestFinished(async () => {
        app.child.kill('SIGKILL')
        await app.ended
      })
      return app
    }
    const repository = github.createRepository('acme/api', { files })
    return { url, github, start, repository }
  }

  /** A push with an error to the branch of a pull request. */
  async function pushError(github: FakeGitHub, repository: ReturnType<FakeGitHub['createRepository']>) {
    repository.commit({ files: { 'a.mdx': 'a' }, branch: 'topic' })
    repository.openPullRequest({ head: 'topic' })
    const push = repository.commit({ files: { 'openapi.yaml': brokenDocument }, branch: 'topic' })
    await github.deliver('push', repository.pushPayload(push))
    return push
  }

  /** Waits until a worker has given up its job. One that does not would write to GitHub in this time. */
  async function untilGivenUp(worker: AppProcess): Promise<void> {
    const until = performance.now() + 10_000
    while (performance.now() < until && !givenUp.test(worker.output())) await sleep(50)
    await sleep(500)
  }

  async function expectWrittenOnce(
    { url, github, repository }: Awaited<ReturnType<typeof prepare>>,
    push: Awaited<ReturnType<typeof pushError>>,
  ) {
    const { updates } = await untilIdle(url)
    expectSettled(github, [repository], updates, [push.after])
    const [update, ...others] = updates.filter(({ update: { commit } }) => commit.sha === push.after)
    expect(others).toEqual([])
    expect(update?.update.status).toBe('failure')
    const checks = repository.checkRuns.filter(({ headSha }) => headSha === push.after)
    expect(checks).toMatchObject([{ conclusion: 'failure', externalId: update?.update._id }])
    expect(checks[0]?.annotations).toHaveLength(1)
    expect(repository.comments.map(({ edits }) => edits)).toEqual([0])
    return update
  }

  test.each(Object.entries(points))('writes nothing twice if it was paused %s', async (_title, route) => {
    const scenario = await prepare()
    const { url, github, start, repository } = scenario
    const paused = await start()
    await paused.untilCompared()
    await untilIdle(url)
    let isPaused = false
    github.fault({
      route,
      async meanwhile() {
        await pauseOutsideOfWrites(paused, url)
        isPaused = true
      },
    })
    const pushing = pushError(github, repository)
    while (!isPaused) await sleep(5)
    await start()
    const push = await pushing
    const ended = await expectWrittenOnce(scenario, push)
    paused.child.kill('SIGCONT')
    await untilGivenUp(paused)
    expect(paused.output()).toMatch(givenUp)
    expect(await expectWrittenOnce(scenario, push)).toEqual(ended)
  })

  test('writes nothing twice if it was cut off from the database', async () => {
    const scenario = await prepare()
    const { url, github, start, repository } = scenario
    const proxy = await startPostgresProxy(url)
    const cutOff = await start({ DATABASE_URL: proxy.url })
    await cutOff.untilCompared()
    await untilIdle(url)
    let continueRequest: () => void = () => undefined
    const until = new Promise<void>((resolve) => {
      continueRequest = resolve
    })
    let isCut = false
    github.fault({
      route: points['before it concludes a check'],
      async meanwhile() {
        proxy.cut()
        isCut = true
        await until
      },
    })
    const push = await pushError(github, repository)
    while (!isCut) await sleep(5)
    await start()
    const ended = await expectWrittenOnce(scenario, push)
    continueRequest()
    await untilGivenUp(cutOff)
    expect(await expectWrittenOnce(scenario, push)).toEqual(ended)
    // It depends on the time of the cut which of both it tries next.
    expect(cutOff.output()).toMatch(/Cannot (?:extend a lease|write the outcome of a job)/)
  })

  test('loses its jobs to another process when its lease ends if it is killed, and not while it runs', async () => {
    const { url, github, start, repository } = await prepare()
    const lease = { OPENAPI_PAGES_LEASE_MS: '8000' }
    const killed = await start(lease)
    await killed.untilCompared()
    await untilIdle(url)
    let other: AppProcess | undefined
    github.fault({
      route: archiveRoute,
      async meanwhile() {
        other = await start(lease)
        // Longer than a lease that is not extended.
        await sleep(12_000)
        expect(other.output()).not.toContain('Recovered a lost job')
        killed.child.kill('SIGKILL')
      },
    })
    const push = await pushError(github, repository)
    const ended = await expectWrittenOnce({ url, github, start, repository }, push)
    expect(ended?.update.logs.join('\n')).toContain('Restarted at')
    expect(other?.output()).toContain('Recovered a lost job')
  })

  test('keeps its jobs while the clocks of two processes are wrong', async () => {
    const { url, github, start, repository } = await prepare()
    github.fault({ route: archiveRoute, times: Number.POSITIVE_INFINITY, delayMs: 500 })
    // Longer than a slow machine needs, and shorter than the error of the clocks.
    const lease = { OPENAPI_PAGES_LEASE_MS: '20000' }
    const ahead = await start({ OPENAPI_PAGES_CLOCK_MS: '3600000', ...lease })
    await ahead.untilCompared()
    const behind = await start({ OPENAPI_PAGES_CLOCK_MS: '-3600000', ...lease })
    const pushes = Array.from({ length: 6 }, (_, index) =>
      repository.commit({ files: { 'openapi.yaml': `${validDocument}# ${index}\n` }, branch: `topic-${index}` }),
    )
    for (const push of pushes) await github.deliver('push', repository.pushPayload(push))
    const { updates } = await untilIdle(url)
    expectSettled(
      github,
      [repository],
      updates,
      pushes.map(({ after }) => after),
    )
    for (const { output } of [ahead, behind]) expect(output()).not.toMatch(/Recovered a lost job|Another attempt has the job/)
  })
})

/** Pauses a process while it has no open transaction, which would block all others for some seconds. */
async function pauseOutsideOfWrites({ child }: AppProcess, url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  for (;;) {
    child.kill('SIGSTOP')
    const open = `select from pg_stat_activity where datname = current_database() and pid != pg_backend_pid() and xact_start is not null`
    const { rowCount } = await client.query(open)
    if (rowCount === 0) break
    child.kill('SIGCONT')
    await sleep(10)
  }
  await client.end()
}

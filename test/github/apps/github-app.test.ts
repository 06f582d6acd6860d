import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  GitHubApp,
  listInstallationRepositories,
  listInstallations,
  readApp,
  readInstallation,
  readWebhookUrl,
} from '../../../src/github/apps/github-app.ts'
import { createCheckRun, startCheckRun } from '../../../src/github/repositories/check-runs.ts'
import { findCommit } from '../../../src/github/repositories/commits.ts'
import { defaultPace } from '../../../src/github/requests/github-client.ts'
import { RequestBudget } from '../../../src/github/requests/request-budget.ts'
import { startCheckedGitHub } from '../../support/fake-github/checked-github.ts'
import type { FakeGitHub } from '../../support/fake-github/fake-github.ts'
import type { FakeRepository } from '../../support/fake-github/fake-repository.ts'
import { createGitHubApp, fastPace, toWantedCheck } from '../../support/github-app.ts'
import { failureOf } from '../../support/github-failure.ts'

let github: FakeGitHub
let repository: FakeRepository
const name = { owner: 'acme', repo: 'api' }

beforeEach(async () => {
  github = await startCheckedGitHub()
  repository = github.createRepository('acme/api')
})

const clientOf = (app: GitHubApp) => app.installation(repository.installation?.id ?? 0)
const check = () => toWantedCheck(repository)

describe('signing in', () => {
  test('authenticates the app with its key', async () => {
    const app = await readApp(createGitHubApp(github).client)
    expect(app).toMatchObject({ htmlUrl: 'https://github.test/apps/openapi-pages', permissions: { checks: 'write' } })
    expect(Math.abs(Date.parse(app.answeredAt ?? '') - Date.now())).toBeLessThan(5_000)
  })

  test('rejects the key of another app with a hint', async () => {
    const other = await startCheckedGitHub({ hasOwnKey: true })
    const app = new GitHubApp({ appId: github.app.id, privateKey: other.app.privateKey, apiUrl: github.url, pace: fastPace })
    const error = await failureOf(readApp(app.client))
    expect(error).toMatchObject({ failure: 'unauthorized', status: 401 })
    expect(error.message).toBe('Cannot read the app on GitHub: 401 A JSON web token could not be decoded')
    expect(error.hint).toBe('Check the app ID, its private key and the system clock')
    await other.close()
  })

  test('reads installations, permissions, repositories and the webhook URL', async () => {
    github.webhookUrl = 'https://docs.example.com/webhooks'
    for (let count = 0; count < 120; count++) github.createRepository(`acme/repository-${count}`)
    const app = createGitHubApp(github)
    expect(await listInstallations(app.client)).toEqual([
      { id: repository.installation?.id, account: 'acme', permissions: github.app.permissions, isSuspended: false },
    ])
    expect(await readInstallation(app.client, repository.installation?.id ?? 0)).toMatchObject({ account: 'acme' })
    const repositories = await listInstallationRepositories(clientOf(app))
    expect(repositories).toHaveLength(121)
    expect(repositories[0]).toEqual({
      id: repository.id,
      owner: 'acme',
      repo: 'api',
      private: false,
      defaultBranch: 'main',
      pushedAt: repository.pushedAt,
    })
    expect(await readWebhookUrl(app.client)).toBe('https://docs.example.com/webhooks')
  })

  test('reuses a token, and mints a new one when GitHub rejects it', async () => {
    const client = clientOf(createGitHubApp(github))
    await findCommit(client, name, 'refs/heads/main')
    await findCommit(client, name, 'refs/heads/main')
    expect(github.requestsTo('POST /app/installations/{installation_id}/access_tokens')).toHaveLength(1)
    // Octokit retries with a token younger than five seconds, so this one must get older first.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6_000 })
    onTestFinished(() => void vi.useRealTimers())
    github.tokens.clear()
    expect(await findCommit(client, name, 'refs/heads/main')).toMatchObject({ sha: repository.tipOf('main') })
    expect(github.requestsTo('POST /app/installations/{installation_id}/access_tokens')).toHaveLength(2)
  })

  test('uses the URL of an Enterprise Server', async () => {
    const { id, privateKey } = github.app
    const app = new GitHubApp({ appId: id, privateKey, apiUrl: `${github.url}/api/v3/`, pace: fastPace })
    expect(await readApp(app.client)).toMatchObject({ name: 'OpenAPI Pages' })
    expect(await findCommit(clientOf(app), name, 'main')).toMatchObject({ by: { author: 'octocat' } })
    expect(github.requests.every(({ url }) => url.startsWith('/api/v3/'))).toBe(true)
  })

  test('shows no token or key in an error', async () => {
    github.fault({ route: 'POST /repos/{owner}/{repo}/check-runs', status: 403, body: { message: 'no' } })
    const error = await failureOf(createCheckRun(clientOf(createGitHubApp(github)), name, check()))
    const token = [...github.tokens.keys()][0] ?? 'none'
    expect(inspect(error, { depth: 10 })).not.toContain(token)
  })
})

describe('explaining a refusal', () => {
  const route = 'POST /repos/{owner}/{repo}/check-runs'
  const sha = () => repository.tipOf('main').slice(0, 7)
  const cases = [
    {
      fault: { status: 403, body: { message: 'Resource not accessible by integration' } },
      failure: 'forbidden',
      said: '403 Resource not accessible by integration',
      hint: 'Grant the app `checks: write`, then have the account owner accept the new permission',
    },
    {
      fault: { status: 404, body: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest/checks' } },
      failure: 'not-found',
      said: '404 Not Found',
      hint: 'Check that the repository exists under this name and that the app is installed on it',
    },
    {
      fault: { status: 409, body: { message: 'Git Repository is empty.' } },
      failure: 'conflict',
      said: '409 Git Repository is empty',
      hint: 'Run again: the repository changed in the meantime',
    },
    {
      fault: { status: 422, body: { message: 'Validation Failed', errors: [{ field: 'head_sha', code: 'invalid' }] } },
      failure: 'invalid',
      said: '422 Validation Failed: {"field":"head_sha","code":"invalid"}',
      hint: 'This is a bug in openapi-pages. Please report it with this message',
    },
    {
      fault: { status: 429, body: { message: 'Too Many Requests' }, headers: { 'retry-after': '60' } },
      failure: 'rate-limited',
      said: '429 Too Many Requests',
      hint: 'Wait 60 s. The update is retried automatically',
    },
    {
      fault: { status: 503, body: { message: 'No server is available' }, times: 9 },
      failure: 'unavailable',
      said: '503 No server is available',
      hint: 'Check githubstatus.com. The update is retried automatically',
    },
    {
      fault: { cut: 'before' as const, times: 9 },
      failure: 'unreachable',
      said: 'other side closed',
      hint: 'Check the network, the proxy and the URL of the GitHub API',
    },
  ]
  test.each(cases)('$failure: $said', async ({ fault, failure, said, hint }) => {
    github.fault({ route, ...fault })
    const error = await failureOf(createCheckRun(clientOf(createGitHubApp(github)), name, check()))
    expect(error.message).toBe(`Cannot create check run on \`acme/api\`@\`${sha()}\`: ${said}`)
    expect(error).toMatchObject({ failure, hint, operation: 'create check run', permission: 'checks: write' })
    if (fault.status !== undefined) expect(error.requestId).toMatch(/^[0-9A-F-]{18}$/)
    github.faults.length = 0
  })

  test('names the missing permission from GitHub’s response', async () => {
    const poor = github.createInstallation('poor', { contents: 'read', checks: 'read' })
    github.createRepository('poor/api')
    const client = createGitHubApp(github).installation(poor.id)
    const headSha = github.repository('poor/api').tipOf('main')
    const error = await failureOf(createCheckRun(client, { owner: 'poor', repo: 'api' }, { ...check(), headSha }))
    expect(error).toMatchObject({ failure: 'forbidden', status: 403 })
  })

  test('reports a suspended installation as forbidden', async () => {
    if (repository.installation) repository.installation.suspended = true
    const error = await failureOf(findCommit(clientOf(createGitHubApp(github)), name, 'main'))
    expect(error.message).toBe('Cannot read commit on `acme/api` `main`: 403 This installation has been suspended')
  })
})

describe('respecting limits with finite retries', () => {
  const route = 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}'
  const start = async (app: GitHubApp) => {
    const { id } = await createCheckRun(clientOf(app), name, check())
    return () => startCheckRun(clientOf(app), name, id, '2026-11-20T07:15:03Z')
  }
  const writes = () => github.requests.filter(({ method, url }) => method !== 'GET' && !url.includes('access_tokens'))

  test('spaces the writes of an installation and sends them one after the other', async () => {
    const startedAt = performance.now()
    const budget = new RequestBudget(1, { ...defaultPace, spacingMs: 60 })
    // The times at which the writes are released. A slow machine can only delay them; the arrival times depend on the machine.
    const times = await Promise.all(
      Array.from({ length: 4 }, async () => {
        await budget.takeWrite(undefined)
        return performance.now()
      }),
    )
    // A timer may fire a millisecond early.
    for (const [index, time] of times.entries()) expect(time - startedAt).toBeGreaterThanOrEqual(index * 58)
    // Every write of a client uses the budget: with none left, the next one is not sent.
    const app = createGitHubApp(github, { writesPerMinute: 2, longestWaitMs: 0 })
    const update = await start(app)
    await update()
    expect((await failureOf(update())).failure).toBe('rate-limited')
    expect(writes()).toHaveLength(2)
  })

  test('returns work of a paused installation at once, if it may do other work meanwhile', async () => {
    const budget = new RequestBudget(1, { ...defaultPace, longestPauseMs: 1_000 })
    await budget.pause(30_000)
    for (const taken of [budget.takeRead(undefined), budget.takeWrite(undefined)])
      expect(await failureOf(taken)).toMatchObject({ failure: 'rate-limited', retryAfterMs: expect.closeTo(30_000, -4) })
  })

  test('does not delay reads or other installations because of writes', async () => {
    const stop = new AbortController()
    const app = new GitHubApp({
      appId: github.app.id,
      privateKey: github.app.privateKey,
      apiUrl: github.url,
      // Longer than any machine needs for the rest.
      pace: { ...fastPace, spacingMs: 60_000, longestWaitMs: 120_000 },
      signal: stop.signal,
    })
    const other = github.createInstallation('other')
    const otherRepository = github.createRepository('other/api')
    const update = await start(app)
    let isWaiting = true
    const slow = failureOf(update()).finally(() => {
      isWaiting = false
    })
    await findCommit(clientOf(app), name, 'main')
    const headSha = otherRepository.tipOf('main')
    await createCheckRun(app.installation(other.id), { owner: 'other', repo: 'api' }, { ...check(), headSha })
    expect(isWaiting).toBe(true)
    stop.abort()
    await slow
  })

  test('limits the writes per minute and per hour', async () => {
    const app = createGitHubApp(github, { writesPerMinute: 3, minuteMs: 1_000, writesPerHour: 5, hourMs: 60_000 })
    // Not from the arrival of the first write: on a busy machine it arrives long after its release, when the minute begins.
    const startedAt = Date.now()
    const update = await start(app)
    await update()
    await update()
    await update()
    expect((writes()[3]?.at ?? 0) - startedAt).toBeGreaterThanOrEqual(950)
    expect(app.budgets()).toMatchObject([{ installationId: repository.installation?.id }])
    await update()
    const error = await failureOf(update())
    expect(error).toMatchObject({ failure: 'rate-limited' })
    expect(error.retryAfterMs).toBeGreaterThan(58_000)
    expect(error.message).toMatch(/^Cannot update check run on `acme\/api`: rate limit for installation \d+ reached$/)
    expect(writes()).toHaveLength(5)
  })

  test('waits for `retry-after` and retries the request', async () => {
    const app = createGitHubApp(github)
    const update = await start(app)
    github.fault({
      route,
      status: 403,
      body: { message: 'You have exceeded a secondary rate limit' },
      headers: { 'retry-after': '1' },
    })
    const started = performance.now()
    await update()
    expect(performance.now() - started).toBeGreaterThanOrEqual(990)
    expect(github.requestsTo(route).map(({ status }) => status)).toEqual([403, 200])
  })

  test('pauses every request of an installation that hit a limit', async () => {
    const app = createGitHubApp(github)
    const update = await start(app)
    github.fault({ route, status: 429, headers: { 'retry-after': '2' } })
    const slow = update()
    while (github.requestsTo(route).length === 0) await sleep(5)
    await sleep(20)
    const started = performance.now()
    await findCommit(clientOf(app), name, 'main')
    expect(performance.now() - started).toBeGreaterThan(1_000)
    await slow
  })

  test('gives up a secondary limit after three retries with growing waits', async () => {
    const app = createGitHubApp(github, { secondaryLimitDelayMs: 100 })
    const update = await start(app)
    github.fault({
      route,
      times: Number.POSITIVE_INFINITY,
      status: 403,
      body: { message: 'You have exceeded a secondary rate limit' },
    })
    const error = await failureOf(update())
    expect(error).toMatchObject({ failure: 'rate-limited', status: 403 })
    const times = github.requestsTo(route).map(({ at }) => at)
    expect(times).toHaveLength(4)
    const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0))
    expect(waits[0]).toBeGreaterThanOrEqual(50)
    expect(waits[1]).toBeGreaterThanOrEqual(150)
    expect(waits[2]).toBeGreaterThanOrEqual(350)
    github.faults.length = 0
  })

  test('fails immediately with the time when a primary limit ends much later', async () => {
    const limited = await startCheckedGitHub({ rateLimit: 2 })
    const { installation } = limited.createRepository('acme/api')
    const client = createGitHubApp(limited).installation(installation?.id ?? 0)
    await findCommit(client, name, 'main')
    await findCommit(client, name, 'main')
    const error = await failureOf(findCommit(client, name, 'main'))
    expect(error).toMatchObject({ failure: 'rate-limited', status: 403 })
    expect(error.message).toContain('403 API rate limit exceeded for installation ID')
    expect(error.retryAfterMs).toBeGreaterThan(3_500_000)
    await limited.close()
  })

  test('retries a read after a 5xx and a lost connection', async () => {
    const client = clientOf(createGitHubApp(github))
    const read = 'GET /repos/{owner}/{repo}/commits/{ref}'
    github.fault({ route: read, status: 502, times: 2 })
    github.fault({ route: read, cut: 'during' })
    expect(await findCommit(client, name, 'main')).toMatchObject({ sha: repository.tipOf('main') })
    expect(github.requestsTo(read)).toHaveLength(4)
  })

  test('times out without a response', async () => {
    const client = clientOf(createGitHubApp(github, { timeoutMs: 50, retries: 1 }))
    github.fault({ route: 'GET /repos/{owner}/{repo}/commits/{ref}', delayMs: 200, times: 9 })
    const error = await failureOf(findCommit(client, name, 'main'))
    expect(error).toMatchObject({ failure: 'unreachable', status: undefined })
    expect(error.message).toContain('no response within 50 ms')
    github.faults.length = 0
  })

  test('ends every wait when the process stops', async () => {
    const stop = new AbortController()
    const app = new GitHubApp({
      appId: github.app.id,
      privateKey: github.app.privateKey,
      apiUrl: github.url,
      pace: { ...fastPace, spacingMs: 600_000, longestWaitMs: 900_000 },
      signal: stop.signal,
    })
    const { id } = await createCheckRun(clientOf(app), name, check())
    const waiting = failureOf(startCheckRun(clientOf(app), name, id, '2026-11-20T07:15:03Z'))
    stop.abort()
    await waiting
  })
})

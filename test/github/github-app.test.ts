import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCheckRun, startCheckRun } from '../../src/github/check-run.ts'
import { findCommit } from '../../src/github/commits.ts'
import { GitHubApp } from '../../src/github/github-app.ts'
import {
  listInstallationRepositories,
  listInstallations,
  readApp,
  readInstallation,
  readWebhookUrl,
} from '../../src/github/installations.ts'
import { defaultPace, RequestBudget } from '../../src/github/request-pace.ts'
import { type FakeGitHub, startFakeGitHub } from '../support/fake-github/fake-github.ts'
import type { FakeRepository } from '../support/fake-github/fake-repository.ts'
import { createGitHubApp, quickPace } from '../support/github-app.ts'
import { failureOf } from '../support/github-failure.ts'

let github: FakeGitHub
let repository: FakeRepository
const name = { owner: 'acme', repo: 'api' }

beforeEach(async () => {
  github = await startFakeGitHub()
  repository = github.createRepository('acme/api')
})
afterEach(async () => {
  github.assertNoUnexpectedRequests()
  await github.close()
})

const clientOf = (app: GitHubApp) => app.installation(repository.installation?.id ?? 0)
const check = (over: { mayExist?: boolean } = {}) => ({
  name: 'openapi-pages',
  headSha: repository.tipOf('main'),
  externalId: 'status-1',
  detailsUrl: 'https://docs.example.com/updates/status-1',
  mayExist: false,
  ...over,
})

describe('signing in', () => {
  test('the app signs itself in with its key and says who it is', async () => {
    const app = await readApp(createGitHubApp(github).client)
    expect(app).toMatchObject({ id: github.app.id, slug: 'openapi-pages', permissions: { checks: 'write' } })
    expect(Math.abs(Date.parse(app.answeredAt ?? '') - Date.now())).toBeLessThan(5_000)
  })

  test('a key of another app is refused with what to check', async () => {
    const other = await startFakeGitHub()
    const app = new GitHubApp({ appId: github.app.id, privateKey: other.app.privateKey, apiUrl: github.url, pace: quickPace })
    const error = await failureOf(readApp(app.client))
    expect(error).toMatchObject({ failure: 'unauthorized', status: 401 })
    expect(error.message).toBe('Cannot read app on GitHub: 401 A JSON web token could not be decoded')
    expect(error.hint).toBe('Check the app ID, its private key and the system clock')
    await other.close()
  })

  test('installations, their grants, their repositories and the webhook address are read', async () => {
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

  test('one token serves many requests, and a new one is minted when GitHub no longer takes it', async () => {
    const client = clientOf(createGitHubApp(github))
    await findCommit(client, name, 'refs/heads/main')
    await findCommit(client, name, 'refs/heads/main')
    expect(github.requestsTo('POST /app/installations/{installation_id}/access_tokens')).toHaveLength(1)
    // A token younger than five seconds is tried again by Octokit itself, so this one gets older first.
    await sleep(5_100)
    github.tokens.clear()
    expect(await findCommit(client, name, 'refs/heads/main')).toMatchObject({ sha: repository.tipOf('main') })
    expect(github.requestsTo('POST /app/installations/{installation_id}/access_tokens')).toHaveLength(2)
  })

  test('the address of an Enterprise Server is used as it is', async () => {
    const { id, privateKey } = github.app
    const app = new GitHubApp({ appId: id, privateKey, apiUrl: `${github.url}/api/v3/`, pace: quickPace })
    expect(await readApp(app.client)).toMatchObject({ id })
    expect(await findCommit(clientOf(app), name, 'main')).toMatchObject({ author: 'octocat' })
    expect(github.requests.every(({ url }) => url.startsWith('/api/v3/'))).toBe(true)
  })

  test('no token and no key is in what an error says', async () => {
    github.fault({ route: 'POST /repos/{owner}/{repo}/check-runs', status: 403, body: { message: 'no' } })
    const error = await failureOf(createCheckRun(clientOf(createGitHubApp(github)), name, check()))
    const token = [...github.tokens.keys()][0] ?? 'none'
    expect(inspect(error, { depth: 10 })).not.toContain(token)
  })
})

describe('each refusal has its own words', () => {
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
      said: '409 Git Repository is empty.',
      hint: 'Run again: it changed in the meantime',
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

  test('what the installation was not granted is told by GitHub itself', async () => {
    const poor = github.createInstallation('poor', { contents: 'read', checks: 'read' })
    github.createRepository('poor/api')
    const client = createGitHubApp(github).installation(poor.id)
    const headSha = github.repository('poor/api').tipOf('main')
    const error = await failureOf(createCheckRun(client, { owner: 'poor', repo: 'api' }, { ...check(), headSha }))
    expect(error).toMatchObject({ failure: 'forbidden', status: 403 })
  })

  test('a suspended installation is forbidden', async () => {
    if (repository.installation) repository.installation.suspended = true
    const error = await failureOf(findCommit(clientOf(createGitHubApp(github)), name, 'main'))
    expect(error.message).toBe('Cannot read commit on `acme/api` `main`: 403 This installation has been suspended')
  })
})

describe('limits are kept and repeats are finite', () => {
  const route = 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}'
  const start = async (app: GitHubApp) => {
    const { id } = await createCheckRun(clientOf(app), name, check())
    return () => startCheckRun(clientOf(app), name, id, '2026-11-20T07:15:03Z')
  }
  const writes = () => github.requests.filter(({ method, url }) => method !== 'GET' && !url.includes('access_tokens'))

  test('the writes of an installation are spaced and go one after the other', async () => {
    const startedAt = performance.now()
    const budget = new RequestBudget(1, { ...defaultPace, spacingMs: 60 })
    // When each is let go, of which a slow machine can only make more; when they arrive is up to the machine.
    const times = await Promise.all(
      Array.from({ length: 4 }, async () => {
        await budget.takeWrite(undefined)
        return performance.now()
      }),
    )
    // A timer may come a millisecond early.
    for (const [index, time] of times.entries()) expect(time - startedAt).toBeGreaterThanOrEqual(index * 58)
    // Every write of a client goes through it: with none left the next one is not sent.
    const app = createGitHubApp(github, { writesPerMinute: 2, longestWaitMs: 0 })
    const update = await start(app)
    await update()
    expect((await failureOf(update())).failure).toBe('rate-limited')
    expect(writes()).toHaveLength(2)
  })

  test('reads do not wait for writes, and another installation has a budget of its own', async () => {
    const stop = new AbortController()
    const app = new GitHubApp({
      appId: github.app.id,
      privateKey: github.app.privateKey,
      apiUrl: github.url,
      // Longer than any machine needs for the rest.
      pace: { ...quickPace, spacingMs: 60_000, longestWaitMs: 120_000 },
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

  test('no more writes in a minute and in an hour than GitHub takes', async () => {
    const app = createGitHubApp(github, { writesPerMinute: 3, minuteMs: 1_000, writesPerHour: 5, hourMs: 60_000 })
    // Not from the arrival of the first write: on a busy machine that is long after it was let go, from when on the minute counts.
    const startedAt = Date.now()
    const update = await start(app)
    await update()
    await update()
    await update()
    expect((writes()[3]?.at ?? 0) - startedAt).toBeGreaterThanOrEqual(950)
    expect(app.budgets()).toMatchObject([{ installationId: repository.installation?.id, writesThisHour: 1 }])
    await update()
    const error = await failureOf(update())
    expect(error).toMatchObject({ failure: 'rate-limited' })
    expect(error.retryAfterMs).toBeGreaterThan(58_000)
    expect(error.message).toMatch(/^Cannot update check run on `acme\/api`: The request budget of installation \d+ is used up$/)
    expect(writes()).toHaveLength(5)
  })

  test('retry-after is waited for and the request sent once more', async () => {
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

  test('a limit stops every request of the installation, not only the one that hit it', async () => {
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

  test('a secondary limit without an end is given up after three repeats, further apart each time', async () => {
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

  test('a primary limit that ends much later fails at once and says when', async () => {
    const limited = await startFakeGitHub({ rateLimit: 2 })
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

  test('a read is sent again after a 5xx and after a lost connection', async () => {
    const client = clientOf(createGitHubApp(github))
    const read = 'GET /repos/{owner}/{repo}/commits/{ref}'
    github.fault({ route: read, status: 502, times: 2 })
    github.fault({ route: read, cut: 'during' })
    expect(await findCommit(client, name, 'main')).toMatchObject({ sha: repository.tipOf('main') })
    expect(github.requestsTo(read)).toHaveLength(4)
  })

  test('an answer that does not come is given up', async () => {
    const client = clientOf(createGitHubApp(github, { timeoutMs: 50, retries: 1 }))
    github.fault({ route: 'GET /repos/{owner}/{repo}/commits/{ref}', delayMs: 200, times: 9 })
    const error = await failureOf(findCommit(client, name, 'main'))
    expect(error).toMatchObject({ failure: 'unreachable', status: undefined })
    expect(error.message).toContain('no response within 50 ms')
    github.faults.length = 0
  })

  test('a stop of the process ends every wait', async () => {
    const stop = new AbortController()
    const app = new GitHubApp({
      appId: github.app.id,
      privateKey: github.app.privateKey,
      apiUrl: github.url,
      pace: { ...quickPace, spacingMs: 600_000, longestWaitMs: 900_000 },
      signal: stop.signal,
    })
    const { id } = await createCheckRun(clientOf(app), name, check())
    const waiting = failureOf(startCheckRun(clientOf(app), name, id, '2026-11-20T07:15:03Z'))
    stop.abort()
    await waiting
  })
})

import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { checkServer } from '../../../src/app/start/start-checks.ts'
import { canStartPostgres, startPostgres } from '../../support/postgres.ts'
import { type ConnectOptions, connectApp } from '../support/connected-app.ts'
import { startTestApp } from '../support/test-app.ts'

const permissions = {
  checks: 'write',
  contents: 'write',
  merge_queues: 'read',
  metadata: 'read',
  pull_requests: 'write',
  statuses: 'write',
} as const

/** Starts an app, and returns the log lines of its checks: `warn message → fix`. */
async function check(options: ConnectOptions, prepare?: (connected: Awaited<ReturnType<typeof connectApp>>) => Promise<void>) {
  const connected = await connectApp({ withoutRuns: true, ...options })
  await prepare?.(connected)
  connected.logLines.length = 0
  await checkServer(connected.app.context, connected.app.tools.health)
  const lines = connected.logLines.map((line) => JSON.parse(line) as { level: string; msg: string; fix?: string })
  const results = lines.filter(({ level, msg }) => level !== 'debug' && msg !== 'Request completed')
  const shown = results.map(({ level, msg, fix }) => `${level} ${msg}${fix === undefined ? '' : ` → ${fix}`}`)
  const readiness = await fetch(`${connected.app.address}/readyz`)
  return { ...connected, shown, readiness: (await readiness.json()) as { problems?: string[] } }
}

test('finds no problems on a complete setup', async () => {
  const { shown, readiness } = await check({ github: { permissions } })
  expect(shown.filter((line) => !line.startsWith('info '))).toEqual([])
  expect(shown.join('\n')).toMatch(/GitHub delivers webhooks to http:\/\/\S+\/api\/github\/webhooks\ninfo \S+ is reachable/)
  expect(readiness).toEqual({ status: 'ready' })
})

test('logs a fix for each problem, and /readyz names the problems', async () => {
  const github = { permissions: { metadata: 'read', contents: 'read' }, events: ['push'] } as const
  const env = { BASE_URL: 'https://pages.example.com', GITHUB_CLIENT_ID: '', GITHUB_CLIENT_SECRET: '' }
  const { shown, readiness, app } = await check({ github, env }, async (connected) => {
    connected.github.webhookUrl = 'http://127.0.0.1:9/x'
    await connected.github.deliver('ping', {})
    writeFileSync(join(connected.dataDir, 'link.key'), '')
    chmodSync(join(connected.dataDir, 'link.key'), 0o644)
  })
  for (const line of [
    /error Other users can read link\.key → Run `chmod 600 \S+link\.key`/,
    /error The GitHub App lacks permissions: checks: write, merge_queues: read, pull_requests: write, statuses: write → Grant them at /,
    /error Not subscribed to check_run, .* → Select these events/,
    /warn Users cannot sign in: .* → Create a client secret at .*https:\/\/pages\.example\.com\/sign-in\/callback/,
    /error GitHub delivers webhooks to http:\/\/127\.0\.0\.1:9\/x, but the server is at https:\/\/pages\.example\.com\/api\/github\/webhooks → Correct BASE_URL/,
    /error http:\/\/127\.0\.0\.1:9 is unreachable from this machine → Check its DNS name/,
    /warn 1 webhook delivery failed in the last 24 hours \(\d+\) → /,
  ]) {
    expect(shown.join('\n')).toMatch(line)
  }
  expect(readiness.problems).toEqual(
    shown.filter((line) => !line.startsWith('info ')).map((line) => line.replace(/^\w+ | → .*/g, '')),
  )
  expect(shown.join('\n')).not.toContain(app.context.config.credentials?.webhookSecret)
})

test('logs credentials that GitHub rejects, and an unreachable GitHub', async () => {
  const wrong = await check({ env: { GITHUB_APP_ID: '999999' } })
  expect(wrong.shown.join('\n')).toMatch(
    /error Cannot read the app on GitHub: 401 .* → Check the app ID, its private key and the system clock/,
  )
  const gone = await check({}, ({ github }) => github.close())
  expect(gone.shown.join('\n')).toMatch(/error Cannot read the app on GitHub.* → /)
})

test('checks the database and the disk before a GitHub App is set up', async () => {
  const app = await startTestApp(onTestFinished)
  await checkServer(app.context, app.tools.health)
  expect(app.logLines.join('\n')).toContain(
    'The database can be read and written (0 jobs waiting, 0 refused by GitHub, 0 delayed)',
  )
  expect(app.tools.health.problems).toEqual([])
})

describe.skipIf(!canStartPostgres)('with PostgreSQL', () => {
  const server = canStartPostgres ? startPostgres() : undefined
  afterAll(() => server?.stop())

  test('checks the version, the connections and the clock of the server', async () => {
    const DATABASE_URL = (await server?.createDatabase()) ?? ''
    const app = await startTestApp(onTestFinished, { env: { DATABASE_URL, DATABASE_CONNECTIONS: '40' } })
    await checkServer(app.context, app.tools.health)
    const text = app.logLines.join('\n')
    expect(text).toMatch(/The database is PostgreSQL \d+/)
    expect(text).toMatch(/The clock is within \d+\.\d s of that of the database server/)
    expect(app.tools.health.problems).toEqual([
      expect.stringMatching(/The server allows \d+ connections: enough for \d+ process/),
    ])
  })
})

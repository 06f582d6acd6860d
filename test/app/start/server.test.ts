import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { webhookPath } from '../../../src/app/base/manifest.ts'
import { databaseFileName } from '../../../src/app/base/open-store.ts'
import { problems, toProblem, toProblemBody } from '../../../src/app/http/problem-details.ts'
import { createServer } from '../../../src/app/start/server.ts'
import { maxReportedFindings } from '../../../src/docs/update/update-results.ts'
import { listedFiles, updateSources, updateStates } from '../../../src/status/update-record.ts'
import { isObject } from '../../../src/text/json/json-values.ts'
import api from '../../../texts/api.json' with { type: 'json' }
import { checkValue } from '../../support/check-text.ts'
import { oracleErrors } from '../../support/oracle.ts'
import { addProjectOf, connectApp } from '../support/connected-app.ts'
import { addProject, addToken, addUpdate, startTestApp, type TestApp } from '../support/test-app.ts'

/** Sends raw bytes and returns everything received until the connection closes. */
async function sendRaw(app: TestApp, ...chunks: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(app.address)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (data) => {
    answer += data.toString('latin1')
  })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  for (const chunk of chunks) socket.write(chunk)
  await once(socket, 'close')
  return answer
}

describe('/v1/openapi.json', () => {
  test('passes openapi-check and the official schema', async () => {
    const app = await startTestApp(onTestFinished, { env: { BASE_URL: 'https://pages.example.com' } })
    const { description } = app.api
    // `updates` could also match the path parameter of `update-status`, which is a documented warning.
    const { findings } = await checkValue(description)
    expect(findings.filter(({ code }) => code !== 'path-ambiguous')).toEqual([])
    expect(oracleErrors('3.1', description)).toEqual([])
    expect(description['servers']).toEqual([{ url: 'https://pages.example.com' }])
  })

  test('lists every endpoint and every error code', async () => {
    const app = await startTestApp(onTestFinished)
    const { paths, components } = api
    const calls = Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`))
    expect(calls.sort()).toEqual([
      'get /healthz',
      'get /metrics',
      'get /readyz',
      'get /v1/openapi.json',
      'get /v1/project/update-status/{statusId}',
      'get /v1/project/{projectId}/site',
      'get /v1/project/{projectId}/sites',
      'get /v1/project/{projectId}/sites/{sha}',
      'get /v1/project/{projectId}/updates',
      'post /v1/page/{domain}',
      'post /v1/project/preview/{projectId}',
      'post /v1/project/report',
      'post /v1/project/update/{projectId}',
      'post /v1/search/{domain}',
      'put /v1/project/{projectId}/site',
    ])
    expect(app.api.description).toEqual({ ...api, servers: expect.anything() })
    expect(components.schemas.Problem.properties.code.enum).toEqual(Object.keys(problems))
  })

  test('has the limits and values of the records', () => {
    const { status, source, commit } = api.components.schemas.UpdateStatus.properties
    expect([status.enum, source.enum]).toEqual([updateStates, updateSources])
    const { schema } = api.paths['/v1/project/report'].post.requestBody.content['application/json']
    expect(schema.properties.report.properties.findings.maxItems).toBe(maxReportedFindings)
    for (const lists of [commit.properties.filesChanged.properties, schema.properties.commit.properties.filesChanged.properties])
      expect(Object.values(lists).map(({ maxItems }) => maxItems)).toEqual([listedFiles, listedFiles, listedFiles])
  })
})

describe('errors', () => {
  test('hides unexpected errors, and logs them with the same request ID', async () => {
    const app = await startTestApp(onTestFinished)
    const server = await createServer(app.context, app.tools, {
      routes: [
        (routes) => {
          routes.get('/boom', () => {
            throw new Error('secret of the inside')
          })
        },
      ],
    })
    onTestFinished(() => server.close())
    const answer = await server.inject('/boom')
    expect(answer.json()).toEqual({
      type: expect.stringContaining('docs/status-api.md#internal'),
      title: 'Internal server error',
      status: 500,
      code: 'internal',
      requestId: answer.headers['x-request-id'],
    })
    const line = app.logLines.find((entry) => entry.includes('secret of the inside')) ?? ''
    expect(JSON.parse(line)).toMatchObject({ level: 'error', requestId: answer.headers['x-request-id'] })
  })

  test.each([
    [undefined, 'internal'],
    ['text', 'internal'],
    [Object.assign(new Error('x'), { statusCode: 500 }), 'internal'],
    [Object.assign(new Error('x'), { statusCode: 418 }), 'invalid-request'],
    [Object.assign(new Error('x'), { code: 'ENOENT' }), 'internal'],
  ])('turns %s into %s', (error, code) => {
    expect(toProblemBody(toProblem(error).code)).toMatchObject({ code })
  })

  test.each(['/v1', '/v1/none', '/v2/project', '/probot', '/favicon.ico', '//', '/.git/config'])(
    'no route %s: 404 as a problem',
    async (path) => {
      const app = await startTestApp(onTestFinished)
      const answer = await app.api(path)
      expect(answer.body).toMatchObject({ status: 404, code: 'not-found' })
      expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    },
  )

  test.each([
    ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/readyz', 'GET, HEAD, OPTIONS'],
    ['GET', '/v1/project/report', 'OPTIONS, POST'],
    ['GET', '/v1/project/update/prj_1', 'OPTIONS, POST'],
    ['PATCH', '/v1/project/prj_1/site', 'GET, HEAD, OPTIONS, PUT'],
    ['DELETE', '/v1/project/update-status/1?wait=1', 'GET, HEAD, OPTIONS'],
    ['PUT', '/projects/prj_1/updates/1', 'GET, HEAD, OPTIONS'],
    ['PUT', '/sign-in', 'GET, HEAD, OPTIONS, POST'],
  ])('returns 405 for %s %s with the allowed methods', async (method, path, allowed) => {
    const app = await startTestApp(onTestFinished)
    const answer = await fetch(`${app.address}${path}`, { method })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed])
    expect(await answer.json()).toMatchObject({ code: 'method-not-allowed' })
    const options = await fetch(`${app.address}${path}`, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).toEqual([204, allowed])
  })

  test('returns 405 for a wrong method of the webhook URL', async () => {
    const { app } = await connectApp({ withoutRuns: true })
    const answer = await fetch(`${app.address}${webhookPath}`)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'OPTIONS, POST'])
  })

  test('counts unknown paths against the limit of the IP address', async () => {
    const app = await startTestApp(onTestFinished, { env: { ADDRESS_REQUESTS_PER_MINUTE: '2' } })
    const statuses = []
    for (const path of ['/a', '/b', '/c', '/healthz']) statuses.push((await fetch(`${app.address}${path}`)).status)
    expect(statuses).toEqual([404, 404, 429, 200])
  })

  test('shows an HTML page to browsers, except for the API', async () => {
    const app = await startTestApp(onTestFinished)
    const headers = { Accept: 'text/html,application/xhtml+xml' }
    const page = await app.api('/none', { headers })
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.text).toContain('Not found')
    expect((await app.api('/v1/none', { headers })).body).toMatchObject({ code: 'not-found' })
  })
})

describe('every response', () => {
  test.each(['/healthz', '/none', '/v1/project/update-status/x', '/v1/openapi.json'])(
    '%s has the security headers',
    async (path) => {
      const app = await startTestApp(onTestFinished, { env: { BASE_URL: 'https://pages.example.com' } })
      const { headers } = await app.api(path)
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'strict-transport-security': 'max-age=31536000',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      })
      expect(headers.has('server') || headers.has('x-powered-by')).toBe(false)
    },
  )

  test('has no HSTS without https, and no CORS headers', async () => {
    const app = await startTestApp(onTestFinished)
    const { headers } = await app.api('/healthz', { headers: { Origin: 'https://evil.example' } })
    expect(headers.has('strict-transport-security')).toBe(false)
    expect(headers.has('access-control-allow-origin')).toBe(false)
  })

  test('has a request ID generated by the server', async () => {
    const app = await startTestApp(onTestFinished)
    const { headers } = await app.api('/healthz', { headers: { 'X-Request-Id': 'forged' } })
    expect(headers.get('x-request-id')).not.toBe('forged')
  })
})

describe('hostile requests', () => {
  test('headers over 16 KiB get a 431 problem', async () => {
    const app = await startTestApp(onTestFinished)
    const answer = await sendRaw(app, `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/)
    expect(answer).toContain('"code":"headers-too-large"')
  })

  test.each([
    ['what is not HTTP', 'hello\r\n\r\n'],
    ['a header with a bare line feed that smuggles another', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: a\nX-B\u0000: b\r\n\r\n'],
    ['two different lengths', 'POST /v1/project/report HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    [
      'a length and chunks',
      'POST /v1/project/report HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n'],
  ])('%s gets 400, and the connection is closed', async (_name, bytes) => {
    const app = await startTestApp(onTestFinished)
    expect(await sendRaw(app, bytes)).toMatch(/^HTTP\/1\.1 400 /)
  })

  test.each([
    ['headers', 'GET /healthz HTTP/1.1\r\nHost: x\r\n'],
    ['body', 'POST /boom HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"a":'],
  ])('a request with slow %s gets 408', async (_name, bytes) => {
    const app = await startTestApp(onTestFinished)
    const server = await createServer(app.context, app.tools, {
      requestTimeoutMs: 300,
      routes: [(routes) => void routes.post('/boom', () => 'done')],
    })
    onTestFinished(() => server.close())
    const address = await server.listen({ port: 0 })
    const answer = await sendRaw({ ...app, address }, bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(answer).toContain('"code":"request-timeout"')
  })

  test('a body over the announced limit is rejected before it is sent', async () => {
    const app = await startTestApp(onTestFinished)
    const project = await addProject(app.store)
    const { text } = await addToken(app.store, { scope: 'write', projectId: project.id })
    const head = `POST /v1/project/update/${project.id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${text}\r\nConnection: close\r\n`
    const answer = await sendRaw(app, `${head}Content-Type: application/json\r\nContent-Length: 999999999\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('"code":"too-large"')
  })

  test('a body is not read without a token', async () => {
    const app = await startTestApp(onTestFinished)
    const head = 'POST /v1/project/report HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n'
    expect(await sendRaw(app, `${head}Content-Length: 4000000\r\n\r\n`)).toMatch(/^HTTP\/1\.1 401 /)
  })
})

describe('the log', () => {
  test.each(['json', 'text'] as const)('as %s: untrusted input cannot forge a line, and secrets are masked', async (format) => {
    const app = await startTestApp(onTestFinished, { env: { LOG_FORMAT: format } })
    const project = await addProject(app.store)
    const { text } = await addToken(app.store, { scope: 'read', projectId: project.id })
    const update = await addUpdate(app.store, project)
    await app.api(`/v1/project/update-status/${update._id}`, { token: text })
    const before = app.logLines.length
    await app.api('/v1/%0d%0a2026-11-20%20error%20forged%1b[31m?token=opk_abcdefghijklmnopqrstuvwxyz', { token: text })
    const lines = app.logLines.slice(before)
    expect(lines).toHaveLength(1)
    const all = app.logLines.join('')
    expect(all).not.toContain(text)
    expect(all).not.toMatch(/opk_[a-z]/)
    expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n\u001b]/)
  })

  test('truncates a long path', async () => {
    const app = await startTestApp(onTestFinished)
    await fetch(`${app.address}/${'eyJ-'.repeat(3_000)}`)
    const line = app.logLines.find((entry) => entry.includes('eyJ-')) ?? ''
    expect(JSON.parse(line)).toMatchObject({ msg: 'Request completed', status: 404, path: expect.stringMatching(/^.{200}$/) })
  })

  test('masks secrets by field name and by pattern', async () => {
    const app = await startTestApp(onTestFinished)
    app.context.log.info(
      { privateKey: 'very', nested: { token: 'secret' }, text: 'Bearer abcdefghijklmnopqrstuvwxyz012345' },
      'x',
    )
    const line = app.logLines.at(-1) ?? ''
    expect(line).not.toMatch(/very|secret|abcdefghijklmnop/)
    expect(line).toContain('***')
  })

  test('logs successful requests at debug level and rejected ones at info level', async () => {
    const app = await startTestApp(onTestFinished)
    await app.api('/v1/openapi.json')
    await app.api('/v1/project/update-status/x')
    const levels = app.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'Request completed')
    expect(levels.map(({ level, status }) => [level, status])).toEqual(
      expect.arrayContaining([
        ['debug', 200],
        ['info', 401],
      ]),
    )
  })
})

const metricsToken = 'f3a9c2d17b604e58a1c9'

describe('/metrics', () => {
  test('counts responses by route and shows the queue', async () => {
    const app = await startTestApp(onTestFinished, { env: { METRICS_TOKEN: metricsToken } })
    const project = await addProject(app.store)
    await addUpdate(app.store, project, { createdAt: new Date(Date.now() - 60_000).toISOString() })
    await app.api(`/v1/project/update-status/${app.store.newId()}`)
    const { text, headers } = await app.api('/metrics', { token: metricsToken })
    expect(headers.get('content-type')).toMatch(/^text\/plain/)
    // The run, and its wanted check.
    expect(text).toMatch(/openapi_pages_queue_jobs\{state="waiting"\} 2/)
    expect(Number(/^openapi_pages_queue_oldest_seconds (\S+)/m.exec(text)?.[1])).toBeGreaterThanOrEqual(59)
    expect(text).toMatch(
      /openapi_pages_http_request_duration_seconds_count\{route="\/v1\/project\/update-status\/:statusId",method="GET",status="401"\} 1/,
    )
    expect(text).toContain('openapi_pages_run_duration_seconds')
    expect(text).toContain('openapi_pages_github_rate_limit_remaining')
  })

  test.each([
    ['this machine', {}],
    ['a private address behind a trusted proxy', { 'X-Forwarded-For': '10.1.2.3' }],
    ['the internet', { 'X-Forwarded-For': '203.0.113.9' }],
  ])('needs a token from %s', async (_where, headers) => {
    for (const env of [{}, { METRICS_TOKEN: metricsToken }]) {
      const app = await startTestApp(onTestFinished, { env: { TRUST_PROXY: 'loopback', ...env } })
      const admin = await addToken(app.store, { scope: 'admin' })
      const write = await addToken(app.store, { scope: 'write', projectId: (await addProject(app.store)).id })
      const ask = async (token?: string) => (await app.api('/metrics', { headers, ...(token !== undefined && { token }) })).status
      expect(await ask()).toBe(401)
      expect(await ask(`${metricsToken.slice(0, -1)}x`)).toBe(401)
      expect(await ask(metricsToken)).toBe('METRICS_TOKEN' in env ? 200 : 401)
      expect(await ask(write.text)).toBe(403)
      expect(await ask(admin.text)).toBe(200)
    }
  })

  test('has a token that works nowhere else and is never logged', async () => {
    const app = await startTestApp(onTestFinished, { env: { METRICS_TOKEN: metricsToken } })
    const path = `/v1/project/update-status/${app.store.newId()}`
    expect((await app.api(path, { token: metricsToken })).status).toBe(401)
    expect(app.logLines.join('')).not.toContain(metricsToken)
  })
})

test('/readyz is 200 while store and queue work', async () => {
  const app = await startTestApp(onTestFinished)
  expect((await app.api('/readyz')).body).toEqual({ status: 'ready' })
  expect(isObject((await app.api('/healthz')).body)).toBe(true)
})

test('/readyz is 503 while the store can be read but not written', async () => {
  const app = await startTestApp(onTestFinished)
  const other = new DatabaseSync(join(app.dataDir, databaseFileName))
  onTestFinished(() => other.close())
  // SQLite returns this error for every write on a full disk, while reads still work.
  other.exec(`create trigger full before insert on facts begin select raise(fail, 'database or disk is full'); end`)
  expect(await app.store.queue.stats()).toMatchObject({ waiting: 0 })
  expect((await app.api('/readyz')).body).toMatchObject({
    status: 503,
    detail: expect.stringMatching(/^The database cannot be written \(\w+\)$/),
  })
  expect((await app.api('/healthz')).status).toBe(200)
})

test('the rate limit counts the client behind a trusted proxy, and otherwise the proxy', async () => {
  for (const [trust, expected] of [
    ['loopback', 401],
    ['false', 429],
  ] as const) {
    const app = await startTestApp(onTestFinished, { env: { TRUST_PROXY: trust, ADDRESS_REQUESTS_PER_MINUTE: '1' } })
    const get = (address: string) => app.api('/v1/project/update-status/x', { headers: { 'X-Forwarded-For': address } })
    await get('203.0.113.1')
    expect((await get('203.0.113.2')).status).toBe(expected)
  }
})

test('the rate limit does not block longer when the system clock is set back', async () => {
  const app = await startTestApp(onTestFinished, { env: { ADDRESS_REQUESTS_PER_MINUTE: '1' } })
  await app.api('/none')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 6 * 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  const { status, headers } = await app.api('/none')
  expect(status).toBe(429)
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
})

test('a stopping server claims no more work, even while connections are still open', async () => {
  const { app, github, store, restart } = await connectApp()
  const project = await addProjectOf({ store }, github.createRepository('acme/api'))
  const { hostname, port } = new URL(app.address)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(
    'POST /sign-in HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\na=',
  )
  // The server handles this request after the bytes of the other.
  await fetch(`${app.address}/healthz`)
  const closed = once(socket, 'close')
  const stopped = app.stop()
  const { _id: id } = await addUpdate(store, project)
  await closed
  await stopped
  const again = await restart({ withoutRuns: true })
  expect((await again.store.statuses.find(id))?.update.status).toBe('queued')
})

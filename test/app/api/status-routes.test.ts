import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isObject } from '../../../src/text/json/json-values.ts'
import type { ApiAnswer } from '../support/api-client.ts'
import {
  addProject,
  addToken,
  addUpdate,
  finishNext,
  randomId,
  startNext,
  startTestApp,
  type TestApp,
} from '../support/test-app.ts'

async function startWithRecord(options: Parameters<typeof startTestApp>[1] = {}) {
  const app = await startTestApp(onTestFinished, options)
  const project = await addProject(app.store)
  const token = await addToken(app.store, { scope: 'read', projectId: project.id })
  const update = await addUpdate(app.store, project)
  const get = (headers: Record<string, string> = {}, text: string | undefined = token.text) =>
    app.api(`/v1/project/update-status/${update._id}`, { token: text, headers })
  return { app, project, token, update, get }
}

describe('GET /v1/project/update-status/{statusId}', () => {
  test('returns every documented field from queued to ended', async () => {
    const { app, project, update, get } = await startWithRecord()
    const queued = await get()
    expect(queued.status).toBe(200)
    expect(queued.body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      projectId: expect.stringMatching(/^prj_/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      status: 'queued',
      summary: '',
      logs: [],
      subdomain: project.subdomain,
      author: 'octocat',
      commit: update.commit,
      source: 'github-app-installation',
    })
    const running = await startNext(app.store)
    expect((await get()).body).toMatchObject({ _id: update._id, status: 'in_progress', summary: 'Checking 1 document.' })
    await finishNext(app.store, running, { status: 'success', summary: 'Valid: 1 document.', logs: ['Ended'] })
    const ended = (await get()).body
    expect(ended).toMatchObject({ status: 'success', summary: 'Valid: 1 document.', logs: ['Ended'] })
    expect(ended).toHaveProperty('endedAt')
  })

  test('sends Retry-After until the update has ended', async () => {
    const { app, get } = await startWithRecord()
    expect((await get()).headers.get('retry-after')).toBe('2')
    const running = await startNext(app.store)
    expect((await get()).headers.get('retry-after')).toBe('2')
    await finishNext(app.store, running, { status: 'failure', summary: 'Failed: 1 error.' })
    expect((await get()).headers.get('retry-after')).toBeNull()
  })

  test('responds to HEAD without a body', async () => {
    const { app, token, update } = await startWithRecord()
    const answer = await app.api(`/v1/project/update-status/${update._id}`, { method: 'HEAD', token: token.text })
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(answer.headers.get('etag')).not.toBeNull()
  })
})

describe('ETag', () => {
  test.each([
    ['the same ETag', (etag: string) => etag, 304],
    ['a weak ETag', (etag: string) => `W/${etag}`, 304],
    ['one of several ETags', (etag: string) => `"other", ${etag}`, 304],
    ['`*`', () => '*', 304],
    ['another ETag', () => '"0-queued"', 200],
    ['an invalid ETag', () => 'x', 200],
  ])('compares If-None-Match with %s', async (_name, toHeader, status) => {
    const { get } = await startWithRecord()
    const etag = (await get()).headers.get('etag') ?? ''
    const answer = await get({ 'If-None-Match': toHeader(etag) })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('etag')).toBe(etag)
    if (status === 304) expect(answer.text).toBe('')
  })

  test('changes whenever the record is written', async () => {
    const { app, get } = await startWithRecord()
    const etags = [(await get()).headers.get('etag')]
    const running = await startNext(app.store)
    etags.push((await get()).headers.get('etag'))
    await finishNext(app.store, running, { status: 'success', summary: 'Valid.' })
    etags.push((await get()).headers.get('etag'))
    expect(new Set(etags).size).toBe(3)
  })
})

describe('Prefer: wait', () => {
  test('delays the response until the status changes', async () => {
    const { app, get } = await startWithRecord()
    const waiting = get({ Prefer: 'respond-async, wait=30' })
    await expect.poll(() => app.tools.waiters.size).toBe(1)
    await startNext(app.store)
    const answer = await waiting
    expect(answer.body).toMatchObject({ status: 'in_progress' })
    expect(answer.headers.get('preference-applied')).toBe('wait=30')
  })

  test('detects a change by another process', async () => {
    const { app, get } = await startWithRecord()
    const other = await app.openOther()
    const waiting = get({ Prefer: 'wait=30' })
    await expect.poll(() => app.tools.waiters.size).toBe(1)
    await startNext(other)
    expect((await waiting).body).toMatchObject({ status: 'in_progress' })
  })

  test('returns the unchanged record when the time is over', async () => {
    const { get } = await startWithRecord()
    const startedAt = performance.now()
    expect((await get({ Prefer: 'wait=1' })).body).toMatchObject({ status: 'queued' })
    expect(performance.now() - startedAt).toBeGreaterThan(950)
  })

  test('returns 304 when the time is over and the ETag matches', async () => {
    const { get } = await startWithRecord()
    const etag = (await get()).headers.get('etag') ?? ''
    expect((await get({ Prefer: 'wait=1', 'If-None-Match': etag })).status).toBe(304)
  })

  test.each([
    ['an ended record', true, {}],
    ['a caller with an older revision', false, { 'If-None-Match': '"0-queued"' }],
  ])('responds at once for %s', async (_name, end, headers) => {
    const { app, get } = await startWithRecord()
    if (end) await finishNext(app.store, await startNext(app.store), { status: 'success', summary: 'Valid.' })
    // A delayed response would exceed the time limit of tests.
    expect((await get({ Prefer: 'wait=60', ...headers })).status).toBe(200)
  })

  test.each([
    ['wait=600', 'wait=60'],
    ['wait="5"', 'wait=5'],
    ['WAIT = 7', 'wait=7'],
    ['wait=soon', null],
    ['waiting=5', null],
    ['wait=0', null],
  ])('applies `%s` as `%s`', async (prefer, applied) => {
    const { app, get } = await startWithRecord()
    await finishNext(app.store, await startNext(app.store), { status: 'success', summary: 'Valid.' })
    expect((await get({ Prefer: prefer })).headers.get('preference-applied')).toBe(applied)
  })

  test('responds at once when the server stops', async () => {
    const { app, get } = await startWithRecord()
    const waiting = get({ Prefer: 'wait=60' })
    await expect.poll(() => app.tools.waiters.size).toBe(1)
    const stopping = app.stop()
    expect((await waiting).body).toMatchObject({ status: 'queued' })
    await stopping
  })

  test('stops waiting when the caller disconnects', async () => {
    const { app, update, token } = await startWithRecord()
    const gone = new AbortController()
    const waiting = fetch(`${app.address}/v1/project/update-status/${update._id}`, {
      headers: { Authorization: `Bearer ${token.text}`, Prefer: 'wait=60' },
      signal: gone.signal,
    })
    await expect.poll(() => app.tools.waiters.size).toBe(1)
    gone.abort()
    await expect(waiting).rejects.toThrow()
    await expect.poll(() => app.tools.waiters.size).toBe(0)
  })
})

describe('authentication', () => {
  const challenge = 'Bearer realm="openapi-pages"'
  const refused = `${challenge}, error="invalid_token"`

  test.each<[string, (app: TestApp) => Promise<string> | string, string]>([
    ['missing', () => '', challenge],
    ['of another scheme', () => 'Basic b3BlbjpzZXNhbWU=', challenge],
    ['empty', () => 'Bearer ', challenge],
    ['with an encoded line break', () => 'Bearer opk_a%0Ab', challenge],
    ['of an unknown form', () => 'Bearer hello', refused],
    ['well-formed but unknown', () => `Bearer opk_${'A'.repeat(43)}`, refused],
    ['too long', () => `Bearer opk_${'A'.repeat(8000)}`, refused],
    ['an unsigned JWT', () => 'Bearer eyJhbGciOiJub25lIn0.e30.', refused],
  ])('returns 401 for a token that is %s', async (_name, toHeader, expected) => {
    const { app, update } = await startWithRecord({ env: { GITHUB_URL: 'http://127.0.0.1:9' } })
    const header = await toHeader(app)
    const answer = await app.api(`/v1/project/update-status/${update._id}`, { headers: header ? { Authorization: header } : {} })
    expect(answer.body).toMatchObject({ status: 401, code: 'unauthorized' })
    expect(answer.headers.get('www-authenticate')).toBe(expected)
  })

  test('returns 401 for an expired token without the reason', async () => {
    const { app, project, update } = await startWithRecord()
    const expired = await addToken(app.store, { scope: 'read', projectId: project.id }, 50)
    await new Promise((resolve) => setTimeout(resolve, 80))
    const answer = await app.api(`/v1/project/update-status/${update._id}`, { token: expired.text })
    expect(answer.body).toMatchObject({ code: 'unauthorized', detail: 'The token is invalid, expired or revoked' })
    expect(app.logLines.join('')).toContain('"reason":"expired"')
  })

  test('rejects a revoked token on the next request, and soon if another process revoked it', async () => {
    const { app, project, get } = await startWithRecord()
    const addUsedToken = async () => {
      const { text, id } = await addToken(app.store, { scope: 'read', projectId: project.id })
      for (let call = 0; call < 3; call++) expect((await get({}, text)).status).toBe(200)
      return { text, id }
    }
    const first = await addUsedToken()
    await app.store.tokens.revoke(first.id, 'test')
    expect((await get({}, first.text)).status).toBe(401)
    const second = await addUsedToken()
    await (await app.openOther()).tokens.revoke(second.id, 'test')
    await expect.poll(async () => (await get({}, second.text)).status).toBe(401)
  })

  test('returns the same 404 for a record of another project as for no record', async () => {
    const { app, get, token } = await startWithRecord()
    const otherProject = await addProject(app.store)
    const otherToken = await addToken(app.store, { scope: 'write', projectId: otherProject.id })
    const plain = ({ body, headers }: Awaited<ReturnType<typeof get>>) => {
      const { requestId, ...rest } = body as Record<string, unknown>
      const shown = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
      return { rest, shown }
    }
    const other = await get({}, otherToken.text)
    const missing = await app.api(`/v1/project/update-status/${app.store.newId()}`, { token: token.text })
    expect(other.status).toBe(404)
    expect(plain(other)).toEqual(plain(missing))
  })
})

test('limits requests per token and per IP address with 429 and Retry-After', async () => {
  const { app, get, project } = await startWithRecord({
    env: { TOKEN_REQUESTS_PER_MINUTE: '3', ADDRESS_REQUESTS_PER_MINUTE: '6' },
  })
  for (let call = 0; call < 3; call++) expect((await get()).status).toBe(200)
  const limited = await get()
  expect(limited.body).toMatchObject({ code: 'rate-limited', detail: expect.stringContaining('from this token') })
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
  const other = await addToken(app.store, { scope: 'read', projectId: project.id })
  expect((await get({}, other.text)).status).toBe(200)
  expect((await get({}, `opk_${randomId()}`)).status).toBe(401)
  expect((await get({}, other.text)).body).toMatchObject({
    code: 'rate-limited',
    detail: expect.stringContaining('from this IP address'),
  })
})

test('returns 503 with Retry-After if the database cannot be read', async () => {
  const { app, get } = await startWithRecord()
  const path = join(app.dataDir, 'openapi-pages.sqlite')
  const database = new DatabaseSync(path)
  database.exec('pragma wal_checkpoint(TRUNCATE)')
  database.close()
  // Simulate a damaged disk: overwrite the database after its header.
  const pages = readFileSync(path)
  writeFileSync(path, Buffer.concat([pages.subarray(0, 100), Buffer.alloc(pages.length - 100, 0x5a)]))
  await app.store.projects.list().catch(() => undefined)
  const answer = await get()
  expect(answer.body).toMatchObject({ status: 503, code: 'unavailable' })
  expect(answer.headers.get('retry-after')).toBe('5')
  expect(JSON.stringify(answer.body)).not.toContain('sqlite')
  expect((await app.api('/healthz')).body).toEqual({ status: 'ok' })
})

const idsOf = ({ body }: ApiAnswer): string[] =>
  isObject(body) && Array.isArray(body['updates']) ? body['updates'].map((update: { _id: string }) => update._id) : []

async function startWithRecords(count: number) {
  const app = await startTestApp(onTestFinished)
  const project = await addProject(app.store)
  const { text: token } = await addToken(app.store, { scope: 'read', projectId: project.id })
  const updates = []
  for (let index = 0; index < count; index++) updates.push(await addUpdate(app.store, project))
  const list = (query = '') => app.api(`/v1/project/${project.id}/updates${query}`, { token })
  return { app, project, token, list, newestFirst: updates.map(({ _id }) => _id).reverse() }
}

describe('GET /v1/project/{projectId}/updates', () => {
  test('pages through records, newest first, while new ones arrive', async () => {
    const { app, project, list, newestFirst } = await startWithRecords(7)
    const first = await list('?limit=3')
    expect(idsOf(first)).toEqual(newestFirst.slice(0, 3))
    await addUpdate(app.store, project)
    const found = [...idsOf(first)]
    for (let answer = first; isObject(answer.body) && answer.body['nextCursor'] !== undefined; ) {
      answer = await list(`?limit=3&cursor=${encodeURIComponent(String(answer.body['nextCursor']))}`)
      found.push(...idsOf(answer))
    }
    expect(found).toEqual(newestFirst)
  })

  test('returns an empty list', async () => {
    const { list } = await startWithRecords(0)
    expect((await list()).body).toEqual({ updates: [] })
  })

  test('returns the same records as the status endpoint', async () => {
    const { app, list, token, newestFirst } = await startWithRecords(1)
    const one = await app.api(`/v1/project/update-status/${newestFirst[0]}`, { token })
    expect((await list()).body).toEqual({ updates: [one.body] })
  })

  test('filters by ref, SHA and status', async () => {
    const { app, project, list, newestFirst } = await startWithRecords(2)
    const sha = 'a'.repeat(40)
    const commit = { sha, ref: 'refs/heads/next', message: '', filesChanged: { added: [], modified: [], removed: [] } }
    const other = await addUpdate(app.store, project, { commit })
    await finishNext(app.store, await startNext(app.store), { status: 'failure', summary: 'Failed.' })
    expect(idsOf(await list('?ref=refs/heads/next'))).toEqual([other._id])
    expect(idsOf(await list(`?sha=${sha}`))).toEqual([other._id])
    expect(idsOf(await list('?status=failure'))).toHaveLength(1)
    expect(idsOf(await list('?status=queued&ref=refs/heads/main&limit=1')).length).toBe(1)
    expect(idsOf(await list())).toEqual([other._id, ...newestFirst])
    expect(idsOf(await list('?ref=refs/heads/none'))).toEqual([])
  })

  test.each([
    ['limit=0', 'querystring/limit'],
    ['limit=101', 'querystring/limit'],
    ['limit=ten', 'querystring/limit'],
    ['status=running', 'querystring/status'],
    ['sha=abc', 'querystring/sha'],
    ['ref=main', 'querystring/ref'],
    ['cursor=forged', 'querystring/cursor'],
    ['page=2', 'querystring'],
  ])('rejects ?%s and names the parameter', async (query, at) => {
    const { list } = await startWithRecords(1)
    const answer = await list(`?${query}`)
    expect(answer.body).toMatchObject({
      status: 400,
      code: 'invalid-request',
      errors: expect.arrayContaining([expect.objectContaining({ at })]),
    })
  })
})

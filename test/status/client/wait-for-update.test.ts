import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type WaitEnd, type WaitOptions, waitForUpdate } from '../../../src/status/client/call-app.ts'
import { serve } from '../../support/serve.ts'

interface Asked {
  readonly url: string
  readonly headers: IncomingHttpHeaders
}

type Step = (response: ServerResponse, asked: Asked) => void

const record = (status: string, logs: readonly string[] = []) => ({ _id: 'u1', status, summary: status, logs })

const answer =
  (status: number, body?: object, headers: Record<string, string> = {}): Step =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  }

/** Sends these responses in order and repeats the last one. */
async function wait(steps: readonly Step[], options: Partial<WaitOptions> = {}) {
  const asked: Asked[] = []
  const address = await serve((request, response) => {
    const one = { url: request.url ?? '', headers: request.headers }
    asked.push(one)
    steps[Math.min(asked.length, steps.length) - 1]?.(response, one)
  })
  const states: string[] = []
  const troubles: string[] = []
  const end = await waitForUpdate({
    url: address,
    wanted: { kind: 'id', statusId: 'u1' },
    getToken: async () => 'opk_test',
    timeoutMs: 10_000,
    proxyVariables: {},
    onUpdate: ({ status }) => states.push(status),
    onTrouble: (reason) => troubles.push(reason),
    pauseMs: 10,
    ...options,
  })
  return { end, asked, states, troubles }
}

const outcome = (end: WaitEnd) => (end.kind === 'ended' ? end.update.status : `${end.why}: ${end.reason}`)

describe('waiting for a record', () => {
  test('sends one request for a record that has ended', async () => {
    const { end, asked } = await wait([answer(200, record('failure'), { etag: '"3"' })])
    expect([outcome(end), asked.length]).toEqual(['failure', 1])
    expect(asked[0]).toMatchObject({ url: '/v1/project/update-status/u1', headers: { authorization: 'Bearer opk_test' } })
    expect(asked[0]?.headers['prefer']).toBeUndefined()
  })

  test('lets the app hold the response, and sends the last `ETag`', async () => {
    const { end, asked, states } = await wait([
      answer(200, record('queued'), { etag: '"1"', 'retry-after': '2' }),
      answer(200, record('in_progress'), { etag: '"2"', 'retry-after': '2', 'preference-applied': 'wait=10' }),
      answer(200, record('success'), { etag: '"3"', 'preference-applied': 'wait=10' }),
    ])
    expect([outcome(end), states]).toEqual(['success', ['queued', 'in_progress', 'success']])
    expect(asked.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"', '"2"'])
    expect(asked[1]?.headers['prefer']).toMatch(/^wait=(?:[5-9]|10)$/)
  })

  test('follows `Retry-After` of an app without `ETag` and held responses', async () => {
    const startedAt = Date.now()
    const { end, asked } = await wait([answer(200, record('queued'), { 'retry-after': '1' })], { timeoutMs: 2_500 })
    expect(outcome(end)).toMatch(/^timeout: the update is still queued after/)
    expect(asked.length).toBeLessThanOrEqual(14)
    expect(Date.now() - startedAt).toBeLessThan(10_000)
  })

  test('treats 304 as unchanged', async () => {
    const { end, states } = await wait([
      answer(200, record('in_progress'), { etag: '"1"' }),
      answer(304, undefined, { etag: '"1"', 'retry-after': '0' }),
      answer(200, record('success')),
    ])
    expect([outcome(end), states]).toEqual(['success', ['in_progress', 'success']])
  })

  test('continues after 429, 5xx, a broken connection and an invalid response, and reports each problem once', async () => {
    const { end, asked, troubles } = await wait([
      answer(429, { code: 'rate-limited', detail: 'Too many calls' }, { 'retry-after': '0' }),
      answer(503, { code: 'unavailable' }),
      (response) => response.destroy(),
      answer(502, undefined),
      answer(200, record('queued'), { etag: '"1"' }),
      (response) => response.destroy(),
      answer(200, record('success')),
    ])
    expect([outcome(end), asked.length]).toEqual(['success', 7])
    expect(troubles).toEqual(['the app responded with 429: Too many calls', 'the host closed the connection'])
  })

  test('respects `Retry-After`', async () => {
    const startedAt = Date.now()
    await wait([answer(429, { code: 'rate-limited' }, { 'retry-after': '1' }), answer(200, record('success'))])
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(1_000)
  })

  test.each([
    [
      401,
      { code: 'unauthorized', detail: 'The token is not valid' },
      'refused: the app responded with 401: The token is not valid',
    ],
    [403, { code: 'forbidden' }, 'refused: the app responded with 403'],
    [404, { code: 'not-found' }, 'refused: the app responded with 404'],
    [404, undefined, 'refused: got 404 from a server that is not an openapi-pages app'],
    [200, { hello: 'world' }, 'refused: got 200 from a server that is not an openapi-pages app'],
    [200, { ...record('done') }, 'refused: got 200 from a server that is not an openapi-pages app'],
  ])('stops at %i %o', async (status, body, expected) => {
    const { end, asked } = await wait([answer(status, body)])
    expect([outcome(end), asked.length]).toEqual([expected, 1])
  })

  test('does not send the token to a redirect target', async () => {
    let elsewhere = 0
    const other = await serve((_request, response) => {
      elsewhere++
      response.end('{}')
    })
    const { end } = await wait([answer(307, undefined, { location: `${other}/v1` })])
    expect([outcome(end), elsewhere]).toEqual([
      `refused: the URL redirects to ${other}/v1, and tokens are not sent to redirect targets`,
      0,
    ])
  })

  test('times out on time when the app does not respond', async () => {
    const startedAt = Date.now()
    const { end } = await wait([() => {}], { timeoutMs: 500 })
    expect(outcome(end)).toMatch(/^timeout: no usable response within/)
    // The last request gets two more seconds. Any other one would get fifteen.
    expect(Date.now() - startedAt).toBeLessThan(10_000)
  })

  test('replaces an expired token once', async () => {
    let count = 0
    const { end, asked } = await wait(
      [answer(200, record('queued'), { etag: '"1"' }), answer(401, { code: 'unauthorized' }), answer(200, record('success'))],
      { getToken: async () => `token-${++count}` },
    )
    expect(outcome(end)).toBe('success')
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2'])
    const refused = await wait([answer(200, record('queued'), { etag: '"1"' }), answer(401, { code: 'unauthorized' })])
    expect(outcome(refused.end)).toBe('refused: the app responded with 401')
    expect(refused.asked.length).toBe(3)
  })

  test('searches for the record of a commit until it exists', async () => {
    const sha = 'a'.repeat(40)
    const { end, asked } = await wait(
      [
        answer(200, { updates: [] }),
        answer(200, { updates: [record('queued')] }),
        answer(200, record('in_progress'), { etag: '"2"' }),
        answer(200, record('success')),
      ],
      { wanted: { kind: 'commit', projectId: 'prj_1', sha } },
    )
    expect(outcome(end)).toBe('success')
    expect(asked.map(({ url }) => url)).toEqual([
      `/v1/project/prj_1/updates?sha=${sha}&limit=1`,
      `/v1/project/prj_1/updates?sha=${sha}&limit=1`,
      '/v1/project/update-status/u1',
      '/v1/project/update-status/u1',
    ])
  })
})

import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseAppUrl, requestWorkflowToken, sendReport } from '../../../src/status/client/call-app.ts'
import type { ConfigError } from '../../../src/text/errors.ts'
import { selfSigned } from '../../support/self-signed.ts'
import { serve } from '../../support/serve.ts'

test.each([
  ['https://pages.example.com', 'https://pages.example.com'],
  ['https://pages.example.com/', 'https://pages.example.com'],
  ['https://pages.example.com:8443', 'https://pages.example.com:8443'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
])('accepts %s', (text, address) => {
  expect(parseAppUrl(text, '`--url`')).toBe(address)
})

test.each([
  ['pages.example.com', 'expected the URL of an app', 'For example `https://pages.example.com`'],
  ['http://pages.example.com', 'expected an `https:` URL', 'Use `https:`. Tokens are sent over plain http only to localhost'],
  ['http://127.0.0.1.example.com', 'expected an `https:` URL', 'Use `https:`. Tokens are sent over plain http only to localhost'],
  ['http://localhost.example.com', 'expected an `https:` URL', 'Use `https:`. Tokens are sent over plain http only to localhost'],
  ['ftp://localhost', 'expected an `https:` URL', 'Use `https:`. Tokens are sent over plain http only to localhost'],
  ['https://pages.example.com/v1', 'expected a URL without a path', 'Use `https://pages.example.com`'],
  ['https://pages.example.com?x', 'expected a URL without a path', 'Use `https://pages.example.com`'],
  ['https://me:secret@pages.example.com', 'expected a URL without a user name or password', 'Remove them. The token is enough'],
])('rejects %s', (text, message, hint) => {
  let error: unknown
  try {
    parseAppUrl(text, '`--url`')
  } catch (thrown) {
    error = thrown
  }
  expect(error).toMatchObject({ name: 'ConfigError', hint, message: expect.stringContaining(message) })
  expect((error as ConfigError).message).not.toContain('secret')
})

/** Sends these responses in order and repeats the last one. `undefined` never responds, `cut` closes the connection early. */
async function report(answers: readonly ([number, (object | undefined)?, Record<string, string>?] | 'cut' | undefined)[]) {
  const keys: unknown[] = []
  const address = await serve((request, response) => {
    keys.push(request.headers['idempotency-key'])
    const answer = answers[Math.min(keys.length, answers.length) - 1]
    if (answer === 'cut') response.destroy()
    else if (answer) response.writeHead(answer[0], answer[2]).end(answer[1] && JSON.stringify(answer[1]))
  })
  // A busy machine can need longer than 300 ms for a response.
  const timeoutMs = answers.includes(undefined) ? 300 : 20_000
  const result = await sendReport({ status: 'success' }, { url: address, token: 'opk_t', proxyVariables: {}, timeoutMs })
  return { result, keys }
}

const made = { statusId: 'u1', detailsUrl: 'https://pages.example.com/updates/u1?s=x' }

describe('sending a report', () => {
  test('creates a record', async () => {
    const { result, keys } = await report([[201, made]])
    expect(result).toEqual({ kind: 'reported', ...made })
    expect(keys).toHaveLength(1)
  })

  test('retries a temporary failure once, with the same key', async () => {
    for (const first of [
      'cut',
      [503],
      [500, { code: 'internal' }],
      [429, { code: 'rate-limited' }, { 'retry-after': '0' }],
    ] as const) {
      const { result, keys } = await report([first as 'cut', [201, made]])
      expect(result.kind).toBe('reported')
      expect([keys.length, new Set(keys).size]).toEqual([2, 1])
    }
  })

  test.each<[string, Parameters<typeof report>[0], number, string]>([
    ['no response', [undefined], 2, 'no complete response within 0.3 s'],
    ['a broken connection', ['cut'], 2, 'the host closed the connection'],
    ['500', [[500, { code: 'internal', requestId: 'r-1' }]], 2, 'the app responded with 500 (request r-1)'],
    ['502 of a proxy', [[502]], 2, 'the app responded with 502'],
    [
      'a rate limit that persists',
      [[429, { code: 'rate-limited', detail: 'Too many' }, { 'retry-after': '60' }]],
      1,
      'the app responded with 429: Too many',
    ],
    ['401', [[401, { code: 'unauthorized' }]], 1, 'the app responded with 401'],
    ['404', [[404, { code: 'not-found', detail: 'No project' }]], 1, 'the app responded with 404: No project'],
    ['404 from another server', [[404]], 1, 'got 404 from a server that is not an openapi-pages app'],
    ['another success', [[200, { hello: 1 }]], 1, 'got 200 from a server that is not an openapi-pages app'],
    ['a record without an id', [[201, {}]], 1, 'got 201 from a server that is not an openapi-pages app'],
    [
      'a redirect',
      [[308, undefined, { location: 'https://evil.example' }]],
      1,
      'the URL redirects to https://evil.example, and tokens are not sent to redirect targets',
    ],
  ])('reports %s', async (_name, answers, times, reason) => {
    const { result, keys } = await report(answers)
    expect(result).toMatchObject({ kind: 'failed', reason, hint: expect.stringMatching(/./) })
    expect(keys).toHaveLength(times)
  })

  test.each(['javascript:alert(1)', 'x\n::error::y', 5, '//pages.example.com'])('does not link %j', async (detailsUrl) => {
    expect((await report([[201, { ...made, detailsUrl }]])).result).toEqual({
      kind: 'reported',
      statusId: 'u1',
      detailsUrl: undefined,
    })
  })

  test('sends no token to a server with an untrusted certificate', async () => {
    let asked = 0
    const server = createServer(selfSigned, (_request, response) => {
      asked++
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo // A listening server has one.
    const target = { url: `https://localhost:${port}`, token: 'opk_t', proxyVariables: {}, timeoutMs: 5_000 }
    expect(await sendReport({}, target)).toEqual({
      kind: 'failed',
      reason: 'the certificate is self-signed',
      hint: 'For a private certificate, set NODE_EXTRA_CA_CERTS to the file of its certificate authority',
    })
    expect(asked).toBe(0)
  })
})

describe('requesting the token of a workflow', () => {
  test('requests a token for a single app', async () => {
    const asked: unknown[] = []
    const issuer = await serve((request, response) => {
      asked.push([request.url, request.headers.authorization])
      response.end(JSON.stringify({ value: 'a.b.c' }))
    })
    const environment = { ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer}/t?api-version=2.0`, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'r' }
    expect(await requestWorkflowToken(environment, 'https://pages.example.com')).toEqual({ kind: 'token', token: 'a.b.c' })
    expect(asked).toEqual([['/t?api-version=2.0&audience=https%3A%2F%2Fpages.example.com', 'Bearer r']])
  })

  test('returns nothing without `id-token: write`', async () => {
    expect(await requestWorkflowToken({}, 'x')).toEqual({ kind: 'absent' })
  })

  test.each<[string, (answer: (status: number, body?: string) => void) => void, string]>([
    ['refused', (answer) => answer(403, '{}'), 'GitHub responded with 403'],
    ['not JSON', (answer) => answer(200, '<html>'), 'GitHub responded with 200'],
    ['empty', (answer) => answer(200, '{"value":""}'), 'GitHub responded with 200'],
    ['no response', () => {}, 'no complete response within 0.2 s'],
  ])('reports %s', async (_name, act, reason) => {
    const issuer = await serve((_request, response) => act((status, body) => response.writeHead(status).end(body)))
    const environment = { ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer}/`, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'r' }
    expect(await requestWorkflowToken(environment, 'x', 200)).toEqual({ kind: 'failed', reason })
  })
})

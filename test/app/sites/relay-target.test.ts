import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { relayLimits, sendToTarget } from '../../../src/app/sites/relay-target.ts'
import { localNetwork, serveHttps } from '../../support/serve-https.ts'

/** Sends `GET /` and reads the body until it ends or fails. */
async function get(origin: string, limits: Partial<typeof relayLimits> = {}, signal = new AbortController().signal) {
  const call = { slice: '', method: 'GET', url: `${origin}/`, headers: [['Authorization', 'Bearer s3cr3t']] } as const
  const options = { network: localNetwork, limits: { ...relayLimits, ...limits }, signal }
  const { head, body, outcome } = await sendToTarget(call, new Uint8Array(), options)
  const chunks: Uint8Array[] = []
  let error: string | undefined
  try {
    for await (const chunk of body) chunks.push(chunk)
  } catch (thrown) {
    error = String(thrown)
  }
  return { head, text: Buffer.concat(chunks).toString(), error, outcome: outcome() }
}

test('reports a response that is larger than the limit before it sends any of it', async () => {
  const origin = await serveHttps((_request, response) => response.end('a'.repeat(3 * 1024 * 1024)))
  expect(await get(origin, { responseBytes: 2 * 1024 * 1024 })).toEqual({
    head: { failure: 'The response of `localhost` is larger than 2 MB.' },
    text: '',
    error: undefined,
    outcome: 'too-large',
  })
})

test('stops a response without a length at the limit', async () => {
  const origin = await serveHttps((_request, response) => {
    response.write('a'.repeat(900))
    response.end('b'.repeat(200))
  })
  const { text, error, outcome } = await get(origin, { responseBytes: 1_000 })
  expect([text.length <= 1_000, error, outcome]).toEqual([
    true,
    'Error: The relayed response is incomplete: too-large',
    'too-large',
  ])
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('applies the limit to decompressed bytes (%s)', async (encoding, compress) => {
  const origin = await serveHttps((request, response) => {
    response.setHeader('Content-Encoding', encoding).end(compress(request.url === '/' ? 'a'.repeat(20_000_000) : ''))
  })
  const { text, outcome } = await get(origin, { responseBytes: 1_000_000 })
  expect([text.length <= 1_000_000, outcome]).toEqual([true, 'too-large'])
})

test('reports a response that cannot be decompressed', async () => {
  const origin = await serveHttps((_request, response) => response.setHeader('Content-Encoding', 'gzip').end('not gzip'))
  expect(await get(origin)).toMatchObject({ text: '', outcome: 'unreachable' })
})

test.each([
  ['a server that never responds', false, 0.3],
  // Long enough to connect and read its beginning on a busy machine.
  ['a response that never ends', true, 5],
])('ends %s at the time limit', async (_name, isBegun, seconds) => {
  const origin = await serveHttps((_request, response) => {
    if (isBegun) response.write('first')
  })
  const { head, text, outcome } = await get(origin, { timeMs: seconds * 1000 })
  if (!isBegun) expect(head).toEqual({ failure: `\`localhost\` did not respond within ${seconds} s.` })
  expect([text, outcome]).toEqual([isBegun ? 'first' : '', 'timeout'])
})

test('stops when the reader is gone', async () => {
  const gone = new AbortController()
  const origin = await serveHttps(() => gone.abort())
  expect((await get(origin, {}, gone.signal)).outcome).toBe('stopped')
  expect((await get(origin, {}, gone.signal)).outcome).toBe('stopped')
})

test('never puts a part of the request into an error', async () => {
  const origin = await serveHttps((_request, response) => response.socket?.destroy())
  expect(JSON.stringify(await get(origin))).not.toContain('s3cr3t')
})

import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runInFolder, snapshotOf } from './run-in-folder.ts'

const operation = (index: number) =>
  `  /p${index}:\n    get:\n      operationId: o${index}\n      responses:\n        '200':\n          description: okay\n`
const indexes = Array.from({ length: 12 }, (_, index) => index)
/** Each prefix that ends with an operation is a valid document, too. */
const yaml = `openapi: 3.1.0\ninfo:\n  title: T\n  version: '1'\npaths:\n${indexes.map(operation).join('')}`
const half = yaml.slice(0, yaml.indexOf('  /p6:'))
const rest = yaml.slice(half.length)
const json = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: Object.fromEntries(indexes.map((index) => [`/p${index}`, { get: { responses: { 200: { description: 'okay' } } } }])),
})
const page = '<!DOCTYPE html>\n<html><head><title>503</title></head><body><p>Down for maintenance: back soon</p></body></html>\n'

type Respond = (socket: Socket) => void | Promise<void>

const end = (status: string, headers: readonly string[], body: string | Uint8Array): Respond => {
  return (socket) => {
    socket.write([`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n'))
    socket.end(body)
  }
}
const whole = (status: string, body: string | Uint8Array, headers: readonly string[] = []) =>
  end(status, [`Content-Length: ${Buffer.byteLength(body)}`, ...headers], body)
/** Sends a part without a length, and resets the connection when the client has read it. */
const reset = (part: string | Uint8Array, headers: readonly string[] = []): Respond => {
  return async (socket) => {
    socket.write(['HTTP/1.1 200 OK', 'Connection: close', ...headers, '', ''].join('\r\n'))
    if (part.length > 0) await new Promise((written) => socket.write(part, written))
    setTimeout(() => socket.resetAndDestroy(), 30)
  }
}
const hang = (part: string, headers: readonly string[] = []): Respond => {
  return (socket) => void socket.write(['HTTP/1.1 200 OK', 'Connection: close', ...headers, '', part].join('\r\n'))
}
const encoded = (encoding: string, body: Uint8Array) => whole('200 OK', body, [`Content-Encoding: ${encoding}`])
const concat = (...parts: readonly Uint8Array[]) => Buffer.concat(parts)

const compressors = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }
const tenths = [1, 2, 3, 4, 5, 6, 7, 8, 9]
const tenthOf = (text: string, tenth: number) => text.slice(0, Math.floor((text.length * tenth) / 10))

export const misbehaviors: { readonly [name: string]: Respond } = {
  'no response': (socket) => void socket.resetAndDestroy(),
  'a response without a head': (socket) => void socket.end(),
  'a head that is cut': (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-'),
  'no HTTP': (socket) => void socket.end(yaml),
  'a time limit without a length': hang(half),
  'a time limit with a length': hang(half, [`Content-Length: ${yaml.length}`]),
  'a time limit before the body': hang(''),
  'a time limit in a chunk': hang(`${yaml.length.toString(16)}\r\n${half}`, ['Transfer-Encoding: chunked']),
  'a length that is too large': end('200 OK', [`Content-Length: ${yaml.length + 1}`], yaml),
  'two lengths': end('200 OK', [`Content-Length: ${half.length}`, `Content-Length: ${yaml.length}`], yaml),
  'a length and chunks': end('200 OK', [`Content-Length: ${half.length}`, 'Transfer-Encoding: chunked'], yaml),
  'a chunk without a last one': end('200 OK', ['Transfer-Encoding: chunked'], `${half.length.toString(16)}\r\n${half}\r\n`),
  'a chunk that is cut': end('200 OK', ['Transfer-Encoding: chunked'], `${yaml.length.toString(16)}\r\n${half}`),
  'a chunk with a wrong size': end('200 OK', ['Transfer-Encoding: chunked'], `zz\r\n${yaml}\r\n0\r\n\r\n`),
  'a reset after all bytes': reset(yaml),
  'status 100 only': end('100 Continue', [], ''),
  'status 101': end('101 Switching Protocols', ['Connection: Upgrade', 'Upgrade: x'], yaml),
  'status 103, then a cut response': end(
    '103 Early Hints',
    [],
    `HTTP/1.1 200 OK\r\nContent-Length: ${yaml.length}\r\n\r\n${half}`,
  ),
  ...Object.fromEntries(
    ['201 Created', '202 Accepted', '206 Partial Content', '207 Multi-Status', '226 IM Used', '299 Odd'].map((status) => [
      `status ${status}`,
      whole(status, half),
    ]),
  ),
  'status 204': end('204 No Content', [], ''),
  'status 205': whole('205 Reset Content', ''),
  'status 300': whole('300 Multiple Choices', half),
  'status 302 without a location': whole('302 Found', half),
  'status 302 to itself': end('302 Found', ['Location: /openapi', 'Content-Length: 0'], ''),
  'status 304 without a condition': end('304 Not Modified', [], ''),
  'status 305': whole('305 Use Proxy', half),
  'status 408': whole('408 Request Timeout', half),
  'status 429': whole('429 Too Many Requests', half),
  'status 500': whole('500 Internal Server Error', half),
  'status 503': whole('503 Service Unavailable', half),
  'an empty response': whole('200 OK', ''),
  'an empty response without a length': end('200 OK', ['Connection: close'], ''),
  'a space': whole('200 OK', ' \n'),
  'an HTML page': whole('200 OK', page, ['Content-Type: text/html']),
  'an HTML page with colons': whole('200 OK', '<html>\nbody: 1\n</html>\n'),
  'a JSON error': whole('200 OK', '{"error":"down","message":"Try again"}'),
  'an empty object': whole('200 OK', '{}'),
  'an empty list': whole('200 OK', '[]'),
  null: whole('200 OK', 'null'),
  'a plain text': whole('200 OK', 'Service unavailable'),
  'bytes that are not text': whole('200 OK', Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x80])),
  'an unknown encoding': encoded('constructor', Buffer.from(half)),
  'two encodings': encoded('gzip, gzip', gzipSync(gzipSync(half))),
  'an encoding that is not there': encoded('gzip', Buffer.from(half)),
  'a gzip checksum that is wrong': encoded('gzip', concat(gzipSync(half).subarray(0, -8), Buffer.alloc(8, 1))),
  'deflate without its head': encoded('deflate', deflateSync(half).subarray(2)),
  ...Object.fromEntries(
    Object.entries(compressors).flatMap(([encoding, compress]) => {
      const bytes = compress(yaml)
      const cut = bytes.subarray(0, bytes.length >> 1)
      const second = concat(compress(half), compress(rest).subarray(0, 12))
      return [
        [`${encoding} that is cut`, encoded(encoding, cut)],
        [`${encoding} that ends before its last byte`, encoded(encoding, bytes.subarray(0, -1))],
        [`${encoding} that is cut without a length`, end('200 OK', [`Content-Encoding: ${encoding}`, 'Connection: close'], cut)],
        [`${encoding} that is reset`, reset(cut, [`Content-Encoding: ${encoding}`])],
        [`two ${encoding} streams, one of them cut`, encoded(encoding, second)],
        [`${encoding}, then other bytes`, encoded(encoding, concat(compress(half), Buffer.from(`garbage${rest}`)))],
        [`no bytes of ${encoding}`, encoded(encoding, Buffer.alloc(0))],
      ]
    }),
  ),
  ...Object.fromEntries(
    tenths.flatMap((tenth) => [
      [`a reset after ${tenth}/10`, reset(tenthOf(yaml, tenth))],
      [`${tenth}/10 of the length`, end('200 OK', [`Content-Length: ${yaml.length}`], tenthOf(yaml, tenth))],
      [`${tenth}/10 of a JSON document`, end('200 OK', ['Connection: close'], tenthOf(json, tenth))],
    ]),
  ),
}

// The copy is not used, because its readers may have lost access.
export const refusals: readonly (readonly [string, Respond])[] = [
  ...['400 Bad Request', '401 Unauthorized', '403 Forbidden', '404 Not Found', '410 Gone', '451 Unavailable'].map(
    (status) => [status, whole(status, half)] as const,
  ),
  ['404 without a body', whole('404 Gone', '')],
]

let respond: Respond = whole('200 OK', yaml)
let folder = ''
let server: Server | undefined
const sockets = new Set<Socket>()
let before: ReturnType<typeof snapshotOf> = {}

beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    socket.once('data', () => void respond(socket))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // A server that listens on a port returns its address as an object.
  const { port } = server.address() as AddressInfo
  const tabs = [{ tab: 'API', openapi: `http://127.0.0.1:${port}/openapi` }]
  folder = mkdtempSync(join(tmpdir(), 'openapi-pages-test-'))
  writeFileSync(join(folder, 'docs.json'), JSON.stringify({ name: 'Zoo', navigation: { tabs } }))
  writeFileSync(join(folder, 'openapi-pages.config.yaml'), 'limits:\n  fetch-time: 1\n')
  for (const { exitCode, stdout, stderr } of [await run('update'), await run('build')]) expect(exitCode, stdout + stderr).toBe(0)
  before = snapshotOf(folder)
  expect(Object.keys(before).filter((path) => path.endsWith('.mdx'))).toHaveLength(indexes.length)
  expect(Object.keys(before).filter((path) => path.endsWith('.txt'))).toContainEqual(expect.stringContaining('-cache/'))
})

// Not returned by `beforeAll`: that would run after the check for leftovers.
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  server?.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})

async function run(command: 'update' | 'build') {
  return await runInFolder(folder, [command, '--allow-http', ...(command === 'build' ? ['-o', 'site'] : [])])
}

/** Declares a test for each of these responses. */
export function testServers(misbehaving: typeof misbehaviors, refusing: typeof refusals): void {
  describe('a server that misbehaves changes no page, copy, lock file or site', () => {
    test.each(Object.entries(misbehaving))('%s', async (_name, misbehave) => {
      respond = misbehave
      const update = await run('update')
      expect(update.exitCode, update.stdout + update.stderr).not.toBe(0)
      expect(snapshotOf(folder)).toEqual(before)
      const build = await run('build')
      expect(build.stdout + build.stderr).toContain('url-copy-used')
      expect(snapshotOf(folder)).toEqual(before)
    })

    test.each(refusing)('status %s', async (_status, refuse) => {
      respond = refuse
      expect((await run('update')).exitCode).toBe(2)
      for (const { exitCode, stdout } of [await run('build'), await run('build')]) {
        expect([exitCode, stdout]).toEqual([
          2,
          expect.stringMatching(/url-unreachable.*The document was read before.*site not updated/s),
        ])
        expect(snapshotOf(folder)).toEqual(before)
      }
    })
  })
}

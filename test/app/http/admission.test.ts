import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { setImmediate as tick } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { UnverifiedBodies } from '../../../src/app/github-events/webhooks/unverified-bodies.ts'
import { Connections } from '../../../src/app/start/connections.ts'

const options = { limit: 1_000, secret: 'secret', signature: `sha256=${'0'.repeat(64)}` }

/** Writes to a body and waits until it is read. */
async function send(body: PassThrough, bytes: number): Promise<void> {
  body.write(Buffer.alloc(bytes))
  for (let turn = 0; turn < 5; turn += 1) await tick()
}

test('limits the size of unverified bodies per IP address and in total', async () => {
  const bodies = new UnverifiedBodies({ total: 250, perAddress: 100 })
  const start = (address: string) => {
    const body = new PassThrough()
    const outcome = bodies.read(body, { ...options, address }).then(
      () => 'read',
      (error: { code: string }) => error.code,
    )
    return { body, outcome }
  }
  const first = start('192.0.2.1')
  await send(first.body, 80)
  const second = start('192.0.2.1')
  await send(second.body, 30)
  expect(await second.outcome).toBe('unavailable')
  expect(bodies.bytes).toBe(80)
  // One customer usually owns a whole /64.
  const third = start('2001:db8::1')
  await send(third.body, 90)
  const fourth = start('2001:db8:0:0:5::9')
  await send(fourth.body, 20)
  expect(await fourth.outcome).toBe('unavailable')
  const fifth = start('192.0.2.5')
  await send(fifth.body, 79)
  const sixth = start('192.0.2.6')
  await send(sixth.body, 10)
  expect(await sixth.outcome).toBe('unavailable')
  expect(bodies.bytes).toBe(249)
  first.body.end()
  third.body.destroy(new Error('gone'))
  fifth.body.end()
  await Promise.all([first.outcome, third.outcome, fifth.outcome])
  expect(await first.outcome).toBe('unauthorized')
  expect(bodies.bytes).toBe(0)
})

test('serves other requests while bodies arrive', async () => {
  const bodies = new UnverifiedBodies()
  const mebibyte = 1024 * 1024
  async function* sendAtOnce() {
    for (let sent = 0; sent < 10; sent += 1 / 16) yield Buffer.alloc(mebibyte / 16)
  }
  let turns = 0
  let isRead = false
  const read = Promise.allSettled(
    ['192.0.2.1', '192.0.2.2'].map((address) => bodies.read(sendAtOnce(), { ...options, address, limit: 25 * mebibyte })),
  ).then(() => {
    isRead = true
  })
  while (!isRead) {
    await tick()
    turns += 1
  }
  await read
  expect(turns).toBeGreaterThanOrEqual(150)
})

test('rejects connections over the limit with 503 until others close', async () => {
  const server = createServer((_request, response) => void response.end('served'))
  const limits = { total: 10, perAddress: 2 }
  const refuse = (socket: Socket) => void socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n')
  const connections = new Connections(server, { limits, isBehindProxy: false, refuse })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const open = async () => {
    const socket = connect(address !== null && typeof address === 'object' ? address.port : 0, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const kept = [await open(), await open()]
  const third = await open()
  expect(String((await once(third, 'data'))[0])).toMatch(/^HTTP\/1\.1 503 /)
  await expect.poll(() => connections.size).toBe(2)
  kept[0]?.destroy()
  await expect.poll(() => connections.size).toBe(1)
  const fourth = await open()
  fourth.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(String((await once(fourth, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
})

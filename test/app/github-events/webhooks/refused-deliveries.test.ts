import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { webhookPath } from '../../../../src/app/base/manifest.ts'
import { addProjectOf, connectApp } from '../../support/connected-app.ts'
import { startTestApp } from '../../support/test-app.ts'
import { files, post } from './post-delivery.ts'

describe('the receiver', () => {
  test.each([
    ['a forged one', 'sha256='.padEnd(71, '0')],
    ['one of another secret', undefined],
    ['one that is too short', 'sha256=00'],
    ['one of another kind', 'sha1='.padEnd(45, '0')],
    ['none', null],
  ])('rejects %s as the signature, without details', async (_name, signature) => {
    const { github, store, updates } = await connectApp({ withoutRuns: true })
    const repository = github.createRepository('acme/api', { files })
    await addProjectOf({ store }, repository)
    const payload = repository.pushPayload(repository.commit({ files: { 'a.mdx': 'a' } }))
    const how = signature === undefined ? { secret: 'another-secret-of-sixteen' } : { signature }
    const { status, body } = await github.deliver('push', payload, how)
    expect(status).toBe(401)
    expect(Object.keys(JSON.parse(body)).sort()).toEqual(['code', 'requestId', 'status', 'title', 'type'])
    expect(body).not.toMatch(/signature|webhook|secret/i)
    expect(await updates()).toEqual([])
  })

  test('rejects a body over 25 MB', async () => {
    const { github, app } = await connectApp({ withoutRuns: true })
    const body = new Uint8Array(25 * 1024 * 1024 + 1).fill(32)
    expect((await post(app.address, github.app.webhookSecret, body)).status).toBe(413)
  })

  test('cuts off a body over 25 MB without a Content-Length', async () => {
    const { app } = await connectApp({ withoutRuns: true })
    const { hostname, port } = new URL(app.address)
    const signature = `X-Hub-Signature-256: sha256=${'0'.repeat(64)}`
    const head = [
      signature,
      'X-GitHub-Event: push',
      'X-GitHub-Delivery: a',
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ]
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname)
      onTestFinished(() => void socket.destroy())
      // The server sends the response, then closes the connection.
      socket.on('data', (data) => resolve(data.toString())).on('error', () => undefined)
      socket.on('close', () => reject(new Error('Closed without an answer')))
      socket.write(`POST ${webhookPath} HTTP/1.1\r\nHost: a\r\n${head.join('\r\n')}\r\n\r\n`)
      const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1024 * 1024, 32), Buffer.from('\r\n')])
      // Send exactly one byte over the limit: unread bytes at close would make the system discard the response.
      let left = 25
      const write = () => {
        while (left-- > 0) if (!socket.write(chunk)) return void socket.once('drain', write)
        socket.write('10\r\n0123456789abcdef\r\n')
      }
      write()
    })
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('accepts a body of nearly 25 MB', async () => {
    const { github, app } = await connectApp({ withoutRuns: true })
    const body = JSON.stringify({ zen: 'x'.repeat(25 * 1024 * 1024 - 100) })
    expect((await post(app.address, github.app.webhookSecret, body)).status).toBe(202)
  })

  test.each([
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
    ['no event', { 'X-GitHub-Event': undefined }, 400],
    ['an event that could forge a line', { 'X-GitHub-Event': 'push"} {' }, 400],
    ['no delivery id', { 'X-GitHub-Delivery': undefined }, 400],
    ['a delivery id that is too long', { 'X-GitHub-Delivery': 'a'.repeat(65) }, 400],
  ])('rejects %s', async (_name, headers, status) => {
    const { github, app } = await connectApp({ withoutRuns: true })
    expect((await post(app.address, github.app.webhookSecret, '{"zen":"a"}', headers)).status).toBe(status)
  })

  test.each([
    ['no signature', [], 401],
    ['a malformed signature', ['X-Hub-Signature-256: sha256=xyz'], 401],
    ['no delivery id', ['X-GitHub-Delivery:', `X-Hub-Signature-256: sha256=${'0'.repeat(64)}`], 400],
    ['a length over the limit', ['Content-Length: 99999999', `X-Hub-Signature-256: sha256=${'0'.repeat(64)}`], 413],
    ['another type', ['Content-Type: text/plain', `X-Hub-Signature-256: sha256=${'0'.repeat(64)}`], 415],
  ])('rejects a delivery with %s before its body is sent', async (_name, given, status) => {
    const { app } = await connectApp({ withoutRuns: true })
    const { hostname, port } = new URL(app.address)
    const usual = ['Content-Length: 20000000', 'Content-Type: application/json', 'X-GitHub-Event: push', 'X-GitHub-Delivery: a']
    const isGiven = (line: string) => given.some((one) => one.startsWith(line.slice(0, line.indexOf(':') + 1)))
    const lines = ['Host: a', ...usual.filter((line) => !isGiven(line)), ...given]
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    socket.write(`POST ${webhookPath} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })

  test.each([
    ['push', {}],
    ['push', { ref: 'refs/heads/main', deleted: false }],
    ['pull_request', { action: 'opened', repository: null }],
    ['check_run', { action: 'rerequested' }],
    ['check_suite', { action: 'rerequested', check_suite: 1 }],
    ['merge_group', { action: 'checks_requested' }],
    ['installation', { action: 'deleted' }],
    ['installation_repositories', { action: 'removed', installation: { id: 1 } }],
    ['repository', { action: 'renamed', repository: { id: 'x' } }],
  ])('rejects a signed %s with missing fields: %j', async (event, payload) => {
    const { github, app, store } = await connectApp({ withoutRuns: true })
    const answer = await post(app.address, github.app.webhookSecret, JSON.stringify(payload), { 'X-GitHub-Event': event })
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'invalid-request' })
    expect(await store.projects.list()).toEqual([])
  })

  test('rejects a signed body that is not JSON', async () => {
    const { github, app } = await connectApp({ withoutRuns: true })
    const { status, text } = await post(app.address, github.app.webhookSecret, '{')
    expect(status).toBe(400)
    expect(text).not.toMatch(/JSON/)
  })

  test('rejects all deliveries until a GitHub App is set up', async () => {
    const { address } = await startTestApp(onTestFinished)
    expect((await post(address, 'a', '{}')).status).not.toBe(202)
  })
})

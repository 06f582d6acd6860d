import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { databaseFileName } from '../../../src/app/open-store.ts'
import { appEvents, webhookPath } from '../../../src/app/setup/manifest.ts'
import { handledNames } from '../../../src/app/webhooks/handlers.ts'
import { toExample } from '../../support/fake-github/payloads.ts'
import { listPositions, names, put } from '../../support/member-names.ts'
import { propertyRuns, seed } from '../../support/properties.ts'
import { createRandom } from '../../support/random.ts'
import { addProjectOf, connectApp, docsConfig, validDocument } from '../support/connected-app.ts'
import { startTestApp } from '../support/test-app.ts'

const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }

/** Posts a raw body, by default with a valid signature. */
async function post(
  address: string,
  secret: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<{ status: number; text: string; headers: Headers }> {
  const all = {
    'Content-Type': 'application/json',
    'X-GitHub-Event': 'ping',
    'X-GitHub-Delivery': randomUUID(),
    'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    ...headers,
  }
  const given = Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
  const response = await fetch(`${address}${webhookPath}`, { method: 'POST', headers: given, body })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

test('the manifest declares exactly the handled events', () => {
  const handled = new Set(handledNames.map((name) => name.split('.')[0]))
  // GitHub sends these to every app without a subscription.
  const unasked = ['github_app_authorization', 'installation', 'installation_repositories', 'ping']
  expect([...handled].sort()).toEqual([...appEvents, ...unasked].sort())
})

describe('a delivery', () => {
  test('creates one record and one job if it arrives twice', async () => {
    const { github, store, updates } = await connectApp({ withoutRuns: true })
    const repository = github.createRepository('acme/api', { files })
    await addProjectOf({ store }, repository)
    const payload = repository.pushPayload(repository.commit({ files: { 'a.mdx': 'a' } }))
    const answers = await Promise.all(Array.from({ length: 10 }, () => github.deliver('push', payload, { guid: 'delivery-1' })))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202))
    expect(await updates()).toHaveLength(1)
    // The run, and the task that creates its check.
    expect(await store.queue.stats()).toMatchObject({ waiting: 2, leased: 0 })
  })

  test('is acknowledged after it is on disk, without a request about the repository', async () => {
    const { github, store, updates } = await connectApp({ withoutRuns: true })
    const repository = github.createRepository('acme/api', { files })
    await addProjectOf({ store }, repository)
    const asked = github.requests.length
    const { delivery } = await repository.push({ files: { 'a.mdx': 'a' } })
    expect(delivery.status).toBe(202)
    expect(github.requests.slice(asked).filter(({ url }) => url.includes('/repos/'))).toEqual([])
    expect(await updates()).toHaveLength(1)
  })

  test('changes nothing if it is replayed with another payload', async () => {
    const { github, store, updates } = await connectApp({ withoutRuns: true })
    const repository = github.createRepository('acme/api', { files })
    await addProjectOf({ store }, repository)
    const first = repository.commit({ files: { 'a.mdx': 'a' } })
    await github.deliver('push', repository.pushPayload(first), { guid: 'delivery-1' })
    const second = repository.commit({ files: { 'a.mdx': 'b' } })
    await github.deliver('push', repository.pushPayload(second), { guid: 'delivery-1' })
    expect((await updates()).map(({ update }) => update.commit.sha)).toEqual([first.after])
  })
})

describe('deduplication by push', () => {
  test('finds the same record for another delivery of the same push', async () => {
    const { github, store, updates } = await connectApp({ withoutRuns: true })
    const repository = github.createRepository('acme/api', { files })
    await addProjectOf({ store }, repository)
    const payload = repository.pushPayload(repository.commit({ files: { 'a.mdx': 'a' } }))
    await github.deliver('push', payload)
    await github.deliver('push', payload)
    expect(await updates()).toHaveLength(1)
  })

  test('creates a new update for a forced push back to an earlier commit', async () => {
    const { github, store, updates } = await connectApp({ withoutRuns: true })
    const repository = github.createRepository('acme/api', { files })
    await addProjectOf({ store }, repository)
    const { sha: first } = await repository.push({ files: { 'a.mdx': 'a' } })
    const { sha: second } = await repository.push({ files: { 'a.mdx': 'b' } })
    await github.deliver('push', repository.pushPayload(repository.moveBranch('main', first)))
    await github.deliver('push', repository.pushPayload(repository.moveBranch('main', second)))
    expect((await updates()).map(({ update }) => update.commit.sha)).toEqual([first, second, first, second])
  })
})

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

test('acknowledges all sample payloads and ignores unhandled events', async () => {
  const { github, app, store } = await connectApp({ withoutRuns: true })
  const path = createRequire(import.meta.url).resolve('@octokit/webhooks-examples')
  const sets: { name: string; examples: object[] }[] = JSON.parse(readFileSync(path, 'utf8'))
  const wrong: string[] = []
  for (const { name, examples } of sets) {
    for (const example of examples) {
      const headers = { 'X-GitHub-Event': name }
      const { status } = await post(app.address, github.app.webhookSecret, JSON.stringify(example), headers)
      if (status !== 202) wrong.push(`${name} ${'action' in example ? example.action : ''}: ${status}`)
    }
  }
  expect(wrong).toEqual([])
  expect(sets.length).toBeGreaterThan(40)
  // The samples include pushes, pull requests and merge groups of fictional repositories.
  expect((await store.queue.stats()).waiting).toBeGreaterThan(2)
  await github.deliver('ping', { zen: 'Keep it logically awesome.', hook_id: 1 }, { guid: 'ping-1' })
  expect(await store.deliveries.has('ping-1')).toBe(true)
})

test('names of members of objects are ordinary texts in a payload, and ordinary events', async () => {
  const { github, app, store } = await connectApp({ withoutRuns: true })
  const repository = github.createRepository('acme/api', { files })
  await addProjectOf({ store }, repository)
  const own = repository.pushPayload(repository.commit({ files: { 'a.mdx': 'a' } }))
  const payloads: { event: string; payload: object }[] = [{ event: 'push', payload: own }]
  for (const name of handledNames) {
    const [event = '', action] = name.split('.')
    payloads.push({ event, payload: { changes: {}, ...toExample(event), ...(action !== undefined && { action }) } })
  }
  const deliver = async (event: string, payload: unknown) =>
    (await post(app.address, github.app.webhookSecret, JSON.stringify(payload), { 'X-GitHub-Event': event })).status
  const random = createRandom(seed)
  for (const [name, ordinary] of names) expect(await deliver(name, own), name).toBe(await deliver(ordinary, own))
  for (const { event, payload } of payloads) {
    expect(await deliver(event, { ...payload, action: random.of(names)[0] }), event).toBe(202)
  }
  for (let run = 0; run < propertyRuns(300); run++) {
    const { event, payload } = random.of(payloads)
    const position = random.of(listPositions(payload))
    const [name, ordinary] = random.of(names)
    const place = `${name} at ${event} ${position.segments.join('/')}`
    const statuses = [await deliver(event, put(payload, position, name)), await deliver(event, put(payload, position, ordinary))]
    expect(statuses[0], place).toBe(statuses[1])
    expect(statuses[0], place).toBeLessThan(500)
  }
})

test('does not acknowledge a delivery that cannot be stored', async () => {
  const { github, dataDir, store, updates } = await connectApp({ withoutRuns: true })
  const repository = github.createRepository('acme/api', { files })
  await addProjectOf({ store }, repository)
  const other = new DatabaseSync(join(dataDir, databaseFileName))
  onTestFinished(() => other.close())
  other.exec('begin immediate')
  const payload = repository.pushPayload(repository.commit({ files: { 'a.mdx': 'a' } }))
  expect(await github.deliver('push', payload, { guid: 'a' })).toMatchObject({ status: 503 })
  other.exec('rollback')
  expect(await updates()).toEqual([])
  // GitHub sends it again with the same ID.
  expect(await github.deliver('push', payload, { guid: 'a' })).toMatchObject({ status: 202 })
  expect(await updates()).toHaveLength(1)
})

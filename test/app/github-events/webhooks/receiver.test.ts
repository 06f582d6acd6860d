import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { appEvents } from '../../../../src/app/base/manifest.ts'
import { databaseFileName } from '../../../../src/app/base/open-store.ts'
import { handledNames } from '../../../../src/app/github-events/webhooks/handlers.ts'
import { toExample } from '../../../support/fake-github/payloads.ts'
import { listPositions, names, put } from '../../../support/member-names.ts'
import { propertyRuns, seed } from '../../../support/properties.ts'
import { createRandom } from '../../../support/random.ts'
import { addProjectOf, connectApp } from '../../support/connected-app.ts'
import { files, post } from './post-delivery.ts'

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
  expect(await store.deliveries.findMissing(['ping-1'])).toEqual([])
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

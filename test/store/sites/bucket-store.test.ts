import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { StoreLimits } from '../../../src/store/database/store-database.ts'
import { openS3Bucket } from '../../../src/store/sites/s3-bucket.ts'
import { sitePartBytes } from '../../../src/store/sites/stored-sites.ts'
import { openSqliteStore, type Store } from '../../../src/store/store.ts'
import { type S3Server, s3Credentials, startS3, testBucket } from '../../support/s3-server.ts'
import { hashOf, publishPush, readSite, readText, toContent } from '../site-fixture.ts'
import { addProject, createClock } from '../store-fixture.ts'

const hour = 3_600_000

let s3: S3Server
const opened: Store[] = []
const folders: string[] = []

beforeAll(async () => {
  s3 = await startS3()
})
beforeEach(() => {
  for (const [name, value] of Object.entries(s3Credentials)) vi.stubEnv(name, value)
})
afterEach(async () => {
  s3.fault = undefined
  vi.unstubAllEnvs()
  for (const store of opened.splice(0)) await store.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
afterAll(() => s3.stop())

let prefixes = 0

function newPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-pages-store-'))
  folders.push(folder)
  return { path: join(folder, 'store.sqlite'), prefix: `test-${++prefixes}/` }
}

interface OpenOptions {
  readonly path: string
  /** Default: no bucket. */
  readonly prefix?: string
  readonly now: () => number
  readonly limits?: Partial<StoreLimits>
}

async function open({ prefix, ...options }: OpenOptions): Promise<Store> {
  const bucket = prefix === undefined ? undefined : openS3Bucket({ name: testBucket, prefix, endpoint: s3.endpoint })
  const store = await openSqliteStore({ ...options, bucket })
  opened.push(store)
  return store
}

/** The names of the objects below a prefix, without the mark of the store. */
function listObjects(prefix: string): readonly string[] {
  return s3.list().filter((name) => name.startsWith(prefix) && !name.endsWith('/openapi-pages-store'))
}

async function openNew(options: { readonly withoutBucket?: boolean } = {}) {
  const clock = createClock()
  const { path, prefix } = newPlace()
  const store = await open({ path, now: clock.now, ...(!options.withoutBucket && { prefix }) })
  return { store, clock, path, prefix, project: await addProject(store) }
}

describe('objects', () => {
  test('stores each body as an object with safe headers', async () => {
    const { store, prefix } = await openNew()
    const bytes = Buffer.from('a text')
    const bodies = { br: bytes, gzip: Buffer.from('longer text') }
    await store.sites.addContents([{ hash: hashOf('x'), sizeBytes: 20, bodies }, toContent('plain')])
    const names = listObjects(prefix)
    expect(names.map((name) => name.replace(/[0-9a-f]{12}-[0-9a-f]{32}/, 'id'))).toEqual(
      expect.arrayContaining([`${prefix}id.br`, `${prefix}id.gzip`, `${prefix}id.identity`]),
    )
    const found = await fetch(`${s3.endpoint}/${testBucket}/${names.find((name) => name.endsWith('.gzip'))}`)
    expect(Object.fromEntries(found.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'content-encoding': 'gzip',
      'cache-control': 'private, max-age=31536000, immutable',
    })
    expect(await readParts(store, { hash: hashOf('x'), encoding: 'br' })).toEqual(bytes)
    expect(await readParts(store, { hash: hashOf('x'), encoding: 'gzip' })).toEqual(bodies.gzip)
  })

  test('reads a large body in parts, and empty bodies', async () => {
    const { store } = await openNew()
    const large = Buffer.alloc(2 * sitePartBytes + 5, 'abc')
    const exact = Buffer.alloc(sitePartBytes, 'd')
    for (const bytes of [large, exact, Buffer.alloc(0)]) {
      const hash = hashOf(bytes.toString())
      await store.sites.addContents([{ hash, sizeBytes: bytes.length, bodies: { identity: bytes } }])
      expect((await readParts(store, { hash, encoding: 'identity' })).equals(bytes)).toBe(true)
    }
    const rest = await readParts(store, { hash: hashOf(large.toString()), encoding: 'identity', first: 2 })
    expect(rest).toEqual(large.subarray(2 * sitePartBytes))
  })

  test('does not upload an existing content, and leaves one object of two concurrent uploads', async () => {
    const { store, prefix, path, clock } = await openNew()
    const other = await open({ path, prefix, now: clock.now })
    await Promise.all([store.sites.addContents([toContent('same')]), other.sites.addContents([toContent('same')])])
    expect(listObjects(prefix)).toHaveLength(1)
    s3.requests.length = 0
    await store.sites.addContents([toContent('same')])
    expect(s3.requests).toEqual([])
    expect(await readText(other, hashOf('same'))).toBe('same')
  })

  test('deletes the objects of collected contents, and no others', async () => {
    const { store, clock, prefix, project } = await openNew()
    const { buildId } = await publishPush(store, project, { now: clock.now, sha: 1, texts: { 'index.html': 'one' } })
    await store.sites.addContents([toContent('unused')])
    expect(listObjects(prefix)).toHaveLength(2)
    clock.advance(hour + 1)
    expect(await store.sites.collect()).toMatchObject({ contents: 1 })
    expect(listObjects(prefix)).toHaveLength(1)
    expect(await readSite(store, buildId)).toEqual({ 'index.html': 'one' })
    // A content that returns gets another name, so a late deletion of the old one is harmless.
    const [kept] = listObjects(prefix)
    await store.sites.addContents([toContent('unused')])
    expect(listObjects(prefix)).toHaveLength(2)
    expect(listObjects(prefix)).toContain(kept)
  })
})

describe('failures', () => {
  test('leaves no row if an upload fails, and stores the content later', async () => {
    const { store } = await openNew()
    await store.sites.checkPlace()
    s3.fault = (request, response) => {
      if (request.method !== 'PUT') return false
      response.writeHead(500).end()
      return true
    }
    await expect(store.sites.addContents([toContent('one')])).rejects.toMatchObject({ name: 'StoreError', isTemporary: true })
    s3.fault = undefined
    expect(await store.sites.findMissing([hashOf('one')])).toEqual([hashOf('one')])
    await store.sites.addContents([toContent('one')])
    expect(await readText(store, hashOf('one'))).toBe('one')
  })

  test('repeats requests after a short outage and after truncated responses', async () => {
    const { store } = await openNew()
    let failures = 0
    s3.fault = (request, response) => {
      if (failures >= 2 || request.url?.includes('openapi-pages-store')) return false
      failures++
      if (request.method === 'GET') response.writeHead(200, { 'Content-Length': 3 }).write('o', () => response.destroy())
      else request.destroy()
      return true
    }
    await store.sites.addContents([toContent('one')])
    expect(failures).toBe(2)
    failures = 0
    expect(await readText(store, hashOf('one'))).toBe('one')
    expect(failures).toBe(2)
  })

  test('explains an upload that the bucket refuses', async () => {
    const { store } = await openNew()
    await store.sites.checkPlace()
    s3.fault = (request, response) => {
      if (request.method !== 'PUT') return false
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
      return true
    }
    await expect(store.sites.addContents([toContent('one')])).rejects.toMatchObject({
      hint: expect.stringContaining('s3:PutObject'),
    })
  })

  test('names a missing object', async () => {
    const { store } = await openNew()
    await store.sites.addContents([toContent('one')])
    s3.fault = (request, response) => {
      response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
      return request.method === 'GET'
    }
    await expect(readText(store, hashOf('one'))).rejects.toThrow(/\.identity is missing or damaged/)
  })

  test.each([
    ['wrong credentials', { AWS_ACCESS_KEY_ID: 'nobody' }, {}, 'Check AWS_ACCESS_KEY_ID'],
    ['a missing bucket', {}, { name: 'none' }, 'Create the bucket'],
    ['an unreachable server', {}, { endpoint: 'http://127.0.0.1:1' }, 'Check the network'],
  ])('explains %s', async (_title, env, place, hint) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    const bucket = openS3Bucket({ name: testBucket, prefix: 'explained/', endpoint: s3.endpoint, ...place })
    const store = await openSqliteStore({ path: newPlace().path, bucket })
    opened.push(store)
    await expect(store.sites.checkPlace()).rejects.toMatchObject({
      message: expect.stringMatching(/^Cannot use the bucket s3:\/\/\S+: \S/),
      hint: expect.stringContaining(hint),
    })
  })

  test('explains missing credentials without shared files', async () => {
    for (const name of Object.keys(s3Credentials)) vi.stubEnv(name, '')
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nonexistent/credentials')
    vi.stubEnv('AWS_CONFIG_FILE', '/nonexistent/config')
    const { store } = await openNew()
    await expect(store.sites.checkPlace()).rejects.toMatchObject({ hint: expect.stringContaining('Set AWS_ACCESS_KEY_ID') })
  })
})

describe('the owner of a prefix', () => {
  test('rejects the bucket of another store, and a store without its bucket', async () => {
    const first = await openNew()
    await first.store.sites.addContents([toContent('one')])
    const second = await open({ path: newPlace().path, prefix: first.prefix, now: first.clock.now })
    await expect(second.sites.checkPlace()).rejects.toThrow('it belongs to another store')
    await expect(second.sites.addContents([toContent('two')])).rejects.toThrow('it belongs to another store')
    // Its objects have no row in this store, and are old enough to be deleted.
    first.clock.advance(48 * hour)
    await expect(second.sites.collect()).rejects.toThrow('it belongs to another store')
    expect(listObjects(first.prefix)).toHaveLength(1)
    const moved = await open({ path: first.path, prefix: 'elsewhere/', now: first.clock.now })
    await expect(moved.sites.checkPlace()).rejects.toThrow('does not contain the files of this store')
    const without = await open({ path: first.path, now: first.clock.now })
    await expect(without.sites.checkPlace()).rejects.toMatchObject({ hint: expect.stringContaining('Set SITES_BUCKET') })
    await first.store.sites.checkPlace()
  })
})

describe('killed processes', () => {
  test('removes the objects of a process that was killed before it wrote their row', async () => {
    const { store, clock, prefix, path, project } = await openNew()
    const { buildId } = await publishPush(store, project, { now: clock.now, sha: 1, texts: { 'index.html': 'one' } })
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, '../../support/bucket-process.ts'), path, prefix, s3.endpoint],
      {
        env: { ...process.env, TEST_NOW: String(clock.now()) },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    // The second object arrives whole, but its response does not.
    let puts = 0
    s3.fault = (request, response) => {
      if (request.method !== 'PUT' || ++puts < 2) return false
      response.writeHead = () => {
        child.kill('SIGKILL')
        return response
      }
      return false
    }
    await once(child, 'exit')
    s3.fault = undefined
    expect(listObjects(prefix)).toHaveLength(3)
    expect(await store.sites.findMissing([hashOf('killed')])).toEqual([hashOf('killed')])
    clock.advance(23 * hour)
    await store.sites.collect()
    expect(listObjects(prefix)).toHaveLength(3)
    clock.advance(hour + 1)
    await store.sites.collect()
    expect(listObjects(prefix)).toHaveLength(1)
    expect(await readSite(store, buildId)).toEqual({ 'index.html': 'one' })
  })

  test('keeps objects that the store did not name', async () => {
    const { store, clock, prefix } = await openNew()
    const bucket = openS3Bucket({ name: testBucket, prefix, endpoint: s3.endpoint })
    await bucket.put('notes.txt', Buffer.from('mine'), 'identity')
    await store.sites.addContents([toContent('one')])
    clock.advance(48 * hour)
    await store.sites.collect()
    expect(listObjects(prefix)).toEqual([`${prefix}notes.txt`])
    bucket.close()
  })

  test('rejects a row for objects that were uploaded too long ago', async () => {
    const { store, clock, prefix } = await openNew()
    await store.sites.checkPlace()
    s3.fault = (request) => {
      if (request.method === 'PUT') clock.advance(2 * hour)
      return false
    }
    await expect(store.sites.addContents([toContent('late')])).rejects.toThrow('took longer than an hour')
    s3.fault = undefined
    expect(await store.sites.findMissing([hashOf('late')])).toEqual([hashOf('late')])
    clock.advance(25 * hour)
    await store.sites.collect()
    expect(listObjects(prefix)).toEqual([])
  })
})

test('serves contents that were stored without a bucket, and stores new ones in the bucket', async () => {
  const texts = { 'index.html': 'one', 'large.bin': 'z'.repeat(sitePartBytes + 1), 'empty.txt': '' }
  const { store, clock, path, prefix, project } = await openNew({ withoutBucket: true })
  const { buildId } = await publishPush(store, project, { now: clock.now, sha: 1, texts })
  const withBucket = await open({ path, prefix, now: clock.now })
  expect(await readSite(withBucket, buildId)).toEqual(texts)
  await withBucket.sites.addContents([toContent('one'), toContent('two')])
  expect(listObjects(prefix)).toHaveLength(1)
  expect(await readText(withBucket, hashOf('two'))).toBe('two')
})

async function readParts(
  store: Store,
  { hash, encoding, first }: { readonly hash: string; readonly encoding: 'identity' | 'br' | 'gzip'; readonly first?: number },
): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of store.sites.readBody(hash, encoding, first)) parts.push(part)
  return Buffer.concat(parts)
}

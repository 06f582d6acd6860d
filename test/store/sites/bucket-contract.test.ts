import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, vi } from 'vitest'
import { openS3Bucket } from '../../../src/store/sites/s3-bucket.ts'
import { openSqliteStore } from '../../../src/store/store.ts'
import { type S3Server, s3Credentials, startS3, testBucket } from '../../support/s3-server.ts'
import { describeSites } from '../contract-sites.ts'

let s3: S3Server
let prefixes = 0
const endings: (() => Promise<void> | void)[] = []

beforeAll(async () => {
  s3 = await startS3()
})
beforeEach(() => {
  for (const [name, value] of Object.entries(s3Credentials)) vi.stubEnv(name, value)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const end of endings.splice(0).reverse()) await end()
})
afterAll(() => s3.stop())

describe('sites in SQLite with a bucket', () =>
  describeSites(async (options) => {
    const folder = mkdtempSync(join(tmpdir(), 'openapi-pages-store-'))
    endings.push(() => rmSync(folder, { recursive: true, force: true }))
    const prefix = `test-${++prefixes}/`
    const openAgain = async () => {
      const bucket = openS3Bucket({ name: testBucket, prefix, endpoint: s3.endpoint })
      const store = await openSqliteStore({ path: join(folder, 'store.sqlite'), ...options, bucket })
      endings.push(() => store.close())
      return store
    }
    return { store: await openAgain(), openAgain }
  }))

import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../../src/app/base/config/app-config.ts'
import { createLog } from '../../../src/app/base/telemetry/create-log.ts'
import { startApp } from '../../../src/app/start/start-app.ts'
import { checkServer } from '../../../src/app/start/start-checks.ts'
import { putSite, type SiteTexts } from '../../support/put-site.ts'
import { type S3Server, s3Credentials, startS3, testBucket } from '../../support/s3-server.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { askSite, siteFrame } from '../support/sites.ts'
import { addProject, startTestApp } from '../support/test-app.ts'

const film = randomBytes(3 * 1024 * 1024)
const page = `<!doctype html><title>start</title>${'<p>A text.</p>'.repeat(300)}`
const texts: SiteTexts = { ...siteFrame, 'index.html': page, 'film.mp4': film }

let s3: S3Server
let prefixes = 0

beforeAll(async () => {
  s3 = await startS3()
})
beforeEach(() => {
  for (const [name, value] of Object.entries(s3Credentials)) vi.stubEnv(name, value)
})
afterEach(() => {
  s3.fault = undefined
  vi.unstubAllEnvs()
})
afterAll(() => s3.stop())

async function start(isPrivate = false) {
  const prefix = `app-${++prefixes}`
  const bucket = { SITES_BUCKET: `s3://${testBucket}/${prefix}`, SITES_BUCKET_ENDPOINT: s3.endpoint }
  const sites = { SITES_DOMAIN: 'sites.test', BASE_URL: 'https://pages.test' }
  const app = await startTestApp(onTestFinished, { env: { ...bucket, ...sites } })
  const project = await addProject(app.store, { private: isPrivate })
  await putSite(app.store, project, texts)
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    askSite(app.address, `${project.subdomain}.sites.test`, path, { headers, method })
  const objects = () => s3.list().filter((name) => name.startsWith(`${prefix}/`) && !name.endsWith('-store'))
  return { app, ask, objects }
}

/** Fails requests for files. The check at the start reads another object. */
function failReads(answer: NonNullable<S3Server['fault']>) {
  s3.fault = (request, response) => request.method === 'GET' && answer(request, response)
}

describe('a site in a bucket', () => {
  test('has the same responses as a site in the database', async () => {
    const { ask, objects } = await start()
    expect(objects().length).toBeGreaterThan(3)
    const start1 = await ask('/', { 'Accept-Encoding': 'br' })
    expect(start1).toMatchObject({
      status: 200,
      headers: { 'content-encoding': 'br', 'content-type': 'text/html; charset=utf-8', 'cache-control': 'public, no-cache' },
    })
    expect((await ask('/')).text).toBe(page)
    expect(await ask('/', { 'Accept-Encoding': 'br', 'If-None-Match': String(start1.headers['etag']) })).toMatchObject({
      status: 304,
    })
    expect((await ask('/film.mp4')).bytes.equals(film)).toBe(true)
    const head = await ask('/film.mp4', {}, 'HEAD')
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([200, String(film.length), 0])
    const range = await ask('/film.mp4', { Range: 'bytes=1048570-1048590' })
    expect([range.status, range.headers['content-range']]).toEqual([206, `bytes 1048570-1048590/${film.length}`])
    expect(range.bytes.equals(film.subarray(1_048_570, 1_048_591))).toBe(true)
  })

  test('sends no request to the bucket for a reader without access', async () => {
    const { ask } = await start(true)
    s3.requests.length = 0
    expect((await ask('/')).text).not.toContain('A text.')
    expect((await ask('/film.mp4')).status).not.toBe(200)
    expect(s3.requests).toEqual([])
  })

  test('returns 503 if the bucket fails, and cuts off a response that it cannot complete', async () => {
    const { ask } = await start()
    const fail: NonNullable<S3Server['fault']> = (_request, response) => {
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
      return true
    }
    failReads(fail)
    const unavailable = { status: 503, headers: { 'retry-after': '5', 'cache-control': 'no-store' } }
    expect(await ask('/film.mp4')).toMatchObject(unavailable)
    expect(await ask('/')).toMatchObject(unavailable)
    s3.fault = undefined
    expect((await ask('/')).text).toBe(page)
    failReads((request, response) => String(request.headers.range).startsWith('bytes=2097152-') && fail(request, response))
    await expect(ask('/film.mp4')).rejects.toThrow(/aborted|socket hang up/)
    // Small files are in memory.
    failReads(fail)
    expect((await ask('/')).status).toBe(200)
  })
})

describe('starting with a bucket', () => {
  const fail = (status: number, code: string) => {
    s3.fault = (_request, response) => {
      response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
      return true
    }
  }
  const env = () => ({ SITES_BUCKET: `s3://${testBucket}/start`, SITES_BUCKET_ENDPOINT: s3.endpoint })

  test('stops if the app may not use it', async () => {
    fail(403, 'AccessDenied')
    const config = await readConfig({ DATA_DIR: makeTemporaryFolder(), PORT: '0', ...env() })
    const log = createLog({ level: 'silent', format: 'json', write: () => undefined })
    await expect(startApp({ config, log })).rejects.toMatchObject({
      message: expect.stringContaining(`Cannot use the bucket s3://${testBucket}/start`),
      hint: expect.stringContaining('s3:PutObject'),
    })
  })

  test('continues if it may be reachable later', async () => {
    fail(503, 'SlowDown')
    const app = await startTestApp(onTestFinished, { env: env() })
    expect(app.logLines.join('\n')).toContain('Cannot use the bucket of the sites')
    s3.fault = undefined
    await app.store.sites.checkPlace()
  })
})

test('the checks at the start write and delete an object', async () => {
  const { app } = await start()
  await checkServer(app.context, app.tools.health)
  expect(app.tools.health.problems).toEqual([])
  expect(s3.list().filter((name) => name.includes('probe'))).toEqual([])
  s3.fault = (request, response) => {
    if (request.method !== 'DELETE') return false
    response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
    return true
  }
  await checkServer(app.context, app.tools.health)
  expect(app.tools.health.problems).toEqual([expect.stringContaining('bucket')])
  expect(app.logLines.at(-1)).toMatch(/"fix":"[^"]*s3:DeleteObject/)
})

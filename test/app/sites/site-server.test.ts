import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseFileName } from '../../../src/app/base/open-store.ts'
import type { Project } from '../../../src/status/update-record.ts'
import { toSha } from '../../store/store-fixture.ts'
import { putSite, type SiteTexts } from '../../support/put-site.ts'
import { askSite, sendRaw, siteFrame } from '../support/sites.ts'
import { addProject, startTestApp, type TestApp } from '../support/test-app.ts'

const page = (name: string) => `<!doctype html><title>${name}</title>${`<p>${name} has a text.</p>`.repeat(200)}`
const film = randomBytes(3 * 1024 * 1024)
const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

const site: SiteTexts = {
  ...siteFrame,
  'index.html': page('start'),
  'index.md': '# start',
  'guides/first/index.html': page('first'),
  'guides/first.md': '# first',
  'Guides/First/index.html': page('another case'),
  'notes.txt': 'short',
  'logo.svg': drawing,
  'evil.js': 'alert(1)',
  'tool.bin': 'what is this',
  'film.mp4': film,
  'große Datei.txt': 'umlauts',
  '_assets/page-1234.js': 'console.log(1)',
  _redirects: [
    '/old /guides/first/ 301',
    '/api/old https://example.com/new 302',
    '/legacy/* /v2/:splat 301',
    '/users/:id/posts /people/:id 302',
    '/umlaut /grö%C3%9Fe 302',
    '/out //evil.example 301',
    '/script javascript:alert(1) 301',
    '/guides/* /never 301',
  ].join('\n'),
}

let app: TestApp
let project: Project
let ends: (() => Promise<void>)[] = []
const host = () => `${project.subdomain}.sites.test`
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  askSite(app.address, host(), path, { headers, method })

beforeAll(async () => {
  app = await startTestApp((end) => ends.push(end), { env: { SITES_DOMAIN: 'sites.test', BASE_URL: 'https://pages.test' } })
  project = await addProject(app.store)
  await putSite(app.store, project, site)
})

afterAll(async () => {
  for (const end of ends) await end()
  ends = []
})

describe('paths', () => {
  test.each([
    ['/', 200, 'start'],
    ['/?query=1', 200, 'start'],
    ['/guides/first/', 200, 'first'],
    ['/Guides/First/', 200, 'another case'],
    ['/guides/first.md', 200, '# first'],
    ['/gro%C3%9Fe%20Datei.txt', 200, 'umlauts'],
    ['/none', 404, 'Not here'],
    ['/GUIDES/first/', 404, 'Not here'],
    ['/_headers', 404, 'Not here'],
    ['/_redirects', 404, 'Not here'],
    ['/_redirects/', 404, 'Not here'],
    ['/.nojekyll', 404, 'Not here'],
    ['/404.html', 200, 'Not here'],
  ])('serves %s with status %i and content %s', async (path, status, text) => {
    const answer = await ask(path)
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)])
  })

  test.each([
    ['/guides/first', 301, '/guides/first/'],
    ['/guides/first?a=b&c', 301, '/guides/first/?a=b&c'],
    ['/index.html', 301, '/'],
    ['/guides/first/index.html', 301, '/guides/first/'],
    ['/notes.txt/', 301, '/notes.txt'],
    ['/old', 301, '/guides/first/'],
    ['/old/', 301, '/guides/first/'],
    ['/old?x=1', 301, '/guides/first/?x=1'],
    ['/api/old', 302, 'https://example.com/new'],
    ['/legacy/users/list', 301, '/v2/users/list'],
    ['/legacy/a%3Fb%0d', 404, undefined],
    ['/legacy/%40evil', 301, '/v2/%40evil'],
    ['/users/7/posts', 302, '/people/7'],
    ['/users/a%23b/posts', 302, '/people/a%23b'],
    ['/umlaut', 302, '/gr%C3%B6%C3%9Fe'],
    ['/guides', 301, '/never'],
    ['/guides/none', 301, '/never'],
    ['/out', 404, undefined],
    ['/script', 404, undefined],
  ])('redirects %s with status %i to %s', async (path, status, location) => {
    const answer = await ask(path)
    expect([answer.status, answer.headers.location]).toEqual([status, location])
  })

  test.each([
    ['/../index.html'],
    ['/guides/../index.html'],
    ['/%2e%2e/index.html'],
    ['/guides/%2E%2e/index.html'],
    ['/./index.html'],
    ['/%2e/index.html'],
    ['/guides%2ffirst/'],
    ['/guides%2Ffirst/index.html'],
    ['/guides%5cfirst/index.html'],
    ['/guides\\first/index.html'],
    ['/index.html%00'],
    ['/index.html%00.txt'],
    ['/%'],
    ['/%zz'],
    ['/%c0%ae%c0%ae/'],
    ['//evil.example/'],
    ['//evil.example'],
    ['/guides//first/'],
    ['/%0d%0aSet-Cookie:a=b'],
    ['/legacy//evil.example'],
  ])('returns 404 for %s', async (path) => {
    const answer = await ask(path)
    expect(answer.status).toBe(404)
    expect(answer.headers.location).toBeUndefined()
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('serves Markdown at the URL of the page to clients that prefer it', async () => {
    const markdown = await ask('/guides/first/', { Accept: 'text/markdown, */*' })
    expect([markdown.text, markdown.headers['content-location']]).toEqual(['# first', '/guides/first.md'])
    expect(markdown.headers.vary).toContain('Accept')
    expect((await ask('/', { Accept: 'text/markdown' })).text).toBe('# start')
    expect((await ask('/notes.txt', { Accept: 'text/markdown' })).text).toBe('short')
    expect((await ask('/', { Accept: 'text/html, text/markdown' })).text).toContain('<!doctype html>')
  })

  test.each([
    ['text/markdown, text/html, */*', 'text/markdown'],
    ['text/html;q=0.5, text/markdown', 'text/markdown'],
    ['text/markdown;q=0.5, text/html', 'text/html'],
    ['text/markdown;q=0, */*', 'text/html'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['*/*', 'text/html'],
    ['text/*', 'text/html'],
    ['', 'text/html'],
    ['text/plain', 'text/plain'],
    ['text/plain, */*;q=0.1', 'text/plain'],
    ['application/json, text/plain, */*', 'text/html'],
  ])('answers `Accept: %s` with %s', async (accept, type) => {
    const answer = await ask('/guides/first/', { Accept: accept })
    expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`)
    expect(answer.headers.vary).toContain('Accept')
    expect(answer.text === '# first').toBe(type !== 'text/html')
  })

  test('a cache cannot confuse the types of a page', async () => {
    const html = await ask('/guides/first/', { Accept: 'text/html' })
    const markdown = await ask('/guides/first/', { Accept: 'text/markdown', 'If-None-Match': String(html.headers.etag) })
    expect([markdown.status, markdown.text]).toEqual([200, '# first'])
    const known = await ask('/guides/first/', { Accept: 'text/markdown', 'If-None-Match': String(markdown.headers.etag) })
    expect([known.status, known.headers.vary]).toEqual([304, 'Accept'])
  })
})

describe('responses', () => {
  test('use the requested encoding', async () => {
    const plain = await ask('/')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(Number(plain.headers['content-length'])).toBe(plain.bytes.length)
    const tags = new Set([plain.headers.etag])
    for (const [accept, encoding, decode] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, *', 'gzip', gunzipSync],
      ['gzip;q=1.0, br;q=0.5', 'gzip', gunzipSync],
    ] as const) {
      const answer = await ask('/', { 'Accept-Encoding': accept })
      expect(answer.headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept, Accept-Encoding' })
      expect(decode(answer.bytes)).toEqual(plain.bytes)
      tags.add(answer.headers.etag)
    }
    expect(tags.size).toBe(3)
  })

  test('stream large bodies, compressed or not', async () => {
    expect((await ask('/film.mp4')).bytes.equals(film)).toBe(true)
    const text = Array.from({ length: 60_000 }, (_, index) => `line ${index * 7919}`).join('\n')
    await putSite(app.store, project, { ...site, 'large.txt': text }, { sha: 3, publish: false })
    const large = (encoding: string) =>
      askSite(app.address, `${project.subdomain}--${toSha(3).slice(0, 12)}.sites.test`, '/large.txt', {
        headers: { 'Accept-Encoding': encoding },
      })
    expect((await large('')).text).toBe(text)
    expect(gunzipSync((await large('gzip')).bytes).toString()).toBe(text)
  })

  test('return 503 if the store cannot read a large body', async () => {
    const text = Array.from({ length: 60_000 }, (_, index) => `row ${index * 7919}`).join('\n')
    await putSite(app.store, project, { ...site, 'rows.txt': text }, { sha: 4, publish: false })
    const rows = () => askSite(app.address, `${project.subdomain}--${toSha(4).slice(0, 12)}.sites.test`, '/rows.txt')
    expect((await rows()).text).toBe(text)
    const database = new DatabaseSync(join(app.config.dataDir, databaseFileName))
    database.exec('alter table site_parts rename to away')
    try {
      expect(await rows()).toMatchObject({ status: 503, headers: { 'retry-after': '5', 'cache-control': 'no-store' } })
    } finally {
      database.exec('alter table away rename to site_parts')
      database.close()
    }
    expect((await rows()).text).toBe(text)
  })

  test('abort only the affected response if a body ends in the middle', async () => {
    const database = new DatabaseSync(join(app.config.dataDir, databaseFileName))
    const move = (from: number, to: number) => database.prepare('update site_parts set part = ? where part = ?').run(to, from)
    move(2, 9)
    try {
      await expect(ask('/film.mp4')).rejects.toThrow(/aborted|socket hang up/)
    } finally {
      move(9, 2)
      database.close()
    }
    expect((await ask('/film.mp4')).bytes.equals(film)).toBe(true)
  })

  test('return 304 for unchanged files', async () => {
    const { etag = '' } = (await ask('/', { 'Accept-Encoding': 'br' })).headers
    for (const known of [String(etag), `"x", W/${etag}`, '*']) {
      const answer = await ask('/', { 'Accept-Encoding': 'br', 'If-None-Match': known })
      expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', etag])
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    }
    expect((await ask('/', { 'If-None-Match': String(etag) })).status).toBe(200)
    expect((await ask('/', { 'If-Match': '"x"' })).status).toBe(412)
    expect((await ask('/none', { 'If-None-Match': '*' })).status).toBe(404)
  })

  test.each([
    ['bytes=0-9', 206, 0, 10],
    ['bytes=2097150-2097160', 206, 2_097_150, 2_097_161],
    ['bytes=-5', 206, film.length - 5, film.length],
    ['bytes=3145000-', 206, 3_145_000, film.length],
    ['bytes=3145000-99999999', 206, 3_145_000, film.length],
    ['bytes=0-1,5-6', 200, 0, film.length],
    ['bytes=9-2', 200, 0, film.length],
    ['pages=1-2', 200, 0, film.length],
  ])('serve the range %s with status %i', async (range, status, start, end) => {
    const answer = await ask('/film.mp4', { Range: range })
    expect(answer.status).toBe(status)
    expect(answer.bytes.equals(film.subarray(start, end))).toBe(true)
    if (status === 206) expect(answer.headers['content-range']).toBe(`bytes ${start}-${end - 1}/${film.length}`)
  })

  test('reject unsatisfiable ranges and ignore ranges of another version', async () => {
    const beyond = await ask('/film.mp4', { Range: 'bytes=99999999-' })
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${film.length}`])
    expect((await ask('/film.mp4', { Range: 'bytes=0-1', 'If-Range': '"other"' })).status).toBe(200)
    const { etag } = (await ask('/film.mp4', {}, 'HEAD')).headers
    expect((await ask('/film.mp4', { Range: 'bytes=0-1', 'If-Range': String(etag) })).status).toBe(206)
  })

  test('support HEAD, and reject other methods', async () => {
    for (const path of ['/', '/film.mp4', '/none', '/guides/first']) {
      const [head, get] = [await ask(path, {}, 'HEAD'), await ask(path)]
      const { date: _date, ...headers } = get.headers
      expect([head.status, head.bytes.length, head.headers]).toEqual([get.status, 0, expect.objectContaining(headers)])
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']) {
      const answer = await ask('/', {}, method)
      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
    }
  })

  test('have security headers', async () => {
    const { headers } = await ask('/')
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000',
    })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/)
    expect(headers['x-robots-tag']).toBeUndefined()
    const asset = await ask('/_assets/page-1234.js')
    expect(asset.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })

  test('prevent files of a site from running scripts', async () => {
    const drawn = await ask('/logo.svg')
    expect(drawn.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': expect.stringMatching(/sandbox$/),
    })
    for (const path of ['/evil.js', '/tool.bin']) {
      const { headers } = await ask(path)
      expect(headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment',
        'content-security-policy': expect.stringMatching(/sandbox$/),
        'x-content-type-options': 'nosniff',
      })
    }
  })
})

describe('hosts', () => {
  test('serve each preview at its own host, without indexing', async () => {
    await putSite(
      app.store,
      project,
      { ...siteFrame, 'index.html': page('preview') },
      { sha: 0xabc, publish: false, ref: 'refs/heads/b' },
    )
    await app.store.accept({ pullHeads: [{ projectId: project.id, pullNumber: 12, sha: toSha(0xabc) }] })
    expect((await ask('/')).text).toContain('start')
    const sha = toSha(0xabc).slice(0, 12)
    // All SHAs of these tests have the same prefix, so the latest one is used.
    for (const name of [`--${sha}`, '--pr-12']) {
      const answer = await askSite(app.address, `${project.subdomain}${name}.sites.test`, '/')
      expect([answer.status, answer.headers['x-robots-tag']]).toEqual([200, 'noindex'])
      expect(answer.text).toContain('preview')
    }
  })

  test.each([
    ['SITES.TEST in capitals', (name: string) => `${name.toUpperCase()}.Sites.TEST`],
    ['with a port', (name: string) => `${name}.sites.test:8080`],
    ['with a final dot', (name: string) => `${name}.sites.test.`],
  ])('match the same host %s', async (_what, toHost) => {
    expect((await askSite(app.address, toHost(project.subdomain), '/')).text).toContain('start')
  })

  test.each([
    ['unknown.sites.test'],
    ['sites.test'],
    ['www.sites.test'],
    ['a.b.sites.test'],
    ['--pr-1.sites.test'],
    ['x--pr-0.sites.test'],
    ['x--pr-.sites.test'],
    ['x--0123456789a.sites.test'],
    ['x--0123456789ab--pr-1.sites.test'],
    [`${'a'.repeat(64)}.sites.test`],
    ['-.sites.test'],
    ['..sites.test'],
  ])('return neither a site nor the app for %s', async (name) => {
    for (const path of ['/', '/healthz', '/v1/openapi.json', '/metrics']) {
      const answer = await askSite(app.address, name, path)
      expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('Site not found')])
    }
  })

  test.each([
    ['pages.test'],
    ['127.0.0.1'],
    ['localhost:3000'],
    ['[::1]:3000'],
    ['evilsites.test'],
    ['sites.test.evil.example'],
    ['x.sites.test@pages.test'],
    ['x_y.sites.test'],
  ])('serve the app for %s', async (name) => {
    const answer = await askSite(app.address, name, '/healthz')
    expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}'])
    expect((await askSite(app.address, name, '/')).text).not.toContain('start')
  })

  test.each([['xn--pr-1.sites.test'], ['xn--0123456789ab.sites.test']])(
    'return 404 for the invalid Punycode name %s',
    async (name) => {
      const answer = await askSite(app.address, name, '/_openapi-pages/sign-in', { headers: { Accept: 'text/html' } })
      expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('Site not found')])
    },
  )

  test('separate the app from the sites', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/v1/openapi.json', '/setup', '/api/github/webhooks', '/updates/x']) {
      const answer = await ask(path)
      expect([answer.status, answer.text]).toEqual([404, '<title>Not here</title>'])
      expect(answer.headers['x-request-id']).toBeUndefined()
    }
  })

  test('reject ambiguous Host headers', async () => {
    const other = `Host: unknown.sites.test\r\n`
    const send = (lines: string) => sendRaw(app.address, `${lines}Connection: close\r\n\r\n`)
    const line = `GET / HTTP/1.1\r\nHost: ${host()}\r\n`
    expect(await send(line)).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(await send(`${line}${other}`)).toMatch(/^HTTP\/1\.1 400 /)
    expect(await send(`${line}X-Forwarded-Host: unknown.sites.test\r\nX-Host: x\r\n`)).toContain('start')
    expect(await send(`GET http://unknown.sites.test/ HTTP/1.1\r\nHost: ${host()}\r\n`)).toMatch(/^HTTP\/1\.1 404 /)
    expect(await send(`GET @evil.example/ HTTP/1.1\r\nHost: ${host()}\r\n`)).toMatch(/^HTTP\/1\.1 4/)
    expect(await send(`OPTIONS * HTTP/1.1\r\nHost: ${host()}\r\n`)).toMatch(/^HTTP\/1\.1 405 /)
    expect(await send('GET / HTTP/1.1\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('stop serving the old subdomain after another process changed it', async () => {
    const moving = await addProject(app.store)
    await putSite(app.store, moving, { ...siteFrame, 'index.html': 'here' })
    const at = (name: string) => askSite(app.address, `${name}.sites.test`, '/')
    expect((await at(moving.subdomain)).text).toBe('here')
    const other = await app.openOther()
    await other.projects.set(moving.id, { subdomain: 'moved-away' }, 'cli')
    await expect.poll(async () => (await at(moving.subdomain)).status).toBe(404)
    expect((await at('moved-away')).text).toBe('here')
    await other.projects.apply([{ kind: 'delete-project', projectId: moving.id }])
    await expect.poll(async () => (await at('moved-away')).status).toBe(404)
  })

  test('do not serve the site of a private repository to anonymous visitors', async () => {
    const hidden = await addProject(app.store, { private: true })
    await putSite(app.store, hidden, { ...siteFrame, 'index.html': 'secret' })
    const answer = await askSite(app.address, `${hidden.subdomain}.sites.test`, '/')
    expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('Site not found')])
  })
})

test('never serves files of another project', async () => {
  const tenants = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const tenant = await addProject(app.store)
      const mark = `belongs to ${name}`
      const own = {
        ...siteFrame,
        'index.html': mark,
        [`only-${name}/index.html`]: mark,
        [`only-${name}.txt`]: mark,
        'same.txt': mark,
      }
      return { tenant, mark, own }
    }),
  )
  for (const { tenant, own } of tenants) {
    await putSite(app.store, tenant, own)
    const preview = Object.fromEntries(Object.entries(own).map(([path, text]) => [path, `${String(text)} (preview)`]))
    await putSite(
      app.store,
      tenant,
      { ...preview, _headers: siteFrame['_headers'] ?? '' },
      { sha: 0xfff, publish: false, ref: 'refs/heads/b' },
    )
    await app.store.accept({ pullHeads: [{ projectId: tenant.id, pullNumber: 1, sha: toSha(0xfff) }] })
  }
  const hostsOf = ({ subdomain }: Project) =>
    ['', `--${toSha(0xfff).slice(0, 12)}`, '--pr-1'].map((end) => `${subdomain}${end}.sites.test`)
  const subdomains = tenants.map(({ tenant }) => tenant.subdomain)
  const names = tenants.flatMap(({ own }) => Object.keys(own))
  const paths = names.flatMap((name) => {
    const plain = `/${name}`
    const through = subdomains.flatMap((other) => [
      `/../${other}${plain}`,
      `/%2e%2e/${other}${plain}`,
      `//${other}.sites.test${plain}`,
      `/${other}${plain}`,
    ])
    return [plain, plain.replace(/index\.html$/, ''), plain.replace('/', '%2f'), plain.toUpperCase(), ...through]
  })
  let found = 0
  for (const { tenant, mark } of tenants) {
    for (const name of hostsOf(tenant)) {
      for (const path of paths) {
        const answer = await askSite(app.address, name, path)
        if (answer.status === 200) found++
        const foreign = tenants.find((other) => other.mark !== mark && answer.text.includes(other.mark))
        expect(foreign?.mark, `${name}${path}`).toBeUndefined()
        expect(String(answer.headers.location ?? '/'), `${name}${path}`).toMatch(/^\/(?!\/)/)
      }
    }
  }
  expect(found).toBeGreaterThan(40)
})

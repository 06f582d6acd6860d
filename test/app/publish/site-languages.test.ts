import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findStart, readSiteLanguages } from '../../../src/app/publish/site-languages.ts'
import type { Project } from '../../../src/status/update-record.ts'
import { putSite } from '../../support/put-site.ts'
import { askSite, siteFrame } from '../support/sites.ts'
import { addProject, startTestApp, type TestApp } from '../support/test-app.ts'

const languages = readSiteLanguages('en /\nde /de/\npt-BR /pt/start/\nzh-Hans /zh/\nzh-Hant /tw/\n')
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', host: 'docs.example.com' }

describe('the start page', () => {
  test.each<[string, string | undefined]>([
    ['de', '/de/'],
    ['de-AT,de;q=0.9,en;q=0.8', '/de/'],
    ['DE', '/de/'],
    ['fr-FR,fr;q=0.9,de;q=0.5,en;q=0.4', '/de/'],
    ['en;q=0.5, de;q=0.9', '/de/'],
    ['pt-PT', '/pt/start/'],
    ['zh-TW', '/tw/'],
    ['zh-CN', '/zh/'],
    ['zh', '/zh/'],
    // The default language, and languages that the site does not have.
    ['en-GB,de;q=0.5', undefined],
    ['fr', undefined],
    ['*', undefined],
    ['', undefined],
    ['de;q=0, en', undefined],
    ['de;q=1.5', undefined],
    ['../de, <script>, de de', undefined],
  ])('for `Accept-Language: %s` is %s', (header, start) => {
    expect(findStart(languages, { ...browser, 'accept-language': header })).toBe(start)
  })

  test('depends on the first 20 languages of a header', () => {
    const header = `${'fr,'.repeat(5_000)}de`
    expect(findStart(languages, { ...browser, 'accept-language': header })).toBe(undefined)
  })

  test.each([
    ['chose a language', { cookie: 'a=b; site-language=pt-BR' }, '/pt/start/'],
    ['chose the default language', { cookie: 'site-language=en' }, undefined],
    ['has a cookie for a language that is gone', { cookie: 'site-language=fr' }, '/de/'],
    ['comes from another site', { 'sec-fetch-site': 'cross-site', referer: 'https://docs.example.com/' }, '/de/'],
    ['follows a link of the site', { 'sec-fetch-site': 'same-origin' }, undefined],
    ['follows a link of the site in an old browser', { referer: 'https://docs.example.com/de/' }, undefined],
    ['comes from another site in an old browser', { referer: 'https://example.com/' }, '/de/'],
    ['is a crawler', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }, undefined],
    ['wants Markdown', { accept: 'text/markdown, */*' }, undefined],
    ['wants anything', { accept: '*/*' }, undefined],
    ['names no format', { accept: undefined }, undefined],
  ])('for a reader with German who %s', (_, headers, start) => {
    expect(findStart(languages, { ...browser, 'accept-language': 'de', ...headers })).toBe(start)
  })

  test('is not redirected to itself', () => {
    const swapped = readSiteLanguages('en /en/\nde /\n')
    expect(findStart(swapped, { ...browser, 'accept-language': 'de' })).toBe(undefined)
  })

  test('is the only one of a site with one language', () => {
    expect(findStart(languages.slice(1, 2), { ...browser, 'accept-language': 'de' })).toBe(undefined)
  })
})

test('ignores lines of `_languages` that could lead to another site or change the response', () => {
  const lines = [
    'de //evil.example/',
    'de /\\evil.example',
    'de https://evil.example/',
    'de /a\r',
    'd\u0000e /de/',
    'de',
    'de  /de/',
    '',
  ]
  expect(readSiteLanguages(lines.join('\n'))).toEqual([])
})

describe('a site that the app hosts', () => {
  let app: TestApp
  let project: Project
  let ends: (() => Promise<void>)[] = []
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    askSite(app.address, `${project.subdomain}.sites.test`, path, { headers: { Accept: 'text/html', ...headers }, method })
  const german = { 'Accept-Language': 'de' }

  beforeAll(async () => {
    app = await startTestApp((end) => ends.push(end), { env: { SITES_DOMAIN: 'sites.test', BASE_URL: 'https://pages.test' } })
    project = await addProject(app.store)
    const pages = { 'index.html': '<title>English</title>', 'index.md': '# English', 'de/index.html': '<title>Deutsch</title>' }
    await putSite(app.store, project, { ...siteFrame, ...pages, _languages: 'en /\nde /de/\n' })
  })

  afterAll(async () => {
    for (const end of ends) await end()
    ends = []
  })

  const vary = 'Accept-Language, Cookie, Sec-Fetch-Site, Referer, User-Agent'

  test.each(['GET', 'HEAD'])('redirects `/` to the language of the reader: %s', async (method) => {
    const { status, headers, text } = await ask('/', german, method)
    expect([status, headers.location, headers['cache-control'], headers.vary, text]).toEqual([
      302,
      '/de/',
      'private, no-cache',
      vary,
      '',
    ])
  })

  test('tells caches what the start page depends on, also if it did not change', async () => {
    const first = await ask('/', { 'Accept-Language': 'en' })
    expect([first.status, first.text, first.headers.vary]).toEqual([200, '<title>English</title>', `Accept, ${vary}`])
    const again = await ask('/', { 'Accept-Language': 'en', 'If-None-Match': String(first.headers.etag) })
    expect([again.status, again.headers.vary]).toEqual([304, first.headers.vary])
    expect((await ask('/', { ...german, 'If-None-Match': String(first.headers.etag) })).status).toBe(302)
  })

  test.each([
    ['/?a=b', 200],
    ['/index.html', 301],
    ['/de/', 200],
    ['/index.md', 200],
    ['/none', 404],
    ['/_languages', 404],
  ])('does not redirect %s to a language', async (path, status) => {
    const answer = await ask(path, german)
    expect([answer.status, answer.headers.location]).toEqual([status, path === '/index.html' ? '/' : undefined])
    expect(answer.headers.vary ?? '').not.toContain('Accept-Language')
  })

  test('serves the Markdown of `/` to agents in every language', async () => {
    const answer = await ask('/', { ...german, Accept: 'text/markdown' })
    expect([answer.status, answer.text]).toEqual([200, '# English'])
  })
})

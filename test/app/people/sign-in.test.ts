import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CompactEncrypt } from 'jose'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toReturnPath } from '../../../src/app/people/browser-requests.ts'
import { sealTokens, unsealTokens } from '../../../src/app/people/people.ts'
import { type ConnectOptions, connectApp } from '../support/connected-app.ts'
import { startTestApp } from '../support/test-app.ts'
import { Visitor } from '../support/visitor.ts'

async function start(options: ConnectOptions = {}) {
  const connected = await connectApp({ withoutRuns: true, ...options })
  const base = () => connected.app.context.baseUrl()
  return { ...connected, base, visitor: new Visitor(base()) }
}

const sessionCookie = 'openapi-pages-session'

describe('signing in', () => {
  test('by GitHub with state and PKCE, to where the person wanted to go; the secret is in the cookie alone', async () => {
    const { github, dataDir, store, logLines, base, visitor } = await start()
    const page = await visitor.ask('/sign-in?to=/sign-in')
    expect(page.text).toContain('Sign in with GitHub')
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${github.url}`)
    const sent = await visitor.ask('/sign-in', { form: { to: '/projects?q=a' } })
    const asked = new URL(sent.headers.get('location') ?? '')
    expect(asked.href).toContain(`${github.url}/login/oauth/authorize?client_id=${github.app.clientId}`)
    expect(asked.searchParams.get('redirect_uri')).toBe(`${base()}/sign-in/callback`)
    const back = await visitor.ask(asked.href)
    const signedIn = await visitor.ask(back.headers.get('location') ?? '')
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/projects?q=a'])
    const secret = visitor.cookies.get(new URL(base()).host)?.get(sessionCookie) ?? ''
    expect(await store.sessions.find(secret)).toMatchObject({ login: 'octocat', userId: github.account('octocat').id })
    expect(visitor.cookieLines.at(-1)).toMatch(
      /^openapi-pages-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    // Neither the database nor the log has what would let somebody in, here or at GitHub.
    const kept = ['openapi-pages.sqlite', 'openapi-pages.sqlite-wal']
      .map((name) => readFileSync(join(dataDir, name), 'latin1'))
      .join('')
    for (const text of [kept, logLines.join('')]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain([...github.userTokens.keys()][0])
      expect(text).not.toContain(asked.searchParams.get('state'))
    }
    expect((await store.audit.list())[0]).toMatchObject({ actor: 'github:octocat', action: 'session.create' })
  })

  test('over TLS the cookies are of this host by their name, and secure', async () => {
    const { github, base } = await start({ env: { BASE_URL: 'https://pages.example.com' } })
    expect(base()).toBe('https://pages.example.com')
    const visitor = new Visitor(github.webhookUrl)
    await visitor.ask('/sign-in', { form: {}, from: base() })
    expect(visitor.cookieLines[0]).toMatch(
      /^__Host-openapi-pages-sign-in=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  test.each([
    ['another state', (url: URL) => url.searchParams.set('state', 'forged'), 'another browser', 400],
    ['no state', (url: URL) => url.searchParams.delete('state'), 'another browser', 400],
    ['another code', (url: URL) => url.searchParams.set('code', 'forged'), 'GitHub did not take', 403],
    ['no code', (url: URL) => url.searchParams.delete('code'), 'GitHub did not take', 403],
    [
      'a no of the person',
      (url: URL) => {
        url.search = url.search.replace(/code=\w+/, 'error=access_denied')
      },
      'You told GitHub',
      403,
    ],
  ])('with %s nobody is signed in, and the page says why', async (_name, change, words, status) => {
    const { store, visitor } = await start()
    const asked = await visitor.ask('/sign-in', { form: {} })
    const back = new URL((await visitor.ask(asked.headers.get('location') ?? '')).headers.get('location') ?? '')
    change(back)
    const answer = await visitor.ask(back.href)
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)])
    expect(answer.text).toMatch(/href="http:\/\/localhost:\d+\/sign-in\?to=/)
    expect((await store.audit.list()).length).toBe(0)
  })

  test('the way back is good once, and only in the browser that began', async () => {
    const { base, visitor } = await start()
    const asked = await visitor.ask('/sign-in', { form: {} })
    const back = (await visitor.ask(asked.headers.get('location') ?? '')).headers.get('location') ?? ''
    expect((await new Visitor(base()).ask(back)).status).toBe(400)
    expect((await visitor.ask(back)).status).toBe(303)
    expect((await visitor.ask(back)).status).toBe(400)
  })

  test('a form of another site, of a hosted site or of nobody begins nothing', async () => {
    const { base, visitor } = await start()
    const hosted = base().replace('localhost', 'acme.localhost')
    for (const from of ['https://evil.example', hosted, 'null', null]) {
      const answer = await visitor.ask('/sign-in', { form: {}, from })
      expect([answer.status, answer.headers.get('location')]).toEqual([403, null])
    }
    for (const site of ['same-site', 'cross-site', 'none']) {
      expect((await visitor.ask('/sign-in', { form: {}, headers: { 'Sec-Fetch-Site': site } })).status).toBe(403)
    }
    const answer = await visitor.ask('/sign-in', { form: {}, from: 'null', headers: { 'Sec-Fetch-Site': 'same-origin' } })
    expect(answer.status).toBe(303)
  })

  test('GitHub that does not answer: the person is told, and can try again', async () => {
    const { github, visitor } = await start()
    github.fault({ route: 'POST /login/oauth/access_token', status: 502 })
    expect(await visitor.signIn()).toMatchObject({ status: 502, text: expect.stringContaining('GitHub did not answer') })
  })

  test('without an app, or without its client id, the page says what is missing', async () => {
    const app = await startTestApp(onTestFinished)
    const visitor = new Visitor(app.context.baseUrl())
    expect((await visitor.go('/')).text).toContain('opens the setup page')
    expect((await visitor.ask('/sign-in', { form: {} })).status).toBe(503)
    const { visitor: other } = await start({ env: { GITHUB_CLIENT_ID: '', GITHUB_CLIENT_SECRET: '' } })
    expect((await other.go('/')).text).toContain('GITHUB_CLIENT_ID')
    expect((await other.ask('/sign-in', { form: {} })).status).toBe(503)
  })
})

describe('signing out', () => {
  test('ends the session here and at GitHub', async () => {
    const { github, base, store, visitor } = await start()
    await visitor.signIn()
    const secret = visitor.cookies.get(new URL(base()).host)?.get(sessionCookie) ?? ''
    expect((await visitor.ask('/sign-out', { form: {}, from: 'https://evil.example' })).status).toBe(403)
    expect(await store.sessions.find(secret)).toBeDefined()
    expect((await visitor.ask('/sign-out', { form: {} })).headers.get('location')).toBe('/sign-in')
    expect(await store.sessions.find(secret)).toBeUndefined()
    expect([...github.userTokens.values()].map(({ revoked }) => revoked)).toEqual([true])
    expect((await visitor.ask('/sign-in')).status).toBe(200)
  })

  test('a person who takes the app away from their account at GitHub is signed out everywhere', async () => {
    const { github, base, store, visitor } = await start()
    await visitor.signIn()
    const secret = visitor.cookies.get(new URL(base()).host)?.get(sessionCookie) ?? ''
    const sender = { login: 'octocat', id: github.account('octocat').id }
    const { status } = await github.deliver('github_app_authorization', { action: 'revoked', sender })
    expect(status).toBe(202)
    expect(await store.sessions.find(secret)).toBeUndefined()
  })

  test('a session whose tokens cannot be decrypted ends, and the person signs in again', async () => {
    const { base, store, visitor } = await start()
    const secret = 'x'.repeat(43)
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    // Written by a version that encrypted in another format.
    await store.sessions.create(secret, { userId: 1, login: 'octocat', sealedTokens: 'AAAA', expiresAt })
    visitor.cookies.set(new URL(base()).host, new Map([[sessionCookie, secret]]))
    expect(await visitor.go('/projects')).toMatchObject({ status: 200, text: expect.stringContaining('Sign in with GitHub') })
    expect(await store.sessions.find(secret)).toBeUndefined()
  })

  test('a session ends after 30 days, and a new sign-in ends the one before', async () => {
    let time = Date.now()
    const { base, store, visitor } = await start({ now: () => new Date(time) })
    const secretNow = () => visitor.cookies.get(new URL(base()).host)?.get(sessionCookie) ?? ''
    await visitor.signIn()
    const first = secretNow()
    await visitor.signIn()
    expect(await store.sessions.find(first)).toBeUndefined()
    const second = secretNow()
    expect(await store.sessions.find(second)).toBeDefined()
    time += 30 * 86_400_000
    expect(await store.sessions.find(second)).toBeUndefined()
    expect(await store.prune()).toBeGreaterThanOrEqual(1)
  })
})

describe('where a sign-in leads', () => {
  test.each([
    ['/projects/prj_1?cursor=a', '/projects/prj_1?cursor=a'],
    ['/projects/a/../../x', '/x'],
    [undefined, '/projects'],
    ['', '/projects'],
    ['//evil.example', '/projects'],
    ['/\\evil.example', '/projects'],
    ['/a/..//evil.example', '/projects'],
    ['/.//evil.example', '/projects'],
    ['/\t/evil.example', '/projects'],
    ['https://evil.example', '/projects'],
    ['javascript:alert(1)', '/projects'],
    ['/a\r\nSet-Cookie: x=y', '/projects'],
  ])('%j leads to %s', (given, path) => {
    expect(toReturnPath(given)).toBe(path)
  })

  test('one that no browser would have leads home', () => {
    expect(toReturnPath(`/${'a'.repeat(3000)}`)).toBe('/projects')
  })
})

test('tokens are decrypted by the secret that they were encrypted with', async () => {
  const tokens = { accessToken: 'ghu_1', expiresAt: '2026-11-21T08:00:00.000Z', refreshToken: 'ghr_1' }
  const sealed = await sealTokens('one', tokens)
  expect(sealed).not.toContain('ghu_1')
  expect(await unsealTokens('one', sealed)).toEqual(tokens)
  expect(await unsealTokens('two', sealed)).toBeUndefined()
  expect(await unsealTokens('one', `${sealed.slice(0, -2)}AA`)).toBeUndefined()
  expect(await unsealTokens('one', '')).toBeUndefined()
  expect(await sealTokens('one', tokens)).not.toBe(sealed)
})

test('refuses tokens that name a weaker algorithm', async () => {
  const weak = await new CompactEncrypt(new TextEncoder().encode('{"accessToken":"ghu_1"}'))
    .setProtectedHeader({ alg: 'PBES2-HS256+A128KW', enc: 'A128CBC-HS256' })
    .encrypt(new TextEncoder().encode('one'))
  expect(await unsealTokens('one', weak)).toBeUndefined()
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CompactEncrypt } from 'jose'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toReturnPath } from '../../../../src/app/http/browser-requests.ts'
import { sealTokens, unsealTokens } from '../../../../src/app/screens/people/people.ts'
import { type ConnectOptions, connectApp } from '../../support/connected-app.ts'
import { startTestApp } from '../../support/test-app.ts'
import { Visitor } from '../../support/visitor.ts'

async function start(options: ConnectOptions = {}) {
  const connected = await connectApp({ withoutRuns: true, ...options })
  const base = () => connected.app.context.urls.base()
  return { ...connected, base, visitor: new Visitor(base()) }
}

const sessionCookie = 'openapi-pages-session'

describe('signing in', () => {
  test('uses state and PKCE, returns to the requested page, and stores the secret only in the cookie', async () => {
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
    // Neither the database nor the log contains a usable credential for this server or GitHub.
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

  test('sets secure `__Host-` cookies over TLS', async () => {
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
    ['another code', (url: URL) => url.searchParams.set('code', 'forged'), 'GitHub rejected', 403],
    ['no code', (url: URL) => url.searchParams.delete('code'), 'GitHub rejected', 403],
    [
      'a declined authorization',
      (url: URL) => {
        url.search = url.search.replace(/code=\w+/, 'error=access_denied')
      },
      'You declined',
      403,
    ],
  ])('rejects a callback with %s and explains why', async (_name, change, reason, status) => {
    const { store, visitor } = await start()
    const asked = await visitor.ask('/sign-in', { form: {} })
    const back = new URL((await visitor.ask(asked.headers.get('location') ?? '')).headers.get('location') ?? '')
    change(back)
    const response = await visitor.ask(back.href)
    expect([response.status, response.text]).toEqual([status, expect.stringContaining(reason)])
    expect(response.text).toMatch(/href="http:\/\/localhost:\d+\/sign-in\?to=/)
    expect((await store.audit.list()).length).toBe(0)
  })

  test('accepts a callback once, only in the browser that started the sign-in', async () => {
    const { base, visitor } = await start()
    const asked = await visitor.ask('/sign-in', { form: {} })
    const back = (await visitor.ask(asked.headers.get('location') ?? '')).headers.get('location') ?? ''
    expect((await new Visitor(base()).ask(back)).status).toBe(400)
    expect((await visitor.ask(back)).status).toBe(303)
    expect((await visitor.ask(back)).status).toBe(400)
  })

  test('rejects forms from other sites, hosted sites and unknown origins', async () => {
    const { base, visitor } = await start()
    const hosted = base().replace('localhost', 'acme.localhost')
    for (const from of ['https://evil.example', hosted, 'null', null]) {
      const response = await visitor.ask('/sign-in', { form: {}, from })
      expect([response.status, response.headers.get('location')]).toEqual([403, null])
    }
    for (const site of ['same-site', 'cross-site', 'none']) {
      expect((await visitor.ask('/sign-in', { form: {}, headers: { 'Sec-Fetch-Site': site } })).status).toBe(403)
    }
    const response = await visitor.ask('/sign-in', { form: {}, from: 'null', headers: { 'Sec-Fetch-Site': 'same-origin' } })
    expect(response.status).toBe(303)
  })

  test('reports that GitHub did not respond and offers to try again', async () => {
    const { github, visitor } = await start()
    github.fault({ route: 'POST /login/oauth/access_token', status: 502 })
    expect(await visitor.signIn()).toMatchObject({ status: 502, text: expect.stringContaining('GitHub did not respond') })
  })

  test('explains what is missing without a GitHub App or its client ID', async () => {
    const app = await startTestApp(onTestFinished)
    const visitor = new Visitor(app.context.urls.base())
    expect((await visitor.go('/')).text).toContain('open its setup page')
    expect((await visitor.ask('/sign-in', { form: {} })).status).toBe(503)
    const { visitor: other } = await start({ env: { GITHUB_CLIENT_ID: '', GITHUB_CLIENT_SECRET: '' } })
    expect((await other.go('/')).text).toContain('GITHUB_CLIENT_ID')
    expect((await other.ask('/sign-in', { form: {} })).status).toBe(503)
  })
})

describe('signing out', () => {
  test('ends the session and revokes the token at GitHub', async () => {
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

  test('ends all sessions of a user who revokes the authorization on GitHub', async () => {
    const { github, base, store, visitor } = await start()
    await visitor.signIn()
    const secret = visitor.cookies.get(new URL(base()).host)?.get(sessionCookie) ?? ''
    const sender = { login: 'octocat', id: github.account('octocat').id }
    const { status } = await github.deliver('github_app_authorization', { action: 'revoked', sender })
    expect(status).toBe(202)
    expect(await store.sessions.find(secret)).toBeUndefined()
  })

  test('ends a session if its tokens cannot be decrypted', async () => {
    const { base, store, visitor } = await start()
    const secret = 'x'.repeat(43)
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    // Written by a version that encrypted in another format.
    await store.sessions.create(secret, {
      userId: 1,
      login: 'octocat',
      issuer: 'github',
      subject: '1',
      groups: [],
      sealedTokens: 'AAAA',
      expiresAt,
    })
    visitor.cookies.set(new URL(base()).host, new Map([[sessionCookie, secret]]))
    expect(await visitor.go('/projects')).toMatchObject({ status: 200, text: expect.stringContaining('Sign in with GitHub') })
    expect(await store.sessions.find(secret)).toBeUndefined()
  })

  test('ends a session after 30 days or at the next sign-in', async () => {
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

describe('the return path of a sign-in', () => {
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
  ])('turns %j into %s', (given, path) => {
    expect(toReturnPath(given)).toBe(path)
  })

  test('falls back to the home page for an overlong path', () => {
    expect(toReturnPath(`/${'a'.repeat(3000)}`)).toBe('/projects')
  })
})

test('decrypts tokens only with the secret that encrypted them', async () => {
  const tokens = { accessToken: 'ghu_1', expiresAt: '2026-11-21T08:00:00.000Z', refreshToken: 'ghr_1' }
  const sealed = await sealTokens('one', tokens)
  expect(sealed).not.toContain('ghu_1')
  expect(await unsealTokens('one', sealed)).toEqual(tokens)
  expect(await unsealTokens('two', sealed)).toBeUndefined()
  expect(
    await unsealTokens(
      'one',
      sealed.replace(/.(?=.{9}$)/, (letter) => (letter === 'A' ? 'B' : 'A')),
    ),
  ).toBeUndefined()
  expect(await unsealTokens('one', '')).toBeUndefined()
  expect(await sealTokens('one', tokens)).not.toBe(sealed)
})

test('rejects tokens with a weaker algorithm', async () => {
  const weak = await new CompactEncrypt(new TextEncoder().encode('{"accessToken":"ghu_1"}'))
    .setProtectedHeader({ alg: 'PBES2-HS256+A128KW', enc: 'A128CBC-HS256' })
    .encrypt(new TextEncoder().encode('one'))
  expect(await unsealTokens('one', weak)).toBeUndefined()
})

import { UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { sqlite } from '../../../../src/store/sqlite/node-sqlite.ts'
import { serveHostileIssuer } from '../../support/hostile-issuer.ts'
import { endUpdate, startPeopleApp, toSha } from '../../support/people-app.ts'
import { Visitor } from '../../support/visitor.ts'

const quarterMs = 900_000
const [everyone, forPartners] = ['Plans for all', 'Plans for partners']

interface StartOptions {
  readonly isPrivate?: boolean
  /** More of the setting of `corp`. */
  readonly setting?: object
  readonly groups?: readonly string[]
}

/** An app with two issuers, `corp` and `other`. Administrators of the project chose `corp`. */
async function start({ isPrivate = true, setting = {}, groups = ['oidc:corp/partners'] }: StartOptions = {}) {
  const clock = { ms: Date.parse('2026-11-30T12:00:00Z') }
  const [corp, other] = [await serveHostileIssuer(() => clock.ms), await serveHostileIssuer(() => clock.ms)]
  const app = await startPeopleApp({
    now: () => new Date(clock.ms),
    env: { OIDC_ISSUERS: JSON.stringify([corp.setting('corp', setting), other.setting('other')]) },
  })
  const roles = { reader: 'read', boss: 'admin' } as const
  const { project } = await app.addRepository('acme/plans', roles, { private: isPrivate })
  await endUpdate(app.store, project, {
    sha: toSha('1'),
    site: { 'index.html': everyone, 'shared.txt': 'shared' },
    audiences: [{ name: 'partners', groups, site: { 'index.html': forPartners, 'shared.txt': 'shared' } }],
  })
  await app.store.projects.set(project.id, { issuers: ['corp'] }, 'test')
  const siteOf = (label: string) => app.base.replace('localhost', `${label}.localhost`)
  const address = siteOf(project.subdomain)
  const visitor = () => new Visitor(app.base)
  const secretOf = ({ cookies }: Visitor) => cookies.get(new URL(app.base).host)?.get('openapi-pages-session') ?? ''
  /** Signs in with an issuer to read a site. */
  const enter = async (who: Visitor, issuer = 'corp', page = `${address}/`) => {
    const { origin, pathname } = new URL(page)
    const asked = await who.go(`${origin}/_openapi-pages/sign-in?to=${pathname}`)
    return await who.go('/sign-in', { form: { to: asked.url.searchParams.get('to') ?? '', issuer } })
  }
  /** Starts a sign-in. Returns the URL to which the issuer sends the browser. */
  const startSignIn = async (who: Visitor, form: Readonly<Record<string, string>> = { issuer: 'corp' }) => {
    const sent = await who.ask('/sign-in', { form })
    const back = await who.ask(sent.headers.get('location') ?? '')
    return new URL(back.headers.get('location') ?? '')
  }
  return { ...app, clock, corp, other, project, siteOf, address, visitor, secretOf, enter, startSignIn }
}

describe('a reader of an issuer', () => {
  test('reads the site of their audience, and has no projects in the dashboard', async () => {
    const { corp, address, visitor, secretOf, enter, store, base } = await start()
    corp.person = { sub: 'u1', preferred_username: 'octocat', groups: ['partners', 7, { name: 'staff' }] }
    const reader = visitor()
    const page = await reader.ask('/sign-in')
    expect(page.text).toContain('Sign in with corp')
    expect(page.headers.get('content-security-policy')).toContain(`${corp.url} https:`)
    const shown = await enter(reader)
    expect([shown.url.href, shown.status, shown.text]).toEqual([`${address}/`, 200, forPartners])
    expect(shown.headers.get('cache-control')).toContain('private')
    expect(await store.sessions.find(secretOf(reader))).toMatchObject({
      userId: 0,
      issuer: 'corp',
      subject: 'u1',
      login: 'octocat',
      groups: ['oidc:corp/partners', 'oidc:corp/staff'],
    })
    expect((await store.audit.list(1))[0]).toMatchObject({ actor: 'corp:octocat', action: 'session.create', subject: 'u1' })
    const projects = await reader.go('/projects')
    expect([projects.url.href, projects.status]).toEqual([`${base}/projects`, 200])
    expect(projects.text).not.toContain('plans')
    expect(projects.text).toContain('has signed in with corp')
    for (const path of ['/updates', '/projects/deleted']) expect((await reader.go(path)).status).toBe(200)
  })

  test('is not the operator with the same name', async () => {
    const { corp, visitor, enter } = await start()
    corp.person = { sub: 'u1', preferred_username: 'boss', groups: ['partners'] }
    const reader = visitor()
    await enter(reader)
    expect((await reader.go('/projects')).text).not.toContain('plans')
    expect((await reader.ask('/server')).status).toBe(403)
  })

  test('without a group, of another issuer, or of a hidden name gets the page of a missing site', async () => {
    const { corp, other, visitor, enter, base, siteOf } = await start()
    const denied = async (who: Visitor, issuer = 'corp') => {
      const { status, url, text } = await enter(who, issuer)
      expect([status, url.host], text).toEqual([404, new URL(base).host])
      const missing = await who.go(`${siteOf('nothing-here')}/_openapi-pages/sign-in?to=/`)
      expect(text.replace(/requestId[^<]*/, '')).toBe(missing.text.replace(/requestId[^<]*/, ''))
    }
    for (const groups of [undefined, null, [], 'staff', ['Partners'], ['partners,staff'], { partners: true }, ['x/partners']]) {
      corp.person = { sub: 'u1', groups }
      await denied(visitor())
    }
    // Names that look like a group of the other issuer, or of GitHub.
    for (const group of ['partners', 'oidc:corp/partners', '/corp/partners', '../corp/partners', 'corp/partners']) {
      other.person = { sub: 'u1', groups: [group] }
      await denied(visitor(), 'other')
    }
  })

  test('of the only issuer has groups by their names alone, but never those of GitHub', async () => {
    const { findGroups } = await import('../../../../src/app/screens/people/issuer-groups.ts')
    const issuer = { name: 'corp', url: '', clientId: '', clientSecret: '' }
    const claims = { groups: ['partners', 'github:acme/docs', 'oidc:corp/staff'] }
    expect(findGroups(issuer, claims, true)).toEqual(['oidc:corp/partners', 'partners'])
    expect(findGroups(issuer, claims, false)).toEqual(['oidc:corp/partners'])
    expect(findGroups({ ...issuer, mapping: { a: 'partners' } }, { groups: ['a', 'b', 'partners', '__proto__'] }, false)).toEqual(
      ['oidc:corp/partners'],
    )
  })
})

describe('an attack on the sign-in', () => {
  type Run = Awaited<ReturnType<typeof start>>
  const forge =
    (change: (url: URL, run: Run) => void) =>
    ({ corp, ...run }: Run) => {
      corp.tricks = { redirect: (url) => change(url, { corp, ...run }) }
    }
  const claim = (changed: (run: Run) => object) => (run: Run) => {
    run.corp.tricks = { claims: (claims) => ({ ...claims, ...changed(run) }) }
  }

  test.each<readonly [name: string, prepare: (run: Run) => unknown, status: number]>([
    ['another state', forge((url) => url.searchParams.set('state', 'forged')), 400],
    ['no state', forge((url) => url.searchParams.delete('state')), 400],
    ['another nonce', claim(() => ({ nonce: 'forged' })), 403],
    ['no nonce', claim(() => ({ nonce: undefined })), 403],
    ['the issuer of another in the response', forge((url, { other }) => url.searchParams.set('iss', other.url)), 403],
    ['no issuer in the response', forge((url) => url.searchParams.delete('iss')), 403],
    ['the callback of another issuer', forge((url) => (url.pathname = '/sign-in/callback/other')), 400],
    ['the callback of GitHub', forge((url) => (url.pathname = '/sign-in/callback')), 400],
    ['the issuer of another in the token', claim(({ other }) => ({ iss: other.url })), 403],
    ['the token of another client', claim(() => ({ aud: 'another' })), 403],
    ['the token of several clients', claim(() => ({ aud: ['docs', 'another'], azp: 'another' })), 403],
    ['an expired token', claim(({ clock }) => ({ exp: Math.floor(clock.ms / 1000) - 60 })), 403],
    ['a token of tomorrow', claim(({ clock }) => ({ nbf: Math.floor(clock.ms / 1000) + 86_400 })), 403],
    ['a token without a subject', claim(() => ({ sub: undefined })), 403],
    ['no ID token', ({ corp }) => (corp.tricks = { tokens: ({ id_token: _, ...answer }) => answer }), 403],
    [
      'a token without a signature',
      ({ corp }) => (corp.tricks = { idToken: (claims) => new UnsecuredJWT(claims).encode() }),
      403,
    ],
    [
      'the key of another issuer',
      ({ corp, other }) => (corp.tricks = { idToken: (claims) => corp.sign(claims, other.key) }),
      403,
    ],
    [
      'a key with the right name',
      ({ corp, other }) => (corp.tricks = { idToken: (claims) => corp.sign(claims, { ...other.key, kid: corp.key.kid }) }),
      403,
    ],
    [
      'a key that the issuer took back',
      async ({ corp }) => {
        const old = await corp.rotate()
        corp.tricks = { idToken: (claims) => corp.sign(claims, old) }
      },
      403,
    ],
    ['a forged code', forge((url) => url.searchParams.set('code', 'forged')), 403],
    [
      'metadata of another issuer',
      ({ corp, other }) => (corp.tricks = { metadata: (metadata) => ({ ...metadata, issuer: other.url }) }),
      403,
    ],
    [
      'an endpoint of the internal network',
      ({ corp, github }) => (corp.tricks = { metadata: (metadata) => ({ ...metadata, token_endpoint: `${github.url}/token` }) }),
      502,
    ],
  ])('with %s does not sign in', async (_name, prepare, status) => {
    const run = await start()
    const { corp, visitor, startSignIn, enter, secretOf, store, address } = run
    corp.person = { sub: 'u1', groups: ['partners'] }
    // It works without the attack, also with a new key.
    const before = visitor()
    expect((await enter(before)).text).toBe(forPartners)
    const audited = (await store.audit.list()).length
    await prepare(run)
    const victim = visitor()
    const sent = await victim.ask('/sign-in', { form: { issuer: 'corp' } })
    const refused = sent.status === 303 ? await victim.ask((await startSignIn(victim)).href) : sent
    expect(refused.status, refused.text).toBe(status)
    expect(secretOf(victim)).toBe('')
    expect(await store.audit.list()).toHaveLength(audited)
    expect((await victim.ask(`${address}/`)).status).toBe(404)
  })

  test('with the code of the attacker does not sign in as the attacker', async () => {
    const { corp, visitor, startSignIn, secretOf } = await start()
    corp.person = { sub: 'attacker', groups: ['partners'] }
    const stolen = await startSignIn(visitor())
    corp.person = { sub: 'victim', groups: [] }
    const victim = visitor()
    const own = await startSignIn(victim)
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '')
    expect((await victim.ask(own.href)).status).toBe(403)
    // The whole response belongs to the browser of the attacker (login CSRF).
    expect((await victim.ask(stolen.href)).status).toBe(400)
    expect((await visitor().ask(stolen.href)).status).toBe(400)
    expect(secretOf(victim)).toBe('')
  })

  test('with a form of another site starts nothing', async () => {
    const { visitor, base, siteOf } = await start()
    for (const from of ['https://evil.example', siteOf('acme-plans'), 'null', null]) {
      const { status, headers } = await visitor().ask('/sign-in', { form: { issuer: 'corp' }, from })
      expect([status, headers.get('location'), headers.getSetCookie()]).toEqual([403, null, []])
    }
    expect(base).toContain('localhost')
  })

  test('with a used response does not sign in again', async () => {
    const { corp, visitor, startSignIn, base } = await start()
    corp.person = { sub: 'u1', groups: ['partners'] }
    const reader = visitor()
    const back = await startSignIn(reader)
    const jar = reader.cookies.get(new URL(base).host)
    const attempt = jar?.get('openapi-pages-sign-in') ?? ''
    expect((await reader.ask(back.href)).status).toBe(303)
    expect((await reader.ask(back.href)).status).toBe(400)
    jar?.set('openapi-pages-sign-in', attempt)
    expect((await reader.ask(back.href)).status).toBe(403)
  })

  test('redirects to no other host after a sign-in', async () => {
    const { corp, visitor, startSignIn } = await start()
    corp.person = { sub: 'u1', groups: ['partners'] }
    for (const to of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example/',
      '/a/..//evil.example',
      'javascript:alert(1)',
    ]) {
      const reader = visitor()
      const back = await startSignIn(reader, { issuer: 'corp', to })
      expect((await reader.ask(back.href)).headers.get('location'), to).toBe('/projects')
    }
    const unknown = await visitor().ask('/sign-in', { form: { issuer: 'evil' } })
    expect([unknown.status, unknown.headers.get('location')]).toEqual([403, null])
  })
})

describe('a group that an issuer takes away', () => {
  const modes = [
    ['a refresh token', { givesRefreshTokens: true, hasUserInfo: false }],
    [
      'the userinfo endpoint',
      { givesRefreshTokens: false, hasUserInfo: true, tricks: { tokens: (one: object) => ({ ...one, expires_in: 3600 }) } },
    ],
    ['another sign-in, without asking the reader', { givesRefreshTokens: false, hasUserInfo: false }],
  ] as const

  test.each(modes)('ends access within 15 minutes, with %s', async (_name, mode) => {
    const { corp, clock, address, visitor, enter } = await start()
    Object.assign(corp, mode, { person: { sub: 'u1', groups: ['partners'] } })
    const reader = visitor()
    expect((await enter(reader)).text).toBe(forPartners)
    const ask = async () => (await reader.ask(`${address}/`, { headers: { Accept: '*/*' } })).status
    // The group is still there, so the reader notices nothing.
    clock.ms += quarterMs
    expect(await ask()).toBe(404)
    expect((await reader.go(`${address}/`)).text).toBe(forPartners)
    corp.person = { sub: 'u1', groups: [] }
    clock.ms += quarterMs - 1
    expect(await ask()).toBe(200)
    clock.ms += 1
    expect(await ask()).toBe(404)
    expect((await reader.go(`${address}/`)).status).toBe(404)
    expect(await ask()).toBe(404)
  })

  test('ends access to every site as soon as one asks', async () => {
    const { corp, clock, address, siteOf, project, visitor, enter } = await start()
    Object.assign(corp, { givesRefreshTokens: true, person: { sub: 'u1', groups: ['partners'] } })
    const preview = siteOf(`${project.subdomain}--${toSha('1').slice(0, 12)}`)
    const reader = visitor()
    expect((await enter(reader)).text).toBe(forPartners)
    clock.ms += quarterMs
    // The pass for the preview starts now, and the group goes a moment later.
    expect((await reader.go(`${preview}/_openapi-pages/sign-in?to=/`)).text).toBe(forPartners)
    corp.person = { sub: 'u1', groups: ['staff'] }
    clock.ms += quarterMs
    expect((await reader.go(`${address}/`)).status).toBe(404)
    expect((await reader.ask(`${preview}/`, { headers: { Accept: '*/*' } })).status).toBe(404)
  })

  test.each(modes)('ends the session of a person whom the issuer signed out, with %s', async (_name, mode) => {
    const { corp, clock, address, visitor, enter, store, secretOf } = await start()
    Object.assign(corp, mode, { person: { sub: 'u1', groups: ['partners'] } })
    const reader = visitor()
    await enter(reader)
    const secret = secretOf(reader)
    corp.person = undefined
    clock.ms += quarterMs
    const asked = await reader.go(`${address}/`)
    expect([asked.url.pathname, asked.status]).toEqual(['/sign-in', 200])
    expect(await store.sessions.find(secret)).toBeUndefined()
  })

  test('is unknown while the issuer does not answer, which opens nothing', async () => {
    const { corp, clock, address, visitor, enter, store, secretOf } = await start()
    Object.assign(corp, { givesRefreshTokens: true, person: { sub: 'u1', groups: ['partners'] } })
    const reader = visitor()
    await enter(reader)
    clock.ms += quarterMs
    corp.status = 503
    const refused = await reader.go(`${address}/`)
    expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('Service unavailable')])
    expect((await reader.ask(`${address}/`, { headers: { Accept: '*/*' } })).status).toBe(404)
    expect(await store.sessions.find(secretOf(reader))).toBeDefined()
    corp.status = undefined
    expect((await reader.go(`${address}/`)).text).toBe(forPartners)
  })

  test('is not given back by an answer for another person', async () => {
    const { corp, clock, address, visitor, enter } = await start()
    Object.assign(corp, { givesRefreshTokens: true, person: { sub: 'u1', groups: ['partners'] } })
    const reader = visitor()
    await enter(reader)
    clock.ms += quarterMs
    corp.tricks = { claims: (claims) => ({ ...claims, sub: 'u2' }) }
    const { searchParams, pathname } = (await reader.ask('/sign-in')).url
    expect([pathname, searchParams.size]).toEqual(['/sign-in', 0])
    const asked = await reader.ask(`${address}/`)
    const sent = await reader.ask(asked.headers.get('location') ?? '')
    expect(sent.headers.get('location')).toContain('prompt=none')
  })

  test('ends at once with the session', async () => {
    const { corp, address, visitor, enter, github } = await start()
    corp.person = { sub: 'u1', groups: ['partners'] }
    const reader = visitor()
    expect((await enter(reader)).text).toBe(forPartners)
    await reader.ask('/sign-out', { form: {} })
    expect((await reader.ask(`${address}/`, { headers: { Accept: '*/*' } })).status).toBe(404)
    expect((await reader.go(`${address}/`)).url.pathname).toBe('/sign-in')
    // Its token is not GitHub's.
    expect([...github.userTokens.values()]).toEqual([])
  })

  test('ends when administrators no longer choose the issuer', async () => {
    const { corp, clock, address, visitor, enter, store, project } = await start()
    Object.assign(corp, { givesRefreshTokens: true, person: { sub: 'u1', groups: ['partners'] } })
    const reader = visitor()
    await enter(reader)
    await store.projects.set(project.id, { issuers: ['other'] }, 'test')
    clock.ms += quarterMs
    expect((await reader.go(`${address}/`)).status).toBe(404)
  })
})

describe('a public site with audiences', () => {
  test('shows everyone the same, and readers what is theirs, until they sign out', async () => {
    const { corp, clock, address, visitor, enter } = await start({ isPrivate: false })
    Object.assign(corp, { givesRefreshTokens: true, person: { sub: 'u1', groups: ['partners'] } })
    expect((await visitor().ask(`${address}/`)).text).toBe(everyone)
    const reader = visitor()
    expect((await enter(reader)).text).toBe(forPartners)
    clock.ms += quarterMs
    expect((await reader.go(`${address}/`)).text).toBe(forPartners)
    await reader.ask('/sign-out', { form: {} })
    const after = await reader.go(`${address}/`)
    expect([after.url.href, after.text]).toEqual([`${address}/`, everyone])
    // Their browser is like that of everyone again.
    expect((await reader.ask(`${address}/`)).text).toBe(everyone)
    // Without the group as well.
    const other = visitor()
    corp.person = { sub: 'u2', groups: [] }
    expect((await enter(other)).text).toBe(everyone)
    expect((await other.ask(`${address}/`)).text).toBe(everyone)
  })

  test('offers to sign in where it has no page, whoever asks, at each of its URLs', async () => {
    const { corp, address, base, store, project, visitor, enter } = await start({ isPrivate: false })
    corp.person = { sub: 'u1', groups: ['partners'] }
    const reader = visitor()
    await enter(reader)
    const answers = await Promise.all([visitor(), reader].map((who) => who.ask(`${address}/none/`)))
    for (const { status, text } of answers) expect([status, text]).toEqual([404, expect.stringContaining('sign in')])
    expect(answers[0]?.text).toBe(answers[1]?.text)
    await store.domains.set(project.id, 'docs.example.com', 'test')
    const domain = await store.domains.find(project.id)
    if (domain) await store.domains.verify(domain, 'test')
    const { text } = await visitor().ask(`${base}/none/`, { headers: { Host: 'docs.example.com' } })
    const link = /href="([^"]+)"/.exec(text)?.[1] ?? ''
    expect(link).toBe(`${address}/_openapi-pages/sign-in?to=/none/`)
  })
})

/** The statements that a database on this machine ran, by their text. */
async function listStatements(work: () => Promise<unknown>): Promise<readonly string[]> {
  const { prototype } = sqlite.StatementSync
  const texts: string[] = []
  const { all } = prototype
  prototype.all = function (...parameters) {
    texts.push(this.sourceSQL)
    return Reflect.apply(all, this, parameters)
  }
  try {
    await work()
  } finally {
    prototype.all = all
  }
  return texts.filter((text) => /"(?:projects|site_\w+|sites|sessions)"/.test(text))
}

test('a missing site, a private one and one without an audience differ in no byte, header and query', async () => {
  const { corp, project, siteOf, base, visitor, enter, github, addRepository, store } = await start()
  const { project: hidden } = await addRepository('rival/hidden', { spy: 'admin' }, { private: true })
  await endUpdate(store, hidden, { sha: toSha('2'), site: { 'index.html': 'Hidden' } })
  corp.person = { sub: 'u1', groups: ['staff'] }
  const reader = visitor()
  await enter(reader)
  github.signedInAs = 'outsider'
  const outsider = visitor()
  await outsider.signIn()
  const labels = ['nothing-here', project.subdomain, hidden.subdomain].flatMap((label) => [
    label,
    `${label}--${toSha('1').slice(0, 12)}`,
  ])
  const pass = { Cookie: `openapi-pages-site=${'a'.repeat(43)}` }
  for (const who of [visitor(), reader, outsider]) {
    for (const [path, headers] of [
      ['/', {}],
      ['/', pass],
      ['/shared.txt', { Accept: '*/*' }],
      ['/_openapi-pages/enter?code=x', {}],
    ] as const) {
      const seen = new Set<string>()
      for (const label of labels) {
        const host = new URL(siteOf(label)).host
        const clean = (text: string) => text.replaceAll(host, 'HOST').replace(/challenge=[\w-]+|openapi-pages-door=[\w-]+/g, 'X')
        let answer = ''
        const queries = await listStatements(async () => {
          const { status, text, headers: answered } = await who.ask(`http://${host}${path}`, { headers })
          answered.delete('date')
          answer = clean(JSON.stringify([status, text, [...answered]]).replaceAll('%3A', ':'))
        })
        seen.add(`${answer}\n${queries.join('\n')}`)
      }
      expect([...seen].slice(1), path).toEqual([])
    }
    const seen = new Set<string>()
    for (const label of labels) {
      const host = new URL(siteOf(label)).host
      let answer = ''
      const queries = await listStatements(async () => {
        const { status, text, headers } = await who.ask(`${base}/sites/enter?host=${host}&to=/&challenge=${'a'.repeat(43)}`)
        for (const name of ['date', 'x-request-id']) headers.delete(name)
        answer = JSON.stringify([status, text.replace(/[\w-]{20,}/g, ''), [...headers]])
          .replaceAll(encodeURIComponent(host), 'HOST')
          .replaceAll(host, 'HOST')
      })
      seen.add(`${answer.replace(/HOST|[\w.-]*localhost%\w+/g, 'HOST')}\n${queries.join('\n')}`)
    }
    expect([...seen].slice(1)).toEqual([])
  }
})

describe('teams of GitHub', () => {
  const groups = ['github:acme/docs']

  test('are groups of those who can read the repository, for 15 minutes', async () => {
    const { github, clock, address, visitorOf, visitor } = await start({ groups })
    github.teamsOf.set('reader', ['Acme/docs', 'Acme/staff'])
    github.teamsOf.set('outsider', ['Acme/docs'])
    const open = async (who: Visitor) => (await who.go(`${address}/_openapi-pages/sign-in?to=/`)).text
    const reader = await visitorOf('reader')
    expect(await open(reader)).toBe(forPartners)
    expect(await open(await visitorOf('outsider'))).not.toContain('Plans')
    expect(await open(await visitorOf('boss'))).toBe(everyone)
    github.teamsOf.set('reader', [])
    clock.ms += quarterMs
    expect((await reader.ask(`${address}/`, { headers: { Accept: '*/*' } })).status).toBe(404)
    expect((await reader.go(`${address}/`)).text).toBe(everyone)
    expect((await visitor().ask(`${address}/`)).status).toBe(404)
  })

  test('are no groups without the permission, which the log says', async () => {
    const { github, address, visitorOf, logLines } = await start({ groups })
    github.showsTeams = false
    github.teamsOf.set('reader', ['acme/docs'])
    const reader = await visitorOf('reader')
    expect((await reader.go(`${address}/_openapi-pages/sign-in?to=/`)).text).toBe(everyone)
    expect(logLines.filter((line) => line.includes('members: read'))).toHaveLength(1)
  })
})

test('administrators choose among the issuers of the server, and see the audiences', async () => {
  const { visitorOf, visitor, enter, corp, project, store, addRepository } = await start()
  corp.person = { sub: 'u1', preferred_username: 'paula', groups: ['partners'] }
  await enter(visitor())
  await enter(visitor())
  corp.person = { sub: 'u2', preferred_username: 'otto', groups: ['others'] }
  await enter(visitor())
  // A project does not see who has the same group, but never opened its site.
  const { project: other } = await addRepository('acme/other', { boss: 'admin' }, { private: true })
  const audiences = [{ name: 'partners', groups: ['oidc:corp/partners'], site: { 'index.html': forPartners } }]
  await endUpdate(store, other, { sha: toSha('2'), site: { 'index.html': everyone }, audiences })
  await store.projects.set(other.id, { issuers: ['corp'] }, 'test')
  const boss = await visitorOf('boss')
  const page = await boss.go(`/projects/${project.id}/settings`)
  const words = (text: string) => text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
  expect(words(page.text)).toContain('Signed in, with what they read: paula partners, by corp')
  expect(page.text).not.toContain('otto')
  // Operators see counts.
  const server = words((await boss.go('/server')).text)
  expect(server).toContain('partners of acme/plans 1 reader')
  expect(server).not.toContain('paula')
  expect(server).toContain('partners of acme/other 0 readers')
  expect((await boss.go(`/projects/${other.id}/settings`)).text).not.toContain('paula')
  expect(page.text).toMatch(/name="issuer-corp" value="yes" checked/)
  expect(page.text).toMatch(/name="issuer-other" value="yes"\/?>/)
  expect(page.text).toContain('Audiences on main: partners (oidc:corp/partners).')
  const form = { subdomain: project.subdomain, enabled: 'yes', 'issuer-other': 'yes', 'issuer-evil': 'yes' }
  expect((await boss.go(`/projects/${project.id}/settings`, { form })).text).toContain('name="issuer-other" value="yes" checked')
  expect((await store.projects.find(project.id))?.issuers).toEqual(['other'])
  expect((await store.audit.list(1))[0]).toMatchObject({
    action: 'project.set',
    detail: expect.stringContaining('issuers ["other"]'),
  })
  expect(words((await boss.go('/server')).text)).toContain('partners of acme/plans 0 readers')
  const reader = await visitorOf('reader')
  expect((await reader.ask(`/projects/${project.id}/settings`, { form })).status).toBe(403)
})

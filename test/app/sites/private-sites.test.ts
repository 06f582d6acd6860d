import { describe, expect, test } from 'vitest'
import type { ConnectOptions } from '../support/connected-app.ts'
import { endUpdate, startPeopleApp, toSha } from '../support/people-app.ts'
import { Visitor } from '../support/visitor.ts'

const secretText = 'Our secret plans'

async function start(options: ConnectOptions = {}) {
  const app = await startPeopleApp(options)
  const { project: ours } = await app.addRepository(
    'acme/plans',
    { reader: 'read', writer: 'write', boss: 'admin' },
    { private: true },
  )
  const { project: theirs } = await app.addRepository('rival/plans', { spy: 'admin' }, { private: true })
  const { project: open } = await app.addRepository('acme/open', { reader: 'read' })
  const site = (text: string) => ({
    'index.html': text,
    'guide/index.html': `${text}, the guide`,
    '_assets/app-1.js': '//',
    '_assets/integrations-1.js': '//',
  })
  await endUpdate(app.store, ours, { sha: toSha('1'), site: site(`${secretText}, first`) })
  await endUpdate(app.store, ours, { sha: toSha('2'), site: site(secretText) })
  await app.store.accept({ pullHeads: [{ projectId: ours.id, pullNumber: 7, sha: toSha('1') }] })
  await endUpdate(app.store, theirs, { sha: toSha('3'), site: site('The plans of theirs') })
  await endUpdate(app.store, open, { sha: toSha('4'), site: site('Open to all') })
  const siteOf = (label: string) => app.base.replace('localhost', `${label}.localhost`)
  return { app, ours, theirs, open, siteOf, address: siteOf(ours.subdomain) }
}

/** Opens a site like a browser, and follows the sign-in link if there is one. */
async function enter(visitor: Visitor, address: string) {
  const first = await visitor.go(address)
  const link = /href="([^"]*_openapi-pages[^"]*)"/.exec(first.text)?.[1]
  return link === undefined ? first : await visitor.go(new URL(link, first.url).href)
}

describe('the site of a private repository', () => {
  test('opens for readers of the repository, with a pass for one host', async () => {
    const { app, ours, address, siteOf } = await start()
    const reader = await app.visitorOf('reader')
    const asked = await reader.ask(`${address}/guide/?a=b`)
    expect([asked.status, asked.text]).toEqual([404, expect.stringContaining('sign in')])
    const shown = await enter(reader, `${address}/guide/?a=b`)
    expect([shown.url.href, shown.status, shown.text]).toEqual([`${address}/guide/?a=b`, 200, `${secretText}, the guide`])
    expect(shown.headers.get('cache-control')).toContain('private')
    expect(shown.headers.get('x-robots-tag')).toBe('noindex')
    // Sites share a parent domain, so browsers send cookies with requests embedded in pages of another tenant.
    expect(shown.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(shown.headers.get('vary') ?? '').not.toContain('Origin')
    expect((await reader.ask(`${address}/_assets/app-1.js`, { headers: { Accept: '*/*' } })).status).toBe(200)
    for (const line of reader.cookieLines) expect(line).not.toMatch(/domain=/i)
    expect(reader.cookieLines.filter((line) => line.startsWith('openapi-pages-site=')).at(-1)).toMatch(
      /^openapi-pages-site=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    // A preview has its own host and pass. A signed-in user needs one click.
    const preview = siteOf(`${ours.subdomain}--${toSha('1').slice(0, 12)}`)
    expect((await reader.ask(`${preview}/`)).status).toBe(404)
    expect((await enter(reader, `${preview}/`)).text).toBe(`${secretText}, first`)
    expect((await enter(reader, `${siteOf(`${ours.subdomain}--pr-7`)}/`)).text).toBe(`${secretText}, first`)
  })

  test('redirects anonymous visitors through the sign-in and back to the requested page', async () => {
    const { app, address } = await start()
    app.github.signedInAs = 'reader'
    const visitor = new Visitor(app.base)
    const asked = await enter(visitor, `${address}/guide/`)
    expect(asked.url.pathname).toBe('/sign-in')
    const to = asked.url.searchParams.get('to') ?? ''
    const shown = await visitor.signIn(to)
    expect([shown.url.href, shown.text]).toEqual([`${address}/guide/`, `${secretText}, the guide`])
  })

  test('never shows content to users without access, for all hosts, paths and users', async () => {
    const { app, ours, theirs, open, siteOf } = await start()
    const labels = [ours, theirs, open].flatMap(({ subdomain }) => [
      subdomain,
      ...['1', '2', '3', '4'].map((digit) => `${subdomain}--${toSha(digit).slice(0, 12)}`),
      `${subdomain}--pr-7`,
    ])
    const paths = ['/', '/guide/', '/_assets/app-1.js', '/none', '/%2e%2e/', '/index.html']
    const mayRead: Readonly<Record<string, RegExp>> = {
      anonymous: /Open/,
      outsider: /Open/,
      reader: /Open|ours/,
      spy: /Open|theirs/,
    }
    for (const login of Object.keys(mayRead)) {
      const visitor = login === 'anonymous' ? new Visitor(app.base) : await app.visitorOf(login)
      for (const label of [...labels, 'nothing-here']) {
        // Use every pass that the user can obtain.
        if (login !== 'anonymous') await enter(visitor, `${siteOf(label)}/`)
        for (const path of paths) {
          const { status, text } = await visitor.ask(`${siteOf(label)}${path}`)
          const owned = /ours|theirs|Open/.exec(text)?.[0]
          const owner = label.startsWith(ours.subdomain) ? 'ours' : label.startsWith(theirs.subdomain) ? 'theirs' : 'Open'
          if (owned !== undefined) expect([login, label, path, owned], text).toEqual([login, label, path, owner])
          if (owned !== undefined) expect(owned).toMatch(mayRead[login] ?? /^$/)
          // Without access, a site is indistinguishable from a missing one.
          if (!mayRead[login]?.test(owner)) {
            const other = await visitor.ask(`${siteOf('nothing-here')}${path}`)
            expect([status, text], `${login} ${label}${path}`).toEqual([other.status, other.text])
          }
        }
      }
    }
    // Users did see their own sites.
    const reader = await app.visitorOf('reader')
    expect((await enter(reader, `${siteOf(ours.subdomain)}/`)).text).toBe(secretText)
  })

  test('accepts a code once, within a minute, on its host, in the requesting browser', async () => {
    let time = Date.now()
    const { app, ours, address, siteOf } = await start({ now: () => new Date(time) })
    /** Requests a code without redeeming it. */
    const getCode = async (visitor: Visitor) => {
      const asked = await visitor.ask(`${address}/_openapi-pages/sign-in?to=/`)
      const let_in = await visitor.ask(asked.headers.get('location') ?? '')
      return let_in.headers.get('location') ?? ''
    }
    const reader = await app.visitorOf('reader')
    const used = await getCode(reader)
    const again = await app.visitorOf('reader')
    expect((await reader.ask(used)).status).toBe(303)
    // A visitor with a pass is redirected without a new one.
    const repeated = await reader.ask(used)
    expect([repeated.status, repeated.headers.get('location'), repeated.headers.getSetCookie()]).toEqual([303, '/', []])
    expect((await again.ask(used)).status).toBe(403)
    const stolen = await getCode(again)
    expect((await new Visitor(app.base).ask(stolen)).status).toBe(403)
    expect((await again.ask(stolen)).status).toBe(403)
    const moved = await getCode(again)
    expect((await again.ask(moved.replace(ours.subdomain, `${ours.subdomain}--${toSha('1').slice(0, 12)}`))).status).toBe(403)
    const late = await getCode(again)
    time += 61_000
    expect((await again.ask(late)).status).toBe(403)
    expect((await again.ask(`${siteOf(ours.subdomain)}/_openapi-pages/enter?code=forged&to=/`)).status).toBe(403)
  })

  test('opens in two tabs at the same time', async () => {
    const { app, address } = await start()
    const reader = await app.visitorOf('reader')
    const lead = async (to: string) =>
      (await reader.ask(`${address}/_openapi-pages/sign-in?to=${to}`)).headers.get('location') ?? ''
    const asked = [await lead('/guide/'), await lead('/')]
    const codes: string[] = []
    for (const question of asked) codes.push((await reader.ask(question)).headers.get('location') ?? '')
    for (const [index, to] of ['/guide/', '/'].entries()) {
      const entered = await reader.ask(codes[index] ?? '')
      expect([entered.status, entered.headers.get('location')]).toEqual([303, to])
    }
    expect((await reader.ask(`${address}/guide/`)).text).toBe(`${secretText}, the guide`)
  })

  test('ends a pass after an hour, at sign-out and without access, then redirects to the app', async () => {
    let time = Date.now()
    const { app, address } = await start({ now: () => new Date(time) })
    const reader = await app.visitorOf('reader')
    await enter(reader, `${address}/`)
    expect((await reader.ask(`${address}/`)).status).toBe(200)
    time += 3_601_000
    expect((await reader.ask(`${address}/`, { headers: { Accept: '*/*' } })).status).toBe(404)
    expect((await reader.go(`${address}/`)).text).toBe(secretText)
    app.github.repository('acme/plans').collaborators.set('reader', 'none')
    time += 3_601_000
    const refused = await reader.go(`${address}/`)
    expect([refused.status, refused.url.host]).toEqual([404, new URL(app.base).host])
    app.github.repository('acme/plans').collaborators.set('reader', 'read')
    time += 61_000
    expect((await reader.go(`${address}/`)).status).toBe(200)
    await reader.ask('/sign-out', { form: {} })
    expect((await reader.go(`${address}/`)).url.pathname).toBe('/sign-in')
  })

  test('rejects forged and foreign cookies without revealing anything', async () => {
    const { app, ours, theirs, address, siteOf } = await start()
    const spy = await app.visitorOf('spy')
    await enter(spy, `${siteOf(theirs.subdomain)}/`)
    const pass = spy.cookies.get(new URL(siteOf(theirs.subdomain)).host)?.get('openapi-pages-site') ?? ''
    expect(pass).toMatch(/^[\w-]{43}$/)
    const session = spy.cookies.get(new URL(app.base).host)?.get('openapi-pages-session') ?? ''
    for (const value of [pass, session, 'a'.repeat(43), '..']) {
      const answers = await Promise.all(
        [address, siteOf('nothing-here')].map((site) =>
          new Visitor(app.base).ask(`${site}/`, {
            headers: { Cookie: `openapi-pages-site=${value}; openapi-pages-link=${value}` },
          }),
        ),
      )
      expect(answers[0]?.status).toBe(answers[1]?.status)
      for (const { text } of answers) expect(text).not.toContain(secretText)
    }
    expect(ours.id).not.toBe(theirs.id)
  })

  test('redirects only to the site after the sign-in', async () => {
    const { app, address } = await start()
    const reader = await app.visitorOf('reader')
    for (const to of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example/',
      '/%0d%0aSet-Cookie:x',
      '/_openapi-pages/sign-in?to=/',
    ]) {
      const asked = await reader.go(`${address}/_openapi-pages/sign-in?to=${encodeURIComponent(to)}`)
      expect(asked.url.host, to).toMatch(/localhost:\d+$/)
      expect(reader.cookieLines.join()).not.toContain('x=y')
    }
    const challenge = 'a'.repeat(43)
    for (const host of ['evil.example', new URL(app.base).host, 'x.evil.example', 'a.b.localhost', '127.0.0.1']) {
      const answer = await reader.ask(`/sites/enter?host=${host}&to=/&challenge=${challenge}`)
      expect([answer.status, answer.headers.get('location')], host).toEqual([404, null])
    }
    const foreign = await reader.ask(`/sites/enter?host=rival-plans.localhost&to=/&challenge=${challenge}`)
    expect(foreign.status).toBe(404)
  })

  test('is public only if its project allows it', async () => {
    const { app, ours, address } = await start()
    const anonymous = new Visitor(app.base)
    expect((await anonymous.ask(`${address}/`)).status).toBe(404)
    await app.store.projects.set(ours.id, { siteAccess: 'public' }, 'test')
    const shown = await anonymous.ask(`${address}/`)
    expect([shown.status, shown.text, shown.headers.get('cache-control')]).toEqual([200, secretText, 'public, no-cache'])
    await app.store.projects.set(ours.id, { siteAccess: 'repository' }, 'test')
    expect((await anonymous.ask(`${address}/`)).status).toBe(404)
  })

  test('has no integrations, nor has a preview', async () => {
    const { app, open, address, siteOf } = await start()
    const reader = await app.visitorOf('reader')
    expect((await enter(reader, `${address}/`)).text).toBe(secretText)
    const preview = `${open.subdomain}--${toSha('4').slice(0, 12)}`
    expect((await enter(reader, `${siteOf(preview)}/`)).text).toBe('Open to all')
    const ask = async (site: string) =>
      (await reader.ask(`${site}/_assets/integrations-1.js`, { headers: { Accept: '*/*' } })).status
    expect([await ask(siteOf(open.subdomain)), await ask(siteOf(preview)), await ask(address)]).toEqual([200, 404, 404])
  })

  test('becomes private immediately with its repository', async () => {
    const { app, open, siteOf } = await start()
    const anonymous = new Visitor(app.base)
    expect((await anonymous.ask(`${siteOf(open.subdomain)}/`)).text).toBe('Open to all')
    await app.store.projects.apply([{ kind: 'tighten', repositoryId: open.repositoryId }])
    expect((await anonymous.ask(`${siteOf(open.subdomain)}/`)).status).toBe(404)
  })
})

describe('a share link', () => {
  test('opens the site of its host until it expires, and disappears from the URL', async () => {
    let time = Date.now()
    const { app, ours, address, siteOf } = await start({ now: () => new Date(time) })
    const writer = await app.visitorOf('writer')
    const made = await writer.ask(`/projects/${ours.id}/link`, { form: { days: '7' } })
    expect(made.status).toBe(200)
    const link = /value="(http[^"]*openapi-pages-link=[^"]*)"/.exec(made.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(link).toContain(`${address}/?`)
    const [line] = await app.store.audit.list(1)
    expect(line).toMatchObject({ actor: 'github:writer', action: 'token.create' })
    expect(line?.detail).toContain(`link ${ours.id} at `)
    const anonymous = new Visitor(app.base)
    const opened = await anonymous.ask(`${link}&a=b`)
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/?a=b'])
    expect((await anonymous.ask(`${address}/guide/`)).text).toContain(secretText)
    const asToken = { Authorization: `Bearer ${/opk_[\w-]+/.exec(link)?.[0]}` }
    expect((await fetch(`${app.base}/v1/project/${ours.id}/updates`, { headers: asToken })).status).toBe(401)
    const preview = siteOf(`${ours.subdomain}--${toSha('1').slice(0, 12)}`)
    expect((await anonymous.ask(link.replace(address, preview))).status).toBe(404)
    for (const wrong of [link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), `${address}/?openapi-pages-link=`]) {
      expect((await new Visitor(app.base).ask(wrong)).status, wrong).toBe(404)
    }
    time += 7 * 86_400_000 + 1000
    expect((await anonymous.ask(`${address}/guide/`)).status).toBe(404)
    expect((await new Visitor(app.base).ask(link)).status).toBe(404)
  })

  test('can be revoked by users with write access, independently of other links', async () => {
    const { app, ours, address } = await start()
    const writer = await app.visitorOf('writer')
    const make = async () => {
      const { text } = await writer.ask(`/projects/${ours.id}/link`, { form: { days: '7' } })
      return /value="(http[^"]*openapi-pages-link=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    }
    const visitors = [new Visitor(app.base), new Visitor(app.base)] as const
    const links = [await make(), await make()] as const
    await visitors[0].go(links[0])
    await visitors[1].go(links[1])
    const page = await writer.go(`/projects/${ours.id}`)
    const [newest = '', oldest = ''] = Array.from(page.text.matchAll(/action="([^"]+\/revoke)"/g), ([, action = '']) => action)
    const reader = await app.visitorOf('reader')
    expect((await reader.ask(oldest, { form: {} })).status).toBe(403)
    expect((await reader.go(`/projects/${ours.id}`)).text).not.toContain('/revoke')
    const done = await writer.go(oldest, { form: {} })
    expect(done.text).toContain('Link revoked.')
    expect(done.text).not.toContain(oldest)
    expect(done.text).toContain(newest)
    const seen = await Promise.all(visitors.map(async (visitor) => (await visitor.ask(`${address}/guide/`)).status))
    expect(seen).toEqual([404, 200])
    expect((await new Visitor(app.base).ask(links[0])).status).toBe(404)
  })

  test('can open a single commit, and requires write access to create', async () => {
    const { app, ours } = await start()
    const writer = await app.visitorOf('writer')
    const made = await writer.ask(`/projects/${ours.id}/link`, { form: { days: '1', sha: toSha('1') } })
    const link = /value="(http[^"]*openapi-pages-link=[^"]*)"/.exec(made.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect((await new Visitor(app.base).go(link)).text).toBe(`${secretText}, first`)
    const reader = await app.visitorOf('reader')
    expect((await reader.ask(`/projects/${ours.id}/link`, { form: { days: '7' } })).status).toBe(403)
    expect((await writer.ask(`/projects/${ours.id}/link`, { form: { days: '9999' } })).status).toBe(400)
    expect((await writer.ask(`/projects/${ours.id}/link`, { form: { days: '7', sha: toSha('9') } })).status).toBe(422)
    expect((await writer.ask(`/projects/${ours.id}/link`, { form: { days: '7' }, from: 'https://evil.example' })).status).toBe(
      403,
    )
  })
})

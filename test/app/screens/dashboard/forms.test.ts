import { describe, expect, test } from 'vitest'
import { checkDueDomains } from '../../../../src/app/sites/custom-domains.ts'
import { toDnsError } from '../../support/connected-app.ts'
import { endUpdate, startPeopleApp, toSha } from '../../support/people-app.ts'
import { askSite } from '../../support/sites.ts'
import { Visitor } from '../../support/visitor.ts'
import { shownSha, site, startTenants } from './two-tenants.ts'

describe('the forms', () => {
  test('publish an earlier commit with one click, and undo it', async () => {
    const { app, ours, last } = await startTenants()
    const writer = await app.visitorOf('writer')
    expect(await shownSha(app, ours.id)).toBe(toSha('2'))
    const done = await writer.go(`/projects/${ours.id}/publish`, { form: { sha: toSha('1') } })
    expect(done.text).toContain('Visitors now see this commit')
    expect(await shownSha(app, ours.id)).toBe(toSha('1'))
    expect(done.text).toContain(`value="${toSha('2')}"`)
    expect((await app.store.audit.list(1))[0]).toMatchObject({ actor: 'github:writer', subject: ours.id })
    expect((await writer.go(`/projects/${ours.id}/publish`, { form: { sha: toSha('1') } })).text).toContain(
      'This commit is already published',
    )
    expect((await writer.ask(`/projects/${ours.id}/updates/${last._id}`)).text).toContain('>Publish<')
    const gone = await writer.ask(`/projects/${ours.id}/publish`, { form: { sha: toSha('9') } })
    expect([gone.status, gone.text]).toEqual([422, expect.stringContaining('The site of this commit is no longer stored.')])
    expect((await writer.ask(`/projects/${ours.id}/publish`, { form: { sha: 'main' } })).status).toBe(400)
  })

  test('re-run an update with a new record and check, and record the user', async () => {
    const { app, ours, failed } = await startTenants()
    const writer = await app.visitorOf('writer')
    const done = await writer.ask(`/projects/${ours.id}/updates/${failed._id}/rerun`, { form: {} })
    expect(done.status).toBe(303)
    const newest = (await app.store.statuses.list(ours.id, { limit: 1 }))?.updates[0]
    expect(done.headers.get('location')).toBe(`/projects/${ours.id}/updates/${newest?.update._id}`)
    expect(newest?.update).toMatchObject({ source: 'dashboard', status: 'queued', commit: { sha: toSha('3') } })
    expect(newest?.update.logs.join()).toContain('writer')
    expect(newest?.details).toMatchObject({ trigger: 'rerun' })
    expect((await app.store.audit.list(1))[0]).toMatchObject({ actor: 'github:writer', action: 'update.rerun' })
  })

  test('change the settings for admins, and show errors next to their fields', async () => {
    const { app, ours, theirs } = await startTenants()
    const boss = await app.visitorOf('boss')
    const path = `/projects/${ours.id}/settings`
    const set = (form: Record<string, string>) =>
      boss.go(path, { form: { subdomain: ours.subdomain, enabled: 'yes', siteAccess: 'repository', ...form } })
    expect((await set({ subdomain: 'New-Name', siteAccess: 'public', enabled: 'no' })).text).toContain('Settings saved.')
    expect(await app.store.projects.find(ours.id)).toMatchObject({ subdomain: 'new-name', siteAccess: 'public', enabled: false })
    expect((await boss.ask(`/projects/${ours.id}`)).text).toContain('Updates are off for this project')
    for (const subdomain of ['www', 'a--b', '-a', '', '"><script>', theirs.subdomain]) {
      const refused = await set({ subdomain })
      expect([refused.status, refused.text], subdomain).toEqual([422, expect.stringContaining('aria-invalid')])
    }
    expect((await set({ enabled: 'perhaps' })).status).toBe(400)
    expect((await app.store.projects.find(ours.id))?.subdomain).toBe('new-name')
  })

  test('show the configuration file with its source, the members, and the limits of the server', async () => {
    const { app, ours } = await startTenants()
    app.github.findRepository('acme/api')?.commit({
      files: {
        'openapi-pages.config.yaml': 'github:\n  check: neutral\nschemas: true\n"<img src=x>": "`x`"\n',
      },
    })
    const boss = await app.visitorOf('boss')
    const { text } = await boss.ask(`/projects/${ours.id}/settings`)
    const shown = text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
    expect(shown).toMatch(/github\.check neutral schemas true &lt;img src=x> `x`/)
    expect(text).toContain('/acme/api/blob/main/openapi-pages.config.yaml"')
    expect(shown).toMatch(/boss admin: can change .* writer write: can publish.* reader read: can see/)
    expect(shown).toContain('20 (set by the server, SITE_PREVIEWS)')
    app.github.fault({ route: 'GET /repos/{owner}/{repo}/contents/{path}', status: 502, times: Number.POSITIVE_INFINITY })
    app.github.fault({ route: 'GET /repos/{owner}/{repo}/collaborators', status: 502, times: Number.POSITIVE_INFINITY })
    const without = await boss.ask(`/projects/${ours.id}/settings`)
    expect([without.status, without.text.match(/GitHub did not respond/g)?.length]).toEqual([200, 2])
  })

  test('limit the previews of a project, at most to the limits of the server', async () => {
    const { app, ours } = await startTenants()
    const boss = await app.visitorOf('boss')
    const path = `/projects/${ours.id}/previews`
    const set = (maxPreviews: string, previewDays: string) => boss.go(path, { form: { maxPreviews, previewDays } })
    const shown = (text: string) => text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
    const saved = shown((await set(' 1 ', '7')).text)
    expect(saved).toContain('Settings saved.')
    expect(saved).toContain('1 (set for this project, the server allows 20)')
    expect(saved).toContain('7 days (set for this project, the server allows 30)')
    expect((await app.store.audit.list(1))[0]).toMatchObject({ actor: 'github:boss', action: 'project.set' })
    for (const [count, days] of [
      ['21', '7'],
      ['1', '31'],
      ['1', '0'],
      ['-1', '7'],
      ['1.5', '7'],
      ['"><script>', '7'],
    ] as const) {
      const refused = await set(count, days)
      expect([refused.status, refused.text], `${count} ${days}`).toEqual([422, expect.stringContaining('aria-invalid')])
      expect(refused.text).not.toContain('"><script>')
    }
    expect(await app.store.projects.find(ours.id)).toMatchObject({ maxPreviews: 1, previewDays: 7 })
    for (const sha of ['5', '6']) await endUpdate(app.store, ours, { sha: toSha(sha), ref: 'refs/heads/b', site })
    // The published site and one preview.
    expect((await app.store.sites.list(ours.id)).map(({ sha }) => sha)).toEqual([toSha('6'), toSha('2')])
    expect(shown((await set('', '')).text)).toContain('20 (set by the server, SITE_PREVIEWS)')
    expect(await app.store.projects.find(ours.id)).not.toHaveProperty('maxPreviews')
  })

  test('cannot turn previews on if the server has turned them off', async () => {
    const app = await startPeopleApp({ env: { SITE_PREVIEWS: '0' } })
    const { project } = await app.addRepository('acme/api', { boss: 'admin' })
    await app.store.projects.set(project.id, { maxPreviews: 5 }, 'cli')
    const boss = await app.visitorOf('boss')
    const { text } = await boss.ask(`/projects/${project.id}/settings`)
    expect(text).toContain('None (limited by the server, SITE_PREVIEWS)')
    expect(text).toContain('has turned previews off')
    const refused = await boss.ask(`/projects/${project.id}/previews`, { form: { maxPreviews: '1', previewDays: '' } })
    expect(refused.status).toBe(422)
  })

  test('delete a project until an admin restores it, which stays private until GitHub confirms it', async () => {
    const { app, ours } = await startTenants()
    const boss = await app.visitorOf('boss')
    const path = `/projects/${ours.id}/delete`
    expect((await boss.ask(path, { form: { confirm: 'acme' } })).status).toBe(422)
    expect(await app.store.projects.find(ours.id)).toBeDefined()
    const done = await boss.go(path, { form: { confirm: 'acme/api' } })
    expect(done.text).toMatch(/acme\/api<small>Deleted on \d{1,2} \w{3} \d{4} by boss/)
    expect((await boss.ask(`/projects/${ours.id}`)).status).toBe(404)
    for (const login of ['reader', 'spy']) {
      const other = await app.visitorOf(login)
      expect((await other.ask('/projects/deleted')).text).not.toContain('acme/api')
      expect((await other.ask(`/projects/${ours.id}/restore`, { form: {} })).status).toBe(login === 'reader' ? 403 : 404)
    }
    expect((await boss.ask(`/projects/${ours.id}/restore`, { form: {} })).status).toBe(303)
    expect(await app.store.projects.find(ours.id)).toMatchObject({ private: true })
    expect((await app.store.audit.list(1))[0]).toMatchObject({ actor: 'github:boss', action: 'project.restore' })
  })

  test('serve a public site at a custom domain once its DNS records are verified', async () => {
    const records = { txt: [] as string[][], cname: [] as string[] }
    const app = await startPeopleApp({
      resolver: {
        resolveTxt: async (name: string) => (name === '_openapi-pages.docs.example.com' ? records.txt : []),
        resolveCname: async (name: string) => (name === 'docs.example.com' ? records.cname : []),
      },
    })
    const { project } = await app.addRepository('acme/api', { boss: 'admin' })
    const { project: other } = await app.addRepository('rival/api', { boss: 'admin' })
    await endUpdate(app.store, project, { sha: toSha('1'), site })
    const boss = await app.visitorOf('boss')
    const path = `/projects/${project.id}/domain`
    const open = async () => await askSite(app.app.address, 'docs.example.com', '/')
    const certificate = async (domain: string) => (await boss.ask(`/sites/certificate?domain=${domain}`)).status
    for (const domain of ['', 'localhost', '127.0.0.1', 'https://a.example.com', '"><script>.com', 'other.localhost']) {
      expect((await boss.ask(path, { form: { domain } })).status, domain).toBe(422)
    }
    const added = await boss.go(path, { form: { domain: ' Docs.Example.com ' } })
    const { token = '' } = (await app.store.domains.find(project.id)) ?? {}
    expect(added.text).toContain(`<code>openapi-pages=${token}</code>`)
    const refused = await boss.ask(`${path}/verify`, { form: {} })
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining(`No TXT record of _openapi-pages.docs.example.com has the value openapi-pages=${token}`),
    ])
    records.txt = [['openapi-pages=', token]]
    expect((await boss.ask(`${path}/verify`, { form: {} })).text).toContain('does not point to acme-api.localhost')
    expect([(await open()).status, await certificate('docs.example.com')]).toEqual([303, 404])
    records.cname = ['ACME-api.localhost.']
    expect((await boss.go(`${path}/verify`, { form: {} })).text).toContain('>Verified<')
    expect([(await open()).text, await certificate('docs.example.com')]).toEqual(['a', 200])
    expect([await certificate('acme-api.localhost'), await certificate('none.example.com')]).toEqual([200, 404])
    // The TXT record has the token of the first project.
    await boss.go(`/projects/${other.id}/domain`, { form: { domain: 'docs.example.com' } })
    expect((await boss.ask(`/projects/${other.id}/domain/verify`, { form: {} })).status).toBe(422)
    expect((await open()).text).toBe('a')
    await app.store.projects.apply([{ kind: 'tighten', repositoryId: project.repositoryId }])
    const hidden = await open()
    expect([hidden.status, hidden.text]).toEqual([404, expect.not.stringContaining('sign-in')])
    expect((await boss.go(`${path}/remove`, { form: {} })).text).not.toContain('docs.example.com</code>')
    expect((await open()).status).toBe(303)
  })

  test('warn about wrong DNS records of a custom domain, which is no longer served after 7 days', async () => {
    let time = Date.parse('2026-11-20T07:00:00.000Z')
    let dns: 'correct' | 'ENOTFOUND' | 'ESERVFAIL' | 'ETIMEOUT' = 'correct'
    let token = ''
    let questions = 0
    const read = async <Records>(records: Records): Promise<Records> => {
      questions += 1
      if (dns !== 'correct') throw toDnsError(dns)
      return records
    }
    const resolver = {
      resolveTxt: () => read([[`openapi-pages=${token}`]]),
      resolveCname: () => read(['acme-api.localhost']),
    }
    const app = await startPeopleApp({ resolver, now: () => new Date(time) })
    const { project } = await app.addRepository('acme/api', { boss: 'admin' })
    await endUpdate(app.store, project, { sha: toSha('1'), site })
    await app.store.domains.set(project.id, 'docs.example.com', 'github:boss')
    const domain = await app.store.domains.find(project.id)
    if (!domain) throw new Error('The domain was not stored')
    token = domain.token
    await app.store.domains.verify(domain, 'github:boss')
    const settings = async () => (await (await app.visitorOf('boss')).ask(`/projects/${project.id}/settings`)).text
    const open = async () => (await askSite(app.app.address, 'docs.example.com', '/')).text
    const day = 24 * 3_600_000
    /** Moves the time and checks the domains that are due then. */
    const check = async (result: typeof dns, days: number) => {
      time += days * day
      dns = result
      const before = questions
      await checkDueDomains(app.app.context, resolver, { recheckMs: day - 1, atOnce: 10 }, new AbortController().signal)
      return questions > before
    }
    expect(await check('correct', 0.5)).toBe(false)
    expect(await check('ESERVFAIL', 0.5)).toBe(true)
    expect(await check('ETIMEOUT', 8)).toBe(true)
    expect(await settings()).toContain('>Verified<')
    // It fails for a day, and is correct again.
    expect(await check('ENOTFOUND', 1)).toBe(true)
    expect(await settings()).toMatch(/wrong since 30 Nov 2026.*not served after 7 Dec 2026[\s\S]*TXT record[\s\S]*>Verify</)
    expect(await open()).toBe('a')
    await check('correct', 1)
    expect(await settings()).toContain('>Verified<')
    for (let days = 0; days < 7; days++) await check('ENOTFOUND', 1)
    expect(await open()).toBe('a')
    await check('ESERVFAIL', 1)
    expect(await open()).toBe('a')
    await check('ENOTFOUND', 1)
    expect(await open()).not.toBe('a')
    expect((await app.store.audit.list(1))[0]).toMatchObject({
      actor: 'server',
      action: 'domain.lapse',
      detail: 'docs.example.com',
    })
    expect(await settings()).toContain('The DNS records were wrong for 7 days, so the domain is no longer served.')
    expect(await check('correct', 1)).toBe(false)
    const boss = await app.visitorOf('boss')
    dns = 'ESERVFAIL'
    const refused = await boss.ask(`/projects/${project.id}/domain/verify`, { form: {} })
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('The DNS did not respond (ESERVFAIL)')])
    dns = 'correct'
    expect((await boss.go(`/projects/${project.id}/domain/verify`, { form: {} })).text).toContain('>Verified<')
    expect(await open()).toBe('a')
  })

  test('limit the questions of a proxy about custom domains', async () => {
    const app = await startPeopleApp({ env: { ADDRESS_REQUESTS_PER_MINUTE: '3' } })
    const ask = async (domain: string) => await fetch(`${app.base}/sites/certificate?domain=${domain}`)
    for (const domain of ['a.example.com', 'b.example.com', 'c.example.com']) expect((await ask(domain)).status).toBe(404)
    const refused = await ask('d.example.com')
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    // These need no data of the store. Other requests have their own limit.
    expect((await ask('acme-api.localhost')).status).toBe(200)
    expect((await fetch(`${app.base}/none`)).status).toBe(404)
  })

  test('confirm access with GitHub before they publish, share, loosen access or delete', async () => {
    const { app, ours } = await startTenants()
    const boss = await app.visitorOf('boss')
    // The access of the session is cached from here on.
    expect((await boss.ask(`/projects/${ours.id}/settings`)).status).toBe(200)
    const forms = [
      [`/projects/${ours.id}/publish`, { sha: toSha('1') }],
      [`/projects/${ours.id}/link`, { days: '7' }],
      [`/projects/${ours.id}/settings`, { subdomain: ours.subdomain, enabled: 'yes', siteAccess: 'public' }],
      [`/projects/${ours.id}/delete`, { confirm: 'acme/api' }],
      [`/projects/${ours.id}/domain`, { domain: 'docs.example.com' }],
      [`/projects/${ours.id}/domain/verify`, {}],
      [`/projects/${ours.id}/previews`, { maxPreviews: '1', previewDays: '' }],
    ] as const
    const before = await app.store.projects.find(ours.id)
    app.github.findRepository('acme/api')?.collaborators.set('boss', 'read')
    for (const [path, form] of forms) expect((await boss.ask(path, { form })).status, path).toBe(403)
    app.github.fault({ route: 'GET /repos/{owner}/{repo}/collaborators/{username}/permission', status: 502, times: 100 })
    for (const [path, form] of forms) expect((await boss.ask(path, { form })).status, path).toBe(503)
    expect([await app.store.projects.find(ours.id), await shownSha(app, ours.id)]).toEqual([before, toSha('2')])
  })

  test.each(['reader', 'writer', 'outsider', 'anonymous'])('respect the role of %s', async (login) => {
    const { app, ours, theirs, failed, foreign } = await startTenants()
    const visitor = login === 'anonymous' ? new Visitor(app.base) : await app.visitorOf(login)
    const before = JSON.stringify([await app.store.projects.list(), (await app.store.statuses.list(theirs.id))?.updates.length])
    const settings = { subdomain: 'taken-over', enabled: 'no', siteAccess: 'public' }
    const forms = [
      [`/projects/${ours.id}/settings`, settings, { reader: 403, writer: 403, outsider: 404, anonymous: 303 }],
      [
        `/projects/${ours.id}/previews`,
        { maxPreviews: '0', previewDays: '' },
        { reader: 403, writer: 403, outsider: 404, anonymous: 303 },
      ],
      [`/projects/${ours.id}/publish`, { sha: toSha('1') }, { reader: 403, writer: 303, outsider: 404, anonymous: 303 }],
      [`/projects/${ours.id}/updates/${failed._id}/rerun`, {}, { reader: 403, writer: 303, outsider: 404, anonymous: 303 }],
      [`/projects/${theirs.id}/settings`, settings, { reader: 404, writer: 404, outsider: 404, anonymous: 303 }],
      [`/projects/${theirs.id}/publish`, { sha: toSha('4') }, { reader: 404, writer: 404, outsider: 404, anonymous: 303 }],
      [`/projects/${ours.id}/updates/${foreign._id}/rerun`, {}, { reader: 403, writer: 404, outsider: 404, anonymous: 303 }],
    ] as const
    for (const [path, form, statuses] of forms) {
      const { status } = await visitor.ask(path, { form })
      expect(status, path).toBe(statuses[login as keyof typeof statuses])
    }
    expect(await shownSha(app, ours.id)).toBe(toSha(login === 'writer' ? '1' : '2'))
    expect(JSON.stringify([await app.store.projects.list(), (await app.store.statuses.list(theirs.id))?.updates.length])).toBe(
      before,
    )
  })

  test('reject submissions from other sites and hosted sites', async () => {
    const { app, ours, failed } = await startTenants()
    const boss = await app.visitorOf('boss')
    const hosted = app.base.replace('localhost', `${ours.subdomain}.localhost`)
    const forms = [
      [`/projects/${ours.id}/publish`, { sha: toSha('1') }],
      [`/projects/${ours.id}/updates/${failed._id}/rerun`, {}],
      [`/projects/${ours.id}/settings`, { subdomain: 'taken', enabled: 'no' }],
    ] as const
    for (const [path, form] of forms) {
      for (const from of ['https://evil.example', hosted, 'null', null])
        expect((await boss.ask(path, { form, from })).status).toBe(403)
      expect((await boss.ask(path, { form, headers: { 'Sec-Fetch-Site': 'same-site' } })).status).toBe(403)
    }
    expect(await shownSha(app, ours.id)).toBe(toSha('2'))
    expect((await app.store.statuses.list(ours.id))?.updates.length).toBe(3)
  })
})

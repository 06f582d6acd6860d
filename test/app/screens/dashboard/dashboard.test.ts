import { describe, expect, test } from 'vitest'
import { toPictureLink } from '../../../../src/app/base/signed-links.ts'
import { toPlainContent } from '../../../../src/app/publish/site-files.ts'
import { formatBytes, toAgo } from '../../../../src/app/screens/pages/formats.ts'
import type { Project } from '../../../../src/status/update-record.ts'
import type { ScreenshotTheme } from '../../../../src/store/sites/stored-sites.ts'
import { hostileStrings } from '../../../support/hostile-strings.ts'
import { endUpdate, startPeopleApp, toSha } from '../../support/people-app.ts'
import { compareParcelVersions } from '../../support/sample-changes.ts'
import { validReport } from '../../support/sample-report.ts'
import { addUpdate, startNext } from '../../support/test-app.ts'
import { Visitor } from '../../support/visitor.ts'
import { site, startTenants } from './two-tenants.ts'

describe('a signed-in user', () => {
  test('sees only projects that they can read on GitHub, and cannot detect others', async () => {
    const { app, ours, theirs, last, foreign } = await startTenants()
    const reader = await app.visitorOf('reader')
    const spy = await app.visitorOf('spy')
    const outsider = await app.visitorOf('outsider')
    for (const path of ['/projects', '/updates', `/projects/${ours.id}`, `/projects/${ours.id}/branches`]) {
      const { status, text } = await reader.ask(path)
      expect(status, path).toBe(200)
      expect(text, path).not.toMatch(/rival|Secret plans/)
    }
    expect((await reader.ask('/projects')).text).toContain('acme/api')
    expect((await reader.ask('/projects')).text).toMatch(/href="[^"]+\/installations\/new">Add project</)
    expect((await reader.ask('/updates')).text).toContain('Second')
    const { text: empty } = await outsider.ask('/projects')
    expect(empty).toContain('No projects yet')
    expect(empty).toContain('/installations/new')
    for (const visitor of [spy, outsider]) {
      const nothing = (await visitor.ask('/projects/prj_none')).text
      for (const path of [
        `/projects/${ours.id}`,
        `/projects/${ours.id}/branches`,
        `/projects/${ours.id}/settings`,
        `/projects/${ours.id}/updates/${last._id}`,
      ]) {
        const answer = await visitor.ask(path)
        expect([answer.status, answer.text], path).toEqual([404, nothing])
      }
    }
    // A record of the other tenant in a URL of this project.
    for (const path of [`/projects/${ours.id}/updates/${foreign._id}`, `/projects/${ours.id}/updates/none`]) {
      expect((await reader.ask(path)).status).toBe(404)
    }
    expect((await reader.ask(`/projects/${theirs.id}`)).status).toBe(404)
    // Links on GitHub end after half a year.
    const dead = `/updates/${last._id}?expires=1&signature=x`
    expect((await reader.ask(dead)).headers.get('location')).toBe(`/projects/${ours.id}/updates/${last._id}`)
    expect((await spy.ask(dead)).status).toBe(404)
  })

  test('sees what GitHub refuses of the projects that they administer, with its words', async () => {
    const { app, ours, theirs } = await startTenants()
    for (const project of [ours, theirs]) {
      await addUpdate(app.store, project)
      const { job } = await startNext(app.store)
      const refusal = { reason: `403 Not for ${project.owner}`, refusal: 'forbidden' }
      await app.store.queue.retry(job.lease, { ...refusal, retryAfterMs: 3_600_000 })
    }
    const { status, text } = await (await app.visitorOf('boss')).ask('/server')
    expect([status, text]).toEqual([200, expect.stringMatching(/1 run of acme\/api.*403 Not for acme/s)])
    expect(text).not.toMatch(/rival|Audit log|Last comparison|Free/)
    expect((await (await app.visitorOf('writer')).ask('/server')).status).toBe(403)
    expect(await app.app.tools.metrics.registry.metrics()).toMatch(/^openapi_pages_refused_jobs\{reason="forbidden"\} 2$/m)
  })

  test('sees the whole server while its settings name their account, and projects only as before', async () => {
    const { app, ours, theirs } = await startTenants({ env: { OPERATORS: 'Chief, id:583231' } })
    app.github.account('renamed').id = 583_231
    const chief = await app.visitorOf('chief')
    for (const operator of [chief, await app.visitorOf('renamed')]) {
      const { status, text } = await operator.ask('/server')
      expect([status, text]).toEqual([200, expect.stringMatching(/All work.*rival\/api.*Last comparison.*Audit log/s)])
      expect(text).not.toContain('/projects/prj_')
      expect((await operator.ask('/projects')).text).toContain('href="/server"')
      for (const { id } of [ours, theirs]) expect((await operator.ask(`/projects/${id}`)).status).toBe(404)
    }
    // The ID of an operator as a login.
    expect((await (await app.visitorOf('583231')).ask('/server')).status).toBe(403)

    const restarted = await app.restart({ env: { OPERATORS: 'octocat' } })
    const demoted = new Visitor(restarted.app.context.urls.base())
    demoted.cookies.set(new URL(demoted.base).host, chief.cookies.get(new URL(app.base).host) ?? new Map())
    expect([(await demoted.ask('/projects')).status, (await demoted.ask('/server')).status]).toEqual([200, 403])
  })

  test('no longer sees the whole server in a session whose login now belongs to another account', async () => {
    let time = Date.now()
    const { app } = await startTenants({ env: { OPERATORS: 'chief' }, now: () => new Date(time) })
    const chief = await app.visitorOf('chief')
    for (const [token, known] of app.github.userTokens) app.github.userTokens.set(token, { ...known, login: 'former-chief' })
    expect((await chief.ask('/server')).status).toBe(200)
    time += 61_000
    expect([(await chief.ask('/projects')).status, (await chief.ask('/server')).status]).toEqual([200, 403])
  })

  test('keeps the navigation on a page that does not exist', async () => {
    const { app, ours } = await startTenants()
    const reader = await app.visitorOf('reader')
    for (const path of ['/projects/prj_none', '/none', `/projects/${ours.id}/updates/none`]) {
      const { status, text } = await reader.ask(path)
      expect([status, text], path).toEqual([404, expect.stringMatching(/<nav class="sections"[\s\S]*action="\/sign-out"/)])
      expect((await new Visitor(app.base).ask('/none')).text).not.toContain('class="sections"')
    }
    expect((await reader.ask('/sign-out', { form: {} })).status).toBe(303)
  })

  test('sees the state of production in the list of projects, and previews apart', async () => {
    const { app, ours } = await startTenants()
    await endUpdate(app.store, ours, { sha: toSha('5'), message: 'Third: `limit`' })
    for (const name of ['a', 'b']) {
      await endUpdate(app.store, ours, {
        sha: toSha('6'),
        ref: `refs/heads/${name}`,
        message: 'Try',
        status: 'failure',
        summary: 'Failed.',
      })
    }
    const reader = await app.visitorOf('reader')
    const { text } = await reader.ask('/projects')
    const [, list = ''] = text.split('data-part="projects"')
    const shown = list.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
    expect(shown).toMatch(
      /Success: acme\/api Private acme-api\S+ 2222222 Second by octocat , published \d+ s ago main : success, Third: limit Preview b : failure, 1 more preview/,
    )
    expect(list).toContain('<code>limit</code>')
    const [, side = ''] = (await reader.ask('/updates')).text.split('data-part="side"')
    expect(side).toMatch(/Success: <\/span><span><bdi>acme\/api/)
  })

  test('finds projects and updates by text, organization and state, those with the newest updates first', async () => {
    const { app, ours } = await startTenants()
    const { project: other } = await app.addRepository('zeta/docs', { reader: 'read' })
    const failure = { status: 'failure', summary: 'Failed.' } as const
    await endUpdate(app.store, other, { sha: toSha('5'), message: 'Fifth', site })
    await endUpdate(app.store, other, { sha: toSha('6'), message: 'Sixth', ref: 'refs/heads/topic', ...failure })
    const reader = await app.visitorOf('reader')
    const listOn = async (path: string) => {
      const [, list = ''] = (await reader.ask(path)).text.split(/data-part="(?:projects|updates)"/)
      const links =
        /<a href="\/projects\/prj_\w+">([^<]+)|<a href="\/projects\/prj_\w+\/updates\/[^"]+"><bdi>(\w+)<\/bdi><\/a><small>/g
      return [...list.matchAll(links)].map(([, project, update]) => project ?? update)
    }
    expect(await listOn('/projects')).toEqual(['zeta/docs', 'acme/api'])
    expect(await listOn('/projects?q=&owner=&state=failure')).toEqual(['acme/api'])
    expect(await listOn('/projects?q=docs&owner=zeta')).toEqual(['zeta/docs'])
    expect(await listOn('/projects?q=docs&owner=acme')).toEqual([])
    expect(await listOn('/updates?owner=zeta&state=failure')).toEqual(['Sixth'])
    expect(await listOn('/updates?q=acme&state=success')).toEqual(['Second', 'First'])
    expect((await reader.ask('/updates?state=other')).status).toBe(400)

    const broken = await endUpdate(app.store, ours, { sha: toSha('7'), message: 'Seventh', site, ...failure })
    const path = `/projects/${ours.id}/updates/${broken._id}`
    expect((await reader.ask('/projects')).text).toContain(`The published commit <a href="${path}">has errors</a>`)
    expect((await reader.ask(path)).text).toContain('<title>Failure: Seventh · acme/api main')
  })

  test('sees no list in the side bar that repeats the list beside it', async () => {
    const { app, ours, last } = await startTenants()
    const reader = await app.visitorOf('reader')
    const listsOf = async (path: string) => {
      const [, side = ''] = /<nav aria-label="Projects">(.*?)<\/nav>/.exec((await reader.ask(path)).text) ?? []
      return [...side.matchAll(/<h2>([^<]+)/g)].map(([, heading]) => heading)
    }
    const project = `/projects/${ours.id}`
    expect(await listsOf('/projects')).toEqual([])
    for (const path of ['/updates', project, `${project}/branches`, `${project}/changes`]) {
      expect(await listsOf(path), path).toEqual(['Projects'])
    }
    expect(await listsOf(`${project}/updates/${last._id}`)).toEqual(['Projects', 'Latest updates'])
  })

  test('sees a warning instead of a success on an update with breaking changes', async () => {
    const { app, ours } = await startTenants()
    const apiChanges = await compareParcelVersions()
    const { _id } = await endUpdate(app.store, ours, { sha: toSha('5'), message: 'Limit the pages', site, apiChanges })
    const reader = await app.visitorOf('reader')
    const project = `/projects/${ours.id}`
    for (const path of [
      '/projects',
      '/updates',
      project,
      `${project}/branches`,
      `${project}/changes`,
      `${project}/updates/${_id}`,
    ]) {
      const { text } = await reader.ask(path)
      // The commit alone: others of the page succeeded without breaking changes.
      const [, list = ''] = text.split('<main')
      expect(list, path).toMatch(/class="[^"]*is-warning"/)
      expect(list, path).toContain('Breaking changes')
      const items = list.split(/<li/).filter((item) => /Limit the pages|<b>Breaking/.test(item))
      for (const item of items) expect(item, path).not.toMatch(/is-success"><svg|Success: /)
    }
    const { text } = await reader.ask(`${project}/updates/${_id}`)
    expect(text).toMatch(/<span class="tag is-warning" role="status">.*?Breaking changes<\/span>/)
    const [, side = ''] = text.split('<nav aria-label="Projects">')
    expect(side).toMatch(/Breaking changes: <\/span><span><bdi>acme\/api/)
  })

  test('sees the steps from no repository to a site with their states', async () => {
    const app = await startPeopleApp()
    app.github.createRepository('acme/other')
    const stepsOn = async (path: string) => {
      // The roles of a session are cached.
      const boss = await app.visitorOf('boss')
      const [, steps = ''] = /aria-label="Steps to a site">(.*?)<\/ol>/.exec((await boss.ask(path)).text) ?? []
      const texts = [...steps.matchAll(/<li.*?<\/li>/g)].map(([step]) =>
        step
          .replace(/<[^>]+>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
      )
      return { states: texts.map((text) => /^\d\. (\w+)/.exec(text)?.[1]), texts }
    }
    const newcomer = await app.visitorOf('boss')
    expect((await newcomer.ask('/projects')).text).not.toContain('/projects/deleted')
    const none = await stepsOn('/projects')
    expect(none.states).toEqual(['Now', 'Later', 'Later'])
    expect(none.texts[0]).toContain('Install the app on a repository')

    const { project } = await app.addRepository('acme/api', { boss: 'admin' })
    const path = `/projects/${project.id}`
    const change = (facts: Partial<Project>) => app.store.projects.apply([{ kind: 'upsert', project: { ...project, ...facts } }])
    await change({ hasDocsConfig: false })
    await endUpdate(app.store, project, { sha: toSha('1'), message: 'Start', report: validReport })
    const checked = await stepsOn(path)
    expect(checked.states).toEqual(['Done', 'Now', 'Later'])
    expect(checked.texts[1]).toContain('The app already checks openapi.yaml .')

    await change({ hasDocsConfig: true })
    await endUpdate(app.store, project, { sha: toSha('2'), message: 'Break it', status: 'failure', summary: 'Failed.' })
    const failed = await stepsOn(path)
    expect(failed.states).toEqual(['Done', 'Done', 'Now'])
    expect(failed.texts[2]).toContain('last update failed')

    await endUpdate(app.store, project, { sha: toSha('3'), message: 'Fix it', site })
    expect((await stepsOn(path)).states).toEqual([])

    await app.store.projects.remove(project.id, 'github:boss')
    const boss = await app.visitorOf('boss')
    expect((await boss.ask('/projects')).text).toContain('/projects/deleted')
  })

  test('sees production as a card with its screenshot, or why there is none', async () => {
    const { app, ours, last } = await startTenants()
    const { linkKey } = app.app.context.urls
    const image = (theme: ScreenshotTheme) => ({
      content: toPlainContent(Buffer.from(theme)),
      url: toPictureLink(linkKey, app.base, last._id, theme),
    })
    const reader = await app.visitorOf('reader')
    const cardOn = async (visitor: Visitor, path: string) =>
      /class="card .*?<\/(?:article|li)>/.exec((await visitor.ask(path)).text)?.[0] ?? ''
    const pages = ['/projects', `/projects/${ours.id}`]
    for (const page of pages) expect(await cardOn(reader, page), page).toContain('No screenshot')
    await app.store.statuses.addDetails(last._id, { pictures: 'begun' })
    for (const page of pages) expect(await cardOn(reader, page), page).toContain('Taking the screenshot')
    await app.store.sites.addScreenshots(last._id, { light: image('light'), dark: image('dark') })
    for (const page of pages) {
      const card = await cardOn(reader, page)
      for (const theme of ['light', 'dark'] as const)
        expect(card, page).toContain(`<img class="${theme}" src="${image(theme).url}"`)
      expect(card, page).toMatch(/href="[^"]+\/sign-in\?to=\/">acme-api\./)
      expect(card, page).toMatch(/href="[^"]+\/commit\/2{40}">2222222<.*Second.*octocat.*Visit/)
    }
    // Only a person with write access can deploy, and only the newest commit.
    const writer = await app.visitorOf('writer')
    const actions = async (visitor: Visitor) => (await cardOn(visitor, `/projects/${ours.id}`)).includes('Deploy again')
    expect([await actions(reader), await actions(writer)]).toEqual([false, false])
    await endUpdate(app.store, ours, { sha: toSha('5'), message: 'Third', site })
    expect([await actions(reader), await actions(writer)]).toEqual([false, true])
  })

  test('gets from API changes to the changelogs of the site, also of a private one', async () => {
    const { app, ours } = await startTenants()
    const changelogs = [
      { route: 'api/changelog', title: 'Pets <changelog>' },
      { route: 'orders & bills/changelog', title: 'Orders changelog' },
    ]
    const files = { 'index.html': 'a', 'api/changelog/index.html': 'Pets 2', 'orders & bills/changelog/index.html': 'Orders 2' }
    const details = { trigger: 'push', site: { mainRoute: '', changedPages: [], changedCount: 0, changelogs } } as const
    const apiChanges = await compareParcelVersions()
    const { _id } = await endUpdate(app.store, ours, { sha: toSha('5'), site: files, details, apiChanges })
    const reader = await app.visitorOf('reader')
    const linksOn = async (path: string) => {
      const { text } = await reader.ask(path)
      const [, list = ''] = /Changes by version: (.*?)<\/p>/.exec(text) ?? []
      expect(list.replace(/<[^>]+>/g, '')).toBe('Pets &lt;changelog>, Orders changelog')
      return [...list.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
    }
    const shown = await linksOn(`/projects/${ours.id}`)
    expect(shown.map((href) => new URL(href).host.split('.')[0])).toEqual([ours.subdomain, ours.subdomain])
    const [pets = '', orders = ''] = shown
    expect([(await reader.go(pets)).text, (await reader.go(orders)).text]).toEqual(['Pets 2', 'Orders 2'])
    expect(await linksOn(`/projects/${ours.id}/changes`)).toEqual(shown)
    const own = await linksOn(`/projects/${ours.id}/updates/${_id}`)
    expect(own.map((href) => new URL(href).pathname)).toEqual(['/api/changelog/', '/orders%20%26%20bills/changelog/'])

    // A rolled back site is that of the earlier commit, which has no changelog.
    const boss = await app.visitorOf('boss')
    await boss.ask(`/projects/${ours.id}/publish`, { form: { sha: toSha('2') } })
    expect((await reader.ask(`/projects/${ours.id}`)).text).not.toContain('Changes by version')
  })

  test('gets from an update that a newer commit overtook to the update of this commit', async () => {
    const { app, ours } = await startTenants()
    const overtaken = await endUpdate(app.store, ours, {
      sha: toSha('5'),
      details: { trigger: 'push', overtaken: true, overtakenBy: toSha('6') },
    })
    const reader = await app.visitorOf('reader')
    const newerLink = async () => {
      const { text } = await reader.ask(`/projects/${ours.id}/updates/${overtaken._id}`)
      return /The branch is at <a[^>]* href="([^"]+)"/.exec(text)?.[1]
    }
    expect(await newerLink()).toMatch(new RegExp(`/commit/${toSha('6')}$`))
    const newer = await endUpdate(app.store, ours, { sha: toSha('6') })
    expect(await newerLink()).toBe(`/projects/${ours.id}/updates/${newer._id}`)
  })

  test('must sign in first, and returns to the requested page', async () => {
    const { app, ours } = await startTenants()
    const visitor = new Visitor(app.base)
    for (const path of [`/projects/${ours.id}?cursor=a`, '/projects/prj_none', '/updates', '/projects']) {
      const { status, headers } = await visitor.ask(path)
      expect([status, headers.get('location')]).toEqual([303, `/sign-in?to=${encodeURIComponent(path)}`])
    }
    for (const cookie of ['openapi-pages-session=forged', `openapi-pages-session=${'a'.repeat(43)}`]) {
      expect((await visitor.ask('/projects', { headers: { Cookie: cookie } })).status).toBe(303)
    }
  })

  test('loses access within a minute after losing it on GitHub', async () => {
    let time = Date.now()
    const app = await startPeopleApp({ now: () => new Date(time) })
    const { project, repository } = await app.addRepository('acme/api', { reader: 'read' })
    const reader = await app.visitorOf('reader')
    const asked = () => app.github.requestsTo('GET /user/installations').length
    expect((await reader.ask(`/projects/${project.id}`)).status).toBe(200)
    expect((await reader.ask(`/projects/${project.id}`)).status).toBe(200)
    expect(asked()).toBe(1)
    repository.collaborators.set('reader', 'none')
    time += 61_000
    expect((await reader.ask(`/projects/${project.id}`)).status).toBe(404)
    expect(asked()).toBe(2)
  })

  test('gets tokens renewed once for concurrent requests, and is signed out if GitHub revokes them', async () => {
    let time = Date.now()
    const app = await startPeopleApp({ now: () => new Date(time) })
    const { project } = await app.addRepository('acme/api', { reader: 'read' })
    const reader = await app.visitorOf('reader')
    time += 8 * 3_600_000
    const answers = await Promise.all([1, 2, 3].map(() => reader.ask(`/projects/${project.id}`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(app.github.requestsTo('POST /login/oauth/access_token').length).toBe(2)
    for (const token of app.github.userTokens.values()) token.revoked = true
    time += 61_000
    expect((await reader.ask(`/projects/${project.id}`)).headers.get('location')).toMatch(/^\/sign-in/)
    expect((await reader.ask('/sign-in')).status).toBe(200)
  })

  test('sees an error and no data if GitHub does not respond', async () => {
    const { app, ours } = await startTenants()
    app.github.fault({ route: 'GET /user/installations', status: 502, times: Number.POSITIVE_INFINITY })
    const reader = await app.visitorOf('reader')
    const answer = await reader.ask(`/projects/${ours.id}`)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10'])
    expect(answer.text).not.toContain('acme')
  })

  test('can page through projects, branches and updates', async () => {
    const { app, ours } = await startTenants()
    for (let number = 0; number < 24; number++) {
      const commit = {
        sha: toSha('5'),
        ref: `refs/heads/b${number}`,
        message: `Change ${number}`,
        filesChanged: { added: [], modified: [], removed: [] },
      }
      await addUpdate(app.store, ours, { commit })
    }
    const reader = await app.visitorOf('reader')
    const first = await reader.ask(`/projects/${ours.id}`)
    expect(first.text).toContain('Show all 25')
    // The default branch is first, although others are newer.
    const [, branches = ''] = first.text.split('data-part="branches"')
    expect(/href="[^"]+\/updates\/[^"]+"><bdi>([^<]+)</.exec(branches)?.[1]).toBe('main')
    const next = /href="([^"]*cursor=[^"]*)"/.exec(first.text)?.[1] ?? ''
    const second = await reader.ask(next.replaceAll('&amp;', '&'))
    expect(second.text).toContain('Newest')
    expect(second.text).toContain('>First<')
    expect((await reader.ask(`/projects/${ours.id}?cursor=nonsense`)).status).toBe(404)
    expect((await reader.ask('/updates?cursor=nonsense')).status).toBe(404)
    expect((await reader.ask(`/projects/${ours.id}/branches`)).text).toContain('b0')
    expect((await reader.ask(`/projects/${ours.id}/branches?page=99`)).text).toContain('No branches on this page')
    expect((await reader.ask('/projects?q=nothing')).text).toContain('No matching projects')
    expect((await reader.ask('/projects?q=ACME')).text).toContain('acme/api')
    expect((await reader.ask('/projects?page=99')).status).toBe(200)
  })

  test('sees untrusted input as text on every page', async () => {
    const { app, ours } = await startTenants()
    const markup = '"><img src=x onerror=alert(1)><script>alert(2)</script>'
    for (const text of [markup, ...hostileStrings.slice(0, 20)]) {
      await endUpdate(app.store, ours, {
        sha: toSha('6'),
        message: text,
        author: text,
        summary: `Failed: ${text}`,
        ref: `refs/heads/${text}`,
        status: 'failure',
      })
    }
    const { updates = [] } = (await app.store.statuses.list(ours.id)) ?? {}
    const writer = await app.visitorOf('writer')
    const paths = [
      '/projects',
      '/updates',
      `/projects/${ours.id}`,
      `/projects/${ours.id}/branches`,
      `/projects?q=${encodeURIComponent(markup)}`,
    ]
    for (const path of [...paths, ...updates.slice(0, 3).map(({ update }) => `/projects/${ours.id}/updates/${update._id}`)]) {
      const { status, text } = await writer.ask(path)
      expect(status, path).toBe(200)
      expect(text, path).not.toMatch(/<img src=x|<script>alert/)
      expect(
        text.match(/<script[^>]*>/g)?.every((tag) => / src="\/assets\//.test(tag)),
        path,
      ).toBe(true)
    }
  })
})

test.each([
  [0, '0 s ago'],
  [59, '59 s ago'],
  [60, '1 min ago'],
  [3600, '1 hour ago'],
  [7200, '2 hours ago'],
  [86_400, 'yesterday'],
  [3 * 86_400, '3 days ago'],
  [40 * 86_400, '11 Oct 2026'],
])('shows %i seconds ago as %s', (seconds, shown) => {
  const now = new Date('2026-11-20T07:00:00.000Z')
  expect(toAgo(new Date(now.getTime() - seconds * 1000).toISOString(), now)).toBe(shown)
})

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1500, '1.5 kB'],
  [640_000, '640 kB'],
  [18_400_000, '18.4 MB'],
])('shows %i bytes as %s', (bytes, shown) => {
  expect(formatBytes(bytes)).toBe(shown)
})

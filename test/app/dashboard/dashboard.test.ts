import { describe, expect, test } from 'vitest'
import { formatBytes, toAgo } from '../../../src/app/pages/formats.ts'
import { toPictureLink } from '../../../src/app/signed-links.ts'
import { checkDueDomains } from '../../../src/app/sites/domain-checks.ts'
import { toPlainContent } from '../../../src/app/sites/site-content.ts'
import type { Project } from '../../../src/status/types.ts'
import type { ScreenshotTheme } from '../../../src/store/sites/stored-sites.ts'
import { hostileStrings } from '../../support/hostile-strings.ts'
import { toDnsError } from '../support/connected-app.ts'
import { endUpdate, type PeopleApp, startPeopleApp, toSha } from '../support/people-app.ts'
import { compareParcelVersions } from '../support/sample-changes.ts'
import { validReport } from '../support/sample-report.ts'
import { askSite } from '../support/sites.ts'
import { addUpdate } from '../support/test-app.ts'
import { Visitor } from '../support/visitor.ts'

const site = { 'index.html': 'a' }

/** Two tenants, each with an update. `reader` and `writer` belong to the first. */
async function startTenants() {
  const app = await startPeopleApp()
  const { project: ours } = await app.addRepository(
    'acme/api',
    { reader: 'read', writer: 'write', boss: 'admin' },
    { private: true },
  )
  const { project: theirs } = await app.addRepository('rival/api', { spy: 'admin' }, { private: true })
  const old = await endUpdate(app.store, ours, { sha: toSha('1'), message: 'First', site })
  const last = await endUpdate(app.store, ours, { sha: toSha('2'), message: 'Second', site })
  const failed = await endUpdate(app.store, ours, { sha: toSha('3'), status: 'failure', summary: 'Failed.' })
  const foreign = await endUpdate(app.store, theirs, { sha: toSha('4'), message: 'Secret plans', site })
  return { app, ours, theirs, old, last, failed, foreign }
}

async function shownSha({ store }: PeopleApp, projectId: string) {
  return (await store.sites.findPublished(projectId))?.build.sha
}

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
    const apiChanges = await compareParcelVersions(toSha('1'))
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
    const { linkKey } = app.app.context
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
    const apiChanges = await compareParcelVersions(toSha('1'))
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
    expect(newest?.details).toMatchObject({ trigger: 'rerun', rerunOf: failed._id })
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
      await checkDueDomains(app.app.context, { recheckMs: day - 1, atOnce: 10 }, new AbortController().signal)
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

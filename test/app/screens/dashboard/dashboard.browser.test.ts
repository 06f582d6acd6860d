import { mkdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toPictureLink } from '../../../../src/app/base/signed-links.ts'
import { toPlainContent } from '../../../../src/app/publish/site-files.ts'
import type { ScreenshotTheme } from '../../../../src/store/sites/stored-sites.ts'
import { browser, shareBrowser } from '../../../support/browser.ts'
import { addWrongDomain, endUpdate, type PeopleApp, startPeopleApp, toSha } from '../../support/people-app.ts'
import { compareParcelVersions } from '../../support/sample-changes.ts'
import { failedReport, validReport } from '../../support/sample-report.ts'
import { addUpdate, finishNext, startNext } from '../../support/test-app.ts'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
/** Set to a folder to save screenshots for review. */
const shotFolder = process.env['OPENAPI_PAGES_SHOTS']

shareBrowser()

const looks = [
  { name: 'light', colorScheme: 'light', width: 1280 },
  { name: 'dark', colorScheme: 'dark', width: 1280 },
  { name: 'phone', colorScheme: 'light', width: 360 },
  { name: 'dark-phone', colorScheme: 'dark', width: 360 },
] as const

/** Three projects with a history. */
async function fill({ store, addRepository, app, base }: PeopleApp) {
  const { project } = await addRepository('octo/tracker-docs', { octocat: 'admin' }, { private: true })
  const { project: sdk } = await addRepository('octo/tracker-docs', { octocat: 'admin' }, { private: true, root: 'sdk' })
  const { project: billing } = await addRepository('octo/billing', { octocat: 'admin' })
  const site = { 'index.html': 'a', 'pets.html': 'b'.repeat(40_000) }
  await endUpdate(store, billing, { sha: toSha('1'), message: 'Start', status: 'failure', summary: 'Failed: 1 error.' })
  const apiChanges = await compareParcelVersions()
  const changed = await endUpdate(store, billing, {
    sha: toSha('8'),
    message: 'Limit the pages',
    report: validReport,
    apiChanges,
    site,
    details: {
      trigger: 'push',
      site: { mainRoute: '', changedPages: [], changedCount: 0, changelogs: [{ route: 'api/changelog', title: 'Changelog' }] },
    },
  })
  await addWrongDomain(store, billing.id)
  await endUpdate(store, sdk, { sha: toSha('2'), message: 'Start the SDK', site })
  await endUpdate(store, project, { sha: toSha('3'), message: 'Raise the limit of labels to 100', site })
  await endUpdate(store, project, {
    sha: toSha('4'),
    message: 'Traduire le guide de démarrage',
    ref: 'refs/heads/french',
    author: 'amelie',
    details: { trigger: 'pull_request', pullNumber: 479 },
    site,
  })
  const failed = await endUpdate(store, project, {
    sha: toSha('5'),
    ref: 'refs/heads/release/2.x',
    status: 'failure',
    summary: 'Failed: 2 errors in `openapi.yaml` (first error at 214:21: reference-unresolved).',
    report: failedReport,
    site,
  })
  await store.accept({ pullHeads: [{ projectId: project.id, pullNumber: 479, sha: toSha('4') }] })
  const last = await endUpdate(store, project, {
    sha: toSha('6'),
    summary: 'Valid: 1 document, 64 operations. 3 pages would change.',
    report: validReport,
    site,
  })
  const { linkKey } = app.context.urls
  const picture = (theme: ScreenshotTheme) => ({
    content: toPlainContent(readFileSync(join(import.meta.dirname, `../../../../docs/images/site-${theme}.png`))),
    url: toPictureLink(linkKey, base, last._id, theme),
  })
  await store.sites.addScreenshots(last._id, { light: picture('light'), dark: picture('dark') })
  const grant = { scope: 'link', host: new URL(base).host, projectId: project.id } as const
  const until = new Date(Date.now() + 86_400_000).toISOString()
  await store.tokens.create({ grant, name: 'Created by octocat', expiresAt: until }, 'github:octocat')
  const open = await addUpdate(store, project, {
    commit: {
      sha: toSha('7'),
      ref: 'refs/heads/webhooks',
      message: 'Sign webhooks with SHA-256',
      filesChanged: { added: [], modified: [], removed: [] },
    },
    details: { trigger: 'push', pullNumber: 482 },
  })
  await store.domains.set(project.id, 'docs.example.com', 'github:octocat')
  return { project, last, failed, open, changed, billing }
}

async function openBrowser(
  app: PeopleApp,
  login: string,
): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  app.github.signedInAs = login
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() !== 'log') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await signIn(app, page)
  return { context, page, complaints }
}

async function signIn(app: PeopleApp, page: Page): Promise<void> {
  await page.goto(`${app.base}/`)
  await page.getByRole('button', { name: 'Sign in with GitHub' }).click()
  await page.waitForURL(`${app.base}/projects`)
}

async function findAccessibilityFaults(page: Page): Promise<string[]> {
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(await readFile(axePath, 'utf8'))
  const found: unknown = await page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`,
  )
  return Array.isArray(found) ? found.map(String) : ['axe did not run']
}

describe('every page', () => {
  test('fits desktop and phone screens in both themes, passes axe, and respects its policy', async () => {
    const app = await startPeopleApp()
    await app.addRepository('other/api', { octocat: 'admin' })
    const { project, last, failed, open, changed, billing } = await fill(app)
    const { project: start } = await app.addRepository('octo/start', { octocat: 'admin' })
    const { context, page, complaints } = await openBrowser(app, 'octocat')
    const check = await app.store.queue.claim({ worker: 'w', leaseMs: 60_000 })
    const reason = 'Cannot create check run on `octo/tracker-docs`: 403 Resource not accessible by integration'
    if (check) await app.store.queue.retry(check.lease, { reason, refusal: 'forbidden' })
    const pages = {
      projects: '/projects',
      none: '/projects?q=nothing',
      updates: '/updates',
      project: `/projects/${project.id}`,
      published: `/projects/${project.id}?notice=published&before=${toSha('3')}`,
      branches: `/projects/${project.id}/branches`,
      update: `/projects/${project.id}/updates/${last._id}`,
      failed: `/projects/${project.id}/updates/${failed._id}`,
      waiting: `/projects/${project.id}/updates/${open._id}`,
      changed: `/projects/${billing.id}/updates/${changed._id}`,
      changes: `/projects/${billing.id}/changes`,
      settings: `/projects/${project.id}/settings`,
      'wrong DNS records': `/projects/${billing.id}/settings`,
      deleted: '/projects/deleted',
      server: '/server',
      missing: '/projects/none',
      start: `/projects/${start.id}`,
      'sign-in': '/sign-in',
      'first steps': '/projects',
    }
    for (const [name, path] of Object.entries(pages)) {
      if (name === 'sign-in') await context.clearCookies()
      if (name === 'first steps') {
        app.github.signedInAs = 'newcomer'
        await signIn(app, page)
      }
      await page.goto(`${app.base}${path}`)
      // Open all folds, and load lazy images.
      await page.evaluate(`for (const fold of document.querySelectorAll('details.fold')) fold.open = true
        Promise.all([...document.images].map((one) => { one.loading = 'eager'; return one.decode() }))`)
      for (const look of shotFolder ? looks : looks.filter((one) => one.name === 'light' || one.name === 'dark-phone')) {
        await page.setViewportSize({ width: look.width, height: 900 })
        await page.emulateMedia({ colorScheme: look.colorScheme })
        if (shotFolder) {
          mkdirSync(shotFolder, { recursive: true })
          await page.screenshot({ path: join(shotFolder, `${name}-${look.name}.png`), fullPage: true })
        }
        const faults: string[] = []
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect(overflow, `${name} in ${look.name}`).toBeLessThanOrEqual(0)
        if (look.name === 'light' || look.name === 'dark-phone') faults.push(...(await findAccessibilityFaults(page)))
        expect(faults, `${name} in ${look.name}`).toEqual([])
      }
    }
    expect(complaints.filter((complaint) => !/status of 404/.test(complaint))).toEqual([])
  }, 120_000)
})

describe('in use', () => {
  test('introduces the app before the sign-in, and keeps its column after it', async () => {
    const app = await startPeopleApp()
    await fill(app)
    app.github.signedInAs = 'octocat'
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    onTestFinished(() => page.close())
    const leftEdges = async () => {
      const [brand, heading] = await Promise.all(['.brand', 'h1'].map((one) => page.locator(one).boundingBox()))
      return [brand?.x, heading?.x]
    }
    await page.goto(app.base)
    expect(await page.locator('main').innerText()).toContain('publishes its documentation site. Sign in to see the sites')
    expect(await page.getByRole('button', { name: 'Sign in with GitHub' }).locator('svg').count()).toBe(1)
    const edges = await leftEdges()
    await signIn(app, page)
    expect(await leftEdges()).toEqual(edges)
  })

  test('shows tags in one shape, and those of a line in one row', async () => {
    const app = await startPeopleApp()
    const { project, last, billing, changed } = await fill(app)
    const { page } = await openBrowser(app, 'octocat')
    const shapes = new Set<string>()
    for (const path of ['', `/${project.id}`, `/${project.id}/updates/${last._id}`, `/${billing.id}/updates/${changed._id}`]) {
      await page.goto(`${app.base}/projects${path}`)
      const boxes = await page.locator('.tag').evaluateAll((tags) =>
        tags.map((tag) => ({
          height: tag.getBoundingClientRect().height,
          radius: getComputedStyle(tag).borderRadius,
        })),
      )
      expect(boxes.length, path).toBeGreaterThan(0)
      for (const { height, radius } of boxes) shapes.add(`${height} ${radius}`)
      const rows = await page
        .locator('.tags')
        .evaluateAll((rows) => rows.map((row) => new Set([...row.children].map((tag) => tag.getBoundingClientRect().top)).size))
      expect(
        rows.filter((tops) => tops > 1),
        path,
      ).toEqual([])
    }
    expect([...shapes]).toEqual(['24 99px'])
    // The state of an update is not among its buttons.
    expect(await page.locator('.acts .tag').count()).toBe(0)

    // Without buttons, lines end with the time.
    for (const path of ['/updates', `/projects/${billing.id}/changes`]) {
      await page.goto(`${app.base}${path}`)
      const gaps = await page
        .locator('.list > li')
        .evaluateAll((lines) =>
          lines.map((line) => line.getBoundingClientRect().right - (line.lastElementChild?.getBoundingClientRect().right ?? 0)),
        )
      expect(new Set(gaps), path).toEqual(new Set([0]))
    }
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(`${app.base}/projects`)
    const [input, button] = await Promise.all(['input', 'button'].map((one) => page.locator(`form.field ${one}`).boundingBox()))
    expect(input?.height).toBe(button?.height)
  })

  test('works with the keyboard: open a project, publish an earlier commit, undo it, open a screenshot', async () => {
    const app = await startPeopleApp()
    const { project, last } = await fill(app)
    const { page, complaints } = await openBrowser(app, 'octocat')
    const shown = async () => (await app.store.sites.findPublished(project.id))?.build.sha
    /** Presses Tab until the focused element has this name. */
    const tabTo = async (name: RegExp) => {
      for (let step = 0; step < 80; step++) {
        await page.keyboard.press('Tab')
        const focused = await page.evaluate(
          "document.activeElement.textContent.trim() || document.activeElement.querySelector('img')?.alt",
        )
        if (name.test(String(focused))) return
      }
      throw new Error(`Nothing that has the focus is called ${name}`)
    }
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await tabTo(/^octo\/tracker-docs$/)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/projects/${project.id}`)
    await tabTo(/^Publish /)
    await page.keyboard.press('Enter')
    await page.getByText('Visitors now see this commit').waitFor()
    await page.waitForLoadState()
    expect(await shown()).toBe(toSha('3'))
    await tabTo(/^Undo/)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**before=${toSha('3')}`)
    expect(await shown()).toBe(toSha('6'))
    await page.goto(`${app.base}/projects/${project.id}/updates/${last._id}`)
    await tabTo(/^Site at .*, dark theme$/)
    expect(complaints).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL(`${app.base}/pictures/${last._id}/dark-*.png`)
  })

  test('updates the project page live and keeps the focus', async () => {
    const app = await startPeopleApp()
    const { project } = await fill(app)
    const { page } = await openBrowser(app, 'octocat')
    await page.goto(`${app.base}/projects/${project.id}`)
    await page.evaluate('window.untouched = true')
    const link = page.locator('[data-part=branches]').getByRole('link', { name: 'release/2.x', exact: true })
    await link.focus()
    const { job, update } = await startNext(app.store)
    await page.locator('[data-part=branches]').getByText('Checking 1 document').waitFor()
    await finishNext(app.store, { job, update }, { status: 'failure', summary: 'Failed: 7 errors.' })
    await page.locator('[data-part=updates]').getByText('Failed: 7 errors.').waitFor()
    expect(await page.evaluate('[window.untouched, document.activeElement.textContent]')).toEqual([true, 'release/2.x'])
  })

  test('reloads at once while it waits for changes', async () => {
    const app = await startPeopleApp()
    const { project, open } = await fill(app)
    const { page } = await openBrowser(app, 'octocat')
    for (const path of ['/projects', `/projects/${project.id}`, `/projects/${project.id}/updates/${open._id}`]) {
      const isWaiting = (request: Request) => request.headers()['prefer'] !== undefined
      let cancelled = 0
      const count = (request: Request) => {
        if (isWaiting(request)) cancelled += 1
      }
      page.on('requestfailed', count)
      await Promise.all([page.waitForRequest(isWaiting), page.goto(`${app.base}${path}`)])
      // A reload ends the waiting request, and does not wait for its response. Unless it came just before.
      while (cancelled === 0) await Promise.all([page.waitForRequest(isWaiting), page.reload()])
      page.off('requestfailed', count)
    }
  })

  test('shows production apart from previews, the problems of a failure first, and the navigation on missing pages', async () => {
    const app = await startPeopleApp()
    const { project, failed } = await fill(app)
    const { page } = await openBrowser(app, 'octocat')
    const row = page.locator('[data-part=projects] li').filter({ has: page.locator(`a[href="/projects/${project.id}"]`) })
    expect((await row.innerText()).replace(/\s+/g, ' ')).toMatch(
      /^Success: octo\/tracker-docs ?Private octo-tracker-docs\.localhost\S+ 6666666 Document routing rules by octocat, published .* Preview #482: queued, 2 more previews/,
    )
    await page.goto(`${app.base}/projects/${project.id}/updates/${failed._id}`)
    const parts = await page.locator('main [data-part]').evaluateAll((all) => all.map((one) => one.getAttribute('data-part')))
    expect(parts.slice(0, 3)).toEqual(['head', 'findings', 'steps'])
    expect(await page.locator('#findings small').innerText()).toBe('2 errors, 1 warning, 1 info message')
    const problems = await page.locator('[data-part=findings]').innerText()
    expect(['error:', 'warning:', 'info:'].map((word) => problems.split(word).length - 1)).toEqual([2, 1, 1])
    // Names in backticks are code.
    expect(await page.locator('main :is(h1, h2, p, li)').filter({ hasText: '`' }).count()).toBe(0)
    await page.goto(`${app.base}/projects/none`)
    expect(await page.locator('nav.sections').getByRole('link').allInnerTexts()).toEqual(['Projects', 'Updates'])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with GitHub' }).waitFor()
    const left = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => one.getBoundingClientRect().left)
    expect(await left('main > *')).toBe(await left('.brand'))
  })

  test('shows the configuration with its source, verifies a domain, and deletes and restores a project', async () => {
    const records = { txt: [] as string[][], cname: ['octo-api.localhost'] }
    const app = await startPeopleApp({
      resolver: { resolveTxt: async () => records.txt, resolveCname: async () => records.cname },
    })
    const { project } = await app.addRepository('octo/api', { octocat: 'admin', pat: 'write' })
    app.github.findRepository('octo/api')?.commit({ files: { 'openapi-pages.config.yaml': 'github:\n  check: neutral\n' } })
    await endUpdate(app.store, project, { sha: toSha('1'), message: 'Start', site: { 'index.html': 'a' } })
    const { page, complaints } = await openBrowser(app, 'octocat')
    expect(await page.getByRole('link', { name: 'Add project' }).getAttribute('href')).toMatch(/\/installations\/new$/)
    await page.goto(`${app.base}/projects/${project.id}/settings`)
    const main = page.locator('main')
    expect((await main.innerText()).replace(/\s+/g, ' ')).toMatch(/github\.check neutral .*octocat admin: .* pat write: /)
    expect(await page.getByRole('link', { name: 'openapi-pages.config.yaml' }).getAttribute('href')).toMatch(/\/blob\/main\//)
    await page.getByLabel('Domain', { exact: true }).fill('docs.example.com')
    await page.getByRole('button', { name: 'Add domain' }).click()
    const value = await page
      .locator('code')
      .filter({ hasText: /^openapi-pages=/ })
      .innerText()
    await page.getByRole('button', { name: /^Verify/ }).click()
    await main.getByText(`No TXT record of _openapi-pages.docs.example.com`).waitFor()
    records.txt = [[value]]
    await page.getByRole('button', { name: /^Verify/ }).click()
    await main.getByText('Verified', { exact: true }).waitFor()
    await page.getByLabel('Name of the project').fill('octo/api')
    await page.getByRole('button', { name: 'Delete the project' }).click()
    await main.getByText(/Deleted on .* by octocat/).waitFor()
    expect(await app.store.projects.find(project.id)).toBeUndefined()
    await page.getByRole('button', { name: /^Restore/ }).click()
    await page.waitForURL(`**/projects/${project.id}*`)
    await page.getByRole('heading', { name: 'octo/api' }).waitFor()
    expect(complaints.filter((complaint) => !/status of (?:404|422)/.test(complaint))).toEqual([])
  })

  test('works without JavaScript, including the drawer on a phone', async () => {
    const app = await startPeopleApp()
    const { project, last } = await fill(app)
    app.github.signedInAs = 'octocat'
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(`${app.base}/projects/${project.id}`)
    await page.getByRole('button', { name: 'Sign in with GitHub' }).click()
    await page.waitForURL(`**/projects/${project.id}`)
    const drawer = page.getByRole('navigation', { name: 'Projects' })
    expect(await drawer.isVisible()).toBe(false)
    await page.locator('.side > summary').click()
    await drawer.getByRole('link', { name: /octo\/billing/ }).waitFor()
    await page.getByRole('button', { name: /^Publish / }).click()
    await page.getByText('Visitors now see this commit').waitFor()
    await page.waitForLoadState()
    await page.goto(`${app.base}/projects/${project.id}/updates/${last._id}`)
    expect(await page.getByRole('button', { name: /^Publish / }).isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in')
    await page.goto(`${app.base}/projects`)
    expect(page.url()).toBe(`${app.base}/sign-in?to=%2Fprojects`)
  })
})

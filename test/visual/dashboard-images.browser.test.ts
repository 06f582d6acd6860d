import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { toPictureLink, toSignedLink } from '../../src/app/base/signed-links.ts'
import { toPlainContent } from '../../src/app/publish/site-files.ts'
import type { ScreenshotTheme } from '../../src/store/sites/stored-sites.ts'
import { addWrongDomain, endUpdate, type PeopleApp, startPeopleApp, toSha } from '../app/support/people-app.ts'
import { compareParcelVersions } from '../app/support/sample-changes.ts'
import { failedReport, validReport } from '../app/support/sample-report.ts'
import { addUpdate, startTestApp } from '../app/support/test-app.ts'
import { allWidths, ImageSet, type Width, widths } from './support/image-set.ts'
import { launchVisualBrowser } from './support/visual-browser.ts'

// Compares each kind of page of the dashboard with its images in test/fixtures/visual/images/dashboard. CONTRIBUTING.md states
// how to take them again.

/** The URLs in the pages. The apps listen on free ports instead. */
const base = 'http://localhost:3000'
const setupBase = 'http://localhost:3001'
const missingSite = 'http://none.localhost:3000/'
const image = readFileSync(join(import.meta.dirname, '../fixtures/site/everything/images/tree.png'))

interface Kind {
  readonly url: string
  /** Of the viewport, for pages with much to see. */
  readonly height?: number
  /** Default: all. */
  readonly widths?: readonly Width[]
}

test('each kind of page looks as expected at each width in both themes', async () => {
  const clock = { time: Date.parse('2026-11-18T07:00:00Z') }
  const now = () => new Date(clock.time)
  const app = await startPeopleApp({ now, env: { BASE_URL: base } })
  const paths = await fill(app, clock)
  const setup = await startTestApp(onTestFinished, { now, env: { BASE_URL: setupBase } })
  const browser = await launchVisualBrowser({
    'localhost:3000': app.app.address,
    'none.localhost:3000': app.app.address,
    'localhost:3001': setup.address,
  })
  onTestFinished(() => browser.close())
  const kinds: Readonly<Record<string, Kind>> = {
    projects: { url: `${base}/projects`, widths: allWidths },
    updates: { url: `${base}/updates` },
    project: { url: `${base}${paths.project}`, height: 1300 },
    // Without a site.
    'project-start': { url: `${base}${paths.billing}` },
    'update-success': { url: `${base}${paths.success}`, height: 1600 },
    'update-failure': { url: `${base}${paths.failure}`, height: 1600, widths: allWidths },
    'update-queued': { url: `${base}${paths.queued}` },
    'update-api-changes': { url: `${base}${paths.changed}`, height: 1600 },
    'api-changes': { url: `${base}${paths.billing}/changes` },
    settings: { url: `${base}${paths.project}/settings`, height: 1500 },
    'settings-dns': { url: `${base}${paths.billing}/settings`, height: 1500 },
    deleted: { url: `${base}/projects/deleted` },
    'not-found': { url: `${base}/projects/none` },
  }
  const publicKinds: Readonly<Record<string, Kind>> = {
    'sign-in': { url: `${base}/sign-in` },
    'no-site': { url: missingSite },
    'public-update': { url: paths.publicFailure },
    setup: { url: setup.setupUrl ?? '' },
  }
  const newcomerKinds: Readonly<Record<string, Kind>> = { 'first-steps': { url: `${base}/projects` } }
  const images = new ImageSet('dashboard', browser)
  const openContext = () => browser.newContext({ reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'UTC' })
  const [context, newcomer, guest] = await Promise.all([openContext(), openContext(), openContext()])
  app.github.signedInAs = 'octocat'
  await signIn(context)
  app.github.signedInAs = 'newcomer'
  await signIn(newcomer)
  const messages = [
    ...(await checkKinds(images, context, kinds)),
    ...(await checkKinds(images, newcomer, newcomerKinds)),
    ...(await checkKinds(images, guest, publicKinds)),
  ]
  // A text, because the runner would shorten a list.
  expect([...messages, ...images.finish()].join('\n')).toBe('')
})

/** Projects with updates in all states. Returns paths of pages, and a link that needs no account. */
async function fill({ store, addRepository, app }: PeopleApp, clock: { time: number }) {
  const { project } = await addRepository(
    'octo/tracker-docs',
    { octocat: 'admin', amelie: 'write', hubot: 'read' },
    { private: true },
  )
  const { project: sdk } = await addRepository('octo/tracker-docs', { octocat: 'admin' }, { private: true, root: 'sdk' })
  const { project: billing } = await addRepository('octo/billing', { octocat: 'admin' })
  const { project: old } = await addRepository('octo/old-docs', { octocat: 'admin' })
  const site = { 'index.html': 'a', 'pets.html': 'b'.repeat(40_000) }
  const run = async (of: typeof project, ending: Parameters<typeof endUpdate>[2]) => {
    clock.time += 3_600_000
    const createdAt = new Date(clock.time).toISOString()
    const endedAt = new Date(clock.time + 4_200).toISOString()
    return await endUpdate(store, of, { ...ending, createdAt, endedAt })
  }
  const logs = ['Reading octo/tracker-docs at 6666666', '1 project, 1 OpenAPI document, 148 pages', 'Ended']
  await run(old, { sha: toSha('8'), message: 'Start', site })
  await run(billing, { sha: toSha('1'), message: 'Start', status: 'failure', summary: 'Failed: 1 error.' })
  const changed = await run(billing, {
    sha: toSha('9'),
    message: 'Limit the pages of shipments',
    summary: 'Valid: 1 document, 9 operations.',
    report: validReport,
    logs,
    apiChanges: await compareParcelVersions(),
  })
  await run(sdk, { sha: toSha('2'), message: 'Start the SDK', site })
  await run(project, { sha: toSha('3'), message: 'Raise the limit of labels to 100', site })
  await run(project, {
    sha: toSha('4'),
    message: 'Traduire le guide de démarrage',
    ref: 'refs/heads/french',
    author: 'amelie',
    details: { trigger: 'pull_request', pullNumber: 479 },
    site,
  })
  await store.accept({ pullHeads: [{ projectId: project.id, pullNumber: 479, sha: toSha('4') }] })
  const failed = await run(project, {
    sha: toSha('5'),
    message: 'Rename the nodes of rules',
    ref: 'refs/heads/release/2.x',
    status: 'failure',
    summary: 'Failed: 2 errors in `openapi.yaml` (first error at 214:21: reference-unresolved).',
    report: failedReport,
    logs,
    site,
  })
  const valid = await run(project, {
    sha: toSha('6'),
    summary: 'Valid: 1 document, 64 operations. 3 pages would change.',
    report: validReport,
    logs,
    site,
  })
  const picture = (theme: ScreenshotTheme) => ({
    content: toPlainContent(image),
    url: toPictureLink(app.context.urls.linkKey, base, valid._id, theme),
  })
  await store.sites.addScreenshots(valid._id, { light: picture('light'), dark: picture('dark') })
  const grant = { scope: 'link', host: new URL(base).host, projectId: project.id } as const
  const link = { grant, name: 'Created by octocat', expiresAt: '2026-12-01T00:00:00.000Z' }
  await store.tokens.create(link, 'github:octocat')
  await store.domains.set(project.id, 'docs.example.com', 'github:octocat')
  const commit = { sha: toSha('7'), ref: 'refs/heads/webhooks', message: 'Sign webhooks with SHA-256' }
  await addWrongDomain(store, billing.id)
  const open = await addUpdate(store, project, {
    createdAt: new Date(clock.time).toISOString(),
    commit: { ...commit, filesChanged: { added: [], modified: [], removed: [] } },
    details: { trigger: 'push', pullNumber: 482 },
  })
  await store.projects.apply([{ kind: 'delete-project', projectId: old.id }])
  clock.time += 600_000
  const path = `/projects/${project.id}`
  return {
    project: path,
    success: `${path}/updates/${valid._id}`,
    failure: `${path}/updates/${failed._id}`,
    billing: `/projects/${billing.id}`,
    changed: `/projects/${billing.id}/updates/${changed._id}`,
    queued: `${path}/updates/${open._id}`,
    publicFailure: toSignedLink(app.context.urls.linkKey, base, failed._id, new Date(clock.time)),
  }
}

async function signIn(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${base}/`)
  await page.getByRole('button', { name: 'Sign in with GitHub' }).click()
  await page.waitForURL(`${base}/projects`)
  await page.close()
}

async function checkKinds(images: ImageSet, context: BrowserContext, kinds: Readonly<Record<string, Kind>>): Promise<string[]> {
  const messages: string[] = []
  const page = await context.newPage()
  for (const [name, { url, height, widths: own = widths }] of Object.entries(kinds)) {
    await page.goto(url)
    await hideRandomText(page)
    for (const width of own) messages.push(...(await images.check(page, name, width, { height })))
  }
  return messages
}

/** Replaces ports and random IDs, which differ in each run. */
async function hideRandomText(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      texts.currentNode.data = texts.currentNode.data
        .replace(/127\\.0\\.0\\.1:\\d+/g, 'github.example')
        .replace(/openapi-pages=\\w+/g, 'openapi-pages=00000000000000000000000000000000')
        .replace(/prj_\\w+/g, 'prj_0000000000')
        .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '00000000-0000-0000-0000-000000000000')
    }
  })()`)
}

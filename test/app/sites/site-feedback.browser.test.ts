import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { feedbackPath } from '../../../src/site/request/feedback-format.ts'
import { collectBrowserErrors, serveSite } from '../../site/render/api/serve-site.ts'
import { launchBrowser } from '../../support/browser.ts'
import { endUpdate, startPeopleApp, toSha } from '../support/people-app.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const violations =
  'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const tree = {
  'docs.json': JSON.stringify({ name: 'Pets', navigation: { pages: ['index', 'guides/start'] } }),
  'index.mdx': '---\ntitle: Pets\n---\nAll about pets.\n',
  'guides/start.mdx': '---\ntitle: Start\n---\nText.\n',
}

/** The site with a setting, in a new window. */
async function open(feedback: string, { scripts = true } = {}) {
  const { files, address } = await serveSite(
    { ...tree, 'openapi-pages.config.yaml': `site: { feedback: "${feedback}" }\n` },
    false,
    { feedbackPath },
  )
  const context = await browser.newContext({ reducedMotion: 'reduce', javaScriptEnabled: scripts })
  onTestFinished(() => context.close())
  return { files, address, page: await context.newPage() }
}

/** The same with the site in an app. */
async function openInApp(options?: { readonly scripts: boolean }) {
  const { files, page } = await open('app', options)
  const app = await startPeopleApp()
  const { project } = await app.addRepository('acme/pets', { octocat: 'admin' })
  await endUpdate(app.store, project, { sha: toSha('1'), site: Object.fromEntries(files) })
  return { app, page, project, site: app.base.replace('localhost', `${project.subdomain}.localhost`) }
}

/** Checks a page with axe, and for a horizontal scroll bar, in both themes at two widths. */
async function check(page: Page): Promise<void> {
  await page.evaluate(axe)
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [390, 1440]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      expect(await page.evaluate(violations), `${colorScheme}, ${width}`).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
  }
}

test('answers, comments and missed searches of a reader reach the dashboard', async () => {
  const { app, page, project, site } = await openInApp()
  const browserErrors = collectBrowserErrors(page)
  await page.goto(`${site}/guides/start/`)
  const asked = page.getByRole('group', { name: 'Was this page helpful?' })
  expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0)
  await asked.getByRole('button', { name: 'No' }).click()
  const status = page.locator('.feedback [role=status]')
  await expect.poll(() => status.textContent()).toBe('Thank you.')
  // One answer for each view.
  expect(await asked.getByRole('button', { disabled: true }).count()).toBe(2)
  await check(page)
  await page.getByLabel('What could be better?').fill('No <b>example</b>')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('textarea:disabled').waitFor()

  await page.keyboard.press('/')
  await page.keyboard.type('crocodile')
  await page.getByText('No results for “crocodile”').waitFor()
  const reported = page.waitForRequest((request) => request.url().endsWith(feedbackPath))
  // Escape ends the search before the pause does.
  await page.keyboard.press('Escape')
  expect((await reported).postDataJSON()).toEqual({ search: 'crocodile' })
  expect(await page.context().cookies()).toEqual([])
  expect(browserErrors).toEqual([])

  app.github.signedInAs = 'octocat'
  await page.goto(`${app.base}/projects`)
  await page.getByRole('button', { name: 'Sign in with GitHub' }).click()
  await page.getByRole('link', { name: 'acme/pets' }).first().click()
  await page.getByRole('link', { name: 'Feedback' }).click()
  await page.getByRole('heading', { level: 1, name: 'Feedback' }).waitFor()
  const shown = page.locator('main')
  expect(await shown.locator('[data-part=answers] li').allInnerTexts()).toEqual([
    expect.stringMatching(/^\/guides\/start\/\s+0 yes\s+1 no\s+No: No <b>example<\/b>$/),
  ])
  expect(await shown.locator('[data-part=searches] li').allInnerTexts()).toEqual([expect.stringMatching(/^crocodile\s+1 time$/)])
  await check(page)
  expect(await app.store.feedback.listWeeks(project.id)).toHaveLength(1)
  await shown.getByRole('link', { name: '/guides/start/' }).click()
  await page.waitForURL(`${site}/guides/start/`)
})

test('a reader without scripts answers with a form', async () => {
  const { app, page, project, site } = await openInApp({ scripts: false })
  await page.goto(`${site}/`)
  await page.getByRole('button', { name: 'Yes' }).click()
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  await page.getByRole('link', { name: 'Back to the page' }).click()
  await page.waitForURL(`${site}/`)
  const [week = ''] = await app.store.feedback.listWeeks(project.id)
  expect((await app.store.feedback.read(project.id, week)).pages).toEqual([{ page: '/', yes: 1, no: 0, comments: [] }])
})

test('an answer that could not be sent can be sent again, to the server of the owner', async () => {
  const url = 'https://feedback.example.com/pets'
  const { address, page } = await open(url)
  const received: unknown[] = []
  let isBroken = true
  await page.route(url, async (route) => {
    const headers = { 'Access-Control-Allow-Origin': address, 'Access-Control-Allow-Headers': 'content-type' }
    if (route.request().method() === 'POST' && !isBroken) received.push(route.request().postDataJSON())
    await route.fulfill({ status: isBroken ? 500 : 204, headers })
  })
  await page.goto(`${address}/guides/start/`)
  const yes = page.getByRole('button', { name: 'Yes' })
  const status = page.locator('.feedback [role=status]')
  await yes.click()
  await expect.poll(() => status.textContent()).toBe('Your answer could not be sent. Try again.')
  isBroken = false
  await yes.click()
  await expect.poll(() => status.textContent()).toBe('Thank you.')
  expect(received).toEqual([{ page: '/guides/start/', answer: 'yes' }])
})

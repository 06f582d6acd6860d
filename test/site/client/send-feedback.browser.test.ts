import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../../support/browser.ts'
import { collectBrowserErrors, serveSite } from '../page/api/serve-site.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const violations =
  'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))'
const url = 'https://feedback.example.com/pets'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

/** A page of a site that asks, and the messages that the server of the owner received. */
async function open() {
  const { address } = await serveSite({
    'docs.json': JSON.stringify({ name: 'Pets', navigation: { pages: ['index', 'guides/start'] } }),
    'index.mdx': '---\ntitle: Pets\n---\nAll about pets.\n',
    'guides/start.mdx': '---\ntitle: Start\n---\nText.\n',
    'openapi-pages.config.yaml': `site: { feedback: "${url}" }\n`,
  })
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const server = { received: [] as unknown[], isBroken: false }
  await page.route(url, async (route) => {
    const headers = { 'Access-Control-Allow-Origin': address, 'Access-Control-Allow-Headers': 'content-type' }
    if (route.request().method() === 'POST' && !server.isBroken) server.received.push(route.request().postDataJSON())
    await route.fulfill({ status: server.isBroken ? 500 : 204, headers })
  })
  const browserErrors = collectBrowserErrors(page)
  await page.goto(`${address}/guides/start/`)
  return { page, server, browserErrors, status: page.locator('.feedback [role=status]') }
}

test('answers, comments and missed searches of a reader reach the server of the owner', async () => {
  const { page, server, status, browserErrors } = await open()
  const asked = page.getByRole('group', { name: 'Was this page helpful?' })
  expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0)
  await asked.getByRole('button', { name: 'No' }).click()
  await expect.poll(() => status.textContent()).toBe('Thank you.')
  // One answer for each view.
  expect(await asked.getByRole('button', { disabled: true }).count()).toBe(2)
  await page.evaluate(axe)
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [390, 1440]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      expect(await page.evaluate(violations), `${colorScheme}, ${width}`).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
  }
  await page.getByLabel('What could be better?').fill('No <b>example</b>')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('textarea:disabled').waitFor()

  await page.keyboard.press('/')
  await page.keyboard.type('crocodile')
  await page.getByText('No results for “crocodile”').waitFor()
  // Escape ends the search before the pause does.
  await page.keyboard.press('Escape')
  const answer = { page: '/guides/start/', answer: 'no' }
  await expect.poll(() => server.received).toEqual([answer, { ...answer, comment: 'No <b>example</b>' }, { search: 'crocodile' }])
  expect(await page.context().cookies()).toEqual([])
  expect(browserErrors).toEqual([])
})

test('an answer that could not be sent can be sent again', async () => {
  const { page, server, status } = await open()
  server.isBroken = true
  const yes = page.getByRole('button', { name: 'Yes' })
  await yes.click()
  await expect.poll(() => status.textContent()).toBe('Your answer could not be sent. Try again.')
  server.isBroken = false
  await yes.click()
  await expect.poll(() => status.textContent()).toBe('Thank you.')
  expect(server.received).toEqual([{ page: '/guides/start/', answer: 'yes' }])
})

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { makeHistory } from '../support/git-history.ts'
import { runBin } from '../support/run-bin.ts'
import { serveSite } from '../support/serve-site.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const violations =
  'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const document = (version: string, type: string, ...more: string[]) => {
  const list = { summary: 'List', tags: ['pets'], parameters: [{ name: 'limit', in: 'query', schema: { type } }] }
  const responses = { 200: { description: 'OK' } }
  const paths = more.map((path) => [path, { get: { summary: path.slice(1), tags: ['pets'], responses } }] as const)
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version },
    servers: [{ url: 'https://example.com' }],
    paths: { '/pets': { get: { ...list, responses } }, ...Object.fromEntries(paths) },
  })
}

/** Builds the site of an API with two versions, and opens a page of it. */
async function open(
  path: string,
  {
    theme = 'light',
    width = 1440,
    accepts = false,
  }: { readonly theme?: 'light' | 'dark'; readonly width?: number; readonly accepts?: boolean } = {},
): Promise<Page> {
  const history = makeHistory()
  history.commit({ 'openapi-pages.config.yaml': 'changes: { changelog: tags }\n', 'openapi.json': document('1.0.0', 'string') })
  history.tag('v1.0.0')
  history.commit({ 'openapi.json': document('2.0.0', 'integer', '/owners') })
  history.tag('v2.0.0')
  if (accepts) {
    const argv = ['accept', 'v1.0.0', 'openapi.json', '--all', '--reason', 'No client sends it', '--author', 'Ada']
    expect(await runBin(argv, { cwd: history.folder })).toMatchObject({ code: 0 })
  }
  const { stderr, code } = await runBin(['build', 'openapi.json', '--no-cache', '--quiet', '--url', 'https://acme.test/'], {
    cwd: history.folder,
  })
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  const { server, origin } = await serveSite(join(history.folder, 'site'), '/')
  const page = await browser.newPage({ colorScheme: theme, viewport: { width, height: 900 } })
  onTestFinished(async () => {
    await page.close()
    server.closeAllConnections()
    server.close()
  })
  await page.goto(`${origin}${path}`)
  return page
}

test('opens the changes of an operation with the keyboard, and closes them with Escape', async () => {
  const page = await open('/pets/list/')
  const button = page.getByRole('button', { name: 'Changed in 2.0.0' })
  const dialog = page.getByRole('dialog', { name: 'Changed in 2.0.0' })
  await button.focus()
  await page.keyboard.press('Enter')
  expect(await dialog.textContent()).toContain('Type of query parameter limit changed from string to integer')
  expect(await dialog.isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  expect(await dialog.isVisible()).toBe(false)
  expect(await button.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
  await button.click()
  await dialog.getByRole('link').click()
  await page.waitForURL('**/changelog/#version-2.0.0')
})

test('filters the changelog by level', async () => {
  const page = await open('/changelog/')
  const shown = () => page.locator('.change:visible').count()
  expect(await shown()).toBe(2)
  await page.getByLabel('Breaking').check()
  expect(await shown()).toBe(1)
  expect(await page.getByRole('heading', { name: '1.0.0' }).isVisible()).toBe(false)
  await page.getByLabel('Compatible').check()
  expect(await page.locator('.change:visible').textContent()).toContain('GET /owners')
})

test('lists accepted changes in their own group', async () => {
  const page = await open('/changelog/', { accepts: true })
  const shown = () => page.locator('.change:visible').allTextContents()
  expect(await page.getByLabel('Breaking').count()).toBe(0)
  await page.getByLabel('Accepted').check()
  expect(await shown()).toEqual([expect.stringMatching(/^breaking, accepted .*Accepted: No client sends it/s)])
  await page.getByLabel('Compatible').check()
  expect(await shown()).toEqual([expect.stringContaining('GET /owners')])
})

test.each([
  { path: '/changelog/', theme: 'light', width: 1440 },
  { path: '/changelog/', theme: 'light', width: 390, accepts: true },
  { path: '/changelog/', theme: 'dark', width: 1440, accepts: true },
  { path: '/changelog/', theme: 'dark', width: 390 },
  { path: '/pets/list/', theme: 'dark', width: 1440 },
  { path: '/pets/list/', theme: 'light', width: 390 },
] as const)('is accessible and fits the window: $path $theme $width', async ({ path, ...options }) => {
  const page = await open(path, options)
  const button = page.locator('.last-change button')
  if ((await button.count()) > 0) await button.click()
  await page.evaluate(axe)
  expect(await page.evaluate(violations)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
})

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { collectBrowserErrors, serveSite } from './page/api/serve-site.ts'

// What a reader sees of a site with restricted pages and parts: nothing, wherever they look.

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const restricted = { 'x-mint': { groups: ['staff'] } }
const answer = { 200: { description: 'OK' } }
const pet = {
  type: 'object',
  properties: { name: { type: 'string' }, hushmargin: { type: 'number', ...restricted } },
}
const description = {
  openapi: '3.1.1',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      get: { tags: ['Pets'], summary: 'List pets', responses: answer },
      post: {
        tags: ['Pets'],
        summary: 'Add a pet',
        requestBody: {
          content: { 'application/json': { schema: pet, example: { name: 'Rex', hushmargin: 7 } } },
        },
        responses: answer,
      },
    },
    '/hush': { get: { tags: ['Hush'], summary: 'Hush all', responses: answer, ...restricted } },
  },
}
const files = {
  'docs.json': JSON.stringify({
    name: 'Pets',
    navigation: {
      tabs: [
        { tab: 'Guide', pages: ['index', 'hush'] },
        { tab: 'Hush', groups: [{ group: 'Hush', public: false, pages: ['inside'] }] },
        { tab: 'API', openapi: 'openapi.json' },
      ],
    },
  }),
  'index.mdx': '---\ntitle: Welcome\n---\n\nHello.\n',
  'hush.mdx': '---\ntitle: Hush prices\ngroups: [staff]\n---\n\nhushprice\n',
  'inside.mdx': '---\ntitle: Hush inside\n---\n\nhushprice\n',
  'openapi.json': JSON.stringify(description),
}

test('a reader finds restricted pages and parts neither in pages, nor in the search, nor by their URL', async () => {
  const { address } = await serveSite(files)
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const errors = collectBrowserErrors(page)
  const readPage = async () => (await page.content()).toLowerCase()
  await page.goto(`${address}/`)
  expect(await readPage()).not.toContain('hush')
  await page.getByRole('link', { name: 'API', exact: true }).first().click()
  await page.getByRole('link', { name: 'Add a pet' }).first().click()
  await page.getByRole('heading', { name: 'Add a pet' }).waitFor()
  expect(await readPage()).toContain('rex')
  expect(await readPage()).not.toContain('hush')
  // The shortcut works once the script of the page has run.
  await page.waitForLoadState()
  await page.keyboard.press('/')
  const search = page.getByRole('combobox', { name: 'Search operations and pages' })
  await search.fill('add a pet')
  const hits = page.locator('#search-hits')
  await hits.getByText('Add a pet').first().waitFor()
  await search.fill('hush')
  await page.getByText('No results for “hush”').waitFor()
  expect(await hits.textContent()).not.toMatch(/hush/i)
  expect(errors).toEqual([])
  for (const path of ['hush/', 'hush.md', 'inside/', 'inside.md', 'api-reference/hush/hush-all/']) {
    const response = await page.goto(`${address}/${path}`)
    expect([path, response?.status()]).toEqual([path, 404])
  }
})

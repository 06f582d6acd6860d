import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../../support/browser.ts'
import { serveSite } from './api/serve-site.ts'

const word = 'Donaudampfschifffahrtsgesellschaftskapitaen'.repeat(6)
const tree = {
  'docs.json': JSON.stringify({
    name: 'Pets',
    navigation: {
      groups: [
        { group: word, pages: ['index', 'a', 'b'] },
        { group: 'API', openapi: 'api.json' },
      ],
    },
    footer: { socials: { github: 'https://github.com/a', x: 'https://x.com/a' } },
  }),
  'index.mdx': '# Start\n',
  'a.mdx': `---\ntitle: ${word}\n---\n\n<details><summary>More</summary>Inside</details>\n`,
  'b.mdx': '# End\n',
  'api.json': JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: 'https://api.example.com', description: `Production ${word}` }, { url: 'https://b.example.com' }],
    paths: {
      '/one': {
        get: {
          summary: 'One',
          description: '<details><summary>More</summary>Inside</details>',
          responses: { 200: { description: 'OK' } },
        },
      },
      '/two': {
        post: {
          summary: 'Two',
          servers: [{ url: `https://example.com/${word}`, description: word }],
          requestBody: { required: true, content: { 'application/json': {}, 'text/plain': {} } },
          responses: { 200: { description: 'OK' } },
        },
      },
    },
  }),
}

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

test.each([360, 768, 1440])('has no overflow in a window of %d px', async (width) => {
  const { address, routes } = await serveSite(tree)
  const context = await browser.newContext({ viewport: { width, height: 800 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  for (const route of routes) {
    await page.goto(`${address}${route}`)
    // Clipped content also counts as overflow.
    const wide = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('.side li a, .side summary, .pager a, .server, .server span')]
        .filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
        .map((one) => `${one.tagName} ${one.className}`),
    )
    expect({ route, wide }).toEqual({ route, wide: [] })
  }
})

test.each(['/a/', '/api-reference/one/'])('shows the marker of <details> elements of authors: %s', async (route) => {
  const { address } = await serveSite(tree)
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.goto(address + route)
  const summary = page.locator('summary', { hasText: /^More$/ })
  const mark = () => summary.evaluate((one) => getComputedStyle(one).listStyleType)
  expect(await mark()).toBe('disclosure-closed')
  await summary.click()
  expect(await mark()).toBe('disclosure-open')
})

test('a body with several media types is marked as required, and social links without columns are one line', async () => {
  const { address } = await serveSite(tree)
  const page = await browser.newPage({ viewport: { width: 1440, height: 800 } })
  onTestFinished(() => page.close())
  await page.goto(`${address}/api-reference/two/`)
  expect(await page.locator('#body small').or(page.locator('h2:has([href="#body"]) small')).innerText()).toBe('required')
  const tops = await page.locator('.socials a').evaluateAll((links) => links.map((one) => one.getBoundingClientRect().top))
  expect(new Set(tops).size).toBe(1)
})

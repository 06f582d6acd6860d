import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../../support/browser.ts'
import { serveDocument, serveSite } from './api/serve-site.ts'

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
      '/organizations/{organization}/repositories/{repository}/code-scanning/alerts': {
        get: {
          tags: ['code'],
          summary: 'קבל התראות',
          parameters: [{ name: 'organization', in: 'path', required: true, schema: { type: 'string' } }],
          responses: {
            200: { description: 'OK', content: { 'application/json': { schema: { properties: { name: {} } }, example: {} } } },
            204: { description: 'Nothing' },
            404: { description: 'Not found', content: { 'application/json': { schema: { type: 'object' } } } },
          },
        },
        put: {
          tags: ['code'],
          summary: 'Replace',
          requestBody: { required: true, content: { 'application/json': { schema: { properties: { name: {} } } } } },
          responses: { 204: { description: 'Nothing' } },
        },
        post: {
          tags: ['code'],
          summary: 'Add',
          requestBody: {
            content: {
              'application/json': { schema: { required: ['name'], properties: { name: {} } } },
              'application/xml': { schema: { properties: { name: {} } } },
            },
          },
          responses: { 204: { description: 'Nothing' } },
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

test.each(['/a/', '/api-reference/one/'])('shows the arrow of <details> elements of authors: %s', async (route) => {
  const { address } = await serveSite(tree)
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.goto(address + route)
  const summary = page.locator('summary', { hasText: /^More$/ })
  const mark = () => summary.evaluate((one) => getComputedStyle(one, '::before').rotate)
  expect(await mark()).toBe('45deg')
  await summary.click()
  expect(await mark()).toBe('135deg')
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

const openAt = async (width: number, colorScheme: 'light' | 'dark' = 'light') => {
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme,
    isMobile: width < 500,
    hasTouch: width < 500,
  })
  onTestFinished(() => context.close())
  return context.newPage()
}
const code = '/api-reference/code'

test('operation pages align responses, break paths before slashes, and indent every body equally', async () => {
  const { address, routes } = await serveSite(tree)
  const page = await openAt(1280)
  const get = routes.find((route) => route.startsWith(code) && !/replace|add|overview/.test(route)) ?? ''
  await page.goto(address + encodeURI(get))
  expect(await page.locator('h1').getAttribute('dir')).toBe('auto')
  const rows = await page.locator('.fold > :is(summary, .head)').evaluateAll((all) =>
    all.map((row) => ({
      height: row.getBoundingClientRect().height,
      left: row.querySelector('.st')?.getBoundingClientRect().left,
    })),
  )
  expect(rows).toHaveLength(3)
  expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(1)
  const lines = await page.locator('.endpoint .path span').evaluateAll((all) => {
    const tops = new Map<number, string>()
    for (const one of all)
      tops.set(one.getBoundingClientRect().top, (tops.get(one.getBoundingClientRect().top) ?? '') + one.textContent)
    return { lines: [...tops.values()], heights: all.map((one) => one.getBoundingClientRect().height) }
  })
  expect(lines.lines.length).toBeGreaterThan(1)
  expect(lines.lines.every((line) => line.startsWith('/'))).toBe(true)
  expect(new Set(lines.heights).size).toBe(1)
  const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0
  expect(Math.abs((await top('.endpoint .m')) - (await top('.endpoint .path span')))).toBeLessThan(4)
  const lefts: (number | undefined)[] = []
  for (const route of ['replace', 'add']) {
    await page.goto(`${address}${code}/${route}/`)
    lefts.push((await page.getByRole('link', { name: 'name', exact: true }).first().boundingBox())?.x)
    const mark = page.locator('article em').first()
    expect(await mark.evaluate((one) => getComputedStyle(one).fontSize)).toBe('12px')
  }
  expect(new Set(lefts).size).toBe(1)
})

test('on phones, samples precede the links to other pages, and controls are at least 44 px high', async () => {
  const { address, routes } = await serveSite(tree)
  const page = await openAt(390)
  await page.goto(address + encodeURI(routes.find((route) => route.startsWith(code) && !route.includes('overview')) ?? ''))
  const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? 0
  expect(await top('.aside')).toBeLessThan(await top('.pager'))
  await page.locator('.drawer > summary').click()
  const small = await page.evaluate(() =>
    [
      ...document.querySelectorAll(
        '.top :is(a, button), .drawer :is(summary, nav a), main :is(button, summary, label, select, nav a)',
      ),
    ]
      .filter((one) => one.checkVisibility() && !one.matches('.brand'))
      .filter((one) => one.getBoundingClientRect().height < 43.5)
      .map((one) => `${one.outerHTML.slice(0, 80)} ${one.getBoundingClientRect().height}`),
  )
  expect(small).toEqual([])
})

test('on narrow screens, a long sample scrolls, and the notes of a heading stay at its edge', async () => {
  const { address, routes } = await serveDocument({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: {
      '/pets': {
        post: {
          summary: 'Add pets',
          requestBody: {
            required: true,
            content: {
              'application/x-www-form-urlencoded-with-more': {
                schema: { properties: { a: { properties: { b: {}, c: {} } }, d: { properties: { e: {}, f: {} } } } },
              },
            },
          },
          responses: {
            200: {
              description: 'OK',
              content: { 'application/json': { example: Array.from({ length: 300 }, (_, index) => index) } },
            },
          },
        },
      },
    },
  })
  const page = await openAt(390)
  await page.goto(`${address}${routes.find((route) => route.endsWith('/add-pets/'))}`)
  const heights = await page.locator('#samples .code').evaluateAll((all) => all.map((one) => one.clientHeight))
  expect(heights).toHaveLength(2)
  expect(Math.max(...heights)).toBeLessThan(800)
  const edges = await page
    .locator('.part > h2:has(.expand) :is(small, .expand)')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)))
  expect(edges).toHaveLength(2)
  expect(new Set(edges).size).toBe(1)
})

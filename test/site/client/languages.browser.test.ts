import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../../support/browser.ts'
import { serveSite } from '../page/api/serve-site.ts'

const axeText = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

/** Opens a page. The second function returns the paths of the files with texts that it has loaded. */
async function openPage(width = 1280): Promise<readonly [Page, () => string[]]> {
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width, height: 800 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const loaded: string[] = []
  page.on('request', (request) => {
    const [, name] = /_assets\/((?:messages|playground)-\w+)-\w+\.json$/.exec(request.url()) ?? []
    if (name !== undefined) loaded.push(name)
  })
  return [page, () => loaded]
}

async function findAccessibilityViolations(page: Page): Promise<unknown> {
  await page.evaluate(axeText)
  return page.evaluate('axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))')
}

const document = {
  openapi: '3.1.0',
  info: { title: 'Zoo', version: '1' },
  servers: [{ url: 'https://zoo.example' }],
  paths: { '/animals': { get: { summary: 'Tiere auflisten', responses: { 200: { description: 'Gut' } } } } },
}
const docs = (language: string) => ({
  'docs.json': JSON.stringify({
    name: 'Zoo',
    navigation: { groups: [{ group: 'Zoo', openapi: 'zoo.json', pages: ['GET /animals'] }] },
  }),
  'zoo.json': JSON.stringify(document),
  'openapi-pages.config.yaml': `site: { language: ${language} }\n`,
})

test('a page loads the texts of its scripts when it needs them, and only those of its language', async () => {
  const { address, routes } = await serveSite(docs('de'))
  const [page, listLoaded] = await openPage()
  await page.goto(address + (routes.find((route) => route.includes('tiere')) ?? ''))
  expect(listLoaded()).toEqual([])
  // The clipboard can be unavailable here.
  await page.locator('.copy-url').click()
  await page.getByLabel(/^(Kopiert|Kopieren nicht möglich)$/).waitFor()
  expect(listLoaded()).toEqual(['messages-de'])
  await page.getByRole('button', { name: 'Ausprobieren' }).click()
  await page.getByRole('dialog').waitFor()
  expect(listLoaded()).toEqual(['messages-de', 'playground-de'])
})

test('if texts cannot be loaded, scripts work in English', async () => {
  const flow = { authorizationUrl: 'https://zoo.example/a', tokenUrl: 'https://zoo.example/t', scopes: {} }
  const components = { securitySchemes: { login: { type: 'oauth2', flows: { authorizationCode: flow } } } }
  const { address, routes } = await serveSite({
    ...docs('de'),
    'zoo.json': JSON.stringify({ ...document, components, security: [{ login: [] }] }),
  })
  const [page] = await openPage()
  await page.route('**/_assets/*.json', (route) => route.fulfill({ status: 404, contentType: 'text/html', body: '<p>' }))
  await page.goto(address + (routes.find((route) => route.includes('tiere')) ?? ''))
  await page.locator('.copy-url').click()
  await page.getByLabel(/^(Copied|Could not copy)$/).waitFor()
  await page.keyboard.press('/')
  await page.getByLabel('Search operations and pages').fill('zzz')
  await page.getByText('No results for “zzz”').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Ausprobieren' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).waitFor()
  await page.goto(`${address}/_oauth/`)
  await page.getByText('There is no sign-in to complete.').waitFor()
})

test('an English page loads no texts', async () => {
  const { address, routes } = await serveSite(docs('en-GB'))
  const [page, listLoaded] = await openPage()
  await page.goto(address + (routes.find((route) => route.includes('tiere')) ?? ''))
  await page.locator('.copy-url').click()
  await page.getByLabel(/^(Copied|Could not copy)$/).waitFor()
  // For screen readers, which do not say a new name of a button.
  await page
    .getByRole('status')
    .filter({ hasText: /^(Copied|Could not copy)$/ })
    .waitFor()
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByRole('dialog').waitFor()
  expect(listLoaded()).toEqual([])
})

test('pages from right to left have no overflow or axe violations, and numbers and bullets inside of the column', async () => {
  const folder = join(import.meta.dirname, '../../fixtures/visual/docs-ar')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name))
  const { address, routes } = await serveSite(
    Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')])),
  )
  for (const width of [360, 768, 1440]) {
    const [page] = await openPage(width)
    for (const route of routes) {
      await page.goto(address + route)
      const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      const violations = width === 1440 ? await findAccessibilityViolations(page) : []
      expect({ route, width, overflow, violations }).toEqual({ route, width, overflow: 0, violations: [] })
    }
    await page.goto(`${address}/`)
    const sides = await page.evaluate(`(() => {
      const styleOf = (selector) => getComputedStyle(document.querySelector(selector))
      return {
        list: parseFloat(styleOf('.prose ol').paddingRight) > 15,
        title: styleOf('h1').textAlign,
        code: styleOf('pre').direction,
        word: styleOf('p code').direction,
      }
    })()`)
    expect(sides).toEqual({ list: true, title: 'right', code: 'ltr', word: 'ltr' })
  }
})

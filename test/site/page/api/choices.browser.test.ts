import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../../../support/browser.ts'
import { collectBrowserErrors, serveSite } from './serve-site.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  onTestFinished(() => context.close())
  return await context.newPage()
}

const text = { type: 'string' }
const object = (properties: object) => ({ type: 'object', properties })
const json = (schema: object, names: readonly string[] = []) => ({
  'application/json': { schema, examples: Object.fromEntries(names.map((name) => [name, { value: { name } }])) },
})
const toFiles = (post: object) => ({
  'docs.json': JSON.stringify({ name: 'Pets', navigation: { pages: ['pets'] }, api: { openapi: 'openapi.json' } }),
  'pets.mdx': '---\ntitle: Add a pet\nopenapi: POST /pets\n---\n',
  'openapi.json': JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: { '/pets': { post } },
  }),
})
const files = toFiles({
  requestBody: {
    content: json(object({ name: text, owner: object({ name: text, home: object({ street: text }) }) }), ['dog', 'cat', 'bad']),
  },
  responses: {
    201: {
      description: 'Added',
      content: json(object({ name: text, a: object({ b: object({ c: object({ zipCode: text }) }) }) }), ['cat', 'dog']),
    },
    400: { description: 'Invalid', content: json(object({ name: text }), ['bad']) },
  },
})

test('filters alternatives and properties, and marks a property together with its line in the sample', async () => {
  const numbers = Array.from({ length: 30 }, (_, index) => index)
  const kinds = numbers.map((index) => ({ title: `Kind${index}`, ...object({ [`p${index}`]: text }) }))
  const fields = numbers.map((index) => [`f${index}`, index === 29 ? { oneOf: kinds } : text])
  const wide = { ...object(Object.fromEntries(fields)), required: ['f1', 'f12'] }
  const responses = { 200: { description: 'OK', content: json(wide) } }
  const site = await serveSite(toFiles({ requestBody: { content: json({ oneOf: kinds }) }, responses }))
  const page = await openPage()
  const browserErrors = collectBrowserErrors(page)
  await page.goto(`${site.address}/pets/`)
  await page.getByRole('button', { name: 'one of: Kind0' }).first().click()
  const list = page.getByRole('group', { name: 'one of' })
  await list.getByRole('searchbox', { name: 'Filter' }).fill('28')
  await expect.poll(() => list.getByRole('radio').count()).toBe(1)
  await page.keyboard.press('Enter')
  const shown = () => page.locator('#body ~ .choice .tabs > div').locator('visible=true').locator('.btn').innerText()
  await expect.poll(shown).toContain('Kind28')
  await expect.poll(() => page.evaluate('document.activeElement.innerText')).toContain('Kind28')
  expect(page.url()).toContain('#body-Kind28')
  await page.reload()
  await expect.poll(shown).toContain('Kind28')
  const rows = page.locator('#r200 .props > li')
  await page.getByRole('checkbox', { name: 'Required only' }).check()
  await expect.poll(() => rows.locator('visible=true').locator('.p-head > a').allInnerTexts()).toEqual(['f1', 'f12'])
  await rows.nth(12).locator('.p-head > a').focus()
  await expect.poll(() => page.evaluate('[...CSS.highlights.get("line") ?? []].map(String).join()')).toMatch(/^"f12": /)
  await page.getByLabel('Example response: 200').getByText('"f1"', { exact: true }).hover()
  await expect.poll(() => page.locator('.lit > .p-head > a').innerText()).toBe('f1')
  await page.setViewportSize({ width: 360, height: 700 })
  await page.getByRole('checkbox', { name: 'Required only' }).uncheck()
  await page.locator('#r200').getByRole('button', { name: 'Kind0' }).click()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  expect(browserErrors).toEqual([])
})

const chosen = (page: Page) => page.locator('#samples [name=response]:checked').getAttribute('data-example')

test('a request example selects the response example of the same name, on the page and in the playground', async () => {
  const site = await serveSite(files)
  const page = await openPage()
  const browserErrors = collectBrowserErrors(page)
  await page.goto(`${site.address}/pets/`)
  expect(await chosen(page)).toBe('dog')
  expect(await page.getByLabel('Example response: 201 dog').isVisible()).toBe(true)
  await page.getByRole('combobox', { name: 'Body of the sample' }).selectOption('bad')
  await expect.poll(() => chosen(page)).toBe('bad')
  expect(await page.getByLabel('Sample: curl').innerText()).toContain('"bad"')
  expect(await page.getByLabel('Example response: 400').isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByRole('dialog').getByRole('radio', { name: 'Response', exact: true }).check()
  const response = page.getByRole('dialog').getByRole('region', { name: 'Response' })
  await expect.poll(() => response.innerText()).toContain('"bad"')
  await page.getByRole('dialog').getByLabel('Use an example').selectOption({ label: 'cat' })
  await expect.poll(() => response.innerText()).toContain('"cat"')
  expect(await chosen(page)).toBe('cat')
  expect(browserErrors).toEqual([])
})

test.each([
  [1440, 'body-owner-home-street'],
  [390, 'body-owner-home-street'],
  // As on Mintlify.
  [390, 'response-a-b-c-zip-code'],
])('at %i px, a link to #%s opens and marks the row of the field', async (width, id) => {
  const site = await serveSite(files)
  const page = await openPage({ viewport: { width, height: 700 } })
  await page.goto(`${site.address}/pets/#${id}`)
  const row = page.locator('.props > .here')
  await row.waitFor()
  const { isOnTop, color, plain } = await row.evaluate((element) => {
    const { left, top } = element.getBoundingClientRect()
    return {
      // Neither below the window nor behind the header.
      isOnTop: element.contains(document.elementFromPoint(left + 1, top + 1)),
      color: getComputedStyle(element).backgroundColor,
      plain: getComputedStyle(document.body).backgroundColor,
    }
  })
  expect(isOnTop).toBe(true)
  expect(color).not.toBe(plain)
  // The next link marks another row.
  await page.evaluate(() => {
    location.hash = '#body-name'
  })
  await expect.poll(() => page.locator('.here').getAttribute('id')).toBe('body-name')
})

test('without scripts, a link to a field marks its row', async () => {
  const site = await serveSite(files)
  const page = await openPage({ javaScriptEnabled: false })
  await page.goto(`${site.address}/pets/#body-name`)
  expect(await page.locator('#body-name').evaluate((row) => getComputedStyle(row).backgroundColor)).not.toBe('rgba(0, 0, 0, 0)')
})

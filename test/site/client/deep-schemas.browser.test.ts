import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser, routeFromStart } from '../../support/browser.ts'
import { serveDocument } from '../page/api/serve-site.ts'

const axeText = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

async function openPage(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 360, height: 740 }, ...options })
  onTestFinished(() => context.close())
  await routeFromStart(context)
  return context.newPage()
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })

/** A shop in which a category is three schemas away from an order, and contains itself. */
const shop = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders': {
      post: {
        summary: 'Place an order',
        tags: ['orders'],
        requestBody: json(ref('Order')),
        responses: {
          201: { description: 'Placed', ...json(ref('Order')) },
          400: { description: 'Wrong', ...json(ref('Problem')) },
        },
      },
    },
  },
  components: {
    schemas: {
      Order: {
        type: 'object',
        properties: { lines: { type: 'array', items: ref('Line') }, payment: { oneOf: [ref('Card'), ref('Transfer')] } },
      },
      Line: { type: 'object', properties: { count: { type: 'integer' }, product: ref('Product') } },
      Product: {
        type: 'object',
        properties: {
          id: { type: 'string', readOnly: true },
          token: { type: 'string', writeOnly: true },
          category: ref('Category'),
          line: { ...ref('Line'), description: 'The line it is in' },
        },
      },
      Category: { type: 'object', properties: { name: { type: 'string' }, parent: ref('Category') } },
      Card: { type: 'object', properties: { holder: ref('Holder') } },
      Transfer: { type: 'object', properties: { holder: ref('Holder') } },
      Holder: { type: 'object', properties: { name: { type: 'string', description: 'Full name' } } },
      Problem: { type: 'object', properties: { title: { type: 'string' } } },
    },
  },
}

const openOrder = async (page: Page, more = '') => {
  const site = await serveDocument(shop)
  const route = site.routes.find((one) => one.includes('place-an-order')) ?? ''
  await page.goto(`${site.address}${route}${more}`)
  return site
}

const findDuplicateIds = (page: Page) =>
  page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    return ids.filter((id, index) => ids.indexOf(id) !== index)
  })

test('loads the content of deep schemas when they are opened, with the keyboard, once for all places', async () => {
  const page = await openPage()
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await openOrder(page)
  const product = page.locator('#body-lines-product')
  await page.locator('#body-lines > details > summary').click()
  expect(await product.locator('#body-lines-product-category').count()).toBe(0)
  await product.locator('> details > summary').focus()
  await page.keyboard.press('Enter')
  await page.locator('#body-lines-product-category').waitFor()
  // A request has no read-only properties.
  expect(await product.locator('.p-head > a').allInnerTexts()).toEqual(['product', 'token', 'category', 'line'])
  await page.locator('#body-lines-product-category > details > summary').click()
  await page.locator('#body-lines-product-category-name').waitFor()
  const recursive = page.locator('#body-lines-product-category-parent .facts a')
  expect(await recursive.innerText()).toBe('Category')
  expect(await recursive.getAttribute('href')).toBe('#body-lines-product-category')

  await page.locator('#r201-lines > details > summary').click()
  await page.locator('#r201-lines-product > details > summary').click()
  await page.locator('#r201-lines-product-category').waitFor()
  expect(await page.locator('#r201-lines-product .p-head > a').allInnerTexts()).toEqual(['product', 'id', 'category', 'line'])
  expect(requests.filter((path) => path === '/schemas/product/')).toHaveLength(1)
  expect(await findDuplicateIds(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  await page.evaluate(axeText)
  expect(
    await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + nodes[0].html))'),
  ).toEqual([])
})

test('a loaded schema that contains an enclosing one leads to its start', async () => {
  const page = await openPage()
  await openOrder(page)
  await page.locator('#body-lines > details > summary').click()
  await page.locator('#body-lines-product > details > summary').click()
  await page.locator('#body-lines-product-line > details > summary').click()
  const link = page.locator('#body-lines-product-line').getByRole('link', { name: 'Line' }).last()
  await expect.poll(() => link.getAttribute('href')).toBe('#body-lines')
})

test('options of a choice with the same schema have different IDs', async () => {
  const page = await openPage()
  await openOrder(page)
  for (const name of ['Card', 'Transfer']) {
    await page.locator('#body-payment').getByText(name, { exact: true }).first().click()
    await page.locator('#body-payment .nest.lazy:visible > summary').first().click()
    await page.locator('#body-payment').getByText('Full name').locator('visible=true').waitFor()
  }
  expect(await page.locator('#body-payment').getByText('Full name').count()).toBe(2)
  expect(await findDuplicateIds(page)).toEqual([])
})

test('a schema that cannot be loaded stays a link, and can be opened again', async () => {
  const page = await openPage()
  await openOrder(page)
  await page.route('**/schemas/product/', (route) => route.abort())
  await page.locator('#r201-lines > details > summary').click()
  const fold = page.locator('#r201-lines-product > details')
  await fold.locator('> summary').click()
  expect(await fold.getByRole('alert').innerText()).toBe('Could not be loaded. Open its page:')
  expect(await fold.getByRole('link').getAttribute('href')).toBe('/schemas/product/')
  await page.unroute('**/schemas/product/')
  await fold.locator('> summary').click()
  await fold.locator('> summary').click()
  await page.locator('#r201-lines-product-category').waitFor()
})

test('a link to a property of a deep schema opens it', async () => {
  const page = await openPage()
  await openOrder(page, '#r201-lines-product-category-name')
  const target = page.locator('#r201-lines-product-category-name')
  await target.waitFor()
  await expect.poll(() => target.isVisible()).toBe(true)
})

test('without scripts, deep schemas are links to their pages, which the navigation lists', async () => {
  const page = await openPage({ javaScriptEnabled: false, viewport: { width: 1280, height: 800 } })
  const site = await openOrder(page)
  await page.locator('#r201-lines > details > summary').click()
  await page.locator('#r201-lines > details').getByRole('link', { name: 'Line' }).click()
  expect(await page.locator('h1').innerText()).toBe('Line')
  expect((await page.locator('.usedby a').allInnerTexts()).map((one) => one.replace(/\s+/g, ' '))).toEqual([
    'Order property lines',
    'Product property line',
  ])
  expect(await page.locator('.crumbs').innerText()).toBe('Schemas')
  expect(await page.locator('.side [aria-current=page]').innerText()).toBe('Line')
  await page.goto(`${site.address}/schemas/`)
  expect((await page.locator('.all-pages a').allInnerTexts()).slice(0, 2)).toEqual(['Order', 'Line'])
})

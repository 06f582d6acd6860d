import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../app/support/browser.ts'
import { serve } from '../support/serve.ts'
import { openDialog } from './support/open-dialog.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const faults =
  'axe.run("dialog").then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

test('axe finds nothing in the forms of credentials, in faults, in an answer and in a failure, by day and night, wide and narrow', {
  timeout: 120_000,
}, async () => {
  const api = await serve((request, response) => {
    if (request.url?.startsWith('/open')) response.setHeader('access-control-allow-origin', '*')
    response.setHeader('content-type', 'application/json').end('{"pets": [{"name": "Minka", "age": 3}]}')
  })
  const title = 'List all the pets of every shop in every town, with the people who look after them'
  const { page, complaints } = await openDialog(browser, {
    servers: [{ url: `${api}/{part}`, variables: { part: { default: 'open', enum: ['open', 'shut'] } } }],
    security: [{ oauth: ['read'] }, {}],
    paths: {
      '/pets': {
        get: {
          summary: title,
          parameters: [
            { name: 'at', in: 'query', required: true, schema: { type: 'string' } },
            { name: 'sort', in: 'cookie', schema: { type: 'string', default: 'name' } },
          ],
          responses: { 200: { description: 'OK' } },
        },
      },
    },
    components: {
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          flows: {
            authorizationCode: { authorizationUrl: `${api}/open/auth`, tokenUrl: `${api}/open/token`, scopes: { read: 'Read' } },
            clientCredentials: { tokenUrl: `${api}/open/token`, scopes: { read: 'Read' } },
          },
        },
      },
    },
  })
  await page.evaluate(axe)
  const dialog = page.getByRole('dialog')
  const check = async (state: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 360]) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: 800 })
        expect(await page.evaluate(faults), `${state}, ${colorScheme}, ${width}`).toEqual([])
        const isInside = await dialog
          .getByRole('button', { name: 'Close', exact: true })
          .evaluate((button) => button.getBoundingClientRect().right <= innerWidth)
        expect(isInside, `${state}, ${width}`).toBe(true)
      }
    }
  }
  await dialog.getByLabel('client_id').fill('page')
  await dialog.getByLabel('client_secret').fill('secret')
  await check('OAuth')
  // By the keys, to the end: sent, read, closed.
  await dialog.getByLabel('at', { exact: true }).focus()
  await page.keyboard.press('ControlOrMeta+Enter')
  await dialog.getByText('200 OK', { exact: true }).waitFor()
  expect(await dialog.getByLabel('at', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  await check('answer, with something missing')
  complaints.length = 0
  await dialog.getByLabel('part').selectOption('shut')
  await page.keyboard.press('ControlOrMeta+Enter')
  await dialog.getByText('The browser did not let this page read the answer', { exact: true }).first().waitFor()
  await check('failure')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  const button = page.getByRole('button', { name: 'Try it' })
  expect(await button.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
})

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { browser, shareBrowser } from '../support/browser.ts'
import { serve } from '../support/serve.ts'
import { openDialog } from './support/open-dialog.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const violationsIn = (selector: string) =>
  `axe.run("${selector}").then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`

shareBrowser()

test('has no axe violations in credentials, problems, responses and failures, in both themes, on wide and narrow screens', async () => {
  const api = await serve((request, response) => {
    if (request.url?.startsWith('/open')) response.setHeader('access-control-allow-origin', '*')
    response.setHeader('content-type', 'application/json').end('{"pets": [{"name": "Minka", "age": 3}]}')
  })
  const title = 'List all the pets of every shop in every town, with the people who look after them'
  const { page, browserErrors } = await openDialog(browser, {
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
        expect(await page.evaluate(violationsIn('dialog')), `${state}, ${colorScheme}, ${width}`).toEqual([])
        const isInside = await dialog
          .getByRole('button', { name: 'Close', exact: true })
          .evaluate((button) => button.getBoundingClientRect().right <= innerWidth)
        expect(isInside, `${state}, ${width}`).toBe(true)
      }
    }
  }
  await dialog.getByLabel('client_id').waitFor()
  const isSeen = (field: Element) => field.matches(':focus') && field.getBoundingClientRect().bottom < innerHeight
  await expect.poll(() => dialog.getByLabel('at', { exact: true }).evaluate(isSeen)).toBe(true)
  await dialog.getByLabel('client_id').fill('page')
  await dialog.getByLabel('client_secret').fill('secret')
  await check('OAuth')
  // Send and close with the keyboard.
  await dialog.getByLabel('at', { exact: true }).focus()
  await page.keyboard.press('ControlOrMeta+Enter')
  await dialog.getByText('200 OK', { exact: true }).waitFor()
  await expect.poll(() => dialog.getByLabel('at', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  await dialog.getByRole('tree').waitFor()
  await check('response with a missing value')
  browserErrors.length = 0
  await dialog.getByLabel('part').selectOption('shut')
  await page.keyboard.press('ControlOrMeta+Enter')
  await dialog.getByText('The browser blocked the response', { exact: true }).first().waitFor()
  await check('failure')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  const button = page.getByRole('button', { name: 'Try it' })
  const isFocused = () => button.evaluate((element) => element === element.ownerDocument.activeElement)
  expect(await isFocused()).toBe(true)
  // The focus also returns after the reader came by the link to the content.
  await page.evaluate("location.hash = '#main'")
  await button.press('Enter')
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate('location.hash')).toBe('#main')
  await expect.poll(isFocused).toBe(true)
})

// An image of 1 × 1 pixels.
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('has no axe violations in bodies and responses of every kind, in both themes', async () => {
  const kinds: Readonly<Record<string, readonly [string, string | Buffer]>> = {
    json: ['application/json', '{"pets": [{"name": "Minka", "age": 3, "is": true}], "next": null}'],
    text: ['text/plain', 'Minka\nTom'],
    image: ['image/png', png],
    binary: ['application/pdf', '%PDF-1.7'],
    events: ['text/event-stream', 'event: pet\nid: 1\ndata: Minka\n\n'],
    broken: ['application/json', '{"pets": '],
    none: ['text/plain', ''],
    long: ['text/plain', 'Minka\n'.repeat(40_000)],
  }
  const api = await serve((request, response) => {
    const [type, content] = kinds[request.url?.slice(1) ?? ''] ?? ['text/plain', '']
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*')
    response.setHeader('content-type', type).end(content)
  })
  const objectOf = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties })
  const schema = {
    ...objectOf({
      shape: {
        oneOf: [
          { title: 'Cube', ...objectOf({ edge: { type: 'number', exclusiveMinimum: 0 } }) },
          { title: 'Ball', ...objectOf({ radius: { type: 'number' } }) },
        ],
      },
      tags: { type: 'array', items: { type: 'string' } },
      counts: { type: 'object', additionalProperties: { type: 'integer' } },
      note: { type: ['string', 'null'], deprecated: true },
      any: {},
    }),
    example: { shape: { edge: -1 }, tags: ['a', 'b'], counts: { cats: 1 }, note: null, any: [1] },
  }
  const picture = { type: 'object', properties: { picture: { type: 'string', format: 'binary' } } }
  const { page } = await openDialog(browser, {
    servers: [{ url: api }],
    paths: {
      '/{kind}': {
        post: {
          responses: { 200: { description: 'OK' } },
          requestBody: {
            required: true,
            content: { 'application/json': { schema }, 'multipart/form-data': { schema: picture }, 'text/plain': {} },
          },
        },
      },
    },
  })
  await page.evaluate(axe)
  const dialog = page.getByRole('dialog')
  const check = async (state: string, place: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await page.evaluate(violationsIn(place)), `${state}, ${colorScheme}`).toEqual([])
    }
  }
  const mediaType = dialog.getByLabel('Body media type')
  await dialog.getByRole('button', { name: 'Use an example' }).click()
  await dialog.getByText('Expected a number, greater than 0').waitFor()
  await check('form with an invalid value', 'dialog .form')
  await dialog.getByRole('radio', { name: 'Raw' }).check()
  await dialog.getByRole('textbox', { name: 'Body (application/json)' }).fill('{"shape": 1}')
  await dialog.locator('#play-raw-errors').waitFor()
  await check('invalid raw body', 'dialog .form')
  await mediaType.selectOption({ label: 'text/plain' })
  await check('text', 'dialog .form')
  await mediaType.selectOption({ label: 'multipart/form-data' })
  await dialog.getByLabel('picture').setInputFiles({ name: 'cat.png', mimeType: 'image/png', buffer: png })
  await check('file', 'dialog .form')
  for (const kind of Object.keys(kinds)) {
    await dialog.getByLabel('kind', { exact: true }).fill(kind)
    await Promise.all([page.waitForResponse(`${api}/${kind}`), dialog.getByRole('button', { name: 'Send', exact: true }).click()])
    await dialog
      .locator('.res')
      .getByText(/^[\d.]+ k?B$/)
      .waitFor()
    // Each viewer is loaded on demand.
    await expect.poll(() => dialog.locator('.out .loading').count()).toBe(0)
    if (kind === 'json') {
      await dialog.getByRole('searchbox').fill('minka')
      await dialog.getByText('1 match', { exact: true }).waitFor()
    }
    await check(`response: ${kind}`, 'dialog .out')
  }
  await dialog.getByRole('searchbox', { name: 'Search the response' }).fill('minka')
  await dialog.getByText('1 of 10,000+').waitFor()
  await dialog.getByLabel('kind', { exact: true }).fill('other')
  await dialog.getByText('The form has changed').waitFor()
  await check('a match in a response whose request has changed', 'dialog .out')
  await dialog.getByRole('radio', { name: 'Headers' }).check()
  await dialog.locator('.out').getByText('content-type').first().waitFor()
  await check('headers', 'dialog .out')
})

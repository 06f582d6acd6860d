import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser, routeFromStart } from '../support/browser.ts'
import { runBin } from '../support/run-bin.ts'
import { serveSite } from '../support/serve-site.ts'

// Tests the dialog of a built site under its Content Security Policy. Set the variable to a directory to save screenshots there.
const shotFolder = process.env['OPENAPI_PAGES_SHOTS']
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const json = (schema: unknown) => ({ required: true, content: { 'application/json': { schema } } })
const ok = { 200: { description: 'OK' } }
const operation = (summary: string, more: object) => ({ summary, tags: ['All'], responses: ok, ...more })
const document = {
  openapi: '3.1.0',
  info: { title: 'Forms', version: '1' },
  servers: [{ url: 'https://api.example.com/v1' }, { url: 'https://test.example.com/v1' }],
  paths: {
    '/boxes/{id}/{kind}': {
      post: operation('Pack a box', {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
          { name: 'kind', in: 'path', required: true, schema: { enum: ['small', 'large'] } },
          { name: 'at', in: 'query', schema: { type: 'string', format: 'date-time' } },
          { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'Authorization', in: 'header', schema: { type: 'string' } },
        ],
        requestBody: json({
          type: 'object',
          required: ['name', 'shape'],
          properties: {
            name: { type: 'string', description: 'The label on the box. See `labels` in [the guide](https://example.com).' },
            fragile: { type: 'boolean' },
            weight: { type: ['number', 'null'], exclusiveMinimum: 0 },
            password: { type: 'string', format: 'password' },
            labels: { type: 'array', items: { type: 'string' } },
            extra: { type: 'object', additionalProperties: { type: 'integer' } },
            inside: { $ref: '#/components/schemas/Box' },
            shape: {
              oneOf: [{ $ref: '#/components/schemas/Cube' }, { $ref: '#/components/schemas/Ball' }],
              discriminator: {
                propertyName: 'type',
                mapping: { cube: '#/components/schemas/Cube', ball: '#/components/schemas/Ball' },
              },
            },
            anything: {},
          },
        }),
      }),
    },
    '/described': {
      delete: operation('**Describe** a [thing](/x). It can be long.', { tags: ['Described'], 'x-beta': true }),
    },
    '/files': {
      put: operation('Send files', {
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: { type: 'object', properties: { picture: { type: 'string', format: 'binary' }, note: { type: 'string' } } },
            },
            'application/octet-stream': {},
            'text/plain': {},
            'application/xml': { schema: { type: 'object', xml: { name: 'note' }, properties: { to: { type: 'string' } } } },
          },
        },
      }),
    },
    '/orders': {
      post: operation('Order a box', {
        security: [{ token: [] }],
        requestBody: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Order' } },
            'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/Order' } },
            'text/plain': {},
          },
        },
      }),
    },
    '/ping': { get: operation('Ping', {}) },
    '/scales': {
      post: operation('Weigh a box', {
        requestBody: json({
          type: 'object',
          required: ['weight'],
          properties: { weight: { type: 'number', exclusiveMinimum: 0 } },
        }),
      }),
    },
    '/rings': {
      put: operation('Send a ring', {
        security: [{ token: [] }],
        requestBody: json({ allOf: [{ $ref: '#/components/schemas/Ring' }, { description: 'One' }] }),
      }),
    },
    '/pile': {
      post: operation('Pile shapes', {
        requestBody: json({
          type: 'object',
          required: ['shapes'],
          properties: {
            shapes: {
              type: 'array',
              items: { oneOf: [{ $ref: '#/components/schemas/Cube' }, { $ref: '#/components/schemas/Ball' }] },
            },
          },
        }),
      }),
    },
    '/many': {
      post: operation('Fill in many fields', {
        requestBody: json({
          type: 'object',
          required: ['field0'],
          properties: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field${index}`, { type: 'string' }])),
        }),
      }),
    },
  },
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Ring: { oneOf: [{ $ref: '#/components/schemas/Gnir' }, { type: 'object', properties: { size: { type: 'integer' } } }] },
      Gnir: { oneOf: [{ $ref: '#/components/schemas/Ring' }, { type: 'array', items: {} }] },
      Order: {
        type: 'object',
        required: ['kind'],
        properties: {
          note: { type: 'string' },
          kind: { type: 'string', example: 'round' },
          count: { type: 'integer', examples: [12] },
          shape: { oneOf: [{ $ref: '#/components/schemas/Cube' }, { $ref: '#/components/schemas/Ball' }] },
        },
      },
      Box: { type: 'object', properties: { name: { type: 'string' }, inside: { $ref: '#/components/schemas/Box' } } },
      Cube: {
        type: 'object',
        required: ['type', 'edge'],
        properties: { type: { type: 'string' }, edge: { type: 'number' }, color: { type: 'string' } },
      },
      Ball: {
        type: 'object',
        required: ['type', 'radius'],
        properties: { type: { type: 'string' }, radius: { type: 'number' }, color: { type: 'string' } },
      },
    },
  },
}

let folder: string
let server: Server
let origin: string
let browser: Browser
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-pages-test-playground-'))
  const navigation = { openapi: { source: 'openapi.json', directory: '/' }, pages: ['index'] }
  // The forms start empty.
  const docs = { name: 'Pets', navigation, api: { examples: { prefill: false } } }
  writeFileSync(join(folder, 'docs.json'), JSON.stringify(docs))
  writeFileSync(join(folder, 'index.mdx'), '---\ntitle: Pets\n---\n')
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  const { code, stderr } = await runBin(['build', '.', '-o', join(folder, 'site'), '--quiet'], { cwd: folder })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const served = await serveSite(join(folder, 'site'), '/')
  server = served.server
  origin = served.origin
  browser = await launchBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})

async function openPage(
  path: string,
  options: BrowserContextOptions = {},
  by = browser,
): Promise<{ page: Page; browserErrors: string[] }> {
  const context = await by.newContext(options)
  onTestFinished(() => context.close())
  await routeFromStart(context)
  const page = await context.newPage()
  const browserErrors: string[] = []
  page.on('console', (message) => {
    // Chromium logs advice about forms with a lower level.
    if (message.type() === 'error' || message.type() === 'warning') browserErrors.push(message.text())
  })
  page.on('pageerror', (error) => browserErrors.push(String(error)))
  await page.goto(origin + path)
  return { page, browserErrors }
}

/** Mocks the API, so that tests send no requests to other machines. Returns the requested URLs. */
async function answerForApi(page: Page): Promise<readonly string[]> {
  const sent: string[] = []
  await page.route('https://api.example.com/**', (route) => {
    sent.push(route.request().url())
    return route.fulfill({ json: {}, headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' } })
  })
  return sent
}

/** Waits until the code sample contains a text. */
async function sampleOf(page: Page, expected: string): Promise<void> {
  await page.locator('dialog pre', { hasText: expected }).waitFor()
}

const box = '/all/pack-a-box/'

test('opens with the button and the URL fragment, closes in every way, and returns the focus', async () => {
  const { page, browserErrors } = await openPage(box)
  const requested: string[] = []
  page.on('request', (request) => /on-interaction/.test(request.url()) || requested.push(new URL(request.url()).pathname))
  const button = page.getByRole('button', { name: 'Try it' })
  const dialog = page.getByRole('dialog', { name: 'Pack a box' })
  await button.focus()
  expect(requested).toEqual([])
  await page.keyboard.press('Enter')
  await dialog.locator('pre').first().waitFor()
  const names = [...new Set(requested.map((path) => path.replace(/-\w{8}\./, '.')))]
  // The scripts for samples and sending load after the form.
  const output = names.indexOf('/_assets/output.js')
  expect(names.slice(0, output).sort()).toEqual([
    '/_assets/check-value.js',
    '/_assets/more-fields.js',
    '/_assets/open-playground.js',
    '/_assets/paths.js',
    '/_assets/playground.css',
    '/all/pack-a-box.openapi.json',
  ])
  expect(names.slice(output).sort()).toEqual(['/_assets/output.js'])
  expect(page.url()).toBe(`${origin}${box}#try`)
  await page.keyboard.press('Escape')
  await expect.poll(() => page.url()).toBe(`${origin}${box}`)
  expect(await button.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
  await button.click()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => page.url()).toBe(`${origin}${box}`)
  await page.goForward()
  await dialog.waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'hidden' })
  await page.goto(`${origin}/all/send-files/#try`)
  await page.getByRole('dialog', { name: 'Send files' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.url()).toBe(`${origin}/all/send-files/`)
  expect(browserErrors).toEqual([])
})

test('opens once when the button is pressed twice', async () => {
  const { page, browserErrors } = await openPage(box)
  await page.getByRole('button', { name: 'Try it' }).dblclick()
  await page.locator('dialog pre').first().waitFor()
  expect(await page.locator('dialog.play').count()).toBe(1)
  await page.keyboard.press('Escape')
  await expect.poll(() => page.url()).toBe(`${origin}${box}`)
  expect(await page.locator('dialog.play[open]').count()).toBe(0)
  expect(browserErrors).toEqual([])
})

// Going back in the history is asynchronous, so readers can click before it is done.
test.each([
  ['the close event', 'dialog.close(); button.click(); resolve()'],
  [
    'the URL has changed back',
    `addEventListener('popstate', resolve, { once: true })
    dialog.addEventListener('close', () => button.click(), { once: true })
    dialog.close()`,
  ],
])('opens again if the button is pressed before %s', async (_when, act) => {
  const { page, browserErrors } = await openPage(box)
  const dialog = page.getByRole('dialog', { name: 'Pack a box' })
  await page.getByRole('button', { name: 'Try it' }).click()
  await dialog.waitFor()
  await page.evaluate(`new Promise((resolve) => {
    const dialog = document.querySelector('dialog.play')
    const button = document.querySelector('[data-open=playground]')
    ${act}
  })`)
  await dialog.waitFor()
  // A single step back still leads to the page.
  await page.goBack()
  await dialog.waitFor({ state: 'hidden' })
  expect(page.url()).toBe(`${origin}${box}`)
  await page.goForward()
  await dialog.waitFor()
  expect(browserErrors).toEqual([])
})

test('reports a failure to load and tries again', async () => {
  const { page } = await openPage(box)
  await page.route('**/*.openapi.json', (route) => route.abort())
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByRole('alert').filter({ hasText: 'could not be loaded' }).waitFor()
  // Going back in the history is asynchronous.
  await expect.poll(() => page.url()).toBe(`${origin}${box}`)
  await page.unroute('**/*.openapi.json')
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByRole('dialog').waitFor()
  expect(await page.getByRole('alert').filter({ hasText: 'could not be loaded' }).count()).toBe(0)
})

test('sends when the output has loaded, even after a failed attempt', async () => {
  const { page } = await openPage(box)
  let isReachable = false
  await page.route('**/output-*.js*', (route) => (isReachable ? route.continue() : route.abort()))
  await answerForApi(page)
  await page.getByRole('button', { name: 'Try it' }).click()
  const dialog = page.getByRole('dialog')
  const alert = dialog.getByRole('status').filter({ hasText: 'could not be loaded' })
  await alert.waitFor()
  await dialog.getByLabel('id', { exact: true }).fill('12')
  await dialog.getByLabel('kind', { exact: true }).selectOption('small')
  isReachable = true
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.getByText('200 OK', { exact: true }).waitFor()
  expect(await alert.count()).toBe(0)
})

test('reports scripts that cannot be loaded where they are needed, and tries again', async () => {
  const { page } = await openPage(box)
  let isReachable = false
  // Form fields, the body editor and a sample language.
  const later = /\/(?:more-fields|raw-body|other-samples)-\w+\.js\?*$/
  await page.route(later, (route) => (isReachable ? route.continue() : route.abort()))
  await page.getByRole('button', { name: 'Try it' }).click()
  const dialog = page.getByRole('dialog')
  const missing = (what: string) => dialog.getByRole('status').filter({ hasText: `${what} could not be loaded` })
  await missing('The tags field').waitFor()
  await dialog.getByText('Python', { exact: true }).click()
  await missing('The Python sample').waitFor()
  await dialog.getByText('Raw', { exact: true }).click()
  await missing('The body editor').waitFor()
  isReachable = true
  for (const what of ['The tags field', 'The Python sample', 'The body editor']) {
    await missing(what).getByRole('button', { name: 'Try again' }).click()
    await missing(what).waitFor({ state: 'detached' })
  }
  await dialog.getByRole('button', { name: 'Add item to tags' }).waitFor()
  await dialog.getByRole('textbox', { name: 'Body (application/json)' }).waitFor()
  await dialog.getByText('Form', { exact: true }).click()
  await sampleOf(page, 'requests.post')
  // One retry serves all users of the same script.
  expect(await dialog.getByText('could not be loaded').count()).toBe(0)
})

test('reports that the validation of input cannot be loaded, and tries again', async () => {
  const { page } = await openPage('/all/weigh-a-box/')
  let isReachable = false
  await page.route(/\/check-value-\w+\.js\?*$/, (route) => (isReachable ? route.continue() : route.abort()))
  await page.getByRole('button', { name: 'Try it' }).click()
  const dialog = page.getByRole('dialog')
  const missing = dialog.getByRole('status').filter({ hasText: 'Input validation could not be loaded' })
  // The form can still be filled in with the values of the sample.
  const fillIn = async () => {
    await dialog.getByLabel('weight', { exact: true }).fill('-1')
    return await missing.count()
  }
  await expect.poll(fillIn).toBe(1)
  isReachable = true
  await missing.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByText('Expected a number, greater than 0. The value is sent anyway.').waitFor()
  expect(await missing.count()).toBe(0)
})

test('fills in a whole request with the keyboard', async () => {
  // The browser of the npm package does not select an option again by its first letter.
  const installed = await launchBrowser({ isInstalled: true })
  onTestFinished(() => installed?.close())
  const { page, browserErrors } = await openPage(`${box}#try`, {}, installed)
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  const type = async (name: string, text: string) => {
    await dialog.getByLabel(name, { exact: true }).focus()
    await page.keyboard.type(text)
  }
  const press = async (name: string) => {
    await dialog.getByRole('button', { name, exact: true }).focus()
    await page.keyboard.press('Enter')
  }
  await type('id', '12')
  await type('kind', 'l')
  await sampleOf(page, '/boxes/12/large')
  // A native widget, which does not accept typed text in tests.
  await dialog.getByLabel('at (UTC)').fill('2026-01-31T09:30:00')
  await press('Add item to tags')
  await page.keyboard.type('a&b')
  await sampleOf(page, 'tags=a%26b')
  await sampleOf(page, 'at=2026-01-31T09%3A30%3A00Z')
  await type('name', 'Books')
  await type('fragile', 't')
  await type('weight', '-1')
  await dialog.getByText('Expected a number, greater than 0. The value is sent anyway.').waitFor()
  expect(await dialog.getByLabel('weight', { exact: true }).getAttribute('aria-describedby')).toBe('play-body.weight-error')
  await press('Add item to labels')
  await page.keyboard.type('one')
  await press('Add item to labels')
  await page.keyboard.type('two')
  await press('Move labels, item 2 up')
  await press('Add extra')
  await press('Add key to extra')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('count')
  await page.keyboard.press('Tab')
  await page.keyboard.type('7')
  await press('Add inside')
  await type('inside, name', 'Smaller')
  await press('Add inside, inside')
  await type('Type of shape', 'b')
  await type('shape, radius', '2')
  await type('shape, color', 'red')
  await type('Type of shape', 'cu')
  await type('shape, edge', '3')
  await type('anything (JSON)', '[1, {"a": null}]')
  await dialog.getByRole('radio', { name: 'Raw' }).press('Space')
  expect(JSON.parse(await dialog.getByLabel('Body (application/json)').innerText())).toEqual({
    name: 'Books',
    fragile: true,
    weight: -1,
    labels: ['two', 'one'],
    extra: { count: 7 },
    inside: { name: 'Smaller', inside: {} },
    shape: { type: 'cube', color: 'red', edge: 3 },
    anything: [1, { a: null }],
  })
  expect(browserErrors).toEqual([])
})

test('offers choices in nested and circular schemas', async () => {
  const { page, browserErrors } = await openPage('/all/send-a-ring/#try')
  const dialog = page.getByRole('dialog')
  const kinds = dialog.getByLabel('Type of Body')
  await kinds.selectOption({ label: '{ size }' })
  await dialog.getByLabel('size').fill('3')
  await sampleOf(page, '"size": 3')
  expect(await kinds.count()).toBe(1)
  await kinds.selectOption({ label: 'Gnir' })
  await dialog.locator('textarea, .items').last().waitFor()
  expect(browserErrors).toEqual([])
})

test('converts raw JSON back to the form unless data would be lost', async () => {
  const { page } = await openPage(`${box}#try`)
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Raw', { exact: true }).click()
  const raw = dialog.getByLabel('Body (application/json)')
  await raw.fill('{"name": "a", "name": "b"}')
  await dialog.getByText('Form', { exact: true }).click()
  expect(await dialog.getByRole('alert').textContent()).toMatch(/duplicate key.* Your text was not changed/)
  expect(await raw.innerText()).toBe('{"name": "a", "name": "b"}')
  await raw.fill('{"name": ["odd"], "unknown": {"a": 1}, "shape": {"type": "ball", "radius": 1}}')
  await expect.poll(() => dialog.locator('#play-raw-errors').textContent()).toMatch(/name Expected a string/)
  await dialog.getByText('Form', { exact: true }).click()
  expect(await dialog.getByLabel('name (JSON)').inputValue()).toBe('[\n  "odd"\n]')
  expect(await dialog.getByLabel('Body, unknown (JSON)').inputValue()).toBe('{\n  "a": 1\n}')
  expect(await dialog.getByLabel('shape, radius').inputValue()).toBe('1')
  await dialog.getByText('Raw', { exact: true }).click()
  expect(JSON.parse(await raw.innerText())).toEqual({ name: ['odd'], unknown: { a: 1 }, shape: { type: 'ball', radius: 1 } })
  await raw.fill('{')
  await expect.poll(() => dialog.locator('#play-raw-errors').textContent()).toMatch(/Invalid JSON/)
})

test('edits a raw body with colors, line numbers and brackets, and Tab leaves the editor', async () => {
  const { page, browserErrors } = await openPage('/all/order-a-box/#try')
  const dialog = page.getByRole('dialog')
  await answerForApi(page)
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await dialog.getByText('Raw', { exact: true }).click()
  const raw = dialog.getByRole('textbox', { name: 'Body (application/json)' })
  await raw.click()
  expect(requested.some((url) => url.includes('/raw-body-'))).toBe(true)
  await page.keyboard.type('{"kind": "flat",\n"count": 3, "a": [1]')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => dialog.locator('.cm-matchingBracket').allInnerTexts()).toEqual(['[', ']'])
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('}')
  await expect.poll(() => dialog.locator('.cm-lineNumbers').innerText()).toMatch(/1\s+2$/)
  const colorOf = (text: string) => raw.getByText(text, { exact: true }).evaluate((one) => getComputedStyle(one).color)
  const colors = await Promise.all(['"kind"', '"flat"', '3'].map(colorOf))
  expect(new Set(colors).size).toBe(3)
  // Undo and the shortcut to send work as in other fields, and the shortcut adds no line.
  const sent = page.waitForRequest('https://api.example.com/**')
  await page.keyboard.press('ControlOrMeta+Enter')
  expect((await sent).postData()).toBe('{"kind": "flat",\n  "count": 3, "a": [1]}')
  await page.keyboard.type(' ')
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('Tab')
  await expect.poll(() => raw.evaluate((one) => one.matches(':focus'))).toBe(false)
  await page.keyboard.press('Shift+Tab')
  await expect.poll(() => raw.evaluate((one) => one.matches(':focus'))).toBe(true)
  // Problems are described to screen readers, and the buttons replace the text.
  await raw.fill('{"kind": 3}')
  await expect.poll(() => raw.getAttribute('aria-description')).toMatch(/^\/?kind Expected a string/)
  expect(await raw.getAttribute('aria-invalid')).toBe('true')
  await dialog.getByRole('button', { name: 'Use an example', exact: true }).click()
  await expect.poll(() => raw.innerText()).toContain('"kind": "round"')
  await dialog.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect.poll(() => raw.innerText()).toBe('\n')
  expect(browserErrors).toEqual([])
})

test('restores values in the same tab, without secrets, until they are reset', async () => {
  const { page } = await openPage(`${box}#try`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('id', { exact: true }).fill('7')
  await dialog.getByLabel('password', { exact: true }).fill('hunter2')
  await dialog.getByLabel('Authorization', { exact: true }).fill('Bearer hunter2')
  await sampleOf(page, 'hunter2')
  // Filled in last: when this value is stored, the others are stored too.
  await dialog.getByLabel('name', { exact: true }).fill('Kept')
  const kept = () => page.evaluate('Object.values(sessionStorage).join()')
  await expect.poll(kept).toContain('Kept')
  expect(await page.evaluate('JSON.stringify([...Object.values(sessionStorage), ...Object.values(localStorage)])')).not.toContain(
    'hunter2',
  )
  await page.reload()
  expect(await dialog.getByLabel('id', { exact: true }).inputValue()).toBe('7')
  expect(await dialog.getByLabel('name', { exact: true }).inputValue()).toBe('Kept')
  expect(await dialog.getByLabel('password', { exact: true }).inputValue()).toBe('')
  await dialog.getByRole('button', { name: 'Reset' }).click()
  expect(await dialog.getByLabel('name', { exact: true }).inputValue()).toBe('')
  // Reset removes the stored values immediately, and the initial values are stored after a delay.
  await expect.poll(kept).toMatch(/^(?!.*Kept).*"parameters"/)
  await page.reload()
  expect(await dialog.getByLabel('id', { exact: true }).inputValue()).toBe('')
})

test('shares the sample language with the page and links to the other operations', async () => {
  const { page } = await openPage(box)
  await page.locator('#samples').getByText('Python').click()
  await page.getByRole('button', { name: 'Try it' }).click()
  const dialog = page.getByRole('dialog')
  await sampleOf(page, 'import requests')
  await dialog.getByText('Go', { exact: true }).click()
  await sampleOf(page, 'http.NewRequest')
  expect(await page.evaluate('localStorage.getItem("choice:lang")')).toBe('Go')
  await dialog.locator('summary', { hasText: 'Pack a box' }).click()
  await dialog.getByRole('link', { name: 'PUT Send files' }).click()
  await page.getByRole('dialog', { name: 'Send files' }).waitFor()
  await sampleOf(page, 'http.NewRequest')
})

test('reports missing values at their fields after an attempt to send, and sends nothing without a path parameter', async () => {
  const { page } = await openPage(`${box}#try`)
  const dialog = page.getByRole('dialog')
  const sent = await answerForApi(page)
  // Wait until the output is rendered.
  await dialog.locator('pre').first().waitFor()
  expect(await dialog.getByText('Missing id in the path').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog
    .getByRole('status')
    .filter({ hasText: /The request was not sent:\s*Missing id in the path/ })
    .waitFor()
  // The first field with a problem has the focus and shows the reason.
  const chip = dialog.getByLabel('id', { exact: true })
  await expect.poll(() => chip.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
  const described = async (label: string) => {
    const field = dialog.getByLabel(label, { exact: true })
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    const id = await field.getAttribute('aria-describedby')
    return dialog.locator(`[id="${id}"]`).textContent()
  }
  expect(await described('id')).toBe('Missing id in the path.')
  expect(await described('kind')).toBe('Missing kind in the path.')
  expect(await described('name')).toBe('This field is required.')
  await dialog.getByText('Missing name in the body').waitFor()
  expect(await dialog.getByRole('button', { name: 'Send', exact: true }).getAttribute('aria-describedby')).toBe('play-problems')
  await chip.fill('1')
  await dialog.getByText('Missing id in the path').first().waitFor({ state: 'detached' })
  expect(await chip.getAttribute('aria-invalid')).toBe(null)
  await dialog.getByLabel('kind', { exact: true }).selectOption('small')
  expect(sent).toEqual([])
  // Values that the browser omits do not prevent sending. The shortcut works in every field.
  await chip.press('ControlOrMeta+Enter')
  await dialog.getByText('200 OK', { exact: true }).waitFor()
  expect(sent.at(-1)).toBe('https://api.example.com/v1/boxes/1/small')
  expect(await dialog.getByText('The request was not sent').count()).toBe(0)
})

test('sends files and bodies of several media types', async () => {
  const { page } = await openPage('/all/send-files/#try')
  const dialog = page.getByRole('dialog')
  const file = { name: 'cat.png', mimeType: 'image/png', buffer: Buffer.from('cat') }
  await dialog.getByLabel('picture').setInputFiles(file)
  await dialog.getByText('cat.png, 3 bytes').waitFor()
  await sampleOf(page, 'picture=@cat.png')
  // Dropping a file on the field replaces it. Dropping one next to it must not open it.
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['dog!'], 'dog.png', { type: 'image/png' }))
    return transfer
  })
  const drop = dialog.locator('.drop')
  await drop.dispatchEvent('drop', { dataTransfer: data })
  await dialog.getByText('dog.png, 4 bytes').waitFor()
  expect((await dialog.innerText()).split('dog.png, 4 bytes')).toHaveLength(2)
  expect(await drop.innerText()).toBe('dog.png, 4 bytes')
  const isHandled = (dataTransfer: DataTransfer) =>
    !globalThis.document
      .querySelector('.urlbar')
      ?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  expect(await data.evaluate(isHandled)).toBe(true)
  await dialog.getByLabel('Body media type').selectOption('application/octet-stream')
  await dialog.getByLabel('Body', { exact: true }).setInputFiles(file)
  await sampleOf(page, '@cat.png')
  await dialog.getByLabel('Body media type').selectOption('text/plain')
  await dialog.getByLabel('Body (text/plain)').fill('<b>x</b>')
  await sampleOf(page, '<b>x</b>')
  await dialog.getByLabel('Body media type').selectOption('application/xml')
  await dialog.getByLabel('to', { exact: true }).fill('a<b')
  await sampleOf(page, '<to>a&lt;b</to>')
})

test('keeps the choice of each list item when another one is removed or moved', async () => {
  const { page, browserErrors } = await openPage('/all/pile-shapes/#try')
  const dialog = page.getByRole('dialog')
  const item = (number: number, label = '') => dialog.getByLabel(`shapes, item ${number}${label}`, { exact: true })
  const typeOf = (number: number) => dialog.getByLabel(`Type of shapes, item ${number}`, { exact: true })
  const shown = async (number: number) =>
    await typeOf(number).evaluate((select) => {
      const { selectedOptions } = select as unknown as { selectedOptions: { textContent: string }[] }
      return selectedOptions[0]?.textContent
    })
  for (const [index, choice] of ['Cube', 'Ball', 'Ball'].entries()) {
    await dialog.getByRole('button', { name: 'Add item to shapes' }).click()
    await typeOf(index + 1).selectOption(choice)
  }
  await item(1, ', edge').fill('1')
  await item(2, ', radius').fill('2')
  await item(3, ', radius').fill('3')
  // The second item remembers the values of its other choice.
  await typeOf(2).selectOption('Cube')
  await item(2, ', edge').fill('22')
  await typeOf(2).selectOption('Ball')
  await dialog.getByRole('button', { name: 'Remove shapes, item 1', exact: true }).click()
  await item(3, ', radius').waitFor({ state: 'detached' })
  expect([await shown(1), await shown(2)]).toEqual(['Ball', 'Ball'])
  expect([await item(1, ', radius').inputValue(), await item(2, ', radius').inputValue()]).toEqual(['2', '3'])
  await typeOf(1).selectOption('Cube')
  expect(await item(1, ', edge').inputValue()).toBe('22')
  await dialog.getByRole('button', { name: 'Move shapes, item 2 up', exact: true }).click()
  await item(1, ', radius').waitFor()
  expect([await shown(1), await shown(2)]).toEqual(['Ball', 'Cube'])
  expect([await item(1, ', radius').inputValue(), await item(2, ', edge').inputValue()]).toEqual(['3', '22'])
  await typeOf(1).selectOption('Cube')
  expect(await item(1, ', edge').inputValue()).toBe('')
  expect(browserErrors).toEqual([])
})

test('keeps the values of each media type, editor, choice and server, also after a reload', async () => {
  const { page, browserErrors } = await openPage('/all/order-a-box/#try')
  const dialog = page.getByRole('dialog')
  const field = (label: string) => dialog.getByLabel(label, { exact: true })
  const mediaType = field('Body media type')
  await field('kind').fill('flat')
  await field('Type of shape').selectOption('Cube')
  await field('shape, edge').fill('3')
  await field('shape, color').fill('red')
  await field('Type of shape').selectOption('Ball')
  await field('shape, radius').fill('7')
  // Another media type starts with the values of the fields that it shares, and keeps its own.
  await mediaType.selectOption('application/x-www-form-urlencoded')
  expect([await field('kind').inputValue(), await field('shape, radius').inputValue()]).toEqual(['flat', '7'])
  await field('note').fill('only in the form')
  await mediaType.selectOption('text/plain')
  await field('Body (text/plain)').fill('plain')
  await mediaType.selectOption('application/json')
  expect(await field('note').inputValue()).toBe('')
  await field('Type of shape').selectOption('Cube')
  expect([await field('shape, edge').inputValue(), await field('shape, color').inputValue()]).toEqual(['3', 'red'])
  await dialog.getByText('Raw', { exact: true }).click()
  await field('Body (application/json)').fill('{"kind": "typed", ')
  await mediaType.selectOption('application/x-www-form-urlencoded')
  expect(await field('note').inputValue()).toBe('only in the form')
  await mediaType.selectOption('application/json')
  expect(await field('Body (application/json)').innerText()).toBe('{"kind": "typed", ')
  await expect.poll(() => page.evaluate('Object.values(sessionStorage).join()')).toContain('typed')
  await page.reload()
  expect(await field('Body (application/json)').innerText()).toBe('{"kind": "typed", ')
  await mediaType.selectOption('text/plain')
  expect(await field('Body (text/plain)').innerText()).toBe('plain')
  expect(browserErrors).toEqual([])
})

test('fills in the same example as the code sample of the page, for each media type', async () => {
  const { page } = await openPage('/all/order-a-box/')
  const shown = await page.locator('#samples pre').first().textContent()
  const [, body = ''] = /'(\{[\s\S]*\})'/.exec(shown ?? '') ?? []
  expect(JSON.parse(body)).toMatchObject({ kind: 'round', count: 12 })
  await page.getByRole('button', { name: 'Try it' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Use an example' }).click()
  await dialog.getByText('Raw', { exact: true }).click()
  const raw = dialog.getByLabel('Body (application/json)')
  expect(JSON.parse(await raw.innerText())).toEqual(JSON.parse(body))
  await dialog.getByLabel('Body media type').selectOption('application/x-www-form-urlencoded')
  await dialog.getByRole('button', { name: 'Use an example' }).click()
  expect(await dialog.getByLabel('count', { exact: true }).inputValue()).toBe('12')
})

test('path parameters are edited in the form, and the URL shows their values', async () => {
  const { page } = await openPage(`${box}#try`)
  const dialog = page.getByRole('dialog')
  const url = dialog.locator('.url')
  await expect.poll(() => url.innerText()).toMatch(/\/boxes\/\{id\}\/\{kind\}$/)
  expect(await url.locator('input').count()).toBe(0)
  await dialog.getByLabel('id', { exact: true }).fill('12')
  await dialog.getByLabel('kind', { exact: true }).selectOption('large')
  await expect.poll(() => url.innerText()).toMatch(/\/boxes\/12\/large$/)
  // A missing value opens its section.
  await dialog.getByLabel('id', { exact: true }).fill('')
  await dialog.locator('.sec > summary', { hasText: 'Path' }).click()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('id')
})

test('strings are fields of one line that grow, and Enter adds a line to a body only', async () => {
  const { page } = await openPage('/all/order-a-box/#try')
  const dialog = page.getByRole('dialog')
  const field = (label: string) => dialog.getByLabel(label, { exact: true })
  const heightOf = async (label: string) => (await field(label).boundingBox())?.height ?? 0
  const line = await heightOf('count')
  expect(await heightOf('note')).toBe(line)
  await field('note').fill('A note that is much longer than a single line. '.repeat(5))
  const paragraph = await heightOf('note')
  expect(paragraph).toBeGreaterThan(2 * line)
  await field('note').press('Enter')
  await expect.poll(() => heightOf('note')).toBeGreaterThan(paragraph)
  // Without support for `field-sizing`, the number of rows follows the text.
  expect(await field('note').getAttribute('rows')).toBe('7')
  await page.goto(`${origin}${box}#try`)
  await field('Authorization').fill('a long value '.repeat(20))
  expect(await heightOf('Authorization')).toBeGreaterThan(2 * line)
  await field('Authorization').press('Enter')
  expect(await field('Authorization').inputValue()).not.toContain('\n')
})

test('the actions of lists and objects are in one column', async () => {
  const { page } = await openPage(`${box}#try`)
  const dialog = page.getByRole('dialog')
  const button = (name: string) => dialog.getByRole('button', { name, exact: true })
  for (const name of ['Add item to labels', 'Add item to labels', 'Add extra', 'Add key to extra']) await button(name).click()
  const rightOf = async (name: string) => {
    const { x = 0, width = 0 } = (await button(name).boundingBox()) ?? {}
    return x + width
  }
  const names = [
    'Remove labels, item 1',
    'Remove labels, item 2',
    'Add item to labels',
    'Remove key from extra',
    'Add key to extra',
    'Add inside',
  ]
  const places = await Promise.all(names.map(rightOf))
  expect(Math.max(...places) - Math.min(...places)).toBeLessThan(16)
  // Items have the same width with and without a button to move them.
  const widths = await Promise.all(
    [1, 2].map(async (item) => (await dialog.getByLabel(`labels, item ${item}`, { exact: true }).boundingBox())?.width),
  )
  expect(widths[0]).toBe(widths[1])
})

test('has the examples beside the choice of the editor', async () => {
  const { page } = await openPage('/all/order-a-box/#try')
  const dialog = page.getByRole('dialog')
  const lineOf = async (part: Locator) => {
    const { y = 0, height = 0 } = (await part.boundingBox()) ?? {}
    return Math.round(y + height / 2)
  }
  const line = await lineOf(dialog.getByText('Raw', { exact: true }))
  for (const name of ['Use an example', 'Clear']) {
    expect(Math.abs((await lineOf(dialog.getByRole('button', { name, exact: true }))) - line)).toBeLessThan(6)
  }
})

test('opens on the first required field', async () => {
  const { page } = await openPage('/all/order-a-box/')
  const isFocused = (label: string) =>
    expect
      .poll(() =>
        page.evaluate('((one) => one.ariaLabel ?? (one.labels?.[0] ?? one).textContent.trim())(document.activeElement)'),
      )
      .toBe(label)
  await page.getByRole('button', { name: 'Try it' }).click()
  await isFocused('token')
  await page.keyboard.type('token-7261')
  await page.reload()
  await isFocused('kind')
  await page.goto(`${origin}/all/fill-in-many-fields/#try`)
  await isFocused('field0')
  await page.goto(`${origin}${box}#try`)
  await isFocused('id')
  await page.goto(`${origin}/all/ping/#try`)
  await isFocused('Send')
})

test('gives the response the space without fields, and full width', async () => {
  const { page, browserErrors } = await openPage('/all/ping/#try')
  const dialog = page.getByRole('dialog')
  await answerForApi(page)
  const out = dialog.getByRole('group', { name: 'Code sample and response' })
  const width = async () => Math.round((await out.boundingBox())?.width ?? 0)
  await expect.poll(width).toBeGreaterThan(1100)
  await page.goto(`${origin}${box}#try`)
  await expect.poll(width).toBe(480)
  await dialog.getByLabel('id', { exact: true }).fill('1')
  await dialog.getByLabel('kind', { exact: true }).selectOption('small')
  await dialog.getByRole('button', { name: 'Send' }).click()
  const full = dialog.getByRole('button', { name: 'Full width' })
  await full.press('Enter')
  await expect.poll(width).toBeGreaterThan(1100)
  expect(await dialog.getByRole('group', { name: 'Request' }).isVisible()).toBe(false)
  await full.press('Enter')
  await expect.poll(width).toBe(480)
  expect(browserErrors).toEqual([])
})

test('shares credentials and the server with all operations of the tab, and clears them in one place', async () => {
  const { page, browserErrors } = await openPage('/all/order-a-box/#try')
  const field = (label: string) => page.getByRole('dialog').getByLabel(label, { exact: true })
  await field('Server').selectOption('1')
  await field('token').fill('token-7261')
  await page.goto(`${origin}/all/send-a-ring/#try`)
  expect([await field('Server').inputValue(), await field('token').inputValue()]).toEqual(['1', 'token-7261'])
  // Another server does not receive them.
  await field('Server').selectOption('0')
  expect(await field('token').inputValue()).toBe('')
  await field('Server').selectOption('1')
  await page.getByRole('button', { name: 'Clear credentials' }).press('Enter')
  expect(await field('token').inputValue()).toBe('')
  await page.goto(`${origin}/all/order-a-box/#try`)
  expect(await field('token').inputValue()).toBe('')
  expect(await page.evaluate('JSON.stringify([...Object.values(sessionStorage), ...Object.values(localStorage)])')).not.toContain(
    '7261',
  )
  expect(browserErrors).toEqual([])
})

test('sends custom headers and query parameters that are on, and keeps those that are off', async () => {
  const { page, browserErrors } = await openPage('/all/ping/#try')
  const dialog = page.getByRole('dialog')
  const field = (label: string) => dialog.getByLabel(label, { exact: true })
  const sent = await answerForApi(page)
  await dialog.getByText('Custom headers and query').click()
  await dialog.getByRole('button', { name: 'Add header' }).press('Enter')
  await page.keyboard.type('X-Trace')
  await page.keyboard.press('Tab')
  await page.keyboard.type('a-7261')
  await dialog.getByRole('button', { name: 'Add query parameter' }).press('Enter')
  await page.keyboard.type('debug')
  await field('Value of query debug').fill('1&2')
  await dialog.getByRole('button', { name: 'Add header' }).press('Enter')
  await page.keyboard.type('Authorization')
  await field('Value of header Authorization').fill('Bearer hidden-7261')
  await sampleOf(page, 'a-7261')
  await sampleOf(page, 'debug=1%262')
  await field('Send header X-Trace').press('Space')
  await expect.poll(() => dialog.locator('pre').first().innerText()).not.toContain('a-7261')
  const request = page.waitForRequest('https://api.example.com/**')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  expect(await (await request).allHeaders()).not.toHaveProperty('x-trace')
  await expect.poll(() => sent).toEqual(['https://api.example.com/v1/ping?debug=1%262'])
  const stored = () => page.evaluate('JSON.stringify([...Object.values(sessionStorage), ...Object.values(localStorage)])')
  await expect.poll(stored).toContain('a-7261')
  expect(await stored()).not.toContain('hidden-7261')
  await page.reload()
  expect([await field('Value of header X-Trace').inputValue(), await field('Send header X-Trace').isChecked()]).toEqual([
    'a-7261',
    false,
  ])
  expect(await field('Value of header Authorization').inputValue()).toBe('')
  await dialog.getByRole('button', { name: 'Remove query debug' }).click()
  await expect.poll(() => dialog.locator('pre').first().innerText()).not.toContain('debug')
  expect(browserErrors).toEqual([])
})

test('of a single document has the title of the page, not the whole summary, and starts with the sample', async () => {
  const site = join(folder, 'single')
  await runBin(['build', 'openapi.json', '-o', site, '--quiet'], { cwd: folder })
  const served = await serveSite(site, '/')
  const page = await browser.newPage()
  onTestFinished(async () => {
    await page.close()
    served.server.closeAllConnections()
    served.server.close()
  })
  await page.goto(`${served.origin}/described/describe-a-thing/#try`)
  expect(await page.getByRole('dialog').locator('#play-title').innerText()).toBe('Describe a thing')
  await page.goto(`${served.origin}${box}`)
  const sample = await page.locator('[aria-label="Sample: curl"]').first().innerText()
  await page.getByRole('button', { name: 'Try it' }).click()
  const shown = page.getByRole('dialog').locator('.code pre').first()
  await expect.poll(() => shown.innerText()).toBe(sample)
  // Of what is required, only the credentials are missing.
  await page.goto(`${served.origin}/all/order-a-box/#try`)
  await expect.poll(() => page.evaluate('document.activeElement.labels?.[0]?.textContent')).toBe('token')
})

test('collapses most of 500 fields and finds them by name', async () => {
  const { page } = await openPage('/all/fill-in-many-fields/#try')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('field0', { exact: true }).waitFor()
  const more = dialog.getByText('499 more optional fields')
  await more.waitFor()
  // The output is rendered last.
  await dialog.locator('pre').first().waitFor()
  expect(await dialog.locator('.row').count()).toBeLessThan(10)
  await more.click()
  await dialog.getByText('Showing 40 of 499').waitFor()
  await dialog.getByLabel('Filter fields').fill('field49')
  await dialog.getByText('Showing 11 of 11').waitFor()
  await dialog.getByLabel('field499', { exact: true }).fill('last')
  await sampleOf(page, '"field499": "last"')
})

describe.each<[string, BrowserContextOptions]>([
  ['light', { colorScheme: 'light', viewport: { width: 1280, height: 900 } }],
  ['dark phone', { colorScheme: 'dark', viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }],
])('in %s', (name, options) => {
  test('has no axe violations, overflow or small targets, even when fully expanded', async () => {
    const { page, browserErrors } = await openPage(`${box}#try`, { ...options, reducedMotion: 'reduce' })
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    for (const button of [
      'Add item to tags',
      'Add item to labels',
      'Add item to labels',
      'Add extra',
      'Add key to extra',
      'Add inside',
    ])
      await dialog.getByRole('button', { name: button, exact: true }).click()
    await dialog.getByLabel('Type of shape').selectOption('Ball')
    await dialog.getByLabel('weight', { exact: true }).fill('x')
    await dialog.getByText('Expected a number, greater than 0. The value is sent anyway.').waitFor()
    await sampleOf(page, '"weight": "x"')
    if (shotFolder) await page.screenshot({ path: join(shotFolder, `playground-${name}.png`.replace(' ', '-')) })
    await page.evaluate(axe)
    await dialog.getByText('Custom headers and query').click()
    await dialog.getByRole('button', { name: 'Add header' }).click()
    if (shotFolder) await page.screenshot({ path: join(shotFolder, `custom-${name}.png`.replace(' ', '-')) })
    const violations =
      'axe.run("dialog.play").then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))'
    expect(await page.evaluate(violations)).toEqual([])
    expect(
      await page.evaluate('document.querySelector("dialog").scrollWidth - document.querySelector("dialog").clientWidth'),
    ).toBe(0)
    const small = `[...document.querySelectorAll('dialog :is(button, input, select, textarea, summary, label, a)')]
      .filter((one) => one.checkVisibility() && !(one.closest('label') && one.localName === 'input'))
      .map((one) => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
      .filter(([, { width, height }]) => width < 24 || height < 24).map(([html]) => html)`
    expect(await page.evaluate(small)).toEqual([])
    expect(browserErrors).toEqual([])
  })
})

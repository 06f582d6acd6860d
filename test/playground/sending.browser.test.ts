import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { browser, shareBrowser } from '../support/browser.ts'
import { serve } from '../support/serve.ts'
import { openDialog, reopenAuthorization } from './support/open-dialog.ts'

shareBrowser()

/** Serves an API with CORS for all origins, and records its requests. */
async function serveApi(): Promise<{ api: string; requested: IncomingMessage[] }> {
  const requested: IncomingMessage[] = []
  const api = await serve((request, response) => {
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*, authorization')
    response.setHeader('content-type', 'application/json')
    if (request.method !== 'OPTIONS') requested.push(request)
    response.end(JSON.stringify({ path: request.url }))
  })
  return { api, requested }
}

test("sends credentials only to the selected server, which the page's policy must allow", async () => {
  const { api, requested } = await serveApi()
  const other = await serveApi()
  const port = new URL(api).port
  const { page, site, answer, browserErrors } = await openDialog(browser, {
    servers: [
      {
        url: 'http://127.0.0.1:{port}/{version}',
        variables: { port: { default: port, enum: [port] }, version: { default: 'v1', description: 'Which `version`' } },
      },
      { url: other.api },
      { url: 'http://[::1]:9' },
    ],
    security: [{ token: [] }, { key: [], basic: [] }, {}],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'From `settings`' },
        key: { type: 'apiKey', in: 'query', name: 'key', 'x-default': 'shared-key' },
        basic: { type: 'http', scheme: 'basic' },
      },
    },
  })
  expect(site.files.get('pets/index.html')).toContain(
    `connect-src &#x27;self&#x27; ${[api, other.api].sort().join(' ')};`.replaceAll('&#x27;', "'"),
  )
  expect(site.files.get('_headers')).toContain(`connect-src 'self' ${[api, other.api].sort().join(' ')};`)
  await page.getByLabel('token').fill('secret-of-one')
  await page.getByLabel('version').fill('v2')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('"/v2/pets"').waitFor()
  expect(requested.map(({ url, headers }) => [url, headers.authorization])).toEqual([['/v2/pets', 'Bearer secret-of-one']])
  // A server with another origin starts without credentials.
  await page.getByRole('dialog').getByLabel('Server', { exact: true }).selectOption('1')
  expect(await page.getByLabel('token').inputValue()).toBe('')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => other.requested.length).toBe(1)
  expect(other.requested[0]?.headers.authorization).toBeUndefined()
  // A server that a policy cannot express is reported before sending.
  await page.getByRole('dialog').getByLabel('Server', { exact: true }).selectOption('2')
  expect(await page.getByText('is not one of them').innerText()).toContain('[::1]:9')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.poll(answer).toContain("This site's security policy blocks the server")
  // The first server still has its credentials. A combination shows the fields of all its schemes.
  await page.getByRole('dialog').getByLabel('Server', { exact: true }).selectOption('0')
  expect(await page.getByLabel('token').inputValue()).toBe('secret-of-one')
  await page.getByRole('combobox', { name: 'Authorization' }).selectOption('1')
  expect(await page.getByLabel('key').inputValue()).toBe('shared-key')
  await page.getByLabel('username').fill('ann')
  await page.getByLabel('password').fill('pä:ss')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => requested.length).toBe(2)
  expect(requested[1]?.url).toBe('/v2/pets?key=shared-key')
  expect(Buffer.from(requested[1]?.headers.authorization?.slice(6) ?? '', 'base64').toString()).toBe('ann:pä:ss')
  await reopenAuthorization(page)
  await page.getByRole('combobox', { name: 'Authorization' }).selectOption('2')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => requested.length).toBe(3)
  expect([requested[2]?.url, requested[2]?.headers.authorization]).toEqual(['/v2/pets', undefined])
  expect(browserErrors).toEqual([])
})

test.each([
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])('shows the answer or the failure after sending, without moving the focus: $width px', async (size) => {
  const { api } = await serveApi()
  const { page } = await openDialog(browser, {
    servers: [{ url: api }, { url: 'https://nothing.invalid' }],
    paths: {
      '/pets': {
        get: {
          summary: 'Pets',
          parameters: Array.from({ length: 12 }, (_, index) => ({ name: `p${index}`, in: 'query', schema: { type: 'string' } })),
          responses: { 200: { description: 'OK' } },
        },
      },
    },
  })
  await page.setViewportSize(size)
  const dialog = page.getByRole('dialog')
  const send = dialog.getByRole('button', { name: 'Send', exact: true })
  const bar = dialog.locator('.bar')
  const expectVisible = async (text: string) => {
    const box = await dialog.getByRole('region', { name: 'Response' }).getByText(text).first().boundingBox()
    const top = await bar.evaluate((one) => one.getBoundingClientRect().bottom)
    expect(box?.y).toBeGreaterThanOrEqual(top)
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(size.height / 2)
    expect(await send.evaluate((one) => one === document.activeElement)).toBe(true)
  }
  await send.focus()
  await page.keyboard.press('Enter')
  await dialog.getByText('"/pets"', { exact: true }).waitFor()
  await expectVisible('"/pets"')
  await dialog.evaluate((one) => {
    for (const part of [one, ...one.querySelectorAll('.out')]) part.scrollTop = 0
  })
  await dialog.getByLabel('Server', { exact: true }).selectOption('1')
  await send.focus()
  await page.keyboard.press('Enter')
  const failure = dialog.getByRole('region', { name: 'Response' }).getByRole('heading')
  await failure.waitFor()
  await expectVisible(await failure.innerText())
})

test('marks a response whose request has changed, with the sample and the response one click away', async () => {
  const { api } = await serveApi()
  const { page } = await openDialog(browser, { servers: [{ url: `${api}/{part}`, variables: { part: { default: 'one' } } }] })
  const dialog = page.getByRole('dialog')
  const part = dialog.getByLabel('part')
  const response = dialog.getByRole('region', { name: 'Response' })
  const sample = dialog.getByRole('group', { name: / sample$/ })
  const outdated = response.getByText('The form has changed since this request was sent.')
  await sample.waitFor()
  expect(await response.isVisible()).toBe(false)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await response.getByText('"/one/pets"', { exact: true }).waitFor()
  expect([await sample.isVisible(), await outdated.count()]).toEqual([false, 0])
  await part.fill('two')
  await outdated.waitFor()
  await part.fill('one')
  await outdated.waitFor({ state: 'detached' })
  await dialog.getByRole('radio', { name: 'Sample', exact: true }).check()
  await sample.getByText('/one/pets').waitFor()
  expect(await response.isVisible()).toBe(false)
  await dialog.getByRole('radio', { name: 'Response', exact: true }).check()
  await response.getByText('"/one/pets"', { exact: true }).waitFor()
  // The next request shows its response.
  await dialog.getByRole('radio', { name: 'Sample', exact: true }).check()
  await part.fill('two')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await response.getByText('"/two/pets"', { exact: true }).waitFor()
  expect(await outdated.count()).toBe(0)
})

test.each([
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])('shows the time of a pending request, and one button that stops it: $width px', async (size) => {
  const api = await serve((request) => void request.resume())
  const { page } = await openDialog(browser, { servers: [{ url: api }] })
  await page.setViewportSize(size)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  const stop = dialog.getByRole('button', { name: 'Stop', exact: true })
  const first = await stop.innerText()
  expect(first).toMatch(/^Stop\s*\d+\.\d s$/)
  await expect.poll(() => stop.innerText()).not.toBe(first)
  expect(await stop.count()).toBe(1)
  const { y = -1, height = 0 } = (await stop.boundingBox()) ?? {}
  expect(y).toBeGreaterThanOrEqual(0)
  expect(y + height).toBeLessThanOrEqual(size.height)
  await stop.click()
  await dialog.getByText('You stopped the request').waitFor()
  expect(await stop.count()).toBe(0)
})

test('shows problems only after sending, and keeps its lines together on wide and narrow screens', async () => {
  const { api } = await serveApi()
  const list = { type: 'array', minItems: 1, items: { type: 'object', properties: { name: { type: 'string' } } } }
  const schema = { type: 'object', required: ['name', 'pets'], properties: { name: { type: 'string' }, pets: list } }
  const content = { 'application/json': { schema } }
  const { page } = await openDialog(browser, {
    servers: [{ url: api }, { url: `${api}/${'v'.repeat(40)}` }],
    paths: {
      '/pets': {
        post: {
          requestBody: { required: true, content },
          responses: { 200: { description: 'OK' } },
        },
      },
    },
  })
  const dialog = page.getByRole('dialog')
  const boxOf = async (selector: string) => (await dialog.locator(selector).boundingBox()) ?? { x: -1, y: -1, height: -1 }
  expect(await dialog.locator('.err').count()).toBe(0)

  // The actions of a field do not cover what is below it.
  await dialog.getByLabel('name', { exact: true }).focus()
  const action = await dialog.getByRole('button', { name: 'Send an empty string: name' }).boundingBox()
  const next = await dialog.getByText('pets', { exact: true }).boundingBox()
  expect((action?.y ?? 0) + (action?.height ?? 0)).toBeLessThan(next?.y ?? 0)

  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByText('200 OK', { exact: true }).waitFor()
  expect((await dialog.locator('.err').allInnerTexts()).sort()).toEqual([
    'Expected a list, at least 1 item. The value is sent anyway.',
    'Missing name in the body',
    'The request was sent anyway:',
    'This field is required.',
  ])
  const [full, download] = [await boxOf('.widen'), await boxOf('.meta .btn:not(.icon)')]
  expect(download.y + download.height / 2).toBe(full.y + full.height / 2)

  await page.setViewportSize({ width: 390, height: 800 })
  await dialog.getByLabel('Server', { exact: true }).selectOption('1')
  const [server, path, method] = [await boxOf('.url .pick'), await boxOf('.url > span:last-child'), await boxOf('.urlbar > .m')]
  expect(path.x).toBe(server.x)
  expect(method.y + method.height).toBeLessThan(path.y)
  const title = dialog.locator('#play-title')
  await title.evaluate((one) => {
    one.textContent = 'List all the pets of every shop, and of every owner of a shop'
  })
  expect(await title.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true)
})

test('shows previous responses', async () => {
  const { api } = await serveApi()
  const { page } = await openDialog(browser, {
    servers: [{ url: `${api}/{part}`, variables: { part: { default: 'one' } } }],
  })
  const dialog = page.getByRole('dialog')
  const earlier = dialog.getByLabel('Previous responses')
  const response = dialog.getByRole('region', { name: 'Response' })
  const send = async (part: string) => {
    await dialog.getByLabel('part').fill(part)
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await response.getByText(`"/${part}/pets"`, { exact: true }).waitFor()
  }
  await send('one')
  expect(await earlier.count()).toBe(0)
  await send('two')
  await expect
    .poll(async () => (await earlier.locator('option').allInnerTexts()).map((text) => text.replace(/^.*(?= \d{3} )/, '')))
    .toEqual([' 200 /two/pets', ' 200 /one/pets'])
  await earlier.selectOption({ index: 1 })
  await response.getByText('"/one/pets"', { exact: true }).waitFor()
  await send('three')
  await expect.poll(() => earlier.locator('option').count()).toBe(3)
  expect(await earlier.inputValue()).toBe('0')
})

test('collapses the authorization to one line once it is filled in, and reveals tokens', async () => {
  const { api } = await serveApi()
  const { page } = await openDialog(browser, {
    servers: [{ url: api }],
    security: [{ token: [] }, { key: [] }, { otherKey: [] }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        otherKey: { type: 'apiKey', in: 'header', name: 'X-Other-Key' },
      },
    },
  })
  const dialog = page.getByRole('dialog')
  const line = dialog.locator('summary', { hasText: 'Authorization' })
  const token = dialog.getByLabel('token')
  expect(await dialog.getByRole('combobox', { name: 'Authorization' }).locator('option').allInnerTexts()).toEqual([
    'Bearer token',
    'API key in the header (key)',
    'API key in the header (otherKey)',
  ])
  expect(await line.innerText()).toMatch(/^Authorization\s+Bearer token$/)
  await token.fill('secret-of-one')
  const typeOf = () => token.evaluate((one: HTMLInputElement) => one.type)
  expect(await typeOf()).toBe('password')
  const reveal = dialog.getByRole('button', { name: 'Show token', exact: true })
  await reveal.press('Enter')
  expect([await typeOf(), await reveal.getAttribute('aria-pressed')]).toEqual(['text', 'true'])
  await reveal.press('Enter')
  expect(await typeOf()).toBe('password')
  // A field with the focus stays.
  await token.press('ControlOrMeta+Enter')
  await dialog.getByText('200 OK', { exact: true }).waitFor()
  expect(await token.isVisible()).toBe(true)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await token.waitFor({ state: 'hidden' })
  expect(await line.innerText()).toMatch(/^Authorization\s+Bearer token, filled in$/)
  await page.reload()
  await line.waitFor()
  expect(await token.isVisible()).toBe(false)
  await line.press('Enter')
  await token.fill('another')
  expect(await token.isVisible()).toBe(true)
})

test('explains the limits of browsers for each security scheme', async () => {
  const { page } = await openDialog(browser, {
    servers: [{ url: 'https://api.example.com' }],
    security: ['cookie', 'digest', 'mutual', 'nothing', 'password', 'implicit', 'device'].map((name) => ({ [name]: [] })),
    components: {
      securitySchemes: {
        cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
        digest: { type: 'http', scheme: 'digest' },
        mutual: { type: 'mutualTLS' },
        password: { type: 'oauth2', flows: { password: { tokenUrl: 'https://a.test/token', scopes: {} } } },
        implicit: { type: 'oauth2', flows: { implicit: { authorizationUrl: 'https://a.test/', scopes: {} } } },
        device: { type: 'oauth2', flows: { deviceAuthorization: { tokenUrl: 'https://a.test/', scopes: {} } } },
      },
    },
  })
  const noteOf = async (index: number) => {
    await page.getByRole('combobox', { name: 'Authorization' }).selectOption(String(index))
    return page.locator('details.sec', { hasText: 'Authorization' }).innerText()
  }
  await expect.poll(() => noteOf(0)).toContain('Browsers do not let a page set cookies for another server')
  await expect.poll(() => noteOf(1)).toContain('This page cannot compute the credentials')
  await expect.poll(() => noteOf(2)).toContain('This page cannot select it')
  await expect.poll(() => noteOf(3)).toContain('does not define nothing')
  await expect.poll(() => noteOf(4)).toContain('paste it below')
  await expect.poll(() => noteOf(5)).toContain('RFC 9700')
  await expect.poll(() => noteOf(6)).toContain('without a browser')
})

test('an https page explains that browsers block http, and sends nothing', async () => {
  const http = 'http://api.example.com'
  const { page, site } = await openDialog(browser, {
    servers: [{ url: `${http}/v1` }],
    security: [{ oauth: [] }],
    components: {
      securitySchemes: { oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: `${http}/token`, scopes: {} } } } },
    },
  })
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.route('https://docs.example.com/**', async (route) => {
    const answer = await fetch(site.address + new URL(route.request().url()).pathname)
    await route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: Buffer.from(await answer.arrayBuffer()),
    })
  })
  await page.goto('https://docs.example.com/pets/#try')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Copy a code sample and run it in a terminal.').waitFor()
  await dialog.getByLabel('client_id').fill('page')
  await dialog.getByRole('button', { name: 'Get a token' }).click()
  await dialog.getByText(/uses http, so browsers block the request\. Get a token another way/).waitFor()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByRole('heading', { name: 'Browsers block http requests from https pages' }).waitFor()
  // The page that was opened first may still load files of the site.
  expect(requested.filter((url) => ![site.address, 'https://docs.example.com/'].some((own) => url.startsWith(own)))).toEqual([])
})

import type { FileChooser, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { browser, shareBrowser } from '../support/browser.ts'
import { serve } from '../support/serve.ts'
import { openDialog } from './support/open-dialog.ts'

shareBrowser()

/** The accessible name of the focused element. */
const focused = `(() => {
  let at = document.activeElement
  if (!at?.closest('dialog')) return 'outside of the dialog: ' + at?.tagName
  at = at.shadowRoot?.activeElement ?? at
  return (at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? '').replace(/\\s+/g, ' ').trim()
})()`

/** Controls a page with the keyboard only. */
function byKeys(page: Page) {
  const where = () => page.evaluate(focused).then(String)
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  return {
    press,
    type: (text: string) => page.keyboard.type(text),
    /** Presses a key until the element with this name has the focus. */
    to: async (name: string, key = 'Tab') => {
      const passed: string[] = []
      for (let at = await where(); at !== name; at = await where()) {
        passed.push(at)
        if (passed.length > 80) throw new Error(`No way to ${name} by ${key}: ${passed.join(' > ')}`)
        await page.keyboard.press(key)
      }
    },
    /** Expects the focus on the element with this name. */
    isAt: (name: string) => expect.poll(where).toBe(name),
  }
}

test('works with the keyboard alone and never loses the focus', async () => {
  const requested: { readonly url: string; readonly token: string | undefined; readonly body: string }[] = []
  let isHeld = false
  const api = await serve(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*, authorization')
    if (request.method === 'OPTIONS') return void response.end()
    let body = ''
    for await (const chunk of request) body += String(chunk)
    requested.push({ url: request.url ?? '', token: request.headers.authorization, body })
    if (isHeld) return
    response.setHeader('content-type', 'application/json').end('{"pets": [{"name": "Minka"}, {"name": "Tom"}]}')
  })
  const schema = {
    type: 'object',
    properties: {
      tags: { type: 'array', items: { type: 'string' } },
      counts: { type: 'object', additionalProperties: { type: 'integer' } },
      owner: { type: 'object', properties: { mail: { type: 'string' } } },
      kind: {
        oneOf: [
          { title: 'Cat', type: 'object', properties: { lives: { type: 'integer' } } },
          { title: 'Dog', type: 'object', properties: { tricks: { type: 'integer' } } },
        ],
      },
    },
  }
  const picture = { type: 'object', properties: { picture: { type: 'string', format: 'binary' } } }
  const { page, browserErrors } = await openDialog(browser, {
    servers: [
      { url: 'https://elsewhere.example' },
      { url: `${api}/{version}`, variables: { version: { default: 'v1' }, part: { default: 'a', enum: ['a', 'b'] } } },
    ],
    security: [{ token: [] }],
    paths: {
      '/pets/{id}': {
        post: {
          summary: 'Keep a pet',
          responses: { 200: { description: 'OK' } },
          requestBody: {
            required: true,
            content: { 'application/json': { schema }, 'multipart/form-data': { schema: picture } },
          },
        },
      },
    },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  })
  await page.getByRole('group', { name: / sample$/ }).waitFor()
  // Close and open again.
  const { press, type, to, isAt } = byKeys(page)
  await press('Escape')
  await expect.poll(() => page.evaluate('document.activeElement.textContent.trim()')).toBe('Try it')
  await press('Enter')
  await isAt('token')
  await to('id')
  await type('7')

  // Server, server variables and token.
  await to('Server', 'Shift+Tab')
  await press('ArrowDown')
  await to('version')
  await press('ControlOrMeta+a')
  await type('v2')
  await to('part')
  await press('ArrowDown')
  await to('token')
  await type('secret')
  await to('Remember in this tab')
  await press('Space', 'Space')

  // A list: add, move and remove items.
  await to('Add item to tags')
  await press('Enter')
  await isAt('tags, item 1')
  await type('one')
  await to('Add item to tags')
  await press('Enter')
  await isAt('tags, item 2')
  await type('two')
  await to('Add item to tags')
  await press('Enter')
  await type('three')
  await to('Move tags, item 3 up')
  await press('Enter')
  await isAt('Move tags, item 2 up')
  await press('Enter')
  await isAt('tags, item 1')
  await to('Remove tags, item 3')
  await press('Enter')
  await isAt('Add item to tags')
  await to('Remove tags, item 1', 'Shift+Tab')
  await press('Enter')
  await isAt('Remove tags, item 1')
  await to('Do not send: tags')
  await press('Enter')
  await isAt('Add item to tags')
  await press('Enter')
  await type('last')

  // Custom keys.
  await to('Add counts')
  await press('Enter')
  await isAt('Add key to counts')
  await press('Enter')
  await isAt('Key in counts')
  await press('ControlOrMeta+a')
  await type('cats')
  await press('Tab')
  await type('3')
  await to('Add key to counts')
  await press('Enter')
  await isAt('Key in counts')
  await to('Remove key from counts')
  await press('Enter')
  await isAt('Add key to counts')

  // An object and a choice of schemas.
  await to('Add owner')
  await press('Enter')
  await isAt('owner, mail')
  await to('Do not send: owner')
  await press('Enter')
  await isAt('Add owner')
  await to('Type of kind')
  await press('ArrowDown', 'ArrowDown')
  await to('kind, tricks')
  await type('2')

  // Raw text and back.
  await to('Form', 'Shift+Tab')
  await press('ArrowRight')
  await isAt('Raw')
  // The editor is loaded on demand.
  await page.getByRole('textbox', { name: 'Body (application/json)' }).waitFor()
  await to('Body (application/json)')
  expect(JSON.parse(await page.getByRole('textbox', { name: 'Body (application/json)' }).innerText())).toEqual({
    tags: ['last'],
    counts: { cats: 3 },
    kind: { tricks: 2 },
  })
  await to('Raw', 'Shift+Tab')
  await press('ArrowLeft')
  await isAt('Form')

  // The sample language. Send, stop and send again.
  await to('curl')
  await press('ArrowRight')
  await isAt('JavaScript')
  await page.getByRole('group', { name: 'JavaScript sample' }).waitFor()
  isHeld = true
  await to('Send', 'Shift+Tab')
  await press('Enter')
  await isAt('Stop')
  await expect.poll(() => requested.length).toBe(1)
  await press('Enter')
  await isAt('Send')
  isHeld = false
  await press('ControlOrMeta+Enter')
  await page.getByText('200 OK', { exact: true }).waitFor()
  expect(requested.at(-1)).toEqual({
    url: '/v2/pets/7',
    token: 'Bearer secret',
    body: JSON.stringify({ tags: ['last'], counts: { cats: 3 }, kind: { tricks: 2 } }),
  })

  // The response: search, navigate and copy.
  await page.getByRole('tree').waitFor()
  await to('Search the response')
  await type('tom')
  await page.getByText(/^\d+ match(es)?$/).waitFor()
  await to('Response body')
  await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight')
  await to('Copy path')
  await press('Enter')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('$.pets[1].name')

  // A file. Listen for the file chooser early, because interception starts with a delay.
  const chosen = new Promise<FileChooser>((resolve) => void page.once('filechooser', resolve))
  await to('Body media type', 'Shift+Tab')
  await press('ArrowDown')
  await to('picture')
  await press('Enter')
  const chooser = await chosen
  await chooser.setFiles({ name: 'cat.txt', mimeType: 'text/plain', buffer: Buffer.from('a cat') })
  await to('Do not send: picture')
  await press('Enter')
  await isAt('picture')
  await to('Close')
  await press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.textContent.trim()')).toBe('Try it')
  expect(browserErrors).toEqual([])
})

test('reset hides the problems of the latest attempt', async () => {
  const { page } = await openDialog(browser, {
    servers: [{ url: 'https://api.example.com' }],
    paths: {
      '/pets/{id}': {
        get: {
          parameters: [{ name: 'at', in: 'query', required: true, schema: { type: 'string' } }],
          responses: { 200: { description: 'OK' } },
        },
      },
    },
  })
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.getByText('The request was not sent:').waitFor()
  await expect.poll(() => dialog.locator('[aria-invalid]').count()).toBeGreaterThan(0)
  await dialog.getByRole('button', { name: 'Reset' }).click()
  await dialog.getByText('The request was not sent:').waitFor({ state: 'detached' })
  await expect.poll(() => dialog.locator('[aria-invalid]').count()).toBe(0)
})

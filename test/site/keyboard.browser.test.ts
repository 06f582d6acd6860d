import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { serve } from '../support/serve.ts'
import { collectBrowserErrors, serveDocument } from './page/api/serve-site.ts'

// A reader without a mouse: key events only, from the address bar to a response and on to the next operation.
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const plantTree = {
  operationId: 'plantTree',
  security: [{ token: [] }],
  tags: ['Trees'],
  summary: 'Plant a tree',
  parameters: [{ name: 'orchard', in: 'path', required: true, schema: { type: 'string' } }],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['kind'],
          properties: {
            kind: { type: 'string', enum: ['apple', 'pear'] },
            age: { type: 'integer' },
            isOrganic: { type: 'boolean' },
          },
        },
      },
    },
  },
  responses: { 201: { description: 'Planted', content: { 'application/json': { schema: { type: 'object' } } } } },
}

/** A document with operations before and after the one that the reader looks for. */
const describeOrchard = (server: string) => ({
  openapi: '3.1.1',
  info: { title: 'Orchard', version: '1' },
  servers: [{ url: server }],
  paths: {
    '/trees': { get: { tags: ['Trees'], summary: 'List trees', responses: { 200: { description: 'OK' } } } },
    '/orchards/{orchard}/trees': { post: plantTree },
    '/orchards/{orchard}': {
      delete: { tags: ['Trees'], summary: 'Remove an orchard', responses: { 204: { description: 'Removed' } } },
    },
  },
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
})

/** What a sighted reader knows about the focus: the name of the element, and why they cannot see it. */
const readFocus = `(() => {
  const at = document.activeElement
  const name = (at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? '').replace(/\\s+/g, ' ').trim()
  if (at === document.body) return { name: '', fault: 'nothing has the focus' }
  const rings = [at, at.closest('label'), ...(at.labels ?? [])].filter(Boolean)
  const ring = rings.find((one) => getComputedStyle(one).outlineStyle !== 'none' && parseFloat(getComputedStyle(one).outlineWidth) >= 2)
  if (!ring) return { name, fault: 'no outline' }
  // The upper left part, because long elements can end below the window.
  const { left, top, width, height } = ring.getBoundingClientRect()
  const [x, y] = [left + Math.min(width / 2, 40), top + Math.min(height / 2, 20)]
  if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return { name, fault: 'outside of the window' }
  const seen = document.elementFromPoint(x, y)
  const isSeen = seen && (ring.contains(seen) || seen.contains(ring))
  return { name, fault: isSeen ? '' : 'covered by ' + seen?.outerHTML.slice(0, 120) }
})()`

interface Focus {
  readonly name: string
  /** Empty if the focus is visible. */
  readonly fault: string
}

/** Presses keys like a reader, and reports every place where the focus was not visible. */
function createReader(page: Page) {
  const faults: string[] = []
  const look = () => page.evaluate<Focus>(readFocus)
  const see = async () => {
    // Smooth scrolling and dialogs move the element for a moment.
    let focus = await look()
    for (let attempt = 0; focus.fault !== '' && attempt < 20; attempt++) {
      await page.waitForTimeout(50)
      focus = await look()
    }
    if (focus.fault !== '') faults.push(`${focus.name.slice(0, 60)}: ${focus.fault}`)
    return focus.name
  }
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key)
      await see()
    }
  }
  return {
    faults,
    press,
    type: (text: string) => page.keyboard.type(text),
    /** Presses Tab until the name of the focused element matches. */
    tabTo: async (name: RegExp, key = 'Tab') => {
      const passed: string[] = []
      while (passed.length < 60) {
        await page.keyboard.press(key)
        const at = await see()
        if (name.test(at)) return
        passed.push(at.slice(0, 40))
      }
      throw new Error(`No way to ${name} by ${key}: ${passed.join(' > ')}`)
    },
    isAt: async (name: RegExp) => {
      await expect.poll(async () => (await look()).name).toMatch(name)
      await see()
    },
  }
}

test.each([
  { colorScheme: 'light', width: 1440, height: 900 },
  { colorScheme: 'dark', width: 390, height: 800 },
] as const)(
  'keys alone find, send and read an operation, copy its sample and open the next one: $colorScheme, $width px',
  { timeout: 90_000 },
  async ({ colorScheme, ...viewport }) => {
    const sent: unknown[] = []
    const api = await serve(async (request, response) => {
      response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*, authorization')
      if (request.method === 'OPTIONS') return void response.end()
      let body = ''
      for await (const chunk of request) body += String(chunk)
      sent.push({ method: request.method, path: request.url, token: request.headers.authorization, body: JSON.parse(body) })
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"id": 7, "kind": "pear", "rows": [{"id": 3}]}')
    })
    const site = await serveDocument(describeOrchard(api))
    const context = await browser.newContext({ colorScheme, viewport, permissions: ['clipboard-read', 'clipboard-write'] })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const browserErrors = collectBrowserErrors(page)
    const { press, type, tabTo, isAt, faults } = createReader(page)
    await page.goto(site.address)

    // Find the operation.
    await page.keyboard.press('/')
    await page.getByRole('combobox', { name: /^Search/ }).waitFor()
    await type('plant')
    await page.locator('[role=option][aria-selected=true]', { hasText: 'Plant a tree' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Plant a tree', level: 1 }).waitFor()

    // Authorize, and look at the token.
    await tabTo(/^Try it/)
    await page.keyboard.press('Enter')
    await isAt(/^token/)
    await type('secret')
    await tabTo(/^Show token$/)
    await press('Space', 'Space')

    // Fill in and send.
    await tabTo(/^orchard/)
    await type('north')
    await tabTo(/^kind/)
    await press('ArrowDown', 'ArrowDown')
    await tabTo(/^age/)
    await type('3')
    // The response scrolls into view. The focus stays in the field, which can leave a small window.
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('201 Created', { exact: true }).waitFor()
    const body = { kind: 'pear', age: 3 }
    expect(sent).toEqual([{ method: 'POST', path: '/orchards/north/trees', token: 'Bearer secret', body }])

    // Read the response. Arrow keys move in its tree.
    await page.getByRole('tree').waitFor()
    await tabTo(/^Response body$/)
    await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight')
    await tabTo(/^Copy path$/)
    await press('Enter')
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('$.rows[0]')

    // Copy the sample of the sent request.
    await tabTo(/^Response$/, 'Shift+Tab')
    await press('ArrowLeft')
    await isAt(/^Sample$/)
    await tabTo(/^Copy sample$/)
    await press('Enter')
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl .*\/orchards\/north\/trees/s)

    // Back to the page, and on to the next operation.
    await press('Escape')
    await isAt(/^Try it$/)
    await tabTo(/^Next/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Remove an orchard', level: 1 }).waitFor()
    expect({ faults, browserErrors }).toEqual({ faults: [], browserErrors: [] })
  },
)

import type { Locator, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import type { Message } from '../../src/site/messages/messages.ts'
import { english, findMessages } from '../../src/site/messages/messages.ts'
import { collectBrowserErrors, serveSite } from '../site/page/api/serve-site.ts'
import { browser, shareBrowser } from '../support/browser.ts'
import { serve } from '../support/serve.ts'

// Every word of the documents starts with `zz`. All other words are texts of the interface.

shareBrowser()

/** Opens the page of an operation on a site in a language. Its API responds with the path of the request. */
async function openPage(language: string) {
  const api = await serve((request, response) => {
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*, authorization')
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ zzpath: request.url, zzmore: [1, 2] }))
  })
  const openapi = {
    openapi: '3.1.0',
    info: { title: 'Zz', version: '1' },
    servers: [{ url: api }, { url: 'http://{zzhost}:9', variables: { zzhost: { default: 'localhost' } } }],
    security: [{ zzbearer: [] }, { zzkey: [], zzcookie: [] }, { zzoauth: ['zz:read'] }],
    paths: {
      '/zz/{zzid}': {
        post: {
          summary: 'Zzsend',
          parameters: [
            { name: 'zzid', in: 'path', required: true, schema: { type: 'integer', minimum: 2 } },
            { name: 'zzlist', in: 'query', deprecated: true, schema: { type: 'array', items: { type: 'string' } } },
            { name: 'zzkind', in: 'query', schema: { enum: ['zza', 'zzb'], default: 'zza' } },
            { name: 'zzhead', in: 'header', schema: { type: ['string', 'null'], examples: ['zz'] } },
            { name: 'zzcook', in: 'cookie', schema: { type: 'string' } },
          ],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['zztext'],
                  properties: {
                    zztext: { type: 'string', minLength: 3 },
                    zzobject: { type: 'object', properties: { zzinner: {} } },
                    zzchoice: {
                      oneOf: [
                        { type: 'object', title: 'Zza' },
                        { type: 'array', title: 'Zzb' },
                      ],
                    },
                    ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`zz${index}`, { type: 'boolean' }])),
                  },
                },
              },
              'application/xml': { schema: { type: 'string' } },
            },
          },
          responses: { 200: { description: 'Zz', content: { 'application/json': { example: { zz: 1 } } } } },
        },
      },
    },
    components: {
      securitySchemes: {
        zzbearer: { type: 'http', scheme: 'bearer' },
        zzkey: { type: 'apiKey', in: 'query', name: 'zzkey' },
        zzcookie: { type: 'apiKey', in: 'cookie', name: 'zzcookie' },
        zzoauth: {
          type: 'oauth2',
          flows: { authorizationCode: { authorizationUrl: `${api}/a`, tokenUrl: `${api}/t`, scopes: { 'zz:read': 'Zz' } } },
        },
      },
    },
  }
  const site = await serveSite({
    'docs.json': JSON.stringify({
      name: 'Zz',
      navigation: { languages: [{ language, pages: ['zzpage'] }] },
      api: { openapi: 'openapi.json', examples: { prefill: false } },
    }),
    'zzpage.mdx': '---\ntitle: Zzpage\nopenapi: POST /zz/{zzid}\n---\n',
    'openapi.json': JSON.stringify(openapi),
  })
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const browserErrors = collectBrowserErrors(page)
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await page.goto(`${site.address}/zzpage/`)
  return {
    page,
    browserErrors,
    listMessageFiles: () => requested.filter((path) => /\/(?:messages|playground)-.*json$/.test(path)),
  }
}

/** The texts, labels and placeholders of the open dialogs, without code. */
async function readTexts(page: Page): Promise<string[]> {
  return page.locator('dialog[open]').evaluateAll((dialogs) =>
    dialogs.flatMap((dialog) =>
      [...dialog.querySelectorAll('*')].flatMap((one) => {
        const labels = ['aria-label', 'title', 'placeholder', 'alt'].flatMap((name) => one.getAttribute(name) ?? [])
        if (one.closest('pre, code, [role=treeitem]')) return labels
        const own = [...one.childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '') : []))
        return [...labels, ...own, one.matches('p, li, summary') ? one.textContent : '']
      }),
    ),
  )
}

const textOf = (message: Message) => (typeof message === 'string' ? message : message.other)

/** The English texts of scripts that a language has in other words, as patterns. */
function listEnglish(language: string): RegExp[] {
  const own = findMessages(language)
  const pairs = [
    ...Object.entries(english.client.search).map(([key, text]) => [
      text,
      Object.entries(own.client.search).find(([one]) => one === key)?.[1],
    ]),
    ...Object.entries(english.playground).map(([key, text]) => [
      text,
      Object.entries(own.playground).find(([one]) => one === key)?.[1],
    ]),
  ] as [Message, Message][]
  return pairs.flatMap(([text, other]) => {
    const words = textOf(text)
    // Units such as `{size} B`.
    if (words === textOf(other) || words.replace(/\{\w+\}/g, '').trim().length < 3) return []
    const literal = words.replaceAll('`', '').replace(/[.*+?^$()[\]\\|]/g, '\\$&')
    return new RegExp(`^${literal.replace(/\{\w+\}/g, '.+').replaceAll('{}', '\\{\\}')}$`)
  })
}

test.each([
  ['de', 'ltr'],
  ['ar', 'rtl'],
])('the search and the playground of a page in %s have no English texts', async (language, direction) => {
  const { page, browserErrors, listMessageFiles } = await openPage(language)
  const patterns = listEnglish(language)
  const found = new Set<string>()
  const look = async () => {
    for (const text of await readTexts(page)) if (patterns.some((pattern) => pattern.test(text.trim()))) found.add(text.trim())
  }
  // Nothing is loaded before a script shows a text.
  expect(listMessageFiles()).toEqual([])
  await page.keyboard.press('/')
  const search = page.locator('.search input')
  await search.waitFor()
  await look()
  await search.fill('zzpage')
  await page.locator('.hits [role=option]').first().waitFor()
  await look()
  await search.fill('qqqq')
  await expect.poll(() => page.locator('.search [role=status]').innerText()).toContain('qqqq')
  await look()
  await page.locator('.search form button').click()
  await page.locator('[data-open=playground]').click()
  const dialog = page.locator('dialog.play')
  await dialog.locator('.form[aria-busy=false]').waitFor()
  await dialog.locator('.out .tabs').first().waitFor()
  await openFolds(dialog)
  // The fields that load later.
  await dialog.locator('.items').first().waitFor()
  await look()
  const send = dialog.locator('.urlbar .primary')
  await send.click()
  await dialog.locator('.problems').first().waitFor()
  await look()
  await dialog.locator('[id="play-path zzid"], [id$="zzid"]').first().fill('1')
  await dialog.locator('[id="play-body.zztext"]').fill('z')
  // The values break limits.
  await expect.poll(() => dialog.locator('.form .err').count()).toBeGreaterThan(1)
  await look()
  // Each kind of credentials.
  const method = dialog.locator('.sec select').first()
  for (const index of ['1', '2', '0']) {
    await method.selectOption(index)
    await expect.poll(() => dialog.locator('.loading').count()).toBe(0)
    await look()
  }
  await dialog.locator('input[type=password]').first().fill('zzsecret')
  await send.click()
  await dialog.locator('[role=tree]').waitFor()
  const { client, playground } = findMessages(language)
  expect(await dialog.locator('[role=tree]').innerText()).toContain(`[ ${formOf(playground['{count} items'], language)} ]`)
  for (const part of await dialog.locator('.parts > fieldset label').all()) {
    await part.click()
    await expect.poll(() => dialog.locator('.loading').count()).toBe(0)
    await look()
  }
  // A server that does not respond.
  await dialog.locator('.urlbar select').selectOption('1')
  await send.click()
  await dialog.locator('.fail h3').waitFor()
  await openFolds(dialog)
  await look()
  expect([...found]).toEqual([])
  // Labels follow the language, values and code do not.
  const directionOf = (selector: string) =>
    dialog
      .locator(selector)
      .first()
      .evaluate((one) => getComputedStyle(one).direction)
  expect(await directionOf('.sec > summary')).toBe(direction)
  expect(await directionOf('[id="play-body.zztext"]')).toBe('ltr')
  expect(await directionOf('.url')).toBe('ltr')
  expect(listMessageFiles().map((path) => path.replace(/-\w{8,}\.json$/, ''))).toEqual([
    `/_assets/messages-${language}`,
    `/_assets/playground-${language}`,
  ])
  expect(client.page.copied).not.toBe('Copied')
  // The server that does not respond.
  expect(browserErrors.filter((error) => !/:9|UNSAFE_PORT/.test(error))).toEqual([])
})

test('a page in English requests no texts', async () => {
  const { page, listMessageFiles } = await openPage('en')
  await page.keyboard.press('/')
  await page.locator('.search input').waitFor()
  await page.locator('.search form button').click()
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByRole('dialog').locator('.form[aria-busy=false]').waitFor()
  expect(listMessageFiles()).toEqual([])
  // The patterns of the test above find English texts.
  const patterns = listEnglish('de')
  const found = (await readTexts(page)).filter((text) => patterns.some((pattern) => pattern.test(text.trim())))
  expect(new Set(found).size).toBeGreaterThan(20)
})

/** The text for two. */
function formOf(message: Message, language: string): string {
  const form = new Intl.PluralRules(language).select(2)
  const text = typeof message === 'string' ? message : (message[form] ?? message.other)
  return text.replace('{count}', '2')
}

async function openFolds(dialog: Locator): Promise<void> {
  await dialog.locator('details:is(.sec, .more-rows)').evaluateAll((folds: HTMLDetailsElement[]) => {
    for (const fold of folds) fold.open = true
  })
}

/** The edges of the letters of the first elements that a selector finds, and the right edges of their boxes. */
async function readEdges(page: Page, selector: string) {
  return page.locator(selector).evaluateAll((elements) =>
    elements
      .filter((one) => one.checkVisibility())
      .map((one) => {
        const range = document.createRange()
        range.selectNodeContents(one)
        const { left, right } = range.getBoundingClientRect()
        return { left, right, end: one.getBoundingClientRect().right }
      }),
  )
}

test('from right to left, names start at the right, and the request is one line of code', async () => {
  const { page } = await openPage('ar')
  const marks = await readEdges(page, '.side .mm')
  for (const { right, end } of marks) expect(end - right).toBeLessThan(1)
  await page.locator('[data-open=playground]').click()
  await page.locator('dialog .form[aria-busy=false]').waitFor()
  const names = await readEdges(page, 'dialog .row > .p-name')
  expect(marks.length * names.length).toBeGreaterThan(0)
  for (const { right, end } of names) expect(end - right).toBeLessThan(1)
  const [method, url, button] = await Promise.all(
    ['.urlbar > .m', '.urlbar > .url', '.urlbar > .primary'].map(async (part) => (await readEdges(page, part))[0]?.left ?? 0),
  )
  expect([method, url, button]).toEqual([method, url, button].toSorted((a = 0, b = 0) => a - b))
})

test('screen readers hear in the dialog that a sample was copied', async () => {
  const { page } = await openPage('en')
  await page.evaluate(() => Object.assign(navigator.clipboard, { writeText: async () => {} }))
  await page.locator('[data-open=playground]').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Copy sample' }).click()
  await expect.poll(() => page.getByRole('dialog').locator('[role=status].said').innerText()).toBe('Copied')
})

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../app/support/browser.ts'
import { serve } from '../support/serve.ts'
import { openDialog } from './support/open-dialog.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const hostile = [
  '"><img src=x onerror="window.hacked=1">',
  "'; window.hacked=1; //",
  '`window.hacked=1`',
  '\u202e\u0000\r\nX-Evil: 1',
  '{{7*7}}',
  '__proto__',
]
const secrets = { token: 'bearer-of-ann-7261', key: 'key-of-ann-7261', password: 'password-of-ann-7261' }
const basic = Buffer.from(`ann:${secrets.password}`).toString('base64')
const wanted = [...Object.values(secrets), basic, basic.replaceAll('=', '')]

const has = (text: string) => wanted.some((secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)))

test('credentials go to the chosen server and are nowhere else: no storage, address, log or other host', {
  timeout: 120_000,
}, async () => {
  const asked: string[] = []
  const answerAll = (origin: string) =>
    serve((request, response) => {
      asked.push(`${origin} ${request.method} ${request.url} ${JSON.stringify(request.headers)}`)
      response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*, authorization')
      response.setHeader('content-type', 'text/html').end(hostile.join('\n'))
    })
  const api = await answerAll('api')
  const other = await answerAll('other')
  const { page, site, complaints } = await openDialog(browser, {
    servers: [{ url: `${api}/{version}`, variables: { version: { default: 'v1' } } }, { url: other }],
    security: [{ token: [], key: [] }, { basic: [] }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        basic: { type: 'http', scheme: 'basic' },
      },
    },
  })
  const context = page.context()
  const logs: string[] = []
  const requests: { readonly url: string; readonly text: string }[] = []
  const addresses: string[] = []
  page.on('console', (message) => logs.push(message.text()))
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  context.on('request', (request) =>
    requests.push({
      url: request.url(),
      text: `${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`,
    }),
  )
  const dialog = page.getByRole('dialog')
  const stored = () =>
    page.evaluate(async () => ({
      local: JSON.stringify(localStorage),
      session: JSON.stringify(sessionStorage),
      rest: `${document.cookie} ${location.href} ${JSON.stringify(history.state)} ${(await indexedDB.databases()).length} ${(await caches.keys()).length} ${name}`,
    }))
  const send = async () => {
    const { length } = asked
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => asked.length).toBeGreaterThan(length)
    await page.getByText('200 OK', { exact: true }).waitFor()
  }
  const authorization = page.getByRole('combobox', { name: 'Authorization' })

  await page.getByLabel('token').fill(secrets.token)
  await page.getByLabel('X-Key').fill(secrets.key)
  await send()
  await authorization.selectOption('1')
  await page.getByLabel('username').fill('ann')
  await page.getByLabel('password').fill(secrets.password)
  await send()
  expect(asked.filter(has).map((line) => line.split(' ', 3).join(' '))).toEqual(['api GET /v1/pets', 'api GET /v1/pets'])
  // The other server, and hostile texts in every field.
  await dialog.getByLabel('Server', { exact: true }).selectOption('1')
  for (const text of hostile) {
    await authorization.selectOption('0')
    for (const label of ['token', 'X-Key']) await page.getByLabel(label).fill(text)
    await page.getByRole('button', { name: 'Send' }).click()
    await authorization.selectOption('1')
    for (const label of ['username', 'password']) await page.getByLabel(label).fill(text)
    await page.getByRole('button', { name: 'Send' }).click()
  }
  await dialog.getByLabel('Server', { exact: true }).selectOption('0')
  for (const text of hostile) {
    await page.getByLabel('version').fill(text)
    await page.getByRole('button', { name: 'Send' }).click()
  }
  await page.getByLabel('version').fill('v1')
  await send()
  // What was typed is remembered for the tab after a moment; credentials are not.
  await page.waitForTimeout(500)
  const { local, session, rest } = await stored()
  expect([has(local), has(session), has(rest)]).toEqual([false, false, false])

  // The reader's own choice: this tab, this server, and only as long as it is made.
  await page.getByLabel('Keep for this tab').check()
  expect(has((await stored()).session)).toBe(true)
  expect(has((await stored()).local)).toBe(false)
  await page.reload()
  await page.getByRole('dialog').waitFor()
  await authorization.selectOption('1')
  expect(await page.getByLabel('password').inputValue()).toBe(secrets.password)
  await dialog.getByLabel('Server', { exact: true }).selectOption('1')
  expect(await page.getByLabel('password').inputValue()).toBe('')
  await dialog.getByLabel('Server', { exact: true }).selectOption('0')
  await page.getByLabel('Keep for this tab').uncheck()
  expect(has((await stored()).session)).toBe(false)

  const elsewhere = requests.filter(({ text, url }) => has(text) && !url.startsWith(`${api}/`))
  expect(elsewhere).toEqual([])
  const hosts = [...new Set(requests.filter(({ url }) => !/^(?:blob|data):/.test(url)).map(({ url }) => new URL(url).origin))]
  expect(hosts.sort()).toEqual([api, other, site.address].sort())
  expect(logs.filter(has)).toEqual([])
  expect([...addresses, page.url()].filter(has)).toEqual([])
  expect(asked.filter((line) => /"x-evil":/i.test(line))).toEqual([])
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  expect(complaints.filter((line) => /policy|csp|violat/i.test(line))).toEqual([])
})

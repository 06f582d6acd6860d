import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { collectBrowserErrors } from '../../site/page/api/serve-site.ts'
import { browser, shareBrowser } from '../../support/browser.ts'
import { serve } from '../../support/serve.ts'
import { serveParts } from '../support/serve-parts.ts'

shareBrowser()

const script = `
import { render } from 'preact'
import { ResponseView } from './src/playground/answer/response-view.tsx'
import { sendRequest } from './src/playground/send/send-request.ts'
let controller
window.abortRequest = () => controller.abort()
window.send = (url, options = {}) => {
  controller = new AbortController()
  const { withCookies = false, hasCredentials = false, ...request } = options
  const onChange = (sent) => render(<div class="out"><ResponseView sent={sent} isOutdated={false} onSend={() => window.sendAgain()} /></div>, document.getElementById('root'))
  window.sendAgain = () => window.send(url, options)
  return sendRequest({ request: { method: 'GET', url, headers: [], body: undefined, ...request }, withCookies, hasCredentials, signal: controller.signal, onChange })
}
`

type Answers = Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>

interface Opened {
  readonly page: Page
  readonly api: string
  readonly browserErrors: string[]
  /** Sends a request from the page and waits for its end. */
  readonly send: (path: string, options?: Record<string, unknown>) => Promise<void>
  readonly text: () => Promise<string>
}

async function open(answers: Answers, more: readonly string[] = []): Promise<Opened> {
  const api = await serve((request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    response.setHeader('access-control-expose-headers', '*')
    if (request.method === 'OPTIONS') response.end()
    else answers[new URL(request.url ?? '/', 'http://localhost').pathname]?.(request, response)
  })
  const address = await serveParts(script, [api, ...more])
  const context = await browser.newContext({
    viewport: { width: 700, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const browserErrors = collectBrowserErrors(page)
  await page.goto(address)
  const send = (path: string, options: Record<string, unknown> = {}) =>
    page.evaluate(([url, sent]) => (window as unknown as { send: (...all: unknown[]) => Promise<void> }).send(url, sent), [
      path.startsWith('http') ? path : api + path,
      options,
    ] as const)
  const text = async () => {
    await page.locator('.res .loading').waitFor({ state: 'detached' })
    return page.locator('.res').innerText()
  }
  return { page, api, browserErrors, send, text }
}

const respond =
  (type: string, body: string | Buffer, status = 200) =>
  (_request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': type }).end(body)

test('shows JSON as a tree with all digits, keyboard navigation, search and copying', async () => {
  const body = '{"id": 12345678901234567890, "items": [{"name": "Ann <b>"}, {"name": "Bob"}], "none": null}'
  const { page, send, text, browserErrors } = await open({ '/': respond('application/json', body, 201) })
  await send('/')
  expect(await text()).toMatch(/201 Created[\s\S]*91 B/)
  expect(await page.getByRole('status').first().innerText()).toMatch(/^Response 201 Created, .*, 91 B$/)
  const tree = page.getByRole('tree')
  expect(await tree.innerText()).toContain('"id": 12345678901234567890')
  await tree.focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
  expect(await tree.getByRole('treeitem', { selected: true }).innerText()).toBe('"name": "Ann <b>"')
  await page.getByRole('button', { name: 'Copy path' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('$.items[0].name')
  await page.getByRole('button', { name: 'Copy value' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Ann <b>')
  await page.getByRole('searchbox').fill('bob')
  await expect
    .poll(() => tree.getByRole('treeitem').allInnerTexts())
    .toEqual(['{ 3 keys }', '"items": [ 2 items ]', '1: { 1 key }', '"name": "Bob"'])
  await page.getByRole('radio', { name: 'Raw' }).check({ force: true })
  expect(await page.locator('pre').innerText()).toBe(body)
  await page.getByRole('radio', { name: 'Headers' }).check({ force: true })
  expect(await text()).toContain('application/json')
  expect(browserErrors).toEqual([])
})

test('shows the beginning of 50 MB without freezing and downloads all of it', async () => {
  const body = JSON.stringify(Array.from({ length: 50_000 }, (_, index) => ({ index, text: 'x'.repeat(980) })))
  const middle = body.length / 2
  let finish = () => {}
  const { page, send, text } = await open({
    '/': (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write(body.slice(0, middle))
      finish = () => void response.end(body.slice(middle))
    },
  })
  const sending = send('/')
  // The reader can use the page between the two halves of the response.
  await page.getByRole('radio', { name: 'Headers' }).check({ force: true })
  await expect.poll(() => page.locator('.res').innerText()).toContain('application/json')
  await page.getByRole('radio', { name: 'Raw' }).check({ force: true })
  finish()
  await sending
  expect(await text()).toMatch(/Only the beginning is shown\. Download the response to see all 5\d\.\d MB\./)
  // More text would freeze the page.
  expect((await page.locator('pre').textContent())?.length).toBeLessThanOrEqual(200_000)
  expect(await page.getByRole('radio', { name: 'Tree' }).count()).toBe(0)
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()])
  expect(file.suggestedFilename()).toBe('response.json')
  const chunks: Buffer[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(chunk)
  expect(Buffer.concat(chunks).toString()).toBe(body)
})

test('formats 10 MB of JSON, wraps its lines, and searches in it', async () => {
  const items = Array.from({ length: 10_000 }, (_, index) => `{"index":${index},"text":"${'long '.repeat(200)}"}`)
  items[9_000] = '{"index":12345678901234567890,"name":"Needle","name":"needle"}'
  const body = `[${items.join(',')}]`
  expect(body.length).toBeGreaterThan(10_000_000)
  const { page, send, browserErrors } = await open({ '/': respond('application/json', body) })
  await send('/')
  const lines = page.getByRole('textbox', { name: 'Response as text' })
  await lines.getByText('"index": 0,').waitFor()
  // Only the visible lines are rendered.
  expect((await lines.innerText()).length).toBeLessThan(200_000)
  const isScrolling = () => page.locator('.cm-scroller').evaluate((one) => one.scrollWidth > one.clientWidth)
  expect(await isScrolling()).toBe(false)
  await page.getByLabel('Wrap lines').uncheck()
  await expect.poll(isScrolling).toBe(true)
  const search = page.getByRole('searchbox', { name: 'Search the response' })
  await search.fill('needle')
  const count = page.getByRole('status').filter({ hasText: / of / })
  await expect.poll(() => count.innerText()).toBe('1 of 2')
  await lines.getByText('12345678901234567890').waitFor()
  const current = page.locator('.current')
  await expect.poll(() => current.innerText()).toBe('Needle')
  await search.press('Enter')
  await expect.poll(() => current.innerText()).toBe('needle')
  await page.getByRole('button', { name: 'Next match' }).click()
  await expect.poll(() => current.innerText()).toBe('Needle')
  await page.getByRole('button', { name: 'Previous match' }).click()
  await expect.poll(() => count.innerText()).toBe('2 of 2')
  await search.fill('long')
  await expect.poll(() => count.innerText()).toBe('1 of 10,000+')
  await search.fill('absent')
  await page.getByText('No matches').waitFor()
  await page.getByRole('radio', { name: 'Raw' }).check({ force: true })
  await lines.getByText('[{"index":0,').waitFor()
  expect(browserErrors).toEqual([])
})

test('shows events and lines as they arrive until the reader stops', async () => {
  let finish = () => {}
  const { page, send, text } = await open({
    '/events': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('event: greeting\nid: 7\ndata: {"a":1}\n\ndata: two\ndata: lines\n\n')
      finish = () => void response.end()
    },
    '/lines': (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.write('{"n":1}\n{"n":')
      finish = () => void response.end('2}')
    },
  })
  const sending = send('/events')
  await page.getByText('2 events').waitFor()
  expect(await text()).toMatch(/1 greeting #7 [\d.]+ m?s \{"a":1\}[\s\S]*2 [\d.]+ m?s two\s+lines/)
  await page.evaluate('abortRequest()')
  await sending
  expect(await text()).toMatch(/You stopped the request after .*\. The server may have received the request\.[\s\S]*2 events/)
  finish()
  const lines = send('/lines')
  await page.getByText('1 line').waitFor()
  finish()
  await lines
  expect(await text()).toMatch(/2 lines[\s\S]*\{"n":1\}[\s\S]*\{"n":2\}/)
})

// An image of 1 × 1 pixels.
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const attack =
  '<html xmlns="http://www.w3.org/1999/xhtml"><script>window.hacked=1;parent.hacked=1</script><img src="x" onerror="window.hacked=1"/></html>'

const hostileTypes = [
  'text/html',
  'application/xhtml+xml',
  'image/svg+xml',
  'text/xml',
  'application/json',
  'text/javascript',
  'application/javascript',
  'text/css',
  'text/plain',
  'text/event-stream',
  'application/x-ndjson',
  'image/png',
  'application/pdf',
  'application/octet-stream',
  'multipart/form-data; boundary=x',
  'text/html; charset="><script>',
  'video/mp4',
  '',
  'nonsense',
]

test('an untrusted response of any type cannot run scripts, load resources or escape its area', async () => {
  const { page, api, send, text, browserErrors } = await open({
    '/': ({ url = '' }, response) => {
      const type = hostileTypes[Number(url.slice(2))] ?? ''
      response.setHeader('x-note', '<img src=x onerror="window.hacked=1">')
      if (type) response.setHeader('content-type', type)
      const json = JSON.stringify({ [attack]: attack })
      response.end(type === 'text/event-stream' ? `event: <b>\ndata: ${attack}\n\n` : type === 'application/json' ? json : attack)
    },
  })
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  for (const index of hostileTypes.keys()) {
    await send(`/?${index}`)
    // Wait until the viewer is loaded.
    await text()
    const parts = await page.getByRole('radio').all()
    expect(parts.length).toBeGreaterThan(1)
    for (const part of parts) {
      await part.check({ force: true })
      await text()
      const foreign = await page.evaluate(
        () => document.querySelectorAll('.res .parts :is(script, svg, iframe, object, embed, html)').length,
      )
      expect([hostileTypes[index], foreign]).toEqual([hostileTypes[index], 0])
    }
  }
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  expect(requested.filter((url) => !url.startsWith('blob:'))).toEqual([...hostileTypes.keys()].map((index) => `${api}/?${index}`))
  expect(browserErrors).toEqual([])
})

/** One second of silence: 8,000 samples of 8 bits. */
const wav = (() => {
  const head = Buffer.alloc(44, 'RIFF    WAVEfmt ')
  head.writeUInt32LE(8036, 4)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(8000, 40)
  return Buffer.concat([head, Buffer.alloc(8000, 128)])
})()

/** A valid document with one page. */
const pdf = (() => {
  const content = 'BT /F1 28 Tf 40 150 Td (Parcel label) Tj ET'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 6\n0000000000 65535 f \n${offsets.join('')}`
  return `${text}${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
})()

test('shows images, audio, PDF and bytes from memory, with times and sizes', async () => {
  const { page, send, text, browserErrors } = await open({
    '/': respond('image/png', png),
    '/pdf': respond('application/pdf', pdf),
    '/zip': respond('application/zip', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(300)])),
    '/sound': respond('audio/wav', wav),
    '/none': (_request, response) => void response.writeHead(204).end(),
    '/same': ({ headers }, response) => void response.writeHead(headers['if-none-match'] ? 304 : 200).end(),
    '/xml': respond('application/xml', '<a>1</a>'),
  })
  await send('/')
  await page.getByText('1 × 1 pixels').waitFor()
  expect(await page.locator('img').getAttribute('src')).toMatch(/^blob:/)
  const setViewer = (isEnabled: boolean) =>
    page.evaluate((value) => Object.defineProperty(navigator, 'pdfViewerEnabled', { value, configurable: true }), isEnabled)
  await setViewer(true)
  await send('/pdf')
  expect(await text()).toContain(`PDF document, ${pdf.length} B.`)
  const link = page.getByRole('link', { name: 'Open in a new tab' })
  expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([expect.stringMatching(/^blob:/), 'noopener'])
  await setViewer(false)
  await send('/pdf')
  await page.getByText('This browser cannot display PDF files. Download it to open it.').waitFor()
  expect(await link.count()).toBe(0)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('pdf.pdf')
  expect(readFileSync(await (await download).path(), 'utf8')).toBe(pdf)
  await send('/zip')
  expect(await text()).toContain('Cannot display application/zip (304 B). Download the response to open it.')
  await page.getByText('0000  50 4b 03 04 00').waitFor()
  await send('/sound')
  await page.getByLabel('Response', { exact: true }).and(page.locator('audio')).waitFor()
  const duration = () => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.duration || audio.error?.message)
  await expect.poll(duration).toBe(1)
  await send('/none')
  expect(await text()).toMatch(/204 No Content[\s\S]*The response has no body\./)
  await send('/same', { headers: [{ name: 'If-None-Match', value: '"1"' }] })
  expect(await text()).toMatch(/304 Not Modified[\s\S]*The response has no body\./)
  await send('/xml', { method: 'HEAD' })
  expect(await text()).toMatch(/200 OK[\s\S]*The response has no body\./)
  await send('/xml', { method: 'POST', body: { kind: 'text', mediaType: 'text/plain', text: 'für' } })
  expect(await page.locator('pre').innerText()).toBe('<a>1</a>')
  await page.getByRole('radio', { name: 'Timing' }).check({ force: true })
  expect(await text()).toMatch(/Until the headers\s+[\d.]+ m?s[\s\S]*Request body\s+4 B\s+Response body\s+8 B/)
  expect(browserErrors).toEqual([])
})

test('sends no cookies or referrer, bypasses the cache and follows no redirect with credentials', async () => {
  const seen: IncomingMessage['headers'][] = []
  const elsewhere: string[] = []
  const other = await serve((request, response) => {
    elsewhere.push(request.url ?? '')
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*').end('there')
  })
  const { send, text } = await open(
    {
      '/': (request, response) => {
        seen.push(request.headers)
        response.setHeader('set-cookie', 'a=1; Path=/').end('x')
      },
      '/away': (_request, response) => void response.writeHead(302, { location: `${other}/end` }).end(),
    },
    [other],
  )
  await send('/')
  await send('/')
  expect(seen.map(({ cookie, referer }) => [cookie, referer])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ])
  await send('/away')
  expect(await text()).toMatch(/Redirected to http.*\/end/)
  expect(elsewhere).toEqual(['/end'])
  await send('/away', { hasCredentials: true, headers: [{ name: 'x-api-key', value: 'secret' }] })
  expect(await text()).toContain('The server responded with a redirect')
  expect(elsewhere).toEqual(['/end'])
})

test('explains why there is no response and what to do', async () => {
  const asked: string[] = []
  const hidden = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end('secret')
  })
  // A port without a server.
  const gone = await new Promise<string>((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`))
    })
  })
  const foreign = await serve((_request, response) => void response.end())
  let breakOff = () => {}
  const { page, send, text } = await open(
    {
      '/broken': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' })
        response.write('the beginning')
        breakOff = () => void response.destroy()
      },
    },
    [hidden, gone],
  )
  await send(hidden)
  // One explanation, then buttons.
  expect(await text()).toMatch(
    /The browser blocked the response[\s\S]*does not allow requests from 127[\s\S]*The server may have received the request/,
  )
  expect(await page.locator('.fail > p').count()).toBe(1)
  expect(await page.locator('.fail .choices button').allInnerTexts()).toEqual(['Copy as curl', 'Try again', 'Check connection'])
  await page.getByText('If you own the API').click()
  expect(await text()).toMatch(/Add this header to every response\.[\s\S]*access-control-allow-origin: http:\/\/127/)
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`curl ${hidden}`)
  // The page finds out whether the server is reachable only if the reader asks for it.
  expect(asked).toEqual(['GET /'])
  const check = page.getByRole('button', { name: 'Check connection' })
  await check.press('Enter')
  await page.getByText('is reachable, so it does not allow this page').waitFor()
  expect(asked).toEqual(['GET /', 'HEAD /'])
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => asked).toEqual(['GET /', 'HEAD /', 'GET /'])
  await send(gone)
  await check.click()
  await page.getByText('The hostname may be wrong').waitFor()
  await send(foreign)
  expect(await text()).toContain("This site's security policy blocks the server")
  const broken = send('/broken')
  await page.getByText('the beginning').waitFor()
  breakOff()
  await broken
  expect(await text()).toMatch(/The connection was lost[\s\S]*the beginning/)
  await send('/broken', { method: 'TRACE' })
  expect(await text()).toMatch(/The browser refused to send this request[\s\S]*TRACE/)
  await send('/broken', { body: { kind: 'text', mediaType: 'text/plain', text: 'body' } })
  expect(await text()).toContain('or a body with GET or HEAD')
  await page.context().setOffline(true)
  await send(gone)
  expect(await text()).toContain('This device is offline')
})

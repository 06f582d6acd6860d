import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createScreenshotTaker } from '../../../src/app/publish/screenshot-taker.ts'
import { toOwnPath } from '../../../src/files/boundary.ts'
import { chromiumPath, testBrowserPath } from '../../support/browser.ts'

const place = { kind: 'found', path: chromiumPath, isSandboxed: false } as const
/** The same on a browser that needs less CPU time, for what does not depend on the browser. */
const quickPlace = { ...place, path: testBrowserPath } as const
const folder = mkdtempSync(join(tmpdir(), 'screenshot-taker-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
const url = 'http://site.invalid/'
const never = new AbortController().signal

/** Requests that reached the network. */
const asked: string[] = []
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  response.end('x')
})
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())))

// Long enough for slow machines. A test below covers the timeout.
const taker = createScreenshotTaker(place, 25_000, toOwnPath(folder))
const quickTaker = createScreenshotTaker(quickPlace, 25_000, toOwnPath(folder))
afterAll(() => Promise.all([taker.stop(), quickTaker.stop()]))

const show = (html: string) => ({
  url,
  answer: async (address: string) =>
    address === url ? { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from(html) } : undefined,
})

test('untrusted pages cannot run scripts or reach the network', async () => {
  const plain = await taker.take(show('<body>One'), never)
  const { port } = server.address() as AddressInfo
  const away = `http://127.0.0.1:${port}`
  const hostile = `<head><link rel=prefetch href="${away}/prefetch"><link rel=preconnect href="${away}"><link rel=stylesheet href="${away}/style">
    <script>document.write('Two'); fetch('${away}/fetch')</script><script src="${away}/script"></script></head>
    <body onload="location='${away}/onload'">One<img hidden src="${away}/img" onerror="document.body.append('Three')">
    <iframe hidden src="${away}/frame"></iframe><object hidden data="${away}/object"></object><video hidden src="${away}/video"></video>`
  const pictures = await taker.take(show(hostile), never)
  expect(asked).toEqual([])
  expect(pictures.light.equals(plain.light)).toBe(true)
  expect(pictures.light.equals(pictures.dark)).toBe(true)
})

test('untrusted pages cannot navigate to other sites', async () => {
  const { port } = server.address() as AddressInfo
  await taker
    .take(show(`<meta http-equiv=refresh content="0;url=http://127.0.0.1:${port}/refresh">`), never)
    .catch(() => undefined)
  expect(asked).toEqual([])
})

test('times out for a page that never loads, and works for the next one', async () => {
  const short = createScreenshotTaker(quickPlace, 6_000, toOwnPath(folder))
  await short.take(show('<body>One'), never)
  const hanging = { url, answer: () => new Promise<undefined>(() => undefined) }
  await expect(short.take(hanging, never)).rejects.toThrow(/Timeout|longer than 6 s/)
  expect((await short.take(show('<body>One'), never)).light.length).toBeGreaterThan(1_000)
  await short.stop()
  await expect(short.take(show('<body>One'), never)).rejects.toThrow()
})

test('stops waiting when its signal aborts', async () => {
  const given = new AbortController()
  const taken = quickTaker.take({ url, answer: () => new Promise<undefined>(() => undefined) }, given.signal)
  setTimeout(() => given.abort(new Error('The lease was lost')), 200)
  await expect(taken).rejects.toThrow('The lease was lost')
})

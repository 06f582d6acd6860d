import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findBrowser } from '../scripts/browser.ts'
import { findSiteFile } from '../test/support/serve-site.ts'
import { median } from './measure.ts'

/** Measurements of one visit of a page. */
interface Visit {
  /** Largest contentful paint. */
  readonly lcpMs: number
  /** Total Blocking Time: the time of long tasks beyond 50 ms each. */
  readonly tbtMs: number
  /** Sum of all layout shifts. */
  readonly cls: number
  /** Transferred bytes, including headers. */
  readonly transferKb: number
  /** Elements of the loaded page. */
  readonly elements: number
}

/** A page of a built site. */
export interface VisitedPage {
  readonly folder: string
  /** Starts with `/`. */
  readonly path: string
}

export const viewports = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const

/** A slow phone on a good mobile network: CPU × 4, 10 Mbit/s, 40 ms. */
const throttle = { cpu: 4, bytesPerSecond: 10e6 / 8, latencyMs: 40 }

/** Starts the browser of the benchmarks. It reaches only this machine. */
async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await findBrowser(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  })
}

/**
 * Visits each page `visits` times in turn with an empty cache, so that a change of the machine's load affects all of them. Returns medians in
 * the order of the pages. Layout shifts are the largest.
 */
export async function visitPages(
  pages: readonly VisitedPage[],
  { visits, viewport }: { readonly visits: number; readonly viewport: keyof typeof viewports },
): Promise<Visit[]> {
  const browser = await launchBrowser()
  const served = await Promise.all(pages.map(async (page) => ({ ...page, ...(await serve(page.folder)) })))
  const measured = pages.map((): Visit[] => [])
  try {
    for (let visit = 0; visit <= visits; visit++) {
      for (const [index, { origin, path }] of served.entries()) {
        const result = await visitPage(browser, origin + path, viewport)
        // The first visit is a warm-up: files get compressed and the browser starts.
        if (visit > 0) measured[index]?.push(result)
      }
    }
  } finally {
    await browser.close()
    for (const { server } of served) {
      server.closeAllConnections()
      server.close()
    }
  }
  return measured.map((list) => {
    const all = (field: keyof Visit) => list.map((visit) => visit[field])
    return {
      lcpMs: median(all('lcpMs')),
      tbtMs: median(all('tbtMs')),
      cls: Math.max(...all('cls')),
      transferKb: median(all('transferKb')),
      elements: median(all('elements')),
    }
  })
}

/** Runs before the scripts of the page. Counts long tasks after the first paint, like Lighthouse. */
const observe = `window.seen = { lcp: 0, cls: 0, fcp: 0, tasks: [] }
const watch = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
watch('largest-contentful-paint', (entry) => { seen.lcp = entry.startTime })
watch('layout-shift', (entry) => { seen.cls += entry.value })
watch('paint', (entry) => { if (entry.name === 'first-contentful-paint') seen.fcp = entry.startTime })
watch('longtask', (entry) => { seen.tasks.push([entry.startTime, entry.duration]) })`

/** Source of a function that runs in the page. */
const read = `({
  lcpMs: seen.lcp,
  cls: seen.cls,
  tbtMs: seen.tasks.reduce((sum, [start, duration]) => sum + (start + duration < seen.fcp ? 0 : Math.max(0, duration - 50)), 0),
  elements: document.querySelectorAll('*').length,
})`

async function visitPage(browser: Browser, url: string, viewport: keyof typeof viewports): Promise<Visit> {
  const context = await browser.newContext({ viewport: viewports[viewport] })
  try {
    const page = await context.newPage()
    const countBytes = await slowDown(page)
    await page.addInitScript(observe)
    const response = await page.goto(url, { waitUntil: 'load', timeout: 60_000 })
    if (response?.status() !== 200) throw new Error(`Cannot visit ${url}: answered with ${response?.status()}`)
    // Wait for deferred work and requests.
    await page.waitForTimeout(1_500)
    const seen = await page.evaluate<Pick<Visit, 'lcpMs' | 'tbtMs' | 'cls' | 'elements'>>(read)
    return { ...seen, transferKb: countBytes() / 1000 }
  } finally {
    await context.close()
  }
}

/** Slows down a page and returns a counter of the bytes that it has transferred. */
async function slowDown(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page)
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: throttle.latencyMs,
    downloadThroughput: throttle.bytesPerSecond,
    uploadThroughput: throttle.bytesPerSecond,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttle.cpu })
  return () => bytes
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** Serves a directory like a static host, with gzip for text files. Compresses each file once. */
async function serve(folder: string): Promise<{ readonly server: Server; readonly origin: string }> {
  const compressed = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname)
    const file = findSiteFile(join(folder, path))
    const type = file === undefined ? undefined : types[extname(file)]
    if (file === undefined) {
      response.writeHead(404).end()
    } else if (type === undefined) {
      response.end(readFileSync(file))
    } else {
      const bytes = compressed.get(file) ?? gzipSync(readFileSync(file))
      compressed.set(file, bytes)
      response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip', 'content-length': bytes.length }).end(bytes)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { server, origin: `http://127.0.0.1:${port}` }
}

import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import type { OwnPath } from '../../files/boundary.ts'
import { disk } from '../../files/disk-writes.ts'
import { untilAborted } from '../../store/database/holds.ts'
import { type ScreenshotTheme, screenshotThemes } from '../../store/sites/stored-sites.ts'
import type { ChromiumStatus, FoundChromium } from './find-chromium.ts'

export interface SiteResponse {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Buffer
}

/** Replaces the network: responds to requests of a page; `undefined` blocks a request. */
export type Answer = (url: string) => Promise<SiteResponse | undefined>

/** A page to take screenshots of. */
interface ScreenshotRequest {
  readonly url: string
  readonly answer: Answer
}

/** A PNG in each theme. */
type Screenshots = Readonly<Record<ScreenshotTheme, Buffer>>

export type ScreenshotTaker = ReturnType<typeof createScreenshotTaker>

const viewport = { width: 1280, height: 800 }
/** A browser that is idle for this long is closed to free its memory. */
const idleMs = 5 * 60_000
/** After a failed start, wait before the next attempt instead of delaying every push. */
const pauseMs = 5 * 60_000
const maxScreenshotBytes = 4 * 1024 * 1024

/**
 * @param timeMs Limit for one call, including the start of the browser.
 * @param folder The home directory of the browser. Created if missing.
 */
export function createScreenshotTaker(place: ChromiumStatus, timeMs: number, folder: OwnPath) {
  let browser: Promise<Browser> | undefined
  let turn: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined
  let pausedUntil = 0

  const close = async () => {
    clearTimeout(idle)
    const closing = browser
    browser = undefined
    // The driver eventually kills a browser that hangs; do not wait for it.
    await closing?.then((one) => one.close()).catch(() => undefined)
  }

  const open = async (): Promise<Browser> => {
    if (place.kind !== 'found') throw new Error(place.kind === 'off' ? 'screenshots are off' : place.reason)
    const opened = await browser?.catch(() => undefined)
    if (opened?.isConnected()) return opened
    browser = launch(place, timeMs, folder)
    browser.catch(() => {
      pausedUntil = performance.now() + pauseMs
    })
    return await browser
  }

  const run = async (order: ScreenshotRequest, signal: AbortSignal): Promise<Screenshots> => {
    signal.throwIfAborted()
    if (performance.now() < pausedUntil) throw new Error('Chromium failed to start a short time ago')
    clearTimeout(idle)
    const over = new AbortController()
    const timer = setTimeout(() => over.abort(new Error(`it took longer than ${Math.round(timeMs / 1000)} s`)), timeMs)
    try {
      const either = AbortSignal.any([signal, over.signal])
      const result = await untilAborted(
        open().then((opened) => shoot(opened, order, timeMs)),
        either,
      )
      idle = setTimeout(() => void close(), idleMs).unref()
      return result
    } catch (error) {
      void close()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    /** Whether a browser is available. */
    isOn: place.kind === 'found',
    /**
     * Takes a PNG screenshot in both themes. Calls run one after another. After an error, the next call starts a new browser.
     *
     * @throws {Error} with the reason as a clause, also on timeout or if `signal` aborts.
     */
    take(order: ScreenshotRequest, signal: AbortSignal) {
      const done = turn.then(() => run(order, signal))
      turn = done.catch(() => undefined)
      return done
    },
    async stop() {
      pausedUntil = Number.POSITIVE_INFINITY
      await Promise.race([close(), new Promise((resolve) => setTimeout(resolve, 2_000).unref())])
    },
  }
}

async function launch({ path, isSandboxed }: FoundChromium, timeMs: number, folder: OwnPath): Promise<Browser> {
  // Load the driver only when needed, because many servers take no screenshots.
  const { chromium } = await import('playwright-core')
  disk.mkdirSync(folder, { recursive: true, mode: 0o700 })
  return await chromium.launch({
    executablePath: path,
    chromiumSandbox: isSandboxed,
    timeout: timeMs,
    // The server handles these signals and closes the browser.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    // The keys of the app are in the environment of the server.
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, LANG: 'C.UTF-8' },
    args: [
      // Requests are intercepted. As a second barrier, the browser cannot resolve names or connect.
      '--host-resolver-rules=MAP * ~NOTFOUND',
      '--proxy-server=http://127.0.0.1:9',
      '--proxy-bypass-list=<-loopback>',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--mute-audio',
    ],
  })
}

async function shoot(browser: Browser, order: ScreenshotRequest, timeMs: number): Promise<Screenshots> {
  const context = await browser.newContext({
    viewport,
    // Pages are complete without scripts, so no untrusted script has to run.
    javaScriptEnabled: false,
    serviceWorkers: 'block',
    acceptDownloads: false,
    reducedMotion: 'reduce',
    colorScheme: 'light',
  })
  try {
    return await shootIn(context, order, timeMs)
  } finally {
    await context.close().catch(() => undefined)
  }
}

async function shootIn(context: BrowserContext, { url, answer }: ScreenshotRequest, timeMs: number): Promise<Screenshots> {
  context.setDefaultTimeout(timeMs)
  await context.route('**/*', async (route) => {
    await respond(route, await answer(route.request().url()).catch(() => undefined))
  })
  const page = await context.newPage()
  const crashed = new Promise<never>((_resolve, reject) => {
    page.once('crash', () => reject(new Error('the page crashed in Chromium')))
  })
  crashed.catch(() => undefined)
  const work = async () => {
    const response = await page.goto(url, { waitUntil: 'load' })
    if (response?.status() !== 200) throw new Error(`the page returned ${response?.status() ?? 'no response'}`)
    return await takeThemes(page)
  }
  return await Promise.race([work(), crashed])
}

async function takeThemes(page: Page): Promise<Screenshots> {
  const pictures: Partial<Record<ScreenshotTheme, Buffer>> = {}
  for (const theme of screenshotThemes) {
    // Like the page's own script, because some sites have a default theme.
    await page.emulateMedia({ colorScheme: theme })
    await page.evaluate(`Object.assign(document.documentElement.dataset, { theme: '${theme}', js: '' })`)
    const bytes = await page.screenshot({ type: 'png', animations: 'disabled' })
    if (bytes.length > maxScreenshotBytes) throw new Error('a screenshot exceeds 4 MB')
    pictures[theme] = bytes
  }
  const { light, dark } = pictures
  if (!light || !dark) throw new Error('a screenshot is missing')
  return { light, dark }
}

async function respond(route: Route, response: SiteResponse | undefined): Promise<void> {
  const done = response ? route.fulfill(response) : route.abort('blockedbyclient')
  // The page may already be closed.
  await done.catch(() => undefined)
}

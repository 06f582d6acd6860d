import { mkdirSync } from 'node:fs'
import type { Browser, BrowserContext, Route } from 'playwright-core'
import { type ScreenshotTheme, screenshotThemes } from '../../store/stored-sites.ts'
import { type ChromiumPlace, type FoundChromium, unpackChromium } from './find-chromium.ts'

export interface SiteResponse {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Buffer
}

/** A page to take pictures of, and what the browser is given instead of a network. */
interface PictureOrder {
  readonly url: string
  /** Answers what the page loads; `undefined` for what it may not have. */
  readonly answer: (url: string) => Promise<SiteResponse | undefined>
}

export interface PictureTaker {
  /** Whether it is worth asking. */
  readonly isOn: boolean
  /**
   * Takes both pictures as PNG. One order after the other; whatever goes wrong, the next one gets a new browser.
   *
   * @throws {Error} with the reason as a clause, when the time is over, or when `signal` aborts.
   */
  take(order: PictureOrder, signal: AbortSignal): Promise<Readonly<Record<ScreenshotTheme, Buffer>>>
  stop(): Promise<void>
}

const viewport = { width: 1280, height: 800 }
/** A browser that is idle for this long is closed to free its memory. */
const idleMs = 5 * 60_000
/** One that does not start is not waited for again with every push. */
const pauseMs = 5 * 60_000
const maxPictureBytes = 4 * 1024 * 1024

/**
 * @param timeMs Limit of one order, including the start of the browser.
 * @param folder The home of the browser, and where one that comes as an npm package is unpacked. Made when it is missing.
 */
export function createPictureTaker(place: ChromiumPlace, timeMs: number, folder: string): PictureTaker {
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
    if (place.kind !== 'found') throw new Error(place.kind === 'off' ? 'they are switched off' : place.reason)
    const opened = await browser?.catch(() => undefined)
    if (opened?.isConnected()) return opened
    browser = launch(place, timeMs, folder)
    browser.catch(() => {
      pausedUntil = performance.now() + pauseMs
    })
    return await browser
  }

  const take = async (order: PictureOrder, signal: AbortSignal) => {
    signal.throwIfAborted()
    if (performance.now() < pausedUntil) throw new Error('Chromium did not start a short time ago')
    clearTimeout(idle)
    const over = new AbortController()
    const timer = setTimeout(() => over.abort(new Error(`it took longer than ${Math.round(timeMs / 1000)} s`)), timeMs)
    try {
      const either = AbortSignal.any([signal, over.signal])
      const pictures = await Promise.race([rejectWhen(either), open().then((opened) => shoot(opened, order, timeMs))])
      idle = setTimeout(() => void close(), idleMs).unref()
      return pictures
    } catch (error) {
      void close()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    isOn: place.kind === 'found',
    take(order, signal) {
      const taken = turn.then(() => take(order, signal))
      turn = taken.catch(() => undefined)
      return taken
    },
    async stop() {
      pausedUntil = Number.POSITIVE_INFINITY
      await Promise.race([close(), new Promise((resolve) => setTimeout(resolve, 2_000).unref())])
    },
  }
}

async function launch({ path, isPacked, isSandboxed }: FoundChromium, timeMs: number, folder: string): Promise<Browser> {
  // Most servers that check take no pictures: the driver is read when the first one is taken.
  const { chromium } = await import('playwright-core')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return await chromium.launch({
    executablePath: isPacked ? await unpackChromium(path, folder) : path,
    chromiumSandbox: isSandboxed,
    timeout: timeMs,
    // The server ends by itself, and the browser with it.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    // The keys of the app are in the environment of the server.
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, LANG: 'C.UTF-8' },
    args: [
      // All that is shown is handed over; what would get past that finds no name and no way out.
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

async function shoot(browser: Browser, order: PictureOrder, timeMs: number): Promise<Readonly<Record<ScreenshotTheme, Buffer>>> {
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

async function shootIn(context: BrowserContext, { url, answer }: PictureOrder, timeMs: number) {
  context.setDefaultTimeout(timeMs)
  await context.route('**/*', async (route) => {
    await settle(route, await answer(route.request().url()).catch(() => undefined))
  })
  const page = await context.newPage()
  const crashed = new Promise<never>((_resolve, reject) => {
    page.once('crash', () => reject(new Error('the page crashed in Chromium')))
  })
  crashed.catch(() => undefined)
  const work = async () => {
    const response = await page.goto(url, { waitUntil: 'load' })
    if (response?.status() !== 200) throw new Error(`the page answered ${response?.status() ?? 'nothing'}`)
    const pictures: Partial<Record<ScreenshotTheme, Buffer>> = {}
    for (const theme of screenshotThemes) {
      await page.emulateMedia({ colorScheme: theme })
      // As the page's own script would: some sites have a theme of their own at first.
      await page.evaluate(`Object.assign(document.documentElement.dataset, { theme: '${theme}', js: '' })`)
      const bytes = await page.screenshot({ type: 'png', animations: 'disabled' })
      if (bytes.length > maxPictureBytes) throw new Error('a picture has more than 4 MB')
      pictures[theme] = bytes
    }
    const { light, dark } = pictures
    if (!light || !dark) throw new Error('there is no picture')
    return { light, dark }
  }
  return await Promise.race([work(), crashed])
}

async function settle(route: Route, response: SiteResponse | undefined): Promise<void> {
  // The page may be gone meanwhile.
  const settled = response ? route.fulfill(response) : route.abort('blockedbyclient')
  await settled.catch(() => undefined)
}

function rejectWhen(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

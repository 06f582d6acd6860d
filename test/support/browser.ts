import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'

/** The browser that `set-up-browser.ts` found for the app; `off` without a browser. */
export const chromiumPath = process.env['CHROMIUM_PATH'] ?? 'off'

/**
 * The browser that tests use themselves. As the browser of an app, it takes the same screenshots in a third of the CPU time, for tests that are
 * not about the browser that the app finds.
 */
export const testBrowserPath = process.env['OPENAPI_PAGES_TEST_BROWSER'] ?? chromiumPath

// Importing this file marks a test file as one that needs a browser.
if (chromiumPath === 'off') beforeEach(({ skip }) => skip('no browser'))

/**
 * Starts the browser of the test run. Without one, tests are skipped before they use the result.
 *
 * @param options.isInstalled Prefers an installed browser, as the app does.
 */
export async function launchBrowser({ isInstalled = false } = {}): Promise<Browser> {
  // The tests are skipped, but the hooks of their file run.
  if (chromiumPath === 'off') return undefined as unknown as Browser
  return await launch(isInstalled ? chromiumPath : testBrowserPath)
}

/** The browser of the running test file, if it shares one. */
export let browser: Browser

/** Starts a browser before the tests of a file, which share it, and closes it after them. */
export function shareBrowser(): void {
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())
}

/** Starts the browser at a path, with additional environment variables and arguments. */
export async function launch(
  executablePath: string,
  { env = {}, args = [] }: { readonly env?: Readonly<Record<string, string>>; readonly args?: readonly string[] } = {},
): Promise<Browser> {
  // If Chromium is closed while it draws, it leaves files in its temporary folder.
  const folder = mkdtempSync(join(tmpdir(), 'browser-'))
  const browser = await chromium.launch({
    env: { ...process.env, TMPDIR: folder, ...env },
    executablePath,
    args: [
      // Chromium has no sandbox for root, and all pages belong to the tests.
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  })
  browser.on('disconnected', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return browser
}

/**
 * Lets tests call `page.route` after a page has loaded. Without a route from the start, Chromium does not stop the requests of the next moment, and
 * nothing tells that they were made.
 */
export async function routeFromStart(context: BrowserContext): Promise<void> {
  await context.route('**/*', (route) => route.fallback())
}

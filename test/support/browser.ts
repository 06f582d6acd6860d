import { type Browser, chromium } from 'playwright-core'
import { beforeEach } from 'vitest'

/** The path that `set-up-browser.ts` found; `off` without a browser. */
export const chromiumPath = process.env['CHROMIUM_PATH'] ?? 'off'

// Importing this file marks a test file as one that needs a browser.
if (chromiumPath === 'off') beforeEach(({ skip }) => skip('no browser'))

/** Starts the browser of the test run. Without one, tests are skipped before they use the result. */
export async function launchBrowser(): Promise<Browser> {
  // The tests are skipped, but the hooks of their file run.
  if (chromiumPath === 'off') return undefined as unknown as Browser
  return await chromium.launch({
    executablePath: chromiumPath,
    args: [
      // Chromium has no sandbox for root, and all pages belong to the tests.
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

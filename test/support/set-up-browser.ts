import { findChromium } from '../../src/app/publish/find-chromium.ts'
import { unpackBrowser } from './packed-browser.ts'

/**
 * Finds the browser of the app in the same way as the app does for screenshots, and passes its path to the tests in `CHROMIUM_PATH`.
 * Tests themselves use the browser of the npm package where it runs: without windows, it needs a third of the CPU time. It is also that of the app if
 * no other one is installed. Without a browser, `CHROMIUM_PATH` is `off`, and one line says what to install.
 *
 * @throws {Error} when `CHROMIUM_PATH` is set to something that cannot be run.
 */
export default async function setUpBrowser(): Promise<() => void> {
  const given = process.env['CHROMIUM_PATH']
  const place = findChromium({ chromiumPath: given || undefined, chromiumSandbox: 'off' })
  if (place.kind === 'unusable' && given) throw new Error(`${place.reason}; ${place.fix}`)
  const packed = given ? undefined : await unpackBrowser()
  const path = place.kind === 'found' ? place.path : packed
  process.env['CHROMIUM_PATH'] = path ?? 'off'
  if (packed !== undefined) process.env['OPENAPI_PAGES_TEST_BROWSER'] = packed
  if (path === undefined) {
    const reason = place.kind === 'unusable' ? `${place.reason}; ${place.fix}` : 'CHROMIUM_PATH is `off`'
    console.log(`Browser tests are skipped: ${reason}`)
  }
  return () => {
    delete process.env['OPENAPI_PAGES_TEST_BROWSER']
    if (given === undefined) delete process.env['CHROMIUM_PATH']
    else process.env['CHROMIUM_PATH'] = given
  }
}

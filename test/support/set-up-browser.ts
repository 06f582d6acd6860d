import { findChromium, unpackChromium } from '../../src/app/screenshots/find-chromium.ts'

/**
 * Finds the browser of a test run in the same way as the app does for screenshots, and passes its path to the tests in
 * `CHROMIUM_PATH`. Without a browser, `CHROMIUM_PATH` is `off`, and one line says what to install.
 *
 * @throws {Error} when `CHROMIUM_PATH` is set to something that cannot be run.
 */
export default async function setUpBrowser(): Promise<() => void> {
  const given = process.env['CHROMIUM_PATH']
  const place = findChromium({ chromiumPath: given || undefined, chromiumSandbox: 'off' })
  if (place.kind === 'unusable' && given) throw new Error(`${place.reason}; ${place.fix}`)
  if (place.kind === 'found') {
    const folder = process.env['OPENAPI_PAGES_TEST_SHARED'] ?? ''
    process.env['CHROMIUM_PATH'] = place.isPacked ? await unpackChromium(place.path, folder) : place.path
  } else {
    process.env['CHROMIUM_PATH'] = 'off'
    console.log(`Browser tests are skipped: ${place.kind === 'off' ? 'CHROMIUM_PATH is `off`' : `${place.reason}; ${place.fix}`}`)
  }
  return () => {
    if (given === undefined) delete process.env['CHROMIUM_PATH']
    else process.env['CHROMIUM_PATH'] = given
  }
}

import { findChromium } from '../src/app/publish/find-chromium.ts'
import { unpackBrowser } from '../test/support/packed-browser.ts'

/**
 * The path of the browser for scripts and benchmarks: `CHROMIUM_PATH`, otherwise an installed one, otherwise that of the npm package.
 *
 * @throws {Error} when there is none. The message names the package to install.
 */
export async function findBrowser(): Promise<string> {
  const place = findChromium({ chromiumPath: process.env['CHROMIUM_PATH'] || undefined, chromiumSandbox: 'off' })
  if (place.kind === 'off') throw new Error('CHROMIUM_PATH is `off`. Unset it, or set it to the path of a browser')
  const path = place.kind === 'found' ? place.path : await unpackBrowser()
  if (path === undefined) throw new Error(place.kind === 'unusable' ? `${place.reason}; ${place.fix}` : 'no browser was found')
  return path
}

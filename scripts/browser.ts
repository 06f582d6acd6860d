import { join } from 'node:path'
import { findChromium, unpackChromium } from '../src/app/publish/find-chromium.ts'
import { cacheRoot } from './package-cache.ts'

/**
 * The path of the browser for scripts and benchmarks: `CHROMIUM_PATH`, otherwise an installed one, otherwise that of the npm package.
 *
 * @throws {Error} when there is none. The message names the package to install.
 */
export async function findBrowser(): Promise<string> {
  const place = findChromium({ chromiumPath: process.env['CHROMIUM_PATH'] || undefined, chromiumSandbox: 'off' })
  if (place.kind === 'off') throw new Error('CHROMIUM_PATH is `off`. Unset it, or set it to the path of a browser')
  if (place.kind === 'unusable') throw new Error(`${place.reason}; ${place.fix}`)
  return place.isPacked ? await unpackChromium(place.path, join(cacheRoot(), 'chromium')) : place.path
}

import { join } from 'node:path'
import { findChromium, unpackChromium } from '../src/app/pictures/find-chromium.ts'
import { cacheRoot } from './package-cache.ts'

/**
 * The executable of the browser that scripts and benchmarks use: `CHROMIUM_PATH`, else an installed one, else that of the npm package.
 *
 * @throws {Error} when there is none; the message says what to install.
 */
export async function findBrowser(): Promise<string> {
  const place = findChromium({ chromiumPath: process.env['CHROMIUM_PATH'] || undefined, chromiumSandbox: 'off' })
  if (place.kind === 'off') throw new Error('CHROMIUM_PATH is `off`; unset it, or set it to a browser')
  if (place.kind === 'unusable') throw new Error(`${place.reason}; ${place.fix}`)
  return place.isPacked ? await unpackChromium(place.path, join(cacheRoot(), 'chromium')) : place.path
}

import { join } from 'node:path'
import { cacheRoot } from '../../scripts/package-cache.ts'
import { findChromium, unpackChromium } from '../../src/app/publish/find-chromium.ts'

const asked = { chromiumPath: undefined, chromiumSandbox: 'off' } as const
/** As if no browser were installed. */
const machine = {
  platform: process.platform,
  architecture: process.arch,
  env: {},
  isRoot: false,
  installFolders: [],
  packageFolders: [join(import.meta.dirname, '../..')],
}

/**
 * Finds the browser of the app in the same way as the app does for screenshots, and passes its path to the tests in `CHROMIUM_PATH`.
 * Tests themselves use the browser of the npm package where it runs: without windows, it needs a third of the CPU time.
 * Without a browser, `CHROMIUM_PATH` is `off`, and one line says what to install.
 *
 * @throws {Error} when `CHROMIUM_PATH` is set to something that cannot be run.
 */
export default async function setUpBrowser(): Promise<() => void> {
  const given = process.env['CHROMIUM_PATH']
  const place = findChromium({ ...asked, chromiumPath: given || undefined })
  if (place.kind === 'unusable' && given) throw new Error(`${place.reason}; ${place.fix}`)
  if (place.kind === 'found') {
    const unpack = (path: string) => unpackChromium(path, join(cacheRoot(), 'chromium'))
    process.env['CHROMIUM_PATH'] = place.isPacked ? await unpack(place.path) : place.path
    const packed = given ? undefined : findChromium(asked, machine)
    if (packed?.kind === 'found') process.env['OPENAPI_PAGES_TEST_BROWSER'] = await unpack(packed.path)
  } else {
    process.env['CHROMIUM_PATH'] = 'off'
    console.log(`Browser tests are skipped: ${place.kind === 'off' ? 'CHROMIUM_PATH is `off`' : `${place.reason}; ${place.fix}`}`)
  }
  return () => {
    delete process.env['OPENAPI_PAGES_TEST_BROWSER']
    if (given === undefined) delete process.env['CHROMIUM_PATH']
    else process.env['CHROMIUM_PATH'] = given
  }
}

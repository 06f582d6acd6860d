import { dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { beforeEach } from 'vitest'
import { launch } from '../../support/browser.ts'
import { makeFontFolder } from '../../support/page-fonts.ts'

/** The browser of the npm package. Other browsers draw text with other pixels. */
const packaged = process.env['OPENAPI_PAGES_TEST_BROWSER']

// Importing this file marks a test file as one that needs this browser.
if (packaged === undefined) {
  const reason = 'the images need the browser of the npm package @sparticuz/chromium (x64 Linux, without CHROMIUM_PATH)'
  console.log(`Visual tests are skipped: ${reason}`)
  beforeEach(({ skip }) => skip(reason))
}

/**
 * Starts the browser of the npm package with fonts of npm packages and without anything that depends on the processor, so that
 * each machine draws the same pixels.
 *
 * @param hosts The URL of a server for each host with port in the pages, because free ports differ in each run.
 */
export async function launchVisualBrowser(hosts: Readonly<Record<string, string>>): Promise<Browser> {
  // The tests are skipped, but the hooks of their file run.
  if (packaged === undefined) return undefined as unknown as Browser
  const fonts = makeFontFolder()
  // Not the package's `run`, which sets its own fonts.
  const browser = await launch(join(dirname(packaged), 'chromium'), {
    env: {
      LD_LIBRARY_PATH: join(dirname(packaged), 'al2023/lib'),
      FONTCONFIG_FILE: fonts.file,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
    },
    args: [
      '--font-render-hinting=none',
      '--disable-lcd-text',
      '--disable-skia-runtime-opts',
      '--force-color-profile=srgb',
      '--lang=en-US',
      `--host-resolver-rules=${Object.entries(hosts)
        .map(([host, url]) => `MAP ${host} ${new URL(url).host}`)
        .join(', ')}`,
    ],
  })
  browser.on('disconnected', fonts.remove)
  return browser
}

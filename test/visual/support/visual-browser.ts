import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { beforeEach } from 'vitest'
import { launch } from '../../support/browser.ts'

/** The browser of the npm package. Other browsers draw text with other pixels. */
const packaged = process.env['OPENAPI_PAGES_TEST_BROWSER']

// Importing this file marks a test file as one that needs this browser.
if (packaged === undefined) {
  const reason = 'the images need the browser of the npm package @sparticuz/chromium (x64 Linux, without CHROMIUM_PATH)'
  console.log(`Visual tests are skipped: ${reason}`)
  beforeEach(({ skip }) => skip(reason))
}

/** All fonts that the browser can use, so that the fonts of the machine have no effect. */
const fonts = {
  'sans-serif': ['@expo-google-fonts/inter', 'Inter'],
  'system-ui': ['@expo-google-fonts/inter', 'Inter'],
  monospace: ['@expo-google-fonts/jetbrains-mono', 'JetBrains Mono'],
} as const
/** For letters that the others lack. */
const otherFonts = ['@expo-google-fonts/noto-sans-arabic']

/**
 * Starts the browser of the npm package with fonts of npm packages and without anything that depends on the processor, so that
 * each machine draws the same pixels.
 *
 * @param hosts The URL of a server for each host with port in the pages, because free ports differ in each run.
 */
export async function launchVisualBrowser(hosts: Readonly<Record<string, string>>): Promise<Browser> {
  // The tests are skipped, but the hooks of their file run.
  if (packaged === undefined) return undefined as unknown as Browser
  const folder = mkdtempSync(join(tmpdir(), 'fonts-'))
  writeFileSync(join(folder, 'fonts.conf'), toFontConfiguration(join(folder, 'cache')))
  // Not the package's `run`, which sets its own fonts.
  const browser = await launch(join(dirname(packaged), 'chromium'), {
    env: {
      LD_LIBRARY_PATH: join(dirname(packaged), 'al2023/lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
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
  browser.on('disconnected', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return browser
}

/** The format of fontconfig: https://fontconfig.pages.freedesktop.org/fontconfig/fontconfig-user.html */
function toFontConfiguration(cacheFolder: string): string {
  const { resolve } = createRequire(import.meta.url)
  const packages = new Set([...Object.values(fonts).map(([name]) => name), ...otherFonts])
  const folders = [...packages].map((name) => dirname(resolve(`${name}/package.json`)))
  const aliases = Object.entries(fonts).map(
    ([generic, [, family]]) => `<alias><family>${generic}</family><prefer><family>${family}</family></prefer></alias>`,
  )
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...folders.map((folder) => `<dir>${folder}</dir>`),
    `<cachedir>${cacheFolder}</cachedir>`,
    ...aliases,
    '</fontconfig>\n',
  ].join('\n')
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** All fonts that a browser can use, so that the fonts of the machine have no effect. */
const fonts = {
  'sans-serif': ['@expo-google-fonts/inter', 'Inter'],
  // Of GTK, which Firefox uses for `system-ui`.
  Sans: ['@expo-google-fonts/inter', 'Inter'],
  'system-ui': ['@expo-google-fonts/inter', 'Inter'],
  monospace: ['@expo-google-fonts/jetbrains-mono', 'JetBrains Mono'],
} as const
/** For letters that the others lack. */
const otherFonts = ['@expo-google-fonts/noto-sans-arabic']

/** Makes a folder with the file `fonts.conf`, which names the fonts of npm packages, for `FONTCONFIG_FILE` of a browser. */
export function makeFontFolder(): { readonly file: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'fonts-'))
  const file = join(folder, 'fonts.conf')
  writeFileSync(file, toFontConfiguration(join(folder, 'cache')))
  return { file, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) }
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

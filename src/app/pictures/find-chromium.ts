import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { AppConfig } from '../config.ts'

/** The browser that takes pictures of sites. */
export type ChromiumPlace =
  | { readonly kind: 'found'; readonly path: string; readonly isSandboxed: boolean }
  | { readonly kind: 'off' }
  /** `reason` is a clause, `fix` says what to do. */
  | { readonly kind: 'unusable'; readonly reason: string; readonly fix: string }

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const places = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Looks for Chromium or Chrome where the setting says, else on the `PATH` and in the usual places. */
export function findChromium(
  { chromiumPath, chromiumSandbox }: Pick<AppConfig, 'chromiumPath' | 'chromiumSandbox'>,
  { searchPath = process.env['PATH'] ?? '', isRoot = process.getuid?.() === 0 } = {},
): ChromiumPlace {
  if (chromiumPath === 'off') return { kind: 'off' }
  const folders = [...searchPath.split(delimiter).filter(Boolean), ...places]
  const path = chromiumPath ?? folders.flatMap((place) => [...names.map((name) => join(place, name)), place]).find(isProgram)
  if (path === undefined) {
    return {
      kind: 'unusable',
      reason: 'there is no Chromium on this machine',
      fix: 'install it (`apt-get install chromium`), or set CHROMIUM_PATH to one, or to `off`',
    }
  }
  if (!isProgram(path)) {
    return {
      kind: 'unusable',
      reason: `CHROMIUM_PATH is \`${path}\`, which is no program that this user may run`,
      fix: 'correct it, or leave it away for a Chromium in the usual places',
    }
  }
  const isSandboxed = chromiumSandbox === 'on'
  if (isRoot && isSandboxed) {
    return {
      kind: 'unusable',
      reason: 'the server runs as root, for whom Chromium has no sandbox',
      fix: 'run it as another user, or accept pages of strangers outside a sandbox with CHROMIUM_SANDBOX=off',
    }
  }
  return { kind: 'found', path, isSandboxed }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

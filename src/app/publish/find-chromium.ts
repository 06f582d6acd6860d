import { accessSync, constants, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { AppConfig } from '../base/config/app-config.ts'

/** The browser that takes screenshots of sites. */
export type ChromiumStatus =
  | FoundChromium
  | { readonly kind: 'off' }
  /** `reason` is a clause, `fix` is an instruction. */
  | { readonly kind: 'unusable'; readonly reason: string; readonly fix: string }

export interface FoundChromium {
  readonly kind: 'found'
  /** The executable. */
  readonly path: string
  readonly isSandboxed: boolean
}

/** The machine to search. Tests pass their own. */
interface Machine {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isRoot: boolean
  /** Where programs are installed on Linux and macOS, beyond the `PATH`: a service may run with a short one. */
  readonly installFolders: readonly string[]
}

/** Names of the executable, in order of preference. */
const commands = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
  'msedge',
]

/** Home of the browser in `DATA_DIR`. */
export const chromiumFolder = 'chromium'

/**
 * Looks for Chromium, Chrome or Edge: `chromiumPath`, then the `PATH` and the folders they are installed in. A `chromiumPath` that cannot be run
 * is never replaced by another browser.
 */
export function findChromium(
  { chromiumPath, chromiumSandbox }: Pick<AppConfig, 'chromiumPath' | 'chromiumSandbox'>,
  machine: Machine = thisMachine(),
): ChromiumStatus {
  if (chromiumPath === 'off') return { kind: 'off' }
  const path = chromiumPath ?? listCandidates(machine).find(isProgram)
  if (path === undefined) {
    return {
      kind: 'unusable',
      reason: 'no Chromium, Chrome or Edge was found',
      fix: 'Install one (`apt-get install chromium`), or set CHROMIUM_PATH to its path, or to `off`',
    }
  }
  if (!isProgram(path)) {
    return {
      kind: 'unusable',
      reason: `CHROMIUM_PATH is \`${path}\`, which is not an executable file`,
      fix: 'Correct CHROMIUM_PATH, or unset it to use an installed browser',
    }
  }
  const isSandboxed = chromiumSandbox === 'on'
  if (machine.isRoot && isSandboxed) {
    return {
      kind: 'unusable',
      reason: 'the server runs as root, and Chromium has no sandbox for root',
      fix: 'Run it as another user, or set CHROMIUM_SANDBOX=off to render untrusted pages without a sandbox',
    }
  }
  return { kind: 'found', path, isSandboxed }
}

function thisMachine(): Machine {
  return {
    platform: process.platform,
    env: process.env,
    isRoot: process.getuid?.() === 0,
    installFolders:
      process.platform === 'darwin'
        ? ['/Applications', join(homedir(), 'Applications')]
        : ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome', '/opt/microsoft/msedge'],
  }
}

function listCandidates({ platform, env, installFolders }: Machine): string[] {
  const searched = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter(Boolean)
  const listPrograms = (folders: readonly string[], names: readonly string[]) =>
    names.flatMap((name) => folders.map((folder) => join(folder, name)))
  if (platform === 'win32') {
    const roots = [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']].filter((root) => root !== undefined)
    const installed = [
      'Chromium/Application/chrome.exe',
      'Google/Chrome/Application/chrome.exe',
      'Microsoft/Edge/Application/msedge.exe',
    ]
    return [
      ...listPrograms(
        searched,
        commands.map((name) => `${name}.exe`),
      ),
      ...listPrograms(roots, installed),
    ]
  }
  if (platform === 'darwin') {
    const installed = ['Chromium', 'Google Chrome', 'Microsoft Edge'].map((name) => `${name}.app/Contents/MacOS/${name}`)
    return [...listPrograms(searched, commands), ...listPrograms(installFolders, installed)]
  }
  return listPrograms([...searched, ...installFolders], commands)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

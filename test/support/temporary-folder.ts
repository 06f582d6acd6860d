import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type OwnPath, toOwnPath } from '../../src/files/boundary.ts'

/** Windows has no modes, named pipes, limits of a process, or stop signals that a program can handle. */
export const isWindows = process.platform === 'win32'

/** Creates a folder with these files, absolute and with links resolved. It is removed when the running test has ended. */
export function makeTemporaryFolder(files: { readonly [path: string]: string | Uint8Array } = {}): OwnPath {
  // On Windows, the folder of temporary files can have a short name such as `RUNNER~1`. Only the native function knows the long one.
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'openapi-pages-test-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return toOwnPath(folder)
}

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Other releases of Node in `PATH`, from 20 on, one path each: the code must also run on the releases that GitHub and new users
 * have.
 */
export function findNodes(): string[] {
  const paths = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'node'))
  const byVersion = new Map<string, string>()
  for (const path of paths.filter((candidate) => existsSync(candidate))) {
    const version = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout.trim()
    if (/^v2\d\./.test(version) && version !== process.version && !byVersion.has(version)) byVersion.set(version, path)
  }
  if (byVersion.size === 0) console.log(`skipped: other releases of Node than ${process.version}, as there is none in PATH`)
  return [...byVersion.values()]
}

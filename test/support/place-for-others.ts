import { chmodSync, copyFileSync, cpSync, linkSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder } from './temporary-folder.ts'

const root = join(import.meta.dirname, '../..')

/**
 * Puts the programs under test, and the Node that runs them, where another user can run them: a clone may lie in a folder that is closed to
 * others. Returns a function that turns paths of the clone, anywhere in a command, into paths of that place.
 */
export function placeForOthers(): (command: string) => string {
  const place = makeTemporaryFolder()
  chmodSync(place, 0o755)
  const node = join(place, 'node')
  try {
    linkSync(process.execPath, node)
  } catch {
    copyFileSync(process.execPath, node)
  }
  chmodSync(node, 0o755)
  for (const name of ['package.json', 'src', 'dist', 'test/support'])
    cpSync(join(root, name), join(place, name), { recursive: true })
  return (command) => command.replaceAll(process.execPath, node).replaceAll(root, place)
}

import { chmodSync, chownSync, copyFileSync, cpSync, linkSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder } from './temporary-folder.ts'

const root = join(import.meta.dirname, '../..')
const isRoot = process.getuid?.() === 0
/** The user ID of the unprivileged user on Linux. It needs no account. */
const otherId = 65_534

interface OrdinaryUser {
  /** For `spawn`. */
  readonly ids: { readonly uid?: number; readonly gid?: number }
  /** Converts paths of the clone, anywhere in a command, to paths that the user can read. */
  toPlace(command: string): string
  /** Makes the user the owner of a folder and its content. */
  own(folder: string): void
}

/**
 * A user that file modes restrict: the current one, or another one if the tests run as root. A clone may be in a folder that
 * other users cannot open, so programs and their Node are copied.
 */
export function makeOrdinaryUser(): OrdinaryUser {
  if (!isRoot) return { ids: {}, toPlace: (command) => command, own: () => undefined }
  const place = makeTemporaryFolder()
  chmodSync(place, 0o755)
  const node = join(place, 'node')
  try {
    linkSync(process.execPath, node)
  } catch {
    copyFileSync(process.execPath, node)
  }
  chmodSync(node, 0o755)
  // The one package that every command line loads.
  for (const name of ['package.json', 'node_modules/commander', 'src', 'texts', 'dist', 'test/support'])
    cpSync(join(root, name), join(place, name), { recursive: true })
  return {
    ids: { uid: otherId, gid: otherId },
    toPlace: (command) => command.replaceAll(process.execPath, node).replaceAll(root, place),
    own(folder) {
      for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
        chownSync(join(folder, name), otherId, otherId)
    },
  }
}

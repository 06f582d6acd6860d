import { accessSync, constants, lstatSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../../text/errors.ts'
import { databaseFileName } from '../base/open-store.ts'
import { explainSystemError } from './explain-system-error.ts'

/**
 * If this process runs as root, makes it run as the owner of a data directory for the rest of its life. A server that was taken over can put
 * links and other files into the directory. Root would follow them.
 *
 * The owner is that of the link to the directory, if root does not own the link, and that of the database, if root shares the directory with
 * other users. Does nothing in a directory of root alone.
 *
 * @throws {ConfigError} if the owner cannot open the directory or the program.
 */
export function becomeOwner(dataDir: string): void {
  if (process.getuid?.() !== 0) return
  const owner = findOwner(dataDir)
  if (!owner) return
  const { uid, gid } = owner
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
  for (const path of [dataDir, import.meta.filename]) {
    try {
      accessSync(path, constants.R_OK)
      if (path === dataDir) accessSync(path, constants.X_OK)
    } catch (cause) {
      const { message = String(cause) } = explainSystemError(cause) ?? {}
      throw new ConfigError(`${message} (as user ${uid}, the owner of the data directory)`, {
        hint: 'Run the command as the user of the server, as in docs/self-hosting.md#run-commands',
        cause,
      })
    }
  }
  console.error(`Running as user ${uid}, the owner of ${dataDir}, instead of root`)
}

function findOwner(dataDir: string): Stats | undefined {
  const folder = lookAt(dataDir, statSync)
  const isShared = folder !== undefined && (folder.mode & 0o022) !== 0
  const found = [lookAt(dataDir, lstatSync), folder, isShared ? lookAt(join(dataDir, databaseFileName), lstatSync) : undefined]
  return found.find((stats) => stats !== undefined && stats.uid !== 0)
}

function lookAt(path: string, look: (path: string, options: { throwIfNoEntry: false }) => Stats | undefined): Stats | undefined {
  try {
    return look(path, { throwIfNoEntry: false })
  } catch {
    return undefined // Using the directory reports the reason.
  }
}

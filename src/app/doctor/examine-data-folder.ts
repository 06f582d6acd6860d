import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqliteStore } from '../../store/open-sqlite-store.ts'
import type { AppConfig } from '../config.ts'
import { credentialsFileName } from '../credentials.ts'
import { linkKeyFileName } from '../link-key.ts'
import { databaseFileName } from '../start-app.ts'
import type { Examination } from './examine.ts'

const leastFreeBytes = 1024 ** 3

/** The store can be read and written, the disk has room, the keys are closed to others. */
export async function examineDataFolder({ dataDir }: AppConfig): Promise<readonly Examination[]> {
  const path = join(dataDir, databaseFileName)
  if (!existsSync(path)) {
    return [
      {
        state: 'ill',
        message: `There is no store at ${path}`,
        fix: 'set DATA_DIR to the data folder of the server, or start it once',
      },
    ]
  }
  return [await examineStore(path), await examineDisk(dataDir), examineModes(dataDir)]
}

async function examineStore(path: string): Promise<Examination> {
  try {
    const store = await openSqliteStore({ path })
    try {
      await store.ping()
      const { waiting, dead } = await store.queue.stats()
      const counted = `The store can be read and written; ${waiting} ${waiting === 1 ? 'job waits' : 'jobs wait'}`
      if (dead === 0) return { state: 'well', message: counted }
      return { state: 'warning', message: `${counted}, ${dead} given up`, fix: 'look in the log for the reasons' }
    } finally {
      await store.close()
    }
  } catch (error) {
    // Whatever it is, the doctor says it and goes on to the next line.
    return {
      state: 'ill',
      message: error instanceof Error ? error.message : String(error),
      fix: 'let the user of the process own the data folder; restore a backup where the file is damaged',
    }
  }
}

async function examineDisk(dataDir: string): Promise<Examination> {
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const size = `${(free / leastFreeBytes).toFixed(1)} GB`
  if (free >= leastFreeBytes) return { state: 'well', message: `The disk has ${size} free` }
  return { state: 'ill', message: `The disk has only ${size} free`, fix: 'make room: a full disk stops every update' }
}

function examineModes(dataDir: string): Examination {
  const open = [credentialsFileName, linkKeyFileName]
    .map((name) => join(dataDir, name))
    .filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0)
  // Windows has no such modes; its answer is always 0o666.
  if (open.length === 0 || process.platform === 'win32') return { state: 'well', message: 'The keys are closed to other users' }
  return { state: 'ill', message: `Other users can read ${open.join(', ')}`, fix: `chmod 600 ${open.join(' ')}` }
}

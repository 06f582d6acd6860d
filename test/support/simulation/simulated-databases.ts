import { createProcessLocks } from '../../../src/store/database/holds.ts'
import type { OpenedDatabase, StoreDatabase, StoreLimits } from '../../../src/store/database/store-database.ts'
import type { SiteBucket } from '../../../src/store/sites/stored-sites.ts'
import { createStore, type Store } from '../../../src/store/store.ts'
import type { AppProcess } from './app-process.ts'

/** A database for one history. */
export interface SimulatedDatabase {
  /** Opens it for another process. */
  open(options: ProcessParts): Store
  /** Deletes its content, while no process uses it. */
  clear(): Promise<void>
  /** Whether several processes use it. */
  readonly isShared: boolean
  /** The roles of the processes that use it at the same time. */
  readonly roles: readonly AppProcess['role'][]
}

/** The processes that share the database of a history. */
export function chooseRoles(seed: number): readonly AppProcess['role'][] {
  const roles = [
    ['all', 'all'],
    ['web', 'worker', 'worker'],
    ['all', 'worker'],
  ] as const
  return roles[seed % roles.length] ?? ['all']
}

interface ProcessParts {
  readonly now: () => number
  readonly randomBytes: (count: number) => Uint8Array
  readonly limits?: Partial<StoreLimits>
  /** For the files of sites. Default: they are in the database. */
  readonly bucket?: SiteBucket | undefined
}

/** The connections to a database and what it knows, which no process of the app ends. */
type OpenDatabase = Pick<StoreDatabase, 'reader' | 'write' | 'readVersion'>

/**
 * A new store on a database that stays open, with its own caches and IDs. A process that is killed between two calls leaves nothing on its
 * connections, and new ones take longer than the rest of a history.
 */
export function createProcessStore(database: OpenDatabase, { now, randomBytes, limits = {}, bucket }: ProcessParts): Store {
  const refuse = () => Promise.reject(new Error('This is not simulated'))
  const opened: OpenedDatabase = {
    database: { ...database, untilNoticed: refuse, leaseNow: async () => now() },
    limits: undefined,
    locks: createProcessLocks(),
    runLong: (work) => work(),
    backup: refuse,
    close: async () => undefined,
  }
  return createStore(opened, { now, randomBytes, limits, bucket })
}

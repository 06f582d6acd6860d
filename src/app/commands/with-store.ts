import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { openSqliteStore } from '../../store/open-sqlite-store.ts'
import type { Store } from '../../store/types.ts'
import { readConfig } from '../app-config.ts'
import { databaseFileName } from '../start-app.ts'
import type { CommandInput } from './commands.ts'

/**
 * Opens the store of the data folder for one command, beside a running server.
 *
 * @throws {ConfigError} where there is none: a command that looks into the wrong folder must not make an empty one.
 */
export async function withStore<Result>(env: CommandInput['env'], work: (store: Store) => Promise<Result>): Promise<Result> {
  const { dataDir } = await readConfig(env)
  const path = join(dataDir, databaseFileName)
  if (!existsSync(path)) {
    throw new ConfigError(`there is no store at ${path}`, {
      hint: 'set DATA_DIR to the data folder of the server, or start it once',
    })
  }
  const store = await openSqliteStore({ path })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

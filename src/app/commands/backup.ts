import { constants, copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { configFileName, credentialsFileName, readConfig } from '../app-config.ts'
import { linkKeyFileName } from '../signed-links.ts'
import { databaseFileName } from '../start-app.ts'
import type { Command } from './commands.ts'
import { withStore } from './with-store.ts'

/** Copies all of the data folder that matters, as of one moment, while the server runs. */
export const backupCommand: Command = {
  help: `openapi-pages backup FOLDER

Copies the store, the keys and the settings into a new folder, while the server runs. The copy of the store is checked.
To restore: stop the server, make the folder the data folder, start the server. The folder holds secrets: keep it closed.`,
  takes: 1,
  async run({ positionals, env }) {
    const [folder] = positionals
    if (!folder)
      throw new ConfigError('missing the folder to write to', { hint: 'for example `openapi-pages backup backups/2026-11-20`' })
    if (existsSync(folder))
      throw new ConfigError(`${folder} exists already`, { hint: 'name a new folder: a backup is never overwritten' })
    const { dataDir } = await readConfig(env)
    await withStore(env, async (store) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      await store.backup(join(folder, databaseFileName))
    })
    const files = [credentialsFileName, linkKeyFileName, configFileName].filter((name) => existsSync(join(dataDir, name)))
    // `copyFileSync` keeps the mode, so the keys stay closed.
    for (const name of files) copyFileSync(join(dataDir, name), join(folder, name), constants.COPYFILE_EXCL)
    console.log(`Backed up ${[databaseFileName, ...files].join(', ')} to ${folder}`)
    return 0
  },
}

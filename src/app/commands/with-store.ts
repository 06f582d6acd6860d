import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { toVisibleText } from '../../status/update-record.ts'
import { openSqliteStore } from '../../store/open-sqlite-store.ts'
import type { Store } from '../../store/types.ts'
import { readConfig } from '../app-config.ts'
import { databaseFileName } from '../start-app.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** What a command is given besides its arguments. */
export interface CommandContext {
  readonly env: Environment
  /** Called with the exit code when the command has run. */
  readonly onEnd: (exitCode: number) => void
}

/**
 * Opens the store of the data folder for one command, beside a running server.
 *
 * @throws {ConfigError} where there is none: a command that looks into the wrong folder must not make an empty one.
 */
export async function withStore<Result>(env: Environment, work: (store: Store) => Promise<Result>): Promise<Result> {
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

/** Prints rows in columns; the first row is the header. Control characters are escaped. */
export function printRows(rows: readonly (readonly string[])[]): void {
  const shown = rows.map((row) => row.map(toVisibleText))
  const widths = (shown[0] ?? []).map((_cell, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)))
  for (const row of shown)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

import { GitHubApp } from '../../github/apps/github-app.ts'
import { toVisibleText } from '../../status/update-record.ts'
import type { Store } from '../../store/store.ts'
import { type AppConfig, readConfig } from '../base/config/app-config.ts'
import { readServerCredentials } from '../base/config/server-keys.ts'
import { openExistingStore } from '../base/open-store.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Opens the store of the server for one command. The server may be running.
 *
 * @throws {ConfigError} if there is no database file: a command in the wrong directory must not create an empty one.
 */
export async function withStore<Result>(env: Environment, work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openExistingStore(await readConfig(env))
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** The GitHub App of the server; `undefined` if the server has none yet. */
export async function openGitHubApp(config: AppConfig, store: Store): Promise<GitHubApp | undefined> {
  const credentials = await readServerCredentials(config, store)
  if (!credentials) return undefined
  return new GitHubApp({ appId: credentials.appId, privateKey: credentials.privateKey, apiUrl: config.githubApiUrl })
}

/** Prints rows in columns. The first row sets the number of columns. Control characters are escaped. */
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

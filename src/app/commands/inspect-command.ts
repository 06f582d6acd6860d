import { ConfigError } from '../../text/errors.ts'
import { readConfig } from '../base/config/app-config.ts'
import { readServerStatus } from '../screens/dashboard/server-status.ts'
import { type Environment, openGitHubApp, printRows, withStore } from './with-store.ts'

/** Prints what the server does and what it cannot do, while the server runs. */
export async function inspect(env: Environment, { format }: { readonly format: string }): Promise<number> {
  if (format !== 'text' && format !== 'json') throw new ConfigError(`unexpected --format ${format}, expected text or json`)
  const config = await readConfig(env)
  const sections = await withStore(env, async (store) =>
    readServerStatus({ store, config }, await openGitHubApp(config, store), 'everything'),
  )
  if (format === 'json') console.log(JSON.stringify(sections, undefined, 2))
  else {
    for (const { label, empty, items } of sections) {
      console.log(`\n${label.toUpperCase()}`)
      printRows(items.length === 0 ? [[empty]] : items.map(({ title, note, since = '' }) => [title, since, note]))
    }
  }
  return 0
}

import type { Command } from 'commander'
import { ConfigError } from '../../text/errors.ts'
import { readConfig } from '../base/config/app-config.ts'
import { readServerStatus } from '../screens/dashboard/server-status.ts'
import { type CommandContext, openGitHubApp, printRows, withStore } from './with-store.ts'

/** Prints what the server does and what it cannot do, while the server runs. */
export function defineInspect(program: Command, { env, onEnd }: CommandContext): void {
  program
    .command('inspect')
    .summary('Show what waits, what GitHub refuses, disk use and the audit log')
    .description(
      'Shows what waits in the queue, what GitHub refuses and with which words, installations without a permission, the last comparison with ' +
        'GitHub, disk use by project, and the newest 100 lines of the audit log.',
    )
    .option('--format <format>', 'output format: text or json (default: text)', 'text')
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages-app inspect
  openapi-pages-app inspect --format json`,
    )
    .action(async ({ format }: { format: string }) => {
      if (format !== 'text' && format !== 'json') throw new ConfigError(`unexpected --format ${format}, expected text or json`)
      const config = await readConfig(env)
      const sections = await withStore(env, async (store) =>
        readServerStatus({ store, config }, await openGitHubApp(config, store)),
      )
      if (format === 'json') console.log(JSON.stringify(sections, undefined, 2))
      else {
        for (const { label, empty, items } of sections) {
          console.log(`\n${label.toUpperCase()}`)
          printRows(items.length === 0 ? [[empty]] : items.map(({ title, note, since = '' }) => [title, since, note]))
        }
      }
      onEnd(0)
    })
}

import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import { type OwnPath, toOwnPath } from '../../files/boundary.ts'
import type { CopyProgress } from '../../store/copy-store.ts'
import { ConfigError } from '../../text/errors.ts'
import { readConfig, readCredentials } from '../base/config/app-config.ts'
import { databaseFileName } from '../base/open-store.ts'
import { linkKeyFileName, readLinkKey } from '../base/signed-links.ts'
import { formatBytes } from '../screens/pages/formats.ts'
import { becomeOwner } from './drop-root.ts'
import type { Environment } from './with-store.ts'

interface MigrateOptions {
  readonly from?: string
  readonly to?: string
}

/** Copies the data of the app from SQLite to PostgreSQL. */
export async function migrateStore(env: Environment, { from, to }: MigrateOptions): Promise<number> {
  const path = await findSource(from, env)
  const url = to ?? env['DATABASE_URL']
  if (url === undefined || !/^postgres(?:ql)?:/.test(url)) {
    throw new ConfigError(url === undefined ? 'missing --to' : 'unexpected --to, expected a URL that starts with postgres://', {
      hint: 'Name the database with --to postgres://user:password@host/database, or set DATABASE_URL',
    })
  }
  // Only this command needs both databases.
  const { copyStore } = await import('../../store/copy-store.ts')
  const startedAt = performance.now()
  console.log(`Copying ${path} (${formatBytes(statSync(path).size)})`)
  const printer = createPrinter()
  const secrets = readKeyFiles(toOwnPath(dirname(path)))
  const { rows, bytes } = await copyStore({ path, url, secrets, report: printer.report }).finally(printer.end)
  console.log(`
✔ Copied and compared ${formatCount(rows, 'row')} (${formatBytes(bytes)}) in ${toSeconds(performance.now() - startedAt)}

Next, set DATABASE_URL to the new database and start the server. Keep the data directory: it has the settings.
The SQLite store is unchanged. To use it again, unset DATABASE_URL.`)
  return 0
}

async function findSource(from: string | undefined, env: Environment): Promise<string> {
  const given =
    from === undefined ? join((await readConfig(env)).dataDir, databaseFileName) : /^sqlite:(?:\/\/)?(.+)$/.exec(from)?.[1]
  if (given === undefined) {
    throw new ConfigError('unexpected --from, expected sqlite:PATH', {
      hint: 'For example --from sqlite:/data/openapi-pages.sqlite. Only stores in SQLite can be copied',
    })
  }
  const path = existsSync(given) && statSync(given).isDirectory() ? join(given, databaseFileName) : given
  if (!existsSync(path)) {
    throw new ConfigError(`no database at ${path}`, { hint: 'Name the database file of the server with --from sqlite:PATH' })
  }
  if (from !== undefined) becomeOwner(dirname(path))
  return path
}

/** The keys that processes with PostgreSQL share, by their names in the table `secrets`. */
function readKeyFiles(dataDir: OwnPath): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  if (existsSync(join(dataDir, linkKeyFileName))) keys.set('link-key', readLinkKey(dataDir).toString('hex'))
  const credentials = readCredentials(dataDir)
  if (credentials && 'appId' in credentials) keys.set('github-app', JSON.stringify(credentials))
  return keys
}

/** How often to print a line about a large table if the output is not a terminal. */
const lineEveryMs = 10_000

/** Prints a line for each table, and in a terminal the state of the current one. */
function createPrinter(): { report(progress: CopyProgress): void; end(): void } {
  const terminal = process.stderr.isTTY ? process.stderr : undefined
  let tableStartedAt = performance.now()
  let printedAt = tableStartedAt
  const clear = () => terminal?.write('\r\u001b[K')
  const print = (line: string) => {
    clear()
    console.log(line)
    printedAt = performance.now()
  }
  return {
    report({ table, rows, bytes, isDone }) {
      const seconds = toSeconds(performance.now() - tableStartedAt)
      const line = `  ${table.padEnd(20)} ${formatCount(rows, 'row').padStart(16)} ${formatBytes(bytes).padStart(9)} ${seconds.padStart(8)}`
      if (isDone) {
        if (rows > 0) print(line)
        tableStartedAt = performance.now()
      } else if (terminal) {
        clear()
        terminal.write(line.slice(0, terminal.columns - 1))
      } else if (performance.now() - printedAt > lineEveryMs) print(line)
    },
    end: clear,
  }
}

function toSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { ConfigError } from '../../errors.ts'
import type { Move, MoveEvent, MovePhase, MoveResult } from '../../store/move-store.ts'
import { readConfig, readCredentials } from '../app-config.ts'
import { becomeOwner } from '../drop-root.ts'
import { databaseFileName } from '../open-store.ts'
import { linkKeyFileName, readLinkKey } from '../signed-links.ts'
import { type CommandContext, type Environment, toCount } from './with-store.ts'

interface MigrateOptions {
  readonly from?: string
  readonly to?: string
  readonly restart?: true
  readonly copyOnly?: true
  readonly undo?: true
}

/** Moves the data of the app from SQLite to PostgreSQL while the server runs. */
export function defineMigrateStore(program: Command, { env, onEnd }: CommandContext): void {
  program
    .command('migrate-store')
    .summary('Move the data from SQLite to PostgreSQL')
    .description(
      'Copies all data from an SQLite store to an empty PostgreSQL database and compares every row. The server can keep running: it refuses ' +
        'writes only for the last changes, and afterwards until it is restarted with DATABASE_URL. It serves reads all the time. GitHub ' +
        'delivers refused webhooks again. If the command is interrupted, run it again to continue.',
    )
    .option('--from <url>', 'the SQLite store: sqlite:PATH (default: the one in DATA_DIR)')
    .option('--to <url>', 'the database: postgres://user:password@host/database (default: DATABASE_URL)')
    .option('--copy-only', 'copy and compare now, and refuse no writes; run the command again to finish')
    .option('--restart', 'delete what an earlier run has copied, and start again')
    .option('--undo', 'let the server use the SQLite store again')
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages-app migrate-store --from sqlite:/data/openapi-pages.sqlite --to postgres://pages@db.example.com/pages
  openapi-pages-app migrate-store --undo

Exit codes: 0 success, 1 rows differ, 2 the command could not run.`,
    )
    .action(async (options: MigrateOptions) => onEnd(await migrateStore(options, env)))
}

async function migrateStore({ from, to, restart, copyOnly, undo }: MigrateOptions, env: Environment): Promise<number> {
  const path = await findSource(from, env)
  // Only this command needs both databases.
  const { openMove, undoStoreMove } = await import('../../store/open-move.ts')
  if (undo) {
    const isUndone = await undoStoreMove(path)
    console.log(isUndone ? `The server can use ${path} again.` : `${path} was not moved.`)
    return 0
  }
  const url = to ?? env['DATABASE_URL']
  if (url === undefined || !/^postgres(?:ql)?:/.test(url)) {
    throw new ConfigError(url === undefined ? 'missing --to' : 'unexpected --to, expected a URL that starts with postgres://', {
      hint: 'Name the database with --to postgres://user:password@host/database, or set DATABASE_URL',
    })
  }
  const startedAt = performance.now()
  const opened = await openMove({ path, url, restart: restart ?? false })
  try {
    const action = opened.isContinued ? 'Continuing to move' : 'Moving'
    console.log(`${action} ${path} (${toBytes(opened.fileBytes)}) to ${opened.targetPlace}`)
    const result = opened.isMoved ? undefined : await runMove(opened, copyOnly ?? false)
    if (result && result.differences > 0) {
      console.error(
        `\n✖ ${toCount(result.differences, 'difference')}. The server can keep using the SQLite store. To copy all rows again, add --restart.`,
      )
      return 1
    }
    if (result && copyOnly) {
      console.log(`\n✔ Copied and compared ${describe(result)}. To finish the move, run the command again without --copy-only.`)
      return 0
    }
    await opened.finish(readKeyFiles(dirname(path)))
    const refused = result?.refusedMs === undefined ? '' : ` The server has refused writes for ${toSeconds(result.refusedMs)}.`
    const seconds = toSeconds(performance.now() - startedAt)
    console.log(`
✔ Moved and compared ${result ? describe(result) : 'all rows'} in ${seconds}.${refused}

Next, set DATABASE_URL to the new database and restart the server. Keep the data directory: it has the settings.
To use the SQLite store again instead, run \`openapi-pages-app migrate-store --undo\`.`)
    return 0
  } finally {
    await opened.close()
  }
}

async function findSource(from: string | undefined, env: Environment): Promise<string> {
  const given =
    from === undefined ? join((await readConfig(env)).dataDir, databaseFileName) : /^sqlite:(?:\/\/)?(.+)$/.exec(from)?.[1]
  if (given === undefined) {
    throw new ConfigError('unexpected --from, expected sqlite:PATH', {
      hint: 'For example --from sqlite:/data/openapi-pages.sqlite. Only stores in SQLite can be moved',
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
function readKeyFiles(dataDir: string): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  if (existsSync(join(dataDir, linkKeyFileName))) keys.set('link-key', readLinkKey(dataDir).toString('hex'))
  const credentials = readCredentials(dataDir)
  if (credentials && 'appId' in credentials) keys.set('github-app', JSON.stringify(credentials))
  return keys
}

/** How long to wait for running updates. Longer ones run again on the new database. */
const drainMs = 60_000

async function runMove(
  opened: Pick<Move, 'tables' | 'source' | 'target' | 'targetPlace'>,
  copyOnly: boolean,
): Promise<MoveResult> {
  const { moveStore } = await import('../../store/move-store.ts')
  const stopping = new AbortController()
  const stop = () => stopping.abort(new ConfigError('stopped', { hint: 'Run the command again to continue' }))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const printer = createPrinter()
  try {
    return await moveStore({ ...opened, signal: stopping.signal, drainMs, copyOnly, report: printer.report })
  } catch (error) {
    // An aborted wait has its own error.
    stopping.signal.throwIfAborted()
    throw error
  } finally {
    printer.end()
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

const phases: Readonly<Record<MovePhase, string>> = {
  copy: 'Copying rows. The server works as before.',
  compare: 'Comparing every row. The server works as before.',
  'stop-writes': 'Refusing writes. The server still serves reads.',
  'last-changes': 'Copying the last changes.',
}

const maxDifferences = 20

/** How often to print a line about a large table if the output is not a terminal. */
const lineEveryMs = 10_000

/** Prints a line for each table, and in a terminal the state of the current one. */
function createPrinter(): { report(event: MoveEvent): void; end(): void } {
  const terminal = process.stderr.isTTY ? process.stderr : undefined
  let tableStartedAt = performance.now()
  let printedAt = tableStartedAt
  let differences = 0
  let waitingFor = 0
  const clear = () => terminal?.write('\r\u001b[K')
  const print = (line: string) => {
    clear()
    console.log(line)
    printedAt = performance.now()
  }
  return {
    report(event) {
      switch (event.kind) {
        case 'begin':
          print(`\n${phases[event.phase]}`)
          tableStartedAt = performance.now()
          return
        case 'progress': {
          const seconds = toSeconds(performance.now() - tableStartedAt)
          const size = toBytes(event.bytes)
          const line = `  ${event.table.padEnd(20)} ${toCount(event.rows, 'row').padStart(16)} ${size.padStart(9)} ${seconds.padStart(8)}`
          if (event.isDone) {
            if (event.rows > 0) print(line)
            tableStartedAt = performance.now()
          } else if (terminal) {
            clear()
            terminal.write(line.slice(0, terminal.columns - 1))
          } else if (performance.now() - printedAt > lineEveryMs) print(line)
          return
        }
        case 'difference': {
          differences += 1
          const key = event.key.length === 0 ? '' : ` ${event.key.join(' ')}`
          if (differences <= maxDifferences) print(`  ✖ ${event.table}${key}: ${event.what}`)
          return
        }
        case 'waiting':
          if (event.jobs !== waitingFor)
            print(event.jobs === 0 ? '  All jobs have ended' : `  Waiting for ${toCount(event.jobs, 'running job')}`)
          waitingFor = event.jobs
          return
        case 'changes':
          print(`  ${toCount(event.rows, 'row')}`)
      }
    },
    end: clear,
  }
}

function describe({ rows, bytes }: MoveResult): string {
  return `${toCount(rows, 'row')} (${toBytes(bytes)})`
}

function toSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function toBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

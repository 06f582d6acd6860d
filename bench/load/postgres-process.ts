import pg from 'pg'
import { startPostgres, type TestPostgres } from '../../test/support/postgres.ts'
import { serveCommands } from './command-process.ts'

// A private PostgreSQL server, in a separate process, because starting and stopping it blocks.

let postgres: TestPostgres | undefined
let url = ''
const hogs: pg.Client[] = []

const commands = {
  async start({ settings }: { readonly settings: readonly string[] }): Promise<string> {
    postgres = startPostgres({ settings })
    url = await postgres.createDatabase()
    return url
  },
  async kill() {
    postgres?.kill()
  },
  async startAgain() {
    postgres?.start()
  },
  async query(text: string): Promise<readonly unknown[]> {
    const client = new pg.Client(url)
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  },
  /** Ends the connections of the app, then takes all connections that the server has. */
  async takeConnections(): Promise<number> {
    for (;;) {
      const client = new pg.Client({ connectionString: url, application_name: 'hog' })
      client.on('error', () => undefined)
      try {
        await client.connect()
        hogs.push(client)
        await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'openapi-pages' and pid <> pg_backend_pid()`,
        )
      } catch {
        return hogs.length
      }
    }
  },
  async returnConnections() {
    await Promise.all(hogs.splice(0).map((client) => client.end().catch(() => undefined)))
  },
}

export type PostgresCommands = typeof commands

serveCommands(commands, () => postgres?.stop())

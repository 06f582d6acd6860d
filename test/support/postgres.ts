import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

/** A PostgreSQL server of a test, with a private data directory. It listens on a Unix socket only. */
export interface TestPostgres {
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>
  /** Ends the server at once, as a power failure does. */
  kill(): void
  start(): void
  stop(): void
  /** The folder of the Unix socket, which the user of the server can write. */
  readonly folder: string
  /** For child processes that must run as the user of the server. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined
  /** Runs one of PostgreSQL's programs as the user of the server. */
  run(program: string, ...args: readonly string[]): void
}

/** Where Debian installs PostgreSQL's programs, in the newest version; `undefined` if they are missing. */
function findPostgres(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map((version) => join(root, version, 'bin')).find((folder) => existsSync(join(folder, 'initdb')))
}

/** Whether tests can start and kill a private server. */
export const canStartPostgres = findPostgres() !== undefined

/** Whether tests can create databases: with an installed PostgreSQL or with DATABASE_URL. */
export const hasPostgres = canStartPostgres || process.env['OPENAPI_PAGES_TEST_DATABASE_URL'] !== undefined

/** Creates databases on the server of DATABASE_URL, or on a new private one. */
export function startTestDatabases(): Pick<TestPostgres, 'createDatabase' | 'stop'> {
  const given = process.env['OPENAPI_PAGES_TEST_DATABASE_URL']
  if (given === undefined) return startPostgres()
  return {
    createDatabase: () =>
      createDatabase(given, (name) => {
        const url = new URL(given)
        url.pathname = name
        return url.href
      }),
    stop: () => undefined,
  }
}

/** Starts a server in a temporary folder. PostgreSQL refuses to run as root, so that root starts it as the user `postgres`. */
export function startPostgres({
  settings = [],
  restore,
}: {
  readonly settings?: readonly string[]
  /** A base backup that replaces the empty data directory. */
  readonly restore?: string
} = {}): TestPostgres {
  const programs = findPostgres()
  if (programs === undefined) throw new Error('PostgreSQL is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'openapi-pages-postgres-'))
  const data = join(folder, 'data')
  const user = process.getuid?.() === 0 ? { uid: toId('-u'), gid: toId('-g') } : undefined
  if (user) chownSync(folder, user.uid, user.gid)
  const run = (program: string, ...args: readonly string[]) => {
    execFileSync(join(programs, program), args, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  }
  if (restore === undefined)
    run('initdb', '--pgdata', data, '--auth', 'trust', '--username', 'postgres', '--encoding', 'UTF8', '--no-sync')
  else {
    execFileSync('cp', ['-a', restore, data], { ...user })
    writeFileSync(join(data, 'recovery.signal'), '')
  }
  const given = ['listen_addresses=', `unix_socket_directories=${folder}`, 'max_connections=60', ...settings]
  const options = given.map((setting) => `-c ${setting}`).join(' ')
  const start = () => {
    run('pg_ctl', 'start', '--pgdata', data, '--wait', '--silent', '--log', join(folder, 'log'), '--options', options)
  }
  const stop = (mode: string) => {
    spawnSync(join(programs, 'pg_ctl'), ['stop', '--pgdata', data, '--mode', mode, '--wait'], {
      ...user,
      cwd: folder,
      stdio: 'ignore',
    })
  }
  start()
  const toUrl = (database: string) => `postgres://postgres@/${database}?host=${encodeURIComponent(folder)}`
  return {
    createDatabase: () => createDatabase(toUrl('postgres'), toUrl),
    folder,
    user,
    run,
    kill: () => stop('immediate'),
    start,
    stop() {
      stop('immediate')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function createDatabase(server: string, toUrl: (database: string) => string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client(server)
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return toUrl(name)
}

function toId(option: '-u' | '-g'): number {
  return Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
}

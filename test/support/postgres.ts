import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { oncePerRun } from './once-per-run.ts'

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

/** Databases on a server that other test files use at the same time. */
interface TestDatabases {
  /** Creates a database and returns its URL: an empty one, or a copy of one that no connection uses. */
  createDatabase(template?: string): Promise<string>
  /** Deletes the databases. Nothing may use them any more. */
  deleteDatabases(): Promise<void>
  /** Deletes all databases. */
  stop(): Promise<void>
}

/**
 * Creates databases on the server of DATABASE_URL, or on one that all files of the run share and that starts with the first database. It keeps
 * nothing after a power failure.
 */
export function startTestDatabases(): TestDatabases {
  const given = process.env['OPENAPI_PAGES_TEST_DATABASE_URL']
  const toUrl = (name: string) =>
    given === undefined ? toSocketUrl(startSharedServer())(name) : Object.assign(new URL(given), { pathname: name }).href
  const findServer = () => given ?? toUrl('postgres')
  const created: string[] = []
  const deleteDatabases = async () => {
    if (created.length === 0) return
    const client = new pg.Client(findServer())
    await client.connect()
    for (const name of created.splice(0)) await client.query(`drop database if exists ${name} with (force)`)
    await client.end()
  }
  return {
    async createDatabase(template) {
      const name = await createDatabase(findServer(), template && /test_\w+/.exec(template)?.[0])
      created.push(name)
      return toUrl(name)
    },
    deleteDatabases,
    stop: deleteDatabases,
  }
}

/** Starts a server in a temporary folder. PostgreSQL refuses to run as root, so that root starts it as the user `postgres`. */
export function startPostgres({
  settings = [],
  parent = tmpdir(),
  restore,
}: {
  readonly settings?: readonly string[]
  readonly parent?: string
  /** A base backup that replaces the empty data directory. */
  readonly restore?: string
} = {}): TestPostgres {
  const programs = findPostgres()
  if (programs === undefined) throw new Error('PostgreSQL is not installed')
  const folder = mkdtempSync(join(parent, 'openapi-pages-postgres-'))
  const data = join(folder, 'data')
  const user = findUser()
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
  start()
  const toUrl = toSocketUrl(folder)
  return {
    createDatabase: async () => toUrl(await createDatabase(toUrl('postgres'))),
    folder,
    user,
    run,
    kill: () => killServer(folder),
    start,
    stop() {
      killServer(folder)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function killServer(folder: string): void {
  const args = ['stop', '--pgdata', join(folder, 'data'), '--mode', 'immediate', '--wait']
  spawnSync(join(findPostgres() ?? '', 'pg_ctl'), args, { ...findUser(), cwd: folder, stdio: 'ignore' })
}

/** The user of a server that root starts. */
function findUser(): TestPostgres['user'] {
  return process.getuid?.() === 0 ? { uid: toId('-u'), gid: toId('-g') } : undefined
}

/** Returns its name. */
async function createDatabase(server: string, template?: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client(server)
  await client.connect()
  await client.query(`create database ${name}${template ? ` template ${template}` : ''}`)
  await client.end()
  return name
}

/** URLs of databases by name, for a server with a Unix socket in this folder. */
function toSocketUrl(folder: string): (database: string) => string {
  return (database) => `postgres://postgres@/${database}?host=${encodeURIComponent(folder)}`
}

/** Has the path of the shared server's folder. */
const sharedServerFile = 'postgres-folder'

/** No test of this server is about a power failure, and it must not wait for the disk. */
const fastSettings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off', 'max_wal_size=64MB']

/** Returns the folder of the server's Unix socket. */
function startSharedServer(): string {
  const shared = process.env['OPENAPI_PAGES_TEST_SHARED'] ?? tmpdir()
  const file = join(shared, sharedServerFile)
  oncePerRun('postgres', () => {
    // A watched run has the server already.
    if (!existsSync(file))
      writeFileSync(file, startPostgres({ parent: shared, settings: [...fastSettings, 'max_connections=300'] }).folder)
  })
  return readFileSync(file, 'utf8')
}

/** Stops the server that the files of the run have shared. */
export function stopSharedServer(): void {
  const file = join(process.env['OPENAPI_PAGES_TEST_SHARED'] ?? '', sharedServerFile)
  if (existsSync(file)) killServer(readFileSync(file, 'utf8'))
}

function toId(option: '-u' | '-g'): number {
  return Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
}

import { randomUUID } from 'node:crypto'
import { closeSync, constants, fsyncSync, linkSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate, setTimeout } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type LimitNode,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  SqliteQueryCompiler,
  type SqliteStatement,
  ValueNode,
} from 'kysely'
import { StoreError } from '../../text/errors.ts'
import { readOwn } from '../../text/json/json-values.ts'
import { createTableVersions, noteChanges, type TableVersions, waitUntilNoticed } from '../database/table-versions.ts'
import type { Tables } from '../database/tables.ts'
import { connectSqlite, prepareSqlite, sqlite, toErrorCode } from './node-sqlite.ts'

/** Create the file, and do not follow a link in its place. Windows does not have the last flag. */
const databaseFlags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

/**
 * Opens or creates the database file with two connections, of which all writes use one, so that readers never see uncommitted data: WAL mode, every commit synced to disk, readable only by its owner.
 *
 * @param busyTimeoutMs How long a transaction waits for a writer in another process.
 * @throws {StoreError} when the file or its folder cannot be used, or is not an SQLite database.
 */
export function openSqliteDatabase(path: string, busyTimeoutMs = 5_000) {
  const guarded = guard(path)
  const [writer, reader] = guarded('open', () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // SQLite would create a world-readable file. `-wal` and `-shm` inherit its mode.
    closeSync(openSync(path, databaseFlags, 0o600))
    const writable = connectSqlite(path, { readOnly: false, busyTimeoutMs })
    try {
      useWriteAheadLog(writable, busyTimeoutMs)
      // From here on every write is a transaction, which waits without blocking the process.
      writable.exec('pragma synchronous = FULL; pragma busy_timeout = 0')
      return [writable, connectSqlite(path, { readOnly: true, busyTimeoutMs })] as const
    } catch (error) {
      writable.close()
      throw error
    }
  })
  const readerDatabase = toKysely(reader, guarded, busyTimeoutMs)
  const writerDatabase = toKysely(writer, guarded, busyTimeoutMs)
  const versions = watchVersions(writer)
  const write = noteChanges(async (work) => {
    // SQLite does not wait for anything, so transactions one after another would block the process.
    await setImmediate()
    return await writerDatabase.transaction().execute(work)
  }, versions.change)
  let closed: Promise<void> | undefined
  return {
    writer: writerDatabase,
    write,
    reader: readerDatabase,
    versions,
    close() {
      closed ??= closeBoth()
      return closed
    },
  }

  async function closeBoth(): Promise<void> {
    // Waits for pending writes. Closes even if they fail.
    await write(async () => undefined).catch(() => undefined)
    for (const database of [readerDatabase, writerDatabase]) {
      // Connections are handed out in order, so this waits for earlier work.
      await database.connection().execute(async () => {})
      await database.destroy()
    }
  }
}

/** Opens a database file that no process has open, for reading. @throws {StoreError} As `connectAlone`. */
export function openUnusedSqlite(path: string) {
  const reader = toKysely(connectAlone(path), guard(path), 0)
  return { reader, close: () => reader.destroy() }
}

/**
 * Opens a database file that no process has open. No process can open it until the connection is closed or this process ends.
 *
 * @throws {StoreError} if a process has it open, or the file cannot be used.
 */
export function connectAlone(path: string): DatabaseSync {
  try {
    return guard(path)('open', () => {
      const opened = connectSqlite(path, { readOnly: false, busyTimeoutMs: 0 })
      try {
        // In this mode, the connection keeps the lock of the transaction. SQLite needs write access for it.
        opened.exec('pragma locking_mode = exclusive; begin exclusive; rollback; pragma query_only = on')
        return opened
      } catch (error) {
        opened.close()
        throw error
      }
    })
  } catch (cause) {
    if (!(cause instanceof StoreError && cause.code === 'SQLITE_BUSY')) throw cause
    throw new StoreError(`Cannot open the store ${path}: another process uses it`, {
      code: 'SQLITE_BUSY',
      hint: 'Stop the server and all commands that use the store, and try again',
      cause,
    })
  }
}

/** Milliseconds until a process notices a commit of another one. */
const noticeMs = 20

/**
 * Notices the commits of other processes, which are mostly commands of an administrator. Asks SQLite every few milliseconds, because asking it for
 * each request would take a quarter of the time of a short request.
 *
 * @param writer The connection for all writes of this process: its `data_version` changes only with commits of other connections.
 */
function watchVersions(writer: DatabaseSync): TableVersions {
  const { read, change, changeEverything } = createTableVersions()
  const dataVersion = writer.prepare('pragma data_version')
  let known: unknown
  let lookAt = 0
  const look = () => {
    try {
      const current = dataVersion.get()?.['data_version']
      if (current !== known) changeEverything()
      known = current
    } catch {
      // The file is locked or cannot be read. The query for the value waits, or reports the error.
      changeEverything()
    }
  }
  return {
    read(tables) {
      const now = performance.now()
      if (now >= lookAt) {
        lookAt = now + noticeMs
        look()
      }
      return read(tables)
    },
    change,
    untilNoticed: () => waitUntilNoticed(noticeMs),
  }
}

/** Blocks like SQLite's own wait. */
const pauseMs = 10

/**
 * SQLite does not wait to change the journal mode: if two processes open a new file at the same time, one fails at once.
 *
 * Source: https://www.sqlite.org/wal.html, "Sometimes Queries Return SQLITE_BUSY In WAL Mode".
 */
function useWriteAheadLog(database: DatabaseSync, busyTimeoutMs: number): void {
  for (
    const giveUpAt = performance.now() + busyTimeoutMs;
    ;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
  ) {
    try {
      database.exec('pragma journal_mode = WAL')
      return
    } catch (error) {
      if (toErrorCode(error) !== 'SQLITE_BUSY' || performance.now() > giveUpAt) throw error
    }
  }
}

type Guarded = <Value>(verb: string, work: () => Value) => Value

/** Converts SQLite's errors to a `StoreError` with the file and a hint. */
function guard(path: string): Guarded {
  return (verb, work) => {
    try {
      return work()
    } catch (error) {
      const code = toErrorCode(error)
      if (!(error instanceof Error) || code === undefined) throw error
      // A full disk is one cause of `SQLITE_IOERR_SHMSIZE` and similar codes.
      const hint = readOwn(hints, code) ?? (code.startsWith('SQLITE_IOERR') ? hints['SQLITE_IOERR'] : undefined)
      throw new StoreError(`Cannot ${verb} the store ${path}: ${error.message}`, {
        code,
        cause: error,
        ...(hint ? { hint } : {}),
      })
    }
  }
}

const hints: Readonly<Record<string, string>> = {
  SQLITE_FULL: 'Free some disk space',
  SQLITE_IOERR: 'Check that the disk works and has free space',
  SQLITE_BUSY: 'Check whether another process is copying or checking the file, and wait until it has finished',
  SQLITE_NOTADB: 'Choose another file or restore a backup. This file is not an SQLite database',
  SQLITE_CORRUPT: 'Restore a backup. The file is damaged',
  SQLITE_READONLY: 'Give the user that runs openapi-pages write access to the file and its directory',
  SQLITE_CANTOPEN: 'Give the user that runs openapi-pages write access to the file and its directory',
  EACCES: 'Give the user that runs openapi-pages write access to the file and its directory',
  EROFS: 'Move the data directory to a writable disk',
  ENOSPC: 'Free some disk space',
}

function toKysely(database: DatabaseSync, guarded: Guarded, busyTimeoutMs: number): Kysely<Tables> {
  const config = { database: withPreparedStatements(database, guarded) }
  const dialect = new SqliteDialect(config)
  dialect.createDriver = () => new WaitingSqliteDriver(config, database, busyTimeoutMs)
  dialect.createQueryCompiler = () => new LimitCompiler()
  return new Kysely<Tables>({ dialect })
}

/** Writes limits as numbers: SQLite prepares a statement again whenever its limit is a parameter, which often takes longer than the query. */
class LimitCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(ValueNode.is(node.limit) ? { ...node, limit: ValueNode.createImmediate(node.limit.value) } : node)
  }
}

/** Maximum number of cached statements: there are few texts, but lists of IDs vary in length. */
const maxStatements = 300

/** Caches prepared statements: Kysely prepares one for every query, mostly the same few. */
function withPreparedStatements(database: DatabaseSync, guarded: Guarded) {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => database.close(),
    prepare(sql: string): SqliteStatement {
      const known = statements.get(sql)
      if (known) return known
      if (statements.size >= maxStatements) statements.clear()
      const statement = toGuarded(
        guarded('use', () => prepareSqlite(database, sql)),
        guarded,
      )
      statements.set(sql, statement)
      return statement
    },
  }
}

function toGuarded(statement: SqliteStatement, guarded: Guarded): SqliteStatement {
  return {
    reader: statement.reader,
    all: (parameters) => guarded('read', () => statement.all(parameters)),
    run: (parameters) => guarded('write', () => statement.run(parameters)),
    iterate: (parameters) => guarded('read', () => statement.iterate(parameters)),
  }
}

/**
 * Transactions that take the write lock at their beginning, waiting for it without blocking the process.
 *
 * A transaction that reads before it writes would fail if another process wrote in between. SQLite's own wait blocks the thread,
 * so that a transaction of this process that holds the lock could never end.
 */
class WaitingSqliteDriver extends SqliteDriver {
  readonly #database: DatabaseSync
  readonly #busyTimeoutMs: number
  constructor(config: SqliteDialectConfig, database: DatabaseSync, busyTimeoutMs: number) {
    super(config)
    this.#database = database
    this.#busyTimeoutMs = busyTimeoutMs
  }
  /** On a full disk SQLite rolls back automatically. A second rollback would hide the original error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection)
  }
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const giveUpAt = performance.now() + this.#busyTimeoutMs
    for (;;) {
      try {
        await connection.executeQuery(CompiledQuery.raw('begin immediate'))
        return
      } catch (error) {
        const isBusy = error instanceof StoreError && error.code === 'SQLITE_BUSY'
        if (!isBusy || performance.now() > giveUpAt) throw error
        await setTimeout(1 + Math.random() * 4)
      }
    }
  }
}

/** 4 MB at a time, so that the process can do other work in between. */
const pagesPerStep = 1_000

/**
 * Copies an SQLite database in use into a new file: a consistent, checked and synced snapshot, readable only by its owner.
 *
 * @throws {StoreError} when `target` exists, cannot be written, or the copy is damaged. No partial copy remains.
 */
export async function backUpSqlite(path: string, target: string): Promise<void> {
  const temporary = `${target}.${randomUUID()}.tmp`
  try {
    closeSync(openSync(temporary, 'wx', 0o600))
    const source = connectSqlite(path, { readOnly: true, busyTimeoutMs: 5_000 })
    try {
      // An open read transaction pins the snapshot. Without it, every commit of another process restarts the copy.
      source.exec('begin')
      source.prepare('select 1 from schema_version').get()
      await sqlite.backup(source, resolve(temporary), { rate: pagesPerStep })
    } finally {
      source.close()
    }
    checkCopy(temporary, target)
    sync(temporary)
    // Unlike a rename, a link never replaces a file.
    linkSync(temporary, target)
    sync(dirname(target))
  } catch (error) {
    if (error instanceof StoreError || !(error instanceof Error)) throw error
    const code = toErrorCode(error)
    throw new StoreError(
      `Cannot back up the store to ${target}: ${code === 'EEXIST' ? 'the file already exists' : error.message}`,
      {
        cause: error,
        ...(code === undefined ? {} : { code }),
        ...(code === 'EEXIST' ? { hint: 'Choose a file that does not exist yet' } : {}),
      },
    )
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${temporary}${suffix}`, { force: true })
  }
}

function checkCopy(temporary: string, target: string): void {
  const copy = connectSqlite(temporary, { readOnly: false, busyTimeoutMs: 0 })
  try {
    // A single file without a log. Opening it as a store restores WAL mode.
    copy.exec('pragma journal_mode = DELETE')
    const result = copy.prepare('pragma quick_check').get()?.['quick_check']
    if (result !== 'ok') throw new StoreError(`Cannot back up the store to ${target}: the copy is damaged: ${String(result)}`)
    // A server that starts on the copy reads this and knows that later data may be missing.
    copy.prepare(`insert or replace into facts (name, value) values ('backup-of', ?)`).run(new Date().toISOString())
  } finally {
    copy.close()
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

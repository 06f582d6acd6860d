import { resolve } from 'node:path'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { SqliteStatement } from 'kysely'

/** Node's SQLite module. Import it from here, because Node 22 prints a warning when it loads `node:sqlite`. */
export const sqlite = withoutSqliteWarning(() => process.getBuiltinModule('node:sqlite'))

/** Suppresses the warning that Node 22 emits while it loads `node:sqlite`, and no other. */
export function withoutSqliteWarning<Value>(load: () => Value): Value {
  const { emitWarning } = process
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) Reflect.apply(emitWarning, process, [warning, ...rest])
  }
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}

/**
 * Opens a connection.
 *
 * @param busyTimeoutMs How long a statement waits, blocking the thread, while another process holds the lock.
 */
export function connectSqlite(
  path: string,
  { readOnly, busyTimeoutMs }: { readOnly: boolean; busyTimeoutMs: number },
): DatabaseSync {
  // SQLite would read a relative path such as `file:a` as a URI.
  const connection = new sqlite.DatabaseSync(resolve(path), { readOnly, timeout: busyTimeoutMs })
  try {
    // 16 MB: SQLite's default of 2 MB is less than the indexes of a large store.
    connection.exec('pragma cache_size = -16000')
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Prepares a statement for Kysely's `SqliteDialect`. Rows are plain objects; blobs are `Uint8Array`s. */
export function prepareSqlite(connection: DatabaseSync, text: string): SqliteStatement {
  const statement = connection.prepare(text)
  let names = statement.columns().map(({ name }) => name)
  // Converting arrays to objects here is faster than Node's own row objects.
  statement.setReturnArrays(true)
  const toRow = (values: readonly unknown[]) => {
    // SQLite prepares the statement again after a schema change.
    if (values.length !== names.length) names = statement.columns().map(({ name }) => name)
    const row: Record<string, unknown> = {}
    for (let index = 0; index < names.length; index++) row[names[index] ?? ''] = values[index]
    return row
  }
  // Kysely passes parameters unchanged. Node rejects values that SQLite cannot store.
  const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
  return {
    reader: names.length > 0,
    // With `setReturnArrays` the rows are arrays, unlike in the types.
    all: (parameters) => (statement.all(...bind(parameters)) as unknown as unknown[][]).map(toRow),
    run: (parameters) => statement.run(...bind(parameters)),
    *iterate(parameters) {
      for (const row of statement.iterate(...bind(parameters))) yield toRow(row as unknown as unknown[])
    },
  }
}

/**
 * The name of SQLite's primary result code, such as `SQLITE_FULL`, or of a file error, such as `EACCES`.
 *
 * Undefined for all other errors, which are bugs.
 *
 * Source: https://www.sqlite.org/rescode.html.
 */
export function toErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined
  // The higher bits hold the extended code.
  if ('errcode' in error) return `SQLITE_${codes[Number(error.errcode) & 0xff] ?? error.errcode}`
  return 'syscall' in error ? String(error.code) : undefined
}

const codes = [
  ...['OK', 'ERROR', 'INTERNAL', 'PERM', 'ABORT', 'BUSY', 'LOCKED', 'NOMEM', 'READONLY', 'INTERRUPT', 'IOERR'],
  ...['CORRUPT', 'NOTFOUND', 'FULL', 'CANTOPEN', 'PROTOCOL', 'EMPTY', 'SCHEMA', 'TOOBIG', 'CONSTRAINT', 'MISMATCH'],
  ...['MISUSE', 'NOLFS', 'AUTH', 'FORMAT', 'RANGE', 'NOTADB'],
]

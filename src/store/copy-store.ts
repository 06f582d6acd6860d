import { createHash } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { StoreError } from '../text/errors.ts'
import { readOwn } from '../text/json/json-values.ts'
import { groupBy } from '../text/plain/lists.ts'
import { compatibleFromFact, migrations } from './database/migrations.ts'
import { keepFact, toTime } from './database/store-database.ts'
import type { Tables } from './database/tables.ts'
import { migratePostgres } from './postgres/open-postgres.ts'
import { openPostgresDatabase } from './postgres/postgres-database.ts'
import { longTimes } from './postgres/postgres-pool.ts'
import { openUnusedSqlite } from './sqlite/sqlite-database.ts'

export interface CopyProgress {
  readonly table: string
  readonly rows: number
  readonly bytes: number
  /** Whether all rows of the table were copied and compared. */
  readonly isDone: boolean
}

/**
 * Copies all rows of an SQLite store that no process uses to an empty PostgreSQL database, in one transaction: a copy that fails or is killed
 * leaves the database empty. Reads each copied table again, and compares the number of rows and a checksum. The SQLite store does not change.
 *
 * @param options.secrets The keys of the server, by name, for the table `secrets`.
 * @param options.report Called after each batch of rows.
 * @throws {StoreError} if the SQLite store is in use or has another version, or the database is not empty.
 */
export async function copyStore(options: {
  readonly path: string
  readonly url: string
  readonly secrets: ReadonlyMap<string, string>
  readonly report: (progress: CopyProgress) => void
}): Promise<{ readonly rows: number; readonly bytes: number }> {
  const { path, url, secrets, report } = options
  const source = openUnusedSqlite(path)
  const target = openPostgresDatabase(url, { connections: 1, times: longTimes })
  try {
    await rejectOtherVersion(source.reader, path)
    const tables = await readTableShapes(source.reader)
    await migratePostgres(target.database, toTime(Date.now()))
    // A server on this database cannot write meanwhile.
    return await target.write(async (transaction) => {
      for (const table of tables) await rejectRows(transaction, table, target.place)
      // Its row was written with the schema.
      await transaction.deleteFrom('site_totals').execute()
      const total = { rows: 0, bytes: 0 }
      for (const table of tables) {
        const { rows, bytes } = await copyTable(source.reader, transaction, table, report)
        total.rows += rows
        total.bytes += bytes
      }
      for (const [name, value] of secrets) await keepFact(transaction, name, value, 'secrets')
      return total
    })
  } finally {
    await source.close()
    await target.close()
  }
}

/** @throws {StoreError} if the program of the store has other tables than this one. */
async function rejectOtherVersion(source: Kysely<Tables>, path: string): Promise<void> {
  const { version } = await source
    .selectFrom('schema_version')
    .select((expression) => expression.fn.max('version').as('version'))
    .executeTakeFirstOrThrow()
  if (version === migrations.length) return
  throw new StoreError(
    `Cannot copy the store ${path}: its schema has version ${version}, and this program needs version ${migrations.length}`,
    { hint: 'Use the version of openapi-pages that wrote it, or start the server of this version once with this store' },
  )
}

interface TableShape {
  readonly name: string
  readonly columns: readonly string[]
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[]
}

type Row = Readonly<Record<string, unknown>>

/** Facts about the database, not about the data. */
const factsOfDatabase = ['identity', 'probe', compatibleFromFact]

/** All tables with data, by name. */
async function readTableShapes(source: Kysely<Tables>): Promise<TableShape[]> {
  const { rows } = await sql<{ readonly name: string; readonly column: string; readonly position: number }>`
    select s.name, c.name as "column", c.pk as position
    from sqlite_schema s join pragma_table_info(s.name) c
    where s.type = 'table' and s.name not like 'sqlite_%' and s.name <> 'schema_version'
    order by s.name, c.cid`.execute(source)
  return [...groupBy(rows, ({ name }) => name)].map(([name, columns]) => ({
    name,
    columns: columns.map(({ column }) => column),
    key: columns
      .filter(({ position }) => position > 0)
      .toSorted((a, b) => a.position - b.position)
      .map(({ column }) => column),
  }))
}

/** @throws {StoreError} if the target has data. */
async function rejectRows(target: Kysely<Tables>, table: TableShape, place: string): Promise<void> {
  const rows = await readRows(target, table, { limit: 1 })
  const isInitial = table.name === 'site_totals' && rows.every((row) => row['builds'] === 0 && row['contents'] === 0)
  if (rows.length === 0 || isInitial) return
  throw new StoreError(`Cannot copy to the store ${place}: its table ${table.name} already has rows`, {
    hint: 'Create an empty database and name it with --to',
  })
}

async function copyTable(
  source: Kysely<Tables>,
  target: Kysely<Tables>,
  table: TableShape,
  report: (progress: CopyProgress) => void,
): Promise<{ readonly rows: number; readonly bytes: number }> {
  const read = new Checksum(table)
  for await (const rows of readBatches(source, table)) {
    const values = rows.map((row) => sql`(${sql.join(table.columns.map((column) => readOwn(row, column)))})`)
    await sql`insert into ${sql.table(table.name)} (${toList(table.columns)}) values ${sql.join(values)}`.execute(target)
    read.add(rows)
    report({ table: table.name, rows: read.rows, bytes: read.bytes, isDone: false })
  }
  const stored = new Checksum(table)
  for await (const rows of readBatches(target, table)) stored.add(rows)
  const { rows, bytes } = read
  if (stored.rows !== rows) throw new StoreError(`Cannot copy the table ${table.name}: ${rows} rows became ${stored.rows}`)
  if (stored.digest() !== read.digest()) throw new StoreError(`Cannot copy the table ${table.name}: the copied rows differ`)
  report({ table: table.name, rows, bytes, isDone: true })
  return { rows, bytes }
}

/** Counts rows in the order of their keys, and computes a checksum of all their values. */
class Checksum {
  rows = 0
  /** The approximate size of all values. */
  bytes = 0
  readonly #columns: readonly string[]
  readonly #hash = createHash('sha256')

  constructor({ columns }: TableShape) {
    this.#columns = columns
  }

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      for (const column of this.#columns) {
        const value = readOwn(row, column)
        const bytes = value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value))
        this.#hash.update(`${bytes === value ? 'bytes' : 'JSON'} ${bytes.length} `).update(bytes)
        this.bytes += bytes.length
      }
    }
    this.rows += rows.length
  }

  digest(): string {
    return this.#hash.digest('hex')
  }
}

/** About this much is in memory at a time. */
const batchBytes = 2_000_000
const maxBatchRows = 500

/** All rows of a table in the order of their keys, which is the same in both databases. */
async function* readBatches(database: Kysely<Tables>, table: TableShape): AsyncGenerator<readonly Row[]> {
  let after: readonly unknown[] | undefined
  // The first rows may be large.
  for (let limit = 20; ; ) {
    const rows = await readRows(database, table, { after, limit })
    const last = rows.at(-1)
    if (!last) return
    yield rows
    if (rows.length < limit) return
    after = table.key.map((column) => readOwn(last, column))
    let bytes = 0
    for (const value of rows.flatMap((row) => Object.values(row)))
      bytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
    limit = Math.min(maxBatchRows, Math.max(1, Math.floor((batchBytes * rows.length) / bytes)))
  }
}

async function readRows(
  database: Kysely<Tables>,
  { name, columns, key }: TableShape,
  { after, limit }: { readonly after?: readonly unknown[] | undefined; readonly limit: number },
): Promise<readonly Row[]> {
  const isAfter = after ? sql`(${toList(key)}) > (${sql.join(after)})` : sql`1 = 1`
  const isData = name === 'facts' ? sql`name not in (${sql.join(factsOfDatabase)})` : sql`1 = 1`
  const { rows } = await sql<Row>`
    select ${toList(columns)} from ${sql.table(name)} where ${isAfter} and ${isData}
    order by ${toList(key)} limit ${sql.lit(limit)}`.execute(database)
  return rows
}

function toList(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)))
}

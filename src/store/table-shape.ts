import { type Kysely, type RawBuilder, sql } from 'kysely'
import { groupBy } from '../source/group-by.ts'
import type { Tables } from './tables.ts'

/** A table whose rows belong to the data of a store. */
export interface TableShape {
  readonly name: string
  readonly columns: readonly string[]
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[]
  /** Rows that describe the database and not the data, by the first column of the key. */
  readonly skipped: readonly string[]
}

export type Row = Readonly<Record<string, unknown>>

/** The values of a primary key. */
export type Key = readonly unknown[]

/** The table of a target with the progress of a move. */
export const progressTable = 'store_moves'

/** The table of an SQLite store with the keys of rows that changed during a move. */
export const changesTable = 'store_changes'

/** The fact of a store that is moving: the ID of the move. In the target it is `movingFromFact`. */
export const movingFact = 'moving'

/** The fact of a target: the ID of a move that has not finished. */
export const movingFromFact = 'moving-from'

/** The fact of a store that was moved: where. */
export const movedToFact = 'moved-to'

/** The fact that names the oldest program that can use the store, as its number of steps. */
export const compatibleFromFact = 'compatible-from'

const notData: ReadonlySet<string> = new Set(['schema_version', progressTable, changesTable])

const factsOfDatabase = ['identity', 'probe', compatibleFromFact, movingFact, movingFromFact, movedToFact]

/** Every table of an SQLite store with data, by name. */
export async function readTableShapes(database: Kysely<Tables>): Promise<TableShape[]> {
  const { rows } = await sql<{ readonly name: string; readonly column: string; readonly position: number }>`
    select s.name, c.name as "column", c.pk as position
    from sqlite_schema s join pragma_table_info(s.name) c
    where s.type = 'table' and s.name not like 'sqlite_%' order by s.name, c.cid`.execute(database)
  return [...groupBy(rows, ({ name }) => name)]
    .filter(([name]) => !notData.has(name))
    .map(([name, columns]) => ({
      name,
      columns: columns.map(({ column }) => column),
      key: columns
        .filter(({ position }) => position > 0)
        .toSorted((a, b) => a.position - b.position)
        .map(({ column }) => column),
      skipped: name === 'facts' ? factsOfDatabase : [],
    }))
}

/** Rows with keys greater than `after` and not greater than `until`, in the order of their keys. */
export async function readRange(
  database: Kysely<Tables>,
  table: TableShape,
  { after, until, limit }: { readonly after?: Key | undefined; readonly until?: Key | undefined; readonly limit?: number },
): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select ${toList(table.columns)} from ${sql.table(table.name)} where ${inRange(table, { after, until })}
    order by ${toList(table.key)} ${limit === undefined ? sql`` : sql`limit ${sql.lit(limit)}`}`.execute(database)
  return rows
}

export async function deleteRange(
  database: Kysely<Tables>,
  table: TableShape,
  range: { readonly after?: Key | undefined; readonly until?: Key | undefined },
): Promise<void> {
  await sql`delete from ${sql.table(table.name)} where ${inRange(table, range)}`.execute(database)
}

export async function readRows(database: Kysely<Tables>, table: TableShape, keys: readonly Key[]): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select ${toList(table.columns)} from ${sql.table(table.name)} where ${hasKey(table, keys)}`.execute(database)
  return rows
}

export async function deleteRows(database: Kysely<Tables>, table: TableShape, keys: readonly Key[]): Promise<void> {
  await sql`delete from ${sql.table(table.name)} where ${hasKey(table, keys)}`.execute(database)
}

export async function insertRows(database: Kysely<Tables>, table: TableShape, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map((row) => sql`(${sql.join(table.columns.map((column) => row[column]))})`)
  await sql`insert into ${sql.table(table.name)} (${toList(table.columns)}) values ${sql.join(values)}`.execute(database)
}

export async function countRows(database: Kysely<Tables>, table: TableShape): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*) as count from ${sql.table(table.name)} where ${inRange(table, {})}`.execute(database)
  return Number(rows[0]?.count ?? 0)
}

export function toKey(table: TableShape, row: Row): Key {
  return table.key.map((column) => row[column])
}

/** Whether two rows have equal values, from whichever database. */
export function isSameRow(table: TableShape, one: Row, other: Row): boolean {
  return table.columns.every((column) => isSameValue(one[column], other[column]))
}

function isSameValue(one: unknown, other: unknown): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0
  return one === other
}

/** The approximate size of a row in bytes. */
export function toSize(row: Row): number {
  return Object.values(row).reduce<number>((size, value) => {
    if (typeof value === 'string') return size + Buffer.byteLength(value)
    return size + (value instanceof Uint8Array ? value.length : 8)
  }, 0)
}

function toList(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)))
}

function inRange(
  table: TableShape,
  { after, until }: { readonly after?: Key | undefined; readonly until?: Key | undefined },
): RawBuilder<unknown> {
  const key = sql`(${toList(table.key)})`
  const [first = ''] = table.key
  return sql.join(
    [
      sql`1 = 1`,
      ...(after ? [sql`${key} > (${sql.join(after)})`] : []),
      ...(until ? [sql`${key} <= (${sql.join(until)})`] : []),
      ...(table.skipped.length > 0 ? [sql`${sql.ref(first)} not in (${sql.join(table.skipped)})`] : []),
    ],
    sql` and `,
  )
}

/** Lists of row values have a different syntax in SQLite and PostgreSQL. */
function hasKey(table: TableShape, keys: readonly Key[]): RawBuilder<unknown> {
  const isKey = (key: Key) =>
    sql`(${sql.join(
      key.map((value, index) => sql`${sql.ref(table.key[index] ?? '')} = ${value}`),
      sql` and `,
    )})`
  return sql.join(keys.map(isKey), sql` or `)
}

import { type Kysely, sql } from 'kysely'
import { type Key, progressTable, type TableShape } from './table-shape.ts'
import type { Tables } from './tables.ts'

/** How far a pass over a table has come. */
export interface MoveProgress {
  readonly table: string
  readonly isDone: boolean
  /** All rows up to this key are done. */
  readonly lastKey: Key | undefined
  readonly rows: number
  readonly bytes: number
}

type Pass = 'copy' | 'compare'

/** Creates the table with the progress of a move in its target, which has it only until the move has finished. */
export async function createProgress(target: Kysely<Tables>): Promise<void> {
  await sql`create table if not exists ${sql.table(progressTable)} (
    table_name text not null, pass text not null, done integer not null, last_key text, row_count bigint not null, bytes bigint not null,
    primary key (table_name, pass)
  )`.execute(target)
}

export async function dropProgress(target: Kysely<Tables>): Promise<void> {
  await sql`drop table if exists ${sql.table(progressTable)}`.execute(target)
}

export async function readProgress(target: Kysely<Tables>, { name }: TableShape, pass: Pass): Promise<MoveProgress> {
  const { rows } = await sql<{
    readonly done: number
    readonly last_key: string | null
    readonly row_count: number
    readonly bytes: number
  }>`
    select done, last_key, row_count, bytes from ${sql.table(progressTable)} where table_name = ${name} and pass = ${pass}`.execute(
    target,
  )
  const [row] = rows
  return {
    table: name,
    isDone: row?.done === 1,
    lastKey: row?.last_key ? (JSON.parse(row.last_key) as Key) : undefined,
    rows: row?.row_count ?? 0,
    bytes: row?.bytes ?? 0,
  }
}

export async function saveProgress(target: Kysely<Tables>, pass: Pass, progress: MoveProgress): Promise<void> {
  const { table, isDone, lastKey, rows, bytes } = progress
  const key = lastKey === undefined ? null : JSON.stringify(lastKey)
  await sql`
    insert into ${sql.table(progressTable)} (table_name, pass, done, last_key, row_count, bytes)
    values (${table}, ${pass}, ${isDone ? 1 : 0}, ${key}, ${rows}, ${bytes})
    on conflict (table_name, pass) do update set
      done = excluded.done, last_key = excluded.last_key, row_count = excluded.row_count, bytes = excluded.bytes`.execute(target)
}

import { type Kysely, sql } from 'kysely'
import { StoreError } from './store-context.ts'
import { changesTable, type Key, movedToFact, movingFact, movingFromFact, type TableShape } from './table-shape.ts'
import type { Tables } from './tables.ts'

// Triggers in an SQLite store that moves to another database. They work for every process that uses the store, whatever its version, and
// cost nothing when no store moves.

const refusal =
  'it moves to another database and refuses writes. Wait until the move has finished, or end it with `openapi-pages-app migrate-store --undo`'

/** Records the key of every row that changes from now on. Returns the ID of the move. */
export async function startChangeLog(database: Kysely<Tables>, tables: readonly TableShape[], newId: string): Promise<string> {
  return await database.transaction().execute(async (transaction) => {
    const known = await readMove(transaction)
    if (known !== undefined) return known
    await sql`create table ${sql.table(changesTable)} (
      seq integer primary key autoincrement, table_name text not null, key text not null, unique (table_name, key)
    )`.execute(transaction)
    for (const table of tables) {
      for (const [event, rows] of [
        ['insert', ['new']],
        ['update', ['old', 'new']],
        ['delete', ['old']],
      ] as const) {
        const last = rows.at(-1) ?? 'new'
        const [first = ''] = table.key
        const when =
          table.skipped.length > 0 ? `when ${last}.${quote(first)} not in (${table.skipped.map(toText).join(', ')})` : ''
        const toKey = (row: string) => `json_array(${table.key.map((column) => `${row}.${quote(column)}`).join(', ')})`
        // Not `insert or replace`: a conflict clause of the outer statement would override it.
        const record = (row: string) => `
          delete from ${changesTable} where table_name = ${toText(table.name)} and key = ${toKey(row)};
          insert into ${changesTable} (table_name, key) values (${toText(table.name)}, ${toKey(row)});`
        await sql
          .raw(
            `create trigger ${quote(`move_log_${table.name}_${event}`)} after ${event} on ${quote(table.name)} ${when} begin
             ${rows.map(record).join('')} end`,
          )
          .execute(transaction)
      }
    }
    await setFact(transaction, movingFact, newId)
    return newId
  })
}

async function readMove(database: Kysely<Tables>): Promise<string | undefined> {
  const fact = await database.selectFrom('facts').select('value').where('name', '=', movingFact).executeTakeFirst()
  return fact?.value
}

/** @throws {StoreError} if a store was moved elsewhere, or has only a part of another one. */
export async function rejectMoving(database: Kysely<Tables>, place: string): Promise<void> {
  const facts = await database.selectFrom('facts').selectAll().where('name', 'in', [movedToFact, movingFromFact]).execute()
  const [fact] = facts
  if (!fact) return
  if (fact.name === movingFromFact) {
    throw new StoreError(`Cannot open the store ${place}: a move to it has not finished`, {
      hint: 'Run `openapi-pages-app migrate-store` again to continue the move',
    })
  }
  throw new StoreError(`Cannot open the store ${place}: it was moved to ${fact.value}`, {
    hint: 'Set DATABASE_URL to use it there. To use this store again, run `openapi-pages-app migrate-store --undo`',
  })
}

/** Refuses new work. Running jobs can still write. */
export async function refuseNewWork(database: Kysely<Tables>): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const table of ['deliveries', 'updates', 'idempotency_keys']) await refuse(transaction, 'drain', table, 'insert')
    await refuse(transaction, 'drain', 'jobs', 'update', `when new.state = 'leased' and old.state <> 'leased'`)
  })
}

/** Refuses all writes except the test of `/readyz`, because the server still serves reads. */
export async function refuseWrites(database: Kysely<Tables>, tables: readonly TableShape[]): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const { name } of tables) {
      for (const event of ['insert', 'update', 'delete'] as const) {
        const row = event === 'delete' ? 'old' : 'new'
        await refuse(
          transaction,
          'freeze',
          name,
          event,
          name === 'facts' ? `when ${row}.name not in ('probe', '${movedToFact}')` : '',
        )
      }
    }
  })
}

/** Allows work and writes again. */
export async function allowWrites(database: Kysely<Tables>): Promise<void> {
  await database.transaction().execute((transaction) => dropTriggers(transaction, ['drain', 'freeze']))
}

export async function markMoved(database: Kysely<Tables>, place: string): Promise<void> {
  await database.transaction().execute((transaction) => setFact(transaction, movedToFact, place))
}

/**
 * Makes the store what it was before the move. Returns whether there was one. After a finished move, the other store may have been used, so this one is
 * as old as a restored backup: the next start looks for checks that exist.
 */
export async function undoMove(database: Kysely<Tables>): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    const move = await readMove(transaction)
    if (move === undefined) return false
    await dropTriggers(transaction, ['drain', 'freeze', 'log'])
    await sql`drop table ${sql.table(changesTable)}`.execute(transaction)
    const { numDeletedRows } = await transaction.deleteFrom('facts').where('name', '=', movedToFact).executeTakeFirst()
    if (numDeletedRows > 0n) await setFact(transaction, 'backup-of', new Date().toISOString())
    await transaction.deleteFrom('facts').where('name', '=', movingFact).execute()
    return true
  })
}

/** The last entry of the log; `undefined` if it is empty. */
export async function readLastChange(database: Kysely<Tables>): Promise<number | undefined> {
  const { rows } = await sql<{ readonly seq: number | null }>`select max(seq) as seq from ${sql.table(changesTable)}`.execute(
    database,
  )
  return rows[0]?.seq ?? undefined
}

/** The keys of a table in the log, in parts of 200. */
export async function* readChanges(database: Kysely<Tables>, { name }: TableShape, last: number): AsyncGenerator<readonly Key[]> {
  for (let after = ''; ; ) {
    const { rows } = await sql<{ readonly key: string }>`
      select key from ${sql.table(changesTable)}
      where table_name = ${name} and key > ${after} and seq <= ${last} order by key limit 200`.execute(database)
    const newest = rows.at(-1)
    if (!newest) return
    yield rows.map(({ key }) => JSON.parse(key) as Key)
    after = newest.key
  }
}

/** Whether a row has changed since the last call of `forgetChanges`. */
export async function hasChanged(database: Kysely<Tables>, { name }: TableShape, key: Key): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${sql.table(changesTable)} where table_name = ${name} and key = ${JSON.stringify(key)}`.execute(database)
  return rows.length > 0
}

export async function forgetChanges(database: Kysely<Tables>, last: number): Promise<void> {
  await database
    .transaction()
    .execute((transaction) => sql`delete from ${sql.table(changesTable)} where seq <= ${last}`.execute(transaction))
}

async function refuse(transaction: Kysely<Tables>, purpose: string, table: string, event: string, when = ''): Promise<void> {
  const name = quote(`move_${purpose}_${table}_${event}`)
  await sql
    .raw(
      `create trigger if not exists ${name} before ${event} on ${quote(table)} ${when} begin select raise(abort, ${toText(refusal)}); end`,
    )
    .execute(transaction)
}

async function dropTriggers(transaction: Kysely<Tables>, purposes: readonly string[]): Promise<void> {
  const { rows } = await sql<{ readonly name: string }>`select name from sqlite_schema where type = 'trigger'`.execute(
    transaction,
  )
  for (const { name } of rows) {
    if (purposes.some((purpose) => name.startsWith(`move_${purpose}_`)))
      await sql.raw(`drop trigger ${quote(name)}`).execute(transaction)
  }
}

async function setFact(transaction: Kysely<Tables>, name: string, value: string): Promise<void> {
  await transaction
    .insertInto('facts')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

function quote(name: string): string {
  return `"${name}"`
}

function toText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

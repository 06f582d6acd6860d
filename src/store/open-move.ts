import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import type { Kysely } from 'kysely'
import { startChangeLog, undoMove } from './change-log.ts'
import { createProgress, dropProgress } from './move-progress.ts'
import type { Move } from './move-store.ts'
import { migratePostgres } from './open-postgres-store.ts'
import { openSqliteStore } from './open-sqlite-store.ts'
import { openPostgresDatabase } from './postgres-database.ts'
import { longTimes } from './postgres-pool.ts'
import { openSqliteDatabase } from './sqlite-database.ts'
import { StoreError, toTime } from './store-context.ts'
import { deleteRange, movedToFact, movingFromFact, type Row, readRange, readTableShapes, type TableShape } from './table-shape.ts'
import type { Tables } from './tables.ts'

/** Both databases of a move from SQLite to PostgreSQL. */
interface OpenedMove extends Pick<Move, 'tables' | 'source' | 'target' | 'targetPlace'> {
  /** Size of the SQLite file and its write-ahead log. */
  readonly fileBytes: number
  /** Whether an earlier process copied a part. */
  readonly isContinued: boolean
  /** Whether only the last step is missing: the source is marked as moved. */
  readonly isMoved: boolean
  /** Stores the keys of the server, by name, and lets servers use the target. Call it when the source is marked as moved. */
  finish(keys: ReadonlyMap<string, string>): Promise<void>
  close(): Promise<void>
}

/**
 * Opens a store in SQLite and an empty PostgreSQL database, migrates both schemas, and starts to record changes of the source.
 *
 * @param restart Whether to delete what an earlier move has copied.
 * @throws {StoreError} if the target has data that does not belong to a move of this source.
 */
export async function openMove({ path, url, restart }: { path: string; url: string; restart: boolean }): Promise<OpenedMove> {
  const source = openSqliteDatabase(path)
  const moved = await readFact(source.reader, movedToFact).catch(() => undefined)
  // Migrates and checks the file, as the server does.
  if (moved === undefined) await (await openSqliteStore({ path })).close()
  const postgres = openPostgresDatabase(url, { connections: 3, times: longTimes })
  const close = async () => {
    await source.close()
    await postgres.close()
  }
  try {
    const { database: target } = postgres
    await migratePostgres(target, toTime(Date.now()))
    const tables = await readTableShapes(source.reader)
    const found = await readFact(target, movingFromFact)
    if (moved !== undefined && found === undefined) {
      throw new StoreError(`Cannot move the store ${path}: it was already moved to ${moved}`, {
        hint: 'Set DATABASE_URL to use it there. To use this store again, add --undo',
      })
    }
    if (found === undefined) await rejectData(target, tables, postgres.place)
    if (restart) {
      await undoMove(source.writer)
      await emptyTarget(target, tables)
    }
    const move = await startChangeLog(source.writer, tables, randomUUID())
    if (found !== undefined && found !== move && !restart) {
      throw new StoreError(
        `Cannot continue the move to ${postgres.place}: it has data of another store or of a move that was undone`,
        {
          hint: 'Add --restart to delete that data, or name an empty database',
        },
      )
    }
    await target.transaction().execute(async (transaction) => {
      await createProgress(transaction)
      const row = { name: movingFromFact, value: move }
      await transaction
        .insertInto('facts')
        .values(row)
        .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
        .execute()
    })
    return {
      tables,
      source,
      target,
      targetPlace: postgres.place,
      fileBytes: statSync(path).size + (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0),
      isContinued: found !== undefined && !restart,
      isMoved: moved !== undefined && !restart,
      finish: (keys) =>
        target.transaction().execute(async (transaction) => {
          for (const [name, value] of keys) {
            await transaction
              .insertInto('secrets')
              .values({ name, value })
              .onConflict((conflict) => conflict.column('name').doNothing())
              .execute()
          }
          await dropProgress(transaction)
          await transaction.deleteFrom('facts').where('name', '=', movingFromFact).execute()
        }),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Lets an SQLite store that was moved, or partly moved, be used again. Returns whether a move was undone. */
export async function undoStoreMove(path: string): Promise<boolean> {
  const source = openSqliteDatabase(path)
  try {
    return await undoMove(source.writer)
  } finally {
    await source.close()
  }
}

async function readFact(database: Kysely<Tables>, name: string): Promise<string | undefined> {
  return (await database.selectFrom('facts').select('value').where('name', '=', name).executeTakeFirst())?.value
}

/** A server that started on the empty target has written these. */
const isInitial = (table: TableShape, rows: readonly Row[]) =>
  rows.length === 0 || (table.name === 'site_totals' && rows.every((row) => row['builds'] === 0 && row['contents'] === 0))

/** @throws {StoreError} */
async function rejectData(target: Kysely<Tables>, tables: readonly TableShape[], place: string): Promise<void> {
  for (const table of tables) {
    if (isInitial(table, await readRange(target, table, { limit: 1 }))) continue
    throw new StoreError(`Cannot move into the store ${place}: the table ${table.name} already has rows`, {
      hint: 'Create an empty database and name it with --to',
    })
  }
}

async function emptyTarget(target: Kysely<Tables>, tables: readonly TableShape[]): Promise<void> {
  await target.transaction().execute(async (transaction) => {
    for (const table of tables) await deleteRange(transaction, table, {})
    await dropProgress(transaction)
  })
}

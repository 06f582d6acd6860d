import { join } from 'node:path'
import { sql } from 'kysely'
import { migrate } from '../../../src/store/database/migrations.ts'
import { toTime } from '../../../src/store/database/store-database.ts'
import { openSqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts'
import { chooseRoles, createProcessStore, type SimulatedDatabase } from './simulated-databases.ts'

/** Databases in SQLite: one below a folder, which is emptied for each history. */
export async function createSqliteDatabases(folder: string): Promise<(seed: number) => SimulatedDatabase> {
  const { writer, write, reader, versions } = openSqliteDatabase(join(folder, 'store.sqlite'))
  await migrate(writer, toTime(0))
  // The machine does not lose its power.
  await sql`pragma synchronous = off`.execute(writer)
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`.execute(writer)
  const names = rows.map(({ name }) => sql.ref(name))
  const kept = (index: number) => sql.ref(`kept_${index}`)
  for (const [index, name] of names.entries())
    await sql`create temporary table ${kept(index)} as select * from ${name}`.execute(writer)
  const clear = async () => {
    await writer.transaction().execute(async (transaction) => {
      for (const [index, name] of names.entries()) {
        await sql`delete from ${name}`.execute(transaction)
        await sql`insert into ${name} select * from ${kept(index)}`.execute(transaction)
      }
    })
  }
  return (seed) => {
    // In a third of the histories, several processes use it as they use PostgreSQL, which takes four times as long.
    const isShared = seed % 3 === 1
    return {
      isShared,
      roles: isShared ? chooseRoles(Math.floor(seed / 3)) : ['all'],
      clear,
      open: (options) => createProcessStore({ write, reader, readVersion: versions.read }, options),
    }
  }
}

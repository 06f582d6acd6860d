import { sql } from 'kysely'
import type { Migration } from '../../src/store/database/migrations.ts'

/** What a future version may add. The second step fails if it runs twice. */
export const futureSteps: readonly Migration[] = [
  async ({ schema }) => {
    await schema
      .alterTable('updates')
      .addColumn('priority', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await schema.alterTable('jobs').addColumn('region', 'text').execute()
    await schema.createIndex('updates_priority').on('updates').columns(['project_id', 'priority', 'id']).execute()
  },
  async (database) => {
    await database.schema
      .createTable('regions')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .execute()
    await sql`insert into regions (id) values ('eu')`.execute(database)
  },
]

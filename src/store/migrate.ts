import type { Kysely } from 'kysely'
import { type Migration, migrations } from './migrations.ts'
import { StoreError } from './store-error.ts'
import type { Tables } from './tables.ts'

/**
 * Brings the schema to the newest version, in one transaction: all missing steps or none. There is no way back but a backup.
 *
 * @param steps The released steps; another list is for tests.
 * @throws {StoreError} when the store was written by a newer version.
 */
export async function migrate(
  database: Kysely<Tables>,
  appliedAt: string,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction.schema
      .createTable('schema_version')
      .ifNotExists()
      .addColumn('version', 'integer', (column) => column.primaryKey().notNull())
      .addColumn('applied_at', 'text', (column) => column.notNull())
      .execute()
    const { version } = await transaction
      .selectFrom('schema_version')
      .select((expression) => expression.fn.coalesce(expression.fn.max('version'), expression.lit(0)).as('version'))
      .executeTakeFirstOrThrow()
    if (version > steps.length) {
      throw new StoreError(`Cannot open the store: its schema is version ${version}, this program knows up to ${steps.length}`, {
        hint: 'start the version of openapi-pages that wrote it, or a newer one; or restore a backup made before the upgrade',
      })
    }
    for (const [index, step] of steps.entries()) {
      if (index < version) continue
      await step(transaction)
      await transaction
        .insertInto('schema_version')
        .values({ version: index + 1, applied_at: appliedAt })
        .execute()
    }
  })
}

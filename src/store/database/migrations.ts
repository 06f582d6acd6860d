import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import { StoreError } from '../../text/errors.ts'
import { readFact, writeFact } from './store-database.ts'
import { firstTables, type Table, type Tables } from './tables.ts'

/**
 * One step of the schema.
 *
 * Programs of the version before keep running on the migrated store, and start on it after a rollback. So a step only adds: tables,
 * indexes, and columns with a default. Remove or rename something in two versions: the first one stops using it, the next one drops
 * it with a step that `breaking` marks.
 */
export interface Migration {
  (database: Kysely<Tables>): Promise<void>
  /** Set by `breaking`. */
  readonly isBreaking?: true
}

/** Marks a step after which older programs must not use the store. */
export function breaking(step: Migration): Migration {
  return Object.assign((database: Kysely<Tables>) => step(database), { isBreaking: true } as const)
}

/** All steps in order, beginning with step 1. Released steps never change; add new ones. */
export const migrations: readonly Migration[] = [createSchema]

const nullable = { 'text?': 'text', 'integer?': 'integer', 'bigint?': 'bigint', 'bytea?': 'bytea' } as const

function isNullable<Type extends string>(type: Type | keyof typeof nullable): type is keyof typeof nullable {
  return Object.hasOwn(nullable, type)
}

/** Creates all tables: version 1 of the schema. */
async function createSchema(database: Kysely<Tables>): Promise<void> {
  for (const [name, table] of Object.entries<Table>(firstTables)) {
    let creation: CreateTableBuilder<string, string> = database.schema.createTable(name)
    for (const [column, type] of Object.entries(table.columns)) {
      creation = isNullable(type)
        ? creation.addColumn(column, nullable[type])
        : creation.addColumn(column, type, (built) => built.notNull())
    }
    await creation.addPrimaryKeyConstraint(`${name}_key`, table.key.split(', ')).execute()
    const create = async (kind: string, indexes: Table['indexes'] = {}) => {
      for (const [index, definition] of Object.entries(indexes)) {
        await sql.raw(`create ${kind} ${name}_${index} on ${name} ${definition}`).execute(database)
      }
    }
    await create('index', table.indexes)
    await create('unique index', table.uniqueIndexes)
  }
  await database.insertInto('site_totals').values({ id: 1, builds: 0, contents: 0, size_bytes: 0, stored_bytes: 0 }).execute()
}

interface MigrateOptions {
  /** The steps that this program knows. Tests pass other lists. */
  readonly steps?: readonly Migration[]
  /** Runs first in the transaction. */
  readonly begin?: (transaction: Kysely<Tables>) => Promise<void>
}

/** The fact that names the oldest program that can use the store, as its number of steps. */
export const compatibleFromFact = 'compatible-from'

/**
 * Migrates the schema to the newest version in one transaction: an interrupted migration changes nothing and runs again at the next
 * start. Accepts a store of a newer program if all its further steps only added something.
 *
 * @throws {StoreError} when a newer program changed the store so that this one cannot use it.
 */
export async function migrate(
  database: Kysely<Tables>,
  appliedAt: string,
  { steps = migrations, begin }: MigrateOptions = {},
): Promise<void> {
  await database
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (transaction) => {
      await begin?.(transaction)
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
      if (version > steps.length) await rejectIncompatible(transaction, version, steps.length)
      if (version >= steps.length) return
      for (const [index, step] of steps.entries()) {
        if (index < version) continue
        await step(transaction)
        await transaction
          .insertInto('schema_version')
          .values({ version: index + 1, applied_at: appliedAt })
          .execute()
      }
      await writeFact(
        transaction,
        compatibleFromFact,
        String(Math.max(1, steps.findLastIndex(({ isBreaking }) => isBreaking) + 1)),
      )
    })
}

/** @throws {StoreError} */
async function rejectIncompatible(transaction: Kysely<Tables>, version: number, supported: number): Promise<void> {
  const oldest = Number((await readFact(transaction, compatibleFromFact)) ?? version)
  if (oldest <= supported) return
  throw new StoreError(
    `Cannot open the store: its schema has version ${version}, and this program supports versions up to ${supported}`,
    {
      hint: 'Start the version of openapi-pages that wrote it or a newer one, or restore a backup made before the upgrade',
    },
  )
}

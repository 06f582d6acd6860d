import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Creates the tables of built sites. SQLite also accepts the type name `bytea`. */
export async function createSiteTables(database: Kysely<Tables>): Promise<void> {
  const { schema } = database
  await schema
    .createTable('site_contents')
    .addColumn('hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('identity_bytes', 'bigint')
    .addColumn('br_bytes', 'bigint')
    .addColumn('gzip_bytes', 'bigint')
    .addColumn('unused_since', 'text')
    .execute()
  await schema
    .createIndex('site_contents_unused')
    .on('site_contents')
    .column('unused_since')
    .where(sql.ref('unused_since'), 'is not', null)
    .execute()

  await schema
    .createTable('site_parts')
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('encoding', 'text', (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('bytes', 'bytea', (column) => column.notNull())
    .addPrimaryKeyConstraint('site_parts_part', ['hash', 'encoding', 'part'])
    .execute()

  await schema
    .createTable('site_builds')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('update_id', 'text', (column) => column.notNull())
    .addColumn('sha', 'text', (column) => column.notNull())
    .addColumn('ref', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('page_count', 'integer', (column) => column.notNull())
    .addColumn('file_count', 'integer', (column) => column.notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('site_builds_project').on('site_builds').columns(['project_id', 'state', 'update_id']).execute()
  await schema.createIndex('site_builds_ref').on('site_builds').columns(['project_id', 'ref', 'state', 'update_id']).execute()
  await schema.createIndex('site_builds_sha').on('site_builds').columns(['project_id', 'sha', 'state', 'update_id']).execute()
  await schema.createIndex('site_builds_age').on('site_builds').columns(['state', 'created_at']).execute()

  await schema
    .createTable('site_files')
    .addColumn('build_id', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('site_files_path', ['build_id', 'path'])
    .execute()
  await schema.createIndex('site_files_hash').on('site_files').column('hash').execute()

  await schema
    .createTable('sites')
    .addColumn('project_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('build_id', 'text', (column) => column.notNull())
    .addColumn('published_at', 'text', (column) => column.notNull())
    .addColumn('published_by', 'text', (column) => column.notNull())
    .addColumn('after_id', 'text', (column) => column.notNull())
    .execute()

  await schema
    .createTable('site_memories')
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('ref', 'text', (column) => column.notNull())
    .addColumn('build_id', 'text', (column) => column.notNull())
    .addColumn('memory', 'bytea', (column) => column.notNull())
    .addPrimaryKeyConstraint('site_memories_ref', ['project_id', 'ref'])
    .execute()
  await schema.createIndex('site_memories_build').on('site_memories').column('build_id').execute()

  await schema
    .createTable('site_pulls')
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('pull_number', 'bigint', (column) => column.notNull())
    .addColumn('sha', 'text', (column) => column.notNull())
    .addColumn('seen_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('site_pulls_head', ['project_id', 'pull_number', 'sha'])
    .execute()
  await schema.createIndex('site_pulls_newest').on('site_pulls').columns(['project_id', 'pull_number', 'seen_id']).execute()
  await schema.createIndex('site_pulls_seen').on('site_pulls').column('seen_id').execute()

  await schema
    .createTable('site_totals')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('builds', 'bigint', (column) => column.notNull())
    .addColumn('contents', 'bigint', (column) => column.notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('stored_bytes', 'bigint', (column) => column.notNull())
    .execute()
  await database.insertInto('site_totals').values({ id: 1, builds: 0, contents: 0, size_bytes: 0, stored_bytes: 0 }).execute()
}

/** Contents in a bucket. */
export async function addContentObjects({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('site_contents').addColumn('object', 'text').execute()
  await schema
    .createIndex('site_contents_object')
    .on('site_contents')
    .column('object')
    .where(sql.ref('object'), 'is not', null)
    .execute()
}

import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Creates all tables: version 1 of the schema. Uses only column types and indexes that both SQLite and PostgreSQL have. */
export async function createSchema(database: Kysely<Tables>): Promise<void> {
  await createProjects(database)
  await createQueue(database)
  await createAccess(database)
  await createSites(database)
  await createFacts(database)
}

async function createProjects({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('projects')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('installation_id', 'bigint')
    .addColumn('repository_id', 'bigint', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('repo', 'text', (column) => column.notNull())
    .addColumn('root', 'text', (column) => column.notNull())
    .addColumn('has_docs_config', 'integer', (column) => column.notNull())
    .addColumn('default_branch', 'text', (column) => column.notNull())
    .addColumn('private', 'integer', (column) => column.notNull())
    .addColumn('subdomain', 'text', (column) => column.notNull().unique())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('site_access', 'text', (column) => column.notNull().defaultTo('repository'))
    .addColumn('deleted_at', 'text')
    .addColumn('tightened', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('removed_by', 'text')
    .addColumn('max_previews', 'integer')
    .addColumn('preview_days', 'integer')
    .addColumn('settled_tip', 'text')
    .addUniqueConstraint('projects_root', ['repository_id', 'root'])
    .execute()
  await schema.createIndex('projects_installation').on('projects').column('installation_id').execute()
  // Few projects are deleted at a time, or have limits of their own, so these indexes stay small.
  for (const column of ['deleted_at', 'max_previews', 'preview_days'] as const) {
    await schema.createIndex(`projects_${column}`).on('projects').column(column).where(sql.ref(column), 'is not', null).execute()
  }

  await schema
    .createTable('updates')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('ref', 'text', (column) => column.notNull())
    .addColumn('sha', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('ended_at', 'text')
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('record', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('updates_project').on('updates').columns(['project_id', 'id']).execute()
  await schema.createIndex('updates_ref').on('updates').columns(['project_id', 'ref', 'id']).execute()
  await schema.createIndex('updates_ref_state').on('updates').columns(['project_id', 'ref', 'state', 'id']).execute()
  await schema.createIndex('updates_sha').on('updates').columns(['project_id', 'sha', 'id']).execute()
  await schema.createIndex('updates_state').on('updates').columns(['project_id', 'state', 'id']).execute()
  await schema.createIndex('updates_open').on('updates').column('id').where(sql.ref('ended_at'), 'is', null).execute()

  await schema
    .createTable('reports')
    .addColumn('update_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('report', 'text', (column) => column.notNull())
    .execute()

  await schema
    .createTable('api_changes')
    .addColumn('update_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('ref', 'text', (column) => column.notNull())
    .addColumn('sha', 'text', (column) => column.notNull())
    .addColumn('breaking', 'integer', (column) => column.notNull())
    .addColumn('risky', 'integer', (column) => column.notNull())
    .addColumn('compatible', 'integer', (column) => column.notNull())
    .addColumn('accepted', 'integer', (column) => column.notNull())
    .addColumn('total', 'integer')
    .addColumn('changes', 'text', (column) => column.notNull())
    .execute()
  // The history lists only commits with changes.
  await schema
    .createIndex('api_changes_history')
    .on('api_changes')
    .columns(['project_id', 'ref', 'update_id'])
    .where(sql.ref('total'), '>', sql.lit(0))
    .execute()
  await schema.createIndex('api_changes_commit').on('api_changes').columns(['project_id', 'ref', 'sha', 'update_id']).execute()

  await schema
    .createTable('tokens')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('project_id', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('revoked_at', 'text')
    .execute()
  await schema.createIndex('tokens_project').on('tokens').column('project_id').execute()

  await schema
    .createTable('audit_lines')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('audit_lines_at').on('audit_lines').column('at').execute()
}

async function createQueue({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('jobs')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('ref', 'text', (column) => column.notNull())
    .addColumn('installation_id', 'bigint', (column) => column.notNull())
    .addColumn('validation_only', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('available_at', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('errors', 'integer', (column) => column.notNull())
    .addColumn('losses', 'integer', (column) => column.notNull())
    .addColumn('worker', 'text')
    .addColumn('claimed_at', 'text')
    .addColumn('heartbeat_at', 'text')
    .addColumn('lease_until', 'text')
    .addColumn('name', 'text')
    .addColumn('payload', 'text')
    .addColumn('reason', 'text')
    .addColumn('origin', 'text')
    .addColumn('bulk', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema
    .createIndex('jobs_next')
    .on('jobs')
    .columns(['installation_id', 'state', 'bulk', 'kind', 'validation_only', 'id', 'available_at'])
    .execute()
  await schema
    .createIndex('jobs_branch')
    .on('jobs')
    .columns(['project_id', 'ref', 'kind', 'state', 'id', 'available_at'])
    .execute()
  await schema.createIndex('jobs_due').on('jobs').columns(['state', 'available_at']).execute()
  await schema.createIndex('jobs_lease').on('jobs').columns(['state', 'lease_until']).execute()

  await schema
    .createTable('queue_turns')
    .addColumn('installation_id', 'bigint', (column) => column.primaryKey().notNull())
    .addColumn('turn', 'bigint', (column) => column.notNull())
    .execute()
  await schema.createIndex('queue_turns_turn').on('queue_turns').columns(['turn', 'installation_id']).execute()

  await schema
    .createTable('deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('received_at', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('deliveries_received').on('deliveries').column('received_at').execute()

  await schema
    .createTable('push_keys')
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('ref', 'text', (column) => column.notNull())
    .addColumn('before_sha', 'text', (column) => column.notNull())
    .addColumn('after_sha', 'text', (column) => column.notNull())
    .addColumn('update_id', 'text', (column) => column.notNull())
    .addColumn('received_at', 'text', (column) => column.notNull())
    // `after` comes before `before`, so that the key also finds all pushes that moved a ref to a commit.
    .addPrimaryKeyConstraint('push_keys_push', ['project_id', 'ref', 'after_sha', 'before_sha'])
    .execute()
  // Finds the push of a waiting update.
  await schema.createIndex('push_keys_update').on('push_keys').column('update_id').execute()
  await schema.createIndex('push_keys_received').on('push_keys').column('received_at').execute()

  await schema
    .createTable('idempotency_keys')
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('body_hash', 'text', (column) => column.notNull())
    .addColumn('status_ids', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_key', ['project_id', 'key'])
    .execute()
  await schema.createIndex('idempotency_keys_created').on('idempotency_keys').column('created_at').execute()

  await schema
    .createTable('awaited_deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('asked_at', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('awaited_deliveries_asked').on('awaited_deliveries').column('asked_at').execute()
  await schema
    .createTable('repository_looks')
    .addColumn('repository_id', 'bigint', (column) => column.primaryKey().notNull())
    .addColumn('pushed_at', 'text', (column) => column.notNull())
    .execute()

  await schema
    .createTable('cpu_slots')
    .addColumn('installation_id', 'bigint', (column) => column.notNull())
    .addColumn('slot', 'text', (column) => column.notNull())
    .addColumn('cpu_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('cpu_slots_key', ['installation_id', 'slot'])
    .execute()
  await schema.createIndex('cpu_slots_slot').on('cpu_slots').column('slot').execute()

  await schema
    .createTable('github_budgets')
    .addColumn('installation_id', 'bigint', (column) => column.primaryKey().notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .execute()
}

async function createAccess({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'bigint', (column) => column.notNull())
    .addColumn('login', 'text', (column) => column.notNull())
    .addColumn('sealed_tokens', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('sessions_user').on('sessions').column('user_id').execute()
  await schema.createIndex('sessions_expires').on('sessions').column('expires_at').execute()

  await schema
    .createTable('site_passes')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('challenge', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('site_passes_session').on('site_passes').column('session_id').execute()
  await schema.createIndex('site_passes_project').on('site_passes').column('project_id').execute()
  await schema.createIndex('site_passes_expires').on('site_passes').column('expires_at').execute()

  await schema
    .createTable('site_links')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('site_links_project').on('site_links').columns(['project_id', 'expires_at', 'id']).execute()
  await schema.createIndex('site_links_expires').on('site_links').column('expires_at').execute()

  await schema
    .createTable('site_approvals')
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('sha', 'text', (column) => column.notNull())
    .addColumn('approved_by', 'text', (column) => column.notNull())
    .addColumn('approved_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('site_approvals_commit', ['project_id', 'sha'])
    .execute()

  await schema
    .createTable('site_domains')
    .addColumn('project_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('domain', 'text', (column) => column.notNull())
    .addColumn('token', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('verified_at', 'text')
    .addColumn('checked_at', 'text')
    .addColumn('failing_since', 'text')
    .execute()
  // Several projects may claim a domain, but only one can verify it.
  await schema
    .createIndex('site_domains_verified')
    .on('site_domains')
    .column('domain')
    .unique()
    .where(sql.ref('verified_at'), 'is not', null)
    .execute()
  await schema.createIndex('site_domains_domain').on('site_domains').column('domain').execute()
  await schema
    .createIndex('site_domains_checked')
    .on('site_domains')
    .column('checked_at')
    .where(sql.ref('verified_at'), 'is not', null)
    .execute()
}

/** The tables of built sites. SQLite also accepts the type name `bytea`. */
async function createSites(database: Kysely<Tables>): Promise<void> {
  const { schema } = database
  await schema
    .createTable('site_contents')
    .addColumn('hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('identity_bytes', 'bigint')
    .addColumn('br_bytes', 'bigint')
    .addColumn('gzip_bytes', 'bigint')
    .addColumn('unused_since', 'text')
    .addColumn('object', 'text')
    .execute()
  await schema
    .createIndex('site_contents_unused')
    .on('site_contents')
    .column('unused_since')
    .where(sql.ref('unused_since'), 'is not', null)
    .execute()
  await schema
    .createIndex('site_contents_object')
    .on('site_contents')
    .column('object')
    .where(sql.ref('object'), 'is not', null)
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

/** Facts about the store: its identity and the time of the last test write. Secrets are the keys that all processes share. */
async function createFacts({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('facts')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()

  await schema
    .createTable('secrets')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
}

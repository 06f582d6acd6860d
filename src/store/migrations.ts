import { type Kysely, sql } from 'kysely'
import { addContentObjects, createSiteTables } from './migrate-sites.ts'
import { StoreError } from './store-context.ts'
import type { Tables } from './tables.ts'

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

/**
 * All steps in order, beginning with step 1. Released steps never change; add new ones.
 *
 * Uses only column types and indexes that both SQLite and PostgreSQL have.
 */
export const migrations: readonly Migration[] = [
  createFirstTables,
  createSessions,
  createSiteTables,
  addSiteAccess,
  createSitePasses,
  createSiteLinks,
  createFacts,
  createSiteApprovals,
  addReconciliation,
  createCpuSlots,
  addProjectRemoval,
  createSiteDomains,
  addPreviewLimits,
  addDomainChecks,
  createApiChanges,
  addJobOrigins,
  createLimitTables,
  createSecrets,
  addContentObjects,
  indexPushKeysByUpdate,
  addBulkJobs,
  addSettledTips,
  dropMove,
]

async function createFirstTables(database: Kysely<Tables>): Promise<void> {
  const { schema } = database
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
    .addUniqueConstraint('projects_root', ['repository_id', 'root'])
    .execute()
  await schema.createIndex('projects_installation').on('projects').column('installation_id').execute()

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
    .execute()
  await schema
    .createIndex('jobs_ready')
    .on('jobs')
    .columns(['installation_id', 'state', 'kind', 'validation_only', 'id', 'available_at'])
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

async function createSessions({ schema }: Kysely<Tables>): Promise<void> {
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
}

async function addSiteAccess({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .alterTable('projects')
    .addColumn('site_access', 'text', (column) => column.notNull().defaultTo('repository'))
    .execute()
}

async function createSitePasses({ schema }: Kysely<Tables>): Promise<void> {
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
}

async function createSiteLinks({ schema }: Kysely<Tables>): Promise<void> {
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
}

/** Facts about the store: its identity and the time of the last test write. */
async function createFacts({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('facts')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
}

async function createSiteApprovals({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('site_approvals')
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('sha', 'text', (column) => column.notNull())
    .addColumn('approved_by', 'text', (column) => column.notNull())
    .addColumn('approved_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('site_approvals_commit', ['project_id', 'sha'])
    .execute()
}

async function addReconciliation({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('projects').addColumn('deleted_at', 'text').execute()
  await schema
    .alterTable('projects')
    .addColumn('tightened', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  // Few projects are deleted at a time, so this index stays small.
  await schema.createIndex('projects_deleted').on('projects').column('deleted_at').where('deleted_at', 'is not', null).execute()
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
}

async function createCpuSlots({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('cpu_slots')
    .addColumn('installation_id', 'bigint', (column) => column.notNull())
    .addColumn('slot', 'text', (column) => column.notNull())
    .addColumn('cpu_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('cpu_slots_key', ['installation_id', 'slot'])
    .execute()
  await schema.createIndex('cpu_slots_slot').on('cpu_slots').column('slot').execute()
}

async function addProjectRemoval({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('projects').addColumn('removed_by', 'text').execute()
}

async function createSiteDomains({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('site_domains')
    .addColumn('project_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('domain', 'text', (column) => column.notNull())
    .addColumn('token', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('verified_at', 'text')
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
}

async function addPreviewLimits({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('projects').addColumn('max_previews', 'integer').execute()
  await schema.alterTable('projects').addColumn('preview_days', 'integer').execute()
  for (const column of ['max_previews', 'preview_days']) {
    await schema.createIndex(`projects_${column}`).on('projects').column(column).where(sql.ref(column), 'is not', null).execute()
  }
}

async function addDomainChecks(database: Kysely<Tables>): Promise<void> {
  const { schema } = database
  await schema.alterTable('site_domains').addColumn('checked_at', 'text').execute()
  await schema.alterTable('site_domains').addColumn('failing_since', 'text').execute()
  await database
    .updateTable('site_domains')
    .set((row) => ({ checked_at: row.ref('verified_at') }))
    .execute()
  await schema
    .createIndex('site_domains_checked')
    .on('site_domains')
    .column('checked_at')
    .where(sql.ref('verified_at'), 'is not', null)
    .execute()
}

async function createApiChanges({ schema }: Kysely<Tables>): Promise<void> {
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
}

/** Jobs of older versions have no origin. */
async function addJobOrigins({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('jobs').addColumn('origin', 'text').execute()
}

async function createLimitTables({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('github_budgets')
    .addColumn('installation_id', 'bigint', (column) => column.primaryKey().notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createTable('request_counts')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('requests', 'integer', (column) => column.notNull())
    .addColumn('ends_at', 'bigint', (column) => column.notNull())
    .execute()
}

async function createSecrets({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('secrets')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
}

/** Finds the push of a waiting update. */
async function indexPushKeysByUpdate({ schema }: Kysely<Tables>): Promise<void> {
  await schema.createIndex('push_keys_update').on('push_keys').column('update_id').execute()
}

/**
 * A site that a push published settled its own commit. One that a person published settled the newest update before that. If the branch has
 * moved since, the next comparison with GitHub finds it, also where an older version left an old site.
 */
async function addSettledTips(database: Kysely<Tables>): Promise<void> {
  await database.schema.alterTable('projects').addColumn('settled_tip', 'text').execute()
  await database
    .updateTable('projects')
    .set((project) => ({
      settled_tip: project
        .selectFrom('sites')
        .innerJoin('site_builds', 'site_builds.id', 'sites.build_id')
        .whereRef('sites.project_id', '=', 'projects.id')
        .select((site) =>
          site
            .case()
            .when('sites.published_by', '=', 'push')
            .then(site.ref('site_builds.sha'))
            .else(
              site
                .selectFrom('updates')
                .select('updates.sha')
                .whereRef('updates.project_id', '=', 'projects.id')
                .where('updates.ref', '=', sql<string>`'refs/heads/' || ${sql.ref('projects.default_branch')}`)
                .whereRef('updates.id', '<', 'sites.after_id')
                .orderBy('updates.id', 'desc')
                .limit(1),
            )
            .end()
            .as('tip'),
        ),
    }))
    .execute()
}

/** Jobs of older versions are not bulk. Their index is no longer used by this version. */
async function addBulkJobs({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .alterTable('jobs')
    .addColumn('bulk', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema
    .createIndex('jobs_next')
    .on('jobs')
    .columns(['installation_id', 'state', 'bulk', 'kind', 'validation_only', 'id', 'available_at'])
    .execute()
}

/**
 * Removes what an earlier version has left of a move to PostgreSQL during which the server ran: in SQLite, triggers that record or refuse writes. A
 * store that was moved is as old as a restored backup, because the other one may have been used.
 */
async function dropMove(database: Kysely<Tables>): Promise<void> {
  const names = ['moving', 'moved-to', 'moving-from']
  const facts = await database.selectFrom('facts').select('name').where('name', 'in', names).execute()
  const found = new Set(facts.map(({ name }) => name))
  if (found.has('moving-from')) {
    throw new StoreError('Cannot open the store: a move to it has not finished', {
      hint: 'Copy the SQLite store to an empty database with `openapi-pages-app migrate-store`',
    })
  }
  if (!found.has('moving')) return
  const triggers = sql<{ name: string }>`select name from sqlite_schema where type = 'trigger' and name like 'move~_%' escape '~'`
  for (const { name } of (await triggers.execute(database)).rows) await sql`drop trigger ${sql.id(name)}`.execute(database)
  await database.schema.dropTable('store_changes').execute()
  await database.deleteFrom('facts').where('name', 'in', names).execute()
  if (!found.has('moved-to')) return
  const row = { name: 'backup-of', value: new Date().toISOString() }
  await database
    .insertInto('facts')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
}

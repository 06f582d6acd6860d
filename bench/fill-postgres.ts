import { type Kysely, sql } from 'kysely'
import { newUpdate } from '../test/support/new-update.ts'

/** Rows of one statement, which keeps its memory and time within limits. */
const batchSize = 50_000

/**
 * Fills a migrated PostgreSQL store with ended records of about 1 KB, their deliveries and push keys: 100 projects in 100 installations, 20 branches
 * each. The same as `fillStore` for SQLite.
 */
export async function fillPostgres(database: Kysely<unknown>, count: number): Promise<void> {
  await sql`set statement_timeout = 0`.execute(database)
  await sql`set synchronous_commit = off`.execute(database)
  await sql`
    insert into projects (id, installation_id, repository_id, owner, repo, root, has_docs_config, default_branch, private, subdomain, enabled, created_at)
    select 'prj_' || lpad(to_hex(n), 24, '0'), 1 + n, 1000000 + n, 'acme', 'api-' || n, '', 1, 'main', 0, 'acme-api-' || n, 1, '2026-01-01T00:00:00.000Z'
    from generate_series(0, 99) n`.execute(database)
  for (let first = 0; first < count; first += batchSize)
    await fillRecords(database, first, Math.min(count, first + batchSize) - 1)
  await sql`vacuum analyze`.execute(database)
}

async function fillRecords(database: Kysely<unknown>, first: number, last: number): Promise<void> {
  const marker = (name: string) => `@${name}@`
  const commit = {
    sha: marker('sha'),
    ref: marker('ref'),
    message: 'docs: describe pets',
    filesChanged: { added: [], modified: ['openapi.yaml'], removed: [] },
  }
  const queued = newUpdate({ _id: marker('id'), projectId: marker('project'), createdAt: marker('time'), commit })
  const logs = Array.from({ length: 6 }, (_, line) => `Step ${line + 1}: openapi.yaml has 214 operations and 31 schemas`)
  const ended = { status: marker('status'), endedAt: marker('time'), summary: 'Valid: 1 document, 214 operations.', logs }
  const record = JSON.stringify({ ...queued, ...ended })
  const filled = ['id', 'project', 'time', 'sha', 'ref', 'status'].reduce(
    (text, name) => sql`replace(${text}, ${sql.lit(marker(name))}, ${sql.ref(name)})`,
    sql`${record}::text`,
  )
  await sql`
    with numbers as (
      select n, floor(extract(epoch from timestamptz '2026-01-01T00:00:00Z') * 1000)::bigint + n * 1000::bigint as ms
      from generate_series(${sql.lit(first)}::integer, ${sql.lit(last)}::integer) n
    ), records as (
      select n,
        substr(lpad(to_hex(ms), 12, '0'), 1, 8) || '-' || substr(lpad(to_hex(ms), 12, '0'), 9) || '-7000-8000-' || lpad(to_hex(n), 12, '0') as id,
        'prj_' || lpad(to_hex(n % 100), 24, '0') as project,
        to_char(to_timestamp(ms / 1000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as time,
        md5((n + 1)::text) || substr(md5('x' || (n + 1)), 1, 8) as sha,
        md5(n::text) || substr(md5('x' || n), 1, 8) as before,
        case when n / 100 % 20 = 0 then 'refs/heads/main' else 'refs/heads/feature-' || n / 100 % 20 end as ref,
        case when n % 7 = 0 then 'failure' else 'success' end as status
      from numbers
    ), added_updates as (
      insert into updates (id, project_id, state, ref, sha, created_at, ended_at, revision, record, details)
      select id, project, status, ref, sha, time, time, 3, ${filled}, '{"trigger":"push"}' from records
    ), added_deliveries as (
      insert into deliveries (id, event, received_at) select substr(id, 25) || '-delivery-of-github-0', 'push', time from records
    )
    insert into push_keys (project_id, ref, before_sha, after_sha, update_id, received_at)
    select project, ref, before, sha, id, time from records`.execute(database)
}

import type { Kysely } from 'kysely'
import { toSubdomain } from '../status/subdomain.ts'
import type { Project } from '../status/types.ts'
import { deleteSites } from './site-builds.ts'
import { type StoreContext, toTime } from './store-context.ts'
import type { ProjectRow, Tables } from './tables.ts'
import type { ProjectChange, ProjectFacts } from './types.ts'

/** Applies changes in order, inside the transaction of the caller. */
export async function applyProjectChanges(
  transaction: Kysely<Tables>,
  context: StoreContext,
  changes: readonly ProjectChange[],
): Promise<void> {
  for (const change of changes) {
    switch (change.kind) {
      case 'upsert':
        await upsertProject(transaction, context, change.project)
        break
      case 'update-repository': {
        const { installationId, ...values } = change.values
        const row = { ...toColumns(values), ...(installationId === undefined ? {} : { installation_id: installationId }) }
        if (Object.keys(row).length === 0) break
        await transaction.updateTable('projects').set(row).where('repository_id', '=', change.repositoryId).execute()
        if (installationId !== undefined) await moveJobs(transaction, change.repositoryId, installationId)
        break
      }
      case 'move-root':
        await moveRoot(transaction, change)
        break
      case 'delete-repository':
        await deleteProjects(transaction, 'repository_id', change.repositoryId)
        break
      case 'delete-project':
        await deleteProjects(transaction, 'id', change.projectId)
        break
      case 'delete-installation':
        await deleteProjects(transaction, 'installation_id', change.installationId)
        await transaction.deleteFrom('jobs').where('installation_id', '=', change.installationId).execute()
        await transaction.deleteFrom('queue_turns').where('installation_id', '=', change.installationId).execute()
        break
      default:
        change satisfies never
    }
  }
}

export function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    ...(row.installation_id === null ? {} : { installationId: row.installation_id }),
    repositoryId: row.repository_id,
    owner: row.owner,
    repo: row.repo,
    root: row.root,
    hasDocsConfig: row.has_docs_config === 1,
    defaultBranch: row.default_branch,
    private: row.private === 1,
    subdomain: row.subdomain,
    siteAccess: row.site_access === 'public' ? 'public' : 'repository',
    enabled: row.enabled === 1,
    createdAt: row.created_at,
  }
}

/** The number of an installation in the queue; 0 stands for none. */
export function toQueueInstallation(installationId: number | null | undefined): number {
  return installationId ?? 0
}

/** Gives an installation its place in the round; the turn of one that has it stays. */
export async function ensureTurn(transaction: Kysely<Tables>, installationId: number): Promise<void> {
  await transaction
    .insertInto('queue_turns')
    .values({ installation_id: installationId, turn: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function upsertProject(transaction: Kysely<Tables>, context: StoreContext, facts: ProjectFacts): Promise<void> {
  const columns = {
    ...toColumns(facts),
    installation_id: facts.installationId ?? null,
    has_docs_config: facts.hasDocsConfig ? 1 : 0,
  }
  const { numUpdatedRows } = await transaction
    .updateTable('projects')
    .set(columns)
    .where('repository_id', '=', facts.repositoryId)
    .where('root', '=', facts.root)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) {
    const row: ProjectRow = {
      owner: facts.owner,
      repo: facts.repo,
      default_branch: facts.defaultBranch,
      private: facts.private ? 1 : 0,
      has_docs_config: columns.has_docs_config,
      installation_id: columns.installation_id,
      id: `prj_${Buffer.from(context.randomBytes(12)).toString('hex')}`,
      repository_id: facts.repositoryId,
      root: facts.root,
      subdomain: await findFreeSubdomain(transaction, facts),
      enabled: 1,
      site_access: 'repository',
      created_at: toTime(context.now()),
    }
    await transaction.insertInto('projects').values(row).execute()
  } else {
    await moveJobs(transaction, facts.repositoryId, columns.installation_id)
  }
}

async function moveRoot(
  transaction: Kysely<Tables>,
  { projectId, root, hasDocsConfig }: Extract<ProjectChange, { kind: 'move-root' }>,
): Promise<void> {
  const project = await transaction.selectFrom('projects').select('repository_id').where('id', '=', projectId).executeTakeFirst()
  if (!project) return
  const taken = await transaction
    .selectFrom('projects')
    .select('id')
    .where('repository_id', '=', project.repository_id)
    .where('root', '=', root)
    .executeTakeFirst()
  if (taken && taken.id !== projectId) return
  await transaction
    .updateTable('projects')
    .set({ root, has_docs_config: hasDocsConfig ? 1 : 0 })
    .where('id', '=', projectId)
    .execute()
}

async function findFreeSubdomain(transaction: Kysely<Tables>, facts: ProjectFacts): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const subdomain = toSubdomain(facts, attempt)
    const taken = await transaction.selectFrom('projects').select('id').where('subdomain', '=', subdomain).executeTakeFirst()
    if (!taken) return subdomain
  }
}

/** Jobs wait in the line of the installation that reaches the repository now. */
async function moveJobs(transaction: Kysely<Tables>, repositoryId: number, installationId: number | null): Promise<void> {
  const queueInstallation = toQueueInstallation(installationId)
  const { numUpdatedRows } = await transaction
    .updateTable('jobs')
    .set({ installation_id: queueInstallation })
    .where('project_id', 'in', (query) => query.selectFrom('projects').select('id').where('repository_id', '=', repositoryId))
    .where('installation_id', '!=', queueInstallation)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await ensureTurn(transaction, queueInstallation)
}

type Columns = Partial<Pick<ProjectRow, 'owner' | 'repo' | 'default_branch' | 'private'>>

function toColumns(values: Partial<Pick<Project, 'owner' | 'repo' | 'defaultBranch' | 'private'>>): Columns {
  return {
    ...(values.owner === undefined ? {} : { owner: values.owner }),
    ...(values.repo === undefined ? {} : { repo: values.repo }),
    ...(values.defaultBranch === undefined ? {} : { default_branch: values.defaultBranch }),
    ...(values.private === undefined ? {} : { private: values.private ? 1 : 0 }),
  }
}

async function deleteProjects(
  transaction: Kysely<Tables>,
  column: 'id' | 'repository_id' | 'installation_id',
  value: string | number,
): Promise<void> {
  const projects = await transaction.selectFrom('projects').select('id').where(column, '=', value).execute()
  for (const { id } of projects) {
    await transaction
      .deleteFrom('reports')
      .where('update_id', 'in', (query) => query.selectFrom('updates').select('id').where('project_id', '=', id))
      .execute()
    for (const table of ['jobs', 'updates', 'push_keys', 'idempotency_keys', 'tokens', 'site_passes', 'site_links'] as const) {
      await transaction.deleteFrom(table).where('project_id', '=', id).execute()
    }
    await deleteSites(transaction, id)
    await transaction.deleteFrom('projects').where('id', '=', id).execute()
  }
}

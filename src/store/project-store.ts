import { insertAudit } from './audit-store.ts'
import { applyProjectChanges, toProject } from './project-changes.ts'
import type { StoreContext } from './store-context.ts'
import type { ProjectStore } from './types.ts'

export function createProjectStore(context: StoreContext): ProjectStore {
  const { write, reader } = context
  const projects = reader.selectFrom('projects').selectAll()
  return {
    async find(projectId) {
      const row = await projects.where('id', '=', projectId).executeTakeFirst()
      return row && toProject(row)
    },

    async findBySubdomain(subdomain) {
      const row = await projects.where('subdomain', '=', subdomain).executeTakeFirst()
      return row && toProject(row)
    },

    async findByRepository(repositoryId) {
      const rows = await projects.where('repository_id', '=', repositoryId).orderBy('root').execute()
      return rows.map(toProject)
    },

    async list() {
      const rows = await projects.orderBy('owner').orderBy('repo').orderBy('root').execute()
      return rows.map(toProject)
    },

    async apply(changes) {
      await write((transaction) => applyProjectChanges(transaction, context, changes))
    },

    async set(projectId, { subdomain, enabled, siteAccess }, actor) {
      return await write(async (transaction) => {
        const row = await transaction.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirst()
        if (!row) return { kind: 'not-found' }
        if (subdomain !== undefined && subdomain !== row.subdomain) {
          const taken = await transaction
            .selectFrom('projects')
            .select('id')
            .where('subdomain', '=', subdomain)
            .executeTakeFirst()
          if (taken) return { kind: 'subdomain-taken' }
        }
        const values = {
          subdomain: subdomain ?? row.subdomain,
          enabled: enabled === undefined ? row.enabled : enabled ? 1 : 0,
          site_access: siteAccess ?? row.site_access,
        }
        await transaction.updateTable('projects').set(values).where('id', '=', projectId).execute()
        const detail = `subdomain ${values.subdomain}, ${values.enabled ? 'enabled' : 'disabled'}, site for ${values.site_access}`
        await insertAudit(transaction, context, { actor, action: 'project.set', subject: projectId, detail })
        return { kind: 'set', project: toProject({ ...row, ...values }) }
      })
    },
  }
}

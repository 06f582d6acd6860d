import type { Project } from '../../status/update-record.ts'
import { groupBy } from '../../text/plain/lists.ts'
import type { RecordSources, StoreDatabase } from '../database/store-database.ts'
import type { ProjectRow } from '../database/tables.ts'
import {
  applyProjectChanges,
  hideProjects,
  selectLiveProject,
  showProject,
  sumTightened,
  toDeletedProject,
  toProject,
} from './project-changes.ts'
import { insertAudit } from './store-journal.ts'
import type { ProjectChange, StoredRepository } from './stored-records.ts'
import { forgetLooks } from './update-rows.ts'

type ProjectSetResult =
  | { readonly kind: 'set'; readonly project: Project }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'subdomain-taken' }

/** Only `listDeleted` and `findRepository` find deleted projects. */
export function createProjectStore(database: StoreDatabase, sources: RecordSources) {
  return { ...createProjectReads(database), ...createProjectWrites(database, sources) }
}

function createProjectReads({ reader }: StoreDatabase) {
  const all = reader.selectFrom('projects').selectAll()
  const projects = all.where('deleted_at', 'is', null)
  return {
    async find(projectId: string) {
      const row = await projects.where('id', '=', projectId).executeTakeFirst()
      return row && toProject(row)
    },

    /** All projects of a repository, sorted by root. */
    async findByRepository(repositoryId: number) {
      const rows = await projects.where('repository_id', '=', repositoryId).orderBy('root').execute()
      return rows.map(toProject)
    },

    /** Live and deleted projects of a repository, sorted by root, with the state that `confirm-repository` needs. */
    async findRepository(repositoryId: number) {
      return toRepository(await all.where('repository_id', '=', repositoryId).orderBy('root').execute())
    },

    /** `findRepository` for every repository that has a project. */
    async listRepositories() {
      const rows = (await all.execute()).toSorted((a, b) => (a.root < b.root ? -1 : 1))
      const byRepository = groupBy(rows, (row) => row.repository_id)
      return new Map([...byRepository].map(([repositoryId, ofRepository]) => [repositoryId, toRepository(ofRepository)]))
    },

    /** All projects, sorted by owner, repo and root. */
    async list() {
      const rows = await projects.orderBy('owner').orderBy('repo').orderBy('root').execute()
      return rows.map(toProject)
    },

    /** Deleted projects that can be restored, most recently deleted first. */
    async listDeleted() {
      const rows = await all.where('deleted_at', 'is not', null).orderBy('deleted_at', 'desc').execute()
      return rows.map(toDeletedProject)
    },
  }
}

function createProjectWrites({ write }: StoreDatabase, sources: RecordSources) {
  return {
    /** Deletes a project until a person restores it; false if there is none. Writes an audit line. `prune` purges it after 30 days. */
    async remove(projectId: string, actor: string) {
      return await write(async (transaction) => {
        const row = await selectLiveProject(transaction, projectId).select(['owner', 'repo', 'root']).executeTakeFirst()
        if (!row) return false
        await hideProjects(transaction, 'id', projectId, sources.now())
        await transaction.updateTable('projects').set({ removed_by: actor }).where('id', '=', projectId).execute()
        await insertAudit(transaction, sources, { actor, action: 'project.delete', subject: projectId, detail: describe(row) })
        return true
      })
    },

    /**
     * Restores a deleted project with its records, tokens, links and site; false if there is none. Writes an audit line.
     *
     * Its site stays private and it has no installation until GitHub confirms both.
     */
    async restore(projectId: string, actor: string) {
      return await write(async (transaction) => {
        const row = await transaction
          .selectFrom('projects')
          .select(['owner', 'repo', 'root'])
          .where('id', '=', projectId)
          .where('deleted_at', 'is not', null)
          .executeTakeFirst()
        if (!row) return false
        await transaction
          .updateTable('projects')
          .set((expression) => ({ installation_id: null, private: 1, tightened: expression('tightened', '+', 1) }))
          .where('id', '=', projectId)
          .execute()
        await showProject(transaction, projectId)
        await insertAudit(transaction, sources, { actor, action: 'project.restore', subject: projectId, detail: describe(row) })
        return true
      })
    },

    /** Applies all changes in one transaction, in order. */
    async apply(changes: readonly ProjectChange[]) {
      await write((transaction) => applyProjectChanges(transaction, sources, changes))
    },

    /**
     * Changes the settings that a person controls. Writes an audit line. `null` selects the limit of the server.
     *
     * Returns `subdomain-taken` if another project has the subdomain. The caller validates it with `isSubdomain` first.
     */
    async set(
      projectId: string,
      given: Partial<Pick<Project, 'subdomain' | 'enabled' | 'siteAccess' | 'issuers'>> & {
        readonly maxPreviews?: number | null
        readonly previewDays?: number | null
      },
      actor: string,
    ) {
      const { subdomain, enabled, siteAccess, issuers, maxPreviews, previewDays } = given
      return await write(async (transaction): Promise<ProjectSetResult> => {
        const row = await selectLiveProject(transaction, projectId).selectAll().executeTakeFirst()
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
          enabled: enabled === undefined ? row.enabled : Number(enabled),
          site_access: siteAccess ?? row.site_access,
          issuers: issuers === undefined ? row.issuers : JSON.stringify(issuers),
          max_previews: maxPreviews === undefined ? row.max_previews : maxPreviews,
          preview_days: previewDays === undefined ? row.preview_days : previewDays,
        }
        await transaction.updateTable('projects').set(values).where('id', '=', projectId).execute()
        // While a project is off, its pushes are ignored.
        if (values.enabled && !row.enabled) await forgetLooks(transaction, [projectId])
        const detail = [
          `subdomain ${values.subdomain}`,
          values.enabled ? 'enabled' : 'disabled',
          `site for ${values.site_access}`,
          ...(values.issuers === '[]' ? [] : [`issuers ${values.issuers}`]),
          ...(values.max_previews === null ? [] : [`previews ${values.max_previews}`]),
          ...(values.preview_days === null ? [] : [`preview days ${values.preview_days}`]),
        ].join(', ')
        await insertAudit(transaction, sources, { actor, action: 'project.set', subject: projectId, detail })
        return { kind: 'set', project: toProject({ ...row, ...values }) }
      })
    },
  }
}

function describe({ owner, repo, root }: Pick<ProjectRow, 'owner' | 'repo' | 'root'>): string {
  return `${owner}/${repo}${root && ` (${root}/)`}`
}

function toRepository(rows: readonly ProjectRow[]): StoredRepository {
  return {
    projects: rows.filter(({ deleted_at: deletedAt }) => deletedAt === null).map(toProject),
    deleted: rows.filter(({ deleted_at: deletedAt }) => deletedAt !== null).map(toDeletedProject),
    tightened: sumTightened(rows),
  }
}

import type { Kysely } from 'kysely'
import { createReadCache, type StoreContext, toTime } from './store-context.ts'
import { insertAudit } from './store-journal.ts'
import type { Tables } from './tables.ts'

/** The custom domain of a project. A project has at most one. */
export interface SiteDomain {
  readonly projectId: string
  /** Lower case, without a port: `docs.example.com`. */
  readonly domain: string
  /** The value of the TXT record that proves the ownership. */
  readonly token: string
  /** ISO 8601; absent until its DNS records were checked. */
  readonly verifiedAt?: string
}

export interface DomainStore {
  /** The domain of a project, verified or not. */
  find(projectId: string): Promise<SiteDomain | undefined>
  /** The subdomain of the live project with this verified domain. Cached until the next write. */
  findSubdomain(domain: string): Promise<string | undefined>
  /** Sets a domain, not yet verified, with a new token. Keeps the existing one if it is the same. Writes an audit line. */
  set(projectId: string, domain: string, actor: string): Promise<void>
  /**
   * Marks a domain as verified. Another project with the same domain loses it, because only the owner of the domain can create the TXT
   * record. False if the project has another domain or another token meanwhile. Writes an audit line.
   */
  verify(checked: SiteDomain, actor: string): Promise<boolean>
  /** Writes an audit line. */
  remove(projectId: string, actor: string): Promise<void>
}

/** Number of cached domains. */
const maxCachedDomains = 2_000

export function createDomainStore(context: StoreContext): DomainStore {
  const { write, reader, readRecentDataVersion: readDataVersion } = context
  const findSubdomain = createReadCache<string>(readDataVersion ? { readDataVersion } : {}, maxCachedDomains, async (domain) => {
    const row = await reader
      .selectFrom('site_domains')
      .innerJoin('projects', 'projects.id', 'site_domains.project_id')
      .select('projects.subdomain')
      .where('site_domains.domain', '=', domain)
      .where('site_domains.verified_at', 'is not', null)
      .where('projects.deleted_at', 'is', null)
      .executeTakeFirst()
    return row?.subdomain
  })

  return {
    findSubdomain,

    find: (projectId) => findRow(reader, projectId),

    async set(projectId, domain, actor) {
      await write(async (transaction) => {
        const known = await findRow(transaction, projectId)
        if (known?.domain === domain) return
        await transaction.deleteFrom('site_domains').where('project_id', '=', projectId).execute()
        const token = Buffer.from(context.randomBytes(16)).toString('hex')
        const row = { project_id: projectId, domain, token, created_at: toTime(context.now()), verified_at: null }
        await transaction.insertInto('site_domains').values(row).execute()
        await insertAudit(transaction, context, { actor, action: 'domain.set', subject: projectId, detail: domain })
      })
    },

    async verify({ projectId, domain, token }, actor) {
      return await write(async (transaction) => {
        const known = await findRow(transaction, projectId)
        if (known?.domain !== domain || known.token !== token) return false
        await transaction
          .updateTable('site_domains')
          .set({ verified_at: null })
          .where('domain', '=', domain)
          .where('project_id', '!=', projectId)
          .execute()
        await transaction
          .updateTable('site_domains')
          .set({ verified_at: toTime(context.now()) })
          .where('project_id', '=', projectId)
          .execute()
        await insertAudit(transaction, context, { actor, action: 'domain.verify', subject: projectId, detail: domain })
        return true
      })
    },

    async remove(projectId, actor) {
      await write(async (transaction) => {
        const known = await findRow(transaction, projectId)
        if (!known) return
        await transaction.deleteFrom('site_domains').where('project_id', '=', projectId).execute()
        await insertAudit(transaction, context, { actor, action: 'domain.remove', subject: projectId, detail: known.domain })
      })
    },
  }
}

async function findRow(database: Kysely<Tables>, projectId: string): Promise<SiteDomain | undefined> {
  const row = await database.selectFrom('site_domains').selectAll().where('project_id', '=', projectId).executeTakeFirst()
  if (!row) return undefined
  const { domain, token, verified_at: verifiedAt } = row
  return { projectId, domain, token, ...(verifiedAt !== null && { verifiedAt }) }
}

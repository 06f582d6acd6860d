import type { Kysely } from 'kysely'
import { createReadCache } from '../database/read-caches.ts'
import { type RecordSources, type StoreDatabase, toTime } from '../database/store-database.ts'
import type { Tables } from '../database/tables.ts'
import { insertAudit } from '../records/store-journal.ts'
import type { SiteDomain } from './stored-sites.ts'

/** Number of cached domains. */
const maxCachedDomains = 2_000

const unverified = { verified_at: null, checked_at: null, failing_since: null }

export function createDomainStore(database: StoreDatabase, sources: RecordSources) {
  return { ...createDomainReads(database), ...createDomainWrites(database, sources) }
}

function createDomainReads({ reader, readVersion }: StoreDatabase) {
  const findSubdomain = createReadCache<string>(
    { readVersion, tables: ['site_domains', 'projects'], maxSize: maxCachedDomains },
    async (domain) => {
      const row = await reader
        .selectFrom('site_domains')
        .innerJoin('projects', 'projects.id', 'site_domains.project_id')
        .select('projects.subdomain')
        .where('site_domains.domain', '=', domain)
        .where('site_domains.verified_at', 'is not', null)
        .where('projects.deleted_at', 'is', null)
        .executeTakeFirst()
      return row?.subdomain
    },
  )

  return {
    /** The subdomain of the live project with this verified domain. Cached until the next write. */
    findSubdomain,

    /** The domain of a project, verified or not. */
    find: (projectId: string) => findRow(reader, projectId),

    /**
     * Verified domains of live projects that were last checked before a time, with the subdomains of their projects. Those that were not
     * checked for the longest time come first.
     */
    async listDue(checkedBefore: string, limit: number) {
      const rows = await reader
        .selectFrom('site_domains')
        .innerJoin('projects', 'projects.id', 'site_domains.project_id')
        .selectAll('site_domains')
        .select('projects.subdomain')
        .where('site_domains.verified_at', 'is not', null)
        .where('projects.deleted_at', 'is', null)
        .where('site_domains.checked_at', '<', checkedBefore)
        .orderBy('site_domains.checked_at')
        .limit(limit)
        .execute()
      return rows.map((row) => ({ domain: toDomain(row), subdomain: row.subdomain }))
    },
  }
}

function createDomainWrites({ write }: StoreDatabase, sources: RecordSources) {
  return {
    /** Sets a domain, not yet verified, with a new token. Keeps the existing one if it is the same. Writes an audit line. */
    async set(projectId: string, domain: string, actor: string) {
      await write(async (transaction) => {
        const known = await findRow(transaction, projectId)
        if (known?.domain === domain) return
        await transaction.deleteFrom('site_domains').where('project_id', '=', projectId).execute()
        const token = Buffer.from(sources.randomBytes(16)).toString('hex')
        const row = { project_id: projectId, domain, token, created_at: toTime(sources.now()), ...unverified }
        await transaction.insertInto('site_domains').values(row).execute()
        await insertAudit(transaction, sources, { actor, action: 'domain.set', subject: projectId, detail: domain })
      })
    },

    /**
     * Marks a domain as verified. Another project with the same domain loses it, because only the owner of the domain can create the TXT
     * record. False if the project has another domain or another token meanwhile. Writes an audit line.
     */
    async verify({ projectId, domain, token }: SiteDomain, actor: string) {
      return await write(async (transaction) => {
        const known = await findRow(transaction, projectId)
        if (known?.domain !== domain || known.token !== token) return false
        await transaction
          .updateTable('site_domains')
          .set(unverified)
          .where('domain', '=', domain)
          .where('project_id', '!=', projectId)
          .execute()
        const at = toTime(sources.now())
        await transaction
          .updateTable('site_domains')
          .set({ verified_at: at, checked_at: at, failing_since: null })
          .where('project_id', '=', projectId)
          .execute()
        await insertAudit(transaction, sources, { actor, action: 'domain.verify', subject: projectId, detail: domain })
        return true
      })
    },

    /**
     * Records a check of a verified domain. Returns `lapsed` if its records have been wrong for `graceMs`: the domain is then no longer
     * verified, with an audit line. No effect if the domain or its token has changed meanwhile.
     *
     * @param result `unknown` if the DNS did not respond, which changes only the time of the next check.
     */
    async recordCheck({ projectId, domain, token }: SiteDomain, result: 'correct' | 'wrong' | 'unknown', graceMs: number) {
      return await write(async (transaction) => {
        const known = await findRow(transaction, projectId)
        if (known?.domain !== domain || known.token !== token || known.verifiedAt === undefined) return 'recorded'
        const at = toTime(sources.now())
        const since = result === 'correct' ? null : (known.failingSince ?? (result === 'wrong' ? at : null))
        const isLapsed = result === 'wrong' && since !== null && since <= toTime(sources.now() - graceMs)
        await transaction
          .updateTable('site_domains')
          .set({ checked_at: at, failing_since: since, ...(isLapsed && { verified_at: null }) })
          .where('project_id', '=', projectId)
          .execute()
        if (!isLapsed) return 'recorded'
        await insertAudit(transaction, sources, { actor: 'server', action: 'domain.lapse', subject: projectId, detail: domain })
        return 'lapsed'
      })
    },

    /** Writes an audit line. */
    async remove(projectId: string, actor: string) {
      await write(async (transaction) => {
        const known = await findRow(transaction, projectId)
        if (!known) return
        await transaction.deleteFrom('site_domains').where('project_id', '=', projectId).execute()
        await insertAudit(transaction, sources, { actor, action: 'domain.remove', subject: projectId, detail: known.domain })
      })
    },
  }
}

async function findRow(database: Kysely<Tables>, projectId: string): Promise<SiteDomain | undefined> {
  const row = await database.selectFrom('site_domains').selectAll().where('project_id', '=', projectId).executeTakeFirst()
  return row && toDomain(row)
}

function toDomain(row: Tables['site_domains']): SiteDomain {
  const { project_id: projectId, domain, token, verified_at: verifiedAt, failing_since: failingSince } = row
  return {
    projectId,
    domain,
    token,
    ...(verifiedAt !== null && { verifiedAt }),
    ...(failingSince !== null && { failingSince }),
  }
}

import { insertAudit } from './audit-store.ts'
import { createReadCache } from './read-cache.ts'
import { toSecretHash } from './session-store.ts'
import { type StoreContext, toTime } from './store-context.ts'
import type { SiteLinkRow } from './tables.ts'
import type { LinkStore, StoredLink } from './types.ts'

const keptLinks = 10_000

export function createLinkStore(context: StoreContext): LinkStore {
  const { write, reader, now, randomBytes } = context
  const find = createReadCache(
    context,
    keptLinks,
    async (hash: string): Promise<SiteLinkRow | undefined> =>
      await reader
        .selectFrom('site_links')
        .innerJoin('projects', 'projects.id', 'site_links.project_id')
        .selectAll('site_links')
        .where('hash', '=', hash)
        .where('projects.deleted_at', 'is', null)
        .executeTakeFirst(),
  )
  return {
    async create(secret, { host, projectId, expiresAt }, actor) {
      const row: SiteLinkRow = {
        id: `lnk_${Buffer.from(randomBytes(12)).toString('hex')}`,
        hash: toSecretHash(secret),
        host,
        project_id: projectId,
        created_by: actor,
        created_at: toTime(now()),
        expires_at: expiresAt,
      }
      await write(async (transaction) => {
        await transaction.insertInto('site_links').values(row).execute()
        const detail = `${row.id} for ${host} until ${expiresAt}`
        await insertAudit(transaction, context, { actor, action: 'site.link', subject: projectId, detail })
      })
      return toStoredLink(row)
    },

    async check(secret, { host, projectId }) {
      const row = await find(toSecretHash(secret))
      const isGood = row?.host === host && row.project_id === projectId && row.expires_at > toTime(now())
      return isGood ? toStoredLink(row) : undefined
    },

    async list(projectId) {
      const rows = await reader
        .selectFrom('site_links')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('expires_at', '>', toTime(now()))
        .orderBy('expires_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return rows.map(toStoredLink)
    },

    async revoke(projectId, linkId, actor) {
      return await write(async (transaction) => {
        const link = await transaction
          .deleteFrom('site_links')
          .where('id', '=', linkId)
          .where('project_id', '=', projectId)
          .returningAll()
          .executeTakeFirst()
        if (!link) return false
        const detail = `${link.id} for ${link.host}`
        await insertAudit(transaction, context, { actor, action: 'site.link.revoke', subject: projectId, detail })
        return true
      })
    },
  }
}

function toStoredLink(row: SiteLinkRow): StoredLink {
  return {
    id: row.id,
    host: row.host,
    projectId: row.project_id,
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

import { createReadCache } from './read-cache.ts'
import { toSecretHash } from './session-store.ts'
import { type StoreContext, toTime } from './store-context.ts'
import type { SitePassRow } from './tables.ts'
import type { PassStore } from './types.ts'

const keptPasses = 10_000

export function createPassStore(context: StoreContext): PassStore {
  const { write, reader, now } = context
  const find = createReadCache(
    context,
    keptPasses,
    async (id: string): Promise<SitePassRow | undefined> =>
      await reader
        .selectFrom('site_passes')
        .innerJoin('projects', 'projects.id', 'site_passes.project_id')
        .selectAll('site_passes')
        .where('site_passes.id', '=', id)
        .where('kind', '=', 'pass')
        .where('projects.deleted_at', 'is', null)
        .executeTakeFirst(),
  )
  return {
    async createCode(secret, { host, projectId, sessionId, challenge, expiresAt }) {
      await write(async (transaction) => {
        await transaction
          .insertInto('site_passes')
          .values({
            id: toSecretHash(secret),
            kind: 'code',
            host,
            project_id: projectId,
            session_id: sessionId,
            challenge,
            expires_at: expiresAt,
          })
          .execute()
      })
    },

    async redeem(code, { host, challenge, secret, expiresAt }) {
      const id = toSecretHash(code)
      const isCode = await reader.selectFrom('site_passes').select('id').where('id', '=', id).executeTakeFirst()
      // What strangers make up takes no turn at writing.
      if (!isCode) return false
      return await write(async (transaction) => {
        const row = await transaction
          .selectFrom('site_passes')
          .selectAll()
          .where('id', '=', id)
          .where('kind', '=', 'code')
          .executeTakeFirst()
        if (!row) return false
        // Good once, whatever comes of it.
        await transaction.deleteFrom('site_passes').where('id', '=', row.id).execute()
        if (row.host !== host || row.challenge !== challenge || row.expires_at <= toTime(now())) return false
        await transaction
          .insertInto('site_passes')
          .values({ ...row, id: toSecretHash(secret), kind: 'pass', challenge: '', expires_at: expiresAt })
          .execute()
        return true
      })
    },

    async check(secret, { host, projectId }) {
      const row = await find(toSecretHash(secret))
      return row !== undefined && row.host === host && row.project_id === projectId && row.expires_at > toTime(now())
    },
  }
}

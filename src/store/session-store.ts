import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { insertAudit } from './audit-store.ts'
import { type StoreContext, toTime } from './store-context.ts'
import type { SessionRow, Tables } from './tables.ts'
import type { SessionStore, StoredSession } from './types.ts'

export function createSessionStore(context: StoreContext): SessionStore {
  const { write, reader, now } = context
  return {
    async create(secret, { userId, login, sealedTokens, expiresAt }) {
      const id = toSecretHash(secret)
      const row = { id, user_id: userId, login, sealed_tokens: sealedTokens, expires_at: expiresAt, created_at: toTime(now()) }
      await write(async (transaction) => {
        await transaction.insertInto('sessions').values(row).execute()
        await insertAudit(transaction, context, {
          actor: `github:${login}`,
          action: 'session.create',
          subject: String(userId),
          detail: `until ${expiresAt}`,
        })
      })
    },

    async find(secret) {
      const row = await reader
        .selectFrom('sessions')
        .selectAll()
        .where('id', '=', toSecretHash(secret))
        .where('expires_at', '>', toTime(now()))
        .executeTakeFirst()
      return row && toSession(row)
    },

    async replaceTokens(session, sealedTokens) {
      return await write(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('sessions')
          .set({ sealed_tokens: sealedTokens })
          .where('id', '=', session.id)
          .where('sealed_tokens', '=', session.sealedTokens)
          .executeTakeFirst()
        return numUpdatedRows > 0n
      })
    },

    async end(sessionId) {
      await write((transaction) => endSessions(transaction, 'id', sessionId))
    },
  }
}

/** Ends sessions with all that was opened by them, inside the transaction of the caller. */
export async function endSessions(transaction: Kysely<Tables>, column: 'id' | 'user_id', value: string | number): Promise<void> {
  const ended = transaction.selectFrom('sessions').select('id').where(column, '=', value)
  await transaction.deleteFrom('site_passes').where('session_id', 'in', ended).execute()
  await transaction.deleteFrom('sessions').where(column, '=', value).execute()
}

/** How the store knows a secret that it does not keep. */
export function toSecretHash(secret: string): string {
  return hash('sha256', secret, 'hex')
}

function toSession(row: SessionRow): StoredSession {
  return { id: row.id, userId: row.user_id, login: row.login, sealedTokens: row.sealed_tokens, expiresAt: row.expires_at }
}

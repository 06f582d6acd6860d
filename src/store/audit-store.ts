import type { Kysely } from 'kysely'
import { maskSecrets } from '../status/mask-secrets.ts'
import { type StoreContext, toTime } from './store-context.ts'
import type { Tables } from './tables.ts'
import type { AuditEntry, AuditStore } from './types.ts'

export function createAuditStore(context: StoreContext): AuditStore {
  return {
    async add(entry) {
      await context.write((transaction) => insertAudit(transaction, context, entry))
    },
    async list(limit = 100) {
      return await context.reader.selectFrom('audit_lines').selectAll().orderBy('id', 'desc').limit(limit).execute()
    },
  }
}

export async function insertAudit(database: Kysely<Tables>, context: StoreContext, entry: AuditEntry): Promise<void> {
  const { actor, action, subject, detail } = entry
  await database
    .insertInto('audit_lines')
    .values({ id: context.newId(), at: toTime(context.now()), actor, action, subject, detail: maskSecrets(detail) })
    .execute()
}

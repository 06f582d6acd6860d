import type { Kysely } from 'kysely'
import { maskSecrets } from '../../text/plain/escape-text.ts'
import {
  chunk,
  keepFact,
  type RecordSources,
  readFact,
  type StoreDatabase,
  toTime,
  writeFact,
} from '../database/store-database.ts'
import type { Tables } from '../database/tables.ts'

/** A security-relevant action of a person or token. Contains no secrets. */
export interface AuditEntry {
  /** `cli`, `token:tok_…`, `github:<login>`. */
  readonly actor: string
  /** `token.create`, `project.set`, … */
  readonly action: string
  /** The ID of the changed object. */
  readonly subject: string
  /** One line. */
  readonly detail: string
}

type NoteName =
  /** Deliveries up to this time were compared with the store (ISO 8601). */
  | 'deliveries-compared-until'
  /** The last time this server was connected to GitHub (ISO 8601). */
  | 'online-until'
  /** The GitHub App that the installations belong to. */
  | 'app-id'
  /** When this backup was made, or marked as restored. Removed after missing data was fetched. */
  | 'backup-of'
  /** The last complete comparison with GitHub (ISO 8601). */
  | 'reconciled-at'

export function createAuditStore({ write, reader }: StoreDatabase, sources: RecordSources) {
  return {
    async add(entry: AuditEntry) {
      await write((transaction) => insertAudit(transaction, sources, entry))
    },
    /** Newest first, at most `limit`. */
    async list(limit = 100) {
      return await reader.selectFrom('audit_lines').selectAll().orderBy('id', 'desc').limit(limit).execute()
    },
  }
}

export async function insertAudit(database: Kysely<Tables>, { now, newId }: RecordSources, entry: AuditEntry): Promise<void> {
  const { actor, action, subject, detail } = entry
  await database
    .insertInto('audit_lines')
    .values({ id: newId(), at: toTime(now()), actor, action, subject, detail: maskSecrets(detail) })
    .execute()
}

/** Well below the parameter limit of a statement. */
const idBatchSize = 500

export function createDeliveryStore({ reader }: Pick<StoreDatabase, 'reader'>) {
  return {
    /**
     * The given IDs that were never accepted, in the given order. Catch-up must fetch them. Accepted ones are known for at least 8 days, longer
     * than GitHub can redeliver.
     */
    async findMissing(deliveryIds: readonly string[]) {
      const known = new Set<string>()
      for (const ids of chunk(deliveryIds, idBatchSize)) {
        const rows = await reader.selectFrom('deliveries').select('id').where('id', 'in', ids).execute()
        for (const { id } of rows) known.add(id)
      }
      return deliveryIds.filter((id) => !known.has(id))
    },
  }
}

/** The key of signed links, the key of the setup page, and the credentials that the setup page stored. */
type SecretName = 'link-key' | 'setup-key' | 'github-app'

/** Keys that all processes of the app share, in clear text: whoever can read the database or its backups has them. */
export function createSecretStore({ reader, write }: StoreDatabase) {
  return {
    read: (name: SecretName) => readFact(reader, name, 'secrets'),
    /** Stores a value if there is none yet. Returns the stored value, which may be that of another process. */
    keep: (name: SecretName, value: string) => write((transaction) => keepFact(transaction, name, value, 'secrets')),
    remove: (name: SecretName) => write((transaction) => writeFact(transaction, name, undefined, 'secrets')),
  }
}

/** Small facts about the store itself. */
export function createNoteStore({ reader, write }: StoreDatabase) {
  return {
    read: (name: NoteName) => readFact(reader, name),
    /** `undefined` removes it. */
    write: (name: NoteName, value: string | undefined) => write((transaction) => writeFact(transaction, name, value)),

    /** The newest push of each repository as of the last reconciliation. */
    async readLooks() {
      const rows = await reader.selectFrom('repository_looks').selectAll().execute()
      return new Map(rows.map((row) => [row.repository_id, row.pushed_at]))
    },

    /** `undefined` lets the next reconciliation look at the repository again. */
    async writeLook(repositoryId: number, pushedAt: string | undefined) {
      await write(async (transaction) => {
        await transaction.deleteFrom('repository_looks').where('repository_id', '=', repositoryId).execute()
        if (pushedAt === undefined) return
        await transaction.insertInto('repository_looks').values({ repository_id: repositoryId, pushed_at: pushedAt }).execute()
      })
    },
  }
}

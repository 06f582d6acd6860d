import { createRefreshedCache } from '../database/read-caches.ts'
import { type RecordSources, type StoreDatabase, toTime } from '../database/store-database.ts'
import type { TokenRow } from '../database/tables.ts'
import { insertAudit } from '../records/store-journal.ts'
import type { NewToken, StoredToken, TokenGrant } from '../records/stored-records.ts'
import { toSecretHash } from './session-store.ts'

export interface TokenStore {
  /**
   * Creates a token of 256 random bits and writes an audit line. Only this call returns the token; the store keeps a SHA-256.
   *
   * `undefined` if there is no such project.
   */
  create(input: NewToken, actor: string): Promise<{ readonly token: string; readonly stored: StoredToken } | undefined>
  /** Validates a token, from memory if possible (`ReadVersion`). Never throws, whatever the text. */
  check(token: string): Promise<TokenCheck>
  /** Newest first, revoked and expired ones included. */
  list(): Promise<readonly StoredToken[]>
  /**
   * Resolves when no process accepts the token any more, which takes a second with PostgreSQL: a query for each request would cost more.
   *
   * False if there is no such token or it was already revoked. Writes an audit line.
   */
  revoke(tokenId: string, actor: string): Promise<boolean>
}

type TokenCheck =
  | { readonly kind: 'valid'; readonly token: StoredToken }
  /** Callers get the same response for all reasons. The difference is for the log. */
  | { readonly kind: 'unknown' | 'expired' | 'revoked' }

/** The prefix by which people and scanners recognize a token. */
const tokenPrefix = 'opk_'

/** 256 bits. */
const tokenBytes = 32

/** 43 characters of base64url. */
const tokenPattern = /^opk_[A-Za-z0-9_-]{43}$/

const maxCachedTokens = 10_000

export function createTokenStore(
  { write, reader, readVersion, untilNoticed }: StoreDatabase,
  sources: RecordSources,
): TokenStore {
  // A token of a deleted project does not exist.
  const live = reader
    .selectFrom('tokens')
    .leftJoin('projects', 'projects.id', 'tokens.project_id')
    .selectAll('tokens')
    .where('projects.deleted_at', 'is', null)
  const byHash = live.where('hash', '=', '').compile()
  const read = async (hash: string): Promise<StoredToken | undefined> => {
    const { rows } = await reader.executeQuery<TokenRow>({ ...byHash, parameters: [hash] })
    return rows[0] && toStoredToken(rows[0])
  }
  const findByHash = createRefreshedCache<StoredToken>(
    { readVersion, tables: ['tokens', 'projects'], maxSize: maxCachedTokens },
    {
      read,
      readAgain: async (hashes) => {
        const rows = await live.where('hash', 'in', hashes).execute()
        return new Map(rows.map((row) => [row.hash, toStoredToken(row)]))
      },
    },
  )

  return {
    async create({ grant, name, expiresAt }, actor) {
      const token = `${tokenPrefix}${Buffer.from(sources.randomBytes(tokenBytes)).toString('base64url')}`
      return await write(async (transaction) => {
        if (grant.projectId !== undefined) {
          const project = await transaction
            .selectFrom('projects')
            .select('id')
            .where('id', '=', grant.projectId)
            .where('deleted_at', 'is', null)
            .executeTakeFirst()
          if (!project) return undefined
        }
        const row: TokenRow = {
          id: `tok_${Buffer.from(sources.randomBytes(12)).toString('hex')}`,
          hash: toSecretHash(token),
          name,
          scope: grant.scope,
          project_id: grant.projectId ?? null,
          created_at: toTime(sources.now()),
          expires_at: expiresAt,
          revoked_at: null,
        }
        await transaction.insertInto('tokens').values(row).execute()
        const detail = `${grant.scope} ${grant.projectId ?? 'service'}, until ${expiresAt}: ${name}`
        await insertAudit(transaction, sources, { actor, action: 'token.create', subject: row.id, detail })
        return { token, stored: toStoredToken(row) }
      })
    },

    async check(token) {
      if (!tokenPattern.test(token)) return { kind: 'unknown' }
      // A lookup by hash leaks nothing through its timing.
      const stored = await findByHash(toSecretHash(token))
      if (!stored) return { kind: 'unknown' }
      if (stored.revokedAt !== undefined) return { kind: 'revoked' }
      return sources.now() < Date.parse(stored.expiresAt) ? { kind: 'valid', token: stored } : { kind: 'expired' }
    },

    async list() {
      const rows = await reader.selectFrom('tokens').selectAll().orderBy('created_at', 'desc').orderBy('id').execute()
      return rows.map(toStoredToken)
    },

    async revoke(tokenId, actor) {
      const isRevoked = await write(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('tokens')
          .set({ revoked_at: toTime(sources.now()) })
          .where('id', '=', tokenId)
          .where('revoked_at', 'is', null)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        await insertAudit(transaction, sources, { actor, action: 'token.revoke', subject: tokenId, detail: '' })
        return true
      })
      await untilNoticed()
      return isRevoked
    },
  }
}

function toStoredToken(row: TokenRow): StoredToken {
  return {
    id: row.id,
    name: row.name,
    grant: toGrant(row),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
  }
}

function toGrant({ id, scope, project_id: projectId }: TokenRow): TokenGrant {
  if (scope === 'admin') return { scope }
  if ((scope === 'read' || scope === 'write') && projectId !== null) return { scope, projectId }
  throw new Error(`Cannot read token \`${id}\`: unexpected scope \`${scope}\``)
}

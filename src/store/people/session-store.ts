import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { createReadCache } from '../database/read-caches.ts'
import { type RecordSources, type StoreDatabase, toTime } from '../database/store-database.ts'
import type { SessionRow, SiteLinkRow, SitePassRow, Tables } from '../database/tables.ts'
import { insertAudit } from '../records/store-journal.ts'
import type { StoredLink, StoredSession } from '../records/stored-records.ts'

export interface SessionStore {
  /** Writes an audit line. The store keeps a SHA-256 of `secret`. */
  create(secret: string, session: Omit<StoredSession, 'id'>): Promise<void>
  /** `undefined` for an ended, expired or unknown session. Sees changes by other processes immediately. */
  find(secret: string): Promise<StoredSession | undefined>
  /** Replaces the tokens that were read. False if another process did so first or the session has ended. */
  replaceTokens(session: StoredSession, sealedTokens: string): Promise<boolean>
  /** Ends a session and its passes. Idempotent. */
  end(sessionId: string): Promise<void>
}

/** Passes that give a signed-in user of the app access to a private site on its own host. */
export interface PassStore {
  /** Creates a code for a single `redeem`. `challenge` is the hash of a secret in the requesting browser. */
  createCode(
    secret: string,
    code: {
      readonly host: string
      readonly projectId: string
      readonly sessionId: string
      readonly challenge: string
      readonly expiresAt: string
    },
  ): Promise<void>
  /** Exchanges a code for a pass. The code is used up in any case. False if it does not match, has expired or was used. */
  redeem(
    code: string,
    pass: { readonly host: string; readonly challenge: string; readonly secret: string; readonly expiresAt: string },
  ): Promise<boolean>
  /** The user with a valid pass; `undefined` if it is not valid. A pass ends with its session, in other processes within a second. */
  check(
    secret: string,
    place: { readonly host: string; readonly projectId: string },
  ): Promise<{ readonly userId: number } | undefined>
}

export interface LinkStore {
  /** Writes an audit line. The store keeps a SHA-256 of `secret`. */
  create(secret: string, link: Pick<StoredLink, 'host' | 'projectId' | 'expiresAt'>, actor: string): Promise<StoredLink>
  /** The valid link for a site; `undefined` if there is none. From memory if possible (`ReadVersion`). */
  check(secret: string, place: { readonly host: string; readonly projectId: string }): Promise<StoredLink | undefined>
  /** Valid links, the last to expire first. */
  list(projectId: string): Promise<readonly StoredLink[]>
  /** Resolves when no process accepts the link any more, like `TokenStore.revoke`. False if there is no such link. Writes an audit line. */
  revoke(projectId: string, linkId: string, actor: string): Promise<boolean>
}

export function createSessionStore({ write, reader }: StoreDatabase, sources: RecordSources): SessionStore {
  const { now } = sources
  return {
    async create(secret, { userId, login, sealedTokens, expiresAt }) {
      const id = toSecretHash(secret)
      const row = { id, user_id: userId, login, sealed_tokens: sealedTokens, expires_at: expiresAt, created_at: toTime(now()) }
      await write(async (transaction) => {
        await transaction.insertInto('sessions').values(row).execute()
        await insertAudit(transaction, sources, {
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

/** Ends sessions and their passes, inside the caller's transaction. */
export async function endSessions(transaction: Kysely<Tables>, column: 'id' | 'user_id', value: string | number): Promise<void> {
  const ended = transaction.selectFrom('sessions').select('id').where(column, '=', value)
  await transaction.deleteFrom('site_passes').where('session_id', 'in', ended).execute()
  await transaction.deleteFrom('sessions').where(column, '=', value).execute()
}

/** The store keeps this hash instead of the secret. */
export function toSecretHash(secret: string): string {
  return hash('sha256', secret, 'hex')
}

function toSession(row: SessionRow): StoredSession {
  return { id: row.id, userId: row.user_id, login: row.login, sealedTokens: row.sealed_tokens, expiresAt: row.expires_at }
}

const maxCachedPasses = 10_000

export function createPassStore({ write, reader, readVersion }: StoreDatabase, now: RecordSources['now']): PassStore {
  const find = createReadCache(
    { readVersion, tables: ['site_passes', 'projects', 'sessions'], maxEntries: maxCachedPasses },
    async (id: string): Promise<(SitePassRow & Pick<SessionRow, 'user_id'>) | undefined> =>
      await reader
        .selectFrom('site_passes')
        .innerJoin('projects', 'projects.id', 'site_passes.project_id')
        .innerJoin('sessions', 'sessions.id', 'site_passes.session_id')
        .selectAll('site_passes')
        .select('sessions.user_id')
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
      // An invalid code must not cause a write.
      if (!isCode) return false
      return await write(async (transaction) => {
        const row = await transaction
          .selectFrom('site_passes')
          .selectAll()
          .where('id', '=', id)
          .where('kind', '=', 'code')
          .executeTakeFirst()
        if (!row) return false
        // A code is used up in any case.
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
      const isGood = row?.host === host && row.project_id === projectId && row.expires_at > toTime(now())
      return isGood ? { userId: row.user_id } : undefined
    },
  }
}

const maxCachedLinks = 10_000

export function createLinkStore({ write, reader, readVersion, untilNoticed }: StoreDatabase, sources: RecordSources): LinkStore {
  const { now, randomBytes } = sources
  const find = createReadCache(
    { readVersion, tables: ['site_links', 'projects'], maxEntries: maxCachedLinks },
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
        await insertAudit(transaction, sources, { actor, action: 'site.link', subject: projectId, detail })
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
      const isRevoked = await write(async (transaction) => {
        const link = await transaction
          .deleteFrom('site_links')
          .where('id', '=', linkId)
          .where('project_id', '=', projectId)
          .returningAll()
          .executeTakeFirst()
        if (!link) return false
        const detail = `${link.id} for ${link.host}`
        await insertAudit(transaction, sources, { actor, action: 'site.link.revoke', subject: projectId, detail })
        return true
      })
      await untilNoticed()
      return isRevoked
    },
  }
}

/** What `Store.revokeAll` has revoked. */
export interface RevokedAccess {
  readonly tokens: number
  readonly links: number
  readonly sessions: number
}

/** `Store.revokeAll`. */
export async function revokeAll(
  { write, untilNoticed }: StoreDatabase,
  sources: RecordSources,
  actor: string,
): Promise<RevokedAccess> {
  const now = toTime(sources.now())
  const revoked = await write(async (transaction) => {
    const tokens = await transaction
      .updateTable('tokens')
      .set({ revoked_at: now })
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    const links = await transaction.deleteFrom('site_links').executeTakeFirst()
    await transaction.deleteFrom('site_passes').execute()
    const sessions = await transaction.deleteFrom('sessions').executeTakeFirst()
    const counts = {
      tokens: Number(tokens.numUpdatedRows),
      links: Number(links.numDeletedRows),
      sessions: Number(sessions.numDeletedRows),
    }
    const detail = `tokens: ${counts.tokens}, links: ${counts.links}, sessions: ${counts.sessions}`
    await insertAudit(transaction, sources, { actor, action: 'access.revoke-all', subject: '', detail })
    return counts
  })
  await untilNoticed()
  return revoked
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

import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { createReadCache } from '../database/read-caches.ts'
import { type RecordSources, type StoreDatabase, toTime } from '../database/store-database.ts'
import type { SessionRow, SiteLinkRow, SitePassRow, Tables, TokenRow } from '../database/tables.ts'
import { selectLiveProject } from '../records/project-changes.ts'
import { insertAudit } from '../records/store-journal.ts'
import {
  maxGroupsAgeMs,
  type NewToken,
  type StoredLink,
  type StoredSession,
  type StoredToken,
  type TokenGrant,
} from '../records/stored-records.ts'

export function createSessionStore({ write, reader }: StoreDatabase, sources: RecordSources) {
  const { now } = sources
  return {
    /** Writes an audit line. The store keeps a SHA-256 of `secret`. */
    async create(secret: string, session: Omit<StoredSession, 'id'>) {
      const { userId, login, issuer, subject, groups, checkedAt = null, sealedTokens, expiresAt } = session
      const row: SessionRow = {
        id: toSecretHash(secret),
        user_id: userId,
        login,
        issuer,
        subject,
        groups: JSON.stringify(groups),
        checked_at: checkedAt,
        sealed_tokens: sealedTokens,
        expires_at: expiresAt,
        created_at: toTime(now()),
      }
      await write(async (transaction) => {
        await transaction.insertInto('sessions').values(row).execute()
        await insertAudit(transaction, sources, {
          actor: `${issuer}:${login}`,
          action: 'session.create',
          subject,
          detail: `until ${expiresAt}`,
        })
      })
    },

    /** `undefined` for an ended, expired or unknown session. Sees changes by other processes immediately. */
    async find(secret: string) {
      const row = await reader
        .selectFrom('sessions')
        .selectAll()
        .where('id', '=', toSecretHash(secret))
        .where('expires_at', '>', toTime(now()))
        .executeTakeFirst()
      return row && toSession(row)
    },

    /** The people who are signed in to sites and have groups, once for each project, with the groups that their issuer gave last. */
    async listPeople() {
      const rows = await reader
        .selectFrom('site_passes')
        .innerJoin('sessions', 'sessions.id', 'site_passes.session_id')
        .select(['site_passes.project_id as projectId', 'issuer', 'subject', 'login', 'groups'])
        .where('kind', '=', 'pass')
        .where('groups', '!=', '[]')
        .where('sessions.expires_at', '>', toTime(now()))
        .orderBy('checked_at')
        .execute()
      const people = rows.map((row) => ({ ...row, groups: JSON.parse(row.groups) as string[] }))
      return [...new Map(people.map((one) => [`${one.projectId} ${one.issuer} ${one.subject}`, one])).values()]
    },

    /** Replaces the tokens that were read. False if another process did so first or the session has ended. */
    async replaceTokens(session: StoredSession, sealedTokens: string) {
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

    /**
     * Records the groups that the issuer gave now, and returns this time. If the groups changed, the passes of the session end: each was given
     * for the groups before.
     */
    async recordGroups(session: StoredSession, groups: readonly string[]): Promise<string> {
      const values = { groups: JSON.stringify(groups), checked_at: toTime(now()) }
      await write(async (transaction) => {
        const changed = transaction.selectFrom('sessions').select('id').where('id', '=', session.id)
        const ended = changed.where('groups', '!=', values.groups)
        await transaction.deleteFrom('site_passes').where('session_id', 'in', ended).execute()
        await transaction.updateTable('sessions').set(values).where('id', '=', session.id).execute()
      })
      return values.checked_at
    },

    /** Ends a session and its passes. Idempotent. */
    async end(sessionId: string) {
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
function toSecretHash(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** The store wrote the groups from this type. */
function toSession(row: SessionRow): StoredSession {
  return {
    id: row.id,
    userId: row.user_id,
    login: row.login,
    issuer: row.issuer,
    subject: row.subject,
    groups: JSON.parse(row.groups) as string[],
    ...(row.checked_at !== null && { checkedAt: row.checked_at }),
    sealedTokens: row.sealed_tokens,
    expiresAt: row.expires_at,
  }
}

const maxCachedPasses = 10_000

/** Passes that give a signed-in user of the app access to a private site on its own host. */
export function createPassStore({ write, reader, readVersion }: StoreDatabase, now: RecordSources['now']) {
  const find = createReadCache(
    { readVersion, tables: ['site_passes', 'projects', 'sessions'], maxSize: maxCachedPasses },
    async (id: string): Promise<(SitePassRow & Pick<SessionRow, 'user_id' | 'groups' | 'checked_at'>) | undefined> =>
      await reader
        .selectFrom('site_passes')
        .innerJoin('projects', 'projects.id', 'site_passes.project_id')
        .innerJoin('sessions', 'sessions.id', 'site_passes.session_id')
        .selectAll('site_passes')
        .select(['sessions.user_id', 'sessions.groups', 'sessions.checked_at'])
        .where('site_passes.id', '=', id)
        .where('kind', '=', 'pass')
        .where('projects.deleted_at', 'is', null)
        .executeTakeFirst(),
  )
  return {
    /** Creates a code for a single `redeem`. `challenge` is the hash of a secret in the requesting browser. */
    async createCode(
      secret: string,
      code: Pick<StoredLink, 'host' | 'projectId' | 'expiresAt'> & {
        readonly sessionId: string
        readonly challenge: string
        readonly passExpiresAt: string
      },
    ) {
      const { host, projectId, sessionId, challenge, expiresAt, passExpiresAt } = code
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
            pass_expires_at: passExpiresAt,
          })
          .execute()
      })
    },

    /** Exchanges a code for a pass. The code is used up in any case. False if it does not match, has expired or was used. */
    async redeem(code: string, pass: Pick<StoredLink, 'host'> & { readonly challenge: string; readonly secret: string }) {
      const { host, challenge, secret } = pass
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
          .values({ ...row, id: toSecretHash(secret), kind: 'pass', challenge: '', expires_at: row.pass_expires_at })
          .execute()
        return true
      })
    },

    /** The user with a valid pass, and the groups for which it was given, unless they are too old; `undefined` if it is not valid. A pass ends with its session, in other processes within a second. */
    async check(secret: string, { host, projectId }: Pick<StoredLink, 'host' | 'projectId'>) {
      const row = await find(toSecretHash(secret))
      const isGood = row?.host === host && row.project_id === projectId && row.expires_at > toTime(now())
      if (!isGood) return undefined
      const isOld = row.checked_at !== null && row.checked_at <= toTime(now() - maxGroupsAgeMs)
      return { userId: row.user_id, groups: isOld ? [] : (JSON.parse(row.groups) as string[]) }
    },
  }
}

const maxCachedLinks = 10_000

export function createLinkStore({ write, reader, readVersion, untilNoticed }: StoreDatabase, sources: RecordSources) {
  const { now, randomBytes } = sources
  const find = createReadCache(
    { readVersion, tables: ['site_links', 'projects'], maxSize: maxCachedLinks },
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
    /** Writes an audit line. The store keeps a SHA-256 of `secret`. */
    async create(secret: string, link: Pick<StoredLink, 'host' | 'projectId' | 'expiresAt'>, actor: string) {
      const { host, projectId, expiresAt } = link
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

    /** The valid link for a site; `undefined` if there is none. From memory if possible (`ReadVersion`). */
    async check(secret: string, { host, projectId }: Pick<StoredLink, 'host' | 'projectId'>) {
      const row = await find(toSecretHash(secret))
      const isGood = row?.host === host && row.project_id === projectId && row.expires_at > toTime(now())
      return isGood ? toStoredLink(row) : undefined
    },

    /** Valid links, the last to expire first. */
    async list(projectId: string) {
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

    /** Resolves when no process accepts the link any more, like that of tokens. False if there is no such link. Writes an audit line. */
    async revoke(projectId: string, linkId: string, actor: string) {
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

/** `Store.revokeAll`: returns the numbers of what it has revoked. */
export async function revokeAll({ write, untilNoticed }: StoreDatabase, sources: RecordSources, actor: string) {
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

export function createTokenStore({ write, reader, readVersion, untilNoticed }: StoreDatabase, sources: RecordSources) {
  // A token of a deleted project does not exist.
  const byHash = reader
    .selectFrom('tokens')
    .leftJoin('projects', 'projects.id', 'tokens.project_id')
    .selectAll('tokens')
    .where('projects.deleted_at', 'is', null)
    .where('hash', '=', '')
    .compile()
  const read = async (hash: string): Promise<StoredToken | undefined> => {
    const { rows } = await reader.executeQuery<TokenRow>({ ...byHash, parameters: [hash] })
    return rows[0] && toStoredToken(rows[0])
  }
  const findByHash = createReadCache<StoredToken>({ readVersion, tables: ['tokens', 'projects'], maxSize: maxCachedTokens }, read)

  return {
    /**
     * Creates a token of 256 random bits and writes an audit line. Only this call returns the token; the store keeps a SHA-256.
     *
     * `undefined` if there is no such project.
     */
    async create({ grant, audience = 'public', name, expiresAt }: NewToken, actor: string) {
      const token = `${tokenPrefix}${Buffer.from(sources.randomBytes(tokenBytes)).toString('base64url')}`
      return await write(async (transaction) => {
        if (grant.projectId !== undefined) {
          const project = await selectLiveProject(transaction, grant.projectId).select('id').executeTakeFirst()
          if (!project) return undefined
        }
        const row: TokenRow = {
          id: `tok_${Buffer.from(sources.randomBytes(12)).toString('hex')}`,
          hash: toSecretHash(token),
          name,
          scope: grant.scope,
          project_id: grant.projectId ?? null,
          audience,
          created_at: toTime(sources.now()),
          expires_at: expiresAt,
          revoked_at: null,
        }
        await transaction.insertInto('tokens').values(row).execute()
        const readers = audience === 'public' ? '' : ` for ${audience}`
        const detail = `${grant.scope} ${grant.projectId ?? 'service'}${readers}, until ${expiresAt}: ${name}`
        await insertAudit(transaction, sources, { actor, action: 'token.create', subject: row.id, detail })
        return { token, stored: toStoredToken(row) }
      })
    },

    /** Validates a token, from memory if possible (`ReadVersion`). Never throws, whatever the text. */
    async check(token: string): Promise<TokenCheck> {
      if (!tokenPattern.test(token)) return { kind: 'unknown' }
      // A lookup by hash leaks nothing through its timing.
      const stored = await findByHash(toSecretHash(token))
      if (!stored) return { kind: 'unknown' }
      if (stored.revokedAt !== undefined) return { kind: 'revoked' }
      return sources.now() < Date.parse(stored.expiresAt) ? { kind: 'valid', token: stored } : { kind: 'expired' }
    },

    /** Newest first, revoked and expired ones included. */
    async list() {
      const rows = await reader.selectFrom('tokens').selectAll().orderBy('created_at', 'desc').orderBy('id').execute()
      return rows.map(toStoredToken)
    },

    /**
     * Resolves when no process accepts the token any more, which takes a second with PostgreSQL: a query for each request would cost more.
     *
     * False if there is no such token or it was already revoked. Writes an audit line.
     */
    async revoke(tokenId: string, actor: string) {
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
    audience: row.audience,
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

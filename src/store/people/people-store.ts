import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { createReadCache } from '../database/read-caches.ts'
import { type RecordSources, type StoreDatabase, toTime } from '../database/store-database.ts'
import type { SessionRow, SitePassRow, Tables, TokenRow } from '../database/tables.ts'
import { selectLiveProject } from '../records/project-changes.ts'
import { insertAudit } from '../records/store-journal.ts'
import {
  type ApiGrant,
  type LinkGrant,
  maxGroupsAgeMs,
  type NewToken,
  type StoredSession,
  type StoredToken,
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
      code: Pick<LinkGrant, 'host' | 'projectId'> & {
        readonly expiresAt: string
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
    async redeem(code: string, pass: Pick<LinkGrant, 'host'> & { readonly challenge: string; readonly secret: string }) {
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
    async check(secret: string, { host, projectId }: Pick<LinkGrant, 'host' | 'projectId'>) {
      const row = await find(toSecretHash(secret))
      const isGood = row?.host === host && row.project_id === projectId && row.expires_at > toTime(now())
      if (!isGood) return undefined
      const isOld = row.checked_at !== null && row.checked_at <= toTime(now() - maxGroupsAgeMs)
      return { userId: row.user_id, groups: isOld ? [] : (JSON.parse(row.groups) as string[]) }
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
    await transaction.deleteFrom('site_passes').execute()
    const sessions = await transaction.deleteFrom('sessions').executeTakeFirst()
    const counts = { tokens: Number(tokens.numUpdatedRows), sessions: Number(sessions.numDeletedRows) }
    const detail = `tokens: ${counts.tokens}, sessions: ${counts.sessions}`
    await insertAudit(transaction, sources, { actor, action: 'access.revoke-all', subject: '', detail })
    return counts
  })
  await untilNoticed()
  return revoked
}

type TokenCheck =
  | { readonly kind: 'valid'; readonly token: StoredToken & { readonly grant: ApiGrant } }
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
  const cache = { readVersion, tables: ['tokens', 'projects'], maxSize: maxCachedTokens } as const
  const findByHash = createReadCache<StoredToken>(cache, async (hash) => {
    // A token of a deleted project does not exist.
    const tokens = reader.selectFrom('tokens').leftJoin('projects', 'projects.id', 'tokens.project_id').selectAll('tokens')
    const row = await tokens.where('projects.deleted_at', 'is', null).where('hash', '=', hash).executeTakeFirst()
    return row && toStoredToken(row)
  })
  // A lookup by hash leaks nothing through its timing.
  const find = async (token: string) => (tokenPattern.test(token) ? await findByHash(toSecretHash(token)) : undefined)

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
        const id = `tok_${Buffer.from(sources.randomBytes(12)).toString('hex')}`
        const row = toTokenRow({ id, grant, audience, name, createdAt: toTime(sources.now()), expiresAt }, token)
        await transaction.insertInto('tokens').values(row).execute()
        const of = [grant.projectId ?? 'service', ...(row.host === null ? [] : [`at ${row.host}`])].join(' ')
        const readers = audience === 'public' ? '' : ` for ${audience}`
        const detail = `${grant.scope} ${of}${readers}, until ${expiresAt}: ${name}`
        await insertAudit(transaction, sources, { actor, action: 'token.create', subject: id, detail })
        return { token, stored: toStoredToken(row) }
      })
    },

    /** Validates an API token, from memory if possible (`ReadVersion`). Never throws, whatever the text. */
    async check(token: string): Promise<TokenCheck> {
      const stored = await find(token)
      // A share link opens a site, and nothing of the API.
      if (!stored || stored.grant.scope === 'link') return { kind: 'unknown' }
      if (stored.revokedAt !== undefined) return { kind: 'revoked' }
      const { grant } = stored
      return sources.now() < Date.parse(stored.expiresAt) ? { kind: 'valid', token: { ...stored, grant } } : { kind: 'expired' }
    },

    /** The valid share link for a site; `undefined` if there is none. */
    async checkLink(token: string, { host, projectId }: Pick<LinkGrant, 'host' | 'projectId'>) {
      const stored = await find(token)
      if (!stored || stored.revokedAt !== undefined || sources.now() >= Date.parse(stored.expiresAt)) return undefined
      const { grant } = stored
      return grant.scope === 'link' && grant.host === host && grant.projectId === projectId ? stored : undefined
    },

    /** Newest first, revoked and expired ones included. */
    async list() {
      const rows = await reader.selectFrom('tokens').selectAll().orderBy('created_at', 'desc').orderBy('id').execute()
      return rows.map(toStoredToken)
    },

    /** Valid share links of a project, the last to expire first. */
    async listLinks(projectId: string) {
      const rows = await reader
        .selectFrom('tokens')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('scope', '=', 'link')
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', toTime(sources.now()))
        .orderBy('expires_at', 'desc')
        .execute()
      return rows.map(toStoredToken)
    },

    /**
     * Resolves when no process accepts the token any more, which takes a second with PostgreSQL: a query for each request would cost more.
     *
     * False if there is no such token or it was already revoked. Writes an audit line.
     *
     * @param linkOf Revokes only a share link of this project.
     */
    async revoke(tokenId: string, actor: string, linkOf?: string) {
      const isRevoked = await write(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('tokens')
          .set({ revoked_at: toTime(sources.now()) })
          .where('id', '=', tokenId)
          .where('revoked_at', 'is', null)
          .$if(linkOf !== undefined, (links) => links.where('project_id', '=', linkOf ?? '').where('scope', '=', 'link'))
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

function toTokenRow({ id, grant, audience, name, createdAt, expiresAt }: StoredToken, token: string): TokenRow {
  return {
    id,
    hash: toSecretHash(token),
    name,
    scope: grant.scope,
    project_id: grant.projectId ?? null,
    host: grant.scope === 'link' ? grant.host : null,
    audience,
    created_at: createdAt,
    expires_at: expiresAt,
    revoked_at: null,
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

function toGrant({ id, scope, project_id: projectId, host }: TokenRow): StoredToken['grant'] {
  if (scope === 'admin') return { scope }
  if (scope === 'link' && projectId !== null && host !== null) return { scope, projectId, host }
  if ((scope === 'read' || scope === 'write') && projectId !== null) return { scope, projectId }
  throw new Error(`Cannot read token \`${id}\`: unexpected scope \`${scope}\``)
}

import { toReaders } from '../../docs/config/project-config.ts'
import type { ApiGrant, StoredToken } from '../../store/records/stored-records.ts'
import { ConfigError } from '../../text/errors.ts'
import { type Environment, printRows, withStore } from './with-store.ts'

interface CreateOptions {
  readonly scope: string
  readonly project?: string
  readonly audience: string
  readonly name: string
  readonly days: string
}

export async function listTokens(env: Environment): Promise<number> {
  const now = new Date().toISOString()
  const tokens = await withStore(env, (store) => store.tokens.list())
  const rows = tokens.map(({ id, grant, audience, name, ...lifetime }) => [
    id,
    grant.scope,
    grant.projectId ?? 'all',
    audience,
    toState(lifetime, now),
    name,
  ])
  if (rows.length === 0) console.log('No tokens. Create one with `openapi-pages-app token create`.')
  else printRows([['TOKEN', 'SCOPE', 'PROJECT', 'AUDIENCE', 'STATE', 'NAME'], ...rows])
  return 0
}

export async function revokeToken(env: Environment, tokenId: string): Promise<number> {
  const revoked = await withStore(env, (store) => store.tokens.revoke(tokenId, 'cli'))
  if (!revoked) throw new ConfigError(`no active token ${tokenId}`, { hint: 'See `openapi-pages-app token list`' })
  console.log(`Revoked ${tokenId}`)
  return 0
}

export async function createToken(
  env: Environment,
  { days: givenDays, name, audience, ...wanted }: CreateOptions,
): Promise<number> {
  const grant = toGrant(wanted)
  const days = /^\d{1,3}$/.test(givenDays) ? Number(givenDays) : Number.NaN
  if (!(days >= 1 && days <= 366)) throw new ConfigError('unexpected --days, expected 1 to 366')
  const expiresAt = new Date(Date.now() + days * 86_400_000).toISOString()
  const made = await withStore(env, async (store) => {
    const project = await store.projects.find(grant.projectId ?? '')
    toReaders({ audiences: project?.audiences ?? [] }, { audience })
    return await store.tokens.create({ grant, audience, name, expiresAt }, 'cli')
  })
  if (!made) throw new ConfigError(`no project ${grant.projectId}`, { hint: 'See `openapi-pages-app project list`' })
  // Only the token goes to stdout, so that it can be piped into a secret store.
  console.error(
    `Created ${made.stored.id} with scope ${grant.scope}, valid until ${expiresAt.slice(0, 10)}. Copy it now, because it is not shown again:`,
  )
  console.log(made.token)
  return 0
}

function toGrant({ scope, project: projectId }: Pick<CreateOptions, 'scope' | 'project'>): ApiGrant {
  if (scope === 'admin') {
    if (projectId !== undefined) throw new ConfigError('unexpected --project: an admin token applies to the whole service')
    return { scope }
  }
  if (scope !== 'read' && scope !== 'write') throw new ConfigError('unexpected --scope, expected read, write or admin')
  if (projectId === undefined) throw new ConfigError('missing --project', { hint: 'See `openapi-pages-app project list`' })
  return { scope, projectId }
}

function toState({ revokedAt, expiresAt }: Pick<StoredToken, 'revokedAt' | 'expiresAt'>, now: string): string {
  if (revokedAt !== undefined) return `revoked ${revokedAt.slice(0, 10)}`
  return `${expiresAt <= now ? 'expired' : 'until'} ${expiresAt.slice(0, 10)}`
}

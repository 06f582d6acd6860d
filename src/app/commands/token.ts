import { ConfigError } from '../../errors.ts'
import type { StoredToken, TokenGrant } from '../../store/token-store.ts'
import type { Command, CommandInput } from './commands.ts'
import { printRows } from './print-rows.ts'
import { withStore } from './with-store.ts'

/** Makes, lists and revokes API tokens in the store of a running server. */
export const tokenCommand: Command = {
  help: `openapi-pages token create --project ID [--scope read|write] [--name TEXT] [--days N]
openapi-pages token create --scope admin [--name TEXT] [--days N]
openapi-pages token list
openapi-pages token revoke TOKEN_ID

A token is shown once; the store keeps only its hash. Scopes: read (default) and write for one project, admin for the
whole service. Tokens expire after 90 days unless --days says otherwise (at most 366). A revoked token is refused by the very next call.`,
  options: { project: { type: 'string' }, scope: { type: 'string' }, name: { type: 'string' }, days: { type: 'string' } },
  takes: { create: { words: 0, options: ['project', 'scope', 'name', 'days'] }, list: { words: 0 }, revoke: { words: 1 } },
  async run(input) {
    const [action, ...rest] = input.positionals
    switch (action) {
      case 'create':
        return createToken(input)
      case 'list':
        return withStore(input.env, async (store) => {
          const now = new Date().toISOString()
          const rows = (await store.tokens.list()).map((token) => [
            token.id,
            token.grant.scope,
            token.grant.projectId ?? 'all',
            toState(token, now),
            token.name,
          ])
          if (rows.length === 0) console.log('No tokens. Make one with `openapi-pages token create`.')
          else printRows([['TOKEN', 'SCOPE', 'PROJECT', 'STATE', 'NAME'], ...rows])
          return 0
        })
      default: {
        const [tokenId] = rest
        if (!tokenId) throw new ConfigError('missing the id of the token', { hint: 'see `openapi-pages token list`' })
        const revoked = await withStore(input.env, (store) => store.tokens.revoke(tokenId, 'cli'))
        if (!revoked)
          throw new ConfigError(`no token ${tokenId} that could be revoked`, { hint: 'see `openapi-pages token list`' })
        console.log(`Revoked ${tokenId}`)
        return 0
      }
    }
  },
}

async function createToken({ values, env }: CommandInput): Promise<number> {
  const grant = toGrant(values)
  const days = /^\d{1,3}$/.test(String(values['days'] ?? '90')) ? Number(values['days'] ?? 90) : Number.NaN
  if (!(days >= 1 && days <= 366)) throw new ConfigError('unexpected --days, expected 1 to 366')
  const expiresAt = new Date(Date.now() + days * 86_400_000).toISOString()
  const made = await withStore(env, (store) =>
    store.tokens.create({ grant, name: String(values['name'] ?? ''), expiresAt }, 'cli'),
  )
  if (!made) throw new ConfigError(`no project ${grant.projectId}`, { hint: 'see `openapi-pages project list`' })
  // The token alone goes to stdout, so that it can be piped into a secret store.
  console.error(`${made.stored.id}, scope ${grant.scope}, until ${expiresAt.slice(0, 10)}. It is shown only now:`)
  console.log(made.token)
  return 0
}

function toGrant(values: CommandInput['values']): TokenGrant {
  const scope = values['scope'] ?? 'read'
  const projectId = values['project']
  if (scope === 'admin') {
    if (projectId !== undefined) throw new ConfigError('unexpected --project: an admin token is for the whole service')
    return { scope }
  }
  if (scope !== 'read' && scope !== 'write') throw new ConfigError('unexpected --scope, expected read, write or admin')
  if (typeof projectId !== 'string') throw new ConfigError('missing --project', { hint: 'see `openapi-pages project list`' })
  return { scope, projectId }
}

function toState({ revokedAt, expiresAt }: StoredToken, now: string): string {
  if (revokedAt !== undefined) return `revoked ${revokedAt.slice(0, 10)}`
  return `${expiresAt <= now ? 'expired' : 'until'} ${expiresAt.slice(0, 10)}`
}

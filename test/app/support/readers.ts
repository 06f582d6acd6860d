import { randomBytes } from 'node:crypto'
import type { Store } from '../../../src/store/store.ts'

interface Entry {
  /** Host with port. */
  readonly host: string
  readonly projectId: string
}

const toSecret = () => randomBytes(32).toString('base64url')
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

/** Signs in a person with these groups. `userId`: GitHub's ID; 0 for people of other issuers. */
export async function signInReader(store: Store, groups: readonly string[], userId = 0): Promise<string> {
  const secret = toSecret()
  const issuer = userId === 0 ? 'corp' : 'github'
  const session = { userId, login: 'reader', issuer, subject: '7', groups, sealedTokens: '', expiresAt: inAnHour() }
  await store.sessions.create(secret, session)
  const found = await store.sessions.find(secret)
  if (!found) throw new Error('The session was not stored')
  return found.id
}

/** Gives a session a pass for a host, as the page of the app does. Returns the header `Cookie`. */
export async function enterSite(store: Store, sessionId: string, { host, projectId }: Entry): Promise<string> {
  const [code, secret, challenge] = [toSecret(), toSecret(), 'challenge']
  await store.passes.createCode(code, {
    host,
    projectId,
    sessionId,
    challenge,
    expiresAt: inAnHour(),
    passExpiresAt: inAnHour(),
  })
  if (!(await store.passes.redeem(code, { host, challenge, secret }))) throw new Error('The code was not accepted')
  return `openapi-pages-site=${secret}`
}

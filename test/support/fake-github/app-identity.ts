import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { errors, jwtVerify } from 'jose'
import type { Permissions } from './types.ts'

/** A registered GitHub App with its keys. */
export interface FakeApp {
  readonly id: number
  readonly slug: string
  readonly name: string
  /** Login. */
  readonly owner: string
  readonly clientId: string
  readonly clientSecret: string
  /** PEM, as GitHub issues it. */
  readonly privateKey: string
  webhookSecret: string
  permissions: Permissions
  readonly events: readonly string[]
}

const defaultPermissions: Permissions = { contents: 'read', metadata: 'read', checks: 'write', pull_requests: 'write' }
const defaultEvents = ['push', 'pull_request', 'check_run', 'check_suite', 'merge_group', 'repository']

/** Generating a key takes a tenth of a second, so the apps of a process share one. */
let sharedKey: string | undefined

export function createApp(options: {
  id: number
  name: string
  webhookSecret?: string
  permissions?: Permissions
  events?: readonly string[]
  hasOwnKey?: boolean
}): FakeApp {
  let ownKey: string | undefined
  return {
    id: options.id,
    slug: options.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    name: options.name,
    owner: 'acme',
    clientId: `Iv23${randomBytes(8).toString('hex')}`,
    clientSecret: randomBytes(20).toString('hex'),
    get privateKey() {
      if (options.hasOwnKey) {
        ownKey ??= generateKey()
        return ownKey
      }
      sharedKey ??= generateKey()
      return sharedKey
    },
    webhookSecret: options.webhookSecret ?? randomBytes(20).toString('hex'),
    permissions: options.permissions ?? defaultPermissions,
    events: options.events ?? defaultEvents,
  }
}

function generateKey(): string {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
}

/** Verifies the JWT of an app as GitHub does. Returns GitHub's error message, or `undefined` for a valid one. */
export async function refuseJwt(token: string, apps: readonly FakeApp[]): Promise<string | undefined> {
  for (const app of apps) {
    try {
      const key = createPublicKey(app.privateKey)
      const { payload } = await jwtVerify(token, key, { algorithms: ['RS256'], clockTolerance: 0 })
      if (String(payload.iss) !== String(app.id) && payload.iss !== app.clientId) continue
      const now = Date.now() / 1000
      if (payload.exp === undefined || payload.exp > now + 600) {
        return "'Expiration time' claim ('exp') is too far in the future"
      }
      if (payload.iat === undefined || payload.iat > now + 1) {
        return "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"
      }
      return undefined
    } catch (error) {
      if (error instanceof errors.JWTExpired) {
        return "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires"
      }
    }
  }
  return 'A JSON web token could not be decoded'
}

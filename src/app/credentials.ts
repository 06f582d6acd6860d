import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../text/is-object.ts'

/** What makes this server the GitHub App. Secrets: never logged, never in a record. */
export interface Credentials {
  readonly appId: number
  /** PEM. */
  readonly privateKey: string
  readonly webhookSecret: string
  /** `https://github.com/apps/…`, known where the setup page made the app. */
  readonly appUrl?: string
  /** What people sign in by; absent where nobody can. */
  readonly oauth?: { readonly clientId: string; readonly clientSecret: string }
}

export const credentialsFileName = 'github-app.json'

/** What the setup page stored in the data folder, or `undefined` where there is nothing yet. */
export function readCredentials(dataDir: string): Credentials | { mistake: string; fix: string } | undefined {
  const path = join(dataDir, credentialsFileName)
  if (!existsSync(path)) return undefined
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    value = undefined
  }
  if (isObject(value)) {
    const { appId, privateKey, webhookSecret, appUrl, oauth } = value
    if (typeof appId === 'number' && typeof privateKey === 'string' && typeof webhookSecret === 'string') {
      return { appId, privateKey, webhookSecret, ...(typeof appUrl === 'string' && { appUrl }), ...toOAuth(oauth) }
    }
  }
  return {
    mistake: 'cannot be read as the keys of a GitHub App',
    fix: 'restore it from a backup, or remove it and open the setup page again',
  }
}

/** Files of earlier versions have none. */
function toOAuth(value: unknown): Pick<Credentials, 'oauth'> {
  if (!isObject(value)) return {}
  const { clientId, clientSecret } = value
  return typeof clientId === 'string' && typeof clientSecret === 'string' ? { oauth: { clientId, clientSecret } } : {}
}

/** Stores the keys for the owner of the process alone (mode 0600), whole or not at all. */
export function writeCredentials(dataDir: string, credentials: Credentials): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, credentialsFileName)
  const temporary = `${path}.${randomUUID()}`
  try {
    writeFileSync(temporary, `${JSON.stringify(credentials, undefined, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
}

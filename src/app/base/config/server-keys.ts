import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { joinOwned, type OwnPath } from '../../../files/boundary.ts'
import { readRealFile } from '../../../files/disk-files.ts'
import { createFile, disk } from '../../../files/disk-writes.ts'
import type { Store } from '../../../store/store.ts'
import { StoreError } from '../../../text/errors.ts'
import { linkKeyFileName, parseLinkKey, readLinkKey } from '../signed-links.ts'
import { type AppConfig, type Credentials, parseCredentials, readCredentials, writeCredentials } from './app-config.ts'

/** The keys of the server, which are the same in all its processes. */
export interface ServerKeys {
  /** Signs links to the update pages. */
  readonly linkKey: Buffer
  /** Opens the setup page. Part of its URL. */
  readonly setupKey: string
  /** The credentials of the GitHub App, from the settings or from the setup page; `undefined` until a GitHub App is set up. */
  readCredentials(): Promise<Credentials | undefined>
  /** Stores what the setup page received. Returns the stored credentials, which are those of another process if it was first. */
  keepCredentials(credentials: Credentials): Promise<Credentials>
}

/**
 * Opens the keys in the data directory.
 *
 * @throws {FilesError} if a file cannot be read or written.
 */
export function openKeyFiles({ dataDir, credentials }: Pick<AppConfig, 'dataDir' | 'credentials'>): ServerKeys {
  let current = credentials
  const linkKey = readLinkKey(dataDir)
  if (credentials) removeSetupKey(dataDir)
  return {
    linkKey,
    setupKey: credentials ? createKey() : keepSetupKey(dataDir),
    readCredentials: async () => current,
    async keepCredentials(received) {
      writeCredentials(dataDir, received)
      removeSetupKey(dataDir)
      current = received
      return received
    },
  }
}

/**
 * Opens the keys in a store that several processes share. The first process takes over the keys of the data directory, if there are any.
 *
 * @throws {StoreError} if the store cannot be used or has a damaged key. @throws {FilesError}
 */
export async function openStoredKeys(config: AppConfig, store: Pick<Store, 'secrets'>): Promise<ServerKeys> {
  const { secrets } = store
  const hasFile = existsSync(join(config.dataDir, linkKeyFileName))
  const ownKey = hasFile ? readLinkKey(config.dataDir) : randomBytes(32)
  const linkKey = parseLinkKey((await secrets.read('link-key')) ?? (await secrets.keep('link-key', ownKey.toString('hex'))))
  if (!linkKey) throw damaged('link-key', 'If you delete the row instead, links in earlier checks and comments stop working')
  const own = readCredentials(config.dataDir)
  if (own && 'appId' in own && (await secrets.read('github-app')) === undefined)
    await secrets.keep('github-app', JSON.stringify(own))
  const credentials = await readServerCredentials(config, store)
  return {
    linkKey,
    setupKey: credentials ? createKey() : await secrets.keep('setup-key', createKey()),
    readCredentials: () => readServerCredentials(config, store),
    async keepCredentials(received) {
      const keptCredentials = parseCredentials(await secrets.keep('github-app', JSON.stringify(received)))
      await secrets.remove('setup-key')
      return keptCredentials ?? received
    },
  }
}

/**
 * The credentials of the GitHub App, from the settings or from the setup page.
 *
 * @throws {StoreError} if the stored ones are damaged.
 */
export async function readServerCredentials(
  { credentials, databaseUrl, oauth }: Pick<AppConfig, 'credentials' | 'databaseUrl' | 'oauth'>,
  { secrets }: Pick<Store, 'secrets'>,
): Promise<Credentials | undefined> {
  if (credentials || databaseUrl === undefined) return credentials
  const text = await secrets.read('github-app')
  if (text === undefined) return undefined
  const stored = parseCredentials(text)
  if (!stored) throw damaged('github-app', 'If you delete the row instead, open the setup page again')
  return oauth ? { ...stored, oauth } : stored
}

/** Until the setup is complete, a restart must not change the URL of its page. */
const setupKeyFileName = 'setup.key'

function keepSetupKey(dataDir: OwnPath): string {
  const path = joinOwned(dataDir, setupKeyFileName)
  const kept = readRealFile(path)?.toString().trim() ?? ''
  if (/^[\w-]{32}$/.test(kept)) return kept
  const key = createKey()
  disk.rmSync(path, { force: true })
  createFile(path, `${key}\n`, { mode: 0o600 })
  return key
}

function removeSetupKey(dataDir: OwnPath): void {
  disk.rmSync(joinOwned(dataDir, setupKeyFileName), { force: true })
}

function createKey(): string {
  return randomBytes(24).toString('base64url')
}

function damaged(name: string, otherwise: string): StoreError {
  return new StoreError(`Cannot read the row ${name} of the table \`secrets\`: it is damaged`, {
    hint: `Restore it from a backup. ${otherwise}`,
  })
}

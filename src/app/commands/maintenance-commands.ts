import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import { joinOwned, type UserPath } from '../../files/boundary.ts'
import { isRealFile, readRealFile } from '../../files/disk-files.ts'
import { createFile, disk } from '../../files/disk-writes.ts'
import { ConfigError, FilesError, GitHubError } from '../../text/errors.ts'
import { configFileName, credentialsFileName, readConfig } from '../base/config/app-config.ts'
import { databaseFileName } from '../base/open-store.ts'
import { linkKeyFileName } from '../base/signed-links.ts'
import { createLog } from '../base/telemetry/create-log.ts'
import { reconcile } from '../github-events/reconcile/reconcile.ts'
import type { ReconcileChange } from '../github-events/reconcile/settle-repository.ts'
import { explainSystemError } from './explain-system-error.ts'
import { type Environment, openGitHubApp, printRows, withStore } from './with-store.ts'

interface BackupOptions {
  readonly markRestored?: boolean
  readonly revokeAll?: boolean
}

/** Copies the data directory, as of one point in time, while the server runs. */
export async function backUp(
  env: Environment,
  folder: UserPath | undefined,
  { markRestored = false, revokeAll = false }: BackupOptions,
): Promise<number> {
  if (revokeAll && !markRestored) {
    throw new ConfigError('missing --mark-restored', { hint: '--revoke-all is for a database that was restored' })
  }
  if (markRestored) return await markAsRestored(folder, revokeAll, env)
  if (folder === undefined)
    throw new ConfigError('missing the target directory', { hint: 'For example `openapi-pages-app backup backups/2026-11-20`' })
  if (existsSync(folder)) throw toExistsError(folder)
  const { dataDir } = await readConfig(env)
  const files = [credentialsFileName, linkKeyFileName, configFileName].filter((name) => isRealFile(join(dataDir, name)))
  await withStore(env, async (store) => {
    const created = createFolder(folder, dataDir)
    try {
      await store.backup(join(folder, databaseFileName))
      for (const name of files) {
        const bytes = readRealFile(joinOwned(dataDir, name))
        if (bytes) createFile(joinOwned(folder, name), bytes, { mode: 0o600 })
      }
    } catch (error) {
      disk.rmSync(created, { recursive: true, force: true })
      throw error
    }
  })
  console.log(`Backed up ${[databaseFileName, ...files].join(', ')} to ${folder}`)
  return 0
}

/** `backup` marks its own copies. The tools of PostgreSQL do not. */
async function markAsRestored(folder: string | undefined, revokeAll: boolean, env: Environment): Promise<number> {
  if (folder !== undefined)
    throw new ConfigError(`unexpected argument ${folder} with --mark-restored`, { hint: 'It marks the database of the server' })
  const revoked = await withStore(env, async (store) => {
    await store.notes.write('backup-of', new Date().toISOString())
    return revokeAll ? await store.revokeAll('cli') : undefined
  })
  console.log('Marked the database as restored. Start the server to compare it with GitHub')
  if (revoked) {
    console.log(
      `Revoked ${formatCount(revoked.tokens, 'token or link', 'tokens and links')} and ${formatCount(revoked.sessions, 'session')}`,
    )
  } else {
    console.log(
      'Tokens, links and sessions that were revoked since the backup are valid again. To revoke all of them, add --revoke-all',
    )
  }
  return 0
}

function toExistsError(folder: string): ConfigError {
  return new ConfigError(`${folder} already exists`, { hint: 'Choose a new directory: a backup never overwrites anything' })
}

/** @returns The topmost folder that it created. */
function createFolder(folder: UserPath, dataDir: string): UserPath {
  try {
    const created = disk.mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (created === undefined) throw toExistsError(folder)
    return created
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    const { message = String(cause) } = explainSystemError(cause) ?? {}
    throw new FilesError(message, {
      path: folder,
      hint: `Name a directory that this user can create, such as ${join(dataDir, 'backups', basename(folder))}`,
      cause,
    })
  }
}

const titles: Readonly<Record<ReconcileChange['kind'], readonly [done: string, planned: string]>> = {
  deleted: ['deleted', 'delete'],
  restored: ['restored', 'restore'],
  detached: ['detached', 'detach'],
  private: ['made private', 'make private'],
  public: ['made public', 'make public'],
  renamed: ['renamed', 'rename'],
  'default-branch': ['changed default branch', 'change default branch'],
  installation: ['changed installation', 'change installation'],
  found: ['added', 'add'],
  update: ['queued an update', 'queue an update'],
}

/** Compares the store with GitHub and corrects it while the server runs. */
export async function runReconcile(
  env: Environment,
  { dryRun: isDryRun = false }: { readonly dryRun?: boolean },
): Promise<number> {
  const config = await readConfig(env)
  const changes: ReconcileChange[] = []
  const context = {
    isDryRun,
    config,
    // This command prints the changes itself.
    log: createLog({ level: 'silent', format: 'text', write: () => undefined }),
    now: () => new Date(),
    report: (change: ReconcileChange) => void changes.push(change),
  }
  const result = await withStore(env, async (store) => {
    const app = await openGitHubApp(config, store)
    if (!app) throw new ConfigError('the server has no GitHub App yet', { hint: 'Start the server and complete its setup page' })
    return await reconcile({ ...context, app, store }, { isFull: true })
  }).catch((error: unknown) => {
    if (error instanceof GitHubError) throw new ConfigError(error.message, error.hint === undefined ? {} : { hint: error.hint })
    throw error
  })
  const { installations, repositories, failures } = result
  if (changes.length > 0) {
    printRows([
      ['CHANGE', 'REPOSITORY', 'DETAIL'],
      ...changes.map(({ kind, repository, detail }) => [titles[kind][isDryRun ? 1 : 0], repository, detail]),
    ])
    console.log('')
  }
  for (const failure of failures) console.error(`Cannot compare ${failure}`)
  const count = formatCount(changes.length, 'difference')
  const done = changes.length === 0 ? 'no differences' : isDryRun ? `${count}, nothing changed (--dry-run)` : `${count} corrected`
  console.log(
    `Compared ${formatCount(installations, 'installation')} and ${formatCount(repositories, 'repository', 'repositories')}: ${done}`,
  )
  return failures.length === 0 ? 0 : 1
}

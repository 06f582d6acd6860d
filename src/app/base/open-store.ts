import { join } from 'node:path'
import { isRealFile } from '../../files/disk-files.ts'
import type { SiteBucket } from '../../store/sites/stored-sites.ts'
import { openPostgresStore, openSitesBucket, openSqliteStore, type Store } from '../../store/store.ts'
import { ConfigError } from '../../text/errors.ts'
import type { AppConfig } from './config/app-config.ts'

/** The database file in the data directory. */
export const databaseFileName = 'openapi-pages.sqlite'

/**
 * Opens the store of the app: in PostgreSQL if DATABASE_URL is set, otherwise in the data directory.
 *
 * @param server Absent for a command. `now`: milliseconds since 1970. `backOffMs`: the first wait after a failed attempt of a job.
 * @throws {StoreError | FilesError} if it cannot be used, or if another server uses the data directory.
 */
export async function openStore(
  config: AppConfig,
  server?: { readonly now: () => number; readonly backOffMs: number | undefined },
): Promise<Store> {
  const { backOffMs } = server ?? {}
  const options = {
    ...(server && { now: server.now, isServer: true }),
    bucket: await openBucket(config),
    limits: {
      maxWaitingPerInstallation: config.installationQueuedUpdates,
      maxPreviews: config.sitePreviews,
      keepPreviewsMs: config.sitePreviewDays * 24 * 3_600_000,
      keepRecordsMs: config.recordDays * 24 * 3_600_000,
      ...(backOffMs !== undefined && { backOffMs }),
    },
  }
  if (config.databaseUrl === undefined) return await openSqliteStore({ path: join(config.dataDir, databaseFileName), ...options })
  return await openPostgresStore({ url: config.databaseUrl, connections: config.databaseConnections, ...options })
}

/** Opens the bucket for the files of sites; `undefined` if they are in the database. Sends no request. */
export async function openBucket(config: AppConfig): Promise<SiteBucket | undefined> {
  if (!config.sitesBucket) return undefined
  return await openSitesBucket({ ...config.sitesBucket, endpoint: config.sitesBucketEndpoint, region: config.sitesBucketRegion })
}

/**
 * Opens the store for a command. The server may be running.
 *
 * @throws {ConfigError} if there is no database file: a command in the wrong directory must not create an empty one.
 */
export async function openExistingStore(config: AppConfig): Promise<Store> {
  const path = join(config.dataDir, databaseFileName)
  if (config.databaseUrl === undefined && !isRealFile(path)) {
    throw new ConfigError(`no database at ${path}`, {
      hint: 'Set DATA_DIR to the data directory of the server, or start the server once',
    })
  }
  return await openStore(config)
}

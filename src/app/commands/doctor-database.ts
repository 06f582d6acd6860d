import { formatCount } from '../../diagnostics/diagnostic.ts'
import type { AppConfig, Credentials } from '../config/app-config.ts'
import { readServerCredentials } from '../config/server-keys.ts'
import { openStore } from '../open-store.ts'

/** The result of one check of `doctor`. */
export interface DoctorResult {
  readonly state: 'ok' | 'warning' | 'error'
  readonly message: string
  /** How to fix a warning or an error. */
  readonly fix?: string
}

/** The oldest version that the app supports: the locks of processes use `idle_session_timeout`. */
const leastVersion = 14
/** Times in records come from the machines. Leases use the clock of the server. */
const maxClockDriftMs = 2_000
/** Connections of one process besides those for queries: for messages between processes, and for locks. */
const furtherConnections = 2

interface DatabaseChecks {
  readonly results: readonly DoctorResult[]
  /** Of the settings, or from the database. */
  readonly credentials: Credentials | undefined
}

/** Checks the PostgreSQL database of DATABASE_URL, without changing its schema. */
export async function checkPostgres(config: AppConfig, url: string): Promise<DatabaseChecks> {
  const { credentials } = config
  const { inspectPostgres } = await import('../../store/postgres/inspect-postgres.ts')
  const state = await inspectPostgres(url).catch((error: unknown) => error)
  if (!isState(state)) {
    // Opening the store explains the error, with a hint.
    const reason = await openStore(config).then(
      (store) => store.close().then(() => state),
      (error: unknown) => error,
    )
    return { results: [toFailure(reason)], credentials }
  }
  const { version, majorVersion, isReadOnly, maxConnections, clockAheadMs, schemaVersion, supportedVersion } = state
  const results: DoctorResult[] = [
    majorVersion >= leastVersion
      ? { state: 'ok', message: `The database is PostgreSQL ${version}` }
      : {
          state: 'error',
          message: `The database is PostgreSQL ${version}`,
          fix: `Upgrade it to version ${leastVersion} or later`,
        },
    checkConnections(config, maxConnections),
    checkClock(clockAheadMs),
    { state: 'ok', message: `The role of this process is \`${config.role}\`` },
  ]
  if (isReadOnly) {
    const fix = 'Point DATABASE_URL to the primary server'
    return { results: [...results, { state: 'error', message: 'The database is read-only', fix }], credentials }
  }
  if (schemaVersion < supportedVersion) {
    const message =
      schemaVersion === 0
        ? 'The database is empty'
        : `The schema has version ${schemaVersion}, and this program uses version ${supportedVersion}`
    return {
      results: [...results, { state: 'warning', message, fix: 'Start the server: it creates what is missing' }],
      credentials,
    }
  }
  const schema =
    schemaVersion === supportedVersion
      ? `The schema has version ${schemaVersion}`
      : `The schema has version ${schemaVersion}, from a newer program than this one (${supportedVersion})`
  try {
    const store = await openStore(config)
    try {
      await store.ping()
      results.push({ state: 'ok', message: schema }, toQueueResult(await store.queue.stats()))
      return { results, credentials: await readServerCredentials(config, store) }
    } finally {
      await store.close()
    }
  } catch (error) {
    return { results: [...results, toFailure(error)], credentials }
  }
}

/** What a store that can be written says about its queue. */
export function toQueueResult({ waiting, dead }: { readonly waiting: number; readonly dead: number }): DoctorResult {
  const jobs = `${formatCount(waiting, 'job')} waiting`
  if (dead === 0) return { state: 'ok', message: `The database can be read and written (${jobs})` }
  return {
    state: 'warning',
    message: `The database can be read and written (${jobs}, ${dead} failed permanently)`,
    fix: 'Look for the reasons in the log',
  }
}

function isState(
  value: unknown,
): value is Awaited<ReturnType<typeof import('../../store/postgres/inspect-postgres.ts').inspectPostgres>> {
  return typeof value === 'object' && value !== null && 'schemaVersion' in value
}

function toFailure(error: unknown): DoctorResult {
  const message = error instanceof Error ? error.message : String(error)
  const hint = error instanceof Error && 'hint' in error && typeof error.hint === 'string' ? error.hint : undefined
  return { state: 'error', message, fix: hint ?? 'Check DATABASE_URL and the log of the PostgreSQL server' }
}

function checkConnections({ databaseConnections }: AppConfig, maxConnections: number): DoctorResult {
  const ofProcess = databaseConnections + furtherConnections
  const processes = Math.floor(maxConnections / ofProcess)
  const message = `The server allows ${maxConnections} connections: enough for ${formatCount(processes, 'process', 'processes')} with DATABASE_CONNECTIONS=${databaseConnections}`
  if (processes >= 2) return { state: 'ok', message }
  return { state: 'warning', message, fix: 'Increase max_connections of the server, or lower DATABASE_CONNECTIONS' }
}

function checkClock(clockAheadMs: number): DoctorResult {
  const seconds = (Math.abs(clockAheadMs) / 1000).toFixed(1)
  if (Math.abs(clockAheadMs) <= maxClockDriftMs)
    return { state: 'ok', message: `The clock is within ${seconds} s of the database server's` }
  return {
    state: 'error',
    message: `The clock is ${seconds} s ${clockAheadMs > 0 ? 'behind' : 'ahead of'} the database server's`,
    fix: 'Synchronize the clocks of all machines with NTP',
  }
}

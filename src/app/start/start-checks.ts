import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import { type GitHubApp, listFailedDeliveries, readApp, readWebhookUrl } from '../../github/apps/github-app.ts'
import { readPostgresState } from '../../store/store.ts'
import { GitHubError, StoreError } from '../../text/errors.ts'
import type { ServerHealth } from '../api/service-routes.ts'
import type { AppContext } from '../base/app-context.ts'
import { type AppConfig, credentialsFileName } from '../base/config/app-config.ts'
import { appEvents, listLackingPermissions, signInCallbackPath, webhookPath } from '../base/manifest.ts'
import { openBucket } from '../base/open-store.ts'
import { linkKeyFileName } from '../base/signed-links.ts'

interface CheckResult {
  readonly state: 'ok' | 'warning' | 'error'
  readonly message: string
  /** How to fix a warning or an error. */
  readonly fix?: string
}

function fault(message: string, fix: string, state: 'warning' | 'error' = 'error'): CheckResult {
  return { state, message, fix }
}

const levels = { ok: 'info', warning: 'warn', error: 'error' } as const
const dayMs = 86_400_000
/** GitHub accepts tokens that differ from its own time by up to a minute. */
const maxGitHubDriftMs = 30_000
/** Times in records come from the machines. Leases use the clock of the database server. */
const maxDatabaseDriftMs = 2_000
/** The oldest version that the app supports: the locks of processes use `idle_session_timeout`. */
const leastPostgresVersion = 14
/** Connections of one process besides those for queries: for locks. */
const furtherConnections = 1
const minFreeBytes = 1024 ** 3

/**
 * Checks what a running app depends on: the database, the disk, the keys, the bucket, and the GitHub App with its permissions, events,
 * webhook and recent deliveries. Logs the results with their fixes, later only new problems, and replaces the problems for `/readyz`.
 */
export async function checkServer(
  context: AppContext,
  { problems, isStopping }: ServerHealth,
  isRepeated = false,
): Promise<void> {
  const { config, github, log } = context
  const client = github.app?.client
  const found: string[] = []
  const checks: readonly (() => Promise<readonly CheckResult[]>)[] = [
    () => checkPostgres(config),
    () => checkQueue(context),
    () => checkDisk(config),
    () => checkModes(config),
    () => checkBucket(config),
    ...(client ? [() => checkGitHubApp(client, context), () => checkWebhook(client, context)] : []),
  ]
  for (const check of checks) {
    const results = await check().catch(toFailure)
    if (isStopping()) return
    for (const { state, message, fix } of results) {
      if (!isRepeated || (state !== 'ok' && !problems.includes(message))) log[levels[state]]({ fix }, message)
      if (state !== 'ok') found.push(message)
    }
  }
  problems.splice(0, problems.length, ...found)
}

/** Any error fails one check. The others continue. */
function toFailure(error: unknown): readonly CheckResult[] {
  const message = error instanceof Error ? error.message : String(error)
  const hint = error instanceof Error && 'hint' in error && typeof error.hint === 'string' ? error.hint : undefined
  const fix = hint ?? (error instanceof GitHubError ? 'Check that this machine can reach GitHub' : 'See the log of the server')
  return [{ state: 'error', message, fix }]
}

async function checkPostgres(config: AppConfig): Promise<readonly CheckResult[]> {
  if (config.databaseUrl === undefined) return []
  const { version, majorVersion, isReadOnly, maxConnections, clockAheadMs } = await readPostgresState(config.databaseUrl)
  const server: CheckResult =
    majorVersion >= leastPostgresVersion
      ? { state: 'ok', message: `The database is PostgreSQL ${version}` }
      : fault(`The database is PostgreSQL ${version}`, `Upgrade it to version ${leastPostgresVersion} or later`)
  const readOnly = fault('The database is read-only', 'Point DATABASE_URL to the primary server')
  const clock = checkClock(-clockAheadMs, maxDatabaseDriftMs, 'the database server')
  return [server, checkConnections(config, maxConnections), clock, ...(isReadOnly ? [readOnly] : [])]
}

function checkConnections({ databaseConnections }: AppConfig, maxConnections: number): CheckResult {
  const processes = Math.floor(maxConnections / (databaseConnections + furtherConnections))
  const message = `The server allows ${maxConnections} connections: enough for ${formatCount(processes, 'process', 'processes')} with DATABASE_CONNECTIONS=${databaseConnections}`
  if (processes >= 2) return { state: 'ok', message }
  return { state: 'warning', message, fix: 'Increase max_connections of the server, or lower DATABASE_CONNECTIONS' }
}

function checkClock(aheadMs: number, limitMs: number, other: string): CheckResult {
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1)
  if (Math.abs(aheadMs) <= limitMs) return { state: 'ok', message: `The clock is within ${seconds} s of that of ${other}` }
  return fault(
    `The clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of ${other}`,
    'Synchronize the clocks of all machines with NTP',
  )
}

async function checkQueue({ store }: AppContext): Promise<readonly CheckResult[]> {
  await store.ping()
  const { waiting, refused, delayed } = await store.queue.stats()
  const jobs = `${formatCount(waiting, 'job')} waiting, ${refused} refused by GitHub, ${delayed} delayed`
  return [{ state: 'ok', message: `The database can be read and written (${jobs})` }]
}

async function checkDisk({ dataDir }: AppConfig): Promise<readonly CheckResult[]> {
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const size = `${(free / minFreeBytes).toFixed(1)} GB`
  if (free >= minFreeBytes) return [{ state: 'ok', message: `The disk has ${size} free` }]
  return [{ state: 'error', message: `The disk has only ${size} free`, fix: 'Free some space: a full disk stops all updates' }]
}

async function checkModes({ dataDir }: AppConfig): Promise<readonly CheckResult[]> {
  const open = [credentialsFileName, linkKeyFileName].filter((name) => {
    const path = join(dataDir, name)
    return existsSync(path) && (statSync(path).mode & 0o077) !== 0
  })
  // Windows has no file modes and always reports 0o666.
  if (open.length === 0 || process.platform === 'win32') return [{ state: 'ok', message: 'Other users cannot read the keys' }]
  const paths = open.map((name) => join(dataDir, name)).join(' ')
  return [{ state: 'error', message: `Other users can read ${open.join(', ')}`, fix: `Run \`chmod 600 ${paths}\`` }]
}

/** Writes, reads, lists and deletes an object in the bucket of the sites. No result if there is no bucket. */
async function checkBucket(config: AppConfig): Promise<readonly CheckResult[]> {
  const bucket = await openBucket(config)
  if (!bucket) return []
  const name = `openapi-pages-probe-${randomUUID()}`
  const bytes = Buffer.from(name)
  try {
    await bucket.put(name, bytes, 'identity')
    const read = await bucket.read(name)
    const listed = await bucket.list(name.slice(0, -1))
    await bucket.delete(name)
    if (!read || Buffer.compare(read, bytes) !== 0 || !listed.includes(name)) {
      throw new StoreError(`The bucket ${bucket.place} did not return the object that was just written`, {
        hint: 'Use a server that is compatible with Amazon S3 and consistent after each write',
      })
    }
    return [{ state: 'ok', message: `The files of sites can be stored in the bucket ${bucket.place}` }]
  } finally {
    bucket.close()
  }
}

async function checkGitHubApp(client: GitHubApp['client'], { config, now }: AppContext): Promise<readonly CheckResult[]> {
  const { name, htmlUrl, permissions, events, answeredAt } = await readApp(client)
  const aheadMs = answeredAt === undefined ? 0 : now().getTime() - Date.parse(answeredAt)
  return [
    { state: 'ok', message: `The credentials belong to the GitHub App ${name} (${htmlUrl})` },
    ...checkGrants(permissions, events, htmlUrl),
    checkSignIn(config, htmlUrl),
    checkClock(aheadMs, maxGitHubDriftMs, 'GitHub'),
  ]
}

function checkGrants(
  permissions: Readonly<Record<string, string>>,
  events: readonly string[],
  appUrl: string,
): readonly CheckResult[] {
  const lacking = listLackingPermissions(permissions)
  const missing = appEvents.filter((event) => !events.includes(event))
  const settingsUrl = `${appUrl.replace('/apps/', '/settings/apps/')}/permissions`
  return [
    lacking.length === 0
      ? { state: 'ok', message: 'The GitHub App has all required permissions' }
      : fault(
          `The GitHub App lacks permissions: ${lacking.join(', ')}`,
          `Grant them at ${settingsUrl}, then accept them on each installation`,
        ),
    missing.length === 0
      ? { state: 'ok', message: 'Subscribed to all required events' }
      : { state: 'error', message: `Not subscribed to ${missing.join(', ')}`, fix: `Select these events at ${settingsUrl}` },
  ]
}

/** Checks only that a client ID is set. A wrong secret shows when a user signs in. */
function checkSignIn({ credentials, baseUrl, port }: AppConfig, appUrl: string): CheckResult {
  if (credentials?.oauth) return { state: 'ok', message: 'Users can sign in with GitHub' }
  const callbackUrl = `${baseUrl ?? `http://localhost:${port}`}${signInCallbackPath}`
  return fault(
    'Users cannot sign in: the client ID of the GitHub App is not set',
    `Create a client secret at ${appUrl.replace('/apps/', '/settings/apps/')}, add the callback URL ${callbackUrl} there, and set GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET`,
    'warning',
  )
}

async function checkWebhook(client: GitHubApp['client'], { config, now }: AppContext): Promise<readonly CheckResult[]> {
  const url = await readWebhookUrl(client)
  const wanted = config.baseUrl === undefined ? undefined : `${config.baseUrl}${webhookPath}`
  if (!url) {
    const fix = `Set it to ${wanted ?? `BASE_URL followed by ${webhookPath}`}`
    return [{ state: 'error', message: 'The GitHub App has no webhook URL', fix }]
  }
  const place: CheckResult =
    wanted === undefined || url === wanted
      ? { state: 'ok', message: `GitHub delivers webhooks to ${url}` }
      : fault(
          `GitHub delivers webhooks to ${url}, but the server is at ${wanted}`,
          'Correct BASE_URL, or the webhook URL in the settings of the GitHub App',
        )
  const failed = await listFailedDeliveries(client, new Date(now().getTime() - dayMs).toISOString())
  const codes = [...new Set(failed.map(({ statusCode }) => statusCode))].join(', ')
  const lost: CheckResult =
    failed.length === 0
      ? { state: 'ok', message: 'No webhook deliveries failed in the last 24 hours' }
      : fault(
          `${formatCount(failed.length, 'webhook delivery', 'webhook deliveries')} failed in the last 24 hours (${codes})`,
          'The server requests redelivery. If the status is 401, set the same webhook secret here and in the GitHub App',
          'warning',
        )
  return [place, await checkReachability(url), lost]
}

/** Tests the URL from this machine. The list of deliveries shows whether GitHub can reach it too. */
async function checkReachability(url: string): Promise<CheckResult> {
  const health = new URL('/healthz', url)
  const unreachable = fault(
    `${health.origin} is unreachable from this machine`,
    'Check its DNS name, certificate, proxy and firewall',
  )
  const status = await fetch(health, { signal: AbortSignal.timeout(10_000) }).then(
    (response) => response.status,
    () => undefined,
  )
  if (status === undefined) return unreachable
  if (status === 200) return { state: 'ok', message: `${health.origin} is reachable` }
  return fault(`${health.href} returned ${status}, expected 200`, 'Configure the proxy to forward every path to this server')
}

import { randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import { GitHubError } from '../../errors.ts'
import { listFailedDeliveries } from '../../github/deliveries.ts'
import { GitHubApp } from '../../github/github-app.ts'
import { readApp, readWebhookUrl } from '../../github/installations.ts'
import { readOwn } from '../../source/is-object.ts'
import { BucketError } from '../../store/sites/bucket-contents.ts'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import { type AppConfig, configFileName, credentialsFileName } from '../config/app-config.ts'
import { databaseFileName, openBucket } from '../open-store.ts'
import { chromiumFolder, findChromium } from '../screenshots/find-chromium.ts'
import { createScreenshotTaker } from '../screenshots/screenshot-taker.ts'
import { appEvents, appPermissions, signInCallbackPath, webhookPath } from '../setup/manifest.ts'
import { linkKeyFileName } from '../signed-links.ts'
import { findSitesPlace } from '../sites/sites-domain.ts'
import { checkPostgres, type DoctorResult, toQueueResult } from './doctor-database.ts'

const dayMs = 86_400_000
/** GitHub accepts tokens that differ from its own time by up to a minute. */
const maxClockDriftMs = 30_000

/** Checks the data directory, the disk, the bucket, the browser, the credentials and their permissions, the webhook and the clock. */
export async function runDoctorChecks(settings: AppConfig, now: Date): Promise<readonly DoctorResult[]> {
  const { databaseUrl } = settings
  const database = databaseUrl === undefined ? undefined : await checkPostgres(settings, databaseUrl)
  const config = database ? { ...settings, credentials: database.credentials } : settings
  const here = [
    ...(database ? [...database.results, ...(await checkOwnFolder(config))] : await checkDataFolder(config)),
    ...(await checkBucket(config)),
    ...(await checkChromium(config)),
    checkMetrics(config),
  ]
  if (!config.credentials) {
    return [...here, { state: 'error', message: 'No GitHub App is set up', fix: 'Start the server and open its setup page' }]
  }
  const { appId, privateKey } = config.credentials
  const { client } = new GitHubApp({ appId, privateKey, apiUrl: config.githubApiUrl, signal: AbortSignal.timeout(30_000) })
  const app = await readApp(client).catch(toFailure)
  if (!('slug' in app)) return [...here, app]
  return [
    ...here,
    { state: 'ok', message: `The credentials belong to the GitHub App ${app.name} (${app.htmlUrl})` },
    ...checkGrants(app.permissions, app.events, app.htmlUrl),
    checkSignIn(config, app.htmlUrl),
    ...checkClock(app.answeredAt, now),
    ...(await checkWebhook(client, config, now)),
  ]
}

/** Writes, reads, lists and deletes an object in the bucket of the sites. No result if there is no bucket. */
async function checkBucket(config: AppConfig): Promise<readonly DoctorResult[]> {
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
      const message = `The bucket ${bucket.place} did not return the object that was just written`
      return [{ state: 'error', message, fix: 'Use a server that is compatible with Amazon S3 and consistent after each write' }]
    }
    return [{ state: 'ok', message: `The files of sites can be stored in the bucket ${bucket.place}` }]
  } catch (error) {
    if (!(error instanceof BucketError)) throw error
    return [{ state: 'error', message: error.message, ...(error.hint !== undefined && { fix: error.hint }) }]
  } finally {
    bucket.close()
  }
}

function checkMetrics({ metricsToken }: AppConfig): DoctorResult {
  const accepted = metricsToken === undefined ? '`admin` API tokens only' : '`METRICS_TOKEN` and `admin` API tokens'
  return { state: 'ok', message: `\`/metrics\` accepts ${accepted}` }
}

function toFailure(error: unknown): DoctorResult {
  if (!(error instanceof GitHubError)) throw error
  return { state: 'error', message: error.message, fix: error.hint ?? 'Check that this machine can reach GitHub' }
}

function checkGrants(
  permissions: Readonly<Record<string, string>>,
  events: readonly string[],
  appUrl: string,
): readonly DoctorResult[] {
  const enough = (wanted: string, given: string | undefined) => given === wanted || (wanted === 'read' && given === 'write')
  const lacking = Object.entries(appPermissions).filter(([name, wanted]) => !enough(wanted, readOwn(permissions, name)))
  const missing = appEvents.filter((event) => !events.includes(event))
  const settingsUrl = `${appUrl.replace('/apps/', '/settings/apps/')}/permissions`
  return [
    lacking.length === 0
      ? { state: 'ok', message: 'The GitHub App has all required permissions' }
      : {
          state: 'error',
          message: `The GitHub App lacks permissions: ${lacking.map(([name, wanted]) => `${name}: ${wanted}`).join(', ')}`,
          fix: `Grant them at ${settingsUrl}, then accept them on each installation`,
        },
    missing.length === 0
      ? { state: 'ok', message: 'Subscribed to all required events' }
      : { state: 'error', message: `Not subscribed to ${missing.join(', ')}`, fix: `Select these events at ${settingsUrl}` },
  ]
}

/** Checks only that a client ID is set. A wrong secret shows when a user signs in. */
function checkSignIn({ credentials, baseUrl, port }: AppConfig, appUrl: string): DoctorResult {
  if (credentials?.oauth) return { state: 'ok', message: 'Users can sign in with GitHub' }
  const callbackUrl = `${baseUrl ?? `http://localhost:${port}`}${signInCallbackPath}`
  return {
    state: 'warning',
    message: 'Users cannot sign in: the client ID of the GitHub App is not set',
    fix: `Create a client secret at ${appUrl.replace('/apps/', '/settings/apps/')}, add the callback URL ${callbackUrl} there, and set GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET`,
  }
}

function checkClock(answeredAt: string | undefined, now: Date): readonly DoctorResult[] {
  if (answeredAt === undefined) return []
  const driftMs = now.getTime() - Date.parse(answeredAt)
  const seconds = Math.round(Math.abs(driftMs) / 1000)
  if (Math.abs(driftMs) <= maxClockDriftMs) return [{ state: 'ok', message: `The clock is within ${seconds} s of GitHub's` }]
  return [
    {
      state: 'error',
      message: `The clock is ${seconds} s ${driftMs > 0 ? 'ahead of' : 'behind'} GitHub's`,
      fix: 'Synchronize the clock of this machine with NTP',
    },
  ]
}

async function checkWebhook(client: GitHubApp['client'], config: AppConfig, now: Date): Promise<readonly DoctorResult[]> {
  const url = await readWebhookUrl(client).catch(toFailure)
  if (typeof url === 'object') return [url]
  const wanted = config.baseUrl === undefined ? undefined : `${config.baseUrl}${webhookPath}`
  if (!url)
    return [
      {
        state: 'error',
        message: 'The GitHub App has no webhook URL',
        fix: `Set it to ${wanted ?? `BASE_URL followed by ${webhookPath}`}`,
      },
    ]
  const found: DoctorResult[] = [
    wanted === undefined || url === wanted
      ? { state: 'ok', message: `GitHub delivers webhooks to ${url}` }
      : {
          state: 'error',
          message: `GitHub delivers webhooks to ${url}, but the server is at ${wanted}`,
          fix: 'Correct BASE_URL, or the webhook URL in the settings of the GitHub App',
        },
    await checkReachability(url),
  ]
  const failed = await listFailedDeliveries(client, new Date(now.getTime() - dayMs).toISOString()).catch(toFailure)
  if ('state' in failed) return [...found, failed]
  const codes = [...new Set(failed.map(({ statusCode }) => statusCode))].join(', ')
  const lost: DoctorResult =
    failed.length === 0
      ? { state: 'ok', message: 'No webhook deliveries failed in the last 24 hours' }
      : {
          state: 'warning',
          message: `${formatCount(failed.length, 'webhook delivery', 'webhook deliveries')} failed in the last 24 hours (${codes})`,
          fix: 'Wait for the running server to request redelivery. If the status is 401, set the same webhook secret here and in the GitHub App',
        }
  return [...found, lost]
}

/** Tests the URL from this machine. The list of deliveries shows whether GitHub can reach it too. */
async function checkReachability(url: string): Promise<DoctorResult> {
  const health = new URL('/healthz', url)
  try {
    const { status } = await fetch(health, { signal: AbortSignal.timeout(10_000) })
    if (status === 200) return { state: 'ok', message: `${health.origin} is reachable` }
    return {
      state: 'error',
      message: `${health.href} returned ${status}, expected 200`,
      fix: 'Configure the proxy to forward every path to this server',
    }
  } catch {
    return {
      state: 'error',
      message: `${health.origin} is unreachable from this machine`,
      fix: 'Start the server, and check its DNS name, certificate, proxy and firewall',
    }
  }
}

const minFreeBytes = 1024 ** 3

/** Checks the database, the free disk space and the permissions of the key files. */
async function checkDataFolder({ dataDir }: AppConfig): Promise<readonly DoctorResult[]> {
  const path = join(dataDir, databaseFileName)
  if (!existsSync(path)) {
    return [
      {
        state: 'error',
        message: `No database at ${path}`,
        fix: 'Set DATA_DIR to the data directory of the server, or start the server once',
      },
    ]
  }
  return [await checkStore(path), await checkDisk(dataDir), checkModes(dataDir), ...checkOwner(dataDir)]
}

/** With PostgreSQL, the data directory has only temporary files and perhaps a settings file. */
async function checkOwnFolder({ dataDir }: AppConfig): Promise<readonly DoctorResult[]> {
  return existsSync(dataDir) ? [await checkDisk(dataDir), ...checkOwner(dataDir)] : []
}

/** After a restore by another user, the server can read the database but not the keys, or the other way round. */
function checkOwner(dataDir: string): readonly DoctorResult[] {
  const names = [`${databaseFileName}.id`, credentialsFileName, linkKeyFileName, configFileName]
  const locked = names.map((name) => join(dataDir, name)).filter((path) => existsSync(path) && !isReadable(path))
  if (locked.length === 0) return []
  const owner = process.getuid?.() ?? '<user>'
  return [
    {
      state: 'error',
      message: `This user cannot read ${locked.join(', ')}`,
      fix: `Run the command as the user of the server. If this is that user, run \`chown -hR ${owner} ${dataDir}\` as root`,
    },
  ]
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

async function checkStore(path: string): Promise<DoctorResult> {
  try {
    const store = await openSqliteStore({ path })
    try {
      await store.ping()
      return toQueueResult(await store.queue.stats())
    } finally {
      await store.close()
    }
  } catch (error) {
    // Report any error, then continue with the next check.
    return {
      state: 'error',
      message: error instanceof Error ? error.message : String(error),
      fix: 'Give the user of this process access to the data directory. If the file is damaged, restore a backup',
    }
  }
}

async function checkDisk(dataDir: string): Promise<DoctorResult> {
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const size = `${(free / minFreeBytes).toFixed(1)} GB`
  if (free >= minFreeBytes) return { state: 'ok', message: `The disk has ${size} free` }
  return { state: 'error', message: `The disk has only ${size} free`, fix: 'Free some space: a full disk stops all updates' }
}

function checkModes(dataDir: string): DoctorResult {
  const open = [credentialsFileName, linkKeyFileName]
    .map((name) => join(dataDir, name))
    .filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0)
  // Windows has no file modes and always reports 0o666.
  if (open.length === 0 || process.platform === 'win32') return { state: 'ok', message: 'Other users cannot read the keys' }
  return { state: 'error', message: `Other users can read ${open.join(', ')}`, fix: `Run \`chmod 600 ${open.join(' ')}\`` }
}

const url = 'http://doctor.invalid/'

/** Checks screenshots by taking one. Sites work without them. */
export async function checkChromium(config: AppConfig): Promise<readonly DoctorResult[]> {
  if (!findSitesPlace(config.sitesDomain, config.baseUrl ?? `http://localhost:${config.port}`, config.port)) return []
  const place = findChromium(config)
  if (place.kind === 'off') return [{ state: 'ok', message: 'Screenshots are off' }]
  if (place.kind === 'unusable') {
    return [{ state: 'warning', message: `Cannot take screenshots: ${place.reason}`, fix: place.fix }]
  }
  const timeMs = config.pictureTimeoutSeconds * 1000
  const taker = createScreenshotTaker(place, timeMs, join(config.dataDir, chromiumFolder))
  const page = { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from('<title>Doctor</title>') }
  try {
    await taker.take(
      { url, answer: async (requestedUrl) => (requestedUrl === url ? page : undefined) },
      AbortSignal.timeout(2 * timeMs),
    )
    const sandbox = place.isSandboxed ? 'in its sandbox' : 'without its sandbox'
    return [{ state: 'ok', message: `${place.path} takes screenshots, ${sandbox}` }]
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    return [
      {
        state: 'warning',
        message: `${place.path} cannot take screenshots: ${reason}`,
        fix: place.isSandboxed
          ? 'Run it manually as this user. If the system does not allow a sandbox (containers), see docs/hosting.md'
          : 'Run it manually as this user',
      },
    ]
  } finally {
    await taker.stop()
  }
}

import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { GitHubError } from '../errors.ts'
import { listFailedDeliveries } from '../github/deliveries.ts'
import { GitHubApp } from '../github/github-app.ts'
import { readApp, readWebhookUrl } from '../github/installations.ts'
import { openSqliteStore } from '../store/open-sqlite-store.ts'
import { type AppConfig, credentialsFileName } from './app-config.ts'
import { chromiumFolder, findChromium } from './pictures/find-chromium.ts'
import { createPictureTaker } from './pictures/picture-taker.ts'
import { appEvents, appPermissions, signInCallbackPath, webhookPath } from './setup/manifest.ts'
import { linkKeyFileName } from './signed-links.ts'
import { findSitesPlace } from './sites/sites-domain.ts'
import { databaseFileName } from './start-app.ts'

/** One line of the doctor. */
export interface Examination {
  readonly state: 'well' | 'warning' | 'ill'
  /** What was found, one sentence. */
  readonly message: string
  /** What to do; for what is not well. */
  readonly fix?: string
}

const dayMs = 86_400_000
/** GitHub takes a signature that is at most a minute from its own time. */
const mostClockDriftMs = 30_000

/** Looks at everything that a working server needs: the data folder and its disk, the browser for pictures, the keys, what they may do, the webhook, the clock. */
export async function examine(config: AppConfig, now: Date): Promise<readonly Examination[]> {
  const here = [...(await examineDataFolder(config)), ...(await examineChromium(config)), examineMetrics(config)]
  if (!config.credentials) {
    return [...here, { state: 'ill', message: 'There is no GitHub App yet', fix: 'start the server and open its setup page' }]
  }
  const { appId, privateKey } = config.credentials
  const { client } = new GitHubApp({ appId, privateKey, apiUrl: config.githubApiUrl, signal: AbortSignal.timeout(30_000) })
  const app = await readApp(client).catch(toFailure)
  if (!('slug' in app)) return [...here, app]
  return [
    ...here,
    { state: 'well', message: `The keys are those of the GitHub App ${app.name} (${app.htmlUrl})` },
    ...examineGrants(app.permissions, app.events, app.htmlUrl),
    examineSignIn(config, app.htmlUrl),
    ...examineClock(app.answeredAt, now),
    ...(await examineWebhook(client, config, now)),
  ]
}

function examineMetrics({ metricsToken }: AppConfig): Examination {
  const takes = metricsToken === undefined ? '`admin` API tokens only' : '`METRICS_TOKEN` and `admin` API tokens'
  return { state: 'well', message: `\`/metrics\` accepts ${takes}` }
}

function toFailure(error: unknown): Examination {
  if (!(error instanceof GitHubError)) throw error
  return { state: 'ill', message: error.message, fix: error.hint ?? 'check that this machine can reach GitHub' }
}

function examineGrants(
  permissions: Readonly<Record<string, string>>,
  events: readonly string[],
  appUrl: string,
): readonly Examination[] {
  const enough = (wanted: string, given: string | undefined) => given === wanted || (wanted === 'read' && given === 'write')
  const lacking = Object.entries(appPermissions).filter(([name, wanted]) => !enough(wanted, permissions[name]))
  const missing = appEvents.filter((event) => !events.includes(event))
  const settingsUrl = `${appUrl.replace('/apps/', '/settings/apps/')}/permissions`
  return [
    lacking.length === 0
      ? { state: 'well', message: 'It has the permissions it needs' }
      : {
          state: 'ill',
          message: `It lacks permissions: ${lacking.map(([name, wanted]) => `${name}: ${wanted}`).join(', ')}`,
          fix: `grant them at ${settingsUrl}, then accept them on each installation`,
        },
    missing.length === 0
      ? { state: 'well', message: 'It is told of the events it needs' }
      : { state: 'ill', message: `It is not told of: ${missing.join(', ')}`, fix: `tick these events at ${settingsUrl}` },
  ]
}

/** Checks only that there is a client id: a wrong secret shows when a person signs in. */
function examineSignIn({ credentials, baseUrl, port }: AppConfig, appUrl: string): Examination {
  if (credentials?.oauth) return { state: 'well', message: 'People can sign in with GitHub' }
  const address = `${baseUrl ?? `http://localhost:${port}`}${signInCallbackPath}`
  return {
    state: 'warning',
    message: 'Nobody can sign in: the server has no client id of its GitHub App',
    fix: `make a client secret at ${appUrl.replace('/apps/', '/settings/apps/')}, add the callback URL ${address} there, and set GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET`,
  }
}

function examineClock(answeredAt: string | undefined, now: Date): readonly Examination[] {
  if (answeredAt === undefined) return []
  const driftMs = now.getTime() - Date.parse(answeredAt)
  const seconds = Math.round(Math.abs(driftMs) / 1000)
  if (Math.abs(driftMs) <= mostClockDriftMs) return [{ state: 'well', message: `The clock agrees with GitHub's to ${seconds} s` }]
  return [
    {
      state: 'ill',
      message: `The clock is ${seconds} s ${driftMs > 0 ? 'ahead of' : 'behind'} GitHub's`,
      fix: 'let the machine keep its time by NTP',
    },
  ]
}

async function examineWebhook(client: GitHubApp['client'], config: AppConfig, now: Date): Promise<readonly Examination[]> {
  const url = await readWebhookUrl(client).catch(toFailure)
  if (typeof url === 'object') return [url]
  const wanted = config.baseUrl === undefined ? undefined : `${config.baseUrl}${webhookPath}`
  if (!url)
    return [
      {
        state: 'ill',
        message: 'The GitHub App has no webhook address',
        fix: `set it to ${wanted ?? `BASE_URL and ${webhookPath}`}`,
      },
    ]
  const found: Examination[] = [
    wanted === undefined || url === wanted
      ? { state: 'well', message: `GitHub delivers to ${url}` }
      : {
          state: 'ill',
          message: `GitHub delivers to ${url}, the server is at ${wanted}`,
          fix: 'correct BASE_URL, or the address on the page of the app',
        },
    await examineReachability(url),
  ]
  const failed = await listFailedDeliveries(client, new Date(now.getTime() - dayMs).toISOString()).catch(toFailure)
  if ('state' in failed) return [...found, failed]
  const codes = [...new Set(failed.map(({ statusCode }) => statusCode))].join(', ')
  const lost: Examination =
    failed.length === 0
      ? { state: 'well', message: 'No delivery of the last day failed' }
      : {
          state: 'warning',
          message: `${failed.length} ${failed.length === 1 ? 'delivery' : 'deliveries'} of the last day failed (${codes})`,
          fix: 'the server fetches them by itself once it runs; 401 means another webhook secret than on the page of the app',
        }
  return [...found, lost]
}

/** Tests the URL from this machine. A proxy or firewall may treat GitHub differently, which the list of deliveries shows. */
async function examineReachability(url: string): Promise<Examination> {
  const health = new URL('/healthz', url)
  try {
    const { status } = await fetch(health, { signal: AbortSignal.timeout(10_000) })
    if (status === 200) return { state: 'well', message: `${health.origin} answers` }
    return {
      state: 'ill',
      message: `${health.href} answers ${status}, not 200`,
      fix: 'let the proxy pass every path to this server',
    }
  } catch {
    return {
      state: 'ill',
      message: `${health.origin} cannot be reached from here`,
      fix: 'start the server; check its DNS name, certificate, proxy and firewall',
    }
  }
}

const leastFreeBytes = 1024 ** 3

/** The store can be read and written, the disk has room, the keys are closed to others. */
async function examineDataFolder({ dataDir }: AppConfig): Promise<readonly Examination[]> {
  const path = join(dataDir, databaseFileName)
  if (!existsSync(path)) {
    return [
      {
        state: 'ill',
        message: `There is no store at ${path}`,
        fix: 'set DATA_DIR to the data folder of the server, or start it once',
      },
    ]
  }
  return [await examineStore(path), await examineDisk(dataDir), examineModes(dataDir)]
}

async function examineStore(path: string): Promise<Examination> {
  try {
    const store = await openSqliteStore({ path })
    try {
      await store.ping()
      const { waiting, dead } = await store.queue.stats()
      const counted = `The store can be read and written; ${waiting} ${waiting === 1 ? 'job waits' : 'jobs wait'}`
      if (dead === 0) return { state: 'well', message: counted }
      return { state: 'warning', message: `${counted}, ${dead} given up`, fix: 'look in the log for the reasons' }
    } finally {
      await store.close()
    }
  } catch (error) {
    // Whatever it is, the doctor says it and goes on to the next line.
    return {
      state: 'ill',
      message: error instanceof Error ? error.message : String(error),
      fix: 'let the user of the process own the data folder; restore a backup where the file is damaged',
    }
  }
}

async function examineDisk(dataDir: string): Promise<Examination> {
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const size = `${(free / leastFreeBytes).toFixed(1)} GB`
  if (free >= leastFreeBytes) return { state: 'well', message: `The disk has ${size} free` }
  return { state: 'ill', message: `The disk has only ${size} free`, fix: 'make room: a full disk stops every update' }
}

function examineModes(dataDir: string): Examination {
  const open = [credentialsFileName, linkKeyFileName]
    .map((name) => join(dataDir, name))
    .filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0)
  // Windows has no such modes; its answer is always 0o666.
  if (open.length === 0 || process.platform === 'win32') return { state: 'well', message: 'The keys are closed to other users' }
  return { state: 'ill', message: `Other users can read ${open.join(', ')}`, fix: `chmod 600 ${open.join(' ')}` }
}

const url = 'http://doctor.invalid/'

/** Whether pictures of sites can be taken: takes one. Sites are hosted without them as well. */
export async function examineChromium(config: AppConfig): Promise<readonly Examination[]> {
  if (!findSitesPlace(config.sitesDomain, config.baseUrl ?? `http://localhost:${config.port}`, config.port)) return []
  const place = findChromium(config)
  if (place.kind === 'off') return [{ state: 'well', message: 'No pictures of sites are taken: they are switched off' }]
  if (place.kind === 'unusable') {
    return [{ state: 'warning', message: `No pictures of sites are taken: ${place.reason}`, fix: place.fix }]
  }
  const timeMs = config.pictureTimeoutSeconds * 1000
  const taker = createPictureTaker(place, timeMs, join(config.dataDir, chromiumFolder))
  const page = { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from('<title>Doctor</title>') }
  try {
    await taker.take({ url, answer: async (asked) => (asked === url ? page : undefined) }, AbortSignal.timeout(2 * timeMs))
    const guard = place.isSandboxed ? 'in its sandbox' : 'without its sandbox'
    return [{ state: 'well', message: `${place.path} takes pictures of sites, ${guard}` }]
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    return [
      {
        state: 'warning',
        message: `${place.path} takes no pictures of sites: ${reason}`,
        fix: place.isSandboxed
          ? 'run it by hand as this user; where the system grants no sandbox (containers), see "Pictures" in docs/hosting.md'
          : 'run it by hand as this user',
      },
    ]
  } finally {
    await taker.stop()
  }
}

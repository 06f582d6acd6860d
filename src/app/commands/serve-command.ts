import type { OwnPath } from '../../files/boundary.ts'
import { readConfig } from '../base/config/app-config.ts'
import { canDeliver } from '../base/manifest.ts'
import type { SitesPlace } from '../base/sites-domain.ts'
import { createLog } from '../base/telemetry/create-log.ts'
import { removeSetupUrl, writeSetupUrl } from '../screens/setup/create-setup.ts'
import { appParts, startApp } from '../start/start-app.ts'
import { checkServer } from '../start/start-checks.ts'
import type { Environment } from './with-store.ts'

/** How often `/readyz` learns which problems are new or gone. */
const checkEveryMs = 600_000

/** Runs the app in this process until it is stopped. */
export async function serve(env: Environment, { role: ROLE }: { readonly role?: string }): Promise<number> {
  const config = await readConfig(ROLE === undefined ? env : { ...env, ROLE })
  const format = config.logFormat ?? (process.stdout.isTTY ? 'text' : 'json')
  const log = createLog({ level: config.logLevel, format, write: (line) => process.stdout.write(line) })
  const stop = waitForSignal()
  const app = await startApp({ config, log, parts: appParts })
  const place = app.context.urls.sites()
  const sites = place && { sites: `${place.protocol}//*.${place.domain}${place.port}` }
  const { role } = config
  log.info({ address: app.address, role, dataDir: config.dataDir, ...sites }, 'Ready')
  try {
    if (role === 'worker' && !app.context.github.app)
      log.warn('No GitHub App is set up: this worker waits until a `web` process has set it up')
    const setup = showSetup(app.setupUrl, config.dataDir)
    if (role !== 'worker')
      console.error(toNextSteps({ setup, baseUrl: app.context.urls.base(), githubUrl: config.githubUrl, place }))
  } catch (error) {
    // Otherwise the open port would keep the process alive.
    await app.stop()
    throw error
  }
  void checkServer(app.context, app.tools.health)
  setInterval(() => void checkServer(app.context, app.tools.health, true), checkEveryMs).unref()
  log.info({ signal: await stop.signal }, 'Stopping after running work finishes')
  const stopped = app.stop().then(() => 'clean' as const)
  const end = await Promise.race([stopped, stop.now, afterSeconds(config.stopDelaySeconds + config.stopTimeoutSeconds)])
  if (end === 'clean') log.info('Stopped')
  else log.warn('Stopped before all work finished: the next start continues it')
  // Open sockets or workers must not keep the process alive.
  setTimeout(() => process.exit(), 100).unref()
  return end === 'forced' ? 1 : 0
}

/**
 * Shows the URL of the setup page on a terminal, and writes it to a file otherwise. Anyone with the URL can connect the server to their own
 * GitHub App, and the output of services and containers ends up in logs.
 */
function showSetup(url: string | undefined, dataDir: OwnPath): Parameters<typeof toNextSteps>[0]['setup'] {
  if (url === undefined) {
    removeSetupUrl(dataDir)
    return undefined
  }
  return process.stderr.isTTY ? { url } : { path: writeSetupUrl(dataDir, url) }
}

/** The first SIGTERM or SIGINT requests a graceful stop, the second one an immediate stop. */
function waitForSignal(): { signal: Promise<string>; now: Promise<'forced'> } {
  let second: (value: 'forced') => void
  const now = new Promise<'forced'>((resolve) => {
    second = resolve
  })
  const signal = new Promise<string>((resolve) => {
    let isStopping = false
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      process.on(name, () => {
        if (isStopping) second('forced')
        isStopping = true
        resolve(name)
      })
    }
  })
  return { signal, now }
}

function afterSeconds(seconds: number): Promise<'late'> {
  return new Promise((resolve) => setTimeout(() => resolve('late'), seconds * 1000).unref())
}

/** The next steps for the operator, shown on the terminal after the start. */
export function toNextSteps({
  setup,
  baseUrl,
  githubUrl,
  place,
}: {
  /** The URL of the setup page or the file that contains it, until a GitHub App is set up. */
  readonly setup: { readonly url: string } | { readonly path: string } | undefined
  readonly baseUrl: string
  readonly githubUrl: string
  readonly place: SitesPlace | undefined
}): string {
  const cannotDeliver = !canDeliver(githubUrl, baseUrl)
  const sites = place
    ? `${place.protocol}//<owner>-<repository>.${place.domain}${place.port}/`
    : 'off (set SITES_DOMAIN to a domain, or to `localhost` for sites on this machine only)'
  const lines = [
    ...(cannotDeliver
      ? [
          `${githubUrl} cannot deliver webhooks to ${baseUrl}.`,
          'Set BASE_URL to the public URL of this server or of a tunnel to it, then restart.',
          '',
        ]
      : []),
    ...(setup === undefined
      ? []
      : [
          'url' in setup
            ? 'No GitHub App is set up. Create one here:'
            : 'No GitHub App is set up. To create one, open the setup URL in this file:',
          '',
          `  ${'url' in setup ? setup.url : setup.path}`,
          '',
          'Then install the app on a repository and push to it.',
          '',
        ]),
    `  projects  ${baseUrl}/projects`,
    `  sites     ${sites}`,
  ]
  return `\n${lines.join('\n')}\n`
}

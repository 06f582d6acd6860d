import type { Command } from 'commander'
import { readConfig } from '../app-config.ts'
import { createLog } from '../create-log.ts'
import { listSettings } from '../settings.ts'
import { removeSetupUrl, writeSetupUrl } from '../setup/create-setup.ts'
import { canDeliver } from '../setup/manifest.ts'
import type { SitesPlace } from '../sites/sites-domain.ts'
import { appParts, startApp } from '../start-app.ts'
import type { CommandContext, Environment } from './with-store.ts'

const help = `openapi-pages serve

Starts the app: receives the webhooks of your GitHub App, checks every push, and answers the status API.
Without a GitHub App it opens a setup page that makes one. Everything is kept in one folder (./data).`

/** Starts the app in this process; ends once it has stopped. */
export function defineServe(program: Command, { env, onEnd }: CommandContext): void {
  program
    .command('serve')
    .configureHelp({ formatHelp: () => `${help}\n${listSettings()}\n` })
    .action(async () => onEnd(await serve(env)))
}

async function serve(env: Environment): Promise<number> {
  const config = await readConfig(env)
  const format = config.logFormat ?? (process.stdout.isTTY ? 'text' : 'json')
  const log = createLog({ level: config.logLevel, format, write: (line) => process.stdout.write(line) })
  const stop = waitForSignal()
  const app = await startApp({ config, log, parts: appParts })
  const place = app.context.sitesPlace()
  const sites = place && { sites: `${place.protocol}//*.${place.domain}${place.port}` }
  log.info({ address: app.address, dataDir: config.dataDir, ...sites }, 'Ready')
  const setup = showSetup(app.setupUrl, config.dataDir)
  console.error(toNextSteps({ setup, baseUrl: app.context.baseUrl(), githubUrl: config.githubUrl, place }))
  log.info({ signal: await stop.signal }, 'Stopping: what is under way is finished first')
  const stopped = app.stop().then(() => 'clean' as const)
  const end = await Promise.race([stopped, stop.now, afterSeconds(config.stopTimeoutSeconds)])
  if (end === 'clean') log.info('Stopped')
  else log.warn('Stopped before all work was finished: the next start continues it')
  // What still hangs on a socket or a worker must not keep the process.
  setTimeout(() => process.exit(), 100).unref()
  return end === 'forced' ? 1 : 0
}

/**
 * Where a person finds the URL of the setup page: on the terminal, else in a file. Whoever has it can connect the server to their own GitHub
 * App, and what a service or container prints ends up in logs.
 */
function showSetup(url: string | undefined, dataDir: string): Parameters<typeof toNextSteps>[0]['setup'] {
  if (url === undefined) {
    removeSetupUrl(dataDir)
    return undefined
  }
  return process.stderr.isTTY ? { url } : { path: writeSetupUrl(dataDir, url) }
}

/** The first SIGTERM or SIGINT asks for a graceful stop, a second one for an end at once. */
function waitForSignal(): { signal: Promise<string>; now: Promise<'forced'> } {
  let second: (value: 'forced') => void
  const now = new Promise<'forced'>((resolve) => {
    second = resolve
  })
  const signal = new Promise<string>((resolve) => {
    let asked = false
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      process.on(name, () => {
        if (asked) second('forced')
        asked = true
        resolve(name)
      })
    }
  })
  return { signal, now }
}

function afterSeconds(seconds: number): Promise<'late'> {
  return new Promise((resolve) => setTimeout(() => resolve('late'), seconds * 1000).unref())
}

/** What a person who started the server does next, as text for the terminal. */
export function toNextSteps({
  setup,
  baseUrl,
  githubUrl,
  place,
}: {
  /** The setup page with its key, or the file that has its URL, while there is no GitHub App. */
  readonly setup: { readonly url: string } | { readonly path: string } | undefined
  readonly baseUrl: string
  readonly githubUrl: string
  readonly place: SitesPlace | undefined
}): string {
  const cannotDeliver = !canDeliver(githubUrl, baseUrl)
  const sites = place
    ? `${place.protocol}//<owner>-<repository>.${place.domain}${place.port}/`
    : 'none are hosted: set SITES_DOMAIN to a domain for them, or to `localhost` to see them on this machine only'
  const lines = [
    ...(cannotDeliver
      ? [
          `${githubUrl} cannot deliver pushes to ${baseUrl}: start again with BASE_URL set to the address that this`,
          'server has on the internet, or to that of a tunnel to it.',
          '',
        ]
      : []),
    ...(setup === undefined
      ? []
      : [
          'url' in setup ? 'No GitHub App yet. Set it up here:' : 'No GitHub App yet. The URL of the setup page is in this file:',
          '',
          `  ${'url' in setup ? setup.url : setup.path}`,
          '',
          'Then install it on a repository and push to it.',
          '',
        ]),
    `  projects  ${baseUrl}/projects`,
    `  sites     ${sites}`,
  ]
  return `\n${lines.join('\n')}\n`
}

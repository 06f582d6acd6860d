import { readConfig } from '../app-config.ts'
import { createLog } from '../create-log.ts'
import { removeSetupUrl, writeSetupUrl } from '../setup/create-setup.ts'
import { appParts, startApp } from '../start-app.ts'
import type { Command } from './commands.ts'
import { toNextSteps } from './next-steps.ts'

/** Starts the app in this process, and returns once it has stopped. */
export const serveCommand: Command = {
  help: `openapi-pages serve

Starts the app: receives the webhooks of your GitHub App, checks every push, and answers the status API.
Without a GitHub App it opens a setup page that makes one. Everything is kept in one folder (./data).`,
  takes: 0,
  async run({ env }) {
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
  },
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

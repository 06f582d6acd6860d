import { randomUUID } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { joinOwned, type OwnPath } from '../../files/boundary.ts'
import { disk } from '../../files/disk-writes.ts'
import type { AppContext, AppPart } from '../base/app-context.ts'
import type { Metrics } from '../base/telemetry/metrics.ts'
import { createRunCheck, findWorkFolder } from '../check/check-archive.ts'
import { type RunProgram, runUntrusted } from '../isolate/untrusted-process.ts'
import { type BuildSite, buildRunSite, findSiteProgram } from '../publish/build-run-site.ts'
import { type ChromiumStatus, chromiumFolder, findChromium } from '../publish/find-chromium.ts'
import { createScreenshotTaker } from '../publish/screenshot-taker.ts'
import { createDoJob } from './run-leased-job.ts'
import { pause, type QueueTimes, type QueueWork, reportRecovered, workQueue } from './work-queue.ts'

const pruneEveryMs = 3_600_000

/** TypeScript in a clone, the bundle in the package. */
const checkProgram = new URL(
  import.meta.url.endsWith('.ts') ? '../check/check-child.ts' : '../app/check-child.js',
  import.meta.url,
)

/** Runs the program in a child process for each check. */
export function toRunCheck(program: URL): RunProgram {
  return (work, limits, control) => runUntrusted({ ...work, program }, limits, control)
}

/**
 * The part of the app that runs updates. It processes the queue once a GitHub App is set up.
 *
 * @param runCheck Checks documents. Tests replace the child process, which takes most of the time of a small check.
 * @param findProgram Finds the program that builds sites, which tests replace too.
 */
export function createRunPart(
  times?: QueueTimes,
  runCheck = toRunCheck(checkProgram),
  findProgram = findSiteProgram,
): (context: AppContext, tools: { readonly metrics: Metrics }) => AppPart {
  return (context, { metrics }) => {
    const { config, store, log } = context
    const program = context.urls.sites() && findProgram()
    if (context.urls.sites() && !program) log.warn('Cannot build sites: run `npm run build` once, or set SITES_DOMAIN=off')
    const chromium: ChromiumStatus = program ? findChromium(config) : { kind: 'off' }
    if (chromium.kind === 'unusable') log.warn({ fix: chromium.fix }, `Cannot take screenshots: ${chromium.reason}`)
    const own = joinOwned(config.dataDir, chromiumFolder)
    const pictures = createScreenshotTaker(chromium, config.pictureTimeoutSeconds * 1000, own)
    const buildSite: BuildSite | undefined = program && ((site, signal) => buildRunSite(context, program, metrics, site, signal))
    const programs = { runCheck: createRunCheck(context, runCheck, metrics), buildSite, pictures }
    const doJob = createDoJob(context, programs, metrics)
    let work: QueueWork | undefined
    let clearing: NodeJS.Timeout | undefined
    const collect = async () => {
      const collected = await store.sites.collect()
      if (collected.builds + collected.contents > 0) log.info(collected, 'Deleted old sites')
    }
    const recover = async () => reportRecovered(log, metrics, await store.queue.recover())
    const prune = () => Promise.all([store.prune(), collect(), recover()])
    const warn = (error: unknown) => log.warn({ err: error }, 'Cannot delete old data')
    return {
      work() {
        const clear = (olderMs: number) => void clearWorkFolder(findWorkFolder(context), context.now(), olderMs).catch(warn)
        // With SQLite, no other process has the folder.
        clear(config.databaseUrl === undefined ? 0 : oldMs)
        clearing = setInterval(() => clear(oldMs), pruneEveryMs)
        const name = `${hostname()}:${process.pid}:${randomUUID()}`
        work = workQueue(context, doJob, metrics, name, times)
      },
      async lead(signal) {
        while (!signal.aborted) {
          await prune().catch(warn)
          await pause(pruneEveryMs, signal)
        }
      },
      async stop() {
        clearInterval(clearing)
        // Leave a second to return unfinished jobs to the queue.
        await work?.stop(Math.max(0, config.stopTimeoutSeconds * 1000 - 1_000))
        await pictures.stop()
      },
    }
  }
}

/** Longer than any run: older folders were left by killed processes. */
const oldMs = 2 * 3_600_000

/** Removes archives that killed processes left behind. */
async function clearWorkFolder(folder: OwnPath, now: Date, olderMs: number): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const path = joinOwned(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && now.getTime() - found.mtimeMs > olderMs) await disk.rm(path, { recursive: true, force: true })
  }
}

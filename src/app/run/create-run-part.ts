import { hostname } from 'node:os'
import { join } from 'node:path'
import type { AppContext, AppPart } from '../app-context.ts'
import { type ChromiumPlace, chromiumFolder, findChromium } from '../pictures/find-chromium.ts'
import { createPictureTaker } from '../pictures/picture-taker.ts'
import { clearWorkFolder } from './clear-work-folder.ts'
import type { RunContext } from './run-context.ts'
import { findSiteProgram } from './site-program.ts'
import { type QueueTimes, type QueueWork, workQueue } from './work-queue.ts'

const pruneEveryMs = 3_600_000

/** The side of the app that runs updates: it works on the queue from the moment there are keys. */
export function createRunPart(times?: QueueTimes): (context: AppContext) => AppPart {
  return (app) => {
    const siteProgram = app.sitesPlace() && findSiteProgram()
    if (app.sitesPlace() && !siteProgram) app.log.warn('No sites are built: run `npm run build` once, or set SITES_DOMAIN=off')
    const chromium: ChromiumPlace = siteProgram ? findChromium(app.config) : { kind: 'off' }
    if (chromium.kind === 'unusable') app.log.warn({ fix: chromium.fix }, `No pictures of sites are taken: ${chromium.reason}`)
    const pictures = createPictureTaker(
      chromium,
      app.config.pictureTimeoutSeconds * 1000,
      join(app.config.dataDir, chromiumFolder),
    )
    const context: RunContext = {
      ...app,
      workFolder: join(app.config.dataDir, 'runs'),
      siteProgram,
      pictures,
    }
    let work: QueueWork | undefined
    let pruning: NodeJS.Timeout | undefined
    const collect = async () => {
      const collected = await context.store.sites.collect()
      if (collected.builds + collected.contents > 0) context.log.info(collected, 'Old sites were taken away')
    }
    const prune = () => {
      Promise.all([clearWorkFolder(context.workFolder, context.now()), context.store.prune(), collect()]).catch(
        (error: unknown) => context.log.warn({ err: error }, 'Cannot clear what is old'),
      )
    }
    return {
      connect() {
        prune()
        pruning = setInterval(prune, pruneEveryMs)
        work = workQueue(context, `${hostname()}:${process.pid}`, times)
      },
      async stop() {
        clearInterval(pruning)
        // A second is left to give back what did not end.
        await work?.stop(Math.max(0, context.config.stopTimeoutSeconds * 1000 - 1_000))
        await pictures.stop()
      },
    }
  }
}

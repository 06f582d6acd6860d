import type { AppContext } from '../base/app-context.ts'
import type { ScreenshotTaker } from '../publish/screenshot-taker.ts'
import type { SiteProgram } from '../publish/site-program.ts'
import type { RunProgram } from './untrusted-process.ts'

/** The context of all jobs in the queue. */
export interface RunContext extends AppContext {
  /** A folder in the data directory, with a subfolder for the archive of each run. */
  readonly workFolder: string
  /** Runs `check-child.ts`. */
  readonly runCheck: RunProgram
  /** `undefined` if the server hosts no sites, or the program was not built. */
  readonly siteProgram: SiteProgram | undefined
  readonly pictures: ScreenshotTaker
}

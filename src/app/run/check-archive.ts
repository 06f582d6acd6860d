import type { Archive } from '../../github/archive.ts'
import { checkInWorker } from './check-in-worker.ts'
import type { CheckEnd } from './check-types.ts'
import type { RunContext } from './run-context.ts'
import { fileLimitBytes } from './with-archive.ts'

/** Checks one docs root of an unpacked archive within the limits of the settings. @throws @see checkInWorker */
export async function checkArchive(
  { config }: RunContext,
  options: {
    readonly archive: Archive
    readonly folder: string
    readonly root: string
    readonly withChanges: boolean
    readonly timeMs: number
    readonly signal: AbortSignal
  },
): Promise<CheckEnd> {
  const { folder, root, withChanges, timeMs, signal } = options
  const { kept, leftOut, links, refused } = options.archive
  const request = { folder, root, withChanges, limitBytes: fileLimitBytes, archive: { kept, leftOut, links, refused } }
  return await checkInWorker(request, { memoryMb: config.runMemoryMb, timeMs }, signal)
}

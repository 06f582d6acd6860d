import { defaultConfig } from '../../docs/config.ts'
import type { Archive } from '../../github/archive.ts'
import { checkInWorker } from './check-in-worker.ts'
import type { CheckEnd, CheckedRepository } from './check-types.ts'
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
  if (isBare(options.archive, root)) return { kind: 'done', checked: bare }
  const request = { folder, root, withChanges, limitBytes: fileLimitBytes, archive: { kept, leftOut, links, refused } }
  return await checkInWorker(request, { memoryMb: config.runMemoryMb, timeMs }, signal)
}

/** Whether nothing in the root could be a `docs.json`, a document or a configuration file. Most repositories are so: no thread for them. */
function isBare({ kept, links, refused }: Archive, root: string): boolean {
  const isBelow = (path: string) => root === '' || path.startsWith(`${root}/`)
  const isData = (path: string) => /\.(json|ya?ml)$/i.test(path)
  return Object.keys(links).length === 0 && refused.length === 0 && !kept.some((path) => isBelow(path) && isData(path))
}

const bare: CheckedRepository = {
  kind: 'nothing',
  hasDocsConfig: false,
  github: defaultConfig.github,
  site: defaultConfig.site,
  documents: [],
  pages: [],
  diagnostics: [],
  report: { documents: [], pages: [], unchangedPageCount: 0, findings: [], findingCounts: { error: 0, warning: 0, info: 0 } },
  changeCount: 0,
  changes: [],
}

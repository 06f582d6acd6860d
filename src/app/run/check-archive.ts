import { dirname } from 'node:path'
import { defaultConfig } from '../../docs/project-config.ts'
import type { Archive } from '../../github/archive.ts'
import { countCpuTime } from '../quotas.ts'
import type { CheckEnd, CheckedRepository, CheckRequest } from './check-types.ts'
import type { RunContext } from './run-context.ts'
import { runUntrusted } from './untrusted-process.ts'
import { fileLimitBytes } from './with-archive.ts'

/** Checks one docs root of an unpacked archive within the limits of the settings. @throws {Error} @see runUntrusted */
export async function checkArchive(
  context: RunContext,
  options: {
    readonly archive: Archive
    readonly folder: string
    readonly root: string
    /** Whose CPU time it is. */
    readonly installationId: number | undefined
    readonly withChanges: boolean
    readonly github?: CheckRequest['github']
    readonly timeMs: number
    readonly signal: AbortSignal
  },
): Promise<CheckEnd> {
  const { folder, root, withChanges, github, timeMs, signal } = options
  const { kept, leftOut, links, refused } = options.archive
  if (isBare(options.archive, root)) return { kind: 'done', checked: github ? { ...bare, github } : bare }
  const { runMemoryMb, runTimeoutSeconds } = context.config
  const request: CheckRequest = {
    folder,
    root,
    withChanges,
    github,
    limitBytes: fileLimitBytes,
    archive: { kept, leftOut, links, refused },
  }
  const end = await runUntrusted<CheckedRepository>(
    { what: 'the check', program: checkProgram, request, folder: dirname(folder) },
    {
      memory: { megabytes: runMemoryMb, setting: 'RUN_MEMORY_MB' },
      time: { seconds: runTimeoutSeconds, leftMs: timeMs, setting: 'RUN_TIMEOUT_SECONDS' },
    },
    { signal, onCpuTime: countCpuTime(context, 'check', options.installationId) },
  )
  return end.kind === 'answered' ? { kind: 'done', checked: end.answer } : end
}

/** TypeScript in a clone, JavaScript in the package. */
const checkProgram = new URL(import.meta.url.endsWith('.ts') ? './check-child.ts' : './check-child.js', import.meta.url)

/** Whether nothing in the root could be a `docs.json`, a document or a configuration file. Most repositories are like that: they need no process. */
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

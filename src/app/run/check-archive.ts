import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { defaultConfig, type GitHubSetting, type SiteSetting } from '../../docs-config/project-config.ts'
import { type Archive, isReadByUpdate, readArchive } from '../../github/archive.ts'
import { createFolderSink, defaultArchiveLimits, type ExtractedArchive } from '../../github/extract-archive.ts'
import { assetType } from '../../site/render/files/file-types.ts'
import type { FileChange } from '../../source/file-change.ts'
import type { Project } from '../../status/types.ts'
import type { DocumentReport, PageReport } from '../../update/types.ts'
import { countCpuTime } from '../quotas.ts'
import type { UpdateReport } from '../stored-report.ts'
import { clientOf, type RunContext, toName } from './run-context.ts'
import { runUntrusted } from './untrusted-process.ts'

/** Checks one docs root of an unpacked archive within the limits of the settings. @throws {Error} @see runUntrusted */
export async function checkArchive(
  context: RunContext,
  options: {
    readonly archive: Archive
    readonly folder: string
    /** Whose docs root it is, and whose CPU time. */
    readonly project: Pick<Project, 'root' | 'installationId'>
    readonly withChanges: boolean
    readonly github?: CheckRequest['github']
    readonly timeMs: number
    readonly signal: AbortSignal
  },
): Promise<CheckEnd> {
  const { folder, withChanges, github, timeMs, signal } = options
  const { root, installationId } = options.project
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
    { what: 'the check', program: context.checkProgram, request, folder: dirname(folder) },
    {
      memory: { megabytes: runMemoryMb, setting: 'RUN_MEMORY_MB' },
      time: { seconds: runTimeoutSeconds, leftMs: timeMs, setting: 'RUN_TIMEOUT_SECONDS' },
    },
    { signal, onCpuTime: countCpuTime(context, 'check', installationId) },
  )
  return end.kind === 'answered' ? { kind: 'done', checked: end.answer } : end
}

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

/** What the worker is asked to do. Plain data. */
export interface CheckRequest {
  /** The folder that the files of the archive were written to. */
  readonly folder: string
  readonly archive: Pick<ExtractedArchive, 'kept' | 'leftOut' | 'links' | 'refused'>
  readonly limitBytes: number
  /** The docs root, relative to the repository. */
  readonly root: string
  /** The contents of the files that `update` would write are only worth sending where they are to be committed. */
  readonly withChanges: boolean
  /** For a commit of a fork: the settings of the base repository, which hold in place of those of the commit. */
  readonly github?: GitHubSetting | undefined
}

/** What a check found. Plain data; paths are relative to the repository. */
export interface CheckedRepository {
  /** `nothing`: there is neither a `docs.json` in the root nor an OpenAPI document. `off`: the repository has switched the check off. */
  readonly kind: 'checked' | 'nothing' | 'off'
  readonly hasDocsConfig: boolean
  readonly github: GitHubSetting
  readonly site: SiteSetting
  readonly documents: readonly DocumentReport[]
  /** Only the pages that `update` would change, and those it keeps although their operation changed. */
  readonly pages: readonly PageReport[]
  readonly diagnostics: readonly Diagnostic[]
  readonly report: UpdateReport
  /** Files that `update` would add, change or remove. */
  readonly changeCount: number
  /** Empty unless asked for. */
  readonly changes: readonly FileChange[]
}

/** How a check ended. */
type CheckEnd =
  | { readonly kind: 'done'; readonly checked: CheckedRepository }
  /** `reason` is a clause for the summary. The same files would end the same way, so there is no second try. */
  | { readonly kind: 'stopped'; readonly reason: string }

/**
 * Unpacks the archive of a commit into a folder of its own for as long as `work` takes.
 *
 * @throws {GitHubError} @see readArchive
 */
export async function withArchive<Result>(
  context: RunContext,
  options: {
    readonly project: Project
    readonly sha: string
    readonly timeMs: number
    readonly signal: AbortSignal
    /** Files that are wanted; those that an update reads where absent. */
    readonly keep?: ((path: string, sizeBytes: number) => boolean) | undefined
  },
  work: (archive: Archive, folder: string) => Promise<Result>,
): Promise<Result> {
  const { project, sha, timeMs, signal, keep } = options
  const { workFolder } = context
  await mkdir(workFolder, { recursive: true, mode: 0o700 })
  const own = await mkdtemp(join(workFolder, 'run-'))
  try {
    const folder = join(own, 'files')
    const archive = await readArchive(clientOf(context, project), toName(project), sha, createFolderSink(folder), {
      limits: { timeMs },
      signal,
      ...(keep && { keep }),
    })
    return await work(archive, folder)
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

/** The bound that the files of an archive were read with. */
export const fileLimitBytes = defaultArchiveLimits.fileBytes

/** Pictures and other files of one archive; the builder publishes no more bytes of them either. */
const maxBytes = 200 * 1024 * 1024
const maxFiles = 20_000

/**
 * Makes the question which files of an archive are wanted where a site is built of it: what an update reads, and what a site may publish. More of
 * the latter than there is room for is left out, and the site says so; the check goes on as without them.
 */
export function createKeepSiteFiles(): (path: string, sizeBytes: number) => boolean {
  // A lost connection brings the same files again.
  const taken = new Set<string>()
  let left = maxBytes
  return (path, sizeBytes) => {
    if (isReadByUpdate(path) || taken.has(path)) return true
    if (assetType(path) === undefined || taken.size >= maxFiles || sizeBytes > left) return false
    taken.add(path)
    left -= sizeBytes
    return true
  }
}

import { defaultConfig, type GitHubSetting, type SiteSetting } from '../../docs/config/project-config.ts'
import type { Update } from '../../docs/types.ts'
import type { UpdateReport } from '../../docs/update/update-results.ts'
import { folderOf, joinOwned, type OwnPath } from '../../files/boundary.ts'
import { disk, makeStagingFolder } from '../../files/disk-writes.ts'
import { type Archive, isReadByUpdate, readArchive, type UnpackedArchive } from '../../github/repositories/archives.ts'
import { assetType } from '../../site/plan/file-types.ts'
import type { Project } from '../../status/update-record.ts'
import type { FileChange } from '../../text/plain/source-file.ts'
import type { AppContext } from '../base/app-context.ts'
import { clientOf, toName } from '../base/projects.ts'
import { countCpuTime } from '../base/quotas.ts'
import type { Metrics } from '../base/telemetry/metrics.ts'
import type { KeptProcess, ProcessEnd, RunProgram } from '../isolate/untrusted-process.ts'

/** Runs a task of `check-child.ts` within the limits of a check. @throws {Error} @see runUntrusted */
export type RunCheck = <Answer>(
  request: { readonly task: 'check' | 'compare' | 'accept' },
  options: {
    /** The folder of the run. */
    readonly folder: OwnPath
    readonly kept: KeptProcess | undefined
    readonly leftMs: number
    /** The installation that is charged for the CPU time. */
    readonly installationId: number | undefined
    readonly signal: AbortSignal
  },
) => Promise<ProcessEnd<Answer>>

/** @param run Runs `check-child.ts`. */
export function createRunCheck(context: AppContext, run: RunProgram, metrics: Metrics): RunCheck {
  const { runMemoryMb, runTimeoutSeconds } = context.config
  return (request, { folder, kept, leftMs, installationId, signal }) => {
    const isCheck = request.task === 'check'
    return run(
      { what: isCheck ? 'the check' : 'the comparison', request, folder, kept },
      {
        memory: { megabytes: runMemoryMb, setting: 'RUN_MEMORY_MB' },
        time: { seconds: runTimeoutSeconds, leftMs, setting: 'RUN_TIMEOUT_SECONDS' },
      },
      { signal, onCpuTime: countCpuTime(context, metrics, isCheck ? 'check' : 'compare', installationId) },
    )
  }
}

/** Checks a docs directory of an unpacked archive. @throws {Error} @see runUntrusted */
export async function checkArchive(
  runCheck: RunCheck,
  options: UnpackedArchive & {
    /** Determines the docs directory and the installation that is charged for CPU time. */
    readonly project: Pick<Project, 'root' | 'installationId'>
    readonly withChanges: boolean
    readonly github?: CheckRequest['github']
    readonly organization?: OrganizationRequest | undefined
    /** Where the process waits for the comparison. */
    readonly kept?: KeptProcess
    readonly timeMs: number
    readonly signal: AbortSignal
  },
): Promise<ProcessEnd<CheckedRepository>> {
  const { archive, folder, withChanges, github, organization, kept, timeMs, signal } = options
  const { root, installationId } = options.project
  if (hasNoDocuments(archive, root)) {
    return { kind: 'answered', answer: github ? { ...emptyCheck, github } : emptyCheck }
  }
  const request: CheckRequest = {
    task: 'check',
    folder,
    root,
    withChanges,
    github,
    organization,
    archive,
  }
  return await runCheck(request, { folder: folderOf(folder), kept, leftMs: timeMs, installationId, signal })
}

/** Whether the docs directory contains no JSON or YAML file. Such repositories, which are common, need no child process. */
export function hasNoDocuments({ kept, links, refused }: Archive, root: string): boolean {
  const isBelow = (path: string) => root === '' || path.startsWith(`${root}/`)
  const isData = (path: string) => /\.(json|ya?ml)$/i.test(path)
  return Object.keys(links).length === 0 && refused.length === 0 && !kept.some((path) => isBelow(path) && isData(path))
}

const emptyCheck: CheckedRepository = {
  kind: 'nothing',
  hasDocsConfig: false,
  hasPages: false,
  github: defaultConfig.github,
  site: defaultConfig.site,
  documents: [],
  documentFiles: [],
  pages: [],
  diagnostics: [],
  report: { documents: [], pages: [], unchangedPageCount: 0, findings: [], findingCounts: { error: 0, warning: 0, info: 0 } },
  changeCount: 0,
  changes: [],
}

/** The request to the process that checks documents. Plain data. */
export interface CheckRequest extends UnpackedArchive {
  readonly task: 'check'
  /** The docs directory, relative to the repository. */
  readonly root: string
  /** Whether to return the contents of changed files, which are needed only for a commit. */
  readonly withChanges: boolean
  /** For commits from forks: the settings of the base repository, which replace those of the commit. */
  readonly github?: GitHubSetting | undefined
  readonly organization?: OrganizationRequest | undefined
}

/** The ruleset of an organization, for the process that checks documents. Plain data. */
export interface OrganizationRequest extends UnpackedArchive {
  /** The repository with the ruleset: `acme/.github`. */
  readonly name: string
  /** The ruleset, relative to that repository. */
  readonly path: string
  /** `YYYY-MM-DD`, UTC. */
  readonly today: string
  /** Which version decides what a new problem is. `same`: its documents are those of the commit. `none`: the commit is the first one. */
  readonly base: ({ readonly kind: 'files' } & UnpackedArchive) | { readonly kind: 'same' | 'none' | 'unavailable' }
}

/** What the rules of an organization find in a repository. Plain data. */
export interface OrganizationResult {
  /** The number of rules that apply. 0 if the ruleset cannot be read. */
  readonly ruleCount: number
  readonly newOnlyUntil: string | undefined
  /** Whether only new problems are reported today. */
  readonly isNewOnly: boolean
  /** The number of all problems, also of known ones. */
  readonly count: number
  /** The number of problems of the ruleset itself. */
  readonly problemCount: number
}

/** The result of a check. Plain data; paths are relative to the repository. */
export interface CheckedRepository
  extends Pick<Update, 'hasDocsConfig' | 'documents' | 'documentFiles' | 'pages' | 'diagnostics'> {
  /** `nothing`: no `docs.json` and no OpenAPI document. `off`: the repository disabled the check. */
  readonly kind: 'checked' | 'nothing' | 'off'
  /** Whether the repository has generated pages. Without, `pages` is empty: those that `update` would change, or keeps although their operation changed. */
  readonly hasPages: boolean
  readonly github: GitHubSetting
  readonly site: SiteSetting
  readonly report: UpdateReport
  /** Number of files that `update` would add, change or remove. */
  readonly changeCount: number
  /** Empty unless `withChanges` is set. */
  readonly changes: readonly FileChange[]
  /** Absent if there are no rules of the organization, or if nothing was checked. */
  readonly organization?: OrganizationResult
}

/** The folder with a subfolder for the archive of each run. */
export function findWorkFolder({ config }: Pick<AppContext, 'config'>): OwnPath {
  return joinOwned(config.dataDir, 'runs')
}

/**
 * Unpacks the archive of a commit into a temporary folder while `work` runs.
 *
 * @throws {GitHubError} @see readArchive
 */
export async function withArchive<Result>(
  context: AppContext,
  options: {
    readonly project: Project
    readonly sha: string
    readonly timeMs: number
    readonly signal: AbortSignal
    /** Selects files to unpack. The default selects the files that an update reads. */
    readonly keep?: ((path: string, sizeBytes: number) => boolean) | undefined
  },
  work: (archive: Archive, folder: OwnPath) => Promise<Result>,
): Promise<Result> {
  const { project, sha, timeMs, signal, keep } = options
  const workFolder = findWorkFolder(context)
  await disk.mkdir(workFolder, { recursive: true, mode: 0o700 })
  const own = makeStagingFolder(workFolder, 'run-')
  try {
    const folder = joinOwned(own, 'files')
    const archive = await readArchive(clientOf(context, project), toName(project), sha, folder, {
      limits: { timeMs },
      signal,
      ...(keep && { keep }),
    })
    return await work(archive, folder)
  } finally {
    await disk.rm(own, { recursive: true, force: true })
  }
}

/** Limits for images and other assets of one archive. The site builder has the same limit of bytes. */
const maxBytes = 200 * 1024 * 1024
const maxFiles = 20_000

/**
 * Creates the file filter for site builds: files that an update reads, and assets that a site may publish. Assets over the limit are
 * skipped, and the site build reports them as missing. The check is not affected.
 */
export function createKeepSiteFiles(): (path: string, sizeBytes: number) => boolean {
  // After a lost connection, the same files arrive again.
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

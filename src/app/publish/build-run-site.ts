import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { type Diagnostic, formatCount } from '../../diagnostics/diagnostic.ts'
import { listFindings } from '../../docs/update/update-results.ts'
import type { Archive } from '../../github/repositories/archives.ts'
import { isLlmsFile } from '../../site/plan/file-types.ts'
import type { Project, UpdateCommit } from '../../status/types.ts'
import type { SiteChanges } from '../../store/records/stored-records.ts'
import {
  type EarlierSite,
  type FinishedSite,
  isForkRef,
  type NewSiteContent,
  needsSuccessToReplaceSite,
} from '../../store/sites/stored-sites.ts'
import { GitHubError } from '../../text/errors.ts'
import { forEachLimited } from '../../text/plain/lists.ts'
import { countCpuTime } from '../base/quotas.ts'
import { type SitesPlace, toSiteUrl } from '../base/sites-domain.ts'
import { fileLimitBytes, pickArchive } from '../check/check-archive.ts'
import type { RunContext } from '../isolate/run-context.ts'
import type { ProcessLimits } from '../isolate/untrusted-process.ts'
import {
  type BuiltSiteFiles,
  type EarlierSiteFiles,
  findBefore,
  type SiteAnswer,
  type SiteRequest,
  summarizeSite,
} from './built-site.ts'
import { readSiteContent, toSiteContent } from './site-content.ts'
import { createAnswerHistory } from './version-archives.ts'

/** The result of building the site of a commit. */
type SiteEnd =
  /** The site is in the store and becomes visible when its record ends. */
  | {
      readonly kind: 'staged'
      readonly site: FinishedSite
      readonly summary: SiteChanges
      /** Whether it depends on the tags of the repository. */
      readonly usesTags: boolean
      readonly logs: readonly string[]
    }
  /** `reason` is a clause for the summary. The published site stays online. */
  | {
      readonly kind: 'failed'
      readonly reason: string
      /** The server setting with the exceeded limit. */
      readonly setting?: string
    }
  /** The project was deleted, so there is nothing to report. */
  | { readonly kind: 'gone' }

interface SiteToBuild {
  readonly archive: Archive
  /** The unpacked files. The build uses folders next to it. */
  readonly folder: string
  readonly project: Project
  readonly statusId: string
  readonly commit: UpdateCommit
  /** Applies to commits of the default branch. */
  readonly publish: FinishedSite['publish']
  /** The diagnostics of the check, which are not reported again. */
  readonly reported: readonly Diagnostic[]
}

/** Why a commit of the default branch is not published, and how to publish it. */
export const notPublishedReason =
  'this commit has errors. To publish commits with errors, set `site: { publish: always }` in the configuration file'

/** Bytes per transaction. This limits its memory and how long it blocks the process. */
const storeBytesAtOnce = 4 * 1024 * 1024
const compressAtOnce = 4
/** Problems of a site listed in the logs of its record. */
const listedProblems = 10

/**
 * Builds the site of a commit incrementally from an earlier one, and stores it. The site becomes visible when its record ends.
 *
 * @throws {GitHubError} for temporary errors; {StoreError} if the store is full or unreachable; a system error if the disk is full.
 */
export async function buildRunSite(context: RunContext, siteToBuild: SiteToBuild, signal: AbortSignal): Promise<SiteEnd> {
  const { store, metrics, now } = context
  const { project, commit, statusId } = siteToBuild
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  const own = dirname(siteToBuild.folder)
  const earlier = await store.sites.findEarlier(project.id, commit.ref)
  const end = await runSiteProgram(
    context,
    siteToBuild,
    { earlier: earlier && (await unpackEarlier(context, earlier, join(own, 'earlier'))) },
    signal,
  )
  if (end.kind === 'failed') {
    metrics.siteSeconds.observe({ outcome: 'failure' }, seconds())
    return end
  }
  const { site } = end.answer
  const { output, url } = end.request
  const added = await addContents(context, site, output, signal)
  const { files, pageCount, sizeBytes } = site
  const { sha, ref } = commit
  const buildId = await store.sites.stage({
    projectId: project.id,
    statusId,
    sha,
    ref,
    pageCount,
    fileCount: files.length,
    sizeBytes,
  })
  if (buildId === undefined || !(await store.sites.addFiles(buildId, files))) return { kind: 'gone' }
  metrics.siteSeconds.observe({ outcome: 'success' }, seconds())
  const defaultRef = `refs/heads/${project.defaultBranch}`
  const publish = ref === defaultRef ? siteToBuild.publish : 'never'
  // For the logs only. The store decides when the record ends.
  const stays = publish === 'until-success' && needsSuccessToReplaceSite(await store.sites.findPublished(project.id))
  const memory = await promisify(brotliCompress)(site.memory, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
  const preview = toSiteUrl(end.place, { subdomain: project.subdomain, preview: { kind: 'commit', sha } })
  const logs = [
    `Built the site at ${now().toISOString()}: ${formatCount(pageCount, 'page')}, ${formatCount(files.length, 'file')}, ${formatCount(added, 'new file')}, ${seconds().toFixed(1)} s`,
    ...site.changelogProblems,
    ...listNew(site.findings, siteToBuild.reported),
    `Site of this commit: ${preview}`,
    ...(publish === 'never' || stays ? [] : [`Production site: ${url}`]),
    ...(stays ? [`The production site was not updated: ${notPublishedReason}`] : []),
  ]
  const summary = summarizeSite(site, await findBefore(store.sites, project.id, { defaultRef, sha }))
  return {
    kind: 'staged',
    site: { buildId, publish, memory },
    summary: { ...summary, ...(stays && { stays }) },
    usesTags: end.usesTags,
    logs,
  }
}

/** The end of the program that builds sites, unless its files are refused. */
type SiteProgramEnd =
  | {
      readonly kind: 'ended'
      readonly answer: Exclude<SiteAnswer, { kind: 'refused' }>
      readonly request: SiteRequest
      readonly place: SitesPlace
      /** Whether the site depends on the tags of the repository. */
      readonly usesTags: boolean
    }
  | Extract<SiteEnd, { kind: 'failed' }>

/**
 * Runs the program that builds sites in a child process, on the unpacked archive of a commit.
 *
 * @throws @see buildRunSite
 */
async function runSiteProgram(
  context: RunContext,
  {
    archive,
    folder,
    project,
    statusId,
    commit,
  }: Pick<SiteToBuild, 'archive' | 'folder' | 'project' | 'statusId'> & { readonly commit: Pick<UpdateCommit, 'sha' | 'ref'> },
  { earlier }: Pick<SiteRequest, 'earlier'>,
  signal: AbortSignal,
): Promise<SiteProgramEnd> {
  const { config, log } = context
  const place = context.sitesPlace()
  const program = context.siteProgram
  if (!place || !program) return { kind: 'failed', reason: 'this server does not host sites' }
  const own = dirname(folder)
  const output = join(own, 'site')
  await mkdir(output, { mode: 0o700 })
  const request: SiteRequest = {
    folder,
    archive: pickArchive(archive),
    limitBytes: fileLimitBytes,
    root: project.root,
    url: toSiteUrl(place, { subdomain: project.subdomain }),
    isFork: isForkRef(commit.ref),
    output,
    maxFiles: config.siteMaxFiles,
    maxBytes: config.siteMaxMb * 1024 * 1024,
    stamp: program.stamp,
    earlier,
    commitUrl: `${config.githubUrl}/${project.owner}/${project.repo}/commit/`,
    sha: commit.sha,
  }
  const limits: ProcessLimits = {
    memory: { megabytes: config.siteMemoryMb, setting: 'SITE_MEMORY_MB' },
    time: { seconds: config.siteTimeoutSeconds, leftMs: config.siteTimeoutSeconds * 1000, setting: 'SITE_TIMEOUT_SECONDS' },
  }
  const history = createAnswerHistory(context, { project, own, current: request })
  try {
    const work = { what: 'the build of the site', request, folder: own, answer: history.answer }
    const onCpuTime = countCpuTime(context, 'site', project.installationId)
    const end = await program.run<SiteAnswer>(work, limits, { signal, onCpuTime })
    if (end.kind === 'stopped') return { ...end, kind: 'failed' }
    if (end.answer.kind === 'refused') return { ...end.answer, kind: 'failed' }
    return { kind: 'ended', answer: end.answer, request, place, usesTags: history.usesTags() }
  } catch (error) {
    // Retrying can help after a lost lease, a temporary error of GitHub, or a system error such as a full disk. Other errors would occur again.
    if (signal.aborted || error instanceof GitHubError || isSystemError(error)) throw error
    log.error({ err: error, statusId, projectId: project.id }, 'Cannot build a site')
    return { kind: 'failed', reason: 'unexpected error while building the site (see the log of the server)' }
  }
}

/** Lists the first problems that only the build of the pages found. */
function listNew(problems: readonly string[], reported: readonly Diagnostic[]): string[] {
  const known = new Set(reported.flatMap((diagnostic) => listFindings([diagnostic])))
  const lines = problems.filter((line) => !known.has(line))
  const hidden = lines.length - listedProblems
  return [...lines.slice(0, listedProblems), ...(hidden > 0 ? [`… and ${formatCount(hidden, 'more problem')} in the site`] : [])]
}

/** Unpacks the parts of an earlier site that the builder needs; `undefined` if the site has no build cache. */
async function unpackEarlier(
  { store }: RunContext,
  { build, memory }: EarlierSite,
  folder: string,
): Promise<EarlierSiteFiles | undefined> {
  if (!memory || memory.length === 0) return undefined
  await mkdir(folder, { mode: 0o700 })
  const files = await store.sites.listFiles(build.id)
  const texts = new Map(files.filter(({ path }) => isLlmsFile(path)).map((file) => [file.hash, file]))
  await forEachLimited([...texts.values()], compressAtOnce, async (file) => {
    await writeFile(join(folder, file.hash), await readSiteContent(store.sites, file), { mode: 0o600 })
  })
  return {
    memory: (await promisify(brotliDecompress)(memory)).toString(),
    files: new Map(files.map(({ path, hash, sizeBytes }) => [path, { hash, sizeBytes }])),
    folder,
  }
}

/** Compresses and stores the files that the store does not have. Returns their number. */
async function addContents({ store }: RunContext, site: BuiltSiteFiles, output: string, signal: AbortSignal): Promise<number> {
  const pathByHash = new Map(site.files.map(({ path, hash }) => [hash, path]))
  const missing = await store.sites.findMissing([...pathByHash.keys()])
  let waiting: NewSiteContent[] = []
  let waitingBytes = 0
  const flush = async () => {
    const contents = waiting
    waiting = []
    waitingBytes = 0
    if (contents.length > 0) await store.sites.addContents(contents)
  }
  await forEachLimited(missing, compressAtOnce, async (hash) => {
    signal.throwIfAborted()
    const content = await toSiteContent(pathByHash.get(hash) ?? '', await readFile(join(output, hash)), hash)
    waiting.push(content)
    waitingBytes += Object.values(content.bodies).reduce((sum, body) => sum + body.length, 0)
    if (waitingBytes >= storeBytesAtOnce) await flush()
  })
  await flush()
  return missing.length
}

/** System errors have codes such as `ENOSPC`; errors of Node.js itself start with `ERR_`. */
function isSystemError(error: unknown): boolean {
  // Node.js sets `code` to a string.
  const { code } = error instanceof Error ? (error as { code?: unknown }) : {}
  return typeof code === 'string' && /^E[A-Z]+$/.test(code)
}

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { type Diagnostic, formatCount } from '../../diagnostics/diagnostic.ts'
import { listFindings } from '../../docs/update/update-results.ts'
import { folderOf, joinOwned, type OwnPath } from '../../files/boundary.ts'
import { disk } from '../../files/disk-writes.ts'
import type { UnpackedArchive } from '../../github/repositories/archives.ts'
import { isLlmsFile } from '../../site/plan/file-types.ts'
import type { Project, UpdateCommit } from '../../status/update-record.ts'
import type { SiteChanges } from '../../store/records/stored-records.ts'
import {
  type EarlierSite,
  type FinishedSite,
  isForkRef,
  type NewSiteContent,
  needsSuccessToReplaceSite,
  type StoredSiteFile,
} from '../../store/sites/stored-sites.ts'
import { forEachLimited } from '../../text/plain/lists.ts'
import type { AppContext } from '../base/app-context.ts'
import { countCpuTime } from '../base/quotas.ts'
import { type SitesPlace, toSiteUrl } from '../base/sites-domain.ts'
import type { Metrics } from '../base/telemetry/metrics.ts'
import { KeptProcess, type ProcessLimits, type RunControl, type RunProgram, runUntrusted } from '../isolate/untrusted-process.ts'
import {
  type BuiltSiteFiles,
  countFiles,
  type EarlierSiteFiles,
  findBefore,
  type ReviewRequest,
  type ReviewSource,
  type SiteAnswer,
  type SiteRequest,
  summarizeSite,
} from './built-site.ts'
import { readSiteContent, toSiteContent } from './site-files.ts'
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

/** The build uses folders next to that of the archive. */
interface SiteToBuild extends UnpackedArchive {
  readonly project: Project
  readonly statusId: string
  readonly commit: UpdateCommit
  /** Applies to commits of the default branch. */
  readonly publish: FinishedSite['publish']
  /** Absent for commits of the default branch, and if the documents are those of the base. */
  readonly review: ReviewSource | undefined
  /** See `SiteRequest`. */
  readonly audiences: SiteRequest['audiences']
  /** The diagnostics of the check as the log has them, which are not reported again. */
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

/** `buildRunSite` of a server that hosts sites. */
export type BuildSite = (siteToBuild: SiteToBuild, signal: AbortSignal) => Promise<SiteEnd>

/**
 * Builds the site of a commit incrementally from an earlier one, and stores it. The site becomes visible when its record ends.
 *
 * @throws {GitHubError} for temporary errors; {StoreError} if the store is full or unreachable; a system error if the disk is full.
 */
export async function buildRunSite(
  context: AppContext,
  program: SiteProgram,
  metrics: Metrics,
  siteToBuild: SiteToBuild,
  signal: AbortSignal,
): Promise<SiteEnd> {
  const { store, now } = context
  const { project, commit, statusId } = siteToBuild
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  const own = folderOf(siteToBuild.folder)
  const earlier = await store.sites.findEarlier(project.id, commit.ref)
  const unpacked = earlier && (await unpackEarlier(context, earlier, joinOwned(own, 'earlier')))
  const onCpuTime = countCpuTime(context, metrics, 'site', project.installationId)
  const end = await runSiteProgram(context, program, siteToBuild, unpacked, { signal, onCpuTime })
  if (end.kind === 'failed') {
    metrics.siteSeconds.observe({ outcome: 'failure' }, seconds())
    return end
  }
  const { site } = end
  const { output, url } = end.request
  const added = await addContents(context, site, output, signal)
  const { pageCount, sizeBytes } = site
  const fileCount = countFiles(site)
  const audiences = site.audiences.map(({ audience }) => audience)
  const { sha, ref } = commit
  const buildId = await store.sites.stage({
    projectId: project.id,
    statusId,
    sha,
    ref,
    pageCount,
    fileCount,
    sizeBytes,
    audiences,
  })
  if (buildId === undefined || !(await addFiles(context, buildId, site))) return { kind: 'gone' }
  metrics.siteSeconds.observe({ outcome: 'success' }, seconds())
  const defaultRef = `refs/heads/${project.defaultBranch}`
  const publish = ref === defaultRef ? siteToBuild.publish : 'never'
  // For the logs only. The store decides when the record ends.
  const stays = publish === 'until-success' && needsSuccessToReplaceSite(await store.sites.findPublished(project.id))
  const memory = await promisify(brotliCompress)(site.memory, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
  const preview = toSiteUrl(end.place, { subdomain: project.subdomain, preview: { kind: 'commit', sha } })
  const forAudiences = audiences.length === 0 ? '' : ` for ${formatCount(audiences.length + 1, 'audience')}`
  const logs = [
    `Built the site at ${now().toISOString()}: ${formatCount(pageCount, 'page')}, ${formatCount(fileCount, 'file')}${forAudiences}, ${formatCount(added, 'new file')}, ${seconds().toFixed(1)} s`,
    ...site.changelogProblems,
    ...(site.noReview === undefined ? [] : [site.noReview]),
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
      readonly site: BuiltSiteFiles
      readonly request: SiteRequest
      readonly place: SitesPlace
      /** Whether the site depends on the tags of the repository. */
      readonly usesTags: boolean
    }
  | Extract<SiteEnd, { kind: 'failed' }>

/**
 * Runs the program that builds sites in a child process, on the unpacked archive of a commit. A review that fails or exceeds the limits, as far
 * as its site has not used them, is left out.
 *
 * @throws @see buildRunSite
 */
async function runSiteProgram(
  context: AppContext,
  program: SiteProgram,
  { archive, folder, project, commit, review, audiences }: SiteToBuild,
  earlier: EarlierSiteFiles | undefined,
  control: RunControl,
): Promise<SiteProgramEnd> {
  const { config } = context
  const place = context.urls.sites()
  if (!place) return { kind: 'failed', reason: 'this server does not host sites' }
  const own = folderOf(folder)
  const output = joinOwned(own, 'site')
  await disk.mkdir(output, { mode: 0o700 })
  const request: SiteRequest = {
    folder,
    archive,
    root: project.root,
    url: toSiteUrl(place, { subdomain: project.subdomain }),
    isFork: isForkRef(commit.ref),
    audiences,
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
  const kept = new KeptProcess()
  const run = async (what: string, asked: SiteRequest | ReviewRequest) => {
    const work = { what, request: asked, folder: own, answer: history.answer, kept }
    const end = await program.run<SiteAnswer>(work, limits, control)
    return end.kind === 'stopped' ? end : end.answer
  }
  try {
    const answer = await run('the build of the site', request)
    if (answer.kind !== 'built') return { ...answer, kind: 'failed' }
    const ended = { kind: 'ended', site: answer.site, request, place, usesTags: history.usesTags() } as const
    if (!review) return ended
    const reviewed = await run('the review', { ...request, review, built: answer.site }).catch((error: unknown) => {
      if (control.signal.aborted) throw error
      context.log.error({ err: error, headSha: commit.sha }, 'Cannot make the review')
      return { kind: 'stopped', reason: 'unexpected error (see the log of the server)' } as const
    })
    if (reviewed.kind === 'built') return { ...ended, site: reviewed.site }
    const noReview = `The review of the API changes was left out: ${reviewed.reason}`
    return { ...ended, site: { ...answer.site, noReview } }
  } finally {
    await kept.end()
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
  { store }: AppContext,
  { build, memory }: EarlierSite,
  folder: OwnPath,
): Promise<EarlierSiteFiles | undefined> {
  if (!memory || memory.length === 0) return undefined
  await disk.mkdir(folder, { mode: 0o700 })
  const sites: [string, StoredSiteFile[]][] = []
  for (const name of ['public', ...build.audiences.map((one) => one.name)])
    sites.push([name, await store.sites.listFiles({ buildId: build.id, audience: name })])
  const llms = sites.flatMap(([, files]) => files.filter(({ path }) => isLlmsFile(path)))
  const texts = new Map(llms.map((file) => [file.hash, file]))
  await forEachLimited([...texts.values()], compressAtOnce, async (file) => {
    await disk.createFile(joinOwned(folder, file.hash), await readSiteContent(store.sites, file), 0o600)
  })
  return {
    memory: (await promisify(brotliDecompress)(memory)).toString(),
    sites: new Map(
      sites.map(([name, files]) => [name, new Map(files.map(({ path, hash, sizeBytes }) => [path, { hash, sizeBytes }]))]),
    ),
    folder,
  }
}

/** Compresses and stores the files that the store does not have. Returns their number. */
async function addContents({ store }: AppContext, site: BuiltSiteFiles, output: string, signal: AbortSignal): Promise<number> {
  const all = [site, ...site.audiences].flatMap(({ files }) => files)
  const pathByHash = new Map(all.map(({ path, hash }) => [hash, path]))
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

/** Adds the files for all readers to a staged build. False if it no longer exists. */
async function addFiles({ store }: AppContext, buildId: string, { files, audiences }: BuiltSiteFiles): Promise<boolean> {
  const all = [{ name: 'public', files }, ...audiences.map((one) => ({ name: one.audience.name, files: one.files }))]
  for (const { name, files: own } of all) {
    if (!(await store.sites.addFiles({ buildId, audience: name }, own))) return false
  }
  return true
}

/** The bundled program that builds sites. */
export interface SiteProgram {
  /** Runs it in a child process. */
  readonly run: RunProgram
  /** A hash of the program. Pages rendered by another version are not reused. */
  readonly stamp: string
}

/**
 * Finds the program. Node.js cannot run the page components from source, so a clone needs the bundle.
 *
 * @returns `undefined` if it was not built.
 */
export function findSiteProgram(): SiteProgram | undefined {
  const isBuilt = !import.meta.url.endsWith('.ts')
  const entry = new URL(isBuilt ? '../app/site-child.js' : '../../../build/app/site-child.js', import.meta.url)
  const assets = new URL('../site/', entry)
  if (!existsSync(entry) || !existsSync(assets)) return undefined
  const run: RunProgram = (work, ...rest) => runUntrusted({ ...work, program: entry }, ...rest)
  return { run, stamp: `${hashFolders([new URL('./', entry), assets])} ${process.version}` }
}

function hashFolders(folders: readonly URL[]): string {
  const hash = createHash('sha256')
  for (const folder of folders) {
    const names = readdirSync(fileURLToPath(folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(?:js|css)$/.test(name),
    )
    for (const name of names.sort()) hash.update(name).update(readFileSync(new URL(name, folder)))
  }
  return hash.digest('hex').slice(0, 32)
}

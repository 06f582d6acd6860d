import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import type { Archive } from '../../github/archive.ts'
import { isLlmsFile } from '../../site/render/files/file-types.ts'
import type { Project, UpdateCommit } from '../../status/types.ts'
import type { EarlierSite, FinishedSite, NewSiteContent } from '../../store/stored-sites.ts'
import { needsSuccessToReplaceSite } from '../../store/stored-sites.ts'
import type { SiteChanges } from '../../store/update-rows.ts'
import { listFindings } from '../../update/update-results.ts'
import { countCpuTime } from '../quotas.ts'
import { readSiteContent, toSiteContent } from '../sites/site-content.ts'
import { toSiteUrl } from '../sites/sites-domain.ts'
import type { BuiltSiteFiles, EarlierSiteFiles, SiteAnswer, SiteRequest } from './built-site.ts'
import { findBefore, toSiteNews } from './built-site.ts'
import { fileLimitBytes } from './check-archive.ts'
import type { RunContext } from './run-context.ts'
import { type ProcessLimits, runUntrusted } from './untrusted-process.ts'

/** What came of building the site of a commit. */
export type SiteEnd =
  /** It waits in the store for the end of its record. */
  | { readonly kind: 'staged'; readonly site: FinishedSite; readonly news: SiteChanges; readonly logs: readonly string[] }
  /** `reason` is a clause for the summary; what was published stays. */
  | {
      readonly kind: 'failed'
      readonly reason: string
      /** Of the server: the limit that was reached. */
      readonly setting?: string
    }
  /** The project was deleted, so there is nothing to report. */
  | { readonly kind: 'gone' }

export interface SiteToBuild {
  readonly archive: Archive
  /** Where its files are; a folder beside it is used. */
  readonly folder: string
  readonly project: Project
  readonly statusId: string
  readonly commit: UpdateCommit
  /** Of a commit of the default branch. */
  readonly publish: FinishedSite['publish']
  /** The diagnostics of the check, which are not reported again. */
  readonly told: readonly Diagnostic[]
}

/** Why a commit of the default branch is not published, and how it would be. */
export const keptReason =
  'this commit has errors. `site: { publish: always }` in the configuration file publishes such commits too'

/** Contents of one transaction: bounds its memory, and how long it can hold up the process. */
const storeBytesAtOnce = 4 * 1024 * 1024
const compressAtOnce = 4
/** Findings of a site in the log of its record. */
const listedFindings = 10

/**
 * Builds the site of a commit, going on from an earlier one, and puts it into the store, where it waits for the end of its record.
 *
 * @throws {StoreError} when the store is full or cannot be reached; a system error when the disk is full.
 */
export async function buildRunSite(context: RunContext, asked: SiteToBuild, signal: AbortSignal): Promise<SiteEnd> {
  const { store, config, metrics, log, now } = context
  const { project, commit, statusId } = asked
  const place = context.sitesPlace()
  const program = context.siteProgram
  if (!place || !program) return { kind: 'failed', reason: 'this server hosts no sites' }
  const startedAt = performance.now()
  const own = dirname(asked.folder)
  const earlier = await store.sites.findEarlier(project.id, commit.ref)
  const output = join(own, 'site')
  await mkdir(output, { mode: 0o700 })
  const request: SiteRequest = {
    folder: asked.folder,
    archive: pick(asked.archive),
    limitBytes: fileLimitBytes,
    root: project.root,
    url: toSiteUrl(place, { subdomain: project.subdomain }),
    output,
    maxFiles: config.siteMaxFiles,
    maxBytes: config.siteMaxMb * 1024 * 1024,
    stamp: program.stamp,
    earlier: earlier && (await unpackEarlier(context, earlier, join(own, 'earlier'))),
  }
  const limits: ProcessLimits = {
    memory: { megabytes: config.siteMemoryMb, setting: 'SITE_MEMORY_MB' },
    time: { seconds: config.siteTimeoutSeconds, leftMs: config.siteTimeoutSeconds * 1000, setting: 'SITE_TIMEOUT_SECONDS' },
  }
  const seconds = () => (performance.now() - startedAt) / 1000
  const fail = (reason: string, setting?: string): SiteEnd => {
    metrics.siteSeconds.observe({ outcome: 'failure' }, seconds())
    return { kind: 'failed', reason, ...(setting !== undefined && { setting }) }
  }
  let answer: SiteAnswer
  try {
    const work = { what: 'the build of the site', program: program.url, request, folder: own }
    const onCpuTime = countCpuTime(context, 'site', project.installationId)
    const end = await runUntrusted<SiteAnswer>(work, limits, { signal, onCpuTime })
    if (end.kind === 'stopped') return fail(end.reason, end.setting)
    answer = end.answer
  } catch (error) {
    // The disk may be free again, and a lost lease is none of the site's fault; what else is thrown would be thrown again.
    if (signal.aborted || isOfSystem(error)) throw error
    log.error({ err: error, statusId, projectId: project.id }, 'A site could not be built')
    return fail('the site could not be built, by a fault of this program that is in the log of the server')
  }
  if (answer.kind === 'refused') return fail(answer.reason, answer.setting)
  const { site } = answer
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
  const publish = ref === defaultRef ? asked.publish : 'never'
  // For what is said of it; the store decides when the record ends.
  const stays = publish === 'until-success' && needsSuccessToReplaceSite(await store.sites.findPublished(project.id))
  const memory = await promisify(brotliCompress)(site.memory, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
  const preview = toSiteUrl(place, { subdomain: project.subdomain, preview: { kind: 'commit', sha } })
  const logs = [
    `Built the site at ${now().toISOString()}: ${formatCount(pageCount, 'page')}, ${formatCount(files.length, 'file')}, ${formatCount(added, 'new file')}, ${seconds().toFixed(1)} s`,
    ...listNew(site.findings, asked.told),
    `The site of this commit: ${preview}`,
    ...(publish === 'never' || stays ? [] : [`The site of the project: ${request.url}`]),
    ...(stays ? [`The site of the project stays as it was: ${keptReason}`] : []),
  ]
  const news = toSiteNews(site, await findBefore(store.sites, project.id, { defaultRef, sha }))
  return { kind: 'staged', site: { buildId, publish, memory }, news: { ...news, ...(stays && { stays }) }, logs }
}

/** The first findings that only the pages show. */
function listNew(findings: readonly string[], told: readonly Diagnostic[]): string[] {
  const known = new Set(told.flatMap((diagnostic) => listFindings([diagnostic])))
  const lines = findings.filter((line) => !known.has(line))
  const hidden = lines.length - listedFindings
  return [...lines.slice(0, listedFindings), ...(hidden > 0 ? [`… and ${formatCount(hidden, 'more finding')} in the site`] : [])]
}

function pick({ kept, leftOut, links, refused }: Archive): SiteRequest['archive'] {
  return { kept, leftOut, links, refused }
}

/** What the builder needs of an earlier site; `undefined` where nothing is remembered of it. */
async function unpackEarlier(
  { store }: RunContext,
  { build, memory }: EarlierSite,
  folder: string,
): Promise<EarlierSiteFiles | undefined> {
  if (!memory || memory.length === 0) return undefined
  await mkdir(folder, { mode: 0o700 })
  const files = await store.sites.listFiles(build.id)
  const texts = new Map(files.filter(({ path }) => isLlmsFile(path)).map((file) => [file.hash, file]))
  await inTurns([...texts.values()], async (file) => {
    await writeFile(join(folder, file.hash), await readSiteContent(store.sites, file), { mode: 0o600 })
  })
  return {
    memory: (await promisify(brotliDecompress)(memory)).toString(),
    files: new Map(files.map(({ path, hash, sizeBytes }) => [path, { hash, sizeBytes }])),
    folder,
  }
}

/** Compresses and stores what the store does not have; answers how much that was. */
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
  await inTurns(missing, async (hash) => {
    signal.throwIfAborted()
    const content = await toSiteContent(pathByHash.get(hash) ?? '', await readFile(join(output, hash)), hash)
    waiting.push(content)
    waitingBytes += Object.values(content.bodies).reduce((sum, body) => sum + body.length, 0)
    if (waitingBytes >= storeBytesAtOnce) await flush()
  })
  await flush()
  return missing.length
}

async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values()
  await Promise.all(
    Array.from({ length: compressAtOnce }, async () => {
      for (const item of left) await work(item)
    }),
  )
}

/** What the system refuses has a code of its own (`ENOSPC`), unlike faults in a program (`ERR_…`). */
function isOfSystem(error: unknown): boolean {
  // Node puts a text there.
  const { code } = error instanceof Error ? (error as { code?: unknown }) : {}
  return typeof code === 'string' && /^E[A-Z]+$/.test(code)
}
